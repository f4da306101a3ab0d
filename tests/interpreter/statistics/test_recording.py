"""Playouts as records, and their statistics: a small game with known results."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.simulation.playtest import Playtest, watch
from rulewright.interpreter.simulation.simulation import simulate
from rulewright.interpreter.statistics.endings import Cause
from rulewright.interpreter.statistics.recording import PlayoutRecord, Recorder
from rulewright.interpreter.statistics.subjects import Thing
from rulewright.interpreter.statistics.tally import Tally

# A player takes a charm, which is worth 2 points, or leaves it, and rolls a die.
DICE = """game "Dice"
    players 2..3

piece Charm per player
    row charm
    row wreath

player
    zone mine: set of Charm
    state points: 0..9

zone attic: set of Charm

setup
    for each c in Charm
        move c to attic

play
    repeat 2 times
        each player
            choose one of
                do take
                option "leave"
            do throw

action take(c in attic where c is charm and c.owner is me)
    move c to me.mine
    add 1 to me.points

rule throw
    roll n in 1..6
    if n is 6 and me.points > 0
        if me.number is 1
            end game
        do stop
    add 1 to me.points

rule stop
    end game

score of p
    item "points" = p.points
    item "charms" = p.mine.size

winner p by p.total then shared
"""

BOTS = ("random",) * 3


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("dice") / "dice.game"
    path.write_text(DICE, encoding="utf-8")
    return load_game(path)


def records(game: Game, plays: int, players: int = 2) -> list[PlayoutRecord]:
    found: list[PlayoutRecord] = []
    watch(game, game.variant(players), BOTS, range(plays), on_record=found.append)
    return found


def test_totals_add_up_with_those_of_the_records(dice: Game) -> None:
    found = records(dice, 200, 3)
    study = watch(dice, dice.variant(3), BOTS, range(200))
    tally = study.tally
    assert tally.plays == len(found) == 200
    assert tally.length.total == sum(len(each.decided) for each in found)
    assert tally.options.count == tally.length.total
    for seat in range(3):
        assert tally.totals.seats[seat].total == sum(each.totals[seat] for each in found)
        assert study.course.decisions[seat].total == sum(
            each.seat == seat for record in found for each in record.decided
        )
        alone = sum(record.winners == (seat,) for record in found)
        together = sum(len(record.winners) > 1 and seat in record.winners for record in found)
        assert (tally.wins[seat], tally.shared[seat]) == (alone, together)
    by_item = [sum(items[n] for record in found for items in record.items) for n in (0, 1)]
    assert [sum(s.total for s in score.seats) for score in tally.scores] == by_item
    winners, losers = tally.totals.winners, tally.totals.losers
    assert winners.count + losers.count == 3 * 200
    assert winners.total + losers.total == sum(sum(record.totals) for record in found)
    assert tally.margins.count == 200
    assert tally.ties == tally.margins.counts.get(0, 0)
    assert sum(tally.causes.values()) == 200
    assert study.course.turns.total == sum(record.turns for record in found)
    taken = Counter(thing for record in found for each in record.decided for thing in each.taken)
    for number, thing in enumerate(study.uses.things):
        assert study.uses.of(number).times_taken == taken[number], thing
        assert study.uses.of(number).when.count == taken[number]


def test_watched_plays_are_those_that_are_not_watched(dice: Game) -> None:
    plain = simulate(dice, dice.variant(), BOTS, range(100))
    watched = watch(dice, dice.variant(), BOTS, range(100)).tally
    assert (plain.wins, plain.totals, plain.length) == (
        watched.wins,
        watched.totals,
        watched.length,
    )
    assert plain.options == watched.options


def test_parts_in_any_order_are_the_whole(dice: Game) -> None:
    variant = dice.variant(3)
    whole = watch(dice, variant, BOTS, range(90))
    joined = Playtest.empty(dice.compiled(variant))
    for first in (60, 0, 30):
        joined.join(watch(dice, variant, BOTS, range(first, first + 30)))
    assert joined == whole


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_engines_come_to_the_same(dice: Game, engine: EngineName) -> None:
    python = watch(dice, dice.variant(), BOTS, range(40))
    assert watch(dice, dice.variant(), BOTS, range(40), engine) == python


def test_things_are_rows_actions_and_options(dice: Game) -> None:
    things = Recorder(dice.compiled(dice.variant())).things
    assert things.all == (
        Thing("Charm", "charm", True),
        Thing("Charm", "wreath", True),
        Thing("action", "take"),
        Thing("play", "leave"),
    )
    study = watch(dice, dice.variant(), BOTS, range(100))
    assert [thing.name for thing, _ in study.uses.never] == ["wreath"]
    charm, wreath, take, leave = (study.uses.of(number) for number in range(4))
    assert wreath.seen == 100
    assert charm.taken == take.taken == charm.held <= 100
    assert leave.offered == 100
    # a player who has taken it has nothing left to take
    assert take.times_offered < leave.times_offered


def test_turns_and_rounds_are_counted(dice: Game) -> None:
    whole = next(each for each in records(dice, 50) if len(each.decided) == 4)
    assert [(each.seat, each.turn, each.round) for each in whole.decided] == [
        (0, 1, 1),
        (1, 2, 1),
        (0, 3, 2),
        (1, 4, 2),
    ]
    assert whole.standings[0].totals == (0, 0)
    assert whole.standings[-1].decisions == 4
    assert whole.standings[-1].totals == whole.totals


def test_reasons_of_ends_are_counted(dice: Game) -> None:
    causes = watch(dice, dice.variant(), BOTS, range(300)).tally.causes
    lines = DICE.splitlines()
    throw, stop = (n for n, line in enumerate(lines, 1) if line.strip() == "end game")
    assert set(causes) == {
        Cause("", (0,)),
        Cause("throw", (throw,)),
        Cause("stop", (stop,)),
    }
    assert Cause("stop", (stop,)).text == f"`end game` in line {stop} (stop)"
    assert Cause("", (0,)).text == "`play` is done"


TRIGGER = """game "Trigger"
    players 2
