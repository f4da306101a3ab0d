"""Save matches: in a file that a person has named, or else in the user's state folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from rulewright.cli.folders import user_folder
from rulewright.interpreter.bots.levels import is_bot
from rulewright.interpreter.matches.atomic_files import write_whole
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Recorder, load_records, save
from rulewright.interpreter.matches.replay import check_rules, replay
from rulewright.interpreter.text.errors import BrokenRecordError, RequestError

HUMAN = "human"
MOST_KEPT = 20
"""The maximum number of unfinished matches of one game that are stored."""
_SUFFIX = ".play"

SeatKinds: TypeAlias = "Callable[[tuple[str, ...], tuple[str, ...]], tuple[str, ...]]"
"""A function that maps the names of the seats and the recorded players to the new players of the seats."""


def kind_of(seat: str) -> str:
    """Return the kind of a player: `human`, or a kind of bot."""
    return HUMAN if seat.partition(":")[0] == HUMAN else seat


def name_of(seat: str) -> str:
    """Return the name of a person, as Ann in `human:Ann`, or "" if no name is given."""
    return seat.removeprefix(f"{HUMAN}:") if kind_of(seat) == HUMAN and ":" in seat else ""


def player_names(seats: tuple[str, ...]) -> dict[int, str]:
    """Return the names of players who have one, keyed by seat."""
    return {seat: name_of(word) for seat, word in enumerate(seats) if name_of(word)}


def state_folder() -> Path:
    """Return the folder for the user's saved matches."""
    return user_folder("XDG_STATE_HOME", ".local/state", "Library/Application Support")


def left_matches(game: Game) -> list[Path]:
    """Return the files of a game's unfinished matches in the state folder, the newest first."""
    try:
        found = [
            (path.stat().st_mtime_ns, path) for path in _folder().glob(f"{_stem(game)}-*{_SUFFIX}")
        ]
    except (OSError, RuntimeError):
        return []
    return [path for _, path in sorted(found, reverse=True)]


def last_named_file(game: Game) -> Path | None:
    """Return the file that a person last named for a match of this game, or None if the file does not exist."""
    try:
        path = Path(_pointer(game).read_text(encoding="utf-8").strip())
        return path if path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _pointer(game: Game) -> Path:
    return _folder() / f"{_stem(game)}.file"


def _folder() -> Path:
    return state_folder() / "plays"


def _stem(game: Game) -> str:
    """Return the beginning of file names, which differs between folders, and between positions of a game."""
    path = game.facts.path
    where = str(Path(path).resolve()) if path is not None else game.name
    if game.position is not None:
        where += game.name.partition(":")[2]
    return f"{Path(path or game.name).stem}-{hashlib.sha256(where.encode()).hexdigest()[:8]}"


class Keeper:
    """Saves one match while it continues."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.is_kept = False
        self._own: Path | None = None
        self._recorder = Recorder()
        self._pointed_to: Path | None = None

    @property
    def file(self) -> Path | None:
        """The file that holds the match now."""
        return self.path or self._own

    def take_up(self, path: Path) -> None:
        """Continue to use the file in the state folder from which a match was loaded."""
        self._own = path

    def keep(self, match: Match, seats: tuple[str, ...]) -> None:
        """Save the match; a failure is ignored if the file is in the state folder, but is raised for a
        named file.
        """
        text = self._recorder.record(match, seats).to_text()
        if self.path is not None:
            save(self.path, text)
            self._point_to(match.game)
            self.is_kept = True
            return
        try:
            folder = _folder()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._own is None:
                self._own = folder / f"{_stem(match.game)}-{match.seed}{_SUFFIX}"
            save(self._own, text)
            self.is_kept = True
            for old in left_matches(match.game)[MOST_KEPT:]:
                old.unlink(missing_ok=True)
        except (OSError, RuntimeError, RequestError):
            self.is_kept = False

    def save_as(self, path: Path, match: Match, seats: tuple[str, ...]) -> None:
        """Save the match in a newly named file, which then replaces the file in the state folder."""
        save(path, self._recorder.record(match, seats).to_text())
        self.drop()
        self.path = path
        self._point_to(match.game)
        self.is_kept = True

    def _point_to(self, game: Game) -> None:
        """Store the name of the file that a person has named, so that `--resume` can find the file."""
        if self.path is None or self._pointed_to == self.path:
            return
        try:
            _folder().mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(_pointer(game), f"{self.path.absolute()}\n")
            self._pointed_to = self.path
        except (OSError, RuntimeError):
            return

    def drop(self) -> None:
        """Delete the match from the state folder, because it has ended or is saved elsewhere."""
        if self._own is not None:
            try:
                self._own.unlink(missing_ok=True)
            except OSError:
                return
            self._own = None


def load_match(
    path: Path, game: Game, seat_kinds: SeatKinds | None = None
) -> tuple[Match, tuple[str, ...]]:
    """Load the match of a record of the same game, and its players; `seat_kinds` decides who plays which seat
    now.
    """
    record = load_records(path)[0]
    check_rules(record, game)
    if not record.is_whole:
        raise BrokenRecordError(f"{path}: the record was edited, its checksum does not match")
    compiled = game.compiled(game.variant(record.players, dict(record.options)))
    names = compiled.words.players
    seats = record.seats
    if len(seats) != len(names) or not all(
        kind == HUMAN or is_bot(kind) for kind in map(kind_of, seats)
    ):
        seats = tuple(HUMAN for _ in names)
    if seat_kinds is not None:
        seats = seat_kinds(names, seats)
    return replay(record, game, compiled=compiled.with_names(player_names(seats))), seats
