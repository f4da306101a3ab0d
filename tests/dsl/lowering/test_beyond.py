"""Steps of an action after another player's decision: the action cannot look ahead to them."""

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.loading import load

GAME = """game "Beyond"
    players 2
piece Card
    row one
    row two
zone deck: set of Card
player
    state coins: 0..9 = 3
setup
    move all from Card to deck
action act
    let rival = me.left
    as rival
{steps}
    pay 2 from me.coins
play
    each player
        choose one of
            do act
            option "wait"
score of p
    item "x" = p.coins
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("steps", "codes"),
    [
        ("for each c in deck, any order\n    add 1 to rival.coins", ["may-be-impossible"]),
        ('may "earn"\n    add 1 to rival.coins', ["may-be-impossible"]),
        ("for each c in deck\n    add 1 to rival.coins", []),
        ("if possible\n    pay 2 from rival.coins\notherwise\n    add 1 to rival.coins", []),
    ],
)
def test_a_decision_of_another_player_ends_the_view(
    tmp_path: Path, steps: str, codes: list[str]
) -> None:
    lines = "\n".join(f"        {line}" for line in steps.splitlines())
    path = tmp_path / "beyond.game"
    path.write_text(GAME.replace("{steps}", lines), encoding="utf-8")
    found = [problem.code for problem in load(path).check() if problem.severity is Severity.ERROR]
    assert found == codes
