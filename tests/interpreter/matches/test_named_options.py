"""Names of options: names by authors, equal names, and records from before `named` existed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load_game
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.matches.replay import check_rules, replay
from rulewright.interpreter.text.errors import NoSuchOptionError
from rulewright.interpreter.text.faults import RuleFault

STALLS = """game "Stalls"
    players 2

piece Stall
    copies = 2
    row tea
    row noodles

zone street: row of 4 Stall
zone gone: set of Stall

player
    state coins: 0..99

setup
    each player
        set me.coins to 1
    for each stall in Stall
        move stall to street

play
    repeat 2 times
        each player
            choose one of
                do buy
                option "wait"

action buy(stall in street)
    add stall.position to me.coins
    move stall to gone

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""
RECORD = (
    '{"format":"rulewright record 1","game":"stalls.game","title":"Stalls",'
    '"rules":"389eb365d7898f06ddc62b3b033e213f930d29542f4d3915eeba4eeaf9dbae2d",'
    '"players":2,"options":{},"seed":2,"seats":["random","random"],'
    '"steps":["buy(noodles)","buy(tea)#2","buy(noodles)","wait"],'
    '"result":{"winners":[0],"scores":[[["coins",3]],[["coins",2]]]},"check":"2e66a07afb124e4c"}'
)
"""Recorded before `named` existed."""

MEETING = """game "Meeting"
    players 2
space Land
    row rome
    row pisa
    zone legions: set of Legion
piece Legion
    row old
    row new
setup
    move old to rome.legions
    move new to pisa.legions
play
    each player
        choose unit in Legion named pick(unit.place)
        move unit to pisa.legions
score of p
    item "points" = p.number
winner p by p.total then shared
"""


def _game(folder: Path, text: str) -> Game:
    path = folder / "small.game"
    path.write_text(text)
    return load_game(path)


def test_a_record_made_before_there_was_named_replays(tmp_path: Path) -> None:
    game = _game(tmp_path, STALLS)
    (record,) = parse_records(RECORD, "r")
    check_rules(record, game)
    assert record.is_whole
    match = replay(record, game)
    assert match.state.over


def test_a_name_tells_copies_apart_that_had_a_number_before(tmp_path: Path) -> None:
    named = "buy(stall in street) named buy(stall, stall.slot)"
    game = _game(tmp_path, STALLS.replace("buy(stall in street)", named))
    state = game.start()
    assert state.decision.names == [
        *("buy(tea, 1)", "buy(tea, 2)", "buy(noodles, 3)", "buy(noodles, 4)", "wait")
    ]
    state = state.choose("buy(tea, 2)")
    assert state.decision.names == ["buy(tea, 1)", "buy(noodles, 3)", "buy(noodles, 4)", "wait"]
    with pytest.raises(NoSuchOptionError):
        state.choose("buy(noodles)")


@pytest.mark.parametrize("engine", ["reference", "python", "native"])
def test_two_options_with_one_name_end_the_match(engine: EngineName, tmp_path: Path) -> None:
    state = _game(tmp_path, MEETING).start(engine=engine)
    assert state.decision.names == ["pick(rome)", "pick(pisa)"]
    with pytest.raises(
        RuleFault, match="two options of one decision have the name `pick`"
    ) as fault:
        state.choose("pick(rome)").decision.names  # noqa: B018 - it is asked for
    assert fault.value.code == "equal-options"


def test_a_name_changes_no_words_and_no_numbers(tmp_path: Path) -> None:
    said = '    say "buy the {stall}"\n    add stall.position'
    plain = _game(tmp_path, STALLS.replace("    add stall.position", said)).start()
    named = "buy(stall in street) named buy(stall, stall.slot)"
    other = tmp_path / "named"
    other.mkdir()
    text = STALLS.replace("    add stall.position", said).replace("buy(stall in street)", named)
    begun = _game(other, text).start()
    assert [o.text for o in begun.decision.options] == [o.text for o in plain.decision.options]
