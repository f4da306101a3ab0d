"""Batches of matches in the form sent to worker processes, and the results of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rulewright.cli.jobs.processes import PARTS_A_JOB, Workers
from rulewright.cli.jobs.recorded import replay_lines
from rulewright.cli.options import engine_name, is_position, load_from
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.matches.match import Match
    from rulewright.interpreter.simulation.playtest import Playtest
    from rulewright.interpreter.statistics.recording import PlayoutRecord
    from rulewright.interpreter.statistics.tables import Row
    from rulewright.interpreter.statistics.tally import Tally

    Sink = Callable[[Mapping[str, Sequence[Row]]], None]

MOST_PART = 500
"""The maximum number of matches in a batch. If a worker is lost, its batch is repeated; the rows of a batch
are held in memory.
"""
MOST_HERE = 100
"""In a single process, the maximum number of matches between two progress reports."""


class Work(NamedTuple):
    """Matches of one variant between the given bots; the seeds start at `first`.

    With `full`, every decision is analysed; of the first `logs` matches the records are stored. If `table`
    is not 0, it is the number of the variant, and rows are collected. `columns` are the score items of
    all variants.
    """

    game: str
    reach: Reach
    players: int
    options: tuple[tuple[str, str], ...]
    engine: str
    bots: tuple[str, ...]
    first: int
    games: int
    logs: int = 0
    full: bool = False
    table: int = 0
    columns: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    """Records of matches, one per line. If there are any, they are counted and nothing is played."""

    def share(self, first: int, games: int) -> Work:
        """Return the part of the work that begins after the first `first` matches and has at most `games` matches."""
        records = self.records[first : first + games]
        logs = max(0, self.logs - first)
        return self._replace(first=self.first + first, games=games, logs=logs, records=records)


class Done(NamedTuple):
    """Totals over matches, records that can be replayed, and rows grouped by table.

    `study` is None unless the matches were analysed.
    """

    tally: Tally
    study: Playtest | None
    lines: list[str]
    rows: dict[str, list[Row]]

    @property
    def plays(self) -> int:
        """The number of matches, including abandoned ones."""
        return self.tally.plays + self.tally.unfinished

    def join(self, other: Done) -> None:
        """Add the results of the next batch to these."""
        if self.study is not None and other.study is not None:
            self.study.join(other.study)
        else:
            self.tally.join(other.tally)
        self.lines.extend(other.lines)


def parts(work: Work, count: int) -> Iterator[Work]:
    """Split the work into about `count` batches, in the order of the seeds.

    The first batches are small, so that progress is visible early.
    """
    most = max(1, -(-work.games // count))
    first, size = 0, 1
    while first < work.games:
        games = min(size, work.games - first)
        yield work.share(first, games)
        first, size = first + games, min(most, 2 * size)


def do_all(work: Work, crew: Workers, sink: Sink | None = None) -> tuple[Done, bool]:
    """Return the results of the work, and whether an interrupt ended it early.

    Batches are returned in the order of the seeds, so the finished matches are always an unbroken run from
    the first match. `sink` receives the rows of each batch.
    """
    most = MOST_PART if crew.jobs > 1 else MOST_HERE
    count = max(crew.jobs * PARTS_A_JOB, -(-work.games // most))
    return collect_results(work, crew.each(perform, parts(work, count)), sink)


def wants_results(work: Work) -> bool:
    """Return whether only the results of random playouts are wanted; native code computes those in threads."""
    more = work.logs or work.full or work.table or work.records
    return work.engine == "native" and not more and {*work.bots} == {"random"}


def results(work: Work, jobs: int) -> Iterator[Done]:
    """Run work for which `wants_results` is true, in this many threads."""
    # lazy import: other commands start without it
    from rulewright.interpreter.simulation.simulation import tallies

    game = load_once(work.game, work.reach)
    compiled = game.compiled(game.variant(work.players, dict(work.options)), "native")
    for tally in tallies(compiled, range(work.first, work.first + work.games), jobs):
        yield Done(tally, None, [], {})


def collect_results(work: Work, found: Iterable[Done], sink: Sink | None) -> tuple[Done, bool]:
    """Collect the results of batches as they arrive, and return them as `do_all` does."""
    done: Done | None = None
    # lazy import: other commands start without it
    from rulewright.interpreter.simulation.simulation import LONGEST

    bots = ", ".join(dict.fromkeys(work.bots))
    doing = f"playing {Path(work.game).stem} with {bots} bots ({work.engine} engine)"
    if work.records:
        doing = f"reading records of {Path(work.game).stem}"
    with Progress(work.games, "games", doing) as progress:
        try:
            for more in found:
                progress.tick(more.plays, more.tally.length.total + more.tally.unfinished * LONGEST)
                if sink is not None:
                    sink(more.rows)
                    more.rows.clear()
                if done is None:
                    done = more
                else:
                    done.join(more)
        except KeyboardInterrupt:
            if done is None:
                raise
            return done, True
    assert done is not None
    return done, False


def perform(work: Work) -> Done:
    """Run the work in this process and return its results."""
    game = load_once(work.game, work.reach)
    variant = game.variant(work.players, dict(work.options))
    lines: list[str] = []
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.tree_search import CLOCK
    from rulewright.interpreter.matches.records import record_of

    CLOCK.set(monotonic)

    seeds = range(work.first, work.first + work.games)
    engine = engine_name(work.engine)
    if work.full:
        # lazy import: other commands start without it
        from rulewright.interpreter.simulation.playtest import watch, watch_again

        def keep_match(match: Match) -> None:
            if len(lines) < work.logs:
                lines.append(record_of(match, work.bots).to_line())

        on_match = keep_match if work.logs else None
        rows: dict[str, list[Row]] = {}
        on_record = _rows(work, game, variant, rows) if work.table else None
        if work.records:
            compiled = game.compiled(variant, engine)
            study = watch_again(matches(work), compiled, on_record)
        else:
            study = watch(game, variant, work.bots, seeds, engine, on_record, on_match)
        return Done(study.tally, study, lines, rows)
    # lazy import: other commands start without it
    from rulewright.interpreter.simulation.simulation import simulate

    tally = simulate(
        game,
        variant,
        work.bots,
        seeds,
        engine,
        on_line=lines.append if work.logs else None,
    )
    return Done(tally, None, lines, {})


def matches(work: Work) -> Iterator[Match]:
    """Replay the recorded matches of the work and yield them."""
    game = load_once(work.game, work.reach)
    return replay_lines(work.records, game, engine_name(work.engine))


def _rows(
    work: Work, game: Game, variant: Variant, rows: dict[str, list[Row]]
) -> Callable[[PlayoutRecord], None]:
    # lazy import: other commands start without it
    from rulewright.interpreter.statistics.recording import Recorder
    from rulewright.interpreter.statistics.tables import About, rows_of
    from rulewright.interpreter.statistics.tally import Tally

    compiled = game.compiled(variant, engine_name(work.engine))
    tally = Tally.empty(compiled.program)
    about = About(
        work.table,
        variant.players,
        variant.options,
        compiled.words.players,
        work.bots,
        tally.sides,
        Recorder(compiled).things,
        tally.items,
        work.columns,
    )

    def keep(record: PlayoutRecord) -> None:
        for name, found in rows_of(record, about).items():
            rows.setdefault(name, []).extend(found)

    return keep


# ---- games -------------------------------------------------------------------------------------------


class Parcel(NamedTuple):
    """The rules of a game for machines that do not have its files: the path of the main file, and the texts
    of all files.
    """

    path: Path
    texts: Mapping[Path, str]


Key: TypeAlias = "tuple[str, Reach]"
"""The key of a loaded game: its name or path, and the files that it may read."""
_PARCELS: dict[Key, Parcel] = {}


@cache
def load_once(game: str, reach: Reach) -> Game:
    """Return the game, which is read only once per process."""
    parcel = _PARCELS.get((game, reach))
    if parcel is None or is_position(game):
        return load_from(game, reach)
    # lazy import: other commands start without it
    from rulewright.dsl.loading.files import Files
    from rulewright.dsl.loading.loading import load as load_rules
    from rulewright.interpreter.matches.game import game_of

    files = Files(given=dict(parcel.texts))
    return game_of(game, load_rules(parcel.path, reach=reach, files=files))


def pack(keys: Iterable[Key]) -> dict[Key, Parcel]:
    """Return the games that were loaded in this process, together with all files read for them."""
    # lazy import: other commands start without it
    from rulewright.cli.programs import loaded_rules

    found = {}
    for key in keys:
        rules = loaded_rules(load_once(*key).rules)
        assert rules is not None
        texts = {
            path: path.read_bytes().decode("utf-8", "surrogatepass")
            for path, hash in rules.parts.items()
            if hash is not None and path.is_file()
        }
        found[key] = Parcel(rules.path, texts)
    return found


def unpack(parcels: Mapping[Key, Parcel]) -> None:
    """Replace the games loaded in this process with the given ones."""
    if parcels != _PARCELS:
        _PARCELS.clear()
        _PARCELS.update(parcels)
        load_once.cache_clear()
