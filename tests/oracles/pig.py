"""Pig: roll as long as you dare, but a 1 loses the turn total. How often does the first player win?

Both players hold at 20, or as soon as they reach the goal. Solved exactly, score by score.
"""

from __future__ import annotations

from functools import cache

GOAL, HOLD = 100, 20


def _turn(score: int) -> dict[int, float]:
    """The points that a turn adds to a score, with their probabilities; 0 after a 1."""
    gained = {0: 0.0}
    chances = {0: 1.0}
    for total in range(HOLD + 6):
        chance = chances.pop(total, 0.0)
        if total >= HOLD or score + total >= GOAL:
            gained[total] = chance
            continue
        gained[0] += chance / 6
        for face in range(2, 7):
            chances[total + face] = chances.get(total + face, 0.0) + chance / 6
    return gained


@cache
def first_wins(mine: int = 0, theirs: int = 0) -> float:
    """The probability that the player to roll wins."""
    turn, answer = _turn(mine), _turn(theirs)
    # if nobody scores, p = a + lost * (1 - q) and q = b + missed * (1 - p)
    lost, missed = turn.pop(0), answer.pop(0)
    a = sum(
        c * (1 if mine + n >= GOAL else 1 - first_wins(theirs, mine + n)) for n, c in turn.items()
    )
    b = sum(
        c * (1 if theirs + n >= GOAL else 1 - first_wins(mine, theirs + n))
        for n, c in answer.items()
    )
    return (a + lost * (1 - b - missed)) / (1 - lost * missed)
