"""A part of many matches, in the form that is sent to a process, and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rulewright.cli.jobs.processes import PARTS_A_JOB, Workers
from rulewright.cli.jobs.recorded import played_again
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
"""The maximum number of matches in a part: if a worker is lost, these are repeated; their rows are in memory."""
MOST_HERE = 100
"""In one process: the maximum number of matches between two progress reports."""


class Work(NamedTuple):
    """Matches of one variant between these bots, with the seeds from `first` on.

    With `full` every decision is analysed; `logs` requests records to replay. `table` requests rows: it is the
    number of the variant, and `columns` are the items of the score in all variants."""

    game: str
    reach: Reach
    players: int
    options: tuple[tuple[str, str], ...]
    engine: str
    bots: tuple[str, ...]
    first: int
    games: int
    logs: bool = False
    full: bool = False
    table: int = 0
    columns: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    """Records of matches, one per line. If there are any, they are counted instead of playing."""

    def share(self, first: int, games: int) -> Work:
        """Return the part with this many games after the `first` ones."""
        records = self.records[first : first + games]
        return self._replace(first=self.first + first, games=games, records=records)


class Done(NamedTuple):
    """Sums of matches (with `study` if they were watched), records to replay, rows by table."""

    tally: Tally
    study: Playtest | None
    lines: list[str]
    rows: dict[str, list[Row]]

    @property
    def plays(self) -> int:
        """The number of matches, including abandoned ones."""
        return self.tally.plays + self.tally.unfinished

    def join(self, other: Done) -> None:
        """Add the results of the next matches."""
        if self.study is not None and other.study is not None:
            self.study.join(other.study)
        else:
            self.tally.join(other.tally)
        self.lines.extend(other.lines)


def parts(work: Work, count: int) -> Iterator[Work]:
    """Cut the work into this many parts or a few more, in the order of the seeds.

    The first parts are small, so that progress is visible soon."""
    most = max(1, -(-work.games // count))
    first, size = 0, 1
    while first < work.games:
        games = min(size, work.games - first)
        yield work.share(first, games)
        first, size = first + games, min(most, 2 * size)


def do_all(work: Work, crew: Workers, sink: Sink | None = None) -> tuple[Done, bool]:
    """Return all results, or those up to an interrupt, and whether there was one.

    Parts are returned in the order of the seeds, so that the finished part is always the first matches. `sink`
    receives their rows."""
    most = MOST_PART if crew.jobs > 1 else MOST_HERE
    count = max(crew.jobs * PARTS_A_JOB, -(-work.games // most))
    return collected(work, crew.each(perform, parts(work, count)), sink)


def wants_results(work: Work) -> bool:
    """Whether only the ends of playouts are wanted, which native code computes in threads."""
    more = work.logs or work.full or work.table or work.records
    return work.engine == "native" and not more and {*work.bots} == {"random"}


def results(work: Work, jobs: int) -> Iterator[Done]:
    """Do all of such work with this many threads."""
    # lazy import: other commands start without it
    from rulewright.interpreter.simulation.simulation import tallies

    game = loaded(work.game, work.reach)
    compiled = game.compiled(game.variant(work.players, dict(work.options)), "native")
    for tally in tallies(compiled, range(work.first, work.first + work.games), jobs):
        yield Done(tally, None, [], {})


def collected(work: Work, found: Iterable[Done], sink: Sink | None) -> tuple[Done, bool]:
    """Collect results as `do_all` does, for parts done by workers."""
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
    """Do the work in this process."""
    game = loaded(work.game, work.reach)
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
    """Yield the recorded matches of some work, replayed."""
    game = loaded(work.game, work.reach)
    return played_again(work.records, game, engine_name(work.engine))


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
    """The rules of a game, to be sent to machines without its files: the main file, and the texts of all files."""

    path: Path
    texts: Mapping[Path, str]


Key: TypeAlias = "tuple[str, Reach]"
"""The key of a loaded game: its name or path, and the files that it may read."""
_PARCELS: dict[Key, Parcel] = {}


@cache
def loaded(game: str, reach: Reach) -> Game:
    """Return the game, which is read once per process."""
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
    """Return the games that were loaded and compiled in this process, with all files read for them."""
    # lazy import: other commands start without it
    from rulewright.cli.programs import as_read

    found = {}
    for key in keys:
        rules = as_read(loaded(*key).rules)
        assert rules is not None
        texts = {
            path: path.read_bytes().decode("utf-8", "surrogatepass")
            for path, hash in rules.parts.items()
            if hash is not None and path.is_file()
        }
        found[key] = Parcel(rules.path, texts)
    return found


def unpack(parcels: Mapping[Key, Parcel]) -> None:
    """Use these as the games of this process from now on."""
    if parcels != _PARCELS:
        _PARCELS.clear()
        _PARCELS.update(parcels)
        loaded.cache_clear()
