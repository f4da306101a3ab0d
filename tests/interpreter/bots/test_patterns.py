"""Patterns of neighbouring spaces: found on boards, learned from matches, stored, and used by searches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.patterns import begin_learning, board_of
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.training import train_patterns
from rulewright.interpreter.bots.weights import Weights, WeightsError, read, save, using
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels.patterns import (
    find_weights,
    read_spaces,
    worth_by_patterns,
)
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import Game

TAKE = """game "Take the last"
    players 2

space Cell grid 3 by 2
    state mark: Player or nothing = nothing

action fill(cell in Cell where cell.mark is nothing)
    set cell.mark to me
    if all(other in Cell: other.mark is not nothing or other.y is not cell.y)
        win me
        end game

play
    repeat
        each player
            surely do fill prompt "which cell?"
"""
"""Whoever completes a row wins, so the first player must not take the second cell of a row."""


def _load(folder: Path) -> Game:
    path = folder / "take.game"
    path.write_text(TAKE, encoding="utf-8")
    return load_game(str(path))


def _learn(game: Game, matches: int) -> Weights:
    compiled, variant = game.compiled(game.variant()), game.variant()
    board = board_of(compiled)
    assert board is not None
    return train_patterns(game, compiled, variant, board, 1, matches, lambda _: True)


@pytest.mark.parametrize(
    ("name", "contents", "spaces"),
    [("connect_four", 3, 42), ("breakthrough", 3, 64), ("tic_tac_toe", 3, 9), ("reversi", 3, 64)],
)
def test_boards_are_read_from_the_declarations(name: str, contents: int, spaces: int) -> None:
    """Tokens and players on spaces are contents; neighbours touch, and walks connect them."""
    board = board_of(load_game(name).start().compiled)
    assert board is not None
    assert (board.contents, len(board.neighbours)) == (contents, spaces)
    for walk in board.walks(Generator.seeded(1)):
        reached, left = {walk[0]}, {*walk}
        while more := {near for one in reached for near in board.neighbours[one]} & left - reached:
            reached |= more
        assert reached == left
        assert len(walk) == board.length


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "kalah"])
def test_other_games_have_no_board(name: str) -> None:
    assert board_of(load_game(name).start().compiled) is None


def test_contents_are_those_of_the_position(tmp_path: Path) -> None:
    state = _load(tmp_path).start().choose("fill(b1)").choose("fill(c2)")
    search, board = Search(state, Generator.seeded(1)), board_of(state.compiled)
    assert board is not None
    begin_learning(search.tree, board, 1)
    search.tree.work = state.cells[:]
    read_spaces(search.tree)
    assert [*search.tree.space_content] == [0, 1, 0, 0, 0, 2]


def test_patterns_learn_who_wins(tmp_path: Path) -> None:
    """The second cell of a row loses: its player gives the row away."""
    game = _load(tmp_path)
    with using(_learn(game, 3000)):
        worth = []
        for cell in ("b1", "a2"):
            state = game.start().choose("fill(a1)").choose(f"fill({cell})")
            tree = Search(state, Generator.seeded(1)).tree
            tree.work = state.cells[:]
            find_weights(tree, 0)
            worth.append(worth_by_patterns(tree, 0))
    assert worth[0] > 0.9
    assert worth[1] < 0.1


def test_native_code_and_python_learn_and_search_the_same_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, found = _load(tmp_path), []
    for _ in range(2):
        weights = _learn(game, 60)
        with using(weights):
            search = Search(game.start(), Generator.seeded(5))
        search.look(60)
        found.append((weights, [*search.options()]))
        assert search.is_native == (len(found) == 1)
        monkeypatch.setattr(NativeEngine, "searches", False)
    assert found[0] == found[1]


def test_patterns_are_stored_beside_the_game(tmp_path: Path) -> None:
    game, path = _load(tmp_path), tmp_path / "take.weights.json"
    weights = _learn(game, 50)
    save(weights, path)
    assert read(path, game.rules.hash) == weights
    assert Search(load_game(str(tmp_path / "take.game")).start(), Generator.seeded(1)).tree.patterns
    data = json.loads(path.read_text(encoding="utf-8"))
    for key, wrong in (("numbers", "AAAA"), ("spaces", [[1, 2], [3]]), ("unit", 1e9)):
        path.write_text(
            json.dumps({**data, "patterns": {**data["patterns"], key: wrong}}), encoding="utf-8"
        )
        with pytest.raises(WeightsError, match="holds no weights"):
            read(path, game.rules.hash)


@pytest.mark.parametrize("options", [{"columns": 6, "rows": 7}, {"length": 3}])
def test_patterns_of_other_options_are_ignored(options: dict[str, int]) -> None:
    """Here the board has equally many spaces, but other patterns or rules."""
    game = load_game("connect_four")
    with using(_learn(game, 5)):
        assert Search(game.start(), Generator.seeded(1)).tree.patterns
        other = game.start(options={name: str(value) for name, value in options.items()})
        assert not Search(other, Generator.seeded(1)).tree.patterns


def test_patterns_of_another_board_are_ignored(tmp_path: Path) -> None:
    patterns = _learn(load_game("tic_tac_toe"), 20).patterns
    with using(Weights("", 0, {}, "patterns", 1, patterns)):
        assert not Search(_load(tmp_path).start(), Generator.seeded(1)).tree.patterns
