"""Write a report to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.jobs.exporting import refuse_to_replace

if TYPE_CHECKING:
    from rulewright.cli.jobs.runs import Run


def refuse_to_report(path: Path) -> None:
    """Report at once a problem that would otherwise prevent the file from being written at the end."""
    # lazy import: other commands start without it
    from rulewright.cli.report.svg import refuse_without_a_drawer

    if path.suffix != ".html":
        raise click.BadParameter(f"'{path}' does not end with .html", param_hint="'--report'")
    refuse_without_a_drawer()
    refuse_to_replace(path, "--report")


def write_report(path: Path, runs: Sequence[Run]) -> None:
    """Write the report completely or not at all."""
    # lazy import: other commands start without it
    from rulewright.cli.report.contents import report
    from rulewright.cli.report.rules import reach
    from rulewright.interpreter.matches.atomic_files import write_whole

    write_whole(path, report([(run, reach(run)) for run in runs]))
