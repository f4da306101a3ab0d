"""What a position is worth to each player: how plays at random go on from it.

A play at random tells most of what comes of a position by its end, and says it with much noise. Where points show how
it stands, the lead now, and the lead after a few decisions, say less with less noise. How much each of them tells of
the end is found out first, by plays at random from where thinking begins: each is worth the result that such a lead
has led to there (a regression of results on leads), and what a position is worth is the mean of all these.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from math import exp, inf
from typing import TypeAlias

import attrs

from rulewright.dsl.ir import OVER
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.playouts import WORDS_A_STEP, bot_generator
from rulewright.interpreter.matches.returns import Reward, leads_of, shares, sides_of
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

_FAR = 200
"""How many decisions are played on where points tell how it stands then, else as many as a play may have."""
_LONGEST = 10_000
_LATER = (1, 5, 20)
"""After how many decisions of each seat it is looked how it stands; the first stands for what a move does."""
_PLAYS = 3
"""How many plays at random go on from a position."""
LEARNED_FROM = 48
"""How many plays at random tell what leads are worth."""
_DOUBT = 16
"""So many plays are held to have shown the same at all times."""
_AT_LEAST = 8
"""Fewer plays tell nothing."""
_OF_POINTS = 0.15
"""How much a lead in points counts beside winning."""
_SEEDS = 2**31


@attrs.define(eq=False)
class _Tells:
    """What leads after so many decisions tell of the results of plays."""

    usual: list[float]
    """The mean result of each seat."""
    leads: list[float]
    """The mean lead of each seat."""
    both: float
    """How results and leads go together: the sum of the products of how far they are from their means."""
    spread: float
    """How much leads differ: the sum of the squares."""
    slope: float = 0.0
    """By how much a result is better for each point."""

    @classmethod
    def of(cls, plays: list[tuple[list[int], list[float]]], usual: list[float]) -> _Tells:
        """What some plays have shown; `usual` are the mean results, should there be none."""
        seats, count = range(len(usual)), len(plays)
        if not plays:
            return cls(usual, [0.0] * len(usual), 0.0, 0.0)
        results = [sum(result[seat] for _, result in plays) / count for seat in seats]
        means = [sum(leads[seat] for leads, _ in plays) / count for seat in seats]
        both = spread = 0.0
        for leads, result in plays:
            for seat in seats:
                off = leads[seat] - means[seat]
                both += off * (result[seat] - results[seat])
                spread += off * off
        return cls(results, means, both, spread)

    def result(self, seat: int, lead: float) -> float:
        """The result to expect."""
        return self.usual[seat] + self.slope * (lead - self.leads[seat])


class Worth:
    """Weighs positions of one variant for each seat: 1 is won, 0 is lost; by `points`, the lead."""

    def __init__(self, compiled: CompiledGame, reward: Reward = "wins") -> None:
        self._compiled = compiled
        self._sides = sides_of(compiled)
        self._seats = range(compiled.program.seats)
        self._reward: Reward = reward
        self._points = bool(compiled.program.score)
        self._spread = 1.0
        self.decisions = 0
        """How many decisions were made in plays at random."""
        self._least, self._most = (0.0, 1.0) if reward == "wins" else (-inf, inf)
        self._tells: list[_Tells] = []
        """For each time that is looked at what leads tell then."""

    def learn(self, starts: Iterable[Cells], generator: Generator) -> None:
        """Find out what leads tell, by a play at random from each of these positions; they are used up."""
        if not self._points:
            return
        plays = []
        for cells in starts:
            try:
                plays.append(self._play(cells, generator))
            except RuleFault:
                continue  # what is only guessed may be impossible
        if len(plays) < _AT_LEAST:
            return
        count = len(plays)
        usual = [sum(result[seat] for _, result in plays) / count for seat in self._seats]
        times = []
        for time in range(len(_LATER)):
            known = [(met[time], result) for met, result in plays]
            times.append([(leads, result) for leads, result in known if leads is not None])
        tells = [_Tells.of(going, usual) for going in times]
        both, spread = sum(one.both for one in tells), sum(one.spread for one in tells)
        if not spread:
            return
        # A point is held to be worth as much at one time as at all times, unless many plays show otherwise.
        worth, doubt = max(0.0, both / spread), _DOUBT / count * spread / len(times)
        for one in tells:
            one.slope = max(0.0, (one.both + worth * doubt) / (one.spread + doubt))
        self._tells = tells

    @property
    def tells(self) -> bool:
        """Whether leads tell anything of the end."""
        return bool(self._tells)

    @property
    def tells_at_once(self) -> bool:
        """Whether the lead now tells anything of the end."""
        return bool(self._tells) and self._tells[0].slope > 0

    def at_once(self, cells: Cells, seat: int) -> float:
        """The result to expect for a seat by the lead alone, or that of an end."""
        if cells[OVER]:
            return self.ended(cells)[seat]
        return self._tells[0].result(seat, self._leads(cells)[seat])

    def after(self, cells: Cells, generator: Generator) -> list[float]:
        """How plays at random go on from here."""
        worth = [0.0 for _ in self._seats]
        now = self._leads(cells) if self._tells else None
        for _ in range(_PLAYS):
            leads, result = self._play(cells[:], generator)
            for seat in self._seats:
                worth[seat] += self._weighed(seat, now, leads, result)
        return [one / _PLAYS for one in worth]

    def _weighed(
        self, seat: int, now: list[int] | None, leads: list[list[int] | None], result: list[float]
    ) -> float:
        if now is None:
            return result[seat]
        found, met = result[seat], [now, *leads[1:]]
        for tells, lead in zip(self._tells, met, strict=True):
            found += (
                result[seat]
                if lead is None
                else min(self._most, max(self._least, tells.result(seat, lead[seat])))
            )
        return found / (1 + len(met))

    def _play(
        self, cells: Cells, generator: Generator
    ) -> tuple[list[list[int] | None], list[float]]:
        """A play at random: the leads on the way (None after its end), and what came of it."""
        seed = generator.below(_SEEDS)
        chance, bots = Generator(key_of(seed)), bot_generator(seed, 0)
        play, decisions = self._compiled.engine.at_random, 0
        leads: list[list[int] | None] = []
        for later in _LATER if self._points else ():
            if not cells[OVER]:
                many = later * len(self._seats)
                play(cells, chance, bots, many - decisions)
                decisions = many
            leads.append(None if cells[OVER] else self._leads(cells))
        if not cells[OVER]:
            play(cells, chance, bots, max(0, _FAR - decisions) if self._points else _LONGEST)
        self.decisions += bots.counter // WORDS_A_STEP
        return leads, self.ended(cells) if cells[OVER] else self._standing(cells)

    def _leads(self, cells: Cells) -> list[int]:
        return leads_of(self._sides, self._compiled.totals(cells))

    def ended(self, cells: Cells) -> list[float]:
        """What the end of a play is worth: winning, and a little the lead."""
        if self._reward == "points":
            return [*map(float, self._leads(cells))]
        parts = shares(self._compiled, cells)
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
            return [1 / len(self._seats) for _ in self._seats]
        if self._reward == "points":
            return [*map(float, self._leads(cells))]
        totals = self._compiled.totals(cells)
        middle = sum(totals) / len(totals)
        apart = sum(abs(total - middle) for total in totals) / len(totals)
        self._spread += (apart - self._spread) / 20
        if len(totals) == 1:
            return [1 / (1 + exp(-max(-40.0, totals[0] / max(1.0, self._spread))))]
        most = max(totals)
        parts = [exp(max(-40.0, (total - most) / max(1.0, self._spread))) for total in totals]
        return [part / sum(parts) for part in parts]
