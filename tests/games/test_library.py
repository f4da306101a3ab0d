"""The games of the library: they check clean, end, show no secrets, and agree with published numbers.

Each game has one short test of each kind here. Other tests use only the games of `SHIPPED`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.bots.simple import BOTS
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant, playout
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.simulation.simulation import LONGEST, play_on
from rulewright.interpreter.testing.leak_search import search
from rulewright.interpreter.testing.perft import perft
from rulewright.interpreter.testing.scenarios import Runner
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.beside import beside
from rulewright.pictures.page import arrange_sections, sections
from tests.games.sound import broken_invariants
from tests.games.variants import LIBRARY, game_named, some_variants
from tests.interpreter.lockstep import Runners, lockstep
from tests.recorded.games import IN_LIBRARY, library_line, record

LONG = {"shogi"}
"""Games of which a match takes a minute in Python."""
RUNNER = Runner("python")
PERFT: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("library.toml").read_text("utf-8")
)["perft"]


def variants(game: Game) -> list[Variant]:
    """The fewest and the most players, with the default options."""
    return [
        game.variant(n, game.for_random_play())
        for n in dict.fromkeys((game.facts.low, game.facts.high))
    ]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_game_has_no_problems_and_its_scenarios_hold(name: str) -> None:
    rules = load(LIBRARY[name])
    assert rules.check() == ()
    assert rules.facts is not None and rules.facts.rulebook is not None
    scenes = load_scenarios(LIBRARY[name].with_suffix(".scenario"))
    assert scenes.check() == ()
    results = [result for program in scenes.programs for result in RUNNER.run(program)]
    assert results
    assert [(result.scene.text, result.failure) for result in results if not result.passed] == []


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.deep] if name in LONG else []) for name in LIBRARY],
)
def test_a_game_ends(name: str) -> None:
    game = game_named(name)
    for seed, variant in enumerate(variants(game)):
        last = playout(game.compiled(variant), seed)
        assert last.over
        assert broken_invariants(last) == []


@pytest.mark.parametrize("name", LIBRARY)
def test_a_game_tells_no_secrets(name: str) -> None:
    game = game_named(name)
    variant = variants(game)[0]
    if game.compiled(variant).viewer.has_secrets:
        assert search(game, variant, range(1), 2, most=30).found == {}


@pytest.mark.parametrize("name", LIBRARY)
def test_a_game_does_what_was_recorded(name: str) -> None:
    """If rules change, their environment gets the next version; `python -m tests.recorded` records it."""
    assert record(IN_LIBRARY)[name] == [library_line(name)]


@pytest.mark.parametrize("name", LIBRARY)
def test_a_game_is_drawn(name: str) -> None:
    game = game_named(name)
    state = playout(game.compiled(variants(game)[0]), 1, 8)
    shown = scene(state, max(state.player, 0), state.previous)
    assert "rw-section" in arrange_sections(sections(shown, looks=beside(game, name).looks), name)


@pytest.mark.parametrize("numbers", PERFT, ids=lambda numbers: f"{numbers['game']}-{numbers['of']}")
def test_counts(numbers: dict[str, Any]) -> None:
    _count(numbers, numbers["fast"])


@pytest.mark.deep
@pytest.mark.parametrize("numbers", PERFT, ids=lambda numbers: f"{numbers['game']}-{numbers['of']}")
def test_counts_deep(numbers: dict[str, Any]) -> None:
    _count(numbers, len(numbers["counts"]))


def _count(numbers: dict[str, Any], depth: int) -> None:
    start = game_named(numbers["game"]).start(options=numbers.get("options", {}))
    assert list(perft(start, depth)) == numbers["counts"][:depth]


# ---- On demand -------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:2"])
@pytest.mark.parametrize("name", LIBRARY)
def test_bots_play_to_the_end(name: str, bot: str) -> None:
    """A searching bot plays only with the fewest players, because a match of Arimaa takes a minute."""
    game = game_named(name)
    played = some_variants(game) if bot in BOTS else variants(game)[:1]
    for seed, variant in enumerate(played):
        match = Match.begin(game, variant, seed)
        play_on(match, [bot] * game.compiled(variant).program.seats)
        assert match.state.over
        assert len(match.states) < LONGEST


@pytest.mark.deep
@pytest.mark.parametrize("name", LIBRARY)
def test_the_engines_keep_in_step(name: str) -> None:
    game = game_named(name)
    for variant in some_variants(game):
        played = lockstep(Runners(game.program(variant)), 1, 400, refusals=True)
        assert played.fault is None


@pytest.mark.deep
@pytest.mark.parametrize("name", LIBRARY)
def test_a_game_tells_no_secrets_in_many_plays(name: str) -> None:
    game = game_named(name)
    for variant in variants(game):
        if game.compiled(variant).viewer.has_secrets:
            assert search(game, variant, range(6), 8, most=1500).found == {}


@pytest.mark.deep
@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", LIBRARY)
def test_scenarios_hold_in_the_other_engines(name: str, engine: EngineName) -> None:
    for program in load_scenarios(LIBRARY[name].with_suffix(".scenario")).programs:
        assert all(result.passed for result in Runner(engine).run(program))
