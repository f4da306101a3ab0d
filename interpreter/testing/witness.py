"""Finds a match that reaches a point in the rules: first by random play, then by looking one choice ahead.

This module does not write records (see `rulewright.interpreter.matches.records`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from rulewright.dsl.checks.clauses import Citation
from rulewright.dsl.ir import OVER
from rulewright.interpreter.engines.chance import key_of
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.simulation.simulation import LONGEST
from rulewright.interpreter.testing.coverage import Key, Point, Watched
from rulewright.interpreter.text.faults import RuleFault

_MOST_TRIED = 40  # the maximum number of options that are tried at one decision
_TO_THE_END = 10_000  # the maximum number of decisions after the point is reached


@attrs.frozen
class Witness:
    """A complete match that reaches a point.

    `decision` is the number (counted from 1) of the choice that leads to the point, or 0 if the
    setup leads to it. A refusal is reached at the decision itself; in this case `refused` is the
    option that cannot be chosen. `searched` is the number of matches examined.
    """

    match: Match
    point: Point
    decision: int
    refused: str | None
    searched: int


def points_named(
    name: str, points: Mapping[Key, Point], citations: Iterable[Citation] = ()
) -> list[Point]:
    """Return the points that a text names: by kind and name, by name alone, by a clause, or by file and line.

    A clause names the lines that the ledger assigns to it.
    """
    cited = {(c.at.source.name, c.at.start) for c in citations if c.id == name and not c.outer}
    tests: tuple[Callable[[Point], bool], ...] = (
        lambda point: label(point) == name,
        lambda point: point.name == name,
        lambda point: not cited.isdisjoint(point.cited),
        lambda point: place(point) == name,
    )
    for test in tests:
        found = [point for point in points.values() if test(point)]
        if found:
            return found
    return []


def label(point: Point) -> str:
    """Return the title of a point: its kind and its name."""
    return point.word if point.word == point.name else f"{point.word} {point.name}"


def place(point: Point) -> str:
    """Return the place of a point: the name of the file without its folder, and the line."""
    return f"{point.file.replace(chr(92), '/').rsplit('/', 1)[-1]}:{point.line}"


def find_witness(
    game: Game,
    variants: Sequence[Variant],
    targets: Iterable[Point],
    plays: int,
    seed: int = 0,
    engine: EngineName = "python",
    tick: Callable[[], None] | None = None,
    done: list[int] | None = None,
) -> Witness | None:
    """Return the first match found that reaches one of the points. If `plays` matches reach none of them, return None.

    The first half of the matches is played at random, the second half by looking one choice ahead.
    `tick` is called after each match. `done` receives the number of matches examined, even if the
    search is interrupted.
    """
    wanted = {point.key: point for point in targets}
    refusals = any(point.word == "refusal" for point in wanted.values())
    watched: dict[Variant, Watched] = {}
    met: dict[Key, int] = {}
    for number in range(plays):
        if done is not None:
            done[:] = [number]
        variant = variants[number % len(variants)]
        if variant not in watched:
            watched[variant] = Watched.of(game, variant, engine, refusals=refusals)
        hunt = _Hunt(watched[variant], wanted, met, seed + number, looks=number >= (plays + 1) // 2)
        found = hunt.run()
        if found is not None:
            match = _play(game, variant, hunt, watched[variant])
            return Witness(match, wanted[found], hunt.decision, hunt.refused, number + 1)
        if tick is not None:
            tick()
    return None


@attrs.define
class _Hunt:
    """One match of the search. `met` counts the matches that have reached each point so far."""

    watched: Watched
    wanted: Mapping[Key, Point]
    met: dict[Key, int]
    seed: int
    looks: bool
    choices: list[int] = attrs.field(factory=list)
    decision: int = 0
    refused: str | None = None

    def run(self) -> Key | None:
        """Play until a wanted point is reached, and return the point. If the match ends first, return None."""
        watched, key = self.watched, key_of(self.seed)
        reached: dict[Key, int] = {}
        cells, counter = watched.begin(key)
        watched.collect(reached)
        found = self._wanted_key(reached)
        while found is None and not cells[OVER] and len(self.choices) < LONGEST:
            if watched.refusals:
                found = self._refused_key(cells, reached)
                if found is not None:
                    return found
            choice = self._choice(cells, key, counter)
            self.choices.append(choice)
            cells, counter = watched.after(cells, choice, key, counter)
            watched.collect(reached)
            found = self._wanted_key(reached)
        if found is None and cells[OVER]:
            watched.count_end(cells, reached)
            found = self._wanted_key(reached)
        self.decision = len(self.choices)
        for each in reached:
            self.met[each] = self.met.get(each, 0) + 1
        return found

    def _wanted_key(self, reached: Mapping[Key, int]) -> Key | None:
        return next((key for key in self.wanted if key in reached), None)

    def _refused_key(self, cells: Cells, reached: dict[Key, int]) -> Key | None:
        for option, key in self.watched.count_refusals(cells, reached).items():
            if key in self.wanted:
                self.decision = len(self.choices) + 1
                self.refused = self.watched.plain.option_name(cells, option)
                return key
        return None

    def _choice(self, cells: Cells, key: int, counter: int) -> int:
        """Choose a random option.

        With `looks`, in half of the cases choose the option that leads to the rarest points
        instead.
        """
        offered = self.watched.counting.options(cells)
        self.watched.collect({})
        generator = bot_generator(self.seed, len(self.choices))
        at_random = offered[generator.below(len(offered))]
        if not self.looks or len(offered) == 1:
            return at_random
        curious = generator.below(2) == 0
        best, choice = 0.0, at_random
        for option in offered[:_MOST_TRIED]:
            reached = self._reached_by(cells, option, key, counter)
            if self._wanted_key(reached) is not None:
                return option
            worth = max((self._worth(each) for each in reached), default=0.0)
            if curious and worth > best:
                best, choice = worth, option
        return choice

    def _reached_by(self, cells: Cells, option: int, key: int, counter: int) -> dict[Key, int]:
        reached: dict[Key, int] = {}
        try:
            after, _ = self.watched.after(cells, option, key, counter)
            if self.watched.refusals and not after[OVER]:
                self.watched.count_refusals(after, reached)
        except RuleFault:  # the fault is reported if the option is chosen
            self.watched.collect({})
            return {}
        self.watched.collect(reached)
        return reached

    def _worth(self, key: Key) -> float:
        """Return the value of reaching a point.

        The value is greater for rare points, and greatest for points in the same rule as a wanted
        point.
        """
        near = any(_same_body(self.watched, key, wanted) for wanted in self.wanted)
        return (2.0 if near else 1.0) / (1 + self.met.get(key, 0))


def _same_body(watched: Watched, key: Key, wanted: Key) -> bool:
    file, offset, *_ = key
    return watched.body_at(file, offset) == watched.body_at(wanted[0], wanted[1])


def _play(game: Game, variant: Variant, hunt: _Hunt, watched: Watched) -> Match:
    """Play the same match again, recording all its states, and continue it at random to its end."""
    match = Match.begin(game, variant, hunt.seed, watched.plain)
    for choice in hunt.choices:
        match.take(choice)
    for _ in range(_TO_THE_END):
        if match.state.over:
            break
        offered = match.state.option_ids
        match.take(offered[bot_generator(hunt.seed, match.decisions).below(len(offered))])
    return match
