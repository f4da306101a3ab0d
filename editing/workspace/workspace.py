"""All games being edited, and the game of each file."""

from __future__ import annotations

from pathlib import Path

from attrs import define, field

from rulewright.dsl.loading.files import Files
from rulewright.editing.workspace.finding import game_of_file
from rulewright.editing.workspace.project import Project, Snapshot


@define
class Workspace:
    """The open texts and the games they belong to."""

    files: Files = field(factory=Files)
    projects: dict[Path, Project] = field(factory=dict)
    stale: set[Path] = field(factory=set)
    """The games with a text that has changed since it was read."""
    _game_of: dict[Path, Path | None] = field(factory=dict)

    def write(self, path: Path, text: str) -> None:
        """Set the current text of an open file."""
        is_new = path not in self.files.given
        self.files.given[path] = text
        if is_new:
            self._game_of.pop(path, None)
        self._touch(path)

    def close(self, path: Path) -> None:
        """Drop the text of a closed file, so that the file on disk is used again."""
        self.files.given.pop(path, None)
        self._touch(path)

    def changed_on_disk(self, path: Path) -> None:
        """Mark a file that another program has written, created or deleted."""
        self._game_of.clear()
        self._touch(path)

    def _touch(self, path: Path) -> None:
        for game, project in self.projects.items():
            if project.has(path):
                self.stale.add(game)

    def project(self, path: Path) -> Project | None:
        """Return the game that a file belongs to, with its current files, or None."""
        game = self._game_of.get(path)
        if game is None:
            game = self._game_of[path] = game_of_file(path, self.files)
        if game is None:
            return None
        project = self.projects.get(game)
        if project is None:
            project = self.projects[game] = Project.open(game, self.files)
            self.stale.discard(game)
        if game in self.stale or not project.has(path):
            self.stale.discard(game)
            project.refresh()
            if not project.has(path) and path != game:
                return self._find_new_project(path, game)
        return project

    def _find_new_project(self, path: Path, before: Path) -> Project | None:
        """Return the new game of a file that no longer belongs to its game, or None if there is none."""
        self._game_of.pop(path, None)
        game = game_of_file(path, self.files)
        if game is None:
            return None
        if game == before:
            return self.projects[game]
        return self.project(path)

    def game_known(self, path: Path) -> Path | None:
        """Return the game that a file belongs to, as found earlier, or None."""
        return self._game_of.get(path)

    def snapshot(self, path: Path) -> Snapshot | None:
        """Return the current version of the game that a file belongs to, or None."""
        project = self.project(path)
        return project.snapshot() if project is not None else None

    def games_open(self) -> set[Path]:
        """Return the games with an open text."""
        return {game for path in self.files.given if (game := self._game_of.get(path)) is not None}

    def forget_closed(self) -> list[Path]:
        """Drop the games that no longer have an open text, and return them."""
        open_now = self.games_open()
        gone = [game for game in self.projects if game not in open_now]
        for game in gone:
            del self.projects[game]
            self.stale.discard(game)
        return gone
