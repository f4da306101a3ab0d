"""The changes of points in the log add up to the score sheet at the end.

If points are counted from the position, as in Reversi, the lines show the changes of the sheet in each step.
Independent of the rules of any game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.interpreter.matches.events import Event
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.simulation.simulation import play_on
from rulewright.interpreter.views.log_lines import NOBODY
from tests.games.variants import LARGE, LONG, SHIPPED, game_named

LINE = re.compile(
    r"(?P<name>.+) has (?P<total>-?\d+) points?(?: in view)?: (?P<parts>\d+ (?:more|less) for .+)"
)
PART = re.compile(r"(\d+) (more|less) for (.+)")


def add_up(events: Sequence[Event], items: Sequence[str]) -> dict[str, Counter[str]]:
    """The points of each player for each item, added up from the log alone."""
    found: dict[str, Counter[str]] = {}
    for event in events:
        line = LINE.fullmatch(event.text) if event.player == NOBODY else None
        if line is None:
            continue
        points = found.setdefault(line["name"], Counter())
        for part in re.split(r", (?=\d+ (?:more|less) for )", line["parts"]):
            change = PART.fullmatch(part)
            assert change is not None and change[3] in items, part
            points[change[3]] += int(change[1]) * (1 if change[2] == "more" else -1)
        assert sum(points.values()) == int(line["total"]), event.text
    return found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=[pytest.mark.deep]
            if name in LONG
            else [pytest.mark.slow]
            if name in LARGE
            else [],
        )
        for name in SHIPPED
    ],
)
def test_points_add_up(name: str) -> None:
    game = game_named(name)
    variant = game.variant(options=game.for_random_play())
    match = Match.begin(game, variant, 4)
    play_on(match, ["random"] * game.compiled(variant).program.seats)
    assert match.state.over
    items = [item.text for item in game.program(variant).score]
    for viewer in range(len(match.state.players)):
        counted = add_up(match.all_events(viewer), items)
        for sheet in match.state.scores:
            points = counted.get(sheet.name, Counter())
            assert {item: points[item] for item, _ in sheet.items} == dict(sheet.items)


HIDDEN = """\
game "Hidden"
    players 2
piece Card
    worth: 1..9
    row low, 2
    row middle, 3
    row high, 5
zone deck: set of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    state coins: 0..9
setup
    move all from Card to deck
    surely move low from deck to first_player.hand
    surely move high from deck to first_player.left.hand
value first_player = the(p in players where p.number is 1)
play
    repeat 2 times
        each player
            choose one of
                option "earn"
                    add 1 to me.coins
                option "wait"
    end game
score of p
    item "cards" = sum(c in p.hand: c.worth)
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_hidden_points_are_logged_when_they_become_known(tmp_path: Path) -> None:
    (tmp_path / "hidden.game").write_text(HIDDEN, encoding="utf-8")
    game = load_game(tmp_path / "hidden.game")
    match = Match.begin(game, game.variant(), 3)
    for choice in ("earn", "earn", "earn", "wait"):
        match.choose(choice)
    assert [event.text for event in match.all_events(0)] == [
        "player 1 has 2 points: 2 more for cards",
        "earn",
        "player 1 has 3 points: 1 more for coins",
        "earn",
        "player 2 has 1 point in view: 1 more for coins",
        "earn",
        "player 1 has 4 points: 1 more for coins",
        "wait",
        "player 2 has 6 points: 5 more for cards",
    ]


TURNS = """game "Turns"
    players 2
player
    state coins: 0..9
rule take_turn
    log "{me} begins"
    choose one of
        option "earn"
            log "{me} earns a coin"
            add 1 to me.coins
        option "find"
            add 1 to me.coins
            log "{me} finds a coin"
    log "{me} rests"
play
    repeat 2 times
        each player
            do take_turn
    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_points_are_logged_when_they_are_scored(tmp_path: Path) -> None:
    """Before the next player begins; the line about the points may come before or after the change."""
    (tmp_path / "turns.game").write_text(TURNS, encoding="utf-8")
    game = load_game(tmp_path / "turns.game")
    match = Match.begin(game, game.variant(), 3)
    for choice in ("earn", "find"):
        match.choose(choice)
    assert [event.text for event in match.all_events(0)] == [
        "player 1 begins",
        "player 1 earns a coin",
        "player 1 rests",
        "player 1 has 1 point: 1 more for coins",
        "player 2 begins",
        "player 2 finds a coin",
        "player 2 has 1 point: 1 more for coins",
        "player 2 rests",
        "player 1 begins",
    ]
