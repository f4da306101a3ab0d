"""A position as far as what is known of it goes: what a state is to those who need not know plays."""

from __future__ import annotations

from array import array
from typing import Protocol

from rulewright.interpreter.views.log_lines import Told
from rulewright.interpreter.views.variant import Variant


class Position(Protocol):
    """The cells of a position, the choice that led there and the lines told on the way."""

    cells: array[int]

    @property
    def variant(self) -> Variant:
        """The game for so many players and these options."""
        ...

    @property
    def choice(self) -> int:
        """The number of the option that led here; negative where there is none."""
        ...

    @property
    def log(self) -> tuple[Told, ...]:
        """What the rules have told since the decision before."""
        ...
