"""The games `four` and `cards` are written by hand; everything else is as for users."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import attrs
import pytest

from rulewright.cli.app import run
from rulewright.interpreter.matches import game as games
from rulewright.interpreter.matches.game import Game
from tests.interpreter.handmade import cards, four

HANDMADE = {"four": four, "cards": cards}


@attrs.frozen
class Ran:
    """The exit code and the output of a command line."""

    code: int
    out: str
    err: str


Command = Callable[..., Ran]


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    """Runs a command line in a separate folder; `typed` are the lines on standard input."""
    load_game = games.load_game

    def load(
        name_or_path: str | Path, *, tables: Path | None = None, allow_outside: bool = False
    ) -> Game:
        make = HANDMADE.get(str(name_or_path))
        if make is None:
            return load_game(name_or_path, tables=tables, allow_outside=allow_outside)
        return attrs.evolve(make(), name=str(name_or_path))

    monkeypatch.setattr(games, "load_game", load)
    # the expected text on standard error must not depend on the load of the machine
    monkeypatch.setattr("rulewright.cli.progress.PATIENCE", 3600.0)
    monkeypatch.chdir(tmp_path)

    def ran(*words: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", StringIO(typed))
        code = run(words)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return ran
