"""Written numbers that count nothing are reported; computed numbers are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """\
game "Little"
    players 2..3
piece Card
    copies = 5
token chip
zone deck: pile of Card
zone bank: tokens of chip = 5
player
    zone hand: set of Card
    zone chips: tokens of chip
    state coins: 0..99
setup
    move all from Card to deck
play
    repeat 2 times
        each player
            roll face in 1..6
            add face to me.coins
            move up to 1 from deck to me.hand
            move up to 1 from bank to me.chips
            {step}
score of p
    item "coins" = p.coins + p.hand.size + p.chips.size
winner p by p.total then shared
"""


def problem_lines(folder: Path, step: str = "add 1 to me.coins") -> list[str]:
    path = folder / "little.game"
    path.write_text(GAME.format(step=step), encoding="utf-8")
    return [
        f"{problem.span.text}: {problem.message}; {problem.help}" for problem in load(path).check()
    ]


NONE = "write a number of 1 or more, or remove the line"


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "roll n in 1..-1\n            if n > 0\n                add n to me.coins",
            "1..-1: there are no numbers from 1 up to -1; write `-1..1`",
        ),
        (
            "for each n in 5..1\n                add n to me.coins",
            "5..1: there are no numbers from 5 up to 1; write `1..5`; to count down write `6 - n` for each n of them",
        ),
        ("surely move -1 from deck to me.hand", f"-1: this moves nothing; {NONE}"),
        ("surely move 0 from bank to me.chips", f"0: this moves nothing; {NONE}"),
        ("repeat 0 times\n                add 1 to me.coins", f"0: this repeats nothing; {NONE}"),
        (
            "choose c in me.hand, up to 0\n            move c to deck",
            f"0: this chooses nothing; {NONE}",
        ),
    ],
)
def test_a_step_that_counts_nothing(tmp_path: Path, step: str, said: str) -> None:
    assert said in problem_lines(tmp_path, step)


@pytest.mark.parametrize(
    "step",
    [
        "for each n in 1..player_count - 2\n                add n to me.coins",
        "move up to player_count - 2 from deck to me.hand",
        "for each n in 3..3\n                add n to me.coins",
    ],
)
def test_computed_counts_raise_no_problem(tmp_path: Path, step: str) -> None:
    assert problem_lines(tmp_path, step) == []


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "set small to me.coins",
            (
                "me.coins: `small` is 0..9, but this is a number 0..99; "
                "write a wider range where `small` is declared, or `min(me.coins, 9)`"
            ),
        ),
        (
            "let n: -5..20 = me.coins - 3\n            set small to n",
            (
                "n: `small` is 0..9, but this is a number -5..20; "
                "write a wider range where `small` is declared, or `max(0, min(n, 9))`"
            ),
        ),
        ("if me.coins <= 9\n                set small to me.coins", None),
        ("set small to min(me.coins, 9)", None),
        ("let n = me.coins + 1\n            set small to n", None),
        ("set me.coins to me.coins - 1", None),
    ],
)
def test_copied_values_have_a_wider_range(tmp_path: Path, step: str, said: str | None) -> None:
    added = "            if small > 8\n                end game\n"
    text = GAME.replace("setup\n", "state small: 0..9\nsetup\n").replace(
        "score of", added + "score of"
    )
    path = tmp_path / "little.game"
    path.write_text(text.format(step=step), encoding="utf-8")
    found = [f"{p.span.text}: {p.message}; {p.help}" for p in load(path).check()]
    assert found == ([] if said is None else [said])
