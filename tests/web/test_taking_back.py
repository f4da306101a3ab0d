"""Taking back at a table: the answers to a seat do not depend on facts that the seat cannot know."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import step_between
from rulewright.interpreter.views.view import as_text
from rulewright.web.tables.course import Course

UNSEEN = """
game "Peek"
    players 2
piece Card
    rank: 1..4
    row one, 1
    row two, 2
    row three, 3
    row four, 4
zone deck: pile of Card, seen by nobody except size
player
    zone hand: set of Card, seen by owner except size
    state luck: 0..6 = 0, seen by owner
setup
    move all from Card to deck
    shuffle deck
    each player
        surely move 1 from deck to me.hand
play
    repeat 2 times
        each player
            choose one of
                option "wait"
            as me.left
                if any(c in me.hand where c.rank > 2)
                    STEP
            choose one of
                option "go on"
score of p
    item "points" = 1
winner p by p.total then shared
"""


def course_after_wait(game: Game, seed: int) -> Course:
    """A match after the first player has waited."""
    match = Match.begin(game, game.variant(2), seed)
    course, before = Course(match), match.state
    after = before.take(before.option_ids[0])
    course.follow(1, tuple(step_between(before, after)))
    return course


@pytest.mark.parametrize("step", ["show deck to me", "roll me.luck in 1..6"])
def test_taking_back_does_not_tell_what_another_player_learned(step: str, tmp_path: Path) -> None:
    """The step depends on the hand of the other seat; a seat that sees the same gets the same answer."""
    path = tmp_path / "peek.game"
    path.write_text(UNSEEN.replace("STEP", step), encoding="utf-8")
    game = load_game(str(path))
    told: dict[str, set[tuple[bool, tuple[str, ...]]]] = {}
    learned_unseen = set()
    for seed in range(24):
        course = course_after_wait(game, seed)
        view = as_text(course.state.view(0))
        known = tuple(course.shown_since(0, 0))
        told.setdefault(view, set()).add((course.is_own_affair(frozenset({0}), 0), known))
        learned_unseen.add(bool(course.shown_since(0, 1)))
    assert learned_unseen == {True, False}, "the other seat learns something in some matches only"
    assert {one for found in told.values() for one in found} == {(True, ())}


def test_taking_back_after_a_look_of_ones_own_needs_consent(tmp_path: Path) -> None:
    path = tmp_path / "peek.game"
    rules = UNSEEN.replace("as me.left", "as me").replace("STEP", "show deck to me")
    path.write_text(rules, encoding="utf-8")
    game = load_game(str(path))
    free = set()
    for seed in range(6):
        course = course_after_wait(game, seed)
        has_looked = bool(course.shown_since(0, 0))
        free.add((has_looked, course.is_own_affair(frozenset({0}), 0)))
    assert free == {(True, False), (False, True)}


def test_rolls_that_only_another_hand_leads_to_come_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "peek.game"
    rolls = "repeat until me.luck is 6\n                        roll me.luck in 1..6"
    path.write_text(UNSEEN.replace("STEP", rolls), encoding="utf-8")
    game = load_game(str(path))
    rolled = set()
    for seed in range(12):
        course = course_after_wait(game, seed)
        rolled.add(bool(course.state.drawn))
        assert not course.shown_since(0, 0)
    assert rolled == {True, False}


def test_a_long_loop_of_rolls_in_secret_is_not_noticed(tmp_path: Path) -> None:
    path = tmp_path / "peek.game"
    rolls = "repeat 60 times\n                        roll me.luck in 1..6"
    path.write_text(UNSEEN.replace("STEP", rolls), encoding="utf-8")
    game = load_game(str(path))
    courses = [course_after_wait(game, seed) for seed in range(12)]
    assert {len(course.state.drawn) for course in courses} == {0, 60}
    assert not any(course.shown_since(0, 0) for course in courses)
    assert {len(course.shown_since(0, 1)) for course in courses} == {0, 1}


ENDS = """
game "Ends"
    players 2
piece Card
    row one
    row two
zone deck: pile of Card{seen}
state die: 1..6
setup
    move all from Card to deck
play
    {first}
    repeat 2 times
        each player
            choose one of
                option "wait"
                option "stop"
                    end game
score of p
    item "points" = 1
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("seen", "first", "is_free"),
    [
        ("", "set die to 2", True),
        (", seen by nobody except size", "shuffle deck", False),
        ("", "roll die in 1..6", False),
    ],
)
def test_the_end_reveals_the_secrets_and_the_seed(
    seen: str, first: str, is_free: bool, tmp_path: Path
) -> None:
    path = tmp_path / "ends.game"
    path.write_text(ENDS.format(seen=seen, first=first), encoding="utf-8")
    game = load_game(str(path))
    course = Course(Match.begin(game, game.variant(2), 1))
    stops = len(course.state.option_ids) - 1
    after = course.state.take(course.state.option_ids[stops])
    course.follow(1, tuple(step_between(course.state, after)))
    assert course.state.over
    assert course.is_own_affair(frozenset({0}), 0) is is_free
