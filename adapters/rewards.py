"""Compute rewards in environments: the value of the end, points at each step, or the user's own function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from rulewright.adapters.table import Table
from rulewright.interpreter.matches.returns import Reward, of_points, sides_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import WrongArgumentError

RewardFunction: TypeAlias = "Callable[[State, State, int], float]"
"""A function that returns the reward of a seat for the change from one state to another.

Between the two states, other players may have decided.
"""
Rewards: TypeAlias = 'Reward | Literal["points each step"] | RewardFunction'
"""The rewards `wins` and `points` come at the end. `points each step` is the change of `points`, and adds
up to nearly the same.
"""


def measure_of(rewards: Rewards) -> Reward:
    """Return the measure of a final result on which these rewards are based."""
    return "points" if rewards in ("points", "points each step") else "wins"


def reward_of(rewards: Rewards, table: Table) -> RewardFunction:
    """Return the function that computes these rewards."""
    if rewards == "points each step":
        return _points_each_step
    if rewards in ("wins", "points"):
        return lambda before, after, seat: table.returns(after)[seat]
    if not callable(rewards):
        wanted = "`wins`, `points`, `points each step` or a function"
        raise WrongArgumentError(f"a reward is {wanted}, not {rewards!r:.40}")
    return rewards


def lead(state: State, seat: int) -> float:
    """Return the difference between a seat's points and the mean of all seats."""
    return of_points(sides_of(state.compiled), state.scores.totals)[seat]


def _points_each_step(before: State, after: State, seat: int) -> float:
    return lead(after, seat) - lead(before, seat)
