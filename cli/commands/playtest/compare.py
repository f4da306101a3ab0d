"""Implement `rulewright compare`, which plays two versions of a game with the same seeds."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click
from attrs import evolve

from rulewright.cli.exits import Exit
from rulewright.cli.jobs.runs import RunRequest, work_in
from rulewright.cli.jobs.tasks import load_once
from rulewright.cli.options import (
    Measure,
    WholeNumber,
    example,
    fast_engine_option,
    format_option,
    on_option,
    players_option,
    reach_options,
    read_settings,
    seed_option,
    set_option,
    settings_of_random_play,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, exists=True, path_type=Path)


@click.command(
    short_help="Play two versions and compare the results.",
    epilog=example(
        "rulewright compare orchard.game cheaper.game",
        "rulewright compare orchard.game --tables-b cheaper/ --bot greedy --jobs 2",
        "rulewright compare love_letter --bot-b 1=greedy --precision 5",
    ),
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="[B]", required=False)
@click.option(
    "--games",
    type=WholeNumber(2),
    default=3200,
    show_default=True,
    metavar="N",
    help="The most games of each.",
)
@click.option(
    "--precision",
    type=Measure(0.01, 100),
    default=3.0,
    show_default=True,
    metavar="P",
    help="The largest difference that does not matter: P in 100 games, or P % of a number.",
)
@players_option
@seed_option
@set_option
@click.option("--set-a", "settings_a", metavar="OPTION=VALUE", multiple=True, help="Of A alone.")
@click.option("--set-b", "settings_b", metavar="OPTION=VALUE", multiple=True, help="Of B alone.")
@click.option(
    "--bot",
    "bots",
    metavar="[SEAT=]BOT",
    multiple=True,
    help="The bot of a seat, or of all other seats, in both versions.",
)
@click.option("--bot-a", "bots_a", metavar="[SEAT=]BOT", multiple=True, help="Of A alone.")
@click.option("--bot-b", "bots_b", metavar="[SEAT=]BOT", multiple=True, help="Of B alone.")
@reach_options
@click.option("--tables-a", type=_FOLDER, metavar="DIR", help="The tables of A.")
@click.option("--tables-b", type=_FOLDER, metavar="DIR", help="The tables of B.")
@click.option("--records-a", multiple=True, type=_FILE, metavar="FILE", help="Matches of A.")
@click.option(
    "--records-b",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="Recorded matches of B, instead of playing.",
)
@click.option(
    "--jobs", type=WholeNumber(1), default=1, show_default=True, metavar="N", help="Processes."
)
@on_option
@fast_engine_option
@format_option
def command(
    first: str,
    second: str | None,
    games: int,
    precision: float,
    players: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    settings_a: tuple[str, ...],
    settings_b: tuple[str, ...],
    bots: tuple[str, ...],
    bots_a: tuple[str, ...],
    bots_b: tuple[str, ...],
    reach: Reach,
    tables_a: Path | None,
    tables_b: Path | None,
    records_a: tuple[Path, ...],
    records_b: tuple[Path, ...],
    jobs: int,
    on: str | None,
    engine: str | None,
    form: str,
) -> int:
    """Play two versions of a game with the same seeds; report the differences and how significant they are.

    A and B are games. Without B, the second version is A again, with other tables, options or bots. The
    main figures are the wins of each seat, draws, points and lengths. They are tested after 100 games, and
    after each doubling. No more games are played once all main figures are clear: each differs beyond
    chance, or is the same within --precision. All tests together are wrong in at most 5 of 100 comparisons:
    test n gets the share 1 / (n (n + 1)) of this error (a union bound).

    With --records-a or --records-b the finished matches in the given files replace the games between bots
    of that version. So you can compare people with bots, or two groups of people. Both versions then have
    as many games as the smaller of the two.

    JSON: {versions: [{game, players, options, bots}], seed, games, given_up, looks, clear,
    precision, figures: [{group, name, share, main, first, second, difference, interval, chance,
    stands_out, verdict: differs|same|open, more_games}], worth: [{sort, name, compared, first,
    second, difference, interval, chance, stands_out}], seconds}.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.comparison import comparison_data, comparison_text
    from rulewright.cli.jobs.pairing import Answer, Pair, compare
    from rulewright.cli.jobs.recorded import players_in, records_of_variant

    versions = (
        (first, tables_a or reach.tables, settings_a, bots_a, records_a),
        (second or first, tables_b or reach.tables, settings_b, bots_b, records_b),
    )
    if players is None and (records_a or records_b):
        players = players_in(records_a or records_b)
    made, names = [], []
    for game, folder, own, who, records in versions:
        own_reach = evolve(reach, tables=folder)
        rules = load_once(game, own_reach)
        asked = RunRequest(
            game, own_reach, engine, who or bots, seed or 0, games, logs=0, full=True, jobs=jobs
        )
        if records:
            given = {**read_settings(settings), **read_settings(own)}
            variant, found = records_of_variant(rules, records, players, given)
            asked = asked._replace(records={variant: found})
        else:
            given = settings_of_random_play(rules, settings, own)
            variant = rules.variant(players, given)
        made.append(work_in(asked, variant))
        words = [f"{name}={value}" for name, value in given.items()]
        if folder is not None:
            words.append(f"tables of {folder}")
        words += ["recorded"] if records else (who or bots)
        names.append(" ".join([game, *(f"({each})" for each in words)]))
    (about, work), (about_b, work_b) = made
    if work.players != work_b.players or len(about.names) != len(about_b.names):
        raise click.UsageError("both versions need the same number of players; give --players")
    if work == work_b._replace(
        engine=work.engine
    ):  # the engine is ignored, because it is chosen by its running time
        raise click.UsageError(
            "A and B are the same; give another game, or other tables, options or bots"
        )
    most = min(work.games, work_b.games)
    work, work_b = work.share(0, most), work_b.share(0, most)
    started = perf_counter()
    looked = compare(Pair(work, work_b), precision / 100, jobs, on)
    answer = Answer(
        (about, about_b), *looked, wanted=precision / 100, seconds=perf_counter() - started
    )
    if form == "json":
        show_json(comparison_data(answer))
    else:
        click.echo(comparison_text(answer, names))
    if looked.is_cut:
        plays = looked.compared.comparison.plays
        click.echo(f"interrupted: the results of {plays:,} games of each", err=True)
        return Exit.INTERRUPTED
    return Exit.FINE
