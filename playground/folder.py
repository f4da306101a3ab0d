"""A folder with one game and its files, and the answers to all requests of an editor.

Places in texts are offsets in UTF-16 units, as editors in a browser count them.
"""

from __future__ import annotations

import base64
import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from shutil import rmtree
from time import monotonic

from rulewright.dsl.diagnostics.capping import cap_problems
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.editing.features.completion import complete
from rulewright.editing.features.edits import Edit
from rulewright.editing.features.fixes import fixes
from rulewright.editing.features.formatting import format_edits
from rulewright.editing.features.hover import hover
from rulewright.editing.features.outline import Entry, outline
from rulewright.editing.features.renaming import Refused, rename
from rulewright.editing.features.semantic_tokens import all_tokens
from rulewright.editing.features.symbol_at import definition
from rulewright.editing.workspace.checking import Found, look
from rulewright.editing.workspace.project import Project, Snapshot, is_rules
from rulewright.editing.workspace.workspace import Workspace
from rulewright.playground.host import BadFileError

MOST_BYTES = 4_000_000
"""The maximum size of all files of a game together."""
MOST_FILES = 200
OFTEN = 0.05
"""The time between two tests of an address, in seconds; a test takes a millisecond or two."""
_NAME = re.compile(r"[\w][\w .()-]{0,60}")
_ENDS = (".game", ".scenario", ".csv", ".md", ".css", ".svg")


