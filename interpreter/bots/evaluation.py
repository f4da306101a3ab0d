"""How well leads on the way predict the results of random playouts.

The end of a playout says most about the worth of a position, but with much noise. Where points show who is ahead, the
lead now, and the lead after a few decisions, say less with less noise. Playouts from the first position show how well
each of them predicts the end. Each lead is worth the result that such a lead has led to there (a regression of results
on leads). The worth of a position is the mean of all these (`rulewright.interpreter.engines.kernels.search`).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.engines.kernels.tree import TIMES, Tree

LEARNED_FROM = 48
"""How many playouts tell what leads are worth."""
_DOUBT = 16
"""So many playouts are held to have shown the same at all times."""
AT_LEAST = 8
"""Fewer playouts tell nothing."""


@attrs.frozen
class Playout:
    """The leads of all seats at each time of a random playout (None after its end), and its result."""

    leads: tuple[tuple[int, ...] | None, ...]
    result: tuple[float, ...]

    @classmethod
    def of(cls, t: Tree) -> Playout:
        """The last playout of a tree."""
        seats = t.seats
        leads = (
            tuple(t.met[time * seats : (time + 1) * seats]) if t.is_met[time] else None
            for time in range(TIMES)
        )
        return cls(tuple(leads), tuple(t.result))


@attrs.define(eq=False)
class _Tells:
    """The relation between leads after so many decisions and the results of playouts."""

    usual: list[float]
    """The mean result of each seat."""
    leads: list[float]
    """The mean lead of each seat."""
    both: float
    """How results and leads go together: the sum of the products of how far they are from their means."""
    spread: float
    """How much leads differ: the sum of the squares."""

    @classmethod
    def of(
        cls, playouts: Sequence[tuple[Sequence[int], Sequence[float]]], usual: list[float]
    ) -> _Tells:
        """The relation that some playouts have shown; `usual` are the mean results, should there be none."""
        seats, count = range(len(usual)), len(playouts)
        if not playouts:
            return cls(usual, [0.0] * len(usual), 0.0, 0.0)
        results = [sum(result[seat] for _, result in playouts) / count for seat in seats]
        means = [sum(leads[seat] for leads, _ in playouts) / count for seat in seats]
        both = spread = 0.0
        for leads, result in playouts:
            for seat in seats:
                off = leads[seat] - means[seat]
                both += off * (result[seat] - results[seat])
                spread += off * off
        return cls(results, means, both, spread)


def learn(t: Tree, playouts: Sequence[Playout]) -> None:
    """Put into a tree what leads tell, as these playouts show it."""
    if len(playouts) < AT_LEAST:
        return
    count, seats = len(playouts), range(t.seats)
    usual = [sum(each.result[seat] for each in playouts) / count for seat in seats]
    tells = []
    for time in range(TIMES):
        known = [(each.leads[time], each.result) for each in playouts]
        going = [(leads, result) for leads, result in known if leads is not None]
        tells.append(_Tells.of(going, usual))
    both, spread = sum(one.both for one in tells), sum(one.spread for one in tells)
    if not spread:
        return
    # A point is held to be worth as much at one time as at all times, unless many playouts show otherwise.
    worth, doubt = max(0.0, both / spread), _DOUBT / count * spread / TIMES
    for time, one in enumerate(tells):
        t.slope[time] = max(0.0, (one.both + worth * doubt) / (one.spread + doubt))
        for seat in seats:
            t.usual[time * t.seats + seat] = one.usual[seat]
            t.usual_lead[time * t.seats + seat] = one.leads[seat]
    t.tells = 1
    t.tells_at_once = int(t.slope[0] > 0)
