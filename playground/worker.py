"""Answers a page: a folder with one game is edited, checked and played by messages.

Messages about matches are those of the protocol, answered by its `Service`. The others are methods of `Folder` and
`Worker`: the field `ask` names one, and the other fields are its arguments. A message and its answer are JSON.
"""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from rulewright.dsl.deep_calls import deeply
from rulewright.interpreter.engines.engines import name_of
from rulewright.interpreter.engines.modules import Find, look_for_modules
from rulewright.interpreter.matches.fastest import fastest, get_ready
from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.text.errors import BrokenGameError, NoSuchGameError, RequestError
from rulewright.pictures.beside import beside
from rulewright.playground.folder import BadFileError, Folder
from rulewright.protocol.messages import REQUESTS, Error
from rulewright.protocol.service import Service
from rulewright.protocol.wire import BadMessageError, answer_text, error, read_request

GAME = "game"
"""The name of the one game, for messages about matches."""
_COMMANDS = ("check", "leaks", "perft", "show", "simulate", "test", "witness")
"""Commands that a page may run: they read the folder and write nothing."""


class Worker:
    """One game in one folder.

    `command` runs a command line, and `told` gets lines about work that takes longer. `native` finds native code by
    name (`rulewright.interpreter.engines.modules`).
    """

    def __init__(
        self,
        root: Path,
        command: Callable[[Sequence[str]], int],
        told: Callable[[str], None] = lambda text: None,
        native: Find = lambda name: None,
    ) -> None:
        look_for_modules(native)
        self.folder = Folder(root)
        self._command = command
        self._told = told
        self._game: Game | None = None
        self._service = Service(self._load, lambda: (GAME,))
        self._asks: dict[str, Callable[..., object]] = {
            "open": self._open,
            "write": self._write,
            "remove": self._remove,
            "about": self._about,
            "engine": self._engine,
            "run": self._run,
            "pack": self.folder.pack,
            "unpack": self.folder.unpack,
            "problems": self.folder.problems,
            "colours": self.folder.colours,
            "complete": self.folder.complete,
            "hover": self.folder.hover,
            "definition": self.folder.definition,
            "outline": self.folder.outline,
            "formatted": self.folder.formatted,
            "fixes": self.folder.fixes,
            "rename": self.folder.rename,
        }

    def answer(self, text: str) -> str:
        """The answer to a message; one that cannot be met is answered with an error."""
        try:
            data = json.loads(text)
        except ValueError:
            data = None
        fields = data if isinstance(data, dict) else {}
        ask = fields.pop("ask", None)
        if not isinstance(ask, str) or (ask not in self._asks and ask not in REQUESTS):
            return _failure("there is no such message")
        if ask in REQUESTS:
            return self._of_the_protocol(text)
        try:
            found = deeply(self._asks[ask], **fields)
        except TypeError as failure:
            return _failure(f"`{ask}` does not take this: {failure}")
        except (BadFileError, BrokenGameError, NoSuchGameError, RequestError) as failure:
            return _failure(str(failure))
        return json.dumps({"answer": ask, "found": found}, ensure_ascii=False)

    def _of_the_protocol(self, text: str) -> str:
        try:
            id, request = read_request(text)
        except BadMessageError as failure:
            return error(failure)
        return answer_text(deeply(self._service.answer, request), id)

    # ---- the folder ----

    def _open(self, files: dict[str, str], main: str) -> list[str]:
        names = self.folder.open(files, main)
        self._forget()
        return names

    def _write(self, file: str, text: str) -> None:
        self.folder.write(file, text)
        self._forget()

    def _remove(self, file: str) -> None:
        self.folder.remove(file)
        self._forget()

    def _load(self, name: str) -> Game:
        if name != GAME:
            raise NoSuchGameError(f"there is no game `{name[:40]}`: the only one is `{GAME}`")
        if self._game is None:
            self._game = load_game(self.folder.main)
        return self._game

    def _forget(self) -> None:
        self._game = None
        self._service.forget(GAME)

    def _about(self) -> dict[str, object]:
        """The facts that a page needs before a match begins, with the stylesheet."""
        game = self._load(GAME)
        facts, looks = game.facts, beside(game, GAME)
        usual = game.variant(None)
        return {
            "title": facts.title,
            "author": facts.author,
            "fewest": facts.low,
            "most": facts.high,
            "players": usual.players,
            "options": [[name, [*values]] for name, values in facts.options],
            "css": looks.css,
            "problems": [f"{one.file}, line {one.line}: {one.message}" for one in looks.problems],
            "secrets": not game.compiled(usual).viewer.is_open,
        }

    def _engine(self, players: int, options: dict[str, str]) -> str:
        """The engine of the bots of a variant, which is then ready."""
        compiled = self._load(GAME).compiled(self._load(GAME).variant(players, options))
        get_ready(compiled)
        return name_of(fastest(compiled).engine)

    # ---- commands ----

    def _run(self, command: str) -> dict[str, object]:
        """Run a command line as `simulate --games 100`; the game need not be named."""
        try:
            words = shlex.split(command)
        except ValueError as failure:
            raise BadFileError(f"this is no command line: {failure}") from None
        if not words or words[0] not in _COMMANDS:
            raise BadFileError(f"write one of {', '.join(_COMMANDS)}")
        options = [words[0], self.folder.main.name, *words[1:]]
        out, told = io.StringIO(), _Lines(self._told)
        with self.folder.here(), redirect_stdout(out), redirect_stderr(told):
            code = self._command(options)
        return {"code": int(code), "out": out.getvalue(), "err": told.text}


class _Lines(io.StringIO):
    """Standard error whose lines are passed on as they come."""

    def __init__(self, told: Callable[[str], None]) -> None:
        super().__init__()
        self._pass_on = told
        self.text = ""

    def write(self, text: str) -> int:
        """Take some text."""
        self.text += text
        for line in text.splitlines():
            if line.strip():
                self._pass_on(line)
        return len(text)


def _failure(message: str) -> str:
    return answer_text(Error("bad-message", message))
