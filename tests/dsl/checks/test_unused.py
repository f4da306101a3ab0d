"""Uses of names: hooks of a rule use its parameters, and `possible(...)` uses the rule in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """game "Pit"
    players 2
player
    state coins: 0..9 = 3
play
    repeat 3 times
        each player
            choose one of
                do dig
                option "rest"
action dig(depth in 1..3)
    do sink(depth, me)
rule sink(depth: 1..3, digger: Player)
    lose 1 from me.coins
{more}
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("more", "unused"),
    [
        ("", ["nothing uses `depth`", "nothing uses `digger`"]),
        ("after sink(n) as p where n > 1\n    add 1 to p.coins", ["nothing uses `digger`"]),
        ("after sink(n, who)\n    add n to who.coins", []),
        ("instead of sink(n, who)\n    add 1 to who.coins", ["nothing uses `depth`"]),
    ],
)
def test_a_parameter_is_used_by_what_hangs_on_its_rule(
    tmp_path: Path, more: str, unused: list[str]
) -> None:
    path = tmp_path / "pit.game"
    path.write_text(GAME.replace("{more}", more), encoding="utf-8")
    assert [problem.message for problem in load(path).check()] == unused


ASKED = """game "Pit"
    players 2
player
    state coins: 0..9 = 3
play
    repeat 3 times
        each player
            choose one of
                do dig
                option "rest"
action dig
    needs {condition} else "this is too easy"
    pay 1 from me.coins
rule both
    do twice
rule twice
    pay 2 from me.coins
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("condition", "unreachable"),
    [
        ("me.coins > 1", ["nothing calls the rule `both`", "nothing calls the rule `twice`"]),
        ("not possible(twice)", ["nothing calls the rule `both`"]),
        ("not possible(both)", []),
    ],
)
def test_asking_whether_a_rule_is_possible_uses_the_rule(
    tmp_path: Path, condition: str, unreachable: list[str]
) -> None:
    path = tmp_path / "pit.game"
    path.write_text(ASKED.replace("{condition}", condition), encoding="utf-8")
    assert [problem.message for problem in load(path).check()] == unreachable
