"""Colonial: plays at random with a bound, in all engines; what is hidden, and what the log says.

Refuses to know what single rules do: that is said by the scenarios beside the game.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rulewright.interpreter.plays.game import Setting, playouts
from rulewright.interpreter.plays.play import Play
from rulewright.interpreter.studies.leak_search import search
from rulewright.interpreter.studies.simulation import play_on
from tests.games.settings import game_named, settings
from tests.games.sound import assert_sound, broken_invariants
from tests.interpreter.lockstep import Runners, lockstep

GAME = game_named("colonial")
SETTINGS = list(settings(GAME))
SOME = [
    setting if at in (0, 3) else pytest.param(setting, marks=pytest.mark.deep)
    for at, setting in enumerate(SETTINGS)
]
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


@pytest.mark.parametrize("setting", SOME, ids=str)
def test_plays_end_and_the_log_tells_all_prestige(setting: Setting) -> None:
    play = Play.begin(GAME, setting, 1)
    play_on(play, ["random"] * setting.players)
    assert play.state.over
    told: Counter[str] = Counter()
    for number, state in enumerate(play.states):
        assert broken_invariants(state) == []
        if number % 50 == 0 or state.over:
            assert_sound(state)
        for line in state.log:
            for player, verb, amount in PRESTIGE.findall(line.text):
                told[player] += int(amount) if verb == "gains" else -int(amount)
    assert {score.name: score.total for score in play.state.scores} == {
        name: told[name] for name in play.state.players
    }


@pytest.mark.slow
@pytest.mark.parametrize("setting", SOME, ids=str)
def test_all_engines_go_the_same_way(setting: Setting) -> None:
    runners = Runners(GAME.program(setting))
    played = lockstep(runners, seed=1, max_steps=40, refusals=False)
    assert played.fault is None
    assert runners.native.handed_over == 0


@pytest.mark.slow
@pytest.mark.parametrize("setting", SOME, ids=str)
def test_nobody_is_told_which_cards_are_laid(setting: Setting) -> None:
    findings = search(GAME, setting, range(1), pairs=2)
    assert findings.has_secrets
    assert findings.found == {}


@pytest.mark.deep
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_thousand_games_end(setting: Setting) -> None:
    variant = GAME.variant(setting, "native")
    for first in range(0, 1000, 50):
        for state in playouts(variant, range(first, first + 50)):
            assert state.over
            assert_sound(state)
