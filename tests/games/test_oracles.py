"""The oracles agree with the published numbers: a game that agrees with its oracle has the right rules."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.games.numbers import numbers, oracle
from tests.oracles import kuhn_poker, leduc_poker, pig, tic_tac_toe
from tests.oracles.counting import histories, perft, uniform_value

PERFT = numbers("perft")


@pytest.mark.parametrize("game", PERFT)
def test_models_have_the_recorded_counts(game: str) -> None:
    counts = PERFT[game]["counts"][: PERFT[game]["fast"]]
    assert perft(oracle(game), len(counts)) == counts  # pyright: ignore[reportArgumentType] a module


@pytest.mark.deep
@pytest.mark.parametrize("game", PERFT)
def test_models_have_the_deep_recorded_counts(game: str) -> None:
    counts = PERFT[game]["counts"]
    assert perft(oracle(game), len(counts)) == counts  # pyright: ignore[reportArgumentType] a module


def test_oracle_plays_all_of_tic_tac_toe() -> None:
    expected = numbers("tree")["tic_tac_toe"]
    results = tic_tac_toe.complete_games()
    assert sum(results) == expected["ends"]
    assert results == (expected["first_wins"], expected["second_wins"], expected["draws"])


@pytest.mark.parametrize(
    ("game", "rules"), [("kuhn_poker", kuhn_poker), ("leduc_poker", leduc_poker)]
)
def test_models_have_the_recorded_histories(game: str, rules: object) -> None:
    expected = numbers("histories")[game]
    found = oracle(game)
    assert found is rules
    counted = histories(found)  # pyright: ignore[reportArgumentType] a module
    assert counted == (expected["chance"], expected["decisions"], expected["ends"])
    value = uniform_value(found, found.start())  # pyright: ignore[reportArgumentType] a module
    assert value == Fraction(expected["uniform_value"])


def test_oracle_tells_information_sets_apart() -> None:
    sets = numbers("histories")["kuhn_poker"]["information_sets"]
    assert list(kuhn_poker.information_sets()) == sets


def test_oracle_knows_how_often_the_first_player_of_pig_wins() -> None:
    expected = numbers("first_wins")["pig"]["probability"]
    assert pig.first_wins() == pytest.approx(expected, abs=5e-11)