class Folder:
    """The files of one game, on disk and in the editor; `is_there` returns whether an address still exists."""

    def __init__(self, root: Path, is_there: Callable[[str], bool] = lambda address: True) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self.main = self.root / "none.game"
        self._opened: dict[Path, str] = {}
        """The files as they were opened; empty after a change."""
        self._workspace = Workspace()
        self._look: Iterator[Found | None] = iter(())
        """The rest of the current check, which runs step by step."""
        self._is_there = is_there
        self._wanted = ""
        """An address; when it no longer exists, the current step ends. Empty if there is no such address."""
        self._asked_at = 0.0

    # ---- files ----

    def open(self, files: Mapping[str, str], main: str) -> bool:
        """Replace all files by the given ones; return whether they are the same.

        Facts about unchanged files are kept. The files are written again in any case, because a memory
        snapshot of an earlier visit does not include its disk.
        """
        if main not in files or not main.endswith(".game"):
            raise BadFileError(f"`{main[:40]}` is not a game among these files")
        if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
            raise BadFileError(f"a game has at most {MOST_FILES} files and {MOST_BYTES:,} letters")
        places = {self._place(name): text for name, text in files.items()}
        is_same = places == self._opened and self.main == self._place(main)
        rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        if not is_same:
            self._workspace = Workspace()
            self._workspace.files.within = (self.root,)
        for path, text in places.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
            if is_rules(path) and not is_same:
                self._workspace.write(path, _plain(text))
        self.main = self._place(main)
        self._opened = places
        return is_same

    def write(self, file: str, text: str) -> None:
        """Change a file, or add one."""
        path = self._place(file)
        if len(text) > MOST_BYTES:
            raise BadFileError(f"a file has at most {MOST_BYTES:,} letters")
        self._opened = {}
        self._look = iter(())
        is_new = not path.is_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        if is_new:
            self._workspace.changed_on_disk(path)
        self._workspace.write(path, _plain(text))

    def remove(self, file: str) -> None:
        """Delete a file that is not the game itself."""
        path = self._place(file)
        if path == self.main or not path.is_file():
            raise BadFileError(f"`{file}` cannot be removed")
        self._opened = {}
        self._look = iter(())
        path.unlink()
        self._workspace.close(path)
        self._workspace.changed_on_disk(path)

    def pack(self) -> str:
        """Return all files as a zip, in base64."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(self.root.rglob("*")):
                if path.is_file():
                    archive.write(path, f"{self.main.stem}/{self._name(path)}")
        return base64.b64encode(packed.getvalue()).decode("ascii")

    def unpack(self, data: str) -> dict[str, str]:
        """Return the texts in a zip, by their names below the folder that holds the game."""
        try:
            archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(data)))
            infos = [one for one in archive.infolist() if one.filename.endswith(_ENDS)]
            if sum(one.file_size for one in infos) > MOST_BYTES or len(infos) > MOST_FILES:
                raise BadFileError(f"more than {MOST_FILES} files or {MOST_BYTES:,} letters")
            texts = {one.filename: archive.read(one).decode("utf-8-sig") for one in infos}
        except (ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as failure:
            raise BadFileError(f"this is not a zip file with texts: {failure}") from None
        games = sorted((name for name in texts if name.endswith(".game")), key=_depth)
        if not games:
            raise BadFileError("there is no game in this zip")
        above = games[0].rpartition("/")[0]
        start = f"{above}/" if above else ""
        return {
            name.removeprefix(start): text for name, text in texts.items() if name.startswith(start)
        }

    @contextmanager
    def here(self) -> Iterator[None]:
        """Make the folder the working directory, as for a command typed there."""
        before = Path.cwd()
        os.chdir(self.root)
        try:
            yield
        finally:
            os.chdir(before)

    def _place(self, name: str) -> Path:
        parts = PurePosixPath(name).parts
        if not (
            0 < len(parts) < 5
            and all(_NAME.fullmatch(part) for part in parts)
            and name.endswith(_ENDS)
        ):
            raise BadFileError(f"no file of a game is called `{name[:60]}`")
        return self.root.joinpath(*parts)

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    # ---- questions of an editor ----

    def problems(self) -> list[dict[str, object]]:
        """Return the first problems found; `more_problems` continues."""
        project = self._workspace.project(self.main)
        if project is None:
            return []
        files = self._workspace.files.copy()
        self._wanted = ""
        self._look = look(
            self.main, project.all_scenarios(), files, self._is_wanted, project.memory
        )
        for found in self._look:
            if found is not None:
                project.settle(found)
                break
        return self._problem_list(project)

    def _is_wanted(self) -> bool:
        if self._wanted and monotonic() - self._asked_at > OFTEN:
            is_wanted = self._is_there(self._wanted)
            self._asked_at = monotonic()
            return is_wanted
        return True

    def more_problems(self, wanted: str = "") -> list[dict[str, object]] | None:
        """Return the problems known after one more step, or None after the last step.

        The step ends early if the address `wanted` no longer exists.
        """
        self._wanted = wanted
        project = self._workspace.project(self.main)
        if project is None:
            return None
        for found in self._look:
            if found is not None:
                project.settle(found)
            return self._problem_list(project)
        return None

    def _problem_list(self, project: Project) -> list[dict[str, object]]:
        return [
            one for one in map(self._problem, cap_problems(project.problems())) if one is not None
        ]

    def _problem(self, problem: Diagnostic) -> dict[str, object] | None:
        place = self._span(problem.span)
        if place is None:
            return None
        lines = [problem.text, *(f"note: {note}" for note in problem.notes)]
        if problem.help:
            lines.append(f"help: {problem.help}")
        is_error = problem.severity is Severity.ERROR
        return {
            **place,
            "line": problem.span.line,
            "severity": "error" if is_error else "warning",
            "code": problem.code,
            "message": problem.message,
            "more": "\n".join(line for line in lines if line),
        }

    def colours(self, file: str) -> list[list[object]]:
        """Return parts of a text with their kinds, in order: [from, to, kind]."""
        found = self._at(file)
        if found is None:
            return []
        snapshot, path, source = found
        return [
            [_units(source, one.start), _units(source, one.end), one.kind]
            for one in all_tokens(snapshot, path)
        ]

    def complete(self, file: str, at: int) -> dict[str, object] | None:
        """Return the words that may be written at a place, the best first."""
        found = self._at(file)
        choices = complete(found[0], found[1], _place(found[2], at)) if found else None
        if choices is None or found is None:
            return None
        offers = [
            {"text": one.text, "sort": one.kind, "about": one.about} for one in choices.offers
        ]
        return {"from": _units(found[2], choices.begun.start), "offers": offers}

    def hover(self, file: str, at: int) -> dict[str, object] | None:
        """Return an explanation of the words at a place, in Markdown."""
        found = self._at(file)
        said = hover(found[0], found[1], _place(found[2], at)) if found else None
        if said is None:
            return None
        return {**(self._span(said.span) or {}), "text": said.text}

    def definition(self, file: str, at: int) -> dict[str, object] | None:
        """Return the place where the name at a place is declared, or None."""
        found = self._at(file)
        span = definition(found[0], found[1], _place(found[2], at)) if found else None
        return None if span is None else self._span(span)

    def outline(self, file: str) -> list[dict[str, object]]:
        """Return the declarations of a file with their places."""
        found = self._at(file)
        return [] if found is None else [*self._entries(outline(found[0], found[1]), 0)]

    def _entries(self, entries: Iterable[Entry], depth: int) -> Iterator[dict[str, object]]:
        for entry in entries:
            at = _units(entry.name_span.source, entry.name_span.start)
            yield {"name": entry.name, "sort": entry.kind, "at": at, "depth": depth}
            yield from self._entries(entry.inside, depth + 1)

    def format_edits(self, file: str) -> list[dict[str, object]]:
        """Return the edits that format a file."""
        found = self._at(file)
        if found is None or not is_rules(found[1]):
            return []
        return self._edits(format_edits(found[2], found[1]))

    def fixes(self, file: str, start: int, end: int) -> list[dict[str, object]]:
        """Return fixes of the problems between two places."""
        found = self._at(file)
        if found is None:
            return []
        snapshot, path, source = found
        return [
            {"title": fix.title, "message": fix.problem.message, "edits": self._edits(fix.edits)}
            for fix in fixes(snapshot, path, _place(source, start), _place(source, end))
        ]

    def rename(self, file: str, at: int, name: str) -> list[dict[str, object]]:
        """Return the edits that rename the symbol at a place."""
        found = self._at(file)
        if found is None:
            return []
        edits = rename(found[0], found[1], _place(found[2], at), name)
        if isinstance(edits, Refused):
            raise BadFileError(f"not renamed: {edits.reason}")
        return self._edits(edits)

    def _at(self, file: str) -> tuple[Snapshot, Path, Source] | None:
        path = self._place(file)
        snapshot = self._workspace.snapshot(path)
        source = snapshot.sources.get(path) if snapshot is not None else None
        return None if snapshot is None or source is None else (snapshot, path, source)

    def _edits(self, edits: Iterable[Edit]) -> list[dict[str, object]]:
        found = ((self._span(edit.span), edit.text) for edit in edits)
        return [{**place, "text": text} for place, text in found if place is not None]

    def _span(self, span: Span) -> dict[str, object] | None:
        """Return a place for the page, or None if it is in no file of the folder."""
        for project in self._workspace.projects.values():
            path = project.path_of(span.source)
            if path is not None and path.is_relative_to(self.root):
                start, end = _units(span.source, span.start), _units(span.source, span.end)
                return {"file": self._name(path), "from": start, "to": end}
        return None


def _depth(name: str) -> tuple[int, str]:
    return name.count("/"), name


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _units(source: Source, offset: int) -> int:
    text = source.text
    return offset if text.isascii() else len(text[:offset].encode("utf-16-le")) // 2


def _place(source: Source, units: int) -> int:
    text = source.text
    if text.isascii():
        return min(max(units, 0), len(text))
    return len(text.encode("utf-16-le")[: 2 * max(units, 0)].decode("utf-16-le", "ignore"))
