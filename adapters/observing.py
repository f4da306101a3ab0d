"""Make the observation of a seat for learners, for all environments: numbers, and the mask of legal actions."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces

from rulewright.adapters.table import Table
from rulewright.interpreter.matches.state import State

Observation: TypeAlias = dict[str, Any]

_LOW, _HIGH = -(2**31), 2**31 - 1
_BOUNDS: dict[str, tuple[int, int, Any]] = {
    "float32": (0, 1, np.float32),
    "uint8": (0, 255, np.uint8),
    "raw": (_LOW, _HIGH, np.int32),
}


def fresh_seed() -> int:
    """Draw a random seed for an environment that was given none.

    The first match has the seed that follows this one.
    """
    return int(np.random.SeedSequence().generate_state(1)[0])


def space_of(table: Table) -> spaces.Dict:
    """Return the shape of observations, which is the same for all seats."""
    low, high, kind = _BOUNDS[table.seen]
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (table.size,), kind),
            "action_mask": spaces.Box(0, 1, (len(table.actions),), np.int8),
        }
    )


def observation_of(table: Table, state: State, seat: int) -> Observation:
    """Return the observation of a seat and the mask of legal actions, which is empty unless it is the
    seat's turn.
    """
    mine = not state.over and state.player == seat
    mask = (
        np.frombuffer(table.actions.mask(state), np.int8).copy()
        if mine
        else np.zeros(len(table.actions), np.int8)
    )
    seen = np.asarray(table.observe(state, seat), dtype=_BOUNDS[table.seen][2])
    return {"observation": seen, "action_mask": mask}


def whole(state: State) -> Any:
    """Return the whole state as numbers, including things hidden from everybody, for critics that see more
    than players.
    """
    return np.asarray(state.cells, dtype=np.int32)


def space_of_whole(table: Table) -> spaces.Box:
    """Return the shape of the whole state."""
    return spaces.Box(_LOW, _HIGH, (table.compiled.program.size,), np.int32)
