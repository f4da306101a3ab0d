"""Implement `rulewright print`, which writes a game as one file ready to print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example, game_argument, load, players_option, reach_options

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach


@click.command(
    short_help="Write a game as a file ready to print.",
    epilog=example(
        "rulewright print night_market", "rulewright print love_letter --paper letter --pdf"
    ),
)
@game_argument
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; by default GAME.print.html in the current folder.",
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--pdf", is_flag=True, help="Make a PDF as well, with WeasyPrint or Chromium.")
@players_option
@reach_options
def command(
    game: str,
    output: Path | None,
    paper: Literal["a4", "letter"],
    pdf: bool,
    players: int | None,
    reach: Reach,
) -> int:
    """Write one HTML file with all copies of every card, lines to cut along, and the boards.

    Cards are 63 by 88 mm, tiles 26 by 26 mm. Print the file from a browser at 100 %. With --pdf the command
    also writes a PDF, if WeasyPrint (`pip install ".[print]"`) or Chromium is installed, and says which of
    them made it.
    """
    # lazy import: other commands start without it
    from rulewright.cli.pdf import pdf_of
    from rulewright.interpreter.matches.atomic_files import naming
    from rulewright.pictures.beside import beside
    from rulewright.pictures.catalogue import print_page

    loaded = load(game, reach)
    name = Path(game).stem
    file = output or Path(f"{name}.print.html")
    found = beside(loaded, name)
    with naming(file):
        file.write_text(print_page(loaded, name, found, paper, players), "utf-8")
    click.echo(f"wrote {file}")
    for problem in found.problems:
        click.echo(f"warning: {problem}", err=True)
    if not pdf:
        return Exit.FINE
    made = pdf_of(file, file.with_suffix(".pdf"))
    if made is None:
        raise click.ClickException(
            "no PDF: neither WeasyPrint nor Chromium is installed; print the page from a browser"
        )
    click.echo(f"wrote {file.with_suffix('.pdf')} with {made}")
    return Exit.FINE
