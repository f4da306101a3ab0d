"""Find the game of a file, which may be its rules, a part of its rules, a table, its clauses or its
scenarios.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.folders import is_whole
from rulewright.dsl.scenarios.scenario_loading import game_of, scenario_files
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.matches.library import shipped_games

GAME = ".game"
FARTHEST = 3  # the number of folders from a file upwards, including its own
MOST_GAMES = 60  # the maximum number of games of a folder that are searched


def game_of_file(path: Path, files: Files) -> Path | None:
    """Return the game a file belongs to, or None if there is none."""
    if path.suffix == SCENARIOS:
        source = files.read(path, {}, Problems())
        if source is None:
            return None
        return game_of(
            path, files.scenarios(source, parse_scenarios, Problems()), {}, shipped_games
        )
    if path.suffix == GAME and _is_whole(path, files):
        return path
    for game in _games_near(path, files):
        loaded = load(game, files=files)
        rulebook = loaded.facts.rulebook if loaded.facts is not None else None
        if path in loaded.parts or path == rulebook:
            return game
    return path if path.suffix == GAME else None


def scenarios_of(game: Path, files: Files) -> list[Path]:
    """Return the scenario files of a game: the files beside it, and open files that name it."""
    found = dict.fromkeys(scenario_files(game))
    for path in files.given:
        if path.suffix == SCENARIOS and game_of_file(path, files) == game:
            found[path] = None
    return sorted(found)


def _is_whole(path: Path, files: Files) -> bool:
    source = files.read(path, {}, Problems())
    return source is not None and is_whole(source.text)


def _games_near(path: Path, files: Files) -> Iterator[Path]:
    """Yield the games in the folder of a file and above it; in each folder, the game named like the folder
    comes first.
    """
    for folder in [*path.parents][:FARTHEST]:
        games = sorted(folder.glob(f"*{GAME}"), key=lambda game: (game.stem != folder.name, game))
        for game in games[:MOST_GAMES]:
            if game != path and _is_whole(game, files):
                yield game
