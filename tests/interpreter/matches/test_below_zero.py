"""Numbers below 0 are shown and chosen as they are written; -1 is not nothing."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.game import Game, game_of
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.testing.scenarios import Runner

TEXT = """game "Steps"
    players 2
piece Stone
    shift: -2..2
    row pebble, -1
zone bag: set of Stone
player
    state at: -3..3 = -1
    state kept: 0..3 or nothing = nothing
setup
    move all from Stone to bag
play
    each player
        surely choose n in -2..2
            where n is not -2 else "{n} is too far"
            say "go to {n}"
        set me.at to n
        log "{me} goes to {me.at}, the pebble shifts by {pebble.shift}, {me.kept} is kept"
    end game
score of p
    item "steps" = p.at
winner p by p.total then shared
"""
SCENES = """scenario "below 0"
    player ann, bob
    offered exactly -1, 0, 1, 2
    refused ann plays -2 because "-2 is too far"
    ann plays -1
    expect log "{ann} goes to -1, the pebble shifts by -1, none is kept"
    expect ann.at is -1
    bob plays 2
"""


def steps(folder: Path) -> Game:
    path = folder / "steps.game"
    path.write_text(TEXT)
    return game_of("steps", load(path))


def test_options_and_lines_show_numbers_below_zero(tmp_path: Path) -> None:
    game = steps(tmp_path)
    match = Match.begin(game, game.variant(2, {}), 1)
    options = match.state.decision.options
    assert [option.name for option in options] == ["-1", "0", "1", "2"]
    assert options[0].text == "go to -1"
    match.choose("-1")
    assert [line.text for line in match.state.log] == [
        "player 1 goes to -1, the pebble shifts by -1, none is kept"
    ]
    view = match.state.view(0)
    assert [value.text for value in view.values if value.place.name == "at"] == ["-1", "-1"]


def test_scenarios_can_state_numbers_below_zero(tmp_path: Path) -> None:
    steps(tmp_path)
    path = tmp_path / "steps.scenario"
    path.write_text(SCENES)
    loaded = load_scenarios(path)
    assert loaded.problems == ()
    assert all(result.passed for one in loaded.programs for result in Runner().run(one))
