"""Learns the weights of patterns from matches in which the patterns play against themselves.

A player takes the option after which the patterns promise most, and sometimes a random one. After
the match, each position moves towards the result, mixed with the values of the positions after it
(temporal differences). A weight that is always moved in the same direction moves fast, and one that
is moved to and fro moves slowly (temporal coherence).
"""

from __future__ import annotations

from rulewright.dsl.ir import OVER, PLAYER
from rulewright.interpreter.engines.kernels.patterns import find_weights, worth_by_patterns
from rulewright.interpreter.engines.kernels.search import list_offers, write_ending
from rulewright.interpreter.engines.kernels.tree import HERE, SAMPLE, Game, Tree

STRAYING = 10
"""One in `STRAYING` options is taken at random."""
STEPS = 400
"""The maximum number of decisions in a match."""
TRACE = 0.8
"""How much of the result, and of the values of later positions, an earlier position learns."""
RATE = 16.0
"""How fast weights move at first."""


def best_place(game: Game, t: Tree, count: int, place: int) -> int:
    """Return the index of the offered option after which the patterns promise most to its player.

    Of equally good options, the first one from the index `place` on is taken.
    """
    player = t.work[PLAYER]
    best = place
    most = -1.0
    for _ in range(count):
        game.advance(t, t.offers[place])
        if t.work[OVER] != 0:
            write_ending(game, t)
            found = t.result[0]
        else:
            find_weights(t, t.patterns * STEPS)
            found = worth_by_patterns(t, t.patterns * STEPS)
        if player != 0:
            found = 1.0 - found
        if found > most:
            most = found
            best = place
        game.load(t, HERE)
        place += 1
        if place == count:
            place = 0
    return best


def move_weights(t: Tree, first: int, wrong: float) -> None:
    """Move the weights of a position, given how much its value is too low."""
    for place in range(first, first + t.patterns):
        here = t.pattern_here[place]
        rate = RATE
        if t.pattern_moved[here] > 0.0:
            rate = rate * abs(t.pattern_drift[here]) / t.pattern_moved[here]
        t.pattern_weight[here] += rate * wrong / float(t.patterns)
        t.pattern_drift[here] += wrong
        t.pattern_moved[here] += abs(wrong)


def learn_match(game: Game, t: Tree) -> None:
    """Play a match, and learn from it."""
    steps = 0
    game.load(t, SAMPLE)
    while t.work[OVER] == 0 and steps < STEPS:
        count = list_offers(game, t)
        place = 0
        strays = 0
        if count > 1:
            game.save(t, HERE)
            strays = game.below(t, STRAYING) == 0
            place = game.below(t, count)
            if strays == 0:
                place = best_place(game, t, count, place)
        if steps > 0:
            t.strays[steps - 1] = strays
        game.advance(t, t.offers[place])
        if t.work[OVER] == 0:
            find_weights(t, steps * t.patterns)
            steps += 1
    if t.work[OVER] == 0:
        return
    write_ending(game, t)
    target = t.result[0]
    last = steps - 1
    for back in range(steps):
        step = last - back
        worth = worth_by_patterns(t, step * t.patterns)
        if back == 0 or t.strays[step] == 0:
            move_weights(t, step * t.patterns, (target - worth) * worth * (1.0 - worth))
            target = worth + TRACE * (target - worth)
        else:
            target = worth


def learn_patterns(game: Game, t: Tree, matches: int) -> int:
    """Play matches from the sample, and learn from each."""
    for _ in range(matches):
        t.counter_before = t.counter
        t.touched = 0
        learn_match(game, t)
        t.playouts += 1
    return 0
