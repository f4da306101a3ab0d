"""Implement `rulewright look`, which makes a page with everything that a game can show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.options import example, game_argument, load, reach_options

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Show cards, boards and zones in a browser.",
    epilog=example("rulewright look night_market", "rulewright look night_market -o look.html"),
)
@game_argument
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the page into this file instead of opening it.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port of the page; 0 means any free port.",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open a browser.")
@reach_options
def command(game: str, output: Path | None, port: int, browser: bool, reach: Reach) -> None:
    """Show a page with a typical position and every card, board and zone of a game, drawn as in a match in
    the browser.

    GAME.css, GAME.places.csv and the pictures in GAME.art, beside the game, determine how the game looks.
    Problems in these files are at the top of the page. The page shows each change when a file is saved.
    Ctrl-C ends the command.
    """
    # lazy import: other commands start without it
    from rulewright.cli.look_server import Looking, serve
    from rulewright.interpreter.matches.atomic_files import naming

    looking = Looking(game, lambda: load(game, reach))
    if output is not None:
        with naming(output):
            output.write_text(looking.page(), "utf-8")
        click.echo(f"wrote {output}")
        for problem in looking.problems:
            click.echo(f"warning: {problem}", err=True)
        return
    serve(looking, port, browser=browser)
