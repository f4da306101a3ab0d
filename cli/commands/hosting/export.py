"""Implement `rulewright export`, which writes a page that plays one game without a server."""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.cli.commands.hosting.site import (
    NATIVE,
    compile_games,
    refuse_missing_runtime,
    refuse_other_files,
    write_page,
    written_single,
)
from rulewright.cli.exits import Exit
from rulewright.cli.options import example, game_argument


@click.command(
    short_help="Write a page that plays one game.",
    epilog=example(
        "rulewright export love_letter --out build/love_letter",
        "rulewright export love_letter --single --out love_letter.html",
    ),
)
@game_argument
@click.option(
    "--out",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The folder to write into, or with --single the file.",
)
@click.option("--single", is_flag=True, help="Write one file that opens by a double click.")
@click.option("--native/--no-native", default=True, help=NATIVE)
@click.option(
    "--force", is_flag=True, help="Overwrite a file, or write into a folder with other files."
)
def command(game: str, out: Path, single: bool, native: bool, force: bool) -> int:
    """Write a page that plays GAME in a browser: alone, against bots, or by passing the device around.

    Any file server can host the page, and after the first visit the page needs no network. The page
    contains the rules and, during a match, all its secrets. So it is for people at one device. With
    --single everything is in one HTML file, which needs no server at all: 8 MB for a small game, more for a
    large one. Needs the extra `browser`.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.library import find_game
    from rulewright.playground.site import example_of, player_of

    refuse_missing_runtime()
    if single and out.exists() and not (force and out.is_file()):
        raise click.UsageError(f"'{out}' exists: choose another file, or --force")
    if not single:
        refuse_other_files(out, force)
    name = find_game(game).stem
    loaded = load_rules(game)
    found = player_of(loaded, example_of(loaded, rule_texts(loaded)))
    modules = compile_games([loaded]) if native else {}
    if single:
        written_single(out, name, found, modules)
    else:
        write_page(out, {name: found}, modules, name)
    return Exit.FINE
