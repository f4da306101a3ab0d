"""Implement `rulewright check`, which finds all problems of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.cli.exits import Exit
from rulewright.cli.options import (
    WholeNumber,
    example,
    format_option,
    reach_options,
    read_settings,
    set_option,
    several_players_option,
)
from rulewright.cli.output import show_json, show_problems

MOST_INSIDE = 50_000
MOST_AS_DATA = 1_000
"""The maximum number of files and folders to search inside a folder."""

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.dsl.loading.confinement import Reach
    from rulewright.dsl.loading.files import Files
    from rulewright.dsl.loading.loading import Loaded
    from rulewright.dsl.scenarios.scenario_loading import LoadedScenarios


@click.command(
    short_help="Find all problems of games and scenarios.",
    epilog=example(
        "rulewright check mygame.game mygame.scenario",
        "rulewright check games/*.game --format json",
        "rulewright check mygame.game --watch",
        "rulewright check love_letter --players 3",
    ),
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "--watch", "is_watching", is_flag=True, help="Show the current problems after each save."
)
@click.option(
    "--plays",
    type=WholeNumber(0, 1_000_000),
    default=300,
    show_default=True,
    metavar="N",
    help="How many decisions are played at random in each of two variants; 0 for none.",
)
@click.option(
    "--all", "is_whole", is_flag=True, help="Show each problem in full, even if many are alike."
)
@several_players_option
@set_option
@reach_options
@format_option
def command(
    paths: tuple[str, ...],
    is_watching: bool,
    plays: int,
    is_whole: bool,
    players: tuple[int, ...] | None,
    settings: tuple[str, ...],
    reach: Reach,
    form: str,
) -> int:
    """Find all problems of games and scenarios.

    If there are no problems, the command says so on a terminal, and prints nothing when output is
    redirected. A shipped game can be given by name. Given a folder, the command checks all games and
    scenarios in it, at any depth. All numbers of players and all choices of options are checked. The exit
    code is 1 if there are problems. Files without problems are not checked again until they change.

    A game without errors is then played for a while by random players with a fixed seed. A fault is shown
    with the match that leads to it. With --watch nothing is played.

    With --players and --set only games are checked, with these players and options, up to the first
    combination with errors. Checks that need all combinations, such as the check for unused names, are
    skipped.

    If more than four problems in a file differ only in names and numbers, three are shown in full; for the
    others, only the line numbers are listed. JSON output has at most 1,000 problems per file. If there are
    more, a final entry says how many were left out. With --all each problem is shown in full, also in JSON.

    JSON: {problems: [{code, severity, file, line, column, end_line, end_column, message, text,
    labels: [{file, line, column, end_line, end_column, text}], notes: [...], help}]}; lines and
    columns count from 1, the end is the place after the last character.
    """
    options = read_settings(settings)
    if is_watching:
        if players or options:
            raise click.UsageError("'--watch' checks all variants: remove '--players' and '--set'")
        return _watch(paths, reach, form)
    # lazy import: other commands start without it
    from rulewright.dsl.loading.files import Files

    files = [file for path in paths for file in _files(path, Files())]
    if players or options:
        found = [
            problem
            for file in files
            for problem in _problems_of(file, reach, players or (), options, plays)
        ]
    else:
        found = _problems(files, reach, plays)
    if form == "json":
        # lazy import: other commands start without it
        from rulewright.dsl.diagnostics.capping import cap_problems
        from rulewright.dsl.diagnostics.render import to_json

        shown = found if is_whole else cap_problems(found, MOST_AS_DATA)
        show_json({"problems": [to_json(problem) for problem in shown]})
    else:
        show_problems(found, is_whole=is_whole)
        if found:
            click.echo(_summary(found, is_whole=is_whole))
        elif sys.stdout.isatty():
            click.echo("no problems")
    return Exit.PROBLEMS if found else Exit.FINE


def _watch(paths: tuple[str, ...], reach: Reach, form: str) -> int:
    """Show the current problems after each save, until the user interrupts."""
    # lazy import: other commands start without it
    from rulewright.cli.watching import Watch, watch
    from rulewright.dsl.loading.files import Files

    if form == "json":
        raise click.UsageError("--watch shows problems for people, not as data")
    files = Files()
    watched = Watch(lambda: [file for path in paths for file in _files(path, files)], files, reach)
    return Exit.PROBLEMS if watch(watched) else Exit.FINE


def _files(path: str, files: Files) -> list[str]:
    """Return the game and scenario files in a folder, at any depth; given a file, return its path."""
    # lazy import: other commands start without it
    from rulewright.dsl.text.reading import RULES, SCENARIOS, real_path

    folder = Path(path)
    if not folder.is_dir():
        return [path]
    every = _inside(folder)
    found = [file for file in every if file.suffix == RULES]
    parts = _included_files(found, files)
    games = [file for file in found if not _is_part(file) and real_path(file) not in parts]
    scenarios = [file for file in every if file.suffix == SCENARIOS]
    return [str(file) for file in sorted([*games, *scenarios])] or [path]


def _inside(folder: Path) -> list[Path]:
    """Return the games and scenarios in a folder, at any depth, without hidden files; reject too many files."""
    # lazy import: other commands start without it
    from rulewright.dsl.text.reading import RULES, SCENARIOS

    found: list[Path] = []
    seen = 0
    for place, folders, names in os.walk(folder):
        seen += len(folders) + len(names)
        if seen > MOST_INSIDE:
            message = (
                f"'{folder}' holds more than {MOST_INSIDE:,} files: name the folder of your games"
            )
            raise click.BadParameter(message, param_hint="'PATH...'")
        folders[:] = [name for name in folders if not name.startswith(".")]
        files = (Path(place, name) for name in names if not name.startswith("."))
        found += [file for file in files if file.suffix in (RULES, SCENARIOS) and _is_file(file)]
    return found


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a link to a folder that we have no permission to read
        return False


def _included_files(found: Sequence[Path], files: Files) -> set[Path]:
    """Return the files named in `include` lines of other files."""
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.diagnostics import Problems
    from rulewright.dsl.scenarios.folders import included_in
    from rulewright.dsl.text.reading import real_path

    texts = ((file, files.read(file, {}, Problems())) for file in found)
    return {
        real_path(file.parent / name)
        for file, source in texts
        if source is not None
        for name in included_in(source.text)
    }


def _is_part(file: Path) -> bool:
    """Return whether a file's folder contains a game with the same name as the folder."""
    # lazy import: other commands start without it
    from rulewright.dsl.text.reading import real_path

    whole = file.parent / f"{real_path(file.parent).name}.game"
    return file.name != whole.name and whole.exists()


