"""The examples of `--help` run unchanged; examples with many games get fewer here."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest

from rulewright.cli.app import modules
from rulewright.cli.exits import Exit
from tests.cli.conftest import Command
from tests.interpreter.leaking import LEAKING, let_secrets_pass

FEW = {"--games": "2", "--jobs": "1", "--seconds": "0.02", "--depth": "2"}
NOT_RUN = ("compare", "export", "lsp", "serve", "site", "stdio")
"""Separate tests cover these: one needs two versions, the others wait for a program or are for a browser."""

LONG = re.compile(r"ginkgopolis|colonial|rulewright train")
"""Examples that take seconds."""


def examples() -> list[object]:
    found: list[str] = []
    for name in sorted(modules()):
        command: click.Command = import_module(modules()[name]).command
        assert command.epilog is not None
        lines = command.epilog.partition("Example:\n")[2].splitlines()
        lines = [line for line in lines if "--watch" not in line]  # goes on until it is stopped
        lines = [line for line in lines if name != "look" or " -o " in line]  # so does this
        found += [line.strip() for line in lines if name not in NOT_RUN]
    return [
        pytest.param(line, marks=[pytest.mark.deep] if LONG.search(line) else []) for line in found
    ]


def write(command: Command, folder: Path) -> None:
    """A user's game, with all its files."""
    command("new", "mygame")
    for path in sorted(Path("mygame").iterdir()):
        path.rename(folder / path.name)
    Path("mygame").rmdir()


def prepare(command: Command, words: list[str]) -> None:
    """The files that an example needs: a user's game, records, a pair of matches."""
    if any(word.startswith("games") for word in words):
        Path("games").mkdir()
        write(command, Path("games"))
        command("simulate", "games/mygame.game", "--games", "2", "--log", "games.log")
    for other in ("last_week/mygame.game", "old.game", "new.game"):
        if other in words:
            Path(other).parent.mkdir(exist_ok=True)
            write(command, Path(other).parent)
            Path(other).with_name("mygame.game").rename(other)
    if any("mygame" in word or word == "." for word in words):
        write(command, Path())
    if "evening.play" in words:
        recorded = next((word for word in ("old.game", "mygame.game") if word in words), "pig")
        command("simulate", recorded, "--games", "1", "--log", "evening.play")
    if "love_letter-1.leak" in words:
        Path("tell.game").write_text(LEAKING["log"][1], encoding="utf-8")
        command("leaks", "tell.game", "--games", "4", "--pairs", "8")
        Path("tell-1.leak").rename("love_letter-1.leak")
    if "--resume" in words:
        command("play", words[2], "--seed", "1", typed="1\nquit\n")


@pytest.mark.parametrize("line", examples())
def test_the_example_of_a_help_text_runs(
    line: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(Path.cwd() / "state"))
    let_secrets_pass(monkeypatch)
    words = shlex.split(line)
    prepare(command, words)
    options = words[2:]
    for option, value in FEW.items():
        if option in options:
            options[options.index(option) + 1] = value
    if words[1] == "bench" and "--seconds" not in options:
        options += ["--seconds", FEW["--seconds"]]
    if words[1] == "ledger":
        options += [] if "--games" in options else ["--games", "1"]
    expanded = [
        str(found)
        for word in options
        for found in (sorted(Path().glob(word)) if "*" in word else [word])
    ]
    ran = command(words[1], *expanded, typed="quit\n" * 3)
    fine = (Exit.FINE, Exit.PROBLEMS) if words[1] in ("leaks", "witness") else (Exit.FINE,)
    assert ran.code in fine, ran.err or ran.out
