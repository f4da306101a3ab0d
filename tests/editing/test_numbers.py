"""After an edit of how many there are, or of what is seen from afar, what is told is what a first look tells."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.editing.desk.checking import Memory
from tests.editing.test_earlier import found, problems

HOOKED = """\
game "Hooked"
    players 2
player
    state coins: 0..99
action earn
    say "earn"
    add 1 to me.coins
after earn as p where p.coins > 3
    add 1 to p.coins
play
    each player
        choose one of
            do earn
            option "rest"
                add 1 to me.coins
    end game
winner p by p.coins then shared
"""


def test_when_something_stands_behind_a_rule_is_asked_with_the_rule(tmp_path: Path) -> None:
    game = tmp_path / "hooked.game"
    files, memory = Files({game: HOOKED}), Memory()
    assert problems(files, game, found(files, game, memory)) == set()
    for condition, told in (("p is 3", {"wrong-type"}), ("p.coins > 4", set())):
        files.given[game] = HOOKED.replace("p.coins > 3", condition)
        again = problems(files, game, found(files, game, memory))
        fresh = load(game, files=Files(dict(files.given))).check()
        assert {one.code for one in fresh} == told
        assert again == {*map(repr, fresh)}
