"""What of the rules is reached in play: how often, and in how many plays.

A game is a program for each number of players and choice of options; what is the same line of the
rules in all of them is one `Point` here. Refuses to know how results are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from rulewright.dsl import ir
from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.dsl.source import Span
from rulewright.interpreter.bots import BOTS, bot_generator
from rulewright.interpreter.chance import key_of
from rulewright.interpreter.engines import EngineName, make_engine
from rulewright.interpreter.game import Game, Setting
from rulewright.interpreter.simulation import LONGEST
from rulewright.interpreter.state import UNKNOWN, State, Terms, settle
from rulewright.interpreter.variant import Variant

Key: TypeAlias = tuple[str, int, str, str]
"""File, offset, sort and name: what makes a point the same in two programs."""


@attrs.frozen
class Point:
    """Something in the rules that is reached or not.

    `word` says what: rule, action, branch, option, refusal ... `cited` is where its clauses are
    cited: file and offset of the first bracket of each line.
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
        """What makes it the same in two programs; points are shown in this order."""
        return self.file, self.offset, self.word, self.name


@attrs.define
class Reached:
    """How often each point was reached: `times` in all, and in how many `plays`."""

    plays: int = 0
    unfinished: int = 0
    times: dict[Key, int] = attrs.field(factory=dict)
    in_plays: dict[Key, int] = attrs.field(factory=dict)

    def add(self, reached: dict[Key, int], *, is_over: bool) -> None:
        """Add a play."""
        self.plays += 1
        self.unfinished += not is_over
        for key, times in reached.items():
            self.times[key] = self.times.get(key, 0) + times
            self.in_plays[key] = self.in_plays.get(key, 0) + 1

    def join(self, other: Reached) -> None:
        """Add the plays of another."""
        self.plays += other.plays
        self.unfinished += other.unfinished
        for mine, theirs in ((self.times, other.times), (self.in_plays, other.in_plays)):
            for key, number in theirs.items():
                mine[key] = mine.get(key, 0) + number


# ---- the points of a program ------------------------------------------------------------------------


def point_of(info: ir.MarkInfo) -> Point:
    """The point that a mark stands for."""
    file, line, offset = _place(info.span)
    cited = tuple((place.source.name, place.start) for place in info.cited)
    return Point(info.word, info.name, file, line, offset, info.clauses, cited)


def refusal_of(program: ir.Program, message: int) -> Point:
    """The point that a reason of refusal stands for: the words as they are written."""
    said = program.messages[message]
    words = "".join(part if isinstance(part, str) else "{...}" for part in said.parts)
    file, line, offset = _place(said.span)
    return Point("refusal", words, file, line, offset, said.clauses, ())


def points_of(programs: Iterable[ir.Program]) -> dict[Key, Point]:
    """All points of some programs of a game, in the order of the rules."""
    found: dict[Key, Point] = {}
    for program in programs:
        for info in program.marks:
            point = point_of(info)
            found.setdefault(point.key, point)
    return {key: found[key] for key in sorted(found)}


def _place(span: Span | None) -> tuple[str, int, int]:
    return (span.source.name, span.line, span.start) if span is not None else ("", 0, 0)


# ---- plays that are watched -------------------------------------------------------------------------


