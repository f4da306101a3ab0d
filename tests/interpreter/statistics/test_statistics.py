"""Intervals, compared with published tables, and with known values: they contain them as often as they should."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.interpreter.statistics.contrast import Contrast
from rulewright.interpreter.statistics.distribution import Spread
from rulewright.interpreter.statistics.intervals import (
    beyond_chance,
    chi_square_chance,
    equality_chance,
    half_width,
    mean_interval,
    normal_chance,
    plays_for,
    sure_of_look,
    t_quantile,
    wilson,
)

TRIES = 1000


@pytest.mark.parametrize(
    ("wins", "plays", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_intervals_equal_published_ones(
    wins: int, plays: int, low: float, high: float
) -> None:
    assert wilson(wins, plays) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("sure", "freedom", "edge"),
    [(0.95, 1, 12.706), (0.95, 10, 2.228), (0.99, 30, 2.750), (0.95, 4000, 1.9606)],
)
def test_quantiles_of_student_equal_published_ones(sure: float, freedom: int, edge: float) -> None:
    assert t_quantile(sure, freedom) == pytest.approx(edge, abs=1e-3)


@pytest.mark.parametrize(
    ("square", "freedom", "chance"),
    [(3.841, 1, 0.05), (18.307, 10, 0.05), (0.5, 5, 0.9921), (0.0, 3, 1.0), (11.345, 3, 0.01)],
)
def test_chi_square_equals_published_values(square: float, freedom: int, chance: float) -> None:
    assert chi_square_chance(square, freedom) == pytest.approx(chance, abs=1e-4)


def test_whether_counts_are_equivalent() -> None:
    assert equality_chance([50, 50]) == 1.0
    assert equality_chance([60, 40]) == pytest.approx(0.0455, abs=1e-4)
    assert equality_chance([5, 4]) is None
    assert equality_chance([100]) is None


def test_significance_accounts_for_many_comparisons() -> None:
    assert beyond_chance([]) == []
    assert beyond_chance([0.04]) == [True]
    assert beyond_chance([0.04, 0.9, 0.9, 0.9]) == [False] * 4
    assert beyond_chance([0.9, 0.0001, 0.9, 0.00012]) == [False, True, False, True]


def test_means_have_intervals() -> None:
    assert mean_interval(1, 5, 25) is None
    found = mean_interval(4, 20, 120)  # 2, 4, 6, 8
    assert found == pytest.approx((5 - 4.108, 5 + 4.108), abs=1e-3)
    assert half_width(4, 20, 100) == 0.0
    assert normal_chance(1.96) == pytest.approx(0.05, abs=1e-4)
    assert plays_for(0.04, 100, 0.02) == 400


def test_all_looks_together_are_as_sure_as_is_said() -> None:
    wrong = sum(1 - sure_of_look(look, 3) for look in range(1, 2000)) * 3
    assert 0.0499 < wrong < 0.05


def test_intervals_of_shares_hold_the_truth_for_dice() -> None:
    random = Random(1)
    held = 0
    for _ in range(TRIES):
        sixes = sum(random.randrange(6) == 0 for _ in range(60))
        low, high = wilson(sixes, 60)
        held += low <= 1 / 6 <= high
    assert 0.93 * TRIES <= held <= 0.98 * TRIES


def test_intervals_of_means_hold_the_truth_for_dice() -> None:
    random = Random(2)
    held = 0
    for _ in range(TRIES):
        interval = Spread.of(random.randrange(1, 7) for _ in range(20)).interval
        assert interval is not None
        held += interval[0] <= 3.5 <= interval[1]
    assert 0.93 * TRIES <= held <= 0.97 * TRIES


@pytest.mark.parametrize("bonus", [0, 1, 3])
def test_worth_among_seats_that_depend_on_each_other(bonus: int) -> None:
    """Three seats roll a die; each has the charm with a chance of 1 in 3, and `bonus` more with it."""
    random = Random(3)
    truth = _truth(bonus)
    held = logged = 0
    for _ in range(300):
        contrast = Contrast()
        for _ in range(60):
            charmed = [random.randrange(3) == 0 for _ in range(3)]
            rolls = [random.randrange(1, 7) + bonus * charm for charm in charmed]
            won = [roll == max(rolls) for roll in rolls]
            with_it = [w for w, charm in zip(won, charmed, strict=True) if charm]
            without = [w for w, charm in zip(won, charmed, strict=True) if not charm]
            contrast.add(len(with_it), sum(with_it), len(without), sum(without))
        found = contrast.difference(is_share=True)
        assert found is not None
        low, high = found.interval
        logged += 1
        held += low <= truth <= high
    assert 0.92 * logged <= held <= 0.985 * logged


def _truth(bonus: int) -> float:
    """The chance to have the most with the charm, minus the chance without it, over all cases."""
    chances = []
    for mine in (bonus, 0):
        total = 0.0
        for roll in range(1, 7):
            below = sum(
                weight
                for other, weight in ((bonus, 1 / 3), (0, 2 / 3))
                for roll_of_other in range(1, 7)
                if roll_of_other + other <= roll + mine
            )
            total += (below / 6) ** 2 / 6
        chances.append(total)
    return chances[0] - chances[1]


def test_a_group_that_always_wins_is_not_certain_to() -> None:
    contrast = Contrast()
    for _ in range(20):
        contrast.add(1, 1, 1, 0)
    found = contrast.difference(is_share=True)
    assert found is not None
    assert found.interval[0] < 1 == found.interval[1]
    assert contrast.difference(is_share=False) is not None


def test_of_few_plays_nothing_is_said() -> None:
    contrast = Contrast()
    for _ in range(7):
        contrast.add(1, 1, 1, 0)
    assert contrast.difference(is_share=True) is None


def test_spreads_know_their_mean_edges_and_quantiles() -> None:
    spread = Spread.of([1, 2, 3])
    spread.join(Spread())
    spread.join(Spread.of([10]))
    assert (spread.count, spread.mean, spread.low, spread.high) == (4, 4.0, 1, 10)
    assert spread.deviation == pytest.approx(3.5355339)
    assert spread.quantiles((0, 0.25, 0.5, 0.75, 1)) == [1, 1, 2, 3, 10]
    assert spread.bars(3) == [(1, 4, 3), (5, 8, 0), (9, 10, 1)]
    empty = Spread()
    assert (empty.mean, empty.deviation, empty.interval, empty.bars(5)) == (0.0, 0.0, None, [])
    assert empty.quantiles() == []
