"""Endless runs: each stops as a fault, on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import load_game, playout
from rulewright.interpreter.text.faults import RuleFault

HEAD = """game "On and on"
    players 2
state x: 0..999999999
player
    state coins: 0..9
score of p
    item "coins" = p.coins + x
winner p by p.total then shared
play
"""
ENDLESS = {
    "for each k in 1..20000": """
    for each i in 1..20000
        for each j in 1..20000
            for each k in 1..20000
                set x to 9 - min(9, i + j + k)
""",
    "for each i in 1..20000": """
    do first
rule first
    for each i in 1..20000
        do second(i)
rule second(n: 1..20000)
    for each i in 1..20000
        do third(n, i)
rule third(n: 1..20000, m: 1..20000)
    for each i in 1..9
        set x to 9 - min(9, n + m + i)
""",
    "repeat until x > 999999000": """
    repeat until x > 999999000
        add 1 to x
""",
    "repeat 900000000 times": """
    repeat 900000000 times
        add 1 to x
""",
    "repeat 902 times": """
    repeat 900 times
        repeat 901 times
            repeat 902 times
                set x to 9 - x
""",
    "repeat until x is 7": """
    repeat until x is 7
        roll x in 1..6
""",
    "repeat until deck.size is 9": """
    move all from Card to deck
    repeat until deck.size is 9
        move all from deck to gone
piece Card
    copies = 3
zone deck: pile of Card
zone gone: pile of Card
whenever deck is empty
    move all from gone to deck
    shuffle deck
""",
    "repeat until x > 999999001": """
    repeat 3 times
        add 1 to x
    repeat 2 times
        repeat until x > 999999001
            do step
rule step
    add 1 to x
    do other(1)
rule other(n: 1..2)
    add 1 to x
after step
    repeat 2 times
        do other(2)
after other(n)
    if x is 0
        each player
            choose m in 1..3
            set x to m + n
""",
    "repeat while x > 0": """
    do step
    log "done"
rule step
    each player
        repeat while x > 0
            add 1 to x
            do small
        add 1 to x
        repeat while x > 0
            add 1 to x
            do small
rule small
    add 1 to x
after small
    if x is 0
        choose m in 1..3
        set x to m
""",
}
"""Endless matches, by the loop that never ends."""
ENDING = """
    repeat 300 times
        repeat 300 times
            add 1 to x
    repeat 400 times
        roll n in 1..6
        add n to x
"""

ENGINES = pytest.mark.parametrize(
    "engine",
    [
        pytest.param("python", marks=pytest.mark.slow),
        pytest.param("reference", marks=pytest.mark.deep),
    ],
)


@ENGINES
@pytest.mark.parametrize("name", ENDLESS)
def test_a_loop_without_progress_stops(tmp_path: Path, name: str, engine: EngineName) -> None:
    path = tmp_path / "on.game"
    path.write_text(HEAD + ENDLESS[name].lstrip("\n"), encoding="utf-8")
    with pytest.raises(RuleFault) as caught:
        load_game(path).start(players=2, seed=1, engine=engine)
    assert caught.value.code == "no-progress"
    assert caught.value.span is not None
    assert caught.value.span.text.partition("\n")[0] == name


AFTER_A_CHOICE = """
    each player
        choose one of
            option "go"
                add 1 to me.coins
    repeat until x is 7
        roll x in 1..6
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "reference", "native"])
def test_a_play_at_random_stops(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "on.game"
    path.write_text(HEAD + AFTER_A_CHOICE.lstrip("\n"), encoding="utf-8")
    compiled = load_game(path).compiled(load_game(path).variant(2), engine)
    with pytest.raises(RuleFault) as caught:
        playout(compiled, 1)
    assert caught.value.code == "no-progress"
    assert caught.value.span is not None
    assert caught.value.span.text.startswith("repeat until x is 7")


@ENGINES
def test_much_is_not_endless(tmp_path: Path, engine: EngineName) -> None:
    path = tmp_path / "much.game"
    path.write_text(HEAD + ENDING.lstrip("\n"), encoding="utf-8")
    assert load_game(path).start(players=2, seed=1, engine=engine).over
