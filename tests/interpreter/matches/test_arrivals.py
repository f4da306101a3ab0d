"""The log shows players the cards that came to their hands, and says if points are only those in view."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Match, load_game
from rulewright.interpreter.views.view import ALL_SEEING

DRAW = """game "Draw"
    players 2

piece Card
    copies = 3
    worth: 1..2
    row ace, 1
    row queen, 2

zone deck: pile of Card, seen by nobody except size
zone table: set of Card

setup
    move all from Card to deck
    shuffle deck

player
    zone hand: set of Card, seen by owner except size
    state coins: 0..9

play
    repeat 3 times
        each player
            choose one of
                option "ask for the queen"
                    log "{me} asks: do you hold the ace or the queen?"
                    move up to 1 from deck to me.hand
                option "show"
                    add 1 to me.coins
                    move up to 1 from deck to table
                    for each card in table
                        move card to me.hand
                        log "{me} takes the {card}"

score of p
    item "cards" = sum(c in p.hand: c.worth)
    item "coins" = p.coins

winner p by p.total then shared
"""


@pytest.fixture
def match(tmp_path: Path) -> Match:
    path = tmp_path / "draw.game"
    path.write_text(DRAW, encoding="utf-8")
    game = load_game(path)
    return Match.begin(game, game.variant(2), 1)


def test_words_of_the_author_do_not_tell_what_arrived(match: Match) -> None:
    match.choose("ask_for_the_queen")
    (hand,) = [zone for zone in match.state.view(0).zones if zone.place.name == "hand"][:1]
    assert [event.text for event in match.all_events(0) if "new in hand" in event.text] == [
        f"new in hand: {hand.pieces[0].name}"
    ]
    assert not [event for event in match.all_events(1) if "new in hand" in event.text]


def test_a_line_that_names_the_piece_tells_it(match: Match) -> None:
    match.choose("show")
    assert not [event for event in match.all_events(0) if "new in hand" in event.text]


def test_points_in_view_are_called_the_visible_part(match: Match) -> None:
    for option in ("ask_for_the_queen", "ask_for_the_queen", "show"):
        match.choose(option)
    said = [event.text for event in match.all_events(1) if event.text.startswith("player 1 has")]
    assert said == ["player 1 has 1 point in view: 1 more for coins"]
    everything = [event.text for event in match.all_events(ALL_SEEING) if "point" in event.text]
    assert everything and not any("in view" in text for text in everything)
