"""Defines the indices of the parameters for playouts in native code."""

from __future__ import annotations

from typing import Final

CHANCE_KEY, CHANCE_COUNTER, BOT_KEY, BOT_COUNTER, LEFT, COUNTS, ROOM, MADE = range(8)
NOTED, NOTED_END, TWINS = range(8, 11)
"""The indices of the parameters of a playout.

The first parameters are two generators, the number of choices that are left (-1 for any number),
and the address for the numbers of options (or 0). Then come the number of choices that may be made
in one call, and the number that was made. The last parameters are for events (see
`rulewright.interpreter.engines.choice_log`): the address of the next event (or 0), and the address
where the space for choices ends. For each decision, there is also the address of the indices of its
options' names (or 0).
"""
DRIVEN: Final = 11
