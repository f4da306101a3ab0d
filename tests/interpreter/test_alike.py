"""Of copies that nothing tells apart one is offered; what lies on them and what points to them tells them apart."""

from pathlib import Path
from typing import get_args

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.plays.game import load_game

CHESTS = """\
game "Chests"
    players 2
token coin
piece Chest
    copies = 3
    row iron_chest
    row oak_chest
    zone inside: tokens of coin
    state is_locked: Flag
zone chests: set of Chest
zone purse: tokens of coin = 4
state watched: Chest or nothing = nothing
setup
    move all from Chest to chests
play
    repeat 6 times
        each player
            choose one of
                do fill
                do lock
                option "watch"
                    surely choose chest in chests
                    set watched to chest
action fill(chest in chests)
    move up to 1 from purse to chest.inside
action lock(chest in chests where chest.inside is empty)
    set chest.is_locked to yes
score of p
    item "one" = 1
winner p by p.total then shared
"""
FILL, LOCK = ("fill(iron_chest)", "fill(oak_chest)"), ("lock(iron_chest)", "lock(oak_chest)")


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_one_of_equal_copies_is_offered(engine: EngineName, tmp_path: Path) -> None:
    path = tmp_path / "chests.game"
    path.write_text(CHESTS)
    state = load_game(path).start(engine=engine)
    assert state.decision.names == [*FILL, *LOCK, "watch"]
    # One has a coin.
    state = state.choose("fill(iron_chest)")
    filled = ("fill(iron_chest)", "fill(iron_chest)#2", "fill(oak_chest)")
    assert state.decision.names == [*filled, *LOCK, "watch"]
    # Two have one each: they are alike again.
    state = state.choose("fill(iron_chest)#2")
    assert state.decision.names == [*filled, *LOCK, "watch"]
    # A lock tells them apart from the third one.
    state = state.choose("lock(oak_chest)")
    assert state.decision.names == [
        "fill(iron_chest)",
        "fill(iron_chest)#2",
        "fill(oak_chest)",
        "fill(oak_chest)#2",
        "lock(iron_chest)",
        "lock(oak_chest)",
        "lock(oak_chest)#2",
        "watch",
    ]


@pytest.mark.parametrize("engine", get_args(EngineName))
def test_what_is_pointed_to_is_offered_by_itself(engine: EngineName, tmp_path: Path) -> None:
    path = tmp_path / "chests.game"
    path.write_text(CHESTS)
    state = load_game(path).start(engine=engine).choose("watch").choose("oak_chest")
    names = [name for name in state.decision.names if "oak" in name]
    assert names == [
        "fill(oak_chest)",
        "fill(oak_chest)#2",
        "lock(oak_chest)",
        "lock(oak_chest)#2",
    ]
