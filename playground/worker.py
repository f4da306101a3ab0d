"""Answer a page that edits: a folder with one game is edited, checked and played by messages.

Besides the messages of `Host`, the worker answers calls of the methods of `Folder` and runs command lines.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from rulewright.interpreter.engines.modules import Find
from rulewright.interpreter.matches.game import load_game
from rulewright.playground.folder import Folder
from rulewright.playground.host import BadFileError, Host

_COMMANDS = ("check", "leaks", "perft", "show", "simulate", "test", "witness")
"""Commands that a page may run: they read the folder and write nothing."""


class Worker(Host):
    """One game in one folder.

    `command` runs a command line, and `report` is called with lines about work that takes longer. `native`
    finds native code by name (`rulewright.interpreter.engines.modules`). `is_there` returns whether an
    address of the page still exists.
    """

    def __init__(
        self,
        root: Path,
        command: Callable[[Sequence[str]], int],
        report: Callable[[str], None] = lambda text: None,
        native: Find = lambda name: None,
        is_there: Callable[[str], bool] = lambda address: True,
    ) -> None:
        self.folder = Folder(root, is_there)
        super().__init__(lambda: load_game(self.folder.main), native)
        self._command = command
        self._report = report
        self.asks |= {
            "open": self._open,
            "write": self._write,
            "remove": self._remove,
            "run": self._run,
            "pack": self.folder.pack,
            "unpack": self.folder.unpack,
            "problems": self.folder.problems,
            "more_problems": self.folder.more_problems,
            "colours": self.folder.colours,
            "complete": self.folder.complete,
            "hover": self.folder.hover,
            "definition": self.folder.definition,
            "outline": self.folder.outline,
            "formatted": self.folder.format_edits,
            "fixes": self.folder.fixes,
            "rename": self.folder.rename,
        }

    # ---- the folder ----

    def _open(self, files: dict[str, str], main: str) -> list[str]:
        if not self.folder.open(files, main):
            self.forget()
        return [*files]

    def _write(self, file: str, text: str) -> None:
        self.folder.write(file, text)
        self.forget()

    def _remove(self, file: str) -> None:
        self.folder.remove(file)
        self.forget()

    # ---- commands ----

    def _run(self, command: str) -> dict[str, object]:
        """Run a command line such as `simulate --games 100`, which need not name the game."""
        try:
            words = shlex.split(command)
        except ValueError as failure:
            raise BadFileError(f"this is not a command line: {failure}") from None
        if not words or words[0] not in _COMMANDS:
            raise BadFileError(f"write one of {', '.join(_COMMANDS)}")
        options = [words[0], self.folder.main.name, *words[1:]]
        out, report = io.StringIO(), _Lines(self._report)
        with self.folder.here(), redirect_stdout(out), redirect_stderr(report):
            code = self._command(options)
        return {"code": int(code), "out": out.getvalue(), "err": report.text}


class _Lines(io.StringIO):
    """A standard error stream that passes on each line at once."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__()
        self._pass_on = report
        self.text = ""

    def write(self, text: str) -> int:
        """Collect some text, and pass on its lines."""
        self.text += text
        for line in text.splitlines():
            if line.strip():
                self._pass_on(line)
        return len(text)
