"""The places of the parameters for playouts in native code."""

from __future__ import annotations

from typing import Final

CHANCE_KEY, CHANCE_COUNTER, BOT_KEY, BOT_COUNTER, LEFT, COUNTS, ROOM, MADE, WHY = range(9)
NOTED, NOTED_END, TWINS = range(9, 12)
"""The number of parameters of a playout.

They are two generators, the choices that are left (-1: any number), and the address for the numbers of options (or 0).
Then come how many choices may be made at once, and were made, and how one of many ended. The last are for events (see
`rulewright.interpreter.engines.choice_log`): the address of the next (or 0), and the address that ends the choices.
For each decision there is the address of the numbers of its options' names (or 0)."""
DRIVEN: Final = 12
