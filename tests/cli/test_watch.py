"""`rulewright check --watch`: the screen shows the current problems after each save."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

import pytest

from rulewright.cli.exits import Exit
from rulewright.cli.watching import Watch
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.emit.core import Rules
from rulewright.dsl.lowering.whole import program
from tests.cli.conftest import Command
from tests.waiting import PATIENCE, until

START = (  # the process that started the tests may ignore Ctrl-C
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from rulewright.cli.entry import main; main()"
)

GAME = """\
game "Coins"
    players 2
include "rules.game"
play
    each player
        do take
        win me
    end game
"""
RULES = """\
player
    state coins: 0..9
rule take
    add 1 to me.coins
"""


class Screen:
    """The output of a running command so far."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-u", "-c", START, "check", "coins.game", "--watch"]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def shows(self, words: str) -> None:
        """Wait for a new line with these words."""
        until(lambda: any(words in line for line in self.lines))
        del self.lines[: next(at for at, line in enumerate(self.lines, 1) if words in line)]

    def end(self) -> int:
        """Press Ctrl-C, and return the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.mark.slow
def test_problems_are_shown_after_each_save(tmp_path: Path) -> None:
    (tmp_path / "coins.game").write_text(GAME)
    rules = tmp_path / "rules.game"
    rules.write_text(RULES)
    with Screen(tmp_path) as screen:
        screen.shows("no problems; watching 1 file")
        rules.write_text(RULES.replace("me.coins", "me.coin"))
        screen.shows("rules.game:4:")
        screen.shows("1 problem; watching 1 file")
        rules.write_text(RULES)
        screen.shows("no problems; watching 1 file")
        rules.unlink()
        screen.shows("the file `rules.game` cannot be read")
        assert screen.end() == Exit.PROBLEMS


def test_after_a_save_little_is_looked_at_and_all_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[str] = []
    usual = program._write_body

    def noting_write(rules: Rules, body: Body) -> None:
        lowered.append(body.key)
        usual(rules, body)

    monkeypatch.setattr(program, "_write_body", noting_write)
    game, rules = tmp_path / "coins.game", tmp_path / "rules.game"
    game.write_text(GAME)
    watched = Watch(lambda: [str(game)], Files(), Reach())

    def look(text: str) -> list[str]:
        """The messages about a text, which must equal those of a first check."""
        rules.write_text(text)
        lowered.clear()
        *_, shown = watched.look()
        looked_at = [*lowered]
        assert shown is not None
        assert [*map(repr, shown)] == [*map(repr, load(game).check())]
        lowered[:] = looked_at
        return [problem.message for problem in shown]

    bow = "rule bow\n    add 2 to me.coins\n"
    assert look(RULES + bow) == ["nothing calls the rule `bow`"]
    assert lowered == ["rule take", "rule bow"]
    assert look(RULES + bow.replace("2", "3")) == ["nothing calls the rule `bow`"]
    assert lowered == ["rule bow"]
    assert look(RULES.replace("1", "2 to 3")) == ["`to` does not fit into this `add` line"]
    assert look(RULES) == []
    assert lowered == []


def test_data_is_not_shown_again_and_again(command: Command) -> None:
    ran = command("check", "coins.game", "--watch", "--format", "json")
    assert ran.code == Exit.USAGE
    assert "--watch shows problems for people" in ran.err
