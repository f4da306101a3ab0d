"""The games that a server offers, and the rules of its tables: each table keeps the rules it began with."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import attrs

from rulewright.interpreter.matches.atomic_files import write_whole
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.text.errors import RequestError
from rulewright.web.storage.store import Rules, Store
from rulewright.web.tables.kept_rules import load_kept

MOST_BYTES = 4_000_000
"""The maximum size of the rules of a game."""


class NoRulesError(Exception):
    """Raised if the rules of a table cannot be found or read any more."""


@attrs.define
class Library:
    """Games by name, and by the digest of their rules.

    `load` reads an offered game by name or path, `texts` returns the files of its rules.
    """

    store: Store
    folder: Path
    names: Mapping[str, str]
    """The arguments for `load` of the games that are offered, keyed by a short name."""
    load: Callable[[str], Game]
    texts: Callable[[Game], Mapping[Path, bytes]]
    is_read: bool = False
    """Whether the server has tried to read each game."""
    _offered: dict[str, Game] = attrs.field(factory=dict)
    _pinned: dict[str, Game] = attrs.field(factory=dict)
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def offered_game(self, name: str) -> Game:
        """Return a game for new tables; this is slow if the game must be read first."""
        with self._lock:
            found = self._offered.get(name)
            if found is None:
                found = attrs.evolve(self.load(self.names[name]), name=name)
                self._offered[name] = found
            return found

    def in_memory(self, name: str) -> Game | None:
        """Return a game that is offered, or None if it has not been read yet."""
        return self._offered.get(name)

    def now(self, name: str) -> Game | None:
        """Return a game that is offered, or None if its current rules have errors."""
        try:
            return self.offered_game(name) if name in self.names else None
        except (RequestError, OSError):
            return None

    def pinned_game(self, digest: str) -> Game:
        """Return the game with the rules of a table; the rules are read again if they are not in memory."""
        found = self._pinned.get(digest)
        if found is None:
            rules = self.store.rules(digest)
            if rules is None:
                raise NoRulesError(f"the rules {digest[:8]} of this table are not in the database")
            now = self.now(rules.game)
            if now is not None and now.hash == digest and _has_program(now):
                self._pinned[digest] = now
                return now
            with self._lock:
                found = attrs.evolve(
                    load_kept(str(_write_rules(self.folder, rules))), name=rules.game
                )
                if found.hash != digest:
                    raise NoRulesError(f"the rules {digest[:8]} are not read as they were once")
                self._pinned[digest] = found
        return found

    def path(self, digest: str) -> str:
        """Return the file from which another process reads these rules."""
        rules = self.store.rules(digest)
        if rules is None:
            raise NoRulesError(f"the rules {digest[:8]} of this table are not in the database")
        return str(_write_rules(self.folder, rules))

    def pin(self, name: str, game: Game) -> Rules:
        """Store the text of the rules of a game."""
        found = dict(self.texts(game))
        main = _absolute(game.facts.path)
        rulebook = game.facts.rulebook
        if rulebook is not None and Path(rulebook).is_file():
            found.setdefault(_absolute(rulebook), Path(rulebook).read_bytes())
        if sum(map(len, found.values())) > MOST_BYTES:
            raise NoRulesError(f"the rules of {game.title} are longer than {MOST_BYTES:,} bytes")
        base = main.parent
        files = {
            path.relative_to(base).as_posix(): data.decode("utf-8", "surrogateescape")
            for path, data in found.items()
            if path.is_relative_to(base)
        }
        rules = Rules(game.hash, name, main.relative_to(base).as_posix(), files)
        self.store.keep_rules(rules).result()
        return rules


def _has_program(game: Game) -> bool:
    """Return whether this program accepts the rules of a game; some problems are found when they are compiled."""
    try:
        game.compiled(game.variant())
    except RequestError:
        return False
    return True


def _absolute(path: str | Path | None) -> Path:
    """Return the absolute path of a file, without following links."""
    return Path(os.path.abspath(str(path)))  # noqa: PTH100  # `Path.absolute` leaves `..` in


def _write_rules(folder: Path, rules: Rules) -> Path:
    """Return the main file of these rules, which are written only once, into a separate folder."""
    home = folder / "rules" / rules.digest[:32]
    main = home / _inside(rules.main)
    if not main.is_file():
        # Several threads and processes may write these files at once, so each file is replaced as a whole.
        # The main file is written last: if it exists, all others exist.
        for name, text in sorted(rules.files.items(), key=lambda file: file[0] == rules.main):
            file = home / _inside(name)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text.encode("utf-8", "surrogateescape"))
    return main


def _inside(name: str) -> PurePosixPath:
    """Return a path that stays in its folder; raise NoRulesError if it would not."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise NoRulesError(f"`{name[:80]}` is not a file of a game")
    return path
