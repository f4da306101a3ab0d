"""Find and read the files of a game: the included files, the tables in the same folder, and the rulebook."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.confinement import HELP, OUTSIDE, Reach, why_refused
from rulewright.dsl.loading.files import CANNOT_BE_READ, Files, Parts, quote_name
from rulewright.dsl.loading.heads import words_of
from rulewright.dsl.text.reading import RULES, TABLES, real_path
from rulewright.dsl.tree import declared

MOST_FILES = 200
RULEBOOKS = (".md", ".txt")
"""The endings of the names of rulebooks."""
_AS_TABLE = "a table is a text of comma-separated values, and its name ends in `.csv`"


@define
class GameFiles:
    """The files of one game, and the folders from which the game may read."""

    path: Path
    reach: Reach = field(factory=Reach)
    parts: Parts = field(factory=dict, repr=False)
    files: Files = field(factory=Files, repr=False)
    included: list[Path] = field(factory=list, repr=False)
    """The files with the rules of the game, in the order in which they are included."""
    real: dict[Path, Path] = field(factory=dict, repr=False)
    """The real path of each file, because a file may be named in several ways."""
    _refused: set[str] = field(factory=set, repr=False)
    """The names of the tables that the game may not read."""
    _sources: dict[Path, Source | None] = field(factory=dict, repr=False)
    _reading: Problems = field(factory=Problems, repr=False)

    def include(
        self,
        path: Path,
        source: Source,
        declarations: list[declared.Declaration],
        above: list[Path],
        problems: Problems,
        digest: hashlib._Hash,
    ) -> None:
        """Add the declarations of a file, and of all files that the file includes."""
        self.included.append(path)
        self.real.setdefault(path, real_path(path))
        digest.update(b"\0file\0")
        digest.update(self.files.words(source))
        tree = self.files.declarations(source, problems)
        for d in tree.declarations:
            declarations.append(d)
            if not isinstance(d, declared.Include):
                continue
            if self.report_refused(d.path, path.parent, d.span, problems):
                continue
            target = path.parent / d.path
            real = self.real.setdefault(target, real_path(target))
            if any(real == self.real[other] for other in above):
                problems.error(
                    "include-cycle",
                    f"`{d.path}` includes itself, directly or through others",
                    d.span,
                    help=f"remove the line `{d.span.text}`: its declarations are known already",
                )
                continue
            if any(real == self.real[other] for other in self.included):
                problems.error(
                    "include-cycle",
                    f"`{d.path}` is included twice",
                    d.span,
                    help="remove one of the two lines",
                )
                continue
            if len(self.included) >= MOST_FILES:
                problems.error(
                    "include-cycle",
                    f"a game has at most {MOST_FILES} files",
                    d.span,
                    help="merge several of them into one file",
                )
                continue
            if target.suffix == TABLES:
                message = f"`{d.path}` is a table, not a file of rules"
                help = f'write `piece NAME from "{d.path}"`, or `kind`, `space`, `table` instead of `piece`'
                problems.error("no-such-include", message, d.span, help=help)
                continue
            why = self.files.why_not(target, RULES)
            inner = self.files.read(target, self.parts, problems) if why is None else None
            if inner is None:
                problems.error(
                    "no-such-include",
                    f"the file {quote_name(d.path)} {why or CANNOT_BE_READ}",
                    d.span,
                    help=self.files.suggest(target, RULES, above)
                    or 'name a rules file in the same folder as this one: `include "map.game"`',
                )
                continue
            self.include(target, inner, declarations, [*above, target], problems, digest)

    def why_refused(self, named: str, folder: Path) -> str | None:
        """Return why the file with this name in a folder may not be read for this game, or None if it may."""
        path = folder / named
        if not self.files.may_read(path):
            return f"`{named}` lies outside the folder that is open in the editor"
        if self.reach.allow_outside:
            return None
        allowed = (self.path.parent, folder) if folder == self.reach.tables else (self.path.parent,)
        return why_refused(named, folder, allowed)

    def report_refused(self, named: str, folder: Path, span: Span, problems: Problems) -> bool:
        """Return whether the game may not read a file. If so, report an error."""
        why = self.why_refused(named, folder)
        if why is not None:
            problems.error(OUTSIDE, why, span, help=HELP)
        return why is not None

    def read_table(self, name: str) -> Source | None:
        """Return the text of a table in the folder of the game or, if there is none, in the user's
        own folder of tables.
        """
        if name in self._refused:
            return None
        for folder in self._table_folders():
            path = folder / name
            if path not in self._sources:
                self._sources[path] = self.files.read(path, self.parts, self._reading)
            if self._sources[path] is not None:
                return self._sources[path]
        return None

    def tables_beside(self) -> list[str]:
        """Return the names of all tables in the folder of the game and in the user's own folder of tables."""
        return [
            name for one in self._table_folders() for name in self.files.file_names(one, TABLES)
        ]

    def _table_folders(self) -> list[Path]:
        """Return the folders in which tables are searched for, in the order of the search."""
        return [folder for folder in (self.reach.tables, self.path.parent) if folder is not None]

    def may_be_rulebook(self, setting: declared.Setting, problems: Problems) -> bool:
        """Return whether the named rulebook, if it exists, is a readable text. If not, report an error."""
        named, span = words_of(setting.value), setting.value.span
        if self.report_refused(named, self.path.parent, span, problems):
            return False
        why = self.files.why_not(self.path.parent / named, *RULEBOOKS)
        if why is not None:
            help = f'name a text of clauses beside the game: `rulebook "{self.path.stem}.rules.md"`'
            problems.error(
                "unknown-file", f"the rulebook {quote_name(named)} {why}", span, help=help
            )
        return why is None

    def check_tables(
        self, declarations: Iterable[declared.Declaration], problems: Problems
    ) -> None:
        """Report an error for each table that the game may not read, and for each named file that
        is not a table.
        """
        for d in declarations:
            if not isinstance(d, declared.Record) or d.path is None:
                continue
            span = d.path_span or d.span
            folders = self._table_folders()
            there = [one for one in folders if self.files.is_there(one / d.path)] or folders[-1:]
            if self.report_refused(d.path, there[0], span, problems):
                self._refused.add(d.path)
            elif (why := self.files.why_not(there[0] / d.path, TABLES)) is not None:
                problems.error(
                    "unknown-file", f"the table {quote_name(d.path)} {why}", span, help=_AS_TABLE
                )
                self._refused.add(d.path)
