"""Implement `rulewright leaks`, which searches for secrets that players learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    WholeNumber,
    beside,
    engine_name,
    engine_option,
    example,
    format_option,
    is_position,
    load_from,
    players_option,
    reach_options,
    seed_option,
    set_option,
    settings_of_random_play,
)
from rulewright.cli.output import show_json
from rulewright.cli.progress import Progress

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.testing.leak_search import Pair


GAMES = 100
POSITIONS = 10_000
"""The default limits on the numbers of games and positions."""


@click.command(
    short_help="Search for leaks of secrets.",
    epilog=example(
        "rulewright leaks love_letter --games 50 --players 3",
        "rulewright leaks --load love_letter-1.leak",
    ),
)
@click.argument("game", metavar="[GAME]", required=False)
@click.option(
    "--games",
    type=WholeNumber(1),
    metavar="N",
    help=f"How many matches; without it at most {GAMES}, and no more after {POSITIONS:,} positions.",
)
@click.option(
    "--pairs",
    type=WholeNumber(1),
    default=20,
    show_default=True,
    metavar="N",
    help="How many second matches to try for each match.",
)
@players_option
@seed_option
@set_option
@engine_option
@reach_options
@click.option(
    "--unproved",
    is_flag=True,
    help="Play even rules in which `rulewright check` finds a leak.",
)
@click.option(
    "--save",
    "folder",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    default=".",
    metavar="FOLDER",
    help="The folder for pairs of matches that show leaks; by default the current folder.",
)
@click.option(
    "--load",
    "kept",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Show a saved pair of matches.",
)
@format_option
def command(
    game: str | None,
    games: int | None,
    pairs: int,
    players: int | None,
    seed: int | None,
    settings: tuple[str, ...],
    engine: str,
    reach: Reach,
    unproved: bool,
    folder: Path,
    kept: Path | None,
    form: str,
) -> int:
    """Search for leaks: views, boards, options, words, reasons and lines of the log that disclose secrets
    to players.

    Each random match is compared with others that differ only in something hidden: the order of a shuffle,
    an unseen roll, a secret choice of another player. Until the rules disclose a difference, both must look
    the same to the player. The exit code is 1 if they do not, or if there are secrets but no second match
    could be tried. Each pair of matches that differs is saved in a file, for `--load` and for `rulewright
    replay`. Without `--players`, matches of two and of three players alternate. GAME may be a position:
    `mygame.scenario:WORDS` plays matches from the end of that scenario or beginning.

    JSON: {game, players, options, seed, games, pairs, states, leaks: [{kind, player, decision, place:
    {file, line, text}, clauses, first, second, hidden: [{name, first, second}], pairs, file}]}; kind is
    option, count, order, text, reason, log, timing, size, view, board or end.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.leaks import leaks_data, leaks_text
    from rulewright.interpreter.testing.leak_search import search

    if kept is not None:
        return _show(kept, game, engine, reach, unproved, form)
    if game is None:
        raise click.UsageError("name a GAME, or a FILE to `--load`")
    loaded = _load(game, reach, unproved)
    chosen = settings_of_random_play(loaded, settings)
    variant = loaded.variant(players, chosen)
    also = [loaded.variant(3, chosen)] if players is None and _may_be_three(loaded, variant) else []
    first = seed or 0
    most = POSITIONS if games is None else None
    seeds = range(first, first + (games or GAMES))
    with Progress(len(seeds), "games", "looking for leaks") as progress:
        findings = search(
            loaded, variant, seeds, pairs, engine_name(engine), progress.tick, most, also
        )
    found = list(findings.found.values())
    files = [str(_keep(folder, _stem(loaded.name), pair)) for pair, _ in found]
    leaks = [(pair, count, file) for (pair, count), file in zip(found, files, strict=True)]
    if form == "json":
        show_json(leaks_data(loaded.title, variant, first, findings, leaks))
    else:
        click.echo(leaks_text(loaded.title, findings, leaks))
    if findings.is_interrupted:
        click.echo(f"interrupted: the results of {findings.games:,} games", err=True)
        return Exit.INTERRUPTED
    if findings.is_cut and form != "json":
        click.echo(
            f"the search ended after {POSITIONS:,} positions of both kinds of matches; "
            f"`--games {2 * findings.games}` searches more"
        )
    tried = findings.pairs or not findings.has_secrets
    return Exit.FINE if tried and not found else Exit.PROBLEMS


def _load(name: str, reach: Reach, unproved: bool) -> Game:
    if not unproved or is_position(name):
        return load_from(name, reach)
    # lazy import: other commands start without it
    from rulewright.dsl.loading.loading import load
    from rulewright.interpreter.matches.game import game_of
    from rulewright.interpreter.matches.library import find_game

    return game_of(name, load(find_game(name), reach=reach, is_unproved=True))


def _may_be_three(game: Game, variant: Variant) -> bool:
    """Return whether a third player may learn secrets that only two players share."""
    return game.position is None and variant.players == 2 and game.facts.high >= 3


def _stem(name: str) -> str:
    return Path(name.partition(":")[0] if is_position(name) else name).stem


def _keep(folder: Path, stem: str, pair: Pair) -> Path:
    """Write a pair into its own file, unless a file with this pair exists; return the path of the file."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import save
    from rulewright.interpreter.testing.leak_search import pair_text

    text = pair_text(pair)
    number = 1
    while True:
        path = folder / f"{stem}-{number}.leak"
        if not path.exists():
            save(path, text)
            return path
        if path.is_file() and path.read_bytes() == text.encode():
            return path
        number += 1


def _show(
    kept: Path, game: str | None, engine: str, reach: Reach, unproved: bool, form: str
) -> int:
    # lazy import: other commands start without it
    from rulewright.cli.formats.leaks import leak_data, leak_text
    from rulewright.interpreter.matches.records import load_records
    from rulewright.interpreter.testing.leak_search import load_pair

    records = load_records(kept)
    loaded = _load(game or beside(records[0].game, kept), reach, unproved)
    pair = load_pair(records, loaded, engine_name(engine))
    if form == "json":
        show_json({"leak": None if pair is None else leak_data(pair)})
    elif pair is None:
        click.echo("the two matches look the same to all players who may not know the difference")
    else:
        click.echo(leak_text(pair, positions=True))
    return Exit.FINE if pair is None else Exit.PROBLEMS
