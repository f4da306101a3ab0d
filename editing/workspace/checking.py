"""Check a whole game step by step, so that an editor shows the first results early and can stop the check.

First comes the default variant, then all others and the checks of the whole game, then the scenarios.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from attrs import define, field, frozen

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.loading.broken import Broken
from rulewright.dsl.loading.collection import no_collection
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import Loaded, load
from rulewright.dsl.loading.reuse import Earlier, Lost, Places
from rulewright.dsl.model.facts import Facts, ReferentKind
from rulewright.dsl.model.model import Model
from rulewright.dsl.model.types import Type
from rulewright.dsl.scenarios.scenario_loading import load_in_steps
from rulewright.editing.workspace.symbols import Known, move_facts
from rulewright.interpreter.matches.library import shipped_games


class Superseded(Exception):
    """Raised when a check is no longer needed."""


@define
class Asker:
    """The requester of the current check.

    All checks of a game share it, so that results kept from an earlier check refer to the requester of the
    current check.
    """

    is_there: Callable[[], bool] = lambda: True


_AS_MANY = 64  # noting this many facts takes a third of a millisecond


@define
class Watched(Facts):
    """Facts that regularly test, while they are recorded, whether the check is still wanted."""

    asker: Asker = field(factory=Asker)
    _number: int = 0

    def refers(self, span: Span, kind: ReferentKind, name: str, declared: Span | None) -> None:
        """Record the symbol that a name refers to, if facts are wanted."""
        self._number += 1
        if not self._number % _AS_MANY and not self.asker.is_there():
            raise Superseded
        Facts.refers(self, span, kind, name, declared)

    def has_type(self, span: Span, type: Type) -> None:
        """Record the type of an expression, if types are wanted."""
        self._number += 1
        if not self._number % _AS_MANY and not self.asker.is_there():
            raise Superseded
        Facts.has_type(self, span, type)


@frozen
class Found:
    """The result of a step of a check: problems of the game or of a file of scenarios, and facts.

    `first` are the problems of the default variant. `rest` are all others except syntax errors, or None if
    these were not searched yet.
    """

    about: Path
    first: tuple[Diagnostic, ...]
    rest: tuple[Diagnostic, ...] | None
    facts: Facts
    model: Model | None = None
    loaded: Loaded | None = None
    """The game that was read for this check."""


@define
class Memory:
    """Results of a check, kept for the next check."""

    left: Earlier | None = None
    known: Known = field(factory=Known)
    """The facts about places at the time of that check."""
    asker: Asker = field(factory=Asker)

    def keep(self, loaded: Loaded, known: Known) -> None:
        """Keep the results from which a later check can continue, if there are any."""
        left = loaded.reusable_results()
        if left is not None:
            self.left, self.known = left, known


def look(
    game: Path,
    scenarios: Sequence[Path],
    files: Files,
    is_wanted: Callable[[], bool],
    memory: Memory | None = None,
    reach: Reach | None = None,
) -> Iterator[Found | None]:
    """Yield all problems of a game and its scenario files, in steps, until the check is no longer wanted.

    A step without a result yields None, so that other work can run in between.
    """
    try:
        memory = memory or Memory()
        memory.asker.is_there = is_wanted
        try:
            yield from _game(game, files, memory, reach)
        except Lost:
            memory.left = None
            yield from _game(game, files, memory, reach)
        if scenarios:
            yield from _scenarios(scenarios, files, memory.asker)
    except Superseded:
        return


def _game(
    path: Path,
    files: Files,
    memory: Memory,
    reach: Reach | None,
) -> Iterator[Found | None]:
    memo = Watched(asker=memory.asker)
    loaded = load(path, reach=reach, files=files, known=memo)
    if any(problem.severity is Severity.ERROR for problem in loaded.problems):
        broken = Broken(loaded, memory.left)
        _look_at_broken(broken)
        known = memory.known.still(loaded.texts, broken.now).with_(memo)
        yield Found(path, (), (), known.now(broken.now), broken.model, loaded)
        return
    before = Known()
    if memory.left is not None and loaded.reuse(memory.left):
        before = memory.known.still(loaded.texts, loaded.now)
    now = loaded.now
    first = loaded.first_problems()
    model = loaded.model
    facts = move_facts(loaded.known, now)
    # The client may exit before it asks for the rest.
    memory.keep(loaded, before.with_(memo))
    yield Found(path, _move_problems(first, now), None, facts, model, loaded)
    for variant in islice(loaded.variants_in_turn(), 1, None):
        yield None
        if not memory.asker.is_there():
            raise Superseded
        loaded.check_variant(*variant)
    every = loaded.check()
    known = before.with_(loaded.known)
    memory.keep(loaded, known)
    # Problems of the default variant count only if the check of all variants reports them, too.
    still = {(problem.code, problem.span) for problem in every}
    first = tuple(problem for problem in first if (problem.code, problem.span) in still)
    reported = {(problem.code, problem.span) for problem in (*loaded.problems, *first)}
    rest = [problem for problem in every if (problem.code, problem.span) not in reported]
    # Near an error, a name may refer to nothing, although it referred to a symbol in the previous check.
    facts = move_facts(loaded.known, now) if every or loaded.problems else known.now(now)
    yield Found(path, _move_problems(first, now), _move_problems(rest, now), facts, model, loaded)


def _scenarios(paths: Sequence[Path], files: Files, asker: Asker) -> Iterator[Found | None]:
    known = Watched(asker=asker)
    left = [*paths]
    for loaded in load_in_steps(paths, files=files, known=known, shipped=shipped_games):
        if loaded is None:
            yield None
            continue
        left.remove(loaded.path)
        # The facts about all steps are sent once, with the last file.
        yield Found(loaded.path, (), loaded.problems, Facts() if left else known.copy())


def _look_at_broken(broken: Broken) -> None:
    """Find facts about names and types although some lines cannot be read."""
    try:
        with no_collection():
            broken.find_facts()
    except Superseded:
        raise
    except Exception:
        # The compiler may need lines that could not be read; then only the facts found so far count.
        return


def _move_problems(problems: Iterable[Diagnostic], now: Places) -> tuple[Diagnostic, ...]:
    return tuple(now.problem(problem) for problem in problems)
