"""Arranges rows of words as lines with aligned columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """Return the rows as lines with aligned columns.

    The first `left` columns are left-aligned; the other columns are right-aligned.
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
