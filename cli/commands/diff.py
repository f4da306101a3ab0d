"""Implement `rulewright diff`, which lists how two versions of a game differ, and the effect on scenarios
and records.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import example, format_option, load, outside_option
from rulewright.cli.output import show_json, show_problems

if TYPE_CHECKING:
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.dsl.loading.loading import Loaded
    from rulewright.interpreter.matches.game import Game
    from rulewright.interpreter.testing.affected import Affected


@click.command(
    short_help="List the rules in which two versions differ.",
    epilog=example(
        "rulewright diff last_week/mygame.game mygame.game",
        "rulewright diff old.game new.game --records evening.play --format json",
    ),
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--records",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also play these records by the new rules; may be repeated.",
)
@click.option("--rules-only", is_flag=True, help="Run no scenarios.")
@outside_option
@format_option
def command(
    old: str,
    new: str,
    records: tuple[Path, ...],
    rules_only: bool,
    allow_outside: bool,
    form: str,
) -> int:
    """List the differences between two versions of a game: changed rules, not changed lines.

    The list has additions, removals and changes: rules with the clauses they cite, rows and cells of
    tables, options, zones, ranges, clauses. Layout, comments and moves between files make no difference.
    Then come the scenarios beside OLD that pass by the old rules and fail by the new ones, and the records
    that continue differently. Each has its first line or decision that differs. The exit code is 1 if the
    versions differ.

    JSON: {changes: [{what, name, how, file, line, details: [...], added: [...], gone: [...], cells:
    [{row, column, old, new}], clauses: [...]}], clauses: [...], scenarios: [{name, file, line,
    reason}], records: [{name, file, decision, reason}]}.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.changes import changes_data, changes_text
    from rulewright.dsl.loading.changes import changes
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.matches.library import find_game
    from rulewright.interpreter.testing.affected import scenarios_affected

    paths = find_game(old), find_game(new)
    reach = Reach(allow_outside=allow_outside)
    before, after = _load_version(paths[0], reach), _load_version(paths[1], reach)
    if before is None or after is None:
        return Exit.PROBLEMS
    found = changes(before, after)
    differs = bool(found)
    scenarios = [] if rules_only or not differs else [*scenarios_affected(*paths, reach=reach)]
    played = [each for path in records for each in _affected_records(path, load(new, reach))]
    if form == "json":
        show_json(changes_data(found, scenarios, played))
    else:
        click.echo(changes_text(found, scenarios, played), nl=False)
    return Exit.PROBLEMS if differs or scenarios or played else Exit.FINE


def _load_version(path: Path, reach: Reach) -> Loaded | None:
    """Load a version of a game; if its lines cannot be read, show its problems and return None."""
    # lazy import: other commands start without it
    from rulewright.dsl.loading.loading import load as read_rules

    loaded = read_rules(path, reach=reach)
    if loaded.facts is not None:
        return loaded
    show_problems(loaded.problems, err=True)
    return None


def _affected_records(path: Path, new: Game) -> list[Affected]:
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import load_records
    from rulewright.interpreter.testing.affected import records_affected

    return [*records_affected(path, load_records(path), new)]