@attrs.define(eq=False)
class Watched:
    """One setting of a game, played with its marks counted.

    Only what happens is counted: nothing that a bot thinks of, and nothing that is tried on a copy.
    """

    setting: Setting
    plain: Variant
    counting: Variant
    counts: list[int]
    keys: list[Key]
    refusals: bool
    points: dict[Key, Point] = attrs.field(factory=dict)
    _reasons: dict[int, Key] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, game: Game, setting: Setting, engine: EngineName = "python", *, refusals: bool = False
    ) -> Watched:
        """With `refusals`, at each decision it is asked what is refused, and why."""
        program = game.program(setting)
        counts = [0] * len(program.marks)
        counting = Variant(program, make_engine(program, engine, counts))
        points = [point_of(info) for info in program.marks]
        return cls(
            setting,
            game.variant(setting, engine),
            counting,
            counts,
            [point.key for point in points],
            refusals,
            {point.key: point for point in points},
        )

    def play(self, seed: int, seats: Sequence[str]) -> tuple[dict[Key, int], bool]:
        """What is reached in the play of this seed between these bots, and whether it came to its end."""
        reached: dict[Key, int] = {}
        last: State | None = None
        for last in self._steps(seed, seats):
            self.collect(reached)
            if self.refusals and not last.over:
                self._refused(last, reached)
        assert last is not None
        if last.over:
            self._ended(last, reached)
            self.collect(reached)
        return reached, last.over

    def collect(self, reached: dict[Key, int]) -> None:
        """Take over what was counted since the last time."""
        counts, keys = self.counts, self.keys
        for mark, times in enumerate(counts):
            if times:
                counts[mark] = 0
                key = keys[mark]
                reached[key] = reached.get(key, 0) + times

    def _steps(self, seed: int, seats: Sequence[str]) -> Iterator[State]:
        """The state at each decision and at the end; marks are counted up to there."""
        counting = self.counting
        self.counts[:] = [0] * len(self.counts)
        # What others than random bots think of must not count.
        thinks = any(seat != "random" for seat in seats)
        terms = Terms(self.plain if thinks else counting, key_of(seed))
        cells = counting.engine.start()
        counting.run(cells, None)
        counter = settle(counting, cells, terms.key, 0)
        decisions = 0
        while True:
            state = State(terms, cells, counter, UNKNOWN)
            yield state
            if cells[OVER] or decisions >= LONGEST:
                return
            if thinks:
                counting.options(cells)  # values that are asked to see what may be done
            seat = seats[cells[PLAYER]]
            choice = BOTS[seat](state, bot_generator(seed, decisions))
            cells = cells[:]
            counting.advance(cells, choice)
            if cells[BOUND]:
                counter = settle(counting, cells, terms.key, counter)
            decisions += 1

    def _refused(self, state: State, reached: dict[Key, int]) -> None:
        """Count the reasons for which something cannot be done: each once at a decision."""
        refusals = self.plain.engine.refusals(state.cells)
        for message in sorted({refusal.message for refusal in refusals.values()}):
            key = self._reasons.get(message)
            if key is None:
                point = refusal_of(self.plain.program, message)
                key = self._reasons[message] = point.key
                self.points.setdefault(key, point)
            reached[key] = reached.get(key, 0) + 1

    def _ended(self, state: State, reached: dict[Key, int]) -> None:
        """Count items of the score that are not 0, by player, and whether somebody has won."""
        items: list[Key] = []
        winners = self.counting.winners(state.cells)
        for info, key in zip(self.plain.program.marks, self.keys, strict=True):
            if info.word == "score":
                items.append(key)
            elif info.word == "winner" and winners:
                reached[key] = 1
        for score in self.counting.scores(state.cells):
            for key, (_, points) in zip(items, score.items, strict=True):
                if points:
                    reached[key] = reached.get(key, 0) + 1


def settings_of(
    game: Game, players: int | None = None, options: Sequence[tuple[str, str]] = ()
) -> list[Setting]:
    """All settings of a game in which these players and options are as said."""
    given = dict(options)
    if players is not None or given:
        game.setting(players, given)  # refuses what the game does not have
    return [
        Setting(number, tuple(chosen.items()))
        for number, chosen in game.rules.configurations()
        if players in (None, number)
        and all(chosen.get(name) == value for name, value in given.items())
    ]


def shared_out(settings: Sequence[Setting], plays: int) -> list[tuple[Setting, int]]:
    """How many plays fall to each setting; where there are too few for all, to some from everywhere."""
    count = len(settings)
    if plays < count:
        return [(settings[n * count // plays], 1) for n in range(plays)]
    return [
        (each, plays * (n + 1) // count - plays * n // count) for n, each in enumerate(settings)
    ]
