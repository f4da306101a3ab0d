"""Defines the cells for positions that rules store in order to recognise them later."""

from __future__ import annotations

from rulewright.dsl.immutable import frozen


@frozen
class Memory:
    """The cells of a memory: the number of stored positions, and a table with at least twice as
    many entries as positions.

    The cells of the table are far. Each entry contains the two numbers of a position, and how often
    the position was stored. This count is 0 in a free entry.
    """

    limit: int
    size: int  # the cell with the number of stored positions
    room: int  # the number of entries in the table
    numbers: tuple[int, int]
    counts: int
