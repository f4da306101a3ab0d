"""Implement `rulewright site`, which writes the playground as static files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.cli.exits import Exit
from rulewright.cli.options import example

if TYPE_CHECKING:
    from rulewright.interpreter.matches.game import Game
    from rulewright.playground.site import Example

NATIVE = "Compile the games for browsers, which makes bots strong. Large games take a minute."


@click.command(
    short_help="Write a playground for browsers.",
    epilog=example("rulewright site build/site", "rulewright site build/site mygame.game"),
)
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option("--native/--no-native", default=True, help=NATIVE)
@click.option("--force", is_flag=True, help="Write into a folder that has other files in it.")
def command(out: Path, games: tuple[str, ...], native: bool, force: bool) -> int:
    """Write a playground into the folder OUT: a page where people edit, check and play games in a browser.

    Any file server can host the page; nothing has to be installed, and nothing is sent anywhere. GAME is a
    file or the name of a shipped game. Without GAME, the examples are all shipped games and the templates
    of `rulewright new`. To view the page: python3 -m http.server --directory OUT. docs/playground.md has
    more. Needs the extra `browser`.
    """
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.library import find_game, shipped_games
    from rulewright.playground.site import example_of

    refuse_missing_runtime()
    refuse_other_files(out, force)
    examples, loaded = {} if games else templates(), []
    for name in games or shipped_games():
        game = load_rules(name)
        short = find_game(name).stem
        if short in examples:
            raise click.UsageError(f"two games are called {short}")
        examples[short] = example_of(game, rule_texts(game))
        loaded.append(game)
    write_page(out, examples, compile_games(loaded) if native else {})
    return Exit.FINE


def templates() -> dict[str, Example]:
    """Return the templates of `rulewright new` as examples, keyed by `template-NAME`."""
    # lazy import: other commands start without it
    from rulewright.cli.commands.new import TEMPLATES
    from rulewright.cli.starting import template
    from rulewright.playground.site import example_of

    games = {name: load_rules(str(template(name))) for name in TEMPLATES}
    return {
        f"template-{name}": attrs.evolve(example_of(game, rule_texts(game)), group="Templates")
        for name, game in games.items()
    }


def refuse_other_files(out: Path, force: bool) -> None:
    """Reject a folder that has files in it and no earlier page, unless `force`."""
    if out.is_dir() and any(out.iterdir()) and not force and not (out / "games.json").is_file():
        raise click.UsageError(
            f"there are other files in '{out}': choose another folder, or --force"
        )


def refuse_missing_runtime() -> None:
    """Reject the command before it compiles any game if the files for browsers are not installed."""
    # lazy import: other commands start without it
    from rulewright.playground.site import NoRuntimeError, require_runtime

    try:
        require_runtime()
    except NoRuntimeError as failure:
        raise click.UsageError(str(failure)) from None


def compile_games(games: Iterable[Game]) -> dict[str, bytes]:
    """Compile games to native code and return it by name; report each compilation, since a large game takes
    seconds.
    """
    # lazy import: other commands start without it
    from rulewright.playground.native import modules_of

    found = modules_of(games, lambda what: click.echo(f"compiling {what}", err=True))
    if not found:
        click.echo(
            "there is no native code for bots in this page: pip install '.[native]'", err=True
        )
    return found


def written_single(out: Path, name: str, found: Example, modules: Mapping[str, bytes]) -> None:
    """Write a page as one file, and print how to open it."""
    # lazy import: other commands start without it
    from rulewright.playground.site import single_page

    page = single_page(name, found, modules)
    out.write_text(page, encoding="utf-8")
    click.echo(f"{out} has {len(page) / 1e6:.1f} MB; open it in a browser")


def write_page(
    out: Path, examples: Mapping[str, Example], modules: Mapping[str, bytes], only: str = ""
) -> None:
    """Write the page as several files, and print how to open it."""
    # lazy import: other commands start without it
    from rulewright.playground.site import write_site

    names = write_site(out, examples, only, modules=modules)
    size = sum((out / name).stat().st_size for name in names) / 1e6
    click.echo(f"{len(names)} files, {size:.1f} MB, are in {out}; open it through a file server:")
    click.echo(f"python3 -m http.server --bind 127.0.0.1 --directory {out}")
