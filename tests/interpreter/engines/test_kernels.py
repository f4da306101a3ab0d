"""Kernels: equal results in Python and in native code, and equal to the definitions in Python."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from math import exp, log

import pytest

from rulewright import load_game
from rulewright.interpreter.bots import tree_arrays
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.engines.chance import Generator, draw
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.kernels import hidden, machine
from rulewright.interpreter.engines.kernels.numbers import exponential, logarithm
from rulewright.interpreter.engines.kernels.tree import FOUND, HERE, Done, Tree
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.knowledge.hidden_pieces import possible_state
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.knowledge.search_tables import tell_search
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.games.variants import game_named

_GAMES = {
    "tic_tac_toe": 2,
    "connect_four": 2,
    "kalah": 2,
    "pig": 2,
    "kuhn_poker": 2,
    "leduc_poker": 2,
    "love_letter": 3,
    "foxglove": 3,
    "night_market": 3,
}
_LARGE = {"endeavor": 3, "equilibris": 2, "ginkgopolis": 2, "colonial": 2, "through_the_ages": 2}
_ALL = [*_GAMES.items(), *(pytest.param(*each, marks=pytest.mark.deep) for each in _LARGE.items())]


def _compile(game: str, players: int) -> CompiledGame:
    loaded = game_named(game)
    return fastest(loaded.compiled(loaded.variant(players)))


def _decisions(compiled: CompiledGame, matches: int, longest: int) -> Iterator[Cells]:
    """States of random matches at which a player decides."""
    for seed in range(matches):
        generator, cells = Generator.seeded(seed), compiled.begin()
        for _ in range(longest):
            if cells[7]:
                break
            offered = compiled.options(cells)
            if not cells[5]:
                yield cells[:]
            compiled.advance(cells, offered[generator.below(len(offered))])


def _tree(compiled: CompiledGame, key: int) -> Tree:
    program = compiled.program
    t = Tree(program.seats, 0, 0, int(compiled.viewer.has_secrets), 0, 0, key, 0)
    tree_arrays.furnish(t, [str(seat) for seat in range(program.seats)], [], program.size)
    tell_search(t, compiled)
    return t


@pytest.mark.parametrize("number", [1, 2, 3, 10, 1000, 0.3, 1e6, 123456789])
def test_own_logarithms_equal_those_of_the_library(number: float) -> None:
    assert logarithm(float(number)) == pytest.approx(log(number), abs=1e-14)
    assert exponential(-number / 1e5) == pytest.approx(exp(-number / 1e5), rel=1e-13)


def test_random_numbers_are_those_of_the_generator() -> None:
    t = Tree(2, 0, 0, 0, 0, 0, 2**63 + 12345, 0)
    drawn = [machine.below(t, bound) for bound in (6, 2**31, 1, 2**31 + 11) for _ in range(50)]
    counter, expected = 0, []
    for bound in (6, 2**31, 1, 2**31 + 11):
        for _ in range(50):
            found, counter = draw(2**63 + 12345, counter, bound)
            expected.append(found)
    assert drawn == expected


@pytest.mark.parametrize(("game", "players"), _ALL)
def test_native_samples_equal_those_of_python(game: str, players: int) -> None:
    compiled = _compile(game, players)
    for number, cells in enumerate(_decisions(compiled, 2, 60)):
        t = _tree(compiled, number)
        size, player = compiled.program.size, number % players
        t.states[HERE * size : (HERE + 1) * size] = cells
        hidden.possible_state(t, FOUND, player)
        generator = Generator(number)
        expected = possible_state(compiled, cells, player, generator)
        assert t.states[FOUND * size : (FOUND + 1) * size] == expected
        assert t.counter == generator.counter


@pytest.mark.parametrize(("game", "players"), _ALL)
def test_places_have_the_same_number_if_they_look_the_same(game: str, players: int) -> None:
    """The key is the player's view if something is hidden, otherwise the whole state."""
    compiled = _compile(game, players)
    t, observer = _tree(compiled, 0), observer_of(compiled)
    by_key: dict[int, bytes] = {}
    by_sight: dict[bytes, int] = {}
    generator = Generator(1)
    for cells in _decisions(compiled, 12 if game in _GAMES else 2, 80):
        player = cells[4]
        for look in range(2):
            t.work = possible_state(compiled, cells, player, generator) if look else cells
            key = hidden.place_key(t, player)
            seen = bytes(t.work)
            if t.hides:
                seen = observer.observe(t.work, player).tobytes()
            assert by_key.setdefault(key, seen) == seen
            assert by_sight.setdefault(seen, key) == key


@pytest.mark.parametrize(("game", "players"), _ALL)
def test_native_code_and_python_decide_the_same(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = game_named(game)
    state = Match.begin(loaded, loaded.variant(players), 5).state
    natively = Search(state, Generator.seeded(5))
    trials = 80 if game in _GAMES else 12
    natively.look(trials)
    monkeypatch.setattr(NativeEngine, "searches", False)
    python = Search(state, Generator.seeded(5))
    python.look(trials)
    assert list(natively.options()) == list(python.options())
    assert natively.decisions == python.decisions


def test_a_trial_that_native_code_gives_up_is_made_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the same tree, with the same random numbers."""
    loaded = load_game("love_letter")
    state = Match.begin(loaded, loaded.variant(2), 5).state
    expected = Search(state, Generator.seeded(5))
    expected.look(40)
    trials = NativeEngine.trials
    asked = array("q", [0])

    def seldom(engine: NativeEngine, t: Tree, most: int, task: str = "trials") -> Done:
        asked[0] += 1
        if task == "trials" and asked[0] % 2:
            t.counter_before, t.spread_before = t.counter, t.spread
            t.decisions_before, t.touched = t.decisions, 0
            return Done.NOT
        return trials(engine, t, min(most, 1), task)

    monkeypatch.setattr(NativeEngine, "trials", seldom)
    found = Search(state, Generator.seeded(5))
    found.look(40)
    assert list(found.options()) == list(expected.options())
