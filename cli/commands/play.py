"""Implement `rulewright play`, which plays a match at the terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import (
    example,
    game_argument,
    players_option,
    reach_options,
    read_seats,
    read_settings,
    read_time,
    seed_option,
    set_option,
)
from rulewright.cli.options import (
    load_from as load_game,
)

if TYPE_CHECKING:
    from rulewright.cli.terminal.saving import SeatKinds
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.game import Game
    from rulewright.interpreter.matches.match import Match

_SEEDS = 1_000_000


@click.command(
    short_help="Play a game at the terminal.",
    epilog=example(
        "rulewright play connect_four",
        "rulewright play love_letter --players 3 --seat 1=human:Ann --seat 2=human:Bob",
        "rulewright play love_letter --resume",
    ),
)
@game_argument
@players_option
@click.option(
    "--seat",
    "seats",
    metavar="SEAT=WHO",
    multiple=True,
    help="The player at a seat (its number or name): human, human:NAME, random, greedy, easy, normal, hard, or "
    "as exact as mcts:400 (trials) or mcts:2s. May be repeated.",
)
@set_option
@seed_option
@click.option(
    "--save",
    "save_to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the match in this file.",
)
@click.option(
    "--load",
    "load_from",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Continue a match that was kept.",
)
@click.option("--resume", is_flag=True, help="Continue the last unfinished match of this game.")
@click.option(
    "--think",
    metavar="TIME",
    help="How long the levels easy, normal and hard think for a decision: 3s, 500ms.",
)
@click.option(
    "--no-undo", is_flag=True, help="Allow no undo, for tables where it would be cheating."
)
@reach_options
def command(
    game: str,
    players: int | None,
    seats: tuple[str, ...],
    settings: tuple[str, ...],
    seed: int | None,
    save_to: Path | None,
    load_from: Path | None,
    resume: bool,
    think: str | None,
    no_undo: bool,
    reach: Reach,
) -> int:
    """Play a game: alone against bots, or several people at one keyboard.

    The first seat is yours unless --seat says something else; `easy` bots have the other seats. During
    play, `help` lists all commands. If you leave a match, the match is saved; --resume continues it. GAME
    may be a position: `mygame.scenario:WORDS` starts at the end of the scenario or beginning with this
    name.
    """
    # lazy import: other commands start without it
    from rulewright.cli.terminal.saving import (
        HUMAN,
        Keeper,
        last_named_file,
        left_matches,
        load_match,
    )
    from rulewright.cli.terminal.session import Session
    from rulewright.interpreter.bots.levels import NAMES
    from rulewright.interpreter.matches.records import refuse_to_overwrite

    seconds = read_time(think)
    if save_to is not None:
        refuse_to_overwrite(save_to)
    loaded = load_game(game, reach)

    def seat_kinds(names: tuple[str, ...], usual: tuple[str, ...]) -> tuple[str, ...]:
        said = read_seats(seats, names, (HUMAN, *NAMES), "'--seat'", named=HUMAN)
        return tuple(said.get(seat, kind) for seat, kind in enumerate(usual))

    keeper = Keeper(save_to or load_from)
    if load_from is None and not resume:
        given = seed if seed is not None else randbelow(_SEEDS)
        match, sitting = _begin(loaded, players, read_settings(settings), given, seat_kinds)
        return Session(match, sitting, keeper, can_undo=not no_undo, think=seconds).run()
    if players is not None or settings or seed is not None or (resume and load_from is not None):
        option = "--resume" if resume else "--load"
        raise click.UsageError(f"{option} takes players, options and seed from the file")
    path = load_from
    if path is None:
        left = left_matches(loaded)
        if not left:
            file = last_named_file(loaded)
            named = (
                f"; the last one is in a file: `--load {shlex.quote(str(file))}`" if file else ""
            )
            message = f"there is no unfinished match of {loaded.title} to continue{named}"
            raise click.UsageError(message)
        path = left[0]
        keeper.take_up(path)
    match, sitting = load_match(path, loaded, seat_kinds)
    return Session(match, sitting, keeper, can_undo=not no_undo, think=seconds).run()


def _begin(
    game: Game, players: int | None, options: dict[str, str], seed: int, seat_kinds: SeatKinds
) -> tuple[Match, tuple[str, ...]]:
    # lazy import: other commands start without it
    from rulewright.cli.terminal.saving import HUMAN, player_names
    from rulewright.interpreter.matches.match import Match

    variant = game.variant(players, options)
    compiled = game.compiled(variant)
    usual = tuple("easy" if seat else HUMAN for seat in range(len(compiled.words.players)))
    sitting = seat_kinds(compiled.words.players, usual)
    return Match.begin(game, variant, seed, compiled.with_names(player_names(sitting))), sitting
