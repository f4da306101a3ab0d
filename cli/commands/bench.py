"""Implement `rulewright bench`, which measures how fast the engines play."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    Measure,
    engine_name,
    example,
    format_option,
    game_argument,
    load_from,
    players_option,
    reach_options,
    seed_option,
    set_option,
    settings_of_random_play,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.engines.chance import Generator
    from rulewright.interpreter.engines.results import Results
    from rulewright.interpreter.views.compiled_game import CompiledGame

Outcome: TypeAlias = tuple[tuple[int, ...], int]
_LONGEST = 100_000
_BRIEF = 0.02  # seconds: the maximum length of one part of a slow playout


@click.command(
    short_help="How fast the engines play.",
    epilog=example("rulewright bench connect_four", "rulewright bench pig --seconds 5"),
)
@game_argument
@players_option
@set_option
@seed_option
@click.option(
    "--seconds",
    type=Measure(min=0.01),
    default=2.0,
    show_default=True,
    metavar="N",
    help="How long to run each engine.",
)
@reach_options
@format_option
def command(
    game: str,
    players: int | None,
    settings: tuple[str, ...],
    seed: int | None,
    seconds: float,
    reach: Reach,
    form: str,
) -> int:
    """Games and decisions per second of random play for each engine; the engines take turns.

    All engines play the same games. The results are shown and compared, so that a wrong rule is noticed. The
    native engine takes part if llvmlite is installed.

    JSON: {game, players, options, engines: {NAME: {games, decisions, seconds, games_per_second,
    decisions_per_second}}, ratio, ratios: {NAME: to the reference}, outcomes: {games, wins: [by
    seat], shared, draws, mean_length}, agree}.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.engines.engines import engine_names

    loaded = load_from(game, reach)
    variant = loaded.variant(players, settings_of_random_play(loaded, settings))
    names = [name for name in ("python", "reference", "native") if name in engine_names()]
    runs: dict[str, _Run] = {
        name: _Run(
            loaded.compiled(variant, engine_name(name)), seed or 0, is_slow=name == "reference"
        )
        for name in names
    }
    turns = 5
    for _ in range(turns):
        for run in runs.values():
            run.play_for(seconds / turns)
    fast, slow = runs["python"], runs["reference"]
    common = min(len(run.outcomes) for run in runs.values())
    agree = all(run.outcomes[:common] == slow.outcomes[:common] for run in runs.values())
    agree = agree and _has_prefix(slow, fast)
    data = {
        "game": loaded.title,
        "players": variant.players,
        "options": dict(variant.options),
        "engines": {name: run.rates() for name, run in runs.items()},
        "ratio": round(fast.times(slow), 2),
        "ratios": {name: round(run.times(slow), 2) for name, run in runs.items()},
        "outcomes": _outcomes(fast),
        "agree": agree,
    }
    if form == "json":
        show_json(data)
    else:
        click.echo(_text(loaded.title, runs, common, agree))
    return Exit.FINE if agree else Exit.BUG


