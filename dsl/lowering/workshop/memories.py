"""The cells of positions that rules keep to recognise them later."""

from __future__ import annotations

from rulewright.dsl.immutable import frozen


@frozen
class Memory:
    """How many positions there are, and a table with a free place for each of them.

    The entries of the table are far: the two numbers, and how often they were kept (0: a free place)."""

    limit: int
    size: int  # the cell
    room: int  # of the table
    numbers: tuple[int, int]
    counts: int
