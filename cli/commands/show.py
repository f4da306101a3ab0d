"""`rulewright show`: what a game is made of."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.options import (
    example,
    format_option,
    game_argument,
    load,
    players_option,
    read_settings,
    set_option,
    tables_option,
)
from rulewright.cli.output import show_json


@click.command(
    short_help="Show what a game is made of.",
    epilog=example(
        "rulewright show love_letter --players 4", "rulewright show love_letter --sites"
    ),
)
@game_argument
@click.option("--sites", is_flag=True, help="Show each decision, and whether it needs a search.")
@players_option
@set_option
@tables_option
@format_option
def command(
    game: str,
    sites: bool,
    players: int | None,
    settings: tuple[str, ...],
    tables: Path | None,
    form: str,
) -> None:
    """Show what a game is made of: options, components, zones and who sees them, rules, actions,
    score.

    A decision is `plain` when the conditions at hand tell what is offered, `search` when what
    comes after an option is tried out before it is offered.

    JSON: {title, author, players: [fewest, most], options: {NAME: [VALUE...]}, setting: {players,
    options}, seats, pieces: [{name, count, rows: {NAME: COUNT}}], spaces: [{name, count, grid}],
    tokens: [{name, count}], zones: [{name, of, holds, seen}], values: [{name, of, range, seen}],
    rules, actions, score, decisions: [{number, rule, chooses, class, place}]}.
    """
    from rulewright.cli.formats.contents import contents_data, contents_text, sites_text

    loaded = load(game, tables)
    setting = loaded.setting(players, read_settings(settings))
    program = loaded.program(setting)
    if form == "json":
        show_json(contents_data(loaded, setting, program))
    else:
        click.echo(sites_text(program) if sites else contents_text(loaded, setting, program))
