"""Implement `rulewright fmt`, which gives files their canonical layout."""

from __future__ import annotations

import os
from difflib import unified_diff
from errno import EACCES
from pathlib import Path

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example
from rulewright.cli.output import show_problems

GAME, SCENARIO = ".game", ".scenario"


@click.command(
    short_help="Format games and scenarios.",
    epilog=example(
        "rulewright fmt mygame.game mygame.scenario",
        "rulewright fmt --check .",
        "rulewright fmt --diff mygame.game",
    ),
)
@click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show the changes.")
def command(paths: tuple[Path, ...], check: bool, diff: bool) -> int:
    """Format games and scenarios; given a folder, format all files in it.

    The meaning of a file does not change; comments and single empty lines remain. Line breaks depend only
    on the words of a line. A file that cannot be read does not change, and its problems are shown. The exit
    code is 1 if there are such files; with --check or --diff also if a file would change.
    """
    changed = failed = False
    for path in _files(paths):
        before, after = _format_file(path)
        if after is None:
            failed = True
        elif after.encode() != before:
            changed = True
            if diff:
                click.echo(_diff(path, before, after), nl=False)
            elif check:
                click.echo(str(path))
            else:
                _write(path, after)
                click.echo(f"formatted {path}")
    return Exit.PROBLEMS if failed or (changed and (check or diff)) else Exit.FINE


def _files(paths: tuple[Path, ...]) -> list[Path]:
    """Return the given files and those in the given folders, without duplicates."""
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = [p for end in (GAME, SCENARIO) for p in path.rglob(f"*{end}") if p.is_file()]
            found |= dict.fromkeys(sorted(p for p in inside if not _is_hidden(p.relative_to(path))))
        elif path.suffix in (GAME, SCENARIO):
            found[path] = None
        else:
            raise click.UsageError(
                f"'{path}' is neither a game nor a scenario file: the name ends in {GAME} or {SCENARIO}"
            )
    return list(found)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _format_file(path: Path) -> tuple[bytes, str | None]:
    """Show the problems of a file; return its bytes and its formatted text, or None as the text if it
    cannot be read.
    """
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.diagnostics import Problems
    from rulewright.dsl.formatting.formatter import format_game, format_scenarios
    from rulewright.dsl.text.reading import MAX_BYTES, decode

    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    reading, problems = decode(str(path), data), Problems()
    problems.extend(reading.problems)
    after: str | None = None
    if reading.usable:
        form = format_scenarios if path.suffix == SCENARIO else format_game
        after = form(reading.source, problems)
    show_problems(problems.in_order(), err=True)
    return data, after


def _diff(path: Path, before: bytes, after: str) -> str:
    old = before.decode("utf-8-sig").splitlines(keepends=True)
    lines = unified_diff(old, after.splitlines(keepends=True), str(path), f"{path} (formatted)")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _write(path: Path, text: str) -> None:
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.atomic_files import write_whole

    if not os.access(path, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))
    write_whole(path, text)
