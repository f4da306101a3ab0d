"""Regret minimisation compared with OpenSpiel's in C++, in one run: milliseconds of wall-clock time per round, in
turns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

import pyspiel

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.solvers.equilibrium import equilibrium

GAMES = ("kuhn_poker", "leduc_poker")
TURNS = 5


def solvers(seconds: float) -> list[dict[str, object]]:
    """For each game, the milliseconds of our round and of theirs, and the ratio of theirs to ours."""
    rows: list[dict[str, object]] = []
    for name in GAMES:
        game = load_game(name)
        ours = equilibrium(game.compiled(game.variant()), "cfr", "points")
        ours.improve(1)  # native code is made
        theirs = pyspiel.CFRSolver(pyspiel.load_game(name))
        mine, other = [], []
        for _ in range(TURNS):
            mine.append(_each(partial(ours.improve, 10), seconds / TURNS / 4) / 10)
            other.append(_each(theirs.evaluate_and_update_policy, seconds / TURNS / 4))
        rows.append(
            {
                "game": name,
                "positions": ours.tree.nodes,
                "information_sets": ours.tree.sets,
                "milliseconds": round(1000 * median(mine), 4),
                "openspiel": round(1000 * median(other), 4),
                "ratio": round(median(other) / median(mine), 1),
            }
        )
    return rows


def _each(work: Callable[[], object], seconds: float) -> float:
    begun, done = perf_counter(), 0
    while not done or perf_counter() < begun + seconds:
        work()
        done += 1
    return (perf_counter() - begun) / done
