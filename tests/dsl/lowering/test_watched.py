"""Watched numbers are compared only after steps that may change them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from rulewright.dsl import ir
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.tree.nesting import walk
from rulewright.interpreter.matches.game import game_of

RULES = """game "Watched"
    players 2

piece Badge
    power: 0..3
    stars: 0..3
    row crown, 2, 1
    row shield, 1, 2
piece Stone
    row red
    row blue

zone deck: set of Stone
zone row: set of Stone
zone chest: set of Badge
player
    zone hand: set of Stone
    zone badges: set of Badge
    state stars: 0..9 = 5
    state seen: 0..99

power badge: Badge in p.badges
    modify p.strength more badge.power + badge.stars
open value strength of p: Player = 0
value shelf of p: Player = p.badges
whenever p.strength changes by d for p in players
    add 1 to p.seen

setup
    move all from Stone to deck
    move all from Badge to chest

play
    repeat until deck is empty
        each player
            choose one of
                do act
                option "pass"
                    move all from deck to row
action act
    {step}
score of p
    item "seen" = p.seen + p.stars
winner p by p.total then shared
"""


def looks_after(folder: Path, step: str) -> list[tuple[ir.Stmt, ...]]:
    """The blocks of an action with this step in which the watched number is compared."""
    path = folder / "watched.game"
    path.write_text(RULES.replace("{step}", step), encoding="utf-8")
    game = game_of("watched", load(path))
    program = game.compiled(game.variant(2)).program
    watching = {n for n, plain in enumerate(program.plain) if plain.name.startswith("watch line")}
    assert len(watching) == 1
    acting = {n for n, rule in enumerate(program.suspending) if rule.name == "act"}
    steps = [
        *(block.body for block in program.blocks if block.procedure in acting),
        *(plain.body for plain in program.plain if plain.name == "act"),
    ]
    assert steps
    steps += [
        part
        for loop in walk(steps)
        if isinstance(loop, ir.If | ir.ForEach)
        for part in ((loop.then, loop.otherwise) if isinstance(loop, ir.If) else (loop.body,))
    ]
    return [
        block
        for block in steps
        if any(isinstance(step, ir.CallPlain) and step.procedure in watching for step in block)
    ]


@pytest.mark.parametrize(
    "step",
    [
        "move 1 from chest to me.badges",
        "move 1 from me.badges to chest",
        "move all from me.badges to chest",
        "for each badge in me.badges\n        move badge to chest",
        "move all from me.shelf to chest",
    ],
)
def test_a_step_that_may_change_the_number_is_followed_by_a_look(tmp_path: Path, step: str) -> None:
    assert looks_after(tmp_path, step)


@pytest.mark.parametrize(
    "step",
    [
        "for each stone in deck\n        move stone to me.hand",
        "move all from me.hand to row",
        # A column of a card and a value of a player have the same name.
        "pay 1 from me.stars\n    move all from me.hand to row",
    ],
)
def test_other_steps_are_not(tmp_path: Path, step: str) -> None:
    assert looks_after(tmp_path, step) == []


def test_where_a_piece_is_moved_from_wherever_it_lies_this_is_asked(tmp_path: Path) -> None:
    (looked,) = looks_after(tmp_path, "for each badge in Badge\n        move badge to chest")
    assert len(looked) == 1  # it is the only step below the question
    (looked,) = looks_after(tmp_path, "for each badge in Badge\n        move badge to me.badges")
    assert len(looked) > 1


def test_positions_are_equal_wherever_a_piece_came_from(tmp_path: Path) -> None:
    text = (
        RULES.partition("play\n")[0]
        + """play
    repeat 3 times
        as ann
            choose n in 1..2
            for each stone in row
                move stone to deck
            for each badge in Badge where badge.stars is 2
                if n is 1
                    move badge to chest
                else
                    move badge to box
score of p
    item "seen" = p.seen + p.stars
