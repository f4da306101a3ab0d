"""Files that are open in an editor, without the transport: edits, checks and requests."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.reading import display_path
from rulewright.editing.workspace.checking import look
from rulewright.editing.workspace.project import Project, Snapshot
from rulewright.editing.workspace.workspace import Workspace
from rulewright.interpreter.matches.library import shipped_games

MARK = "|"


class Opened:
    """A folder whose files are being edited."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.open_games = Workspace()

    def write(self, name: str, text: str) -> None:
        """A text in the editor; it need not be on the disk."""
        self.open_games.write(self.folder / name, text)

    def open(self, name: str) -> str:
        """Open a file as it is on the disk, and check its game."""
        text = (self.folder / name).read_text(encoding="utf-8")
        self.write(name, text)
        self.settle(name)
        return text

    def project(self, name: str) -> Project:
        """The game a file belongs to."""
        project = self.open_games.project(self.folder / name)
        assert project is not None
        return project

    def settle(self, name: str) -> None:
        """Check the whole game."""
        project = self.project(name)
        for found in look(
            project.path,
            project.open_scenarios(),
            self.open_games.files.copy(),
            lambda: True,
            project.memory,
        ):
            if found is not None:
                project.settle(found)

    def at(self, name: str, marked: str | int) -> tuple[Snapshot, Path, int]:
        """The place in a file of some words with a mark in them."""
        snapshot = self.project(name).snapshot()
        path = self.folder / name
        if isinstance(marked, int):
            return snapshot, path, marked
        text = snapshot.sources[path].text
        words = marked.replace(MARK, "")
        assert words in text, words
        return snapshot, path, text.index(words) + marked.index(MARK)

    def problems(self, name: str) -> list[str]:
        """The problems of the game as the editor shows them."""
        return problem_lines(self.project(name).problems())

    def check_saved(self, name: str) -> list[str]:
        """The problems that `check` finds in files with these texts."""
        project = self.project(name)
        texts = {path: path.read_bytes() for path in self.open_games.files.given if path.is_file()}
        try:
            for path, text in self.open_games.files.given.items():
                path.write_text(text, encoding="utf-8")
            found = [*load(project.path).check()]
            for path in project.open_scenarios():
                found.extend(load_scenarios(path, shipped=shipped_games).check())
            return problem_lines(found)
        finally:
            for path in self.open_games.files.given:
                if path in texts:
                    path.write_bytes(texts[path])
                else:
                    path.unlink()


def problem_lines(problems: tuple[Diagnostic, ...] | list[Diagnostic]) -> list[str]:
    """Problems by place, each once."""
    lines = {
        f"{display_path(Path(p.span.source.name))}:{p.span.start}-{p.span.end} {p.code} {p.message}"
        for p in problems
    }
    return sorted(lines)
