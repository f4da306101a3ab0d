"""Implement `rulewright list`, which lists the shipped games."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import example, format_option
from rulewright.cli.output import show_json

if TYPE_CHECKING:
    from rulewright.dsl.about import AboutGame


@click.command(
    short_help="List the shipped games.",
    epilog=example("rulewright list", "rulewright list --format json"),
)
@format_option
def command(form: str) -> None:
    """List the shipped games: name, number of players, title and author.

    On a terminal the games are grouped, and shown with minutes, weight and mechanisms. JSON: a list of
    {name, title, author,
    players: [fewest, most], designer, publisher, minutes: [fewest, most] or null, mechanisms, weight:
    light, medium, heavy or null, group, options: {NAME: [VALUE...]}, file}.
    """
    # lazy import: other commands start without it
    from rulewright.dsl.loading.loading import load
    from rulewright.interpreter.matches.library import groups, shipped_games
    from rulewright.interpreter.text.columns import table
    from rulewright.interpreter.views.marked import wrap

    found = [(name, path, load(path).facts) for name, path in shipped_games().items()]
    games = [(name, path, facts) for name, path, facts in found if facts is not None]
    grouped = groups()
    if form == "json":
        show_json(
            [
                {
                    "name": name,
                    "title": facts.title,
                    "author": facts.author,
                    "players": [facts.low, facts.high],
                    **facts.about.as_data(),
                    "group": grouped[name],
                    "options": {option: list(values) for option, values in facts.options},
                    "file": str(path),
                }
                for name, path, facts in games
            ]
        )
        return
    is_seen = sys.stdout.isatty()
    if is_seen:
        order = [*grouped]
        games.sort(key=lambda game: order.index(game[0]))
    rows = [
        (
            name,
            _range(facts.low, facts.high),
            f"{facts.title}, by {facts.author}" if facts.author else facts.title,
        )
        for name, _, facts in games
    ]
    lines = table(rows, left=3)
    across = shutil.get_terminal_size().columns
    indent = " " * min(line.index(row[2]) for line, row in zip(lines, rows, strict=True))
    group = ""
    for line, (name, _, facts) in zip(lines, games, strict=True):
        if is_seen and grouped[name] != group:
            group = grouped[name]
            click.echo(click.style(group.capitalize(), bold=True))
        click.echo(line)
        more = _about_text(facts.about) if is_seen else ""
        for part in wrap(more, across, initial_indent=indent, subsequent_indent=indent):
            click.echo(part)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def _about_text(about: AboutGame) -> str:
    """Join the facts about a game for a reader, as in `45 min, medium, tile placement`."""
    parts = [
        f"{_range(*about.minutes)} min" if about.minutes else "",
        about.weight or "",
        *about.mechanisms,
    ]
    return ", ".join(filter(None, parts))
