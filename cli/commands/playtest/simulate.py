"""Implement `rulewright simulate`, which plays many matches between bots."""

from __future__ import annotations

from os import cpu_count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.jobs.runs import RunRequest, run_each
from rulewright.cli.jobs.tasks import load_once
from rulewright.cli.options import (
    WholeNumber,
    example,
    fast_engine_option,
    format_option,
    game_argument,
    on_option,
    reach_options,
    refuse_beside,
    seed_option,
    set_option,
    settings_of_random_play,
    several_players_option,
    thinking,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Let bots play many times.",
    epilog=example(
        "rulewright simulate pig --games 10000 --jobs 2",
        "rulewright simulate kalah --bot 1=greedy --games 50 --format json",
        "rulewright simulate love_letter --players 2,3,4 --games 100",
    ),
)
@game_argument
@click.option("--games", type=WholeNumber(1), default=1000, show_default=True, metavar="N")
@several_players_option
@seed_option
@set_option
@click.option(
    "--bot",
    "bots",
    metavar="[SEAT=]BOT",
    multiple=True,
    help="The bot of a seat (its number or name), or of all other seats: random, greedy, easy, normal, "
    "hard, or more precisely mcts:400 or mcts:2s. May be repeated.",
)
@click.option(
    "--think",
    metavar="TIME",
    help="How long the levels easy, normal and hard think for a decision: 3s, 50ms; by default they count trials.",
)
@click.option(
    "--jobs",
    type=WholeNumber(1),
    metavar="N",
    help="The number of processes; by default 1, with --think one per core.",
)
@on_option
@fast_engine_option
@reach_options
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the records of all matches, one per line.",
)
@click.option(
    "--records",
    "records",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    multiple=True,
    help="Count the recorded matches of a file instead of playing; may be repeated.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Analyse every decision: turns, leads, ends, and the worth of each card and option.",
)
@click.option(
    "--report",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html",
    help="Write all figures and pictures into one file for a browser; needs vl-convert.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write tables of games, seats, decisions and cards: .csv, .sqlite, or .parquet (pyarrow).",
)
@click.option(
    "--trajectories",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.parquet",
    help="Write each decision for learners: observation, legal actions, action, reward, seat; needs pyarrow.",
)
@click.option(
    "--all-variants",
    "every",
    is_flag=True,
    help="Play every number of players and choice of options not set here, and compare them.",
)
@click.option(
    "--coverage",
    is_flag=True,
    help="Show which rules were reached, and how often, instead of who wins.",
)
@format_option
def command(
    game: str,
    games: int,
    players: tuple[int, ...] | None,
    seed: int | None,
    settings: tuple[str, ...],
    bots: tuple[str, ...],
    think: str | None,
    jobs: int | None,
    on: str | None,
    engine: str | None,
    reach: Reach,
    log: Path | None,
    records: tuple[Path, ...],
    full: bool,
    page: Path | None,
    out: Path | None,
    trajectories: Path | None,
    every: bool,
    coverage: bool,
    form: str,
) -> int:
    """Let bots play many times; report the winners, the scores, the length of games, and how games end.

    Game number n, from 0, has the seed SEED + n; without --seed, SEED is 0. The same seeds give the
    same games, whatever the engine and the number of jobs, and also on a cluster. Ctrl-C reports the
    games so far. Intervals are 95 % intervals: Wilson's for proportions, Student's for means. Games
    with bots that think for a set time are not reproducible.

    With --records, finished matches are read from files instead: files written by `play --save`, `--log` or
    `serve admin records`. The report, the tables, the coverage and all other figures then describe
    these matches; seed is null.

    If all win together or nobody does, this is reported instead of wins by seat. Then `together` counts
    games that all sides have won, and `draws` counts games without a winner.

    With --trajectories each decision is a row: setting, match, seed, decision, seat, observation,
    legal_actions, action, reward, points, last. `reward` (for winning) and `points` (relative to the mean)
    are set in the last row of each seat, where `last` is 1, and are 0 in earlier rows. The file also names
    the rules, and says for each setting how to read its numbers.

    With --full every decision is analysed, which takes about twice as long in generated Python: turns and
    rounds, real choices, and leaders over time. For each table row, action and option, the report
    shows how often it was offered and taken. The report also compares the players who took it with those who did not.
    `docs/playtesting.md` explains the figures.

    JSON: {game, players, options, seed, games, unfinished, draws, ties, together: {wins, share,
    interval}, seats: [{name, bot, wins, share, interval: [low, high], shared}], seats_differ:
    {chance, differ}, scores: [{item, seats: [SPREAD], winners: SPREAD, losers: SPREAD}],
    margins: SPREAD, length: SPREAD, options_per_decision: SPREAD, only_one_option, ends: [{rule, lines, called_by,
    games}], engine, seconds, games_per_second, decisions_per_second}; the item "total" is the last of the scores.
    A SPREAD is {mean, interval, deviation, low, high, quantiles: [5, 25, 50, 75 and 95 in 100]}. With --full
    also {turns, rounds: SPREAD, decisions, choices: [SPREAD of each seat], lead_changes, settled:
    SPREAD, curve: [{part, seats: [mean], winners, losers, led, led_won}], uses: [{sort, name, seen,
    offered, taken, held, times_offered, times_taken, when: SPREAD, compared, wins, points: {with,
    without, difference, interval, chance}, stands_out}], never: [{sort, name, seen, offered}]}.
    If several numbers of players are given, --games games are played with each; JSON: {runs: [one such object for
    each]}.

    With --coverage the games are spread over all combinations of players and options that --players and
    --set leave open; the seeds of each combination start at SEED. Phases, rules, actions, options, branches
    and triggers are counted; effects and powers, card by card; and steps and values that cite a clause.
    Score items that are not 0 are counted too, and reasons for refusal, each reason at most once per
    decision. JSON: {game, seed, games,
    unfinished, settings: [{players, options, games}], points: [{what, name, file, line, clauses, times,
    games}], never}; `never` is the number of points that were not reached.
    """
    # lazy import: other commands start without it
    from rulewright.cli.coverage import cover
    from rulewright.cli.formats.coverage import coverage_data, coverage_text
    from rulewright.cli.formats.simulation import runs_text, simulation_data
    from rulewright.cli.jobs.exporting import refuse_to_export
    from rulewright.cli.jobs.recorded import records_by_variant
    from rulewright.cli.jobs.trajectories import refuse_trajectories, write_trajectories
    from rulewright.cli.report.files import refuse_to_report, write_report
    from rulewright.cli.report.rules import MOST
    from rulewright.interpreter.matches.records import refuse_to_overwrite, save
    from rulewright.interpreter.testing.coverage import shared_out, variants_of

    bots = thinking(bots, think)
    jobs = jobs or ((cpu_count() or 1) if think else 1)
    if log is not None:
        refuse_to_overwrite(log)
    if out is not None:
        refuse_to_export(out)
    if page is not None:
        refuse_to_report(page)
    if trajectories is not None:
        refuse_trajectories(trajectories)
    if records:
        refuse_beside(
            "--records",
            "games",
            "players",
            "seed",
            "settings",
            "bots",
            "think",
            "every",
            "on",
            "log",
        )
    loaded = load_once(game, reach)
    found = records_by_variant(loaded, records) if records else {}
    if coverage:
        for option, given in (
            ("--log", log),
            ("--out", out),
            ("--report", page),
            ("--trajectories", trajectories),
        ):
            if given is not None:
                raise click.UsageError(f"'{option}' cannot be combined with '--coverage'")
        if found:
            shares = [(variant, len(matches)) for variant, matches in found.items()]
        else:
            options = settings_of_random_play(loaded, settings)
            open_to = [one for n in players or (None,) for one in variants_of(loaded, n, options)]
            shares = shared_out(open_to, games)
        points, reached = cover(
            loaded, reach, shares, engine or "python", bots, seed or 0, jobs, found
        )
        if form == "json":
            show_json(coverage_data(loaded.title, seed or 0, shares, points, reached))
        else:
            click.echo(coverage_text(loaded.title, shares, points, reached))
        return Exit.FINE
    chosen = {} if records else settings_of_random_play(loaded, settings)
    logs = games if log is not None or trajectories is not None else MOST if page is not None else 0
    watched = full or page is not None or out is not None or bool(records)
    asked = RunRequest(
        game,
        reach,
        engine,
        bots,
        seed or 0,
        games,
        logs,
        full=watched,
        jobs=jobs,
        on=on,
        records=found,
    )
    numbers = players or (None,)
    if found:
        asked_in = list(found)
    elif every:
        each_open = [variants_of(loaded, number, chosen) for number in numbers]
        asked_in = [variant for each in each_open for variant in each]
    else:
        asked_in = [loaded.variant(number, chosen) for number in numbers]
    runs = list(run_each(asked, asked_in, out))
    if log is not None:
        save(log, "".join(f"{line}\n" for run in runs for line in run.done.lines))
    if page is not None:
        write_report(page, runs)
    if trajectories is not None:
        write_trajectories(trajectories, loaded, runs)
    if form == "json":
        data = [simulation_data(run) for run in runs]
        show_json(data[0] if len(data) == 1 else {"runs": data})
    else:
        click.echo(runs_text(runs, side_by_side=every))
    if runs[-1].is_cut:
        click.echo(f"interrupted: the results of {runs[-1].done.plays:,} games", err=True)
        return Exit.INTERRUPTED
    return Exit.FINE
