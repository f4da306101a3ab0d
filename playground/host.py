"""Answer a page: matches of one game, by messages.

Messages about matches are those of the protocol, answered by its `Service`. All other messages are
functions in `asks`: the field `ask` names the function, and the other fields are its arguments. A message
and its answer are JSON.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from time import monotonic

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.engines.codegen.python import PythonEngine
from rulewright.interpreter.engines.engines import name_of
from rulewright.interpreter.engines.modules import Find, look_for_modules
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.text.errors import BrokenGameError, NoSuchGameError, RequestError
from rulewright.pictures.beside import beside
from rulewright.protocol.messages import REQUESTS, Error
from rulewright.protocol.service import RefusedError, Service
from rulewright.protocol.wire import BadMessageError, answer_text, error, read_request

GAME = "game"
"""The name of the one game, for messages about matches."""
SHORT = 0.01
"""The duration of a step while a person thinks, in seconds; a click waits until the step ends."""


class BadFileError(Exception):
    """Raised if a file cannot be part of a game in a browser; the text gives the reason."""


class Host:
    """The matches of one game.

    `load` reads the game at its first use. `native` finds native code by name
    (`rulewright.interpreter.engines.modules`).
    """

    def __init__(self, load: Callable[[], Game], native: Find) -> None:
        self._native = native
        self._read = load
        self._game: Game | None = None
        self._service = Service(self._load, lambda: (GAME,))
        self.asks: dict[str, Callable[..., object]] = {
            "about": self._about,
            "engine": self._engine,
            "prepare": self._prepare,
        }
        self.wake()

    def wake(self) -> None:
        """Start, perhaps from a memory snapshot of an earlier visit, so the random seed is drawn again."""
        look_for_modules(self._native)
        random.seed()

    def answer(self, text: str) -> str:
        """Return the answer to a message, or an error if the message cannot be carried out."""
        try:
            data = json.loads(text)
        except ValueError:
            data = None
        fields = data if isinstance(data, dict) else {}
        ask = fields.pop("ask", None)
        if not isinstance(ask, str) or (ask not in self.asks and ask not in REQUESTS):
            return error_answer("there is no such message")
        if ask in REQUESTS:
            return self._of_the_protocol(text)
        try:
            found = call_deeply(self.asks[ask], **fields)
        except TypeError as failure:
            return error_answer(f"`{ask}` does not take this: {failure}")
        except (
            BadFileError,
            BrokenGameError,
            NoSuchGameError,
            RefusedError,
            RequestError,
        ) as failure:
            return error_answer(str(failure))
        return json.dumps({"answer": ask, "found": found}, ensure_ascii=False)

    def _of_the_protocol(self, text: str) -> str:
        try:
            id, request = read_request(text)
        except BadMessageError as failure:
            return error(failure)
        return answer_text(call_deeply(self._service.answer, request), id)

    def _load(self, name: str) -> Game:
        if name != GAME:
            raise NoSuchGameError(f"there is no game `{name[:40]}`: the only one is `{GAME}`")
        if self._game is None:
            self._game = self._read()
        return self._game

    def forget(self) -> None:
        """Read the game again at its next use."""
        self._game = None
        self._service.forget(GAME)

    def _about(self) -> dict[str, object]:
        """Return the facts that a page needs before a match begins, with the stylesheet."""
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
        """Prepare the engine for the bots of a variant, and return its name."""
        compiled = self._load(GAME).compiled(self._load(GAME).variant(players, options))
        return name_of(get_ready(compiled).engine)

    def _prepare(self, match: str) -> bool:
        """Generate functions that the next decisions may need, in a short step; return False if none is
        left.
        """
        engine = self._service.engine(match)
        end = monotonic() + SHORT
        return isinstance(engine, PythonEngine) and engine.write_ahead(lambda: monotonic() > end)


def error_answer(message: str) -> str:
    """Return the answer to a message that cannot be carried out."""
    return answer_text(Error("bad-message", message))
