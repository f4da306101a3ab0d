"""The cells of positions that rules keep to recognise them later."""

from __future__ import annotations

from rulewright.dsl.immutable import frozen


@frozen
class Memory:
    """The number of stored positions, and a table with a free place for each of them.

    The entries of the table are far: the two numbers of a position, and how often it was stored (0: a free place)."""

    limit: int
    size: int  # the cell
    room: int  # of the table
    numbers: tuple[int, int]
    counts: int
