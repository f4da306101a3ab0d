"""The numbers by which native code plays at random, by their places."""

from __future__ import annotations

from typing import Final

CHANCE_KEY, CHANCE_COUNTER, BOT_KEY, BOT_COUNTER, LEFT, COUNTS, ROOM, MADE, WHY = range(9)
NOTED, NOTED_END, TWINS = range(9, 12)
"""The numbers by which a play is driven: two generators, how many choices are left (-1: any number),
where the numbers of options are put (or 0), how many choices may be made at once, and were made; of
one of many, how it ended. Where events are noted (see `rulewright.interpreter.engines.choice_log`): where the next is
put (or 0), from where on no choice is made any more, and for each site where the numbers of the names
of its options are (or 0)."""
DRIVEN: Final = 12
