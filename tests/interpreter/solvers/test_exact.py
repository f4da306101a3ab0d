"""Exact values of open games are the published ones, and two methods agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load_game
from rulewright.interpreter.engines.kernels.tree import Done, Tree
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.solvers import positions
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


def _solve(game: Game) -> Solution:
    return solution(game.compiled(game.variant()))


def _start_connect_four(wide: int, high: int, length: int) -> State:
    """Connect Four on another board, with another length of winning rows."""
    sizes = {"columns": wide, "rows": high, "length": length}
    options = {name: str(size) for name, size in sizes.items()}
    return load_game("connect_four").start(options=options)


def test_tic_tac_toe_is_a_draw_in_5478_positions() -> None:
    found = _solve(load_game("tic_tac_toe"))
    start = load_game("tic_tac_toe").start()
    assert len(found) == 5478
    assert found.outcome(start) == Outcome(0.0, 9)
    assert len(found.best(start)) == 9
    corner = start.take(0)
    assert found.best(corner) == [4]  # only the centre avoids a loss
    lost = corner.take(1)
    assert found.outcome(lost) == Outcome(1.0, 5)
    assert value_of(lost) == 1.0


@pytest.mark.parametrize(
    ("wide", "high", "length", "value", "boards"),
    [
        pytest.param(4, 3, 3, 1.0, 7157, marks=pytest.mark.deep),
        pytest.param(3, 4, 3, 0.0, 2715, marks=pytest.mark.slow),
        pytest.param(4, 4, 4, 0.0, 161_029, marks=pytest.mark.deep),
    ],
)
def test_small_boards_have_their_known_values(
    wide: int, high: int, length: int, value: float, boards: int
) -> None:
    """Values and numbers of positions as other programs find them (P. Kirlin's course, Rhodes College, 2014).

    The value of each position follows from the values of its successors."""
    start = _start_connect_four(wide, high, length)
    found = solution(start.compiled)
    assert found.outcome(start).value == value
    assert value_of(start) == value
    met, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        after = [state.take(option) for option in state.option_ids] if not state.over else []
        values = [found.outcome(one).value for one in after]
        best = max if state.player == 0 else min
        assert found.outcome(state).value == (best(values) if values else state.returns()[0])
        new = {*after} - met
        met |= new
        waiting += new
    assert len(found) == len(met)
    # The end also stores the last drop; only boards are counted.
    observe = observer_of(found.compiled).observe
    assert len({bytes(observe(state.cells, 0)) for state in met}) == boards


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wide", "high", "value"),
    [
        (4, 6, 0.0),
        pytest.param(5, 4, 0.0, marks=pytest.mark.deep),
        pytest.param(4, 4, 0.0, marks=pytest.mark.deep),
        pytest.param(4, 5, 0.0, marks=pytest.mark.deep),
        pytest.param(5, 5, 0.0, marks=pytest.mark.deep),
        pytest.param(6, 4, -1.0, marks=pytest.mark.deep),
    ],
)
def test_four_in_a_row_on_boards_of_all_sizes(wide: int, high: int, value: float) -> None:
    """J. Tromp's table has the winner for each size (tromp.github.io/c4/c4.html)."""
    pytest.importorskip("llvmlite", reason="these boards are for native code")
    assert value_of(_start_connect_four(wide, high, 4), most=20_000_000) == value


def _later(state: State, seed: int, decisions: int) -> State:
    """A position some decisions later, or the end."""
    for step in range(decisions):
        if state.over:
            break
        state = state.take(state.option_ids[(seed + step) % len(state.option_ids)])
    return state


def _plainly(state: State, reward: Reward) -> float:
    """The value by trying everything."""
    if state.over:
        return state.returns(reward)[0]
    best = max if state.player == 0 else min
    return best(_plainly(state.take(option), reward) for option in state.option_ids)


@pytest.mark.slow
@pytest.mark.parametrize("reward", ["wins", "points"])
def test_ends_of_reversi_have_the_values_that_trying_everything_finds(reward: Reward) -> None:
    for seed in range(2):
        state = _later(load_game("reversi").start(), seed, 54)
        assert value_of(state, reward) == _plainly(state, reward)


def test_python_finds_what_native_code_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    start = _start_connect_four(3, 3, 3)
    found = solution(start.compiled), value_of(start)
    monkeypatch.setattr(positions, "fastest", lambda compiled: compiled)
    in_python = solution(start.compiled), value_of(start)
    assert found[1] == in_python[1]
    assert len(found[0]) == len(in_python[0])
    for seed in range(200):
        state = _later(start, seed, seed % 9)
        assert found[0].outcome(state) == in_python[0].outcome(state)


def test_python_goes_on_where_native_code_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="native code must be there to give up")
    start = _start_connect_four(3, 3, 3)
    found, done = solution(start.compiled), NativeEngine.trials
    calls = []

    def gives_up(engine: NativeEngine, t: Tree, most: int, task: str) -> Done:
        calls.append(task)
        return Done.NOT if len(calls) % 5 == 0 else done(engine, t, most, task)

    monkeypatch.setattr(NativeEngine, "trials", gives_up)
    monkeypatch.setattr(positions, "_NATIVE", 50)
    monkeypatch.setattr(positions, "_PYTHON", 50)
    again = solution(start.compiled)
    assert len(found) == len(again) and found.outcome(start) == again.outcome(start)
    assert value_of(start) == found.outcome(start).value
    assert calls.count("search_on") > 1 and calls.count("explore") > 1


def test_alpha_beta_finds_the_value_of_each_position() -> None:
    start = _start_connect_four(3, 4, 3)
    found = solution(start.compiled)
    for seed in range(40):
        state = _later(start, seed, seed % 8)
        assert value_of(state) == found.outcome(state).value


def test_best_play_ends_when_it_is_said() -> None:
    state = _start_connect_four(4, 3, 3)
    found = solution(state.compiled)
    while not state.over:
        outcome = found.outcome(state)
        state = state.take(found.best(state)[0])
        assert found.outcome(state) == Outcome(outcome.value, outcome.decisions - 1)
    assert state.winners == (0,)


def test_a_game_that_goes_round_has_values(tmp_path: Path) -> None:
    """A player who avoids the last field but one never loses: endless play is worth 0."""
    path = tmp_path / "round.game"
    path.write_text(ROUND, encoding="utf-8")
    game = load_game(path)
    found, start = _solve(game), game.start()
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
        _solve(load_game(game))


def test_games_that_are_too_large_are_refused() -> None:
    game = load_game("connect_four")
    with pytest.raises(TooLargeError, match="the game has more than 1000 positions"):
        solution(game.compiled(game.variant()), most=1000)
    with pytest.raises(TooLargeError, match="no value was found within 1000 decisions"):
        value_of(game.start(), most=1000)


def test_a_search_that_comes_no_nearer_to_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "round.game"
    path.write_text(ROUND, encoding="utf-8")
    with pytest.raises(TooLargeError, match="no value was found within"):
        value_of(load_game(path).start())
