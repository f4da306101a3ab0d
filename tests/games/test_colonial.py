"""Colonial: random matches of limited length in all engines; hidden information, and the log."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import Variant, playouts
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.testing.leak_search import search
from tests.games.sound import assert_sound, broken_invariants
from tests.games.variants import game_named, variants
from tests.interpreter.lockstep import Runners, lockstep

GAME = game_named("colonial")
SETTINGS = list(variants(GAME))
SOME = [
    variant if at in (0, 3) else pytest.param(variant, marks=pytest.mark.deep)
    for at, variant in enumerate(SETTINGS)
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
    assert [(s.players, dict(s.options)["variant"]) for s in SETTINGS] == [
        (4, "base"),
        (5, "base"),
        (6, "base"),
        (2, "nations"),
        (3, "nations"),
        (4, "nations"),
        (5, "nations"),
    ]


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


@pytest.mark.parametrize("variant", SOME, ids=str)
def test_plays_end_and_the_log_tells_all_prestige(variant: Variant) -> None:
    match = Match.begin(GAME, variant, 1)
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
@pytest.mark.parametrize("variant", SOME, ids=str)
def test_all_engines_go_the_same_way(variant: Variant) -> None:
    runners = Runners(GAME.program(variant))
    played = lockstep(runners, seed=1, max_steps=40, refusals=False)
    assert played.fault is None
    assert runners.native.handed_over == 0


@pytest.mark.slow
@pytest.mark.parametrize("variant", SOME, ids=str)
def test_nobody_learns_which_cards_are_laid(variant: Variant) -> None:
    findings = search(GAME, variant, range(1), pairs=2)
    assert findings.has_secrets
    assert findings.found == {}


@pytest.mark.deep
@pytest.mark.parametrize("variant", SETTINGS, ids=str)
def test_a_thousand_games_end(variant: Variant) -> None:
    compiled = GAME.compiled(variant, "native")
    for first in range(0, 1000, 50):
        for state in playouts(compiled, range(first, first + 50)):
            assert state.over
            assert_sound(state)
