"""`at once`: no trigger runs during the steps, also in called rules; afterwards each trigger runs once."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.testing.scenarios import run_scenarios
from tests.interpreter.lockstep import Runners, lockstep

GAME = """\
game "Once"
    players 2
piece Card
    row a
    row b
zone deck: pile of Card
state entered: 0..99
state left_it: 0..99
state poor: 0..99
state changes: 0..99
player
    zone hand: set of Card
    state coins: 0..20 = 5
setup
    move all from Card to deck
whenever card enters p.hand
    add 1 to entered
    add 1 to p.coins
whenever card leaves p.hand
    add 1 to left_it
whenever p.coins < 3 for p in players
    add 1 to poor
whenever p.coins changes by d for p in players
    add 1 to changes
rule take
    move up to 1 from deck to me.hand
    lose 4 from me.coins
rule give_back
    move all from me.hand to deck
    add 4 to me.coins
rule swap
    at once
        do take
        do give_back
rule all_in_one
    at once
        do take
        at once
            do take
        move all from me.left.hand to me.hand
rule swap_hands
    let mine = list(c in me.hand)
    let theirs = list(c in me.left.hand)
    at once
        move mine to me.left.hand
        move theirs to me.hand
rule leave_loop
    repeat 3 times
        at once
            lose 4 from me.coins
            if me.coins < 3
                stop
            add 4 to me.coins
rule choosing
    at once
        do take
        choose one of
            option "back"
                do give_back
            option "keep"
                log "kept"
play
    repeat 5 times
        each player
            choose one of
                option "swap"
                    do swap
                option "both"
                    do all_in_one
                option "hands"
                    do swap_hands
                option "leave"
                    do leave_loop
                option "choosing"
                    do choosing
score of p
    item "points" = p.coins
winner p by p.total then shared
"""
SCENES = """\
game "once.game"

scenario "swap"
    player ann, bob
    ann plays swap
    expect entered is 0 and left_it is 0 and poor is 0 and changes is 0 and deck.size is 2

scenario "both"
    player ann, bob
    ann plays both
    expect entered is 2 and left_it is 0 and ann.coins is 2 and ann.hand.size is 2
    expect poor is 1
    expect changes is 2

scenario "hands"
    player ann, bob
    given
        move a to ann.hand
        move b to bob.hand
    expect entered is 0
    ann plays hands
    expect entered is 2 and left_it is 2
    expect b in ann.hand and a in bob.hand

scenario "leave"
    player ann, bob
    ann plays leave
    expect poor is 1 and changes is 1 and ann.coins is 1

scenario "choosing"
    player ann, bob
    ann plays choosing
    ann plays back
    expect entered is 0 and left_it is 0 and poor is 0 and changes is 0
    bob plays choosing
    bob plays keep
    expect entered is 1 and poor is 1 and bob.coins is 2
"""
ASKING = GAME.replace(
    """
    add 1 to entered
    add 1 to p.coins
""",
    """
    as p
        may "get a coin for the {card}"
            add 1 to entered
            add 1 to p.coins
""",
)
ASKED = """\
game "once.game"

scenario "each piece that has come is asked about, when all is done"
    player ann, bob
    ann plays both
    expect a in ann.hand and b in ann.hand and ann.coins is 0 and poor is 0
    ann plays yes
    expect ann.coins is 1 and entered is 1 and poor is 1
    ann plays no
    expect entered is 1
    bob plays hands
    expect a in bob.hand and left_it is 2
    bob plays yes
    bob plays yes
    expect entered is 3
    ann plays swap
    bob plays leave
    expect bob.coins is 7
"""


def write_files(tmp_path: Path, game: str, scenes: str) -> Path:
    (tmp_path / "once.game").write_text(game, encoding="utf-8")
    path = tmp_path / "once.scenario"
    path.write_text(scenes, encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ["reference", "python"])
@pytest.mark.parametrize(("game", "scenes"), [(GAME, SCENES), (ASKING, ASKED)])
def test_scenarios_play_decisions_made_at_once(
    tmp_path: Path, game: str, scenes: str, engine: EngineName
) -> None:
    loaded = load_scenarios(write_files(tmp_path, game, scenes))
    assert not loaded.check()
    found = [result for program in loaded.programs for result in run_scenarios(program, engine)]
    assert found and [result.failure for result in found] == [None] * len(found)


@pytest.mark.parametrize("game", [GAME, ASKING])
def test_deciding_at_once_is_the_same_on_every_engine(tmp_path: Path, game: str) -> None:
    write_files(tmp_path, game, SCENES)
    loaded = load(tmp_path / "once.game")
    assert not loaded.check()
    program = loaded.program(2, {})
    assert program is not None
    runners = Runners(program)
    for seed in range(3):
        assert lockstep(runners, seed, 100).fault is None
