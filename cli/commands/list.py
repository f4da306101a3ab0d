"""`rulewright list`: the shipped games."""

from __future__ import annotations

import click

from rulewright.cli.options import example, format_option
from rulewright.cli.output import show_json


@click.command(
    short_help="List the shipped games.",
    epilog=example("rulewright list", "rulewright list --format json"),
)
@format_option
def command(form: str) -> None:
    """The shipped games: name, number of players, title and author.

    JSON: a list of {name, title, author, players: [fewest, most],
    options: {NAME: [VALUE...]}, file}.
    """
    # late: only who runs it waits for it
    from rulewright.dsl.loading.loading import load
    from rulewright.interpreter.matches.library import shipped_games
    from rulewright.interpreter.text.columns import table

    found = [(name, path, load(path).facts) for name, path in shipped_games().items()]
    games = [(name, path, facts) for name, path, facts in found if facts is not None]
    if form == "json":
        show_json(
            [
                {
                    "name": name,
                    "title": facts.title,
                    "author": facts.author,
                    "players": [facts.low, facts.high],
                    "options": {option: list(values) for option, values in facts.options},
                    "file": str(path),
                }
                for name, path, facts in games
            ]
        )
        return
    rows = [
        (
            name,
            str(facts.low) if facts.low == facts.high else f"{facts.low}-{facts.high}",
            f"{facts.title}, by {facts.author}" if facts.author else facts.title,
        )
        for name, _, facts in games
    ]
    for line in table(rows, left=3):
        click.echo(line)