state n: 0..9
play
    repeat
        each player
            choose one of
                option "on"
                    add 1 to n
                option "off"
                    if n > 1
                        end game
whenever n is 3
    end game
score of p
    item "n" = n
winner p by p.total then shared
"""


def test_triggers_that_end_a_game(tmp_path: Path) -> None:
    path = tmp_path / "trigger.game"
    path.write_text(TRIGGER, encoding="utf-8")
    game = load_game(path)
    causes = watch(game, game.variant(), BOTS, range(60)).tally.causes
    assert sorted(cause.text for cause in causes) == [
        "`end game` in line 12",
        "`end game` in line 14, by `whenever n is 3`",
    ]
    plain = simulate(game, game.variant(), BOTS, range(60)).causes
    assert plain == causes


def test_a_play_that_goes_on_and_on_is_given_up(
    dice: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.interpreter.simulation.playtest.LONGEST", 1)
    study = watch(dice, dice.variant(), BOTS, range(4))
    assert (study.tally.plays, study.tally.unfinished) == (0, 4)
    assert study.uses.by_worth() == []


# Both roll a die once; the charm adds 2.
ROLL = """game "Roll"
    players 2
player
    state points: 0..9
play
    each player
        choose one of
            option "charm"
                add 2 to me.points
            option "plain"
    each player
        roll n in 1..6
        add n to me.points
score of p
    item "points" = p.points
winner p by p.total then shared
"""


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say(tmp_path: Path) -> None:
    path = tmp_path / "roll.game"
    path.write_text(ROLL, encoding="utf-8")
    game = load_game(path)
    rolls = range(1, 7)
    cases = [
        (a + 2 * mine >= b + 2 * other, mine, a + 2 * mine)
        for a, b, mine, other in product(rolls, rolls, (0, 1), (0, 1))
    ]
    charmed = [(won, points) for won, mine, points in cases if mine]
    plain = [(won, points) for won, mine, points in cases if not mine]
    wins = (sum(won for won, _ in charmed) - sum(won for won, _ in plain)) / len(plain)
    held = Counter[str]()
    batches = 150
    for batch in range(batches):
        study = watch(game, game.variant(), BOTS, range(batch * 50, batch * 50 + 50))
        use = study.uses.of(study.uses.things.index(Thing("play", "charm")))
        won, points = (
            use.taking.wins.difference(is_share=True),
            use.taking.points.difference(is_share=False),
        )
        assert won is not None
        assert points is not None
        held["wins"] += won.interval[0] <= wins <= won.interval[1]
        held["points"] += points.interval[0] <= 2 <= points.interval[1]
        mean = study.tally.totals.seats[0].interval
        assert mean is not None
        held["mean"] += mean[0] <= 4.5 <= mean[1]
        chance = study.tally.equal_seats_chance
        held["chance"] += chance is not None and chance >= 0.05
    for what, times in held.items():
        assert 0.9 * batches <= times <= 0.99 * batches, what


def test_a_tally_can_be_empty(dice: Game) -> None:
    tally = Tally.empty(dice.compiled(dice.variant()).program)
    assert tally.equal_seats_chance is None
    assert tally.margins.quantiles() == []


def test_options_no_player_can_take_are_not_reported_unused() -> None:
    """In Connect Four players choose columns, not cells, and there are no points."""
    game = load_game("connect_four")
    uses = watch(game, game.variant(), BOTS, range(10)).uses
    assert uses.never == []
    assert {finding.points for finding in uses.by_worth()} == {None}
