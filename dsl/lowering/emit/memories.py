"""Defines the cells for positions that rules store to recognise them later."""

from __future__ import annotations

from rulewright.dsl.immutable import frozen


@frozen
class Memory:
    """The number of stored positions, and a table with more than enough places for them.

    The entries of the table are far: the two numbers of a position, and how often it was stored (0: a free place).
    """

    limit: int
    size: int  # the cell with the number of stored positions
    room: int  # the number of places in the table
    numbers: tuple[int, int]
    counts: int
