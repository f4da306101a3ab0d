"""Writes results: data as JSON, only on standard output; problems for people; tables of text."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic


def show_json(data: object) -> None:
    """Show data for other programs."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def show_problems(
    problems: Sequence[Diagnostic], *, err: bool = False, is_whole: bool = False
) -> None:
    """Show problems to people, one below the other; of many similar ones only the first, unless all are wanted."""
    # lazy import: only a run that shows problems needs it
    from rulewright.dsl.diagnostics.folding import Folded, describe, fold
    from rulewright.dsl.diagnostics.render import WIDTH, render

    width = WIDTH
    if (sys.stderr if err else sys.stdout).isatty():
        width = min(WIDTH, shutil.get_terminal_size().columns)
    for shown in problems if is_whole else fold(problems):
        if isinstance(shown, Folded):
            click.echo("\n".join(describe(shown, width)), err=err)
        else:
            click.echo(render(shown, width=width, colour=has_colours(err=err)), err=err)
        click.echo(err=err)


def has_colours(*, err: bool = False) -> bool:
    """Whether the reader is at a terminal and has not switched colours off."""
    return not os.environ.get("NO_COLOR") and (sys.stderr if err else sys.stdout).isatty()
