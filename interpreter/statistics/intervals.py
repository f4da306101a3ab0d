"""Measures how precise results are, with intervals, tests, and tests that are repeated as results accumulate.

This module does not depend on games and matches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import erfc, exp, inf, isinf, lgamma, log, sqrt

SURE = 0.95
"""The proportion of intervals that contain the true value."""
_TURNS = 500
_CLOSE = 1e-13
_TINY = 1e-300


def wilson(wins: int, plays: int) -> tuple[float, float]:
    """Return the Wilson interval for a proportion."""
    if not plays:
        return 0.0, 1.0
    deviations = normal_quantile(SURE)
    share, square = wins / plays, deviations**2
    middle = share + square / (2 * plays)
    spread = deviations * sqrt(share * (1 - share) / plays + square / (4 * plays**2))
    below = 1 + square / plays
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)


def mean_interval(count: int, total: int, squares: int) -> tuple[float, float] | None:
    """Return Student's interval for a mean, or None if there are fewer than two numbers."""
    if count < 2:
        return None
    mean = total / count
    half = half_width(count, total, squares)
    return mean - half, mean + half


def half_width(count: int, total: int, squares: int, sure: float = SURE) -> float:
    """Return half the width of the interval for a mean."""
    if count < 2:
        return inf
    # The sums are integers, so subtracting them loses no precision.
    variance = (squares * count - total * total) / (count * (count - 1))
    return t_quantile(sure, count - 1) * sqrt(variance / count)


@cache
def normal_quantile(sure: float) -> float:
    """Return how many standard deviations on either side of the mean contain the proportion `sure`
    of the normal distribution."""
    return _edge(lambda edge: 1 - normal_chance(edge), sure)


def normal_chance(deviations: float) -> float:
    """Return the probability that a value is at least `deviations` standard deviations away from the mean."""
    return erfc(abs(deviations) / sqrt(2))


@cache
def t_quantile(sure: float, freedom: int) -> float:
    """Return how many standard errors on either side of the mean contain the proportion `sure` of
    Student's distribution."""
    if freedom > 5000:
        return normal_quantile(sure)
    return _edge(lambda edge: _t_within(edge, freedom), sure)


def _edge(within: Callable[[float], float], sure: float) -> float:
    """Return the distance from the centre within which the proportion `sure` of a distribution lies."""
    low, high = 0.0, 1.0
    while within(high) < sure:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        if within(middle) < sure:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_within(edge: float, freedom: int) -> float:
    """Return the proportion of Student's distribution between `-edge` and `edge`."""
    return 1.0 - beta_share(freedom / 2, 0.5, freedom / (freedom + edge * edge))


def beta_share(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function, computed with its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / _not_zero(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, _TURNS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / _not_zero(1 + step * d)
            c = _not_zero(1 + step / c)
            found *= d * c
        if abs(d * c - 1) < _CLOSE:
            break
    return found


def _not_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


def chi_square_chance(square: float, freedom: int) -> float:
    """Return the probability that a sum of squared deviations is at least `square` by chance."""
    if square <= 0 or freedom < 1:
        return 1.0
    a, x = freedom / 2, square / 2
    front = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, _TURNS):
            term *= x / (a + n)
            total += term
            if term < total * _CLOSE:
                break
        return max(0.0, 1.0 - front * total)
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    found = d
    for n in range(1, _TURNS):
        step = -n * (n - a)
        b += 2
        d = 1 / _not_zero(step * d + b)
        c = _not_zero(b + step / c)
        found *= d * c
        if abs(d * c - 1) < _CLOSE:
            break
    return min(1.0, front * found)


def equality_chance(counts: Sequence[int]) -> float | None:
    """Return the probability of counts that differ at least as much as `counts` if all outcomes are
    equally likely (chi-square).

    Returns None if the counts are too small for the test, which needs an expected count of at least
    five.
    """
    total = sum(counts)
    if len(counts) < 2 or total < 5 * len(counts):
        return None
    expected = total / len(counts)
    square = sum((count - expected) ** 2 for count in counts) / expected
    return chi_square_chance(square, len(counts) - 1)


def beyond_chance(chances: Sequence[float]) -> list[bool]:
    """Return which of many results are significant. The expected proportion of false ones is at most 1 - SURE.

    This is the method of Benjamini, Hochberg and Yekutieli, for results that may depend on each
    other.
    """
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    harmonic = sum(1 / n for n in range(1, len(chances) + 1))
    last = -1
    for rank, place in enumerate(order):
        if chances[place] <= (1 - SURE) * (rank + 1) / (len(chances) * harmonic):
            last = rank
    found = [False] * len(chances)
    for place in order[: last + 1]:
        found[place] = True
    return found


def sure_of_look(look: int, figures: int) -> float:
    """Return the confidence level that each interval needs for all intervals to stay valid under repeated tests.

    The first look is number 1. Look n is allotted 1 / (n (n + 1)) of the allowed error, divided
    equally among the figures that are tested at this look. All of these parts add up to one (the
    union bound), so the figures may depend on each other.
    """
    return 1 - (1 - SURE) / (figures * look * (look + 1))


def plays_for(half: float, plays: int, wanted: float) -> float:
    """Return how many matches are needed for an interval with half-width `wanted`.

    An interval from `plays` matches had the half-width `half`.
    """
    if isinf(half) or wanted <= 0:
        return inf
    return plays * (half / wanted) ** 2


def quantiles_of(ordered: Sequence[tuple[int, int]], shares: Sequence[float]) -> list[int]:
    """Return the quantiles at these proportions, given (number, frequency) pairs sorted by number."""
    assert all(a < b for (a, _), (b, _) in pairwise(ordered))
    total = sum(count for _, count in ordered)
    found = []
    for share in shares:
        below = 0
        for number, count in ordered:
            below += count
            if below >= share * total:
                found.append(number)
                break
    return found