class _Run:
    """The playouts of one engine so far.

    Playouts run in short parts; an unfinished playout continues in the next turn. Once a whole playout is
    short, many playouts run at once, unless the engine `is_slow`.
    """

    def __init__(self, compiled: CompiledGame, seed: int, *, is_slow: bool) -> None:
        self.compiled = compiled
        self.first = seed
        self.is_slow = is_slow
        self.part = 1
        self.slow: list[Outcome] = []
        """The outcomes of the first playouts, which ran one by one."""
        self.parts: list[Results] = []
        """The results of all other playouts, which ran in batches."""
        self.counts: list[int] = []
        """The number of options at each decision of the unfinished match."""
        self.seconds = 0.0
        self._play: tuple[array[int], Generator, Generator] | None = None
        self._begun = 0.0
        self._batch = 0
        """How many playouts to run at once, or 0 until a playout is known to be short."""

    def play_for(self, seconds: float) -> None:
        """Play one match after another for this many seconds, but at least one part of a match."""
        started = perf_counter()
        while True:
            if self._batch:
                self._play_batch((seconds - (perf_counter() - started)) / 4)
            else:
                self.go_on()
            taken = perf_counter() - started
            if taken >= seconds:
                self.seconds += taken
                return

    def go_on(self) -> None:
        """Continue the unfinished match by one part, or begin a match."""
        # lazy import: other commands start without it
        from rulewright.dsl.ir import OVER
        from rulewright.interpreter.engines.chance import Generator, key_of
        from rulewright.interpreter.engines.playouts import bot_generator

        if self._play is None:
            self._begun = perf_counter()
            seed = self.first + len(self.slow)
            chance = Generator(key_of(seed))
            self._play = self.compiled.begin(), chance, bot_generator(seed, 0)
        started = perf_counter()
        cells, chance, bots = self._play
        most = min(self.part, _LONGEST - len(self.counts))
        self.compiled.engine.at_random(cells, chance, bots, most, self.counts)
        if perf_counter() - started < _BRIEF:
            self.part = min(2 * self.part, _LONGEST)
        if cells[OVER] or len(self.counts) >= _LONGEST:
            winners = self.compiled.winners(cells) if cells[OVER] else ()
            self.slow.append((tuple(sorted(winners)), len(self.counts)))
            self._play, self.counts = None, []
            if not self.is_slow and perf_counter() - self._begun < _BRIEF:
                self._batch = 1

    def _play_batch(self, seconds: float) -> None:
        """Run a batch of playouts; if they took less than `seconds`, double the size of the next batch."""
        # lazy import: other commands start without it
        from rulewright.interpreter.matches.game import results_of

        begun = perf_counter()
        first = self.first + self.games
        seeds = range(first, first + self._batch)
        self.parts += results_of(self.compiled, self.compiled.begin(), seeds, _LONGEST, 1)
        if perf_counter() - begun < seconds:
            self._batch *= 2

    @property
    def games(self) -> int:
        """The number of finished matches."""
        return len(self.slow) + sum(map(len, self.parts))

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The winners and the length of each match; read only when all matches are finished."""
        return [*self.slow, *(outcome for part in self.parts for outcome in _outcomes_of(part))]

    @property
    def decisions(self) -> int:
        """The total number of decisions."""
        slow = sum(length for _, length in self.slow) + len(self.counts)
        return slow + sum(sum(part.lengths) for part in self.parts)

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds

    def times(self, other: _Run) -> float:
        """Return the speed relative to `other`: in decisions, or in games if no game has a decision."""
        if other.decisions:
            return self.rate / other.rate
        return self.games / self.seconds * other.seconds / max(1, other.games)

    def rates(self) -> dict[str, object]:
        """Return the measured numbers as data."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games / self.seconds, 1),
            "decisions_per_second": round(self.rate, 1),
        }


def _has_prefix(slow: _Run, fast: _Run) -> bool:
    """Return whether the unfinished match of a slow engine agrees with the same match in a fast engine."""
    if not slow.counts or fast.games <= slow.games:
        return True
    again = _Run(fast.compiled, fast.first + slow.games, is_slow=True)
    again.part = len(slow.counts)
    again.go_on()
    return again.counts == slow.counts


def _outcomes_of(part: Results) -> Iterator[Outcome]:
    seats = part.seats
    for play, length in enumerate(part.lengths):
        won = part.won[play * seats : (play + 1) * seats]
        yield tuple(seat for seat in range(seats) if won[seat]), length


def _outcomes(run: _Run) -> dict[str, object]:
    winners = [winners for winners, _ in run.outcomes]
    return {
        "games": len(winners),
        "wins": [winners.count((seat,)) for seat in range(run.compiled.program.seats)],
        "shared": sum(len(several) > 1 for several in winners),
        "draws": winners.count(()),
        "mean_length": round(sum(length for _, length in run.outcomes) / max(1, len(winners)), 2),
    }


def _text(title: str, runs: dict[str, _Run], common: int, agree: bool) -> str:
    # lazy import: other commands start without it
    from rulewright.interpreter.text.columns import table

    rows = [("engine", "games/s", "decisions/s")]
    rows += [
        (name, f"{run.games / run.seconds:,.1f}", f"{run.rate:,.0f}") for name, run in runs.items()
    ]
    fast = runs["python"]
    winners = [winners for winners, _ in fast.outcomes]
    shares = [
        f"{name} {100 * winners.count((seat,)) / max(1, len(winners)):.1f} %"
        for seat, name in enumerate(fast.compiled.words.players)
    ]
    shared = sum(len(several) > 1 for several in winners)
    if shared:
        shares.append(f"shared {100 * shared / max(1, len(winners)):.1f} %")
    shares.append(f"draw {100 * winners.count(()) / max(1, len(winners)):.1f} %")
    mean = sum(length for _, length in fast.outcomes) / max(1, len(winners))
    length = f"{mean:.1f} decisions a game"
    verdict = "the same in all engines" if agree else "NOT THE SAME in all engines"
    slow = runs["reference"]
    ratios = [f"{name} {run.times(slow):.1f}" for name, run in runs.items() if run != slow]
    return "\n".join(
        (
            title,
            *table(rows),
            f"times as fast as the reference: {', '.join(ratios)}",
            f"outcomes of {len(winners):,} games: {', '.join(shares)}; {length}",
            f"the first {common:,} games are {verdict}"
            if common
            else f"no game ended in the reference; the played part is {verdict}",
        )
    )
