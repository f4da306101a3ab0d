"""Files as they are read: their texts, and the trees of those that hold rules or scenarios.

What has not changed is read once, and its places stay the same. A text that is given stands for what is on the
disk.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TypeAlias

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.parsing.parser import parse_lexed
from rulewright.dsl.text.lexer import lex, said
from rulewright.dsl.text.reading import Reading, decode, shown
from rulewright.dsl.tree import declared

Parts: TypeAlias = dict[Path, str | None]
"""The files that were looked for: the hash of what was in them, None where there was no file."""


@define
class _Kept:
    """What has been found out about one text."""

    hash: str
    reading: Reading
    tree: tuple[declared.GameFile, tuple[Diagnostic, ...]] | None = None
    said: bytes = b""


@define
class Files:
    """Reads files; `given` are texts that stand for what is on the disk, by the place of the file."""

    given: dict[Path, str] = field(factory=dict)
    _kept: dict[Path, _Kept] = field(factory=dict, repr=False)
    _of: dict[Source, _Kept] = field(factory=dict, repr=False)

    def read(self, path: Path, parts: Parts, problems: Problems) -> Source | None:
        """The text of a file, if there is one; what was there is noted among the parts."""
        parts[path] = None
        given = self.given.get(path)
        try:
            data = path.read_bytes() if given is None else given.encode("utf-8", "surrogatepass")
        except OSError:
            return None
        found = parts[path] = hashlib.sha256(data).hexdigest()
        kept = self._kept.get(path)
        if kept is None or kept.hash != found:
            if kept is not None:
                self._of.pop(kept.reading.source, None)
            kept = self._kept[path] = _Kept(found, decode(shown(path), data))
            self._of[kept.reading.source] = kept
        problems.extend(kept.reading.problems)
        return kept.reading.source if kept.reading.usable else None

    def source(self, path: Path) -> Source | None:
        """The text of a file as it was read last, if there is one."""
        kept = self._kept.get(path)
        return kept.reading.source if kept is not None and kept.reading.usable else None

    def declarations(self, source: Source, problems: Problems) -> declared.GameFile:
        """The tree of a text that was read here."""
        kept = self._of[source]
        if kept.tree is None:
            found = Problems()
            words = lex(source, found)
            kept.said = repr(said(words)).encode()
            tree = parse_lexed(source, words, found)
            kept.tree = tree, found.sorted()
        problems.extend(kept.tree[1])
        return kept.tree[0]

    def words(self, source: Source) -> bytes:
        """What a text that was read here says, however it is laid out."""
        self.declarations(source, Problems())
        return self._of[source].said

    def copy(self) -> Files:
        """The same, to be read by somebody else at the same time."""
        return Files(dict(self.given), dict(self._kept), dict(self._of))

    def has(self, path: Path) -> bool:
        """Whether there is a file, on the disk or given."""
        try:
            return path in self.given or path.is_file()
        except OSError:
            return False

    def beside(self, folder: Path, ending: str) -> list[str]:
        """The names of the files in a folder that end so, on the disk or given."""
        names = {path.name for path in folder.glob(f"*{ending}")}
        names |= {path.name for path in self.given if path.parent == folder}
        return sorted(name for name in names if name.endswith(ending))

    def near(self, path: Path, ending: str) -> str:
        """Help with a file that is not there: the one beside it that is meant; "" where none is like it."""
        slashes = path.parent / path.name.replace("\\", "/")
        for meant in (path.with_name(path.name + ending), slashes):
            if meant != path and self.has(meant):
                name = meant.relative_to(path.parent).as_posix()
                return f'write `"{name}"`'
        names = self.beside(path.parent, ending)
        return did_you_mean(path.name, names) or did_you_mean(path.name + ending, names)
