"""Defines the positions of the parameters for playouts in native code."""

from __future__ import annotations

from typing import Final

CHANCE_KEY, CHANCE_COUNTER, BOT_KEY, BOT_COUNTER, LEFT, COUNTS, ROOM, MADE, WHY = range(9)
NOTED, NOTED_END, TWINS = range(9, 12)
"""The positions of the parameters of a playout.

The parameters are two generators, the number of choices that are left (-1: any number), and the
address for the numbers of options (or 0). Then come the number of choices that may be made at once,
the number that was made, and how one of many playouts ended. The last parameters are for events
(see `rulewright.interpreter.engines.choice_log`): the address of the next event (or 0), and the
address where the room for choices ends. For each decision there is the address of the numbers of
its options' names (or 0).
"""
DRIVEN: Final = 12
