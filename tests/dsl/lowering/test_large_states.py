"""Things that need more room than a state may have are reported at their declaration."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """\
game "Little"
    players 2
token chip
piece Card
    copies = 100
    {of_card}
{of_table}
player
    state coins: 0..9
    {of_player}
play
    each player
        add 1 to me.coins
    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""
LINES = {
    "of_table": "state round: 0..9",
    "of_player": "state luck: 0..9",
    "of_card": "state power: 0..9",
}


@pytest.mark.parametrize(
    ("place", "line", "said"),
    [
        ("of_table", "state s(a: 0..99999, b: 0..99999): 0..5 = 1", "10,000,000,000"),
        ("of_table", "zone decks(age: 1..99999999): pile of Card", "99,999,999"),
        ("of_table", "zone rows(age: 1..9999): row of 999 Card", "9,989,001"),
        ("of_table", "zone chips(n: 1..9999999): tokens of chip = 2", "9,999,999"),
        ("of_player", "state many: list of 0..5 up to 999999999", "2,000,000,000"),
        ("of_card", "state seen(n: 1..10001): Flag", "1,000,100"),
    ],
)
def test_too_much_to_keep(tmp_path: Path, place: str, line: str, said: str) -> None:
    path = tmp_path / "little.game"
    path.write_text(GAME.format(**{**LINES, place: line}), encoding="utf-8")
    found = [(p.code, p.message) for p in load(path).check() if p.severity.value == "error"]
    name = re.split(r"[ (:]", line)[1]
    assert found == [("not-storable", f"`{name}` would have {said} places (at most 1,000,000)")]
