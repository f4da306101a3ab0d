"""What a position is worth to each player: how plays at random go on from it. Refuses to know what is tried."""

from __future__ import annotations

from array import array
from math import exp
from typing import TypeAlias

from rulewright.dsl.ir import OVER
from rulewright.interpreter.engines.at_random import bot_generator
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.plays.returns import shares
from rulewright.interpreter.viewing.variant import Variant

Cells: TypeAlias = "array[int]"

_FAR = 200
"""How many decisions are played on where points tell how it stands then, else as many as a play may have."""
_LONGEST = 10_000
_OF_POINTS = 0.15
"""How much a lead in points counts beside winning."""
_SEEDS = 2**31


class Worth:
    """Weighs positions of one variant: 1 is won, 0 is lost, for each seat."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._seats = variant.program.seats
        self._points = bool(variant.program.score)
        self._longest = _FAR if self._points else _LONGEST
        self._spread = 1.0

    def after(self, cells: Cells, generator: Generator) -> list[float]:
        """How a play at random goes on from here; the cells are used up."""
        seed = generator.below(_SEEDS)
        chance, bots = Generator(key_of(seed)), bot_generator(seed, 0)
        self._variant.engine.at_random(cells, chance, bots, self._longest)
        return self.ended(cells) if cells[OVER] else self._standing(cells)

    def ended(self, cells: Cells) -> list[float]:
        """What the end of a play is worth: winning, and a little the lead."""
        parts = shares(self._variant, cells)
        if not self._points:
            return parts
        standing = self._standing(cells)
        return [
            (1 - _OF_POINTS) * share + _OF_POINTS * part
            for share, part in zip(parts, standing, strict=True)
        ]

    def _standing(self, cells: Cells) -> list[float]:
        """How it stands by points: the more of them, the greater the part."""
        if not self._points:
            return [1 / self._seats] * self._seats
        totals = [self._variant.total(cells, seat) for seat in range(self._seats)]
        middle = sum(totals) / self._seats
        apart = sum(abs(total - middle) for total in totals) / self._seats
        self._spread += (apart - self._spread) / 20
        if self._seats == 1:
            return [1 / (1 + exp(-totals[0] / max(1.0, self._spread)))]
        most = max(totals)
        parts = [exp(max(-40.0, (total - most) / max(1.0, self._spread))) for total in totals]
        return [part / sum(parts) for part in parts]
