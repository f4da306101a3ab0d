"""Writes rows of words as lines with columns of equal width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """Write lines with columns of equal width.

    The first `left` columns are left-aligned, other columns right-aligned.
    """
    rows = [tuple(row) for row in rows]
    if not rows:
        return []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if number < left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
