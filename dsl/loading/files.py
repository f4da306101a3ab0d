"""Read and cache files: their texts, and the trees of files that contain rules or scenarios.

An unchanged file is read only once, and its places stay the same. If a text is supplied for a file,
it is used instead of the contents on disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, TypeAlias

from attrs import define, field

from rulewright.dsl.diagnostics.advice import Help
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.loading.confinement import is_inside
from rulewright.dsl.parsing.parser import parse_lexed
from rulewright.dsl.text.lexer import lex, types_and_texts
from rulewright.dsl.text.reading import Reading, bytes_of_file, decode, display_path, real_path
from rulewright.dsl.tree import declared, scenario_syntax

Parts: TypeAlias = dict[Path, str | None]
"""The hashes of the contents of all files that were looked up; None for a missing file."""


CANNOT_BE_READ: Final = "cannot be read"


def quote_name(named: str) -> str:
    """Quote the name of a file for a message."""
    return f"`{named}`" if named.strip() else "without a name"


@define
class _CachedText:
    """The cached results for one text."""

    hash: str
    reading: Reading
    tree: tuple[declared.GameFile, tuple[Diagnostic, ...]] | None = None
    said: bytes = b""
    scenarios: tuple[scenario_syntax.ScenarioFile, tuple[Diagnostic, ...]] | None = None


@define
class Files:
    """Reads files; `given` maps paths to the texts that replace the files on disk.

    If `within` contains folders, no file outside these folders is read unless its text is given.
    """

    given: dict[Path, str] = field(factory=dict)
    within: tuple[Path, ...] = ()
    _current: dict[Path, _CachedText] = field(factory=dict, repr=False)
    _by_source: dict[Source, _CachedText] = field(factory=dict, repr=False)
    _previous: dict[Path, _CachedText] = field(factory=dict, repr=False)
    """The results for the previous text of the last edited file. They become valid again if the edit is
    undone.
    """

    def read(self, path: Path, parts: Parts, problems: Problems) -> Source | None:
        """Return the text of a file, or None if there is no file; store the hash of the text in `parts`."""
        parts[path] = None
        given = self.given.get(path)
        if given is not None:
            data: bytes | None = given.encode("utf-8", "surrogatepass")
        elif self.may_read(path):
            data = bytes_of_file(path)
        else:
            return None
        if data is None:
            return None
        found = parts[path] = hashlib.sha256(data).hexdigest()
        kept = self._current.get(path)
        if kept is None or kept.hash != found:
            before = self._previous.get(path)
            if kept is not None:
                self._by_source.pop(kept.reading.source, None)
                self._previous = {path: kept}
            if before is None or before.hash != found:
                before = _CachedText(found, decode(display_path(path), data))
            kept = self._current[path] = self._by_source[before.reading.source] = before
        problems.extend(kept.reading.problems)
        return kept.reading.source if kept.reading.usable else None

    def may_read(self, path: Path) -> bool:
        """Return whether a file is in a folder from which files may be read."""
        return not self.within or path in self.given or is_inside(path, self.within)

    def source(self, path: Path) -> Source | None:
        """Return the last text that was read from a file; None if the file was never read."""
        kept = self._current.get(path)
        return kept.reading.source if kept is not None and kept.reading.usable else None

    def declarations(self, source: Source, problems: Problems) -> declared.GameFile:
        """Return the syntax tree of a text that has been read."""
        kept = self._by_source[source]
        if kept.tree is None:
            found = Problems()
            words = lex(source, found)
            kept.said = repr(types_and_texts(words)).encode()
            tree = parse_lexed(source, words, found)
            kept.tree = tree, found.in_order()
        problems.extend(kept.tree[1])
        return kept.tree[0]

    def scenarios(
        self,
        source: Source,
        parse: Callable[[Source, Problems], scenario_syntax.ScenarioFile],
        problems: Problems,
    ) -> scenario_syntax.ScenarioFile:
        """Return the tree of a scenario text that has already been read, building it with
        `parse`.
        """
        kept = self._by_source[source]
        if kept.scenarios is None:
            found = Problems()
            tree = parse(source, found)
            kept.scenarios = tree, found.in_order()
        problems.extend(kept.scenarios[1])
        return kept.scenarios[0]

    def words(self, source: Source) -> bytes:
        """Return the words of a text that has been read, independent of layout."""
        self.declarations(source, Problems())
        return self._by_source[source].said

    def copy(self) -> Files:
        """Return a copy for a concurrent reader."""
        return Files(
            dict(self.given),
            self.within,
            dict(self._current),
            dict(self._by_source),
            dict(self._previous),
        )

    def why_not(self, path: Path, *endings: str) -> str | None:
        """Return the reason why a path is not a text file with one of these extensions. Return None
        if it is one, or if it does not exist.

        The reason is worded to follow the file name in a message. Such a path is never read,
        so that no message can quote another file.
        """
        if path in self.given or not self.may_read(path):
            return None
        try:
            if not path.exists():
                return None
        except (OSError, ValueError):
            return CANNOT_BE_READ
        if path.is_dir():
            return "is a folder"
        if not path.is_file():
            return "is a pipe or a device, not a file"
        if path.suffix not in endings:
            return f"does not end in `{endings[0]}`"
        if real_path(path).suffix not in endings:
            return f"is a link to a file whose name does not end in `{endings[0]}`"
        return None

    def is_there(self, path: Path) -> bool:
        """Return whether a file, directory or other entry with this name exists."""
        try:
            return path in self.given or path.exists()
        except (OSError, ValueError):
            return False

    def has(self, path: Path) -> bool:
        """Return whether a file exists, on the disk or as a given text."""
        try:
            return path in self.given or (path.is_file() and self.may_read(path))
        except (OSError, ValueError):
            return False

    def file_names(self, folder: Path, ending: str) -> list[str]:
        """Return the names of all files in a folder, on disk or given, that have this ending."""
        is_read = not self.within or is_inside(folder, self.within)
        names = {path.name for path in folder.glob(f"*{ending}")} if is_read else set()
        names |= {path.name for path in self.given if path.parent == folder}
        return sorted(name for name in names if name.endswith(ending))

    def suggest(self, path: Path, ending: str, but: Collection[Path] = ()) -> Help:
        """Return help for a missing file: a file in the same folder with a similar name, or "" if there is
        none.

        The help never suggests a file in `but`.
        """
        if not path.name:
            return ""
        slashes = path.parent / path.name.replace("\\", "/")
        for meant in (path.with_name(path.name + ending), slashes):
            if meant != path and self.has(meant):
                name = meant.relative_to(path.parent).as_posix()
                return f'write `"{name}"`'
        others = {path, *but}
        names = [n for n in self.file_names(path.parent, ending) if path.parent / n not in others]
        return did_you_mean(path.name, names) or did_you_mean(path.name + ending, names)


def report_unreadable(path: Path, why: str | None, command: str, problems: Problems) -> None:
    """Report an error for a named file that cannot be read, unless an error in its text has already been reported."""
    if not len(problems):
        problems.error(
            "unknown-file",
            f"the file `{path.name}` {why or CANNOT_BE_READ}",
            Span(Source(display_path(path), ""), 0, 0),
            help=f"give the name of a file that exists: `rulewright {command}`",
        )
