"""Weights of the possessions of players: learned from matches, stored beside a game, and used by searches."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.dsl.ir import Program
from rulewright.interpreter.bots import training
from rulewright.interpreter.bots import weights as weights_module
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.training import Samples, fit_weights, rows_of, shares_with, train
from rulewright.interpreter.bots.trees import Trees
from rulewright.interpreter.bots.weights import (
    Weights,
    WeightsError,
    holds_weights,
    note_of,
    path_beside,
    put,
    read,
    save,
    things_of,
)
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels import search as kernel
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.game import Game

HARVEST = """game "Harvest"
    players 2..3

piece Hat

zone stack: pile of Hat

player
    state seeds: 0..99
    state coins: 0..99
    state stones(size: 1..2): 0..99
    zone attic: pile of Hat

setup
    move all from Hat to stack

play
    repeat 5 times
        each player
            choose one of
                option "plant"
                    add 1 to me.seeds
                option "sell"
                    add 1 to me.coins
                option "build"
                    add 1 to me.stones(1)
    each player
        add 3 * me.seeds to me.coins

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""
"""Seeds become three coins each at the end; stones are worth nothing."""


def _load_harvest(folder: Path) -> Game:
    path = folder / "harvest.game"
    path.write_text(HARVEST, encoding="utf-8")
    return load_game(str(path))


def _learn(game: Game, matches: int) -> training.Trained:
    compiled, variant = fastest(game.compiled(game.variant())), game.variant()
    found = train(game, compiled, variant, "random", range(matches), lambda: True)
    assert found is not None
    return found


def test_things_are_read_from_the_declarations(tmp_path: Path) -> None:
    """Each cell holds the named number for each seat."""
    state = _load_harvest(tmp_path).start(3)
    for word in ("plant", "sell", "build", "plant", "build", "sell"):
        state = state.choose(word)
    things = things_of(state.compiled.program)
    have = {
        thing.name: [state.cells[thing.cell + seat * thing.stride] for seat in range(3)]
        for thing in things
    }
    assert have == {
        "seeds": [2, 0, 0],
        "coins": [0, 1, 1],
        "stones[0]": [0, 1, 1],
        "stones[1]": [0, 0, 0],
        "attic": [0, 0, 0],
    }
    lead, seeds, coins, *_ = rows_of(state.compiled, state.cells, things)[0]
    assert (lead, seeds, coins) == (-1.0, 2.0, -1.0)


def test_weights_are_found_by_playing(tmp_path: Path) -> None:
    """A seed is worth three coins, a stone nothing, and the test shows that this predicts results.

    Each turn brings one of them, so it only shows how much more one is worth than another.
    """
    found = _learn(_load_harvest(tmp_path), 400)
    weights = found.weights
    assert found.is_better
    assert found.by_all > found.by_points + 0.1
    coin = weights.point + weights.things.get("coins", 0)
    stone, seed = weights.things.get("stones[0]", 0), weights.things["seeds"]
    assert stone < coin < seed
    assert 1 < (seed - coin) / (coin - stone) < 4
    assert "attic" not in weights.things  # this place is always empty


def test_the_same_seeds_give_the_same_weights(tmp_path: Path) -> None:
    found = _learn(_load_harvest(tmp_path), 30)
    assert found == _learn(load_game(str(tmp_path / "harvest.game")), 30)


def test_too_few_matches_teach_nothing(tmp_path: Path) -> None:
    game = _load_harvest(tmp_path)
    compiled, variant = game.compiled(game.variant()), game.variant()
    assert train(game, compiled, variant, "random", range(5), lambda: True) is None
    assert train(game, compiled, variant, "random", range(99), lambda: False) is None


def test_noise_is_not_better_than_points() -> None:
    """Numbers that are related to results only by chance fail the test."""
    chance = random.Random(7)
    parts = [Samples(["", *(f"noise{n}" for n in range(30))]) for _ in range(2)]
    for samples in parts:
        for _ in range(80):
            lead = chance.gauss(0, 1)
            samples.rows.append([lead, *(chance.gauss(0, 1) for _ in range(30))])
            samples.results.append(min(1.0, max(0.0, 0.5 + 0.2 * lead + chance.gauss(0, 0.2))))
    found = fit_weights(parts[0], parts[1], "hash", "random", 80)
    assert found.by_points > 0.2
    assert not found.is_better


def test_a_regression_finds_the_weights_that_made_the_results() -> None:
    chance = random.Random(3)
    samples = Samples(["", "one", "two", "never"])
    for _ in range(400):
        row = [float(chance.randrange(-9, 9)) for _ in range(3)] + [0.0]
        samples.rows.append(row)
        samples.results.append(0.5 + 0.01 * row[0] + 0.02 * row[1] - 0.005 * row[2])
    found = fit_weights(samples, samples, "hash", "random", 400)
    things = found.weights.things
    assert found.by_all > 0.99
    assert things["one"] == 1000
    assert found.weights.point == pytest.approx(500, abs=25)
    assert things["two"] == pytest.approx(-250, abs=25)
    assert "never" not in things


