"""`rulewright simulate`: many plays between bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    engine_name,
    engine_option,
    example,
    format_option,
    game_argument,
    load,
    read_seats,
    read_settings,
    seed_option,
    set_option,
    several_players_option,
    tables_option,
)
from rulewright.cli.output import show_json
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.interpreter.plays.game import Game
    from rulewright.interpreter.plays.records import Record
    from rulewright.interpreter.studies.simulation import Tally


class _Share(NamedTuple):
    """A part of the work, as it is sent to a process."""

    game: str
    tables: Path | None
    players: int
    options: tuple[tuple[str, str], ...]
    engine: str
    seats: tuple[str, ...]
    first: int
    games: int
    logs: bool


@click.command(
    short_help="Let bots play many times.",
    epilog=example(
        "rulewright simulate pig --games 10000 --jobs 2",
        "rulewright simulate kalah --bot 1=greedy --games 50 --format json",
        "rulewright simulate love_letter --players 2,3,4 --games 100",
    ),
)
@game_argument
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, metavar="N")
@several_players_option
@seed_option
@set_option
@click.option(
    "--bot",
    "bots",
    metavar="[SEAT=]BOT",
    multiple=True,
    help="Who plays a seat (its number or name), or all others: random or greedy. May be repeated.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Processes."
)
@engine_option
@tables_option
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the records of all plays, one in a line.",
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Tell which rules were reached, and how often, instead of who wins.",
)
@format_option
def command(
    game: str,
    games: int,
    players: tuple[int, ...] | None,
    seed: int | None,
    settings: tuple[str, ...],
    bots: tuple[str, ...],
    jobs: int,
    engine: str,
    tables: Path | None,
    log: Path | None,
    coverage: bool,
    form: str,
) -> int:
    """Let bots play many times, and tell who wins, with which scores, and how long it takes.

    Play number n has the seed SEED + n, from 0; without --seed, SEED is 0. The same seeds give the
    same plays, with any number of jobs. Intervals are those of Wilson for 95 in 100.

    JSON: {game, players, options, seed, games, unfinished, draws, seats: [{name, bot, wins, share,
    interval: [low, high], shared}], scores: [{item, seats: [{mean, deviation, low, high}]}],
    length: {mean, deviation, low, high}, options_per_decision: {...}, seconds, games_per_second,
    decisions_per_second}; the item "total" is the last of the scores. For several numbers of
    players --games are played with each; JSON: {runs: [one such object for each]}.

    With --coverage the games are spread over all numbers of players and choices of options that
    --players and --set leave open, each of these from SEED on. What is counted: phases, rules,
    actions, options, branches, triggers, effects and powers (card by card), steps and values that
    cite a clause, items of the score that are not 0, and reasons of refusal, each once at a
    decision where it holds. JSON: {game, seed, games, unfinished, settings: [{players, options,
    games}], points: [{what, name, file, line, clauses, times, games}], never}; never is how many of
    the points were not reached.
    """
    # late: only who runs it waits for it
    from rulewright.cli.formats.simulation import simulation_data, simulation_text
    from rulewright.interpreter.plays.bots import BOTS
    from rulewright.interpreter.plays.records import refuse_to_overwrite, save

    if log is not None:
        refuse_to_overwrite(log)
    if coverage:
        if log is not None:
            raise click.UsageError("'--log' does not go with '--coverage'")
        return _coverage(
            game, games, players, seed or 0, settings, bots, jobs, engine, tables, form
        )
    loaded = _loaded(game, tables)
    lines: list[str] = []
    data: list[dict[str, object]] = []
    texts: list[str] = []
    for number in players or (None,):
        setting = loaded.setting(number, read_settings(settings))
        variant = loaded.variant(setting, engine_name(engine))
        names, sides = variant.words.players, variant.program.sides
        called = [f"{n} ({s.replace('_', ' ')})" for n, s in zip(names, sides, strict=False)]
        kinds = read_seats(bots, names, tuple(BOTS), "'--bot'")
        seats = tuple(kinds.get(seat, "random") for seat in range(len(names)))
        whole = _Share(
            game,
            tables,
            setting.players,
            setting.options,
            engine,
            seats,
            seed or 0,
            games,
            log is not None,
        )
        started = perf_counter()
        tally, more = _simulate(whole, jobs)
        seconds = perf_counter() - started
        lines += more
        data.append(
            simulation_data(loaded.title, setting, whole.first, names, seats, tally, seconds)
        )
        title = f"{loaded.title}, {number} players" if len(players or ()) > 1 else loaded.title
        texts.append(simulation_text(title, called or names, seats, tally, seconds))
    if log is not None:
        save(log, "".join(f"{line}\n" for line in lines))
    if form == "json":
        show_json(data[0] if len(data) == 1 else {"runs": data})
    else:
        click.echo("\n\n".join(texts))
    return Exit.FINE


def _coverage(
    game: str,
    games: int,
    players: tuple[int, ...] | None,
    seed: int,
    settings: tuple[str, ...],
    bots: tuple[str, ...],
    jobs: int,
    engine: str,
    tables: Path | None,
    form: str,
) -> int:
    # late: only who runs it waits for it
    from rulewright.cli.coverage import cover
    from rulewright.cli.formats.coverage import coverage_data, coverage_text
    from rulewright.interpreter.studies.coverage import settings_of, shared_out

    loaded = _loaded(game, tables)
    options = read_settings(settings)
    open_to = [one for n in players or (None,) for one in settings_of(loaded, n, options)]
    shares = shared_out(open_to, games)
    points, reached = cover(loaded, tables, shares, engine, bots, seed, jobs)
    if form == "json":
        show_json(coverage_data(loaded.title, seed, shares, points, reached))
    else:
        click.echo(coverage_text(loaded.title, shares, points, reached))
    return Exit.FINE


def _simulate(whole: _Share, jobs: int) -> tuple[Tally, list[str]]:
    """All of the work, in this process or shared out; the result does not depend on that."""
    with Progress(whole.games, "games") as progress:
        if jobs == 1:
            return _play(whole, progress.tick)
        # late: only who runs it waits for it
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        parts = list(_parts(whole, jobs * 8))
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            results = pool.map(_play, parts)
            tally, lines = next(results)
            progress.tick(tally.plays)
            for more, more_lines in results:
                tally = tally.join(more)
                lines += more_lines
                progress.tick(more.plays)
        return tally, lines


def _parts(whole: _Share, count: int) -> Iterator[_Share]:
    size = max(1, -(-whole.games // count))
    for first in range(0, whole.games, size):
        games = min(size, whole.games - first)
        yield whole._replace(first=whole.first + first, games=games)


def _play(share: _Share, tick: Callable[[], None] | None = None) -> tuple[Tally, list[str]]:
    # late: only who runs it waits for it
    from rulewright.interpreter.plays.records import to_line
    from rulewright.interpreter.studies.simulation import simulate

    game = _loaded(share.game, share.tables)
    setting = game.setting(share.players, dict(share.options))
    lines: list[str] = []

    def keep(record: Record) -> None:
        lines.append(to_line(record))

    tally = simulate(
        game,
        setting,
        share.seats,
        range(share.first, share.first + share.games),
        engine_name(share.engine),
        tick=tick,
        on_record=keep if share.logs else None,
    )
    return tally, lines


@cache
def _loaded(game: str, tables: Path | None) -> Game:
    """The game; read once in a process."""
    return load(game, tables)
