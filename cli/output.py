"""Write results: data as JSON, which goes only to standard output, and problems for people."""

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
    """Show problems to people, one below the other; if many are similar, show only the first of them unless
    `is_whole`.
    """
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
    """Return whether the output goes to a terminal and colours are not switched off."""
    return not os.environ.get("NO_COLOR") and (sys.stderr if err else sys.stdout).isatty()
