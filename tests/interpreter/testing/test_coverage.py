"""Coverage of rules: exact numbers for a game with only one course, and witnesses of rare points."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant, load_game
from rulewright.interpreter.matches.records import record_of
from rulewright.interpreter.matches.replay import replay
from rulewright.interpreter.testing.coverage import (
    Point,
    Reached,
    Watched,
    points_of,
    shared_out,
    variants_of,
)
from rulewright.interpreter.testing.witness import find_witness, label, points_named

# Nobody ever has a choice: work, rest, work. Two players and three.
TALLY = """game "Tally"
    players 2..3
    rulebook "tally.rules.md"
option mood = quiet, loud

piece Card
    worth: 0..3
    row ant, 1
    row bee, 2
    row cat, 3
piece Ruler
    row king
    row queen
    copies = 2

zone deck: pile of Card
zone throne: set of Ruler
zone attic: set of Ruler

player
    state coins: 0..20

open value pay of p: Player = 1
power ruler: Ruler in throne where ruler is king
    modify p.pay more 1
power queen in attic
    modify p.pay more 3

setup
    move all from Card to deck
    for each r in Ruler
        if r is king
            move r to throne
        else
            move r to attic
    for each c in deck
        do effect of c

effect cat
    log "the cat"

effect card: Card
    if card.worth > 1
        log "a bee"

play
    repeat 3 times
        phase "a turn"
            each player
                surely choose one of
                    do work
                    do rest
                if mood is loud
                    log "hey"
                else if me.coins > 19
                    log "rich"
                else
                    log "hush"
    each player
        if possible
            do rest
        otherwise
            log "nobody rests"

action work
    needs me.coins is 0 else "{me} has {me.coins} already"
    add 1 to me.coins

action rest
    needs me.coins > 0
    lose 1 from me.coins                        [TL-001]

rule sleep
    log "zzz"

after rest as p
    if p.number is 1
        do sleep

score of p
    item "pay" = p.pay
    item "coins" = p.coins

winner p by p.total then shared
"""

# Runs and matches, for one match of each of the four variants, with ten players in total.
REACHED = {
    # Computed by hand: everybody works, rests, works, and rests once more at the end.
    "setup": (4, 4),
    "play": (4, 4),
    "phase a turn": (4 * 3, 4),
    "branch if r is king": (4 * 2, 4),
    "branch else of if r is king": (4 * 2, 4),
    "effect cat": (4, 4),
    "effect card: Card (ant)": (4, 4),
    "effect card: Card (bee)": (4, 4),
    "branch if card.worth > 1": (4, 4),
    "option work": (10 * 2, 4),
    "action work": (10 * 2, 4),
    "option rest": (10, 4),
    "action rest": (10 * 2, 4),
    "step lose 1 from me.coins": (10 * 2, 4),
    "branch if mood is loud": (5 * 3, 2),
    "branch else of if me.coins > 19": (5 * 3, 2),
    "branch if possible": (10, 4),
    "trigger after rest as p": (10 * 2, 4),
    "branch if p.number is 1": (4 * 2, 4),
    "rule sleep": (4 * 2, 4),
    "refusal {me} has {me.coins} already": (10, 4),
    "refusal it needs me.coins > 0": (10 * 2, 4),
    "score pay": (10, 4),
    "winner": (4, 4),
    # Two kings, two queens; for the score sheet, and once more to find the winner.
    "power ruler: p.pay more 1 (king)": (10 * 2 * 2, 4),
    "power queen: p.pay more 3": (10 * 2 * 2, 4),
}
NEVER = {
    "power ruler: p.pay more 1 (queen)",
    "branch else if me.coins > 19",
    "branch otherwise of if possible",
    "score coins",
}

# Four choices in a row must be the right ones: 1 in 7^4 by chance.
LOCK = """game "Lock"
    players 1

state progress: 0..4
state tried: 0..9

play
    repeat 4 times
        each player
            choose number in 1..7
            do turn_dial(number)
    if progress is 4
        do open_door

rule turn_dial(number: 1..7)
    if progress is 0 and number is 3
        set progress to 1
    else if progress is 1 and number is 6
        set progress to 2
    else if progress is 2 and number is 1
        set progress to 3
    else if progress is 3 and number is 7
        set progress to 4
    add 1 to tried

rule open_door
    log "it opens"

action never_offered
    needs tried > 9 else "not yet"
    log "never"

score of p
    item "door" = if progress is 4 then 1 else 0

