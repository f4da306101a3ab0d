"""Implement `rulewright show`, which shows the contents of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rulewright.cli.options import (
    example,
    format_option,
    game_argument,
    load,
    players_option,
    reach_options,
    read_settings,
    set_option,
)
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Show the contents of a game.",
    epilog=example(
        "rulewright show love_letter --players 4",
        "rulewright show love_letter --observation",
        "rulewright show love_letter --ir",
    ),
)
@game_argument
@click.option("--sites", is_flag=True, help="Show each decision, and whether it needs a search.")
@click.option("--observation", is_flag=True, help="Show the numbers that players observe.")
@click.option("--sources", is_flag=True, help="Show the source of each row of the tables.")
@click.option("--ir", is_flag=True, help="Show the code that the engines run.")
@players_option
@set_option
@reach_options
@format_option
def command(
    game: str,
    sites: bool,
    observation: bool,
    sources: bool,
    ir: bool,
    players: int | None,
    settings: tuple[str, ...],
    reach: Reach,
    form: str,
) -> None:
    """Show the contents of a game: options, components, zones and who sees them, rules, actions, choices in
    play, score.

    If tables have a column `provenance`, the sources of their rows are counted; reconstructed rows are named.

    A decision is `plain` if conditions on the position decide its options, `search` if later steps are tried
    out before an option is offered.

    An observation has the same parts in all positions: see docs/python.md.

    The code is a small subset of Python. `p1` are rules that run to their end, `q1` rules with decisions, in
    blocks; `v1` are locals, `cell[1]` the state, `table1[1]` printed numbers.

    JSON: {title, author, players: [fewest, most], options: {NAME: [VALUE...]}, setting: {players,
    options}, seats, pieces: [{name, count, rows: {NAME: COUNT}}], spaces: [{name, count, grid}],
    sources: [{name, file, rows: [{row, from}]}], tokens: [{name, count}], zones: [{name, of, holds,
    seen}], values: [{name, of, range, seen}], rules, actions, offered: [{option, of: [VALUES...],
    places}], score, decisions: [{number, rule, chooses, class, place}]}. With `--observation`: {raw:
    {size, hidden, nothing, parts: [{name, what, start, length, numbers: [{kind, low, high, domain,
    hidden, nothing}]}]}, encoded: {size, parts: [{name, what, start, shape, labels}]}}.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.contents import (
        contents_data,
        contents_text,
        sites_text,
        sources_text,
    )

    loaded = load(game, reach)
    variant = loaded.variant(players, read_settings(settings))
    program = loaded.program(variant)
    if ir:
        from rulewright.dsl.ir_text import code_text

        if form == "json":
            raise click.UsageError("--ir shows text, not data")
        click.echo(code_text(program), nl=False)
    elif observation:
        from rulewright.cli.formats.observed import observed_data, observed_text

        observer = loaded.observer(variant)
        if form == "json":
            show_json(observed_data(observer))
        else:
            click.echo(observed_text(observer))
    elif form == "json":
        show_json(contents_data(loaded, variant, program))
    elif sites or sources:
        wanted = [sites_text(program)] * sites + [sources_text(program)] * sources
        click.echo("\n\n".join(wanted))
    else:
        click.echo(contents_text(loaded, variant, program))
