"""Writes the clauses that follow a reason in a form for people."""

from __future__ import annotations

from collections.abc import Sequence

_MANY = 3
"""The minimum number of consecutive clauses of which only the first and the last are written."""


def tags(clauses: Sequence[str]) -> str:
    """Return the clauses in brackets, with a space before the brackets, or "" if there are none."""
    rows: list[list[str]] = []
    for clause in clauses:
        if rows and _follows(rows[-1][-1], clause):
            rows[-1].append(clause)
        else:
            rows.append([clause])
    words = [
        part for row in rows for part in ([f"{row[0]}..{row[-1]}"] if len(row) >= _MANY else row)
    ]
    return f" [{', '.join(words)}]" if words else ""


def _follows(one: str, other: str) -> bool:
    head, _, low = one.rpartition("-")
    head_of_other, _, high = other.rpartition("-")
    numbers = low.isdecimal() and high.isdecimal() and len(low) == len(high)
    return head == head_of_other and numbers and int(high) == int(low) + 1
