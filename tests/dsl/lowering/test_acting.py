"""A rule that needs an acting player may not be called where nobody acts, whatever it needs the player for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load

GAME = """game "Nobody"
    players 2

state pot: 0..99

player
    state coins: 0..9 = 1

value savings(n: 0..9) = me.coins + n
value both of p: Player = p.coins + me.coins

play
    do start
    end game

rule start
    do fill

winner p by p.coins then shared

"""


def _messages(folder: Path, rules: str) -> list[str]:
    path = folder / "nobody.game"
    return [one.message for one in load(path, files=Files({path: GAME + rules})).check()]


@pytest.mark.parametrize(
    "rules",
    [
        "rule fill\n    add me.coins to pot\n",
        "rule fill\n    add savings(1) to pot\n",
        "rule fill\n    for each p in players\n        add p.both to pot\n",
        "rule fill\n    add 1 to pot\nafter fill\n    add me.coins to pot\n",
        "rule fill\n    add 1 to pot\nafter fill as p\n    add p.coins to pot\n",
        "rule fill\n    for each p in players, any order\n        add p.coins to pot\n",
        "rule fill\n    do take\naction take(n in 1..2)\n    add n to pot\n",
        "rule fill\n    each player from me.left\n        add me.coins to pot\n",
        "rule fill\n    as me\n        add 1 to pot\n",
        "rule fill\n    if possible(take)\n        add 1 to pot\naction take\n    pay 1 from pot\n",
    ],
)
def test_a_rule_that_needs_an_acting_player_is_refused(tmp_path: Path, rules: str) -> None:
    refusal = "`start` uses `me` or asks a player, but nobody is acting here"
    assert refusal in _messages(tmp_path, rules)


@pytest.mark.parametrize(
    "rules",
    [
        "rule fill\n    each player where me.coins > 0\n        add savings(1) to pot\n",
        "rule fill\n    each player\n        do take\naction take(n in 1..2)\n    add n to pot\n",
        "rule fill\n    for each p in players\n        as p\n            add p.both to pot\n",
    ],
)
def test_in_turns_of_players_somebody_acts(tmp_path: Path, rules: str) -> None:
    assert "nobody is acting" not in "\n".join(_messages(tmp_path, rules))


TRIGGER = "this step may fire a trigger that uses `me` or asks a player, but nobody is acting here"
FILL = 'rule fill\n    log "full"\n'
CARDS = "piece Card\n    row low\n"


def _with_step(folder: Path, step: str, rules: str) -> list[str]:
    path = folder / "nobody.game"
    text = GAME.replace("    do start\n", f"    do start\n    {step}\n", 1)
    text = text.replace(
        "player\n", f"zone deck: pile of Card\n{CARDS}player\n    zone hand: pile of Card\n", 1
    )
    return [one.message for one in load(path, files=Files({path: text + rules})).check()]


@pytest.mark.parametrize(
    "rules",
    [
        "whenever pot > 3\n    add me.coins to pot\n",
        "whenever pot changes by d\n    add savings(d) to pot\n",
        "whenever pot > 3\n    choose n in 1..2\n    add n to pot\n",
        "whenever pot > 3\n    do more\nrule more\n    lose 1 from me.coins\n",
        # One trigger fires the next one.
        "whenever pot > 3\n    set pot to 0\nwhenever pot is 0\n    add 1 to me.coins\n",
    ],
)
def test_a_step_that_fires_a_trigger_for_nobody_is_refused(tmp_path: Path, rules: str) -> None:
    assert TRIGGER in _with_step(tmp_path, "add 4 to pot", f"{FILL}{rules}")


@pytest.mark.parametrize("step", ["move low to deck", "do put"])
def test_a_move_that_fires_a_trigger_for_nobody_is_refused(tmp_path: Path, step: str) -> None:
    rules = f"{FILL}rule put\n    move low to deck\n"
    rules += "whenever c enters deck\n    add 1 to me.coins\n"
    refusal = "`put` uses `me` or asks a player, but nobody is acting here"
    found = _with_step(tmp_path, step, rules)
    assert (refusal if step == "do put" else TRIGGER) in found


@pytest.mark.parametrize(
    ("step", "rules"),
    [
        (
            "add 4 to pot",
            "whenever pot > 3 for p in players\n    as p\n        add 1 to me.coins\n",
        ),
        ("each player\n        add 4 to pot", "whenever pot > 3\n    add 1 to me.coins\n"),
        # `me` is the owner of the zone.
        (
            "move low to sure(players.first).hand",
            "whenever c enters me.hand\n    add 1 to me.coins\n",
        ),
        # There are no triggers during setup.
        (
            'log "x"',
            (
                "setup\n    add 4 to pot\n    do give\nrule give\n    add 1 to pot\n"
                "whenever pot > 3\n    add 1 to me.coins\n"
            ),
        ),
    ],
)
def test_triggers_may_act_for_a_player(tmp_path: Path, step: str, rules: str) -> None:
    found = _with_step(tmp_path, step, f"{FILL}{rules}")
    assert "nobody is acting" not in "\n".join(found)
