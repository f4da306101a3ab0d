"""`rulewright new`: a folder with a small game that can be played, tested and changed at once."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.options import example

TEMPLATES = ("board", "cards", "dice")


@click.command(
    short_help="Begin a new game.",
    epilog=example("rulewright new orchard", "rulewright new orchard --template dice"),
)
@click.argument("name", metavar="NAME")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    default="cards",
    show_default=True,
    help="What the game to begin with is played with.",
)
def command(name: str, template: str) -> None:
    """Begin a new game: makes the folder NAME with rules, scenarios and the clauses of a rulebook.

    They are those of a small game, which passes `check` and `test` and can be played; change it
    into yours. NAME has small letters, digits and `_`, and may stand behind a folder. Nothing that
    exists is overwritten.
    """
    # late: only who runs it waits for it
    from rulewright.cli.starting import made, misnamed

    path = Path(name)
    if problem := misnamed(path):
        raise click.ClickException(problem)
    rules, *others = made(path, template)
    for file in (rules, *others):
        click.echo(f"made {file}")
    scenarios = rules.with_suffix(".scenario")
    click.echo("\nNow try:")
    for words in (f"play {rules}", f"check {rules} {scenarios}", f"test {scenarios}"):
        click.echo(f"  rulewright {words}")
