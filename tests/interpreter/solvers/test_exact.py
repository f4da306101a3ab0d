"""Exact values of open games are those that are published, and two methods agree."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from rulewright import Game, load_game
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers.exact import Outcome, Solution, solution, value_of
from rulewright.interpreter.solvers.whole_tree import TooLargeError
from rulewright.interpreter.text.errors import WrongArgumentError

ROUND = """game "Round"
    players 2

kind Field = a, b, c

state at: Field = a

play
    repeat
        each player
            surely choose one of
                option "back" where at is b
                    set at to a
                option "on" where at is a
                    set at to b
                option "jump" where at is b and me.number is 1
                    set at to c
                option "stay" where at is a
                    set at to a
            if at is c
                win me
                end game
"""


def _solved(game: Game) -> Solution:
    return solution(game.compiled(game.variant()))


def _connected(wide: int, high: int, length: int) -> State:
    """Connect Four on another board, with rows of another length."""
    sizes = {"columns": wide, "rows": high, "length": length}
    options = {name: str(size) for name, size in sizes.items()}
    return load_game("connect_four").start(options=options)


def test_tic_tac_toe_is_a_draw_in_5478_positions() -> None:
    found = _solved(load_game("tic_tac_toe"))
    start = load_game("tic_tac_toe").start()
    assert len(found) == 5478
    assert found.outcome(start) == Outcome(0.0, 9)
    assert len(found.best(start)) == 9
    corner = start.take(0)
    assert found.best(corner) == [4]  # only the centre does not lose
    lost = corner.take(1)
    assert found.outcome(lost) == Outcome(1.0, 5)
    assert value_of(lost) == 1.0


@pytest.mark.parametrize(
    ("wide", "high", "length", "value", "positions"),
    [
        (4, 3, 3, 1.0, 7157),
        (3, 4, 3, 0.0, 2715),
        pytest.param(4, 4, 4, 0.0, 161_029, marks=pytest.mark.deep),
    ],
)
def test_small_boards_have_their_known_values(
    wide: int, high: int, length: int, value: float, positions: int
) -> None:
    """Values and numbers of positions as other programs find them (P. Kirlin's course, Rhodes College, 2014)."""
    start = _connected(wide, high, length)
    found = solution(start.compiled)
    assert found.outcome(start).value == value
    assert value_of(start) == value
    # The end also knows who dropped last and where; boards alone are counted.
    observe = observer_of(found.compiled).observe
    assert len({bytes(observe(array("i", key), 0)) for key in found.outcomes}) == positions


@pytest.mark.slow
def test_four_in_a_row_on_a_small_board_is_a_draw() -> None:
    assert value_of(_connected(4, 4, 4)) == 0.0


def test_alpha_beta_finds_the_value_of_each_position() -> None:
    start = _connected(3, 4, 3)
    found = solution(start.compiled)
    for seed in range(40):
        state = start
        for step in range(seed % 8):
            if state.over:
                break
            state = state.take(state.option_ids[(seed + step) % len(state.option_ids)])
        assert value_of(state) == found.outcome(state).value


def test_best_play_ends_when_it_is_said() -> None:
    state = _connected(4, 3, 3)
    found = solution(state.compiled)
    while not state.over:
        outcome = found.outcome(state)
        state = state.take(found.best(state)[0])
        assert found.outcome(state) == Outcome(outcome.value, outcome.decisions - 1)
    assert state.winners == (0,)


def test_a_game_that_goes_round_has_values(tmp_path: Path) -> None:
    """Who stays away from the field before the last one never loses: endless play is worth nothing."""
    path = tmp_path / "round.game"
    path.write_text(ROUND, encoding="utf-8")
    game = load_game(path)
    found, start = _solved(game), game.start()
    assert found.outcome(start) == Outcome(0.0, -1)
    helped = start.choose("stay").choose("on")
    assert found.outcome(helped) == Outcome(1.0, 1)
    assert [helped.compiled.option_name(helped.cells, one) for one in found.best(helped)] == [
        "jump"
    ]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("pig", "Pig leaves something to chance"),
        ("love_letter", "leaves something to chance"),
    ],
)
def test_games_that_are_not_open_are_refused(game: str, message: str) -> None:
    with pytest.raises(WrongArgumentError, match=message):
        _solved(load_game(game))


def test_games_that_are_too_large_are_refused() -> None:
    game = load_game("connect_four")
    with pytest.raises(TooLargeError, match="the game has more than 1000 positions"):
        solution(game.compiled(game.variant()), most=1000)
    with pytest.raises(TooLargeError, match="no value was found within 1000 positions"):
        value_of(game.start(), most=1000)
