"""Makes games that begin at the final position of a scenario or of a common beginning.

This module does not play these games.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.interpreter.matches.game import Game, Position, Variant, game_of
from rulewright.interpreter.matches.library import find_game, shipped_games
from rulewright.interpreter.testing.scenarios import position_after
from rulewright.interpreter.text.errors import BrokenGameError, WrongVariantError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds

PREFIX = f"{SCENARIOS}:"


@refuses_wrong_kinds
def load_position(
    name: str, *, tables: str | Path | None = None, allow_outside: bool = False
) -> Game:
    """Return the game whose matches begin where a scenario ends. `name` is `FILE.scenario:WORDS`."""
    file, _, text = name.partition(PREFIX)
    path = find_game(f"{file}{SCENARIOS}")
    reach = Reach(None if tables is None else Path(tables), allow_outside)
    loaded = load_scenarios(path, reach=reach, shipped=shipped_games, only=text)
    errors = tuple(one for one in loaded.problems if one.severity is Severity.ERROR)
    if loaded.game is None or loaded.game.facts is None or not loaded.programs:
        raise BrokenGameError(name, errors)
    (program,) = loaded.programs
    (scene,) = program.scenes
    of_game = loaded.game.problems_of(program.program.players, dict(program.options))
    if any(one.severity is Severity.ERROR for one in of_game):
        raise BrokenGameError(name, of_game)
    cells = position_after(program, scene)
    if isinstance(cells, str):
        raise WrongVariantError(f"cannot start from `{text}`: {cells}")
    variant = Variant(program.program.players, program.options)
    return attrs.evolve(
        game_of(name, loaded.game), position=Position(variant, program.program, cells)
    )
