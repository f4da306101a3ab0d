"""Implement `rulewright new`, which makes a folder with a small game, ready to be played, tested and
changed.
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.options import example

TEMPLATES = ("board", "cards", "dice")


@click.command(
    short_help="Begin a new game.",
    epilog=example(
        "rulewright new orchard",
        "rulewright new orchard --template dice",
        "rulewright new my_chess --from chess",
    ),
)
@click.argument("name", metavar="NAME")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    help="The kind of game to begin with; `cards` by default.",
)
@click.option(
    "--from",
    "source",
    metavar="GAME",
    help="Begin with the files of this game: a shipped one by name, or a file.",
)
def command(name: str, template: str | None, source: str | None) -> None:
    """Begin a new game: make the folder NAME with rules, scenarios and the clauses of a rulebook.

    The files come from a small game, or with --from from any other game. They pass `check` and `test`, and
    are ready to play and to change. NAME has small letters, digits and `_`, and may include a folder. No
    existing file is overwritten.
    """
    # lazy import: other commands start without it
    from rulewright.cli import starting
    from rulewright.interpreter.matches.library import find_game

    path = Path(name)
    if template is not None and source is not None:
        raise click.UsageError("a game begins with a template or with another game, not with both")
    if problem := starting.folder_problem(path):
        raise click.ClickException(problem)
    begun = starting.template(template or "cards") if source is None else find_game(source)
    rules, *others = starting.make_game_folder(path, begun)
    for file in (rules, *others):
        click.echo(f"made {file}")
    scenarios = [file for file in others if file.suffix == ".scenario"]
    tested = " ".join(map(str, scenarios))
    click.echo("\nNow try:")
    tests = (f"check {rules} {tested}", f"test {tested}") if scenarios else (f"check {rules}",)
    for words in (f"play {rules}", *tests):
        click.echo(f"  rulewright {words}")
