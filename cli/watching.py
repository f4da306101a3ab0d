"""Check files again after each save, and show their current problems on the screen."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click
from attrs import define, field

from rulewright.cli.output import show_problems

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.dsl.loading.files import Files
    from rulewright.editing.workspace.checking import Memory

EVERY = 0.25  # seconds between two checks of the disk
CLEAR = "\x1b[H\x1b[2J\x1b[3J"

Stamp: TypeAlias = tuple[int, int] | None
"""When a file was last written, and its size; None if the file does not exist."""


@define
class Watch:
    """The watched files: the files to check, their parts, and when each of them was last written."""

    files_of: Callable[[], Sequence[str]]
    files: Files
    reach: Reach
    _stamps: dict[Path, Stamp] = field(factory=dict)
    _watched: list[str] = field(factory=list)
    _memories: dict[Path, Memory] = field(factory=dict)
    """The findings for each game, which the check after the next save uses."""

    def has_changed(self) -> bool:
        """Return whether a watched file has changed since the last check."""
        return [*self.files_of()] != self._watched or any(
            _stamp(path) != stamp for path, stamp in self._stamps.items()
        )

    def look(self) -> Iterator[tuple[Diagnostic, ...] | None]:
        """Check all files; yield the problems of each file, and None after each step, so that a save can
        interrupt the check.
        """
        self._watched = [*self.files_of()]
        self._stamps = {}
        # lazy import: other commands start without it
        from rulewright.dsl.text.reading import SCENARIOS
        from rulewright.interpreter.matches.library import find_game

        paths = [find_game(name) for name in self._watched]
        self._stamps = {path: _stamp(path) for path in paths}
        self._memories = {path: of for path, of in self._memories.items() if path in paths}
        scenarios = [path for path in paths if path.suffix == SCENARIOS]
        for path in paths:
            yield None
            if path.suffix != SCENARIOS:
                yield from self._game(path)
        yield from self._scenarios(scenarios)

    def _scenarios(self, paths: Sequence[Path]) -> Iterator[tuple[Diagnostic, ...] | None]:
        # lazy import: other commands start without it
        from rulewright.dsl.scenarios.scenario_loading import load_in_steps
        from rulewright.interpreter.matches.library import shipped_games

        for scenes in load_in_steps(
            paths, reach=self.reach, files=self.files, shipped=shipped_games
        ):
            if scenes is None:
                yield None
                continue
            self._note(scenes.parts)
            yield scenes.problems

    def _game(self, path: Path) -> Iterator[tuple[Diagnostic, ...] | None]:
        # lazy import: other commands start without it
        from rulewright.dsl.diagnostics.diagnostics import Problems
        from rulewright.editing.workspace.checking import Memory, look

        memory = self._memories.setdefault(path, Memory())
        for step in look(path, (), self.files, lambda: True, memory, self.reach):
            if step is None or step.loaded is None:
                yield None
                continue
            self._note(step.loaded.parts)
            if step.rest is None:
                yield None
                continue
            found = Problems()
            found.extend((*step.loaded.problems, *step.first, *step.rest))
            yield found.in_order()

    def _note(self, found: dict[Path, str | None]) -> None:
        for part in found:
            if part not in self._stamps:
                self._stamps[part] = _stamp(part)


def watch(watched: Watch) -> bool:
    """Show the problems again after each save, until the user interrupts; return whether any remain at the
    end.
    """
    found: list[Diagnostic] = []
    try:
        while True:
            whole = _find_problems(watched)
            if whole is not None:
                found = whole
                _show(found, len(watched.files_of()))
            while not watched.has_changed():
                time.sleep(EVERY)
    except KeyboardInterrupt:
        click.echo()
        return bool(found)


def _find_problems(watched: Watch) -> list[Diagnostic] | None:
    """Return the problems without duplicates, or None if a save interrupted the check."""
    found: dict[Diagnostic, None] = {}
    for step in watched.look():
        if step is not None:
            found |= dict.fromkeys(step)
        elif watched.has_changed():
            return None
    return list(found)


def _show(found: list[Diagnostic], files: int) -> None:
    if sys.stdout.isatty():
        click.echo(CLEAR, nl=False)
    show_problems(found)
    problems = "1 problem" if len(found) == 1 else f"{len(found) or 'no'} problems"
    where = "1 file" if files == 1 else f"{files} files"
    click.echo(f"{problems}; watching {where}, Ctrl-C ends")
    sys.stdout.flush()


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
