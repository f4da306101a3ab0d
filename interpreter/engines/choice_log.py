"""Defines the numbers for the events of a random playout: choices and results of chance, in order."""

from __future__ import annotations

from typing import Final

SAME_SHIFT: Final = 32
"""The lowest bit of a field that contains the number of earlier options with the same name, or the chance site."""
SITE_SHIFT: Final = 48
"""The lowest bit of a field that contains the site of a decision."""
MOST_SITES: Final = 2**12
"""The maximum number of sites of decisions that events can refer to."""
ROLLED: Final = 2**62
"""Marks a value drawn by chance."""
SHUFFLING: Final = 2**61
"""Marks a result of a shuffle."""
GOES_ON: Final = 2**60
"""Marks a result of a shuffle that follows another result."""