def _problems(names: list[str], reach: Reach, plays: int) -> list[Diagnostic]:
    """Return the problems of files, in the order of the files; compile a game only once for all its
    scenario files.
    """
    # lazy import: other commands start without it
    from rulewright.cli import verdicts
    from rulewright.interpreter.matches.library import find_game

    files = [find_game(name) for name in names]
    asked = [
        file for file in dict.fromkeys(files) if not verdicts.is_known_fine(file, reach, plays)
    ]
    found: dict[Path, tuple[Diagnostic, ...]] = {}
    for loaded in _load_all(asked, reach) if asked else ():
        problems = loaded.check()
        found[loaded.path] = (*problems, *_faults(loaded, problems, plays))
        if not found[loaded.path]:
            verdicts.remember_fine(loaded.path, reach, loaded.parts, plays)
    # a check of scenarios also finds the problems of their game
    return [*dict.fromkeys(problem for file in files for problem in found.get(file, ()))]


def _problems_of(
    path: str, reach: Reach, players: tuple[int, ...], options: dict[str, str], plays: int
) -> tuple[Diagnostic, ...]:
    # lazy import: other commands start without it
    from rulewright.dsl.loading.loading import load
    from rulewright.dsl.text.reading import SCENARIOS
    from rulewright.interpreter.matches.game import game_of
    from rulewright.interpreter.matches.library import find_game

    file = find_game(path)
    if file.suffix == SCENARIOS:
        return ()
    loaded = load(file, reach=reach)
    if not loaded.problems:
        game = game_of(path, loaded)
        for number in players or (None,):
            game.variant(number, options)  # rejects values that the game does not have
    found = loaded.check_variants(players, options)
    numbers = players or (None,)
    return (*found, *(f for n in numbers for f in _faults(loaded, found, plays, n, options)))


def _faults(
    loaded: Loaded | LoadedScenarios,
    problems: Sequence[Diagnostic],
    plays: int,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
) -> list[Diagnostic]:
    """Play a game without errors at random, and return the faults found."""
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.diagnostics import Severity
    from rulewright.dsl.loading.loading import Loaded
    from rulewright.interpreter.matches.game import game_of
    from rulewright.interpreter.testing.trial_plays import fault_at_random, trial_variants

    if not plays or not isinstance(loaded, Loaded) or loaded.facts is None:
        return []
    if any(problem.severity is Severity.ERROR for problem in problems):
        return []
    game = game_of(str(loaded.path), loaded)
    found = (
        fault_at_random(game, variant, plays) for variant in trial_variants(game, players, options)
    )
    faults = {fault.span: fault for fault in reversed([*found]) if fault is not None}
    return [*faults.values()]


def _load_all(paths: list[Path], reach: Reach) -> Iterator[Loaded | LoadedScenarios]:
    # lazy import: other commands start without it
    from rulewright.dsl.loading.files import Files
    from rulewright.dsl.loading.loading import load
    from rulewright.dsl.model.facts import TypesOnly
    from rulewright.dsl.text.reading import SCENARIOS

    files = Files()
    scenarios = [path for path in paths if path.suffix == SCENARIOS]
    for path in paths:
        if path.suffix != SCENARIOS:
            yield load(path, reach=reach, files=files, known=TypesOnly())
    if scenarios:
        # lazy import: only checks of scenarios need it
        from rulewright.dsl.scenarios.scenario_loading import load_together
        from rulewright.interpreter.matches.library import shipped_games

        yield from load_together(scenarios, reach=reach, files=files, shipped=shipped_games)


def _summary(found: list[Diagnostic], *, is_whole: bool) -> str:
    # lazy import: only a check that found problems needs it
    from rulewright.dsl.diagnostics.folding import Folded, fold

    files = len({problem.span.source.name for problem in found})
    problems = "1 problem" if len(found) == 1 else f"{len(found):,} problems"
    where = "1 file" if files == 1 else f"{files} files"
    is_folded = not is_whole and any(isinstance(shown, Folded) for shown in fold(found))
    all_of_them = "`--all` shows each in full, " if is_folded else ""
    return f"{problems} in {where}; {all_of_them}`rulewright explain {found[0].code}` tells more"
