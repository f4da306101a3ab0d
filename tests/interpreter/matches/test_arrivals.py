"""What comes to a player unseen by others is told where it happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.matches.match import Match

TEXT = """game "Draws"
    players 2
piece Card
    age: 1..9
    row ant, 1
    row bee, 2
    row cow, 3
    row dog, 4
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
setup
    move all from Card to deck
    sort c in deck by c.age lowest
play
    each player
        choose one of
            option "go on"
        each player
            do take
    end game
rule take
    STEPS
score of p
    item "cards" = p.hand.size
winner p by p.total then shared
"""

BEFORE = ['log "{me} draws a card"', "surely move 1 from deck to me.hand"]
OWN = "player 1 draws a card"
OTHER = "player 2 draws a card"


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (BEFORE, [OWN, "new in hand: ant", OTHER]),
        (BEFORE[::-1], [OWN, "new in hand: ant", OTHER]),
        ([*BEFORE, 'log "that is done"'], [OWN, "new in hand: ant", "that is done", OTHER, "that is done"]),
        (
            [*BEFORE, *BEFORE],
            [OWN, "new in hand: ant", OWN, "new in hand: bee", OTHER, OTHER],
        ),
        (BEFORE[1:], ["new in hand: ant"]),
        ([*BEFORE, 'log "you have {me.hand}" to me'], [OWN, "you have ant", OTHER]),
    ],
    ids=["told before", "told after", "told of others", "twice", "not told", "said"],
)  # fmt: skip
def test_what_comes_is_told_where_it_happened(
    steps: list[str], told: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "draws.game"
    path.write_text(TEXT.replace("STEPS", "\n    ".join(steps)))
    game = game_of("draws", load(path))
    match = Match.begin(game, game.variant(2, {}), 1)
    match.choose("go_on")
    assert [event.text for event in match.last_events(0)][1:] == told
