"""Learns how well leads during random playouts predict the results of the playouts.

The end of a playout is an unbiased but noisy estimate of the value of a position. If points show
who is ahead, the current lead and the lead after a few decisions are further estimates, which are
less exact but less noisy. Playouts from the first position show how well each of these leads
predicts the end: a regression of results on leads converts a lead to an expected result. The value
of a position is the mean of all these estimates (`rulewright.interpreter.engines.kernels.search`).
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.engines.kernels.tree import TIMES, Tree

LEARNED_FROM = 48
"""The number of playouts from which the value of leads is learned."""
_DOUBT = 16
"""The weight, in playouts, of the assumption that the slope is the same at all times."""
AT_LEAST = 8
"""The minimum number of playouts to learn from."""


@attrs.frozen
class Playout:
    """The result of a random playout, and the leads of all seats at each recorded time (None after
    the end of the playout)."""

    leads: tuple[tuple[int, ...] | None, ...]
    result: tuple[float, ...]

    @classmethod
    def of(cls, t: Tree) -> Playout:
        """Return the last playout of a tree."""
        seats = t.seats
        leads = (
            tuple(t.met[time * seats : (time + 1) * seats]) if t.is_met[time] else None
            for time in range(TIMES)
        )
        return cls(tuple(leads), tuple(t.result))


@attrs.define(eq=False)
class _Tells:
    """The relation between the leads at one time of playouts and the results of the playouts."""

    usual: list[float]
    """The mean result of each seat."""
    leads: list[float]
    """The mean lead of each seat."""
    both: float
    """The undivided covariance of results and leads: the sum of products of their deviations from their means."""
    spread: float
    """The undivided variance of leads: the sum of the squares of their deviations from their means."""

    @classmethod
    def of(
        cls, playouts: Sequence[tuple[Sequence[int], Sequence[float]]], usual: list[float]
    ) -> _Tells:
        """Compute the relation in the given playouts. If there are none, `usual` contains the assumed mean results."""
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
    """Store in a tree how well leads predict results in the given playouts."""
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
    # The slope of each time is shrunk towards the slope over all times. With fewer playouts, it is
    # shrunk more.
    worth, doubt = max(0.0, both / spread), _DOUBT / count * spread / TIMES
    for time, one in enumerate(tells):
        t.slope[time] = max(0.0, (one.both + worth * doubt) / (one.spread + doubt))
        for seat in seats:
            t.usual[time * t.seats + seat] = one.usual[seat]
            t.usual_lead[time * t.seats + seat] = one.leads[seat]
    t.tells = 1
    t.tells_at_once = int(t.slope[0] > 0)
