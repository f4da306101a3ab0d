"""The events of a random playout as numbers: each choice and each result of chance, in their order.

Independent of names.
"""

from __future__ import annotations

from typing import Final

SAME_SHIFT: Final = 32
"""The bits above an option or a value: how many options of the same name were offered before it, or the chance site."""
SITE_SHIFT: Final = 48
"""The bits above `_PLACE`: the site of a decision."""
MOST_SITES: Final = 2**12
"""The maximum number of sites of decisions that events can name."""
ROLLED: Final = 2**62
"""Marks a value drawn by chance."""
SHUFFLING: Final = 2**61
"""Marks a result of a shuffle."""
GOES_ON: Final = 2**60
"""Marks a result of a shuffle that follows another result."""
