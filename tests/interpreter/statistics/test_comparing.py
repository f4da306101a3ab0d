"""Comparisons say `differs` by chance in at most 5 of 100 cases, however often they are made."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.interpreter.statistics.comparison import Comparison, is_clear
from rulewright.interpreter.statistics.measures import DRAWS, LENGTH, MARGIN, Figure

WINS = Figure("wins", "ann", is_share=True, main=True)


def _play(random: Random, share: float, length: int) -> dict[Figure, int]:
    return {
        WINS: int(random.random() < share),
        DRAWS: 0,
        LENGTH: length + random.randrange(6),
    }


def _looks(random: Random, share: float, length: int, looks: int) -> tuple[bool, bool, int]:
    """Whether the versions were ever reported to differ, whether the result was clear, and after how many matches."""
    comparison = Comparison()
    differs = False
    for look in range(1, looks + 1):
        for _ in range(50 * 2 ** max(0, look - 2)):
            comparison.add(_play(random, 0.5, 10), _play(random, share, length))
        changes = comparison.changes(look, 0.05)
        differs |= any(each.verdict == "differs" for each in changes if each.figure.main)
        if is_clear(changes):
            return differs, True, comparison.plays
    return differs, False, comparison.plays


def test_versions_that_are_the_same_seldom_differ() -> None:
    random = Random(1)
    wrong = sum(_looks(random, 0.5, 10, 4)[0] for _ in range(150))
    assert wrong <= 0.09 * 150


def test_versions_that_differ_are_reported_early() -> None:
    random = Random(2)
    differs, clear, plays = _looks(random, 0.9, 20, 6)
    assert differs
    assert clear
    assert plays <= 200


def test_the_same_plays_are_the_same() -> None:
    random = Random(3)
    comparison = Comparison()
    plays = [_play(random, 0.5, 10) for _ in range(100)]
    for play in plays:
        comparison.add(play, play)
    comparison.add(None, plays[0])
    assert (comparison.plays, comparison.given_up) == (100, 1)
    changes = comparison.changes(1, 0.05)
    assert {each.verdict for each in changes} == {"same"}
    assert {each.amount for each in changes} == {0.0}
    assert is_clear(changes)


def test_how_many_games_more() -> None:
    random = Random(4)
    comparison = Comparison()
    for _ in range(100):
        comparison.add(_play(random, 0.5, 10), _play(random, 0.55, 10))
    wins = next(each for each in comparison.changes(1, 0.02) if each.figure == WINS)
    assert wins.verdict == "open"
    narrow = wins.half * ((wins.plays / (wins.plays + wins.more)) ** 0.5)
    assert narrow == pytest.approx(min(0.02, max(abs(wins.amount), 0.02 - abs(wins.amount))))


def test_parts_in_any_order_are_the_whole() -> None:
    random = Random(5)
    plays = [(_play(random, 0.5, 10) | {MARGIN: n}, _play(random, 0.6, 10)) for n in range(40)]
    whole, one, other = Comparison(), Comparison(), Comparison()
    for number, pair in enumerate(plays):
        whole.add(*pair)
        (one if number % 2 else other).add(*pair)
    other.join(one)
    assert other == whole
    # a number that only one version has is not compared
    assert MARGIN not in whole.pairs