winner p by p.total then shared
"""
    )
    text = text.replace("    players 2", "    players 1").replace("as ann", "as first_player")
    text = text.replace("zone chest", "zone box: set of Badge\nzone chest")
    text = text.replace("as first_player", "each player")
    path = tmp_path / "watched.game"
    path.write_text(text, encoding="utf-8")
    game = game_of("watched", load(path))
    ends = []
    for first in ("1", "2"):
        state = game.start(players=1)
        for choice in (first, "1"):
            state = state.choose(choice)
        ends.append(state.cells)
    assert ends[0] == ends[1]


SAME_NAMES = """game "Harbour"
    players 2

piece Stone
    row red
    row blue
space City
    row rome
    row oslo
    zone mark: set of Stone
    state level: 0..9
space Ship
    row hope
    row luck
    zone mark: set of Stone
    state level: 0..9
zone deck: set of Stone

value held of c: City = c.mark.size + c.level
value first_city of s: Ship = the(c in City where c is rome)
value hold of s: Ship = s.mark
state told: 0..99
whenever c.held > 1 for c in City
    add 1 to told

setup
    move all from Stone to deck
play
    repeat 3 times
        each player
            choose one of
                do act
                option "pass"
                    set luck.level to 2
                    set oslo.level to 2
action act
    let goal = hope
    let town = rome
    {step}
score of p
    item "told" = told
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("step", "is_followed"),
    [
        ("move all from deck to goal.mark", False),
        ("move all from deck to hope.mark\n    move all from hope.mark to luck.mark", False),
        ("set goal.level to 3", False),
        ("add 1 to luck.level", False),
        ("for each s in Ship\n        set s.level to 3", False),
        ("move all from deck to town.mark", True),
        ("move all from goal.mark to rome.mark", True),
        ("set town.level to 3", True),
        ("for each c in City\n        add 1 to c.level", True),
        ("set goal.first_city.level to 3", True),
        # The disc that is put there may come from a city.
        ("for each stone in Stone\n        move stone to goal.mark", True),
        # The name of a value does not identify the zone.
        ("move all from goal.hold to luck.mark", True),
    ],
)
def test_a_city_is_not_looked_at_because_a_ship_has_something_of_that_name(
    tmp_path: Path, step: str, is_followed: bool
) -> None:
    path = tmp_path / "watched.game"
    path.write_text(SAME_NAMES.replace("{step}", step), encoding="utf-8")
    loaded = load(path)
    assert not loaded.problems
    game = game_of("watched", loaded)
    program = game.compiled(game.variant(2)).program
    watching = {n for n, plain in enumerate(program.plain) if plain.name.startswith("watch line")}
    acting = {n for n, rule in enumerate(program.suspending) if rule.name == "act"}
    bodies = [
        *(block.body for block in program.blocks if block.procedure in acting),
        *(plain.body for plain in program.plain if plain.name == "act"),
    ]
    assert bodies
    called = {part.procedure for part in walk(bodies) if isinstance(part, ir.CallPlain)}
    assert bool(called & watching) == is_followed


def test_plays_are_as_if_all_were_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Endeavor, in which cities, connections and ships have discs and tokens."""
    place = Path(str(files("rulewright.games"))) / "endeavor" / "endeavor.game"
    fewer, all_of_them = game_of("fewer", load(place)), game_of("all", load(place))
    one = fewer.compiled(fewer.variant(3)).program
    monkeypatch.setattr(Analysis, "_may_concern", lambda *_: True)
    other = all_of_them.compiled(all_of_them.variant(3)).program
    assert one.size == other.size
    assert one.plain != other.plain
    for seed in range(2):
        ends = [game.playout(seed, 3).cells for game in (fewer, all_of_them)]
        assert ends[0] == ends[1]


def test_points_may_look_at_what_the_condition_names_of_something_else(tmp_path: Path) -> None:
    text = SAME_NAMES.replace("{step}", "set goal.level to 3")
    text = text.replace(
        "whenever c.held > 1 for c in City",
        "whenever any(p in players: p.total > 2) and c.level < 9 for c in City",
    )
    text = text.replace('"told" = told', '"told" = told + sum(s in Ship: s.level)')
    path = tmp_path / "watched.game"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    assert not loaded.problems
    state = game_of("watched", loaded).start(2)
    assert state.choose("act").scores.totals == (5, 5)
