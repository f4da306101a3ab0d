"""Many plays between bots, and what they add up to.

Plays are told apart by their seeds alone, and tallies can be joined, so that the work can be
shared out. Refuses to know clocks, processes and files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import attrs

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.plays.bots import BOTS, bot_generator
from rulewright.interpreter.plays.game import Game, Setting, playout
from rulewright.interpreter.plays.play import Play
from rulewright.interpreter.plays.recorded import recorded
from rulewright.interpreter.plays.records import Record, record_of
from rulewright.interpreter.plays.state import State
from rulewright.interpreter.studies.audit import check_components
from rulewright.interpreter.viewing.variant import Variant

LONGEST = 100_000
"""A play with so many decisions is given up."""


@attrs.frozen
class Series:
    """How many numbers there were, and what is kept of them."""

    count: int = 0
    total: int = 0
    squares: int = 0
    low: int | None = None
    high: int | None = None

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Series:
        """Of these numbers."""
        if not numbers:
            return cls()
        squares = sum(number * number for number in numbers)
        return cls(len(numbers), sum(numbers), squares, min(numbers), max(numbers))

    def add(self, number: int) -> Series:
        """With one number more."""
        return self.join(Series(1, number, number * number, number, number))

    def join(self, other: Series) -> Series:
        """With those of another series."""
        if self.low is None or self.high is None:
            return other
        if other.low is None or other.high is None:
            return self
        return Series(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(self.low, other.low),
            max(self.high, other.high),
        )

    @property
    def mean(self) -> float:
        """The mean; 0 when there are no numbers."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        if not self.count:
            return 0.0
        return sqrt(max(0.0, self.squares / self.count - self.mean**2))


@attrs.frozen
class Tally:
    """What some plays add up to.

    `wins` counts victories of one seat alone, `shared` those of several, by seat; `scores` is by
    item and seat, `totals` by seat. `unfinished` plays were given up and count nowhere else.
    """

    items: tuple[str, ...]
    plays: int
    unfinished: int
    draws: int
    wins: tuple[int, ...]
    shared: tuple[int, ...]
    scores: tuple[tuple[Series, ...], ...]
    totals: tuple[Series, ...]
    length: Series
    options: Series

    @classmethod
    def empty(cls, variant: Variant) -> Tally:
        """Of no plays."""
        seats = variant.program.seats
        items = tuple(item.text for item in variant.program.score)
        none = (Series(),) * seats
        zeros = (0,) * seats
        return cls(
            items, 0, 0, 0, zeros, zeros, tuple(none for _ in items), none, Series(), Series()
        )

    def join(self, other: Tally) -> Tally:
        """With the plays of another tally of the same game and setting."""
        return Tally(
            self.items,
            self.plays + other.plays,
            self.unfinished + other.unfinished,
            self.draws + other.draws,
            _sums(self.wins, other.wins),
            _sums(self.shared, other.shared),
            tuple(_joined(*pair) for pair in zip(self.scores, other.scores, strict=True)),
            _joined(self.totals, other.totals),
            self.length.join(other.length),
            self.options.join(other.options),
        )

    def with_play(self, state: State, counts: Sequence[int]) -> Tally:
        """With one more play; `counts` has the number of options of each of its decisions."""
        if not state.over:
            return attrs.evolve(self, unfinished=self.unfinished + 1)
        winners = state.winners
        scores = state.scores
        seats = range(len(self.wins))
        sides = state.variant.program.sides
        # partners who win together share with nobody
        together = len({sides[seat] if sides else str(seat) for seat in winners}) < 2
        alone, several = (winners, ()) if together else ((), winners)
        return Tally(
            self.items,
            self.plays + 1,
            self.unfinished,
            self.draws + (not winners),
            tuple(count + (seat in alone) for seat, count in enumerate(self.wins)),
            tuple(count + (seat in several) for seat, count in enumerate(self.shared)),
            tuple(
                tuple(by_seat[seat].add(scores[seat].items[number][1]) for seat in seats)
                for number, by_seat in enumerate(self.scores)
            ),
            tuple(total.add(scores[seat].total) for seat, total in enumerate(self.totals)),
            self.length.add(len(counts)),
            self.options.join(Series.of(counts)),
        )


def _sums(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _joined(left: Sequence[Series], right: Sequence[Series]) -> tuple[Series, ...]:
    return tuple(a.join(b) for a, b in zip(left, right, strict=True))


def wilson(wins: int, plays: int, deviations: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a share; the true one lies in it in 95 of 100 cases."""
    if not plays:
        return 0.0, 1.0
    share, square = wins / plays, deviations**2
    middle = share + square / (2 * plays)
    spread = deviations * sqrt(share * (1 - share) / plays + square / (4 * plays**2))
    below = 1 + square / plays
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)


def simulate(
    game: Game,
    setting: Setting,
    seats: Sequence[str],
    seeds: Iterable[int],
    engine: EngineName = "python",
    on_play: Callable[[Play], None] | None = None,
    tick: Callable[[], None] | None = None,
    *,
    on_record: Callable[[Record], None] | None = None,
    variant: Variant | None = None,
) -> Tally:
    """Plays between bots, one for each seed; `seats` names the bot of each seat.

    `on_play` is given each play, `on_record` its record, `tick` is called after each. At its end each
    play is looked over: every piece in one place, no token lost, all values in range. With `variant`
    plays begin where it begins.
    """
    variant = variant or game.variant(setting, engine)
    tally = Tally.empty(variant)
    at_random = on_play is None and set(seats) == {"random"}
    for seed in seeds:
        counts: list[int] = []
        if at_random and on_record is not None:
            state, record = recorded(game, setting, variant, seed, LONGEST, counts)
            on_record(record)
        elif at_random:
            state = playout(variant, seed, LONGEST, counts)
        else:
            play = Play.begin(game, setting, seed, variant)
            play_on(play, seats, counts)
            state = play.state
            if on_play is not None:
                on_play(play)
            if on_record is not None:
                on_record(record_of(play, seats))
        check_components(variant, state.cells)
        tally = tally.with_play(state, counts)
        if tick is not None:
            tick()
    return tally


def play_on(
    play: Play, seats: Sequence[str], counts: list[int] | None = None, longest: int | None = None
) -> None:
    """Let bots play to the end, or until they have made too many choices.

    `counts` takes the number of options of each decision.
    """
    most = LONGEST if longest is None else longest
    while not play.state.over and play.decisions < most:
        state = play.state
        choose = BOTS[seats[state.player]]
        choice = choose(state, bot_generator(play.seed, play.decisions))
        if counts is not None:
            counts.append(len(state.option_ids))
        play.take(choice)
