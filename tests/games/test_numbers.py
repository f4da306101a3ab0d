"""The shipped games agree with their known numbers, and with their oracles option by option."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.perft import count_tree, information_sets, perft
from tests.games.numbers import numbers, oracle
from tests.games.variants import game_named

PERFT = numbers("perft")
HISTORIES = numbers("histories")


@cache
@pytest.mark.parametrize("game", PERFT)
def test_games_have_the_recorded_counts(game: str) -> None:
    counts = PERFT[game]["counts"][: PERFT[game]["fast"]]
    assert list(perft(game_named(game).start(), len(counts))) == counts


@pytest.mark.deep
@pytest.mark.parametrize("game", PERFT)
def test_games_have_the_deep_recorded_counts(game: str) -> None:
    counts = PERFT[game]["counts"]
    assert list(perft(game_named(game).start(), len(counts))) == counts


@pytest.mark.deep
def test_all_games_of_tic_tac_toe() -> None:
    expected = numbers("tree")["tic_tac_toe"]
    tree = count_tree(game_named("tic_tac_toe").start())
    assert tree.ends == expected["ends"]
    assert dict(tree.results) == {
        (): expected["draws"],
        (0,): expected["first_wins"],
        (1,): expected["second_wins"],
    }


@pytest.mark.parametrize("game", HISTORIES)
def test_games_have_the_recorded_histories(game: str) -> None:
    expected = HISTORIES[game]
    tree = count_tree(game_named(game).start(chance="manual"))
    assert (tree.chance, tree.decisions, tree.ends) == (
        expected["chance"],
        expected["decisions"],
        expected["ends"],
    )


@pytest.mark.parametrize("game", HISTORIES)
def test_uniform_play_has_the_recorded_value(game: str) -> None:
    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(state.scores.players[0].total)
        values = [value(state.take(option)) for option in state.option_ids]
        return sum(values, Fraction(0)) / len(values)

    assert value(game_named(game).start(chance="manual")) == Fraction(
        HISTORIES[game]["uniform_value"]
    )


def test_information_sets_have_the_recorded_number() -> None:
    state = game_named("kuhn_poker").start(chance="manual", remember=True)
    found = information_sets(state)
    assert [len(found[player]) for player in (0, 1)] == HISTORIES["kuhn_poker"]["information_sets"]
    # Two cards can be in the other hand, so every set has two histories.
    assert {count for sets in found.values() for count in sets.values()} == {2}


def walk_beside_oracle(game: str, seed: int) -> Iterator[tuple[State, object]]:
    """A random match of a game and of its oracle, compared at every step."""
    rules = oracle(game)
    generator = random.Random(seed)
    state, position = game_named(game).start(chance="manual"), rules.start()
    while True:
        yield state, position
        expected = rules.options(position)
        if state.over:
            assert not expected
            return
        if state.at_chance:
            assert len(state.option_ids) == len(expected)
            chosen = generator.choice(expected)
            state = state.take(expected.index(chosen))
        else:
            names = [option.name for option in state.decision.options]
            assert sorted(names) == sorted(expected), f"{game}, seed {seed}: {position}"
            chosen = generator.choice(expected)
            state = state.choose(chosen)
        position = rules.after(position, chosen)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", PERFT)
def test_options_and_winners_of_the_oracle(game: str, seed: int) -> None:
    rules = oracle(game)
    *_, (state, position) = walk_beside_oracle(game, seed)
    winner = rules.winner(position)
    assert state.winners == (() if winner is None else (winner,))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("game", HISTORIES)
def test_gains_of_the_oracle(game: str, seed: int) -> None:
    rules = oracle(game)
    *_, (state, position) = walk_beside_oracle(game, seed)
    assert [player.total for player in state.scores.players] == [
        rules.gain(position),
        -rules.gain(position),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("games", [4000, pytest.param(100_000, marks=pytest.mark.deep)])
def test_pig_is_won_by_the_first_player_as_often_as_it_should_be(games: int) -> None:
    expected = numbers("first_wins")["pig"]["probability"]
    generator = random.Random(7)
    wins = sum(winner_of_pig(generator) == 0 for _ in range(games))
    error = (expected * (1 - expected) / games) ** 0.5
    assert abs(wins / games - expected) < 3 * error


def winner_of_pig(generator: random.Random) -> int:
    """The winner of a match in which both players hold at 20 or at the goal."""
    state = game_named("pig").start(chance="manual")
    roll, hold = (state.decision.find(name) for name in ("roll", "hold"))
    points, turn_total, player = [0, 0], 0, 0
    while not state.over:
        if state.player != player:
            player, turn_total = state.player, 0
        if turn_total >= 20 or points[player] + turn_total >= 100:
            points[player] += turn_total
            state = state.take(hold)
            continue
        face = generator.randint(1, 6)
        turn_total += face
        state = state.take(roll).take(face - 1)
    (winner,) = state.winners
    return winner