def test_a_search_with_weights_sees_what_seeds_are_worth(tmp_path: Path) -> None:
    """With weights a seed looks better than a coin at once; without them the coin does."""
    game = _load_harvest(tmp_path)
    firsts = []
    for _ in range(2):
        state = game.start()
        search = Search(state, Generator.seeded(1))
        search.look(1)
        better = dict(
            zip(
                state.decision.names,
                (search.tree.edge_better[edge] for edge in range(3)),
                strict=True,
            )
        )
        firsts.append(max(better, key=lambda name: better[name]))
        save(_learn(game, 60).weights, path_beside(tmp_path / "harvest.game"))
        game = load_game(str(tmp_path / "harvest.game"))
    assert firsts == ["sell", "plant"]


def test_one_seat_has_the_weights_and_it_goes_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad weights do little harm: the search learns that they predict nothing."""
    game = _load_harvest(tmp_path)
    compiled, variant = fastest(game.compiled(game.variant())), game.variant()
    bad = Weights("", 1, {"seeds": -1000, "stones[0]": 1000}, "random", 1)
    had: list[int] = []

    def noting_put(t: Tree, program: Program, weights: Weights) -> None:
        assert weights is bad
        had.append(t.me)
        put(t, program, weights)

    monkeypatch.setattr(weights_module, "put", noting_put)
    counts: list[int] = []

    def may_continue() -> bool:
        counts.append(len(had))
        return len(counts) < 6

    won = shares_with(game, compiled, variant, bad, "mcts:6", range(20), may_continue)
    assert len(won) == 6
    firsts = [0, *counts]
    for seed, (first, end) in enumerate(zip(firsts, counts, strict=False)):
        assert had[first:end] == [seed % 2] * 5
    assert sum(won) > 1


@pytest.mark.parametrize("players", [2, 3])
def test_native_code_and_python_search_the_same_way_with_weights(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _load_harvest(tmp_path)
    weights = Weights(game.rules.hash, 10, {"seeds": 27, "stones[0]": -3, "gone": 5}, "random", 1)
    save(weights, path_beside(tmp_path / "harvest.game"))
    state = load_game(str(tmp_path / "harvest.game")).start(players)
    natively = Search(state, Generator.seeded(5))
    assert natively.is_native
    assert natively.tree.merits == 2
    natively.look(60)
    monkeypatch.setattr(NativeEngine, "searches", False)
    python = Search(state, Generator.seeded(5))
    python.look(60)
    assert Trees([natively]).result() == Trees([python]).result()


def test_leads_are_those_in_points_where_only_points_have_a_weight(tmp_path: Path) -> None:
    """And the worth of possessions is added in the same unit."""
    state = _load_harvest(tmp_path).start(3)
    for word in ("plant", "sell", "build", "plant", "sell", "sell"):
        state = state.choose(word)
    search = Search(state, Generator.seeded(1))
    tree, host = search.tree, search._host

    def leads(things: dict[str, int]) -> list[int]:
        put(tree, state.compiled.program, Weights("", 10, things, "random", 1))
        tree.work = state.cells[:]
        kernel.look_at_points(host, tree)
        return [*tree.leads]

    assert leads({}) == [-2, 1, -1]  # only the points: coins are 0, 2 and 1
    assert leads({"seeds": 7}) == [-2 * 20 + 7 * 6 - 7 * 2, 20 - 7 * 2, -20 - 7 * 2]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no json", "`harvest.weights.json` holds no weights, so bots do without it"),
        ("[]", "`harvest.weights.json` holds no weights, so bots do without it"),
        ('{"rulewright_weights": 2}', "`harvest.weights.json` holds no weights"),
        (
            '{"rulewright_weights": 1, "hash": "", "point": 1, "things": {"a": 1e9}, "bot": "", "matches": 1}',
            "`harvest.weights.json` holds no weights",
        ),
        (
            '{"rulewright_weights": 1, "hash": "old", "point": 1, "things": {}, "bot": "", "matches": 1}',
            "`harvest.weights.json` is for other rules, so bots do without it; `rulewright train`",
        ),
        (" " * 100_001, "`harvest.weights.json` has more than 100,000 bytes"),
    ],
)
def test_other_files_are_ignored_with_a_note(text: str, said: str, tmp_path: Path) -> None:
    game = _load_harvest(tmp_path)
    path = path_beside(tmp_path / "harvest.game")
    path.write_text(text, encoding="utf-8")
    state = game.start()
    assert note_of(game.home).startswith(said)
    assert Search(state, Generator.seeded(1)).tree.merits == 0
    with pytest.raises(WeightsError):
        read(path, game.rules.hash)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_in_place_of_weights_is_not_waited_for(tmp_path: Path) -> None:
    game = _load_harvest(tmp_path)
    path = path_beside(tmp_path / "harvest.game")
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    said = "`harvest.weights.json` is not a file, so bots do without it"
    assert note_of(game.home) == said
    assert not holds_weights(path)
