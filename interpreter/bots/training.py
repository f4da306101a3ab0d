"""Learns the weights of a game from matches of bots, by a linear regression of results on the things of each player.

The weight of a thing is the value of having one more of it than the other players. Some matches are
reserved for a test: weights are good if they predict the results of these matches better than
points alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import attrs

from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.bots.patterns import Board, Patterns, begin_learning
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.weights import MOST, Thing, Weights, things_of, using
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.returns import leads_of, shares, sides_of
from rulewright.interpreter.views.compiled_game import CompiledGame

Row = list[float]

RARELY: Final = 6
"""One in `RARELY` decisions is sampled. Few decisions are sampled, because neighbouring decisions are nearly equal."""
TESTED: Final = 3
"""One in `TESTED` matches is reserved for the test."""
FEWEST: Final = 12
"""The minimum number of matches to learn from."""
MOST_THINGS: Final = 60
"""The maximum number of things with weights. The things most correlated with the result are used."""
DOUBT: Final = 0.02
"""How strongly weights are shrunk towards 0, as a proportion of the number of samples."""
LONGEST: Final = 5_000
"""The number of decisions after which a match is abandoned."""
MATCHES: Final = 5_000_000
"""The maximum number of matches from which patterns are learned, if no other number is given."""
TOGETHER: Final = 100
"""The number of matches that patterns play before the caller is asked whether to go on."""
_STREAM = 7_919


@attrs.define
class Samples:
    """The things of seats at some decisions, compared with the other seats, and each seat's share of the victory."""

    names: list[str]
    rows: list[Row] = attrs.field(factory=list)
    results: list[float] = attrs.field(factory=list)


@attrs.frozen
class Trained:
    """Weights, and how much of the results they explain in the test matches."""

    weights: Weights
    by_points: float
    """The proportion of the variance of results that points alone explain."""
    by_all: float

    @property
    def is_better(self) -> bool:
        """Return whether the weights predict results better than points alone."""
        return bool(self.weights.things) and self.by_all > self.by_points


def train(
    game: Game,
    compiled: CompiledGame,
    variant: Variant,
    bot: str,
    seeds: Iterable[int],
    played: Callable[[], bool],
) -> Trained | None:
    """Learn from matches of a bot against itself.

    `played` is called after each match; the matches end when it returns False. Returns None if
    there were too few matches.
    """
    things = things_of(compiled.program)
    names = ["", *(thing.name for thing in things)]
    learned, tested, matches = Samples(names), Samples(names), 0
    for seed in seeds:
        try:
            found = _sample_match(game, compiled, variant, bot, seed, things)
        except KeyboardInterrupt:  # the matches so far are still useful
            break
        if found is not None:
            matches += 1
            kept = tested if matches % TESTED == 0 else learned
            for row, result in found:
                kept.rows.append(row)
                kept.results.append(result)
        if not played():
            break
    if matches < FEWEST:
        return None
    return fit_weights(learned, tested, game.rules.hash, bot, matches)


def train_patterns(
    game: Game,
    compiled: CompiledGame,
    variant: Variant,
    board: Board,
    seed: int,
    matches: int,
    played: Callable[[int], bool],
) -> Weights:
    """Learn the weights of patterns from matches of the patterns against themselves.

    `played` is called with the number of further matches; learning ends when it returns False.
    """
    state = Match.begin(game, variant, seed, compiled).state
    search = Search(state, Generator.seeded(seed, _STREAM))
    begin_learning(search.tree, board, seed)
    while (many := min(TOGETHER, matches - search.playouts)) > 0:
        try:
            search.learn_patterns(many)
        except KeyboardInterrupt:  # the matches so far are still useful
            break
        if not played(many):
            break
    patterns = Patterns.of(search.tree, compiled.program)
    return Weights(game.rules.hash, 0, {}, "patterns", search.playouts, patterns)


def _sample_match(
    game: Game,
    compiled: CompiledGame,
    variant: Variant,
    bot: str,
    seed: int,
    things: Sequence[Thing],
) -> list[tuple[Row, float]] | None:
    match = Match.begin(game, variant, seed, compiled)
    choose, looks = bot_named(bot), Generator.seeded(seed, _STREAM)
    positions: list[list[Row]] = []
    while not match.state.over and match.decisions < LONGEST:
        if looks.below(RARELY) == 0:
            positions.append(rows_of(compiled, match.state.cells, things))
        match.take(choose(match.state, bot_generator(seed, match.decisions)))
    if not match.state.over:
        return None
    won = shares(compiled, match.state.cells)
    return [(row, share) for rows in positions for row, share in zip(rows, won, strict=True)]


def rows_of(compiled: CompiledGame, cells: array[int], things: Sequence[Thing]) -> list[Row]:
    """Return a row for each seat: its lead in points, and a difference for each thing.

    The difference is between the seat's number of the thing and the mean of the other seats.
    """
    seats = range(compiled.program.seats)
    others = max(1, len(seats) - 1)
    leads = leads_of(sides_of(compiled), compiled.totals(cells))
    found = [[float(leads[seat])] for seat in seats]
    for thing in things:
        have = [cells[thing.cell + seat * thing.stride] for seat in seats]
        whole = sum(have)
        for seat in seats:
            found[seat].append((len(seats) * have[seat] - whole) / others)
    return found


