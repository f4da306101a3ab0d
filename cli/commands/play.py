"""`rulewright play`: a play at the terminal."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import (
    example,
    game_argument,
    load,
    players_option,
    read_seats,
    read_settings,
    seed_option,
    set_option,
    tables_option,
)

if TYPE_CHECKING:
    from rulewright.interpreter.plays.game import Game
    from rulewright.interpreter.plays.play import Play

_SEEDS = 1_000_000


@click.command(
    short_help="Play a game at the terminal.",
    epilog=example(
        "rulewright play connect_four",
        "rulewright play love_letter --players 3 --seat 2=human --save evening.play",
    ),
)
@game_argument
@players_option
@click.option(
    "--seat",
    "seats",
    metavar="SEAT=WHO",
    multiple=True,
    help="Who sits at a seat (its number or name): human, random or greedy. May be repeated.",
)
@set_option
@seed_option
@click.option(
    "--save",
    "save_to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the play in this file.",
)
@click.option(
    "--load",
    "load_from",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with a play that was kept.",
)
@tables_option
def command(
    game: str,
    players: int | None,
    seats: tuple[str, ...],
    settings: tuple[str, ...],
    seed: int | None,
    save_to: Path | None,
    load_from: Path | None,
    tables: Path | None,
) -> int:
    """Play a game: alone against bots, or several people at one keyboard.

    The first seat is yours unless --seat says something else; `greedy` bots have the other seats.
    During play, `help` lists what can be typed.
    """
    # late: only who runs it waits for it
    from rulewright.cli.session import HUMAN, Session
    from rulewright.interpreter.plays.bots import BOTS
    from rulewright.interpreter.plays.records import refuse_to_overwrite

    if save_to is not None:
        refuse_to_overwrite(save_to)
    loaded = load(game, tables)
    if load_from is None:
        given = seed if seed is not None else randbelow(_SEEDS)
        play, sitting = _begin(loaded, players, read_settings(settings), given)
    else:
        if players is not None or settings or seed is not None:
            raise click.UsageError("--load takes players, options and seed from the file")
        play, sitting = _take_up(loaded, load_from)
    names = play.state.players
    said = read_seats(seats, names, (HUMAN, *BOTS), "'--seat'")
    who = tuple(said.get(seat, kind) for seat, kind in enumerate(sitting))
    return Session(play, who, save_to or load_from).run()


def _begin(
    game: Game, players: int | None, options: dict[str, str], seed: int
) -> tuple[Play, tuple[str, ...]]:
    # late: only who runs it waits for it
    from rulewright.cli.session import HUMAN
    from rulewright.interpreter.plays.play import Play

    play = Play.begin(game, game.setting(players, options), seed)
    return play, tuple("greedy" if seat else HUMAN for seat in range(len(play.state.players)))


def _take_up(game: Game, path: Path) -> tuple[Play, tuple[str, ...]]:
    # late: only who runs it waits for it
    from rulewright.cli.session import load_play

    return load_play(path, game)
