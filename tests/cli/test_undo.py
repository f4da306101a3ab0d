"""`undo` asks before it takes back a choice that has revealed something, and can be forbidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli.exits import Exit
from tests.cli.conftest import Command

GAME = """game "Draw"
    players 1..2

piece Card from "cards.csv"
    copies = 3

zone deck: pile of Card, seen by nobody except size

setup
    move all from Card to deck
    shuffle deck

player
    zone hand: set of Card, seen by owner except size
    state points: 0..99

play
    repeat 3 times
        each player
            choose one of
                option "draw"
                    move up to 1 from deck to me.hand
                option "roll"
                    roll die in 1..6
                    add die to me.points
                option "shuffle"
                    shuffle deck
                option "wait"
                    skip

score of p
    item "points" = p.points

winner p by p.total then shared
"""
ASKED = "take it back all the same? (yes or no) > "


@pytest.fixture
def game(command: Command, tmp_path: Path) -> str:
    (tmp_path / "draw.game").write_text(GAME, encoding="utf-8")
    (tmp_path / "cards.csv").write_text("name\nblack ace\nred queen\n", encoding="utf-8")
    return "draw.game"


def play_output(command: Command, game: str, typed: str, *words: str) -> str:
    ran = command("play", game, "--players", "1", "--seed", "1", *words, typed=typed)
    assert ran.code == Exit.FINE
    return ran.out


def test_a_die_was_rolled(command: Command, game: str) -> None:
    out = play_output(command, game, "roll\nundo\nno\nlook score\nundo\nyes\nlook score\n")
    assert out.count("this choice has already revealed: a result of chance") == 2
    assert out.count(ASKED) == 2
    assert out.index("nothing is taken back") < out.index("  taken back")


def test_a_card_was_drawn(command: Command, game: str) -> None:
    out = play_output(command, game, "draw\nundo\nyes\n")
    shown = out.partition("this choice has already revealed: ")[2].partition("\n")[0]
    assert shown in ("black ace", "red queen")
    assert "  taken back" in out


@pytest.mark.parametrize("choice", ["wait", "shuffle"])
def test_undo_does_not_ask_where_nothing_was_shown(
    command: Command, game: str, choice: str
) -> None:
    out = play_output(command, game, f"{choice}\nundo\n")
    assert ASKED not in out
    assert "  taken back" in out


def test_undo_hides_secret_draws_of_bots(command: Command, game: str) -> None:
    for seed in range(6):
        ran = command("play", game, "--seed", str(seed), "--seat", "2=random", typed="wait\nundo\n")
        rolled = " rolls" in ran.out or "result of chance" in ran.out
        assert rolled or ASKED not in ran.out


def test_undo_is_forbidden(command: Command, game: str) -> None:
    out = play_output(command, game, "wait\nundo\nhelp\n", "--no-undo")
    assert "nothing is taken back in this match: it was started with `--no-undo`" in out
    assert "take back your last choice" not in out
    assert "  taken back" not in out


def test_resume_names_the_file_of_a_match(command: Command, game: str) -> None:
    play_output(command, game, "wait\nsave mine.play\nquit\n")
    ran = command("play", game, "--resume")
    assert ran.code == Exit.USAGE
    assert "the last one is in a file: `--load " in ran.err
    assert "mine.play`" in "".join(ran.err.split())
    Path("mine.play").unlink()
    assert "--load" not in command("play", game, "--resume").err
