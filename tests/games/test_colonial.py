"""Colonial: random matches of limited length in all engines; hidden information, and the log."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import Game, Variant, playouts
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.testing.leak_search import search
from tests.games.sound import assert_sound, broken_invariants
from tests.games.variants import game_named, variants
from tests.interpreter.lockstep import Runners, lockstep

SETTINGS = [
    *((players, "base") for players in (4, 5, 6)),
    *((players, "nations") for players in (2, 3, 4, 5)),
]
SOME = [
    one if one in ((4, "base"), (2, "nations")) else pytest.param(*one, marks=pytest.mark.deep)
    for one in SETTINGS
]
ONE = [
    one if one == (2, "nations") else pytest.param(*one, marks=pytest.mark.deep) for one in SETTINGS
]
FOLDER = shipped_games()["colonial"].parent
NAMED = {
    "character_cards": 6,
    "characters": 12,
    "nation_objectives": 42,
    "nations": 5,
    "resource_types": 10,
    "resources": 33,
    "special_spaces": 2,
    "territories": 27,
}
"""Tables whose rows have names, and how many rows each has."""
PRESTIGE = re.compile(r"(player \d) (gains|loses) (\d+) prestige")


def test_each_number_of_players_has_its_variants() -> None:
    found = variants(game_named("colonial"))
    assert [(one.players, dict(one.options)["variant"]) for one in found] == SETTINGS


def setting(players: int, kind: str) -> tuple[Game, Variant]:
    """The game, and its bounded variant of a kind."""
    game = game_named("colonial")
    return game, game.variant(players, {"variant": kind, **game.for_random_play()})


def rows_of(table: str) -> list[str]:
    with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return [row[0] for row in csv.reader(file)][1:]


@pytest.mark.parametrize("table", NAMED)
def test_a_scenario_names_each_row(table: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.scenario")]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    rows = rows_of(table)
    assert len(rows) == NAMED[table]
    assert [row for row in rows if row not in words] == []


def test_nation_abilities_agree_with_nation_cards(tmp_path: Path) -> None:
    text = (FOLDER / "nation_abilities.csv").read_text(encoding="utf-8")
    changed = text.replace("france,extra_sovereign", "france,extra_merchant")
    assert changed != text
    (tmp_path / "nation_abilities.csv").write_text(changed, encoding="utf-8")
    found = load(shipped_games()["colonial"], reach=Reach(tmp_path)).check()
    assert {problem.code for problem in found} == {"invariant-broken"}
    assert "a character twice" in found[0].message


@pytest.mark.parametrize(("players", "kind"), SOME)
def test_plays_end_and_the_log_tells_all_prestige(players: int, kind: str) -> None:
    game, variant = setting(players, kind)
    match = Match.begin(game, variant, 1)
    play_on(match, ["random"] * variant.players)
    assert match.state.over
    counted: Counter[str] = Counter()
    for number, state in enumerate(match.states):
        assert broken_invariants(state) == []
        if number % 50 == 0 or state.over:
            assert_sound(state)
        for line in state.log:
            for player, verb, amount in PRESTIGE.findall(line.text):
                counted[player] += int(amount) if verb == "gains" else -int(amount)
    assert {score.name: score.total for score in match.state.scores} == {
        name: counted[name] for name in match.state.players
    }


@pytest.mark.slow
@pytest.mark.parametrize(("players", "kind"), ONE)
def test_all_engines_go_the_same_way(players: int, kind: str) -> None:
    game, variant = setting(players, kind)
    runners = Runners(game.program(variant))
    played = lockstep(runners, seed=1, max_steps=40, refusals=False)
    assert played.fault is None
    assert runners.native.handed_over == 0


@pytest.mark.slow
@pytest.mark.parametrize(("players", "kind"), ONE)
def test_nobody_learns_which_cards_are_laid(players: int, kind: str) -> None:
    game, variant = setting(players, kind)
    findings = search(game, variant, range(1), pairs=2)
    assert findings.has_secrets
    assert findings.found == {}


@pytest.mark.deep
@pytest.mark.parametrize(("players", "kind"), SETTINGS)
def test_a_thousand_games_end(players: int, kind: str) -> None:
    game, variant = setting(players, kind)
    compiled = game.compiled(variant, "native")
    for first in range(0, 1000, 50):
        for state in playouts(compiled, range(first, first + 50)):
            assert state.over
            assert_sound(state)
