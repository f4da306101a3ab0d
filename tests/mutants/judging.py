"""Whether scenarios notice a change of the rules.

A game is compiled again for each change, once for each choice of players and options. Only scenarios that reach or
name the changed declaration are run. Scenarios that noticed another change of this declaration go first.
"""

from __future__ import annotations

import re
import signal
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import FrameType
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.files import Files
from rulewright.dsl.model.facts import Facts
from rulewright.dsl.scenarios.scenario_compiling import FullScenario, Terms, compile_scenarios
from rulewright.dsl.scenarios.scenario_loading import _Draft, _Reader
from rulewright.dsl.scenarios.scenarios import ScenarioProgram
from rulewright.dsl.tree import declared
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.coverage import point_of
from rulewright.interpreter.testing.scenarios import Runner
from tests.mutants.changes import Change, changes

SECONDS: Final = 20
"""CPU seconds that some scenarios may take; a change that makes the rules run forever counts as noticed."""
CHUNK: Final = 6
_WORD: Final = re.compile(r"\w+")
SLOW: Final = 1.0
"""CPU seconds."""
SCORES: Final = frozenset({"item", "total", "winners"})
"""The words for points in scenarios."""


class TooLongError(Exception):
    """A run does not end."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Stop a run that takes more CPU time."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@attrs.frozen(eq=False)
class Scenario:
    """A scenario with its players and options, and the declarations that it reaches."""

    terms: Terms
    read: FullScenario
    name: str
    file: Path
    words: frozenset[str]


@attrs.define(eq=False, slots=False)
class Judge:
    """The rules of a game, its scenarios, and the declarations that each scenario reaches."""

    game: str
    path: Path
    files: Files
    loaded: loading.Loaded
    scenarios: list[Scenario]
    reaching: dict[tuple[str, int], list[Scenario]] = attrs.field(factory=dict)
    """By the file and the start of a declaration."""
    starts: dict[str, list[int]] = attrs.field(factory=dict)
    """The starts of the declarations of a file."""
    noticed: dict[tuple[str, int], Counter[str]] = attrs.field(factory=dict)
    """The number of changes of a declaration that a scenario has noticed."""
    is_slow: dict[str, bool] = attrs.field(factory=dict)
    """Whether a scenario takes long; it goes last."""

    def __attrs_post_init__(self) -> None:
        for one in self.loaded.declarations:
            self.starts.setdefault(one.span.source.name, []).append(one.span.start)
        for starts in self.starts.values():
            starts.sort()

    @classmethod
    def of(cls, game: str, only: str | None = None) -> Judge:
        """Reads a game and its scenarios, or only those of one file."""
        path = shipped_games()[game]
        files = Files()
        loaded = loading.load(path, files=files)
        reader = _Reader(Reach(), files, Facts(), shipped_games, None)
        found: list[Scenario] = []
        for file in sorted(path.parent.glob(only or "*.scenario")):
            draft = reader.read(file)
            if isinstance(draft, _Draft):
                for terms, reads in draft.groups.items():
                    for one in reads:
                        words = frozenset(_WORD.findall(_text_of(one)))
                        found.append(Scenario(terms, one, one.scenario.text, file, words))
        return cls(game, path, files, loaded, found)

    @cached_property
    def changes(self) -> list[Change]:
        """All changes of its rules."""
        return changes(self.loaded.declarations)

    @cached_property
    def every(self) -> dict[Change, Change]:
        """All changes of its rules, each as a change of whole lines."""
        widened = (change.widen(self.text(change.file)) for change in self.changes)
        return {change: change for change in widened}

    def text(self, file: str) -> str:
        """A file of the rules."""
        return next(
            d.span.source for d in self.loaded.declarations if d.span.source.name == file
        ).text

    def text_of(self, change: Change) -> str:
        """The lines that are changed."""
        return self.text(change.file)[change.start : change.end]

    def declaration(self, file: str, offset: int) -> tuple[str, int]:
        """The declaration that a place belongs to."""
        starts = self.starts.get(file, [0])
        return file, starts[max(0, bisect_right(starts, offset) - 1)]

    def look(self) -> None:
        """Find out which declarations each scenario reaches."""
        marked: set[tuple[str, int]] = set()
        for terms, several in self.by_terms(self.scenarios).items():
            program = self.program_for(self.loaded, terms, several)
            assert program is not None, terms
            keys = [
                self.declaration(point.file, point.offset) if point.file else None
                for point in map(point_of, program.program.marks)
            ]
            marked |= {key for key in keys if key is not None}
            runner = Runner("python", counting=True)
            for scenario, scene in zip(several, program.scenes, strict=True):
                begun = time.process_time()
                (result,) = runner.run(attrs.evolve(program, scenes=(scene,)))
                assert result.passed, scenario.name
                self.is_slow[scenario.name] = time.process_time() - begun > SLOW
                (known,) = runner._known.values()
                assert known.counts is not None
                for key in {key for key, times in zip(keys, known.counts, strict=True) if times}:
                    if key is not None:
                        self.reaching.setdefault(key, []).append(scenario)
                known.counts[:] = [0] * len(known.counts)
        self._add_scores()
        self._pass_on(marked)

    def _add_scores(self) -> None:
        """Declarations that only an expected score reads do not count as reached."""
        looking = [one for one in self.scenarios if SCORES & one.words]
        for one in self.loaded.declarations:
            if isinstance(one, (declared.Score, declared.Winner)):
                found = self.reaching.setdefault((one.span.source.name, one.span.start), [])
                found += [scenario for scenario in looking if scenario not in found]

    def _pass_on(self, marked: set[tuple[str, int]]) -> None:
        """A computation is reached if a declaration that uses it is reached.

        Marks are counted only in the match itself, not in searches for options.
        """
        words: dict[tuple[str, int], frozenset[str]] = {}
        names: dict[tuple[str, int], str] = {}
        for one in self.loaded.declarations:
            key = (one.span.source.name, one.span.start)
            words[key] = frozenset(re.findall(r"\w+", self._own_text(*key)))
            if isinstance(one, declared.Whenever | declared.OnMove):
                names[key] = ""  # with a change it may fire anywhere
            elif isinstance(one, declared.Value) or key not in marked:
                name = getattr(one, "name", None)
                names[key] = name if isinstance(name, str) else ""
        reached = {key: set(map(id, several)) for key, several in self.reaching.items()}
        is_changed = True
        while is_changed:
            is_changed = False
            for key, name in names.items():
                mine = reached.setdefault(key, set())
                before = len(mine)
                for user, used in words.items():
                    if user != key and (name in used or not name):
                        mine |= reached.get(user, set())
                is_changed |= len(mine) > before
        # A rule that only searches run is reached if a rule that runs it is reached.
        direct = dict(reached)
        for rule in self.loaded.declarations:
            if isinstance(rule, declared.Rule):
                key = (rule.span.source.name, rule.span.start)
                users = [user for user, used in words.items() if rule.name in used]
                reached[key] = set().union(*(direct.get(user, set()) for user in [key, *users]))
        for key, found in reached.items():
            self.reaching[key] = [one for one in self.scenarios if id(one) in found]

    def _own_text(self, file: str, start: int) -> str:
        """The text of the declaration that begins there."""
        starts = self.starts[file]
        after = bisect_right(starts, start)
        return self.text(file)[start : starts[after] if after < len(starts) else None]

    def remember(self, change: Change, scenario: str) -> None:
        """A scenario has noticed a change; it runs first for other changes of the same declaration."""
        if scenario:
            key = self.declaration(change.file, change.start)
            self.noticed.setdefault(key, Counter())[scenario] += 1

    def candidates(self, change: Change) -> list[Scenario]:
        """The scenarios that reach or name the changed declaration.

        Those that noticed most there go first, then those with the rarest words of the change; slow ones go last.
        """
        key = self.declaration(change.file, change.start)
        found = self.reaching.get(key, [])
        names: set[str] = {
            name
            for d in self.loaded.declarations
            if (d.span.source.name, d.span.start) == key
            and isinstance(name := getattr(d, "name", None), str)
        }
        more = [one for one in self.scenarios if names & one.words and one not in found]
        times = self.noticed.setdefault(key, Counter())
        mine = names | set(_WORD.findall(self.text_of(change) + change.new))

        def rank(one: Scenario) -> tuple[bool, int, float]:
            likeness = sum(1 / self.frequencies[word] for word in mine & one.words)
            return self.is_slow.get(one.name, False), -times[one.name], -likeness

        return sorted([*found, *more], key=rank)

    @cached_property
    def frequencies(self) -> Counter[str]:
        """The number of scenarios with a word."""
        return Counter(word for one in self.scenarios for word in one.words)

    @staticmethod
    def by_terms(scenarios: list[Scenario]) -> dict[Terms, list[Scenario]]:
        """The scenarios that share a program, the largest group first."""
        groups: dict[Terms, list[Scenario]] = {}
        for one in scenarios:
            groups.setdefault(one.terms, []).append(one)
        return dict(sorted(groups.items(), key=lambda item: -len(item[1])))

    @staticmethod
    def program_for(
        game: loading.Loaded, terms: Terms, several: list[Scenario]
    ) -> ScenarioProgram | None:
        """The program for some scenarios; None if it has errors."""
        reads = [one.read for one in several]
        programs = compile_scenarios(game, terms, [reads], Problems(), Facts())
        return None if programs is None else programs[0]

    def load_changed(self, change: Change) -> loading.Loaded | None:
        """The rules with a change; None if they cannot be read."""
        game = self.with_texts({change.file: change.apply(self.text(change.file))})
        return None if game.problems else game

    def with_texts(self, texts: Mapping[str, str]) -> loading.Loaded:
        """The rules with other texts of some files."""
        given = {
            next(path for path in self.loaded.parts if path.name == Path(file).name): text
            for file, text in texts.items()
        }
        self.files.given.update(given)
        try:
            return loading.load(self.path, files=self.files)
        finally:
            for path in given:
                del self.files.given[path]

    def judge(self, change: Change, likely: Sequence[Scenario]) -> str | None:
        """The first of these scenarios that notices a change; "" if none does; None if the changed rules are not a
        game."""
        game = self.load_changed(change)
        if game is None:
            return None
        times = self.noticed.setdefault(self.declaration(change.file, change.start), Counter())
        known = [one for one in likely if times[one.name]]
        others = [one for one in likely if not times[one.name]]
        for several in (known, others):
            for terms, group in self.by_terms(several).items():
                program = self.program_for(game, terms, group)
                if program is None:
                    return None
                found = failing(program)
                if found is not None:
                    self.remember(change, found)
                    return found
        if not likely and any(
            self.program_for(game, terms, group[:1]) is None
            for terms, group in self.by_terms(self.scenarios).items()
        ):
            return None
        return ""


def failing(program: ScenarioProgram) -> str | None:
    """The first scenario that fails."""
    runner = Runner("python")
    for first in range(0, len(program.scenes), CHUNK):
        scenes = program.scenes[first : first + CHUNK]
        try:
            with at_most(SECONDS):
                for result in runner.run(attrs.evolve(program, scenes=scenes)):
                    if not result.passed:
                        return result.scene.text
        except (TooLongError, RecursionError):
            return scenes[0].text
    return None


def _text_of(read: FullScenario) -> str:
    """The text of a scenario's own lines."""
    span = read.scenario.span
    text = span.source.text[span.start :]
    following = re.search(r"^(scenario|beginning) ", text[1:], re.MULTILINE)
    return text[: following.start() + 1] if following else text
