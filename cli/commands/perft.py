"""Implement `rulewright perft`, which counts sequences of choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulewright.cli.options import (
    WholeNumber,
    engine_name,
    engine_option,
    example,
    format_option,
    game_argument,
    load_from,
    players_option,
    reach_options,
    read_settings,
    set_option,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Count sequences of choices.",
    epilog=example(
        "rulewright perft connect_four --depth 5",
        "rulewright perft reversi --depth 3 --divide",
        "rulewright perft breakthrough --depth 2 --turns",
    ),
)
@game_argument
@click.option("--depth", type=WholeNumber(1), required=True, metavar="N", help="How many plies.")
@click.option("--turns", is_flag=True, help="Count by turns, not by single choices.")
@click.option("--divide", is_flag=True, help="Split the deepest count by the first choice.")
@players_option
@set_option
@engine_option
@reach_options
@format_option
def command(
    game: str,
    depth: int,
    turns: bool,
    divide: bool,
    players: int | None,
    settings: tuple[str, ...],
    engine: str,
    reach: Reach,
    form: str,
) -> None:
    """Count the sequences of choices of each length, from the start of the game.

    Each choice of a player is a ply, and so is each result of chance: a roll, or a step of a shuffle.
    Counts of 0 are left out. With --turns a ply is a whole turn: everything until another player must
    decide. GAME may be a position: `mygame.scenario:WORDS` starts at the end of the scenario or beginning
    with this name.

    JSON: {game, players, options, counts: [depth 1, depth 2, ...]}, with --divide also divide: {CHOICE:
    COUNT}.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.testing.perft import divide as divided
    from rulewright.interpreter.testing.perft import perft
    from rulewright.interpreter.testing.perft import turns as by_turns
    from rulewright.interpreter.text.columns import table

    if turns and divide:
        raise click.UsageError("'--divide' cannot be combined with '--turns'")
    count = by_turns if turns else perft

    loaded = load_from(game, reach)
    variant = loaded.variant(players, read_settings(settings))
    start = loaded.start(
        variant.players,
        options=dict(variant.options),
        engine=engine_name(engine),
        chance="manual",
    )
    if form == "json":
        data: dict[str, object] = {
            "game": loaded.title,
            "players": variant.players,
            "options": dict(variant.options),
            "counts": list(count(start, depth)),
        }
        if divide:
            data["divide"] = dict(divided(start, depth))
        show_json(data)
        return
    if divide:
        rows = [(name, f"{count:,}") for name, count in divided(start, depth)]
        for line in table([*rows, ("all", f"{sum(_number(row[1]) for row in rows):,}")]):
            click.echo(line)
        return
    for ply, number in enumerate(count(start, depth), start=1):
        click.echo(f"{ply:>3}  {number:>15,}")


def _number(text: str) -> int:
    return int(text.replace(",", ""))
