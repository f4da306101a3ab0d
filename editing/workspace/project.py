"""One game being written: the current texts of all its files, their facts and their problems.

Facts about earlier texts are moved as the texts are edited.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from attrs import define, evolve, field, frozen

from rulewright.dsl.checks.clauses import Clause, read_clauses
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.model.model import Model
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.dsl.tree import declared, scenario_syntax
from rulewright.editing.workspace.checking import Found, Memory
from rulewright.editing.workspace.finding import scenarios_of
from rulewright.editing.workspace.moving import current_facts, current_problems, together
from rulewright.editing.workspace.names import Symbol, symbols_of, symbols_of_scenarios


@frozen(slots=False)
class Snapshot:
    """The current version of a game; every answer is computed from a snapshot."""

    game: Path
    loaded: Loaded
    sources: Mapping[Path, Source]
    """The texts of all files of the game, including tables and clauses."""
    scenarios: Mapping[Path, scenario_syntax.ScenarioFile]
    facts: Facts
    model: Model | None
    """The numbered declarations for some number of players, from their last complete version."""
    problems: tuple[Diagnostic, ...] = ()

    @cached_property
    def places(self) -> dict[str, Path]:
        """The files, keyed by the names under which they are shown."""
        return {source.name: path for path, source in self.sources.items()}

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """All declared symbols, in the order of the files."""
        return tuple(symbols_of(self.loaded.declarations))

    @cached_property
    def scenario_symbols(self) -> dict[Path, tuple[Symbol, ...]]:
        """The scenarios and starting positions of each file."""
        return {path: tuple(symbols_of_scenarios(tree)) for path, tree in self.scenarios.items()}

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the rulebook."""
        facts = self.loaded.facts
        source = self.sources.get(facts.rulebook) if facts and facts.rulebook else None
        return read_clauses(source, Problems()) if source is not None else ()

    def declarations_in(self, path: Path) -> tuple[declared.Declaration, ...]:
        """Return the declarations of one file."""
        source = self.sources.get(path)
        return tuple(d for d in self.loaded.declarations if d.span.source is source)

    def path_of(self, span: Span) -> Path | None:
        """Return the file of a place, or None."""
        return self.places.get(span.source.name)


@define
class _Scenes:
    """A file of scenarios: its text, its tree, its syntax errors, and later the results of its check."""

    source: Source
    tree: scenario_syntax.ScenarioFile
    reading: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...] = ()


@define
class Project:
    """A game being written."""

    path: Path
    files: Files
    loaded: Loaded
    facts: Facts = field(factory=Facts)
    model: Model | None = None
    memory: Memory = field(factory=Memory)
    """Results of the last check, used only by the next check."""
    _sources: dict[Path, Source] = field(factory=dict)
    _places: dict[str, Path] = field(factory=dict)
    """The files, keyed by the names under which they are shown."""
    _scenes: dict[Path, _Scenes] = field(factory=dict)
    _first: tuple[Diagnostic, ...] = ()
    _rest: tuple[Diagnostic, ...] = ()
    _snapshot: Snapshot | None = None

    @classmethod
    def open(cls, path: Path, files: Files) -> Project:
        """Open a game, whose files are read for the first time."""
        project = cls(path, files, load(path, files=files))
        project.refresh()
        return project

    def path_of(self, source: Source) -> Path | None:
        """Return the file of a text, or None."""
        return self._places.get(source.name)

    def has(self, path: Path) -> bool:
        """Return whether a file belongs to this game."""
        return path in self._sources or path in self.loaded.parts

    def refresh(self) -> None:
        """Read changed files again, and move facts to their new places."""
        self._snapshot = None
        self.loaded = load(self.path, files=self.files)
        before = self._sources
        self._sources = self._read_sources()
        self._places = {source.name: path for path, source in self._sources.items()}
        if before == self._sources:
            return
        current = {source.name: source for source in self._sources.values()}
        self.facts = current_facts(self.facts, current)
        self._first = tuple(current_problems(self._first, current))
        self._rest = tuple(current_problems(self._rest, current))
        for scenes in self._scenes.values():
            scenes.problems = tuple(current_problems(scenes.problems, current))

    def _read_sources(self) -> dict[Path, Source]:
        unheard = Problems()
        for path in scenarios_of(self.path, self.files):
            self._read_scenes(path)
        facts = self.loaded.facts
        if facts is not None and facts.rulebook is not None:
            self.files.read(facts.rulebook, self.loaded.parts, unheard)
        found = {
            path: source
            for path in self.loaded.parts
            if (source := self.files.source(path)) is not None
        }
        return found | {path: scenes.source for path, scenes in self._scenes.items()}

    def _read_scenes(self, path: Path) -> None:
        found = Problems()
        source = self.files.read(path, {}, found)
        if source is None:
            self._scenes.pop(path, None)
            return
        known = self._scenes.get(path)
        if known is not None and known.source is source:
            return
        tree = self.files.scenarios(source, parse_scenarios, found)
        self._scenes[path] = _Scenes(
            source, tree, found.in_order(), known.problems if known is not None else ()
        )

    def settle(self, found: Found) -> None:
        """Store the results of a check; the texts may have changed in the meantime."""
        current = {source.name: source for source in self._sources.values()}
        self._snapshot = None
        self.facts = together(current_facts(found.facts, current), self.facts)
        if found.model is not None:
            self.model = _copy_for_questions(found.model)
        if found.about == self.path:
            self._first = tuple(current_problems(found.first, current))
            if found.rest is not None:
                self._rest = tuple(current_problems(found.rest, current))
        elif found.about in self._scenes:
            self._scenes[found.about].problems = tuple(current_problems(found.rest or (), current))

    def problems(self) -> tuple[Diagnostic, ...]:
        """Return all known problems without duplicates, in order of place."""
        found = Problems()
        found.extend(self.loaded.problems)
        found.extend(self._first)
        found.extend(self._rest)
        for scenes in self._scenes.values():
            found.extend(scenes.reading)
            found.extend(scenes.problems)
        return found.in_order()

    def snapshot(self) -> Snapshot:
        """Return the current version of the game."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                self.path,
                self.loaded,
                dict(self._sources),
                {path: scenes.tree for path, scenes in self._scenes.items()},
                self.facts,
                self.model,
                self.problems(),
            )
        return self._snapshot

    def open_scenarios(self) -> list[Path]:
        """Return the scenario files that are open in the editor."""
        return [path for path in self._scenes if path in self.files.given]

    def all_scenarios(self) -> list[Path]:
        """Return all files of scenarios."""
        return list(self._scenes)


def _copy_for_questions(model: Model) -> Model:
    """Return a copy of a model for answers, in which questions and problems are not recorded."""
    return evolve(
        model,
        problems=Problems(),
        facts=Facts(),
        used_options=set(),
        used_words=set(),
        used_cells={},
    )


def is_rules(path: Path) -> bool:
    """Return whether a file contains rules or scenarios, rather than a table or text."""
    return path.suffix in (".game", SCENARIOS)