winner p by p.total then shared
"""


DOOR = f"small.game:{LOCK[: LOCK.index('rule open_door')].count(chr(10)) + 1}"


def write_game(folder: Path, text: str) -> Game:
    (folder / "small.game").write_text(text, encoding="utf-8")
    (folder / "tally.rules.md").write_text("- **TL-001** Who rests pays.\n", encoding="utf-8")
    return load_game(folder / "small.game")


def count(game: Game, bots: str, engine: EngineName, plays: int = 4) -> dict[str, tuple[int, int]]:
    """Runs and matches of each point, by its label."""
    shares = shared_out(variants_of(game), plays)
    points = points_of(game.program(variant) for variant, _ in shares)
    reached = Reached()
    for variant, number in shares:
        watched = Watched.of(game, variant, engine, refusals=True)
        seats = (bots,) * watched.plain.program.seats
        for seed in range(number):
            points_met, is_over = watched.play(seed, seats)
            reached.add(points_met, is_over=is_over)
        points.update(watched.points)
    assert reached.plays == plays and not reached.unfinished
    found = {label(point): (reached.times.get(key, 0), reached.in_plays.get(key, 0))
             for key, point in points.items()}  # fmt: skip
    assert len(found) == len(points)
    return found


@pytest.mark.parametrize("engine", ["python", "reference"])
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_coverage_counts_exactly(tmp_path: Path, engine: EngineName, bots: str) -> None:
    found = count(write_game(tmp_path, TALLY), bots, engine)
    assert {name for name, (times, _) in found.items() if not times} == NEVER
    assert {name: numbers for name, numbers in found.items() if name not in NEVER} == REACHED


def test_points_know_their_places(tmp_path: Path) -> None:
    game = write_game(tmp_path, TALLY)
    points = points_of(game.program(variant) for variant in variants_of(game))
    by_label = {label(point): point for point in points.values()}
    step = by_label["step lose 1 from me.coins"]
    lines = TALLY.split("\n")
    assert lines[step.line - 1].strip().startswith("lose 1 from me.coins")
    assert step.clauses == ("TL-001",) and len(step.cited) == 1
    assert list(points) == sorted(points)


def test_marks_are_the_same_in_both_engines_in_a_shipped_game() -> None:
    game = load_game("night_market")
    variant = game.variant(3)
    found = [
        Watched.of(game, variant, engine, refusals=True).play(seed=5, seats=("random",) * 3)
        for engine in ("python", "reference")
    ]
    assert found[0] == found[1] and found[0][1]


def test_coverage_goes_through_every_variant(tmp_path: Path) -> None:
    game = write_game(tmp_path, TALLY)
    assert len(variants_of(game)) == 4
    assert variants_of(game, 3, {"mood": "loud"}) == [Variant(3, (("mood", "loud"),))]
    every = variants_of(game)
    assert shared_out(every, 4) == [(variant, 1) for variant in every]
    assert [plays for _, plays in shared_out(every, 6)] == [1, 2, 1, 2]
    assert shared_out(every, 2) == [(every[0], 1), (every[2], 1)]
    assert shared_out(every, 0) == []


# ---- witnesses --------------------------------------------------------------------------------------


def find_points(game: Game, name: str) -> list[Point]:
    return points_named(name, points_of(game.program(each) for each in variants_of(game)))


@pytest.mark.parametrize("name", ["rule open_door", "open_door", DOOR])
def test_a_rare_rule_is_found_by_looking_ahead(tmp_path: Path, name: str) -> None:
    game = write_game(tmp_path, LOCK)
    targets = find_points(game, name)
    assert [label(point) for point in targets] == ["rule open_door"]
    found = find_witness(game, variants_of(game), targets, 400)
    assert found is not None
    assert found.searched > 200, "a play at random was lucky: choose other numbers"
    assert found.decision == 4 and found.refused is None
    assert [after.choice + 1 for after in found.match.states[1:]] == [3, 6, 1, 7]
    again = replay(record_of(found.match), game)
    assert again.state.over and again.state.scores[0].total == 1


def test_a_rule_never_reached_has_no_witness(tmp_path: Path) -> None:
    game = write_game(tmp_path, LOCK)
    assert (
        find_witness(game, variants_of(game), find_points(game, "action never_offered"), 6) is None
    )


def test_steps_of_the_setup_are_reached_before_any_decision(tmp_path: Path) -> None:
    game = write_game(tmp_path, TALLY)
    found = find_witness(game, variants_of(game), find_points(game, "effect cat"), 1)
    assert found is not None and found.decision == 0


def test_a_refusal_is_reached_where_it_holds(tmp_path: Path) -> None:
    game = write_game(tmp_path, TALLY)
    found = find_witness(
        game, variants_of(game), find_points(game, "{me} has {me.coins} already"), 1
    )
    assert found is not None and found.refused == "work"
    # Both players have worked; the first is asked for the second time.
    assert found.decision == 3
    before = found.match.states[found.decision - 1]
    assert before.decision.why("work") == "player 1 has 1 already"


def test_a_rule_at_the_end_has_a_witness(tmp_path: Path) -> None:
    game = write_game(tmp_path, TALLY)
    found = find_witness(game, variants_of(game), find_points(game, "score pay"), 1)
    assert found is not None and found.decision == found.match.decisions


LOOPS = """game "Loops"
    players 2
player
    state coins: 0..9 = 3
play
    repeat 2 times
        each player
            each player where me.coins is 9     [LP-001]
                add 1 to me.coins
            for each q in players where q is me [LP-002]
                log "{q} is here"
            repeat while me.coins > 5           [LP-003]
                lose 1 from me.coins
            repeat 2 times                      [LP-004]
                choose one of
                    option "rest"
                    option "wait"
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize("engine", ["python", "reference"])
def test_clauses_of_a_loop_count_its_turns(tmp_path: Path, engine: EngineName) -> None:
    found = count(write_game(tmp_path, LOOPS), "random", engine)
    steps = {name: times for name, (times, _) in found.items() if name.startswith("step")}
    plays = found["play"][0]
    assert steps == {
        "step each player where me.coins is 9": 0,
        "step for each q in players where q is me": 4 * plays,
        "step repeat while me.coins > 5": 0,
        "step repeat 2 times": 8 * plays,
    }


TRIED = """game "Tried"
    players 2
player
    state coins: 0..9
play
    each player
        if possible(work(2))
            surely do work
        choose one of
            do rest
            option "wait"
    end game
action work(n in 1..3)
    add n to me.coins
action rest
    needs me.coins > 0
    lose 1 from me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


def test_tried_options_are_no_coverage_points(tmp_path: Path) -> None:
    game = write_game(tmp_path, TRIED)
    points = points_of([game.program(game.variant(2, {}))])
    logged = [(point.line, point.name) for point in points.values() if point.word == "option"]
    assert logged == [(8, "work"), (10, "rest"), (11, "wait")]
