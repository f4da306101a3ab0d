"""Defines the cells for positions that rules store in order to recognise them later."""

from __future__ import annotations

from rulewright.dsl.immutable import frozen


@frozen
class Memory:
    """The number of stored positions, and a table with at least twice as many places as positions.

    The cells of the table are far. Each entry has the two numbers of a position and how often it
    was stored, which is 0 for a free place.
    """

    limit: int
    size: int  # the cell with the number of stored positions
    room: int  # the number of places in the table
    numbers: tuple[int, int]
    counts: int
