"""A choice appears once in the log: in a line of the rules, which may be shorter, otherwise in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.events import Event
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.views.log_lines import NOBODY

TEXT = """game "Stalls"
    players 2
piece Stall
    price: 1..9
    row tea_house, 2
    row silk_hall, 4
zone street: set of Stall
player
    zone shop: set of Stall
    state coins: 0..9 = 9
setup
    move all from Stall to street
action buy_stall(stall in street)
    say "buy the {stall} for {stall.price}, of {me.coins} coins"
    LOG
    pay stall.price from me.coins
    move stall to me.shop
play
    each player
        STEP
    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("log", "step", "choice", "logged"),
    [
        (
            'log "{me} buys the {stall}, and has {me.coins - stall.price} coins left"',
            "surely do buy_stall",
            "buy_stall(tea_house)",
            [Event(NOBODY, "player 1 buys the tea house, and has 7 coins left")],
        ),
        (
            'log "{me} gets the {stall}"',
            "surely do buy_stall",
            "buy_stall(tea_house)",
            [
                Event(0, "buy the tea house for 2, of 9 coins"),
                Event(NOBODY, "player 1 gets the tea house"),
            ],
        ),
        (
            'log "{me} buys the silk hall or the {stall}"',
            "surely do buy_stall",
            "buy_stall(silk_hall)",
            [Event(NOBODY, "player 1 buys the silk hall or the silk hall")],
        ),
        ('log "{me} buys"', "may do buy_stall", "no", [Event(0, "buy which stall? no")]),
        ('log "{me} buys"', 'may "rest a bit"', "no", [Event(0, "rest a bit? no")]),
    ],
    ids=["told by the rules", "not told", "told in other words", "not done", "not done, a block"],
)
def test_a_choice_is_reported_once(
    log: str, step: str, choice: str, logged: list[Event], tmp_path: Path
) -> None:
    path = tmp_path / "stalls.game"
    block = "\n            add 0 to me.coins" if step.endswith('"') else ""
    path.write_text(TEXT.replace("LOG", log).replace("STEP", step + block))
    game = game_of("stalls", load(path))
    match = Match.begin(game, game.variant(2, {}), 1)
    match.choose(choice)
    assert match.last_events(1) == logged


def test_a_value_with_words_about_it_is_reported_once(tmp_path: Path) -> None:
    path = tmp_path / "stalls.game"
    step = 'surely choose s in street say "{s}, for {s.price}"\n        log "{me} likes the {s}"'
    path.write_text(TEXT.replace("LOG", 'log "x"').replace("STEP", step))
    game = game_of("stalls", load(path))
    match = Match.begin(game, game.variant(2, {}), 1)
    match.choose("tea_house")
    assert match.last_events(1) == [Event(NOBODY, "player 1 likes the tea house")]
