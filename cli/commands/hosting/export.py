"""`rulewright export`: one game as a page that plays it without a server."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.cli.commands.hosting.site import refuse_other_files, written
from rulewright.cli.exits import Exit
from rulewright.cli.options import example, game_argument


@click.command(
    short_help="Write a page that plays one game.",
    epilog=example("rulewright export love_letter --out build/love_letter"),
)
@game_argument
@click.option(
    "--out",
    "-o",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write into.",
)
@click.option("--force", is_flag=True, help="Write into a folder that has other files in it.")
def command(game: str, out: Path, force: bool) -> int:
    """Write a page that plays GAME in a browser, alone, against bots or by passing the device on.

    Any server of files can offer it, and after the first visit it needs no network. The page holds the rules and, while
    it plays, all secrets of the match: it is for people who sit at one device. Needs the extra `browser`.
    """
    # late: only who runs it waits for it
    from rulewright.interpreter.matches.library import find_game
    from rulewright.playground.site import example_of

    refuse_other_files(out, force)
    name = find_game(game).stem
    loaded = load_rules(game)
    written(out, {name: example_of(loaded, rule_texts(loaded))}, name)
    return Exit.FINE
