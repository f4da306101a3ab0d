"""Compares the means of two groups of seats, and measures how significant the difference is.

The seats of a match are not independent: if one wins, another loses. So the interval is based on
the number of matches, not on the number of seats. Each match contributes the sums of its members of
both groups. The deviation of the difference is computed from how these sums vary from match to
match (the linearised ratio of sums). All sums are integers.
"""

from __future__ import annotations

from math import inf, sqrt

import attrs

from rulewright.interpreter.statistics.intervals import SURE, normal_chance, t_quantile

FEWEST = 8
"""The minimum number of matches with each group for which a difference is reported."""


@attrs.frozen
class Difference:
    """The difference between the means of two groups. `chance` is the probability that luck alone
    causes a difference at least as large."""

    first: float
    second: float
    deviation: float
    freedom: int
    most: float = inf
    """The largest possible difference."""

    @property
    def amount(self) -> float:
        """Return the difference."""
        return self.first - self.second

    @property
    def interval(self) -> tuple[float, float]:
        """Return the interval of the true difference."""
        half = t_quantile(SURE, self.freedom) * self.deviation
        return max(-self.most, self.amount - half), min(self.most, self.amount + half)

    @property
    def chance(self) -> float:
        """Return the probability that luck alone causes a difference at least as large."""
        if not self.deviation:
            return 1.0 if not self.amount else 0.0
        # Use the equally improbable value of the normal distribution.
        scale = t_quantile(SURE, self.freedom) / t_quantile(SURE, 10_000)
        return normal_chance(self.amount / self.deviation / scale)


@attrs.define
class Contrast:
    """Sums over matches: the members of both groups (`a`, `b`), their totals (`x`, `y`), and products of these."""

    plays_a: int = 0
    plays_b: int = 0
    a: int = 0
    b: int = 0
    x: int = 0
    y: int = 0
    aa: int = 0
    bb: int = 0
    ab: int = 0
    xx: int = 0
    yy: int = 0
    xy: int = 0
    xa: int = 0
    xb: int = 0
    ya: int = 0
    yb: int = 0

    def add(self, a: int, x: int, b: int, y: int) -> None:
        """Add a match in which the `a` members of the first group have the total `x`, and the `b`
        members of the second group have the total `y`."""
        self.plays_a += a > 0
        self.plays_b += b > 0
        self.a += a
        self.b += b
        self.x += x
        self.y += y
        self.aa += a * a
        self.bb += b * b
        self.ab += a * b
        self.xx += x * x
        self.yy += y * y
        self.xy += x * y
        self.xa += x * a
        self.xb += x * b
        self.ya += y * a
        self.yb += y * b

    def join(self, other: Contrast) -> None:
        """Add other matches."""
        for name in _SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def difference(self, *, is_share: bool) -> Difference | None:
        """If enough matches have members of each group, return the difference, otherwise None.

        With `is_share`, each member has 0 or 1. If all have the same number, the interval must not
        vanish. So two members are added, one with 1 and one with 0 (Agresti and Caffo).
        """
        fewest = min(self.plays_a, self.plays_b)
        if fewest < FEWEST:
            return None
        p, q = self.x / self.a, self.y / self.b
        first = (self.xx - 2 * p * self.xa + p * p * self.aa) / self.a**2
        second = (self.yy - 2 * q * self.yb + q * q * self.bb) / self.b**2
        both = (self.xy - q * self.xb - p * self.ya + p * q * self.ab) / (self.a * self.b)
        variance = max(0.0, first + second - 2 * both) * fewest / (fewest - 1)
        if is_share:
            variance += _missing(self.x, self.a) + _missing(self.y, self.b)
        return Difference(p, q, sqrt(variance), fewest - 1, 1.0 if is_share else inf)


_SUMS = tuple(field.name for field in attrs.fields(Contrast))


def _missing(has: int, members: int) -> float:
    """Return a correction for the variance of a proportion. Without it, the variance is too small
    if the proportion is close to 0 or 1."""
    plain, careful = has / members, (has + 1) / (members + 2)
    return max(0.0, careful * (1 - careful) / (members + 2) - plain * (1 - plain) / members)
