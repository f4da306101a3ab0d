"""Count the parts of the rules that are reached, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from rulewright.cli.jobs.recorded import replay_lines
from rulewright.cli.options import engine_name, load, read_seats
from rulewright.cli.progress import Progress, track

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.matches.records import Record
    from rulewright.interpreter.testing.coverage import Key, Point, Reached, Watched


class Work(NamedTuple):
    """Matches of one variant, in the form that is sent to a worker process; `bots` holds the words that the
    user typed.
    """

    game: str
    reach: Reach
    players: int
    options: tuple[tuple[str, str], ...]
    engine: str
    bots: tuple[str, ...]
    first: int
    plays: int
    records: tuple[str, ...] = ()
    """Records of matches, one per line. If there are any, they are counted and nothing is played."""


def cover(
    game: Game,
    reach: Reach,
    shares: Sequence[tuple[Variant, int]],
    engine: str,
    bots: tuple[str, ...],
    seed: int,
    jobs: int,
    records: Mapping[Variant, Sequence[Record]] | None = None,
) -> tuple[dict[Key, Point], Reached]:
    """Return all points of these variants, in the order of the rules, and the counts of the points reached."""
    # lazy import: other commands start without it
    from rulewright.interpreter.testing.coverage import Reached, points_of

    compiled = track(shares, "variants", "compiling the rules")
    points = points_of(game.program(variant) for variant, _ in compiled)
    reached = Reached()
    for variant, _ in shares:  # reports a wrong `--bot` before any match is played
        _seats(game, variant, engine, bots)
    lines = {
        variant: tuple(record.to_line() for record in found)
        for variant, found in (records or {}).items()
    }
    work = [
        Work(
            game.name,
            reach,
            variant.players,
            variant.options,
            engine,
            bots,
            seed,
            plays,
            lines.get(variant, ()),
        )
        for variant, plays in shares
    ]
    total = sum(plays for _, plays in shares)
    with Progress(total, "games") as progress:
        if jobs == 1:
            known: dict[Variant, Watched] = {}
            results = (_play(game, part, known, progress.tick) for part in work)
            _collect(results, points, reached)
        else:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
                parts = [part for each in work for part in _parts(each, jobs)]
                _collect(pool.map(_play_apart, parts), points, reached)
    return {key: points[key] for key in sorted(points)}, reached


def _collect(
    results: Iterator[tuple[dict[Key, Point], Reached]], points: dict[Key, Point], reached: Reached
) -> None:
    for found, part in results:
        reached.join(part)
        for key, point in found.items():
            points.setdefault(key, point)


def _parts(work: Work, count: int) -> Iterator[Work]:
    size = max(1, -(-work.plays // count))
    for first in range(0, work.plays, size):
        records = work.records[first : first + size]
        plays = min(size, work.plays - first)
        yield work._replace(first=work.first + first, plays=plays, records=records)


def _play(
    game: Game,
    work: Work,
    known: dict[Variant, Watched],
    tick: Callable[[], None] | None = None,
) -> tuple[dict[Key, Point], Reached]:
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.tree_search import CLOCK
    from rulewright.interpreter.testing.coverage import Reached, Watched

    CLOCK.set(monotonic)
    variant = game.variant(work.players, dict(work.options))
    if variant not in known:
        known[variant] = Watched.of(game, variant, engine_name(work.engine), refusals=True)
    watched = known[variant]
    seats = _seats(game, variant, work.engine, work.bots)
    reached = Reached()
    played = replay_lines(work.records, game, engine_name(work.engine))
    for number in range(work.plays):
        if work.records:
            points, is_over = watched.play_again(next(played).states)
        else:
            points, is_over = watched.play(work.first + number, seats)
        reached.add(points, is_over=is_over)
        if tick is not None:
            tick()
    return watched.points, reached


_APART: dict[tuple[str, Reach], tuple[Game, dict[Variant, Watched]]] = {}
"""The games that a process of the pool has already read."""


def _play_apart(work: Work) -> tuple[dict[Key, Point], Reached]:
    key = work.game, work.reach
    if key not in _APART:
        _APART[key] = load(work.game, work.reach), {}
    game, known = _APART[key]
    return _play(game, work, known)


def _seats(game: Game, variant: Variant, engine: str, bots: Sequence[str]) -> tuple[str, ...]:
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import NAMES

    names = game.compiled(variant, engine_name(engine)).words.players
    kinds = read_seats(bots, names, NAMES, "'--bot'")
    return tuple(kinds.get(seat, "random") for seat in range(len(names)))
