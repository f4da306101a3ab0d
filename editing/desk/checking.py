"""A whole game looked at, step by step, so that whoever waits sees the first things first and may stop.

First the choice of players and options that comes by itself, then all others and the laws that hold for a whole
game, then the scenarios. Refuses to know who waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import attrs
from attrs import define, field, frozen

from rulewright.dsl.loading.earlier import Earlier, Lost, Places
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import Loaded, load, no_collection
from rulewright.dsl.lowering.whole.program import lower_all, prepare
from rulewright.dsl.problems.diagnostics import Diagnostic, Problems, Severity
from rulewright.dsl.problems.source import Span
from rulewright.dsl.scenes.scene_loading import in_steps
from rulewright.dsl.world.declaring import build_world
from rulewright.dsl.world.facts import Facts, Sort
from rulewright.dsl.world.leftover import name_what_is_left
from rulewright.dsl.world.typesystem import Type
from rulewright.dsl.world.world import Configuration, World
from rulewright.interpreter.plays.library import shipped_games


class Superseded(Exception):
    """Nobody waits for this any more."""


@define
class Asker:
    """Who waits for what is being looked at now.

    All looks at a game have the same: what an earlier one has left speaks to who asks now, not to who asked then."""

    is_there: Callable[[], bool] = lambda: True


@define
class Watched(Facts):
    """Facts that look, whenever one is noted, whether anybody still wants them."""

    asker: Asker = field(factory=Asker)

    def refers(self, span: Span, sort: Sort, name: str, declared: Span | None) -> None:
        """Note what a name refers to, if anybody wants to know."""
        if not self.asker.is_there():
            raise Superseded
        Facts.refers(self, span, sort, name, declared)

    def has_type(self, span: Span, type: Type) -> None:
        """Note the type of an expression, if anybody wants to know."""
        if not self.asker.is_there():
            raise Superseded
        Facts.has_type(self, span, type)


@frozen
class Found:
    """What a step of looking has brought: problems of the game or of a file of scenarios, and facts.

    `first` are those of the choice that comes by itself, `rest` all others but those of reading; None where these were
    not looked for yet.
    """

    about: Path
    first: tuple[Diagnostic, ...]
    rest: tuple[Diagnostic, ...] | None
    facts: Facts
    world: World | None = None
    loaded: Loaded | None = None
    """The game as it was read for this."""


@define
class Memory:
    """What looking at a game has left for the next time."""

    left: Earlier | None = None
    asker: Asker = field(factory=Asker)

    def keep(self, loaded: Loaded) -> None:
        """Keep what a later look can go on from, if there is any."""
        self.left = loaded.left() or self.left


def look(
    game: Path,
    scenarios: Sequence[Path],
    files: Files,
    is_wanted: Callable[[], bool],
    memory: Memory | None = None,
    tables: Path | None = None,
) -> Iterator[Found | None]:
    """All problems of a game and of files of scenarios, in steps; nothing more once nobody wants it.

    A step that has brought nothing yet gives None, so that others may have their turn."""
    try:
        memory = memory or Memory()
        memory.asker.is_there = is_wanted
        try:
            yield from _game(game, files, memory, tables)
        except Lost:
            memory.left = None
            yield from _game(game, files, memory, tables)
        if scenarios:
            yield from _scenarios(scenarios, files, memory.asker)
    except Superseded:
        return


def _game(
    path: Path,
    files: Files,
    memory: Memory,
    tables: Path | None,
) -> Iterator[Found | None]:
    known = Watched(asker=memory.asker)
    loaded = load(path, tables=tables, files=files, known=known)
    settings = loaded.looked_at()
    if any(problem.severity is Severity.ERROR for problem in loaded.problems):
        world = _facts_of_broken(loaded)
        yield Found(path, (), (), _copied(known), world, loaded)
        return
    if memory.left is not None:
        loaded.go_on(memory.left)
    now = loaded.now
    first = loaded.first_problems()
    world = loaded.world
    facts = _copied(loaded.known, now)
    memory.keep(loaded)  # whoever waits for the rest may be gone before it is asked for
    yield Found(path, _moved(first, now), None, facts, world, loaded)
    for setting in settings[1:]:
        yield None
        if not memory.asker.is_there():
            raise Superseded
        loaded.problems_seen(*setting)
    every = loaded.check()
    memory.keep(loaded)
    # What the text alone tells is not told where something is wrong with another choice.
    still = {(problem.code, problem.span) for problem in every}
    first = tuple(problem for problem in first if (problem.code, problem.span) in still)
    told = {(problem.code, problem.span) for problem in (*loaded.problems, *first)}
    rest = [problem for problem in every if (problem.code, problem.span) not in told]
    facts = _copied(loaded.known, now)
    yield Found(path, _moved(first, now), _moved(rest, now), facts, world, loaded)


def _scenarios(paths: Sequence[Path], files: Files, asker: Asker) -> Iterator[Found | None]:
    known = Watched(asker=asker)
    left = [*paths]
    for loaded in in_steps(paths, files=files, known=known, shipped=shipped_games):
        if loaded is None:
            yield None
            continue
        left.remove(loaded.path)
        # What was found out about all of them is told once.
        yield Found(loaded.path, (), loaded.problems, Facts() if left else _copied(known))


def _facts_of_broken(loaded: Loaded) -> World | None:
    """What can be found out about names and types though some lines cannot be read."""
    settings = loaded.looked_at()
    if not settings:
        return None
    players, options = settings[0]
    world: World | None = None
    unheard = Problems()
    try:
        with no_collection():
            world = build_world(
                loaded.declarations,
                Configuration(players, options),
                loaded.read_table,
                unheard,
                loaded.noted,
            )
            lower_all(world, prepare(world))
            name_what_is_left(world, loaded.declarations)
    except Superseded:
        raise
    except Exception:
        # The compiler may count on lines that could not be read; then what was found before that is all there is.
        return world
    return world


def _moved(problems: Iterable[Diagnostic], now: Places) -> tuple[Diagnostic, ...]:
    return tuple(now.problem(problem) for problem in problems)


def _copied(facts: Facts, now: Places | None = None) -> Facts:
    """The facts as they are, with their places in the text as it is now."""
    if now is None or not now.ends:
        return Facts(dict(facts.referents), dict(facts.types))
    found = Facts()
    for span, known in facts.referents.items():
        with suppress(Lost):
            to = known.declared and now.span(known.declared)
            found.referents[now.span(span)] = (
                known if to is known.declared else attrs.evolve(known, declared=to)
            )
    for span, type in facts.types.items():
        with suppress(Lost):
            found.types[now.span(span)] = type
    return found
