"""Default questions: the words of an option, with a question for the thing to choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of

TEXT = """game "Town"
    players 2
piece TownHouse
    storeys: 1..3
    row mill, 2
    row inn, 3
zone street: set of TownHouse
setup
    move all from TownHouse to street
play
    each player
        surely do build_house
    end game
action build_house(PARAMETER)
    say "SAID"
    log "{me} builds"
score of p
    item "none" = 0
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("parameter", "said", "asked"),
    [
        ("house in street", "build {house}", "build which town house?"),
        ("house in street", "build the {house} now", "build which town house?"),
        ("house in street", "build a fine {house}", "build a fine which town house?"),
        ("house in street", "{house}", "build house which town house?"),
        ("house in street", "build with {house.storeys} storeys", "build with ...?"),
        ("house in street", "build on {me}", "build on ...?"),
        ("other in players", "give a house to {other}", "give a house to which player?"),
        ("many in 1..3", "buy {many} house(s)", "buy how many houses?"),
        ("many in 1..3", "buy {many} cit(y|ies) at once", "buy how many cities?"),
        ("column in 1..3", "drop into column {column}", "drop into which column?"),
        ("most in 1..3", "bid {most}", "bid how much?"),
        ("most in 1..3", "go up to {most}", "go up to ...?"),
        ("most in 1..3", "build", "build?"),
    ],
)
def test_a_question_for_what_is_chosen(
    parameter: str, said: str, asked: str, tmp_path: Path
) -> None:
    path = tmp_path / "town.game"
    path.write_text(TEXT.replace("PARAMETER", parameter).replace("SAID", said))
    assert game_of("town", load(path)).start(seed=1).decision.prompt == asked
