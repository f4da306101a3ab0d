"""Progress appears soon on standard error, interrupted searches return partial results, and abandoned games name a
remedy.
"""

from __future__ import annotations

import re
from pathlib import Path
from time import sleep

import pytest

from rulewright.cli.exits import Exit
from rulewright.cli.jobs import soonest as choosing
from rulewright.cli.progress import Progress
from rulewright.interpreter.engines.engines import engine_names, name_of
from rulewright.interpreter.matches.game import load_game
from tests.cli.conftest import Command

ENDLESS = """game "Endless"
    players 2

option turns = 0, 3

state left: 0..9 = 9

play
    repeat
        each player
            choose one of
                option "wait"
                    if turns is 3
                        lose 1 from left
                    if left is 0
                        do finish

rule finish
    end game

score of p
    item "points" = 1

winner p by p.total then shared
"""


def test_a_line_comes_soon_and_counts_decisions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rulewright.cli.progress.PATIENCE", 0.01)
    with Progress(40, "games", "playing market") as progress:
        progress.tick(3, 4_500)
        said = ""
        for _ in range(600):
            shown = capsys.readouterr()
            assert shown.out == ""
            said += shown.err
            if "\n" in said:
                break
            sleep(0.1)
    assert re.match(r"playing market: 3 of 40 games, 4,500 decisions \(7 %\), \d+ s[,\n]", said)


def test_the_rate_and_the_time_that_is_left_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("rulewright.cli.progress.monotonic", lambda: now[0])
    progress = Progress(40, "games", "playing market with normal bots")
    now[0] = 110.0
    assert progress.line == "playing market with normal bots: 0 of 40 games (0 %), 10 s"
    progress.tick(5)
    assert progress.line.endswith("5 of 40 games (12 %), 10 s, 0.5 a second, 70 s left")
    now[0] = 114.0
    assert progress.line.endswith("5 of 40 games (12 %), 14 s, 0.5 a second, 66 s left")
    now[0] = 120.0
    progress.tick(35)
    assert progress.line.endswith("40 of 40 games (100 %), 20 s, 2 a second, 0 s left")


def test_fast_work_shows_no_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rulewright.cli.progress.PATIENCE", 3600.0)  # nothing on a busy machine
    with Progress(1, "games") as progress:
        progress.tick()
    assert capsys.readouterr().err == ""


def test_given_up_games_name_a_cure(command: Command) -> None:
    Path("endless.game").write_text(ENDLESS, encoding="utf-8")
    ran = command("simulate", "endless.game", "--games", "2")
    assert ran.code == Exit.FINE
    assert "Endless: no game ended" in ran.out
    assert "2 games were given up after 10,000 decisions each" in ran.out
    assert "Endless has the option `turns`: `--set turns=3`" in ran.out
    assert "0.0 %" not in ran.out
    assert (
        "given up"
        not in command("simulate", "endless.game", "--games", "2", "--set", "turns=3").out
    )


@pytest.mark.skipif("native" not in engine_names(), reason="needs llvmlite")
def test_the_first_playout_chooses_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("connect_four")
    variant = game.variant()
    bots = ("random", "random")
    monkeypatch.setattr(choosing, "_seconds", lambda *_: 0.001)
    assert name_of(choosing.soonest(game, variant, bots, 1).engine) == "python"
    assert name_of(choosing.soonest(game, variant, bots, 10_000).engine) == "native"
    monkeypatch.setattr(choosing, "_seconds", lambda *_: None)
    assert name_of(choosing.soonest(game, variant, ("greedy", "greedy"), 1).engine) == "native"


def test_a_playout_that_takes_long_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("connect_four")
    monkeypatch.setattr(choosing, "PATIENCE", 3600.0)
    assert choosing._seconds(game, game.variant(), ("greedy", "random")) is not None
    monkeypatch.setattr(choosing, "PATIENCE", 0.0)
    assert choosing._seconds(game, game.variant(), ("greedy", "random")) is None


def interrupts(after: int):  # type: ignore[no-untyped-def]  # a stand-in for any function
    calls = []

    def stop(*_: object, **__: object) -> None:
        calls.append(1)
        if len(calls) > after:
            raise KeyboardInterrupt

    return stop


def test_interrupted_searches_tell_what_they_have(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Progress, "tick", interrupts(2))
    ran = command("leaks", "love_letter", "--games", "9", "--pairs", "1")
    assert ran.code == Exit.INTERRUPTED
    assert "3 games" in ran.out
    assert ran.err == "interrupted: the results of 3 games\n"
    monkeypatch.setattr(Progress, "tick", interrupts(1))  # the first one follows the compiler
    Path("endless.game").write_text(ENDLESS, encoding="utf-8")
    ran = command("witness", "endless.game", "finish", "--set", "turns=0", "--games", "9")
    assert ran.code == Exit.INTERRUPTED
    assert "was not reached in 0 games" in ran.err


def test_leaks_end_after_some_positions(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.cli.commands.leaks.POSITIONS", 300)
    ran = command("leaks", "love_letter")
    assert "`--games " in ran.out.splitlines()[-1]


def test_without_threads_a_line_comes_when_something_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rulewright.cli.progress.HAS_THREADS", False)
    monkeypatch.setattr("rulewright.cli.progress.PATIENCE", 0.0)
    with Progress(4, "games") as progress:
        progress.tick()
        assert capsys.readouterr().err.startswith("1 of 4 games (25 %)")
        assert not progress._thread.is_alive()


def test_witness_tells_that_it_compiles(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.cli.progress.HAS_THREADS", False)
    monkeypatch.setattr("rulewright.cli.progress.PATIENCE", 0.0)
    ran = command("witness", "pig", "take_a_turn", "--players", "2", "--save", "found.play")
    assert ran.code == Exit.FINE
    assert ran.err.startswith("compiling the rules: 1 of 1 variants (100 %)")