def shares_with(
    game: Game,
    compiled: CompiledGame,
    variant: Variant,
    weights: Weights,
    bot: str,
    seeds: Iterable[int],
    played: Callable[[], bool],
) -> list[float]:
    """Return the victory shares of the seat that uses the weights, against seats without weights.

    The seats use the weights in turn, one in each match.
    """
    found: list[float] = []
    choose = bot_named(bot)
    for seed in seeds:
        seats = compiled.program.seats
        match = Match.begin(game, variant, seed // seats, compiled)
        while not match.state.over and match.decisions < LONGEST:
            state, looks = match.state, bot_generator(seed, match.decisions)
            is_with = state.player == seed % seats
            with using(weights if is_with else None):
                match.take(choose(state, looks))
        over = match.state.over
        found.append(shares(compiled, match.state.cells)[seed % seats] if over else 1 / seats)
        if not played():
            break
    return found


def fit_weights(learned: Samples, tested: Samples, hash: str, bot: str, matches: int) -> Trained:
    """Learn weights from `learned`, and measure how well they predict the results of `tested`."""
    columns = _informative_columns(learned)
    worth = _regression(learned, columns)
    alone = _regression(learned, [0])
    weights = _in_whole_numbers(dict(zip(columns, worth, strict=True)))
    things = {learned.names[column]: n for column, n in weights.items() if column and n}
    return Trained(
        Weights(hash, weights[0], things, bot, matches),
        explained_variance(tested, [0], alone, learned),
        explained_variance(tested, columns, worth, learned),
    )


def _in_whole_numbers(worth: dict[int, float]) -> dict[int, int]:
    largest = max(map(abs, worth.values())) or 1.0
    return {column: round(number * MOST / largest) for column, number in worth.items()}


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _informative_columns(samples: Samples) -> list[int]:
    """Return the columns most correlated with the results, points first. Columns that never change are left out."""
    mean = _mean(samples.results)
    off = [result - mean for result in samples.results]
    closeness: dict[int, float] = {}
    for column in range(1, len(samples.names)):
        numbers = [row[column] for row in samples.rows]
        middle = _mean(numbers)
        spread = sum((number - middle) ** 2 for number in numbers)
        if spread:
            both = sum((n - middle) * each for n, each in zip(numbers, off, strict=True))
            closeness[column] = both * both / spread
    best = sorted(closeness, key=lambda column: -closeness[column])[:MOST_THINGS]
    return [0, *sorted(best)]


def _regression(samples: Samples, columns: Sequence[int]) -> list[float]:
    """Return the value of one more of each column, by a ridge regression. It shrinks the values towards 0."""
    count = len(samples.rows)
    means = [_mean([row[column] for row in samples.rows]) for column in columns]
    middle = _mean(samples.results)
    size = len(columns)
    products = [[0.0] * size for _ in columns]
    sums = [0.0] * size
    for row, result in zip(samples.rows, samples.results, strict=True):
        off = [row[column] - mean for column, mean in zip(columns, means, strict=True)]
        for one, number in enumerate(off):
            if number:
                sums[one] += number * (result - middle)
                line = products[one]
                for other in range(one, size):
                    line[other] += number * off[other]
    for one in range(size):
        products[one][one] *= 1 + DOUBT
        products[one][one] += 1e-9 * (count + 1)
        for other in range(one):
            products[one][other] = products[other][one]
    return solve_equations(products, sums)


def solve_equations(lines: list[list[float]], sums: list[float]) -> list[float]:
    """Solve a symmetric system of linear equations. Overwrites `lines` and `sums`.

    >>> solve_equations([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0])
    [0.09090909090909091, 0.6363636363636364]
    """
    size = len(sums)
    for one in range(size):
        for other in range(one + 1, size):
            part = lines[other][one] / lines[one][one]
            if part:
                for place in range(one, size):
                    lines[other][place] -= part * lines[one][place]
                sums[other] -= part * sums[one]
    found = [0.0] * size
    for one in reversed(range(size)):
        known = sum(lines[one][other] * found[other] for other in range(one + 1, size))
        found[one] = (sums[one] - known) / lines[one][one]
    return found


def explained_variance(
    samples: Samples, columns: Sequence[int], worth: Sequence[float], learned: Samples
) -> float:
    """Return the proportion of the variance of results that the columns explain. The proportion is
    negative if the columns mislead."""
    if not samples.rows:
        return 0.0
    middle = _mean(learned.results)
    means = [_mean([row[column] for row in learned.rows]) for column in columns]
    wrong = whole = 0.0
    for row, result in zip(samples.rows, samples.results, strict=True):
        predicted = middle + sum(
            each * (row[column] - mean)
            for each, column, mean in zip(worth, columns, means, strict=True)
        )
        wrong += (result - predicted) ** 2
        whole += (result - middle) ** 2
    return 1 - wrong / whole if whole else 0.0
