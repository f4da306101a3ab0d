"""Measures the coverage of rules: how often each point is reached, and in how many matches.

Each variant of a game has its own program, but a line of the rules is the same `Point` for all of
them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeAlias

import attrs

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.ir import OVER, PLAYER
from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.chance import key_of
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.engines import EngineName, make_engine
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.state import UNKNOWN, Ask, State, Terms, settle
from rulewright.interpreter.views.compiled_game import CompiledGame

LONGEST: Final = 10_000
"""The number of decisions after which a match is unlikely to reach new points.

Most variants of some games do not end by themselves.
"""
BODIES = ("setup", "play", "rule", "action", "effect", "trigger")
"""The kinds of points that contain other points."""
Key: TypeAlias = tuple[str, int, str, str]
"""File, offset, kind and name. Points of two programs with the same key are the same point."""


@attrs.frozen
class Point:
    """A point in the rules whose coverage is counted.

    `word` is its kind: rule, action, branch, option, refusal and so on. `cited` lists the places
    where its clauses are cited: the file and the offset of the first bracket of each line.
    """

    word: str
    name: str
    file: str
    line: int
    offset: int
    clauses: tuple[str, ...]
    cited: tuple[tuple[str, int], ...]

    @property
    def key(self) -> Key:
        """Return the key that identifies the point in all programs, and by which points are sorted for display."""
        return self.file, self.offset, self.word, self.name


@attrs.define
class Reached:
    """How often each point was reached: `times` in total, and in how many matches (`in_plays`)."""

    plays: int = 0
    unfinished: int = 0
    times: dict[Key, int] = attrs.field(factory=dict)
    in_plays: dict[Key, int] = attrs.field(factory=dict)

    def add(self, reached: dict[Key, int], *, is_over: bool) -> None:
        """Add the counts of a match."""
        self.plays += 1
        self.unfinished += not is_over
        for key, times in reached.items():
            self.times[key] = self.times.get(key, 0) + times
            self.in_plays[key] = self.in_plays.get(key, 0) + 1

    def join(self, other: Reached) -> None:
        """Add the counts of other matches."""
        self.plays += other.plays
        self.unfinished += other.unfinished
        for mine, theirs in ((self.times, other.times), (self.in_plays, other.in_plays)):
            for key, number in theirs.items():
                mine[key] = mine.get(key, 0) + number


# ---- the points of a program ------------------------------------------------------------------------


def point_of(info: ir.MarkInfo) -> Point:
    """Return the point to which a mark belongs."""
    file, line, offset = _place(info.span)
    cited = tuple((place.source.name, place.start) for place in info.cited)
    return Point(info.word, info.name, file, line, offset, info.clauses, cited)


def refusal_of(program: ir.Program, message: int) -> Point:
    """Return the point of a refusal reason. Its name is the reason as written in the rules."""
    said = program.messages[message]
    file, line, offset = _place(said.span)
    return Point("refusal", said.written, file, line, offset, said.clauses, ())


def points_of(programs: Iterable[ir.Program]) -> dict[Key, Point]:
    """Return all points of several programs of a game, in the order of the rules."""
    found: dict[Key, Point] = {}
    for program in programs:
        for info in program.marks:
            point = point_of(info)
            found.setdefault(point.key, point)
    return {key: found[key] for key in sorted(found)}


def _place(span: Span | None) -> tuple[str, int, int]:
    return (span.source.name, span.line, span.start) if span is not None else ("", 0, 0)


# ---- matches in which marks are counted ---------------------------------------------------------


@attrs.define(eq=False, slots=False)
class Watched:
    """A variant of a game that is played while its marks are counted.

    Only steps of the match are counted, not a bot's search or trials on copies.
    """

    variant: Variant
    plain: CompiledGame
    counting: CompiledGame
    counts: list[int]
    keys: list[Key]
    refusals: bool
    points: dict[Key, Point] = attrs.field(factory=dict)
    _reasons: dict[int, Key] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, game: Game, variant: Variant, engine: EngineName = "python", *, refusals: bool = False
    ) -> Watched:
        """Prepare a variant. With `refusals`, the refusals and their reasons are counted at each decision."""
        program = game.program(variant)
        counts = [0] * len(program.marks)
        counting = CompiledGame(program, make_engine(program, engine, counts))
        points = [point_of(info) for info in program.marks]
        return cls(
            variant,
            game.compiled(variant, engine),
            counting,
            counts,
            [point.key for point in points],
            refusals,
            {point.key: point for point in points},
        )

    def play(self, seed: int, seats: Sequence[str]) -> tuple[dict[Key, int], bool]:
        """Play a match between the given bots. Return how often each point was reached, and whether the match ended."""
        # Positions in a bot's search must not be counted.
        thinks = any(seat != "random" for seat in seats)
        terms = Terms(self.plain if thinks else self.counting, key_of(seed))
        reached: dict[Key, int] = {}
        cells, counter = self.begin(terms.key)
        decisions = 0
        while not cells[OVER] and decisions < LONGEST:
            if thinks:
                self.counting.options(cells)  # values on which options depend are counted too
            state = State(terms, cells, counter, UNKNOWN)
            choice = bot_named(seats[cells[PLAYER]])(state, bot_generator(seed, decisions))
            if self.refusals:
                self.count_refusals(cells, reached)
            cells, counter = self.after(cells, choice, terms.key, counter)
            self.collect(reached)
            decisions += 1
        self.collect(reached)
        if cells[OVER]:
            self.count_end(cells, reached)
        return reached, bool(cells[OVER])

    def play_again(self, states: Sequence[State]) -> tuple[dict[Key, int], bool]:
        """Return the same results as `play`, for a match that was already played. `states` must
        begin with its first state."""
        reached: dict[Key, int] = {}
        cells, _ = self.begin(0, _results(states[0]))
        for before, after in pairwise(states):
            self.counting.options(cells)
            if self.refusals:
                self.count_refusals(before.cells, reached)
            cells, _ = self.after(cells, after.choice, 0, 0, _results(after))
            self.collect(reached)
        self.collect(reached)
        if cells[OVER]:
            self.count_end(cells, reached)
        return reached, bool(cells[OVER])

    def begin(self, key: int, ask: Ask | None = None) -> tuple[Cells, int]:
        """Return the cells at the first decision, and the counter of the generator.

        If `ask` is given, it supplies the results of chance.
        """
        self.counts[:] = [0] * len(self.counts)
        cells = self.counting.engine.start()
        self.counting.run(cells, None)
        return cells, settle(self.counting, cells, key, 0, ask)[0]

    def after(
        self, cells: Cells, choice: int, key: int, counter: int, ask: Ask | None = None
    ) -> tuple[Cells, int]:
        """Return the cells at the decision after a choice, and the counter. The given cells do not change."""
        cells = cells[:]
        self.counting.advance(cells, choice)
        return cells, settle(self.counting, cells, key, counter, ask)[0]

    def collect(self, reached: dict[Key, int]) -> None:
        """Add to `reached` the counts made since the last call."""
        counts, keys = self.counts, self.keys
        for mark, times in enumerate(counts):
            if times:
                counts[mark] = 0
                key = keys[mark]
                reached[key] = reached.get(key, 0) + times

    def body_at(self, file: str, offset: int) -> Key | None:
        """If a place is inside a rule, an action, an effect or a similar body, return the body, otherwise None."""
        starts = self._bodies
        place = bisect_right(starts, (file, offset, "\U0010ffff", ""))
        return starts[place - 1] if place and starts[place - 1][0] == file else None

    @cached_property
    def _bodies(self) -> list[Key]:
        return sorted(key for key, point in self.points.items() if point.word in BODIES)

    def count_refusals(self, cells: Cells, reached: dict[Key, int]) -> dict[int, Key]:
        """Count each current reason for a refusal once. Return the reason of each refused option."""
        why: dict[int, Key] = {}
        for option, refusal in self.plain.engine.refusals(cells).items():
            message = refusal.message
            key = self._reasons.get(message)
            if key is None:
                point = refusal_of(self.plain.program, message)
                key = self._reasons[message] = point.key
                self.points.setdefault(key, point)
            why[option] = key
        for key in dict.fromkeys(why.values()):
            reached[key] = reached.get(key, 0) + 1
        return why

    def count_end(self, cells: Cells, reached: dict[Key, int]) -> None:
        """Count which score items of each player are not 0, and whether anybody has won."""
        items: list[Key] = []
        winners = self.counting.winners(cells)
        for info, key in zip(self.plain.program.marks, self.keys, strict=True):
            if info.word == "score":
                items.append(key)
            elif info.word == "winner" and winners:
                reached[key] = 1
        for score in self.counting.scores(cells):
            for key, (_, points) in zip(items, score.items, strict=True):
                if points:
                    reached[key] = reached.get(key, 0) + 1
        self.collect(reached)


def _results(state: State) -> Ask:
    """Return a function that returns, one at each call, the results of chance that led to a state."""
    results = iter([each.result for each in state.drawn])
    return lambda *_: next(results)


def variants_of(
    game: Game, players: int | None = None, options: Mapping[str, str] | None = None
) -> list[Variant]:
    """Return the variants of a game with the given players and options: all of them, or enough to
    cover all pairs of options."""
    given = dict(options or {})
    if players is not None or given:
        game.variant(
            players, given
        )  # raises an error for players or options that the game does not have
    return [
        Variant(number, tuple(chosen.items()))
        for number, chosen in game.rules.variants(players, given)
    ]


def shared_out(variants: Sequence[Variant], plays: int) -> list[tuple[Variant, int]]:
    """Divide a number of matches among variants.

    If there are fewer matches than variants, the variants that get a match are spread evenly over
    the list.
    """
    count = len(variants)
    if plays < count:
        return [(variants[n * count // plays], 1) for n in range(plays)]
    return [
        (each, plays * (n + 1) // count - plays * n // count) for n, each in enumerate(variants)
    ]
