"""Run simulations, variant by variant, and return their results without any output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import click

from rulewright.cli.jobs.exporting import export
from rulewright.cli.jobs.processes import Workers, workers
from rulewright.cli.jobs.recorded import players_of
from rulewright.cli.jobs.soonest import soonest
from rulewright.cli.jobs.tasks import (
    Done,
    Work,
    collect_results,
    do_all,
    load_once,
    pack,
    results,
    wants_results,
)
from rulewright.cli.options import engine_name, read_seats

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Variant
    from rulewright.interpreter.matches.records import Record
    from rulewright.interpreter.statistics.tables import Column


class About(NamedTuple):
    """The simulated game.

    `names` are the names of the seats, `called` the same names with their sides, and `bots` the bots by
    seat.
    """

    title: str
    variant: Variant
    seed: int | None
    """The seed of the first match, or None for recorded matches."""
    names: Sequence[str]
    called: Sequence[str]
    bots: Sequence[str]
    options: Sequence[tuple[str, tuple[str, ...]]] = ()
    """The options of the game, with their possible values."""


class Run(NamedTuple):
    """The matches of one variant."""

    about: About
    work: Work
    done: Done
    seconds: float
    is_cut: bool = False
    """Whether the run was interrupted."""

    @property
    def lines(self) -> Sequence[str]:
        """Return the records of its matches that were stored or given."""
        return self.work.records or self.done.lines


class RunRequest(NamedTuple):
    """The parts of a request that are the same for every variant."""

    game: str
    reach: Reach
    engine: str | None
    """The name of an engine; None selects the engine that finishes soonest, in this process."""
    bots: tuple[str, ...]
    first: int
    games: int
    logs: int
    full: bool
    jobs: int
    on: str | None = None
    records: Mapping[Variant, Sequence[Record]] = {}
    """Recorded matches; if there are any, they are counted and nothing is played."""


def work_in(asked: RunRequest, variant: Variant) -> tuple[About, Work]:
    """Return the description and the work of one variant."""
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import NAMES
    from rulewright.interpreter.engines.engines import name_of

    game = load_once(asked.game, asked.reach)
    compiled = game.compiled(variant, engine_name(asked.engine or "python"))
    records = asked.records.get(variant, ())
    names, sides = compiled.words.players, compiled.program.sides
    called = [f"{n} ({s.replace('_', ' ')})" for n, s in zip(names, sides, strict=False)] or names
    kinds = read_seats(asked.bots, names, NAMES, "'--bot'")
    bots = tuple(kinds.get(seat, "random") for seat in range(len(names)))
    if records:
        bots = players_of(records, len(names))
    elif asked.engine is None and asked.on is None:
        compiled = soonest(game, variant, bots, max(1, asked.games // asked.jobs))
    work = Work(
        asked.game,
        asked.reach,
        variant.players,
        variant.options,
        name_of(compiled.engine),
        bots,
        asked.first,
        len(records) or asked.games,
        asked.logs,
        asked.full,
        records=tuple(record.to_line() for record in records),
    )
    seed = None if records else asked.first
    return About(game.title, variant, seed, names, called, bots, game.facts.options), work


def run_each(
    asked: RunRequest, variants: Sequence[Variant], out: Path | None = None
) -> Iterator[Run]:
    """Yield one run for each variant; report wrong bots before any match is played.

    `out` is a file for tables of all matches.
    """
    every = [work_in(asked, variant) for variant in variants]
    _note_weights(asked)
    with ExitStack() as stack:
        works = [work for _, work in every]
        in_threads = asked.on is None and all(map(wants_results, works))
        crew = stack.enter_context(crew_of(1 if in_threads else asked.jobs, asked.on, works))
        sink = None
        if out is not None:
            columns = _items(asked, variants)
            every = [
                (about, work._replace(table=number, columns=columns))
                for number, (about, work) in enumerate(every, 1)
            ]
            sink = stack.enter_context(export(out, _tables(columns)))
        for about, work in every:
            started = perf_counter()
            if in_threads:
                done, is_cut = collect_results(work, results(work, asked.jobs), sink)
            else:
                done, is_cut = do_all(work, crew, sink)
            yield Run(about, work, done, perf_counter() - started, is_cut)
            if is_cut:
                return


def _note_weights(asked: RunRequest) -> None:
    """If searching bots ignore the weights beside the game, report the reason."""
    # lazy import: other commands start without it
    from rulewright.interpreter.bots.levels import effort_named
    from rulewright.interpreter.bots.weights import note_of

    kinds = (bot.rpartition("=")[2] for bot in asked.bots)
    if any(map(effort_named, kinds)) and (note := note_of(load_once(asked.game, asked.reach).home)):
        click.echo(note, err=True)


def crew_of(jobs: int, on: str | None, works: Sequence[Work]) -> AbstractContextManager[Workers]:
    """Return the workers: processes of this machine, or a cluster."""
    if on is None:
        return workers(jobs)
    # lazy import: other commands start without it
    from rulewright.cli.jobs.on_ray import cluster

    return cluster(jobs, pack({(work.game, work.reach): None for work in works}))


def _items(asked: RunRequest, variants: Sequence[Variant]) -> tuple[str, ...]:
    """Return the score items of all variants, without duplicates."""
    game = load_once(asked.game, asked.reach)
    programs = [game.program(variant) for variant in variants]
    return tuple(dict.fromkeys(item.text for program in programs for item in program.score))


def _tables(columns: Sequence[str]) -> dict[str, tuple[Column, ...]]:
    # lazy import: other commands start without it
    from rulewright.interpreter.statistics.tables import tables

    return tables(columns)
