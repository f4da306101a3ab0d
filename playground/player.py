"""Answer a page that only plays one compiled game.

The compiler is imported only for a variant without a stored program.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.interpreter.engines.modules import Find
from rulewright.interpreter.matches.game import Game, Rules, game_of, load_game
from rulewright.playground.compiled_rules import CompiledRules
from rulewright.playground.host import Host


class Player(Host):
    """One compiled game; `find` returns its files by name, and `native` its native code by name."""

    def __init__(self, root: Path, find: Find, native: Find) -> None:
        self._root = root
        self._find = find
        self._main = ""
        super().__init__(self._compiled_game, native)
        self.asks["open"] = self._open

    def _open(self, files: dict[str, str], main: str) -> list[str]:
        """Write the files of the game, from which its looks and its rulebook are read."""
        for name, text in files.items():
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        if main != self._main:
            self._main = main
            self.forget()
        return [*files]

    def _compiled_game(self) -> Game:
        return game_of(self._main, CompiledRules(self._root, self._find, self._text))

    def _text(self) -> Rules:
        return load_game(self._root / self._main).rules
