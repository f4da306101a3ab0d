"""Implement `rulewright test`, which runs scenarios."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    engine_name,
    engine_option,
    example,
    format_option,
    reach_options,
)
from rulewright.cli.output import show_json, show_problems

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.interpreter.testing.scenarios import Result


@click.command(
    short_help="Run the scenarios of games.",
    epilog=example("rulewright test mygame.scenario", "rulewright test games --format json"),
)
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@click.option(
    "--only", metavar="WORDS", help="Only scenarios with these words in their names, or this tag."
)
@engine_option
@reach_options
@format_option
def command(paths: tuple[str, ...], only: str | None, engine: str, reach: Reach, form: str) -> int:
    """Run the scenarios of games: positions and choices must have the expected results.

    PATH is a scenario file, a game with scenarios beside it, or a folder with such files at any depth; without
    PATH it is the current folder. The exit code is 1 if a scenario fails or cannot be read. `rulewright check`
    also ends with 1 for a mere warning.

    JSON: {passed, failed, scenarios: [{file, line, name, clauses, passed, failure: {line, step,
    expected, found: [...], steps: [...]} or null}], problems: [...] as in `rulewright check`}.
    """
    # lazy import: other commands start without it
    from rulewright.cli.formats.scenarios import results_data, results_text
    from rulewright.dsl.scenarios.scenario_loading import load_together
    from rulewright.interpreter.matches.library import shipped_games
    from rulewright.interpreter.testing.scenarios import Runner

    problems: list[Diagnostic] = []
    results: list[Result] = []
    unread, failed = 0, False
    for _, beside in groupby(_files(paths), key=lambda path: path.parent):
        runner = Runner(engine_name(engine))
        for loaded in load_together([*beside], reach=reach, shipped=shipped_games):
            problems.extend(loaded.problems)
            unread += loaded.unread
            failed |= loaded.has_errors
            ran: list[Result] = []
            for program in loaded.programs:
                scenes = tuple(
                    scene for scene in program.scenes if _is_wanted(scene.text, scene.clauses, only)
                )
                ran.extend(runner.run(program.of(scenes)))
            results.extend(sorted(ran, key=lambda result: result.scene.span))
    if only is not None and not results and not failed:
        raise click.UsageError(f"no scenario has `{only}` in its name, and none has it as a tag")
    if form == "json":
        show_json(results_data(results, problems))
    else:
        show_problems(problems)
        click.echo(results_text(results, unread), nl=False)
    failed |= any(not result.passed for result in results)
    return Exit.PROBLEMS if failed else Exit.FINE


def _is_wanted(text: str, clauses: tuple[str, ...], only: str | None) -> bool:
    return only is None or only.casefold() in text.casefold() or only in clauses


def _files(paths: tuple[str, ...]) -> list[Path]:
    # lazy import: other commands start without it
    from rulewright.dsl.scenarios.scenario_loading import scenario_files
    from rulewright.dsl.text.reading import SCENARIOS
    from rulewright.interpreter.matches.library import find_game

    found: dict[Path, None] = {}
    for word in paths or (".",):
        path = Path(word)
        if path.is_dir():
            inside = sorted(
                each for each in path.rglob(f"*{SCENARIOS}")
                if not any(part.startswith(".") for part in each.relative_to(path).parts)
            )  # fmt: skip
            if not inside:
                raise click.UsageError(f"there are no scenarios (*{SCENARIOS}) in `{word}`")
            found.update(dict.fromkeys(inside))
        elif path.suffix == SCENARIOS:
            found[find_game(word)] = None
        else:
            beside = scenario_files(find_game(word))
            if not beside:
                raise click.UsageError(f"there are no scenarios beside the game `{word}`")
            found.update(dict.fromkeys(beside))
    return list(found)
