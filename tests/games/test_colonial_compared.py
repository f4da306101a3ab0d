"""The shipped Colonial and its model in step: who decides, all options, the whole position, the end.

Independent of the rules. Matches begin as printed, or with a map full of markers, where rare situations are
frequent. A
few are played here, thousands in `make deep`.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from rulewright.interpreter.engines.engines import EngineName
from rulewright.interpreter.matches.game import Game, Variant
from tests.games.variants import game_named
from tests.oracles.colonial.comparing import SETTINGS, Difference, compare
from tests.oracles.colonial.tables import tables

TURNS = ("8", "0")
"""With and without the limit of turns."""
MANY = 160
"""Seeds of a setting in `make deep`: with both limits and both beginnings 640 games."""


def variant(players: int, kind: str, turns: str) -> Variant:
    return game_named("colonial").variant(players, {"variant": kind, "turn_limit": turns})


def assert_same(
    game: Game,
    chosen: Variant,
    seeds: Iterable[int],
    longest: int,
    rich: bool,
    engine: EngineName = "python",
) -> None:
    for seed in seeds:
        found = compare(game, chosen, tables(), seed, engine, longest, rich)
        assert not isinstance(found, Difference), str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "kind"),
    [
        pytest.param(*one, marks=() if one in ((2, "nations"), (6, "base")) else pytest.mark.deep)
        for one in SETTINGS
    ],
)
def test_game_and_model_are_the_same(players: int, kind: str) -> None:
    game, chosen = game_named("colonial"), variant(players, kind, "8")
    assert_same(game, chosen, [players], 300, rich=False)
    assert_same(game, chosen, range(3), 120, rich=True)


@pytest.mark.deep
@pytest.mark.parametrize("rich", [False, True])
@pytest.mark.parametrize("turns", TURNS)
@pytest.mark.parametrize(("players", "kind"), SETTINGS)
def test_game_and_model_are_the_same_deep(players: int, kind: str, turns: str, rich: bool) -> None:
    game, chosen = game_named("colonial"), variant(players, kind, turns)
    assert_same(game, chosen, range(MANY), 400 if rich else 2000, rich, "native")
