"""Kernels that replace a Python `Game` in native code: random numbers, playouts, keys of nodes.

The Python versions are in `rulewright.interpreter.bots.host`. `native/game_calls.py` contains the
remaining calls to a game.
"""

from __future__ import annotations

from typing import Protocol

from rulewright.dsl.ir import SP
from rulewright.interpreter.engines.chance import MASK, STEP, WORD
from rulewright.interpreter.engines.kernels.driven import (
    BOT_COUNTER,
    BOT_KEY,
    CHANCE_COUNTER,
    CHANCE_KEY,
    COUNTS,
    LEFT,
    MADE,
    NOTED,
    ROOM,
)
from rulewright.interpreter.engines.kernels.tree import Tree

ONE = 0xBF58476D1CE4E5B9
OTHER = 0x94D049BB133111EB
THIRD = 0x8CB92BA72F3D8DD7
FOURTH = 0xA0761D6478BD642F
MANY = 1099511627776
AWAY = 65536
"""A number that is added to cells before mixing, so that few of them are negative. Mixing in -1
would only change the sign."""


class Played(Protocol):
    """The native code of a game."""

    def play(self, t: Tree, nothing: int) -> int:
        """Continue at random with the parameters in `driven`."""
        ...


def mix_bits(number: int) -> int:
    """Mix the bits of a number, as `chance.mix` does.

    >>> hex(mix_bits(STEP))
    '0xe220a8397b1dcdaf'
    """
    number = ((number ^ (number >> 30)) * ONE) & MASK
    number = ((number ^ (number >> 27)) * OTHER) & MASK
    return number ^ (number >> 31)


def below(t: Tree, bound: int) -> int:
    """Draw a number below a bound, as `chance.draw` does, with the generator of the tree."""
    while True:
        t.counter = (t.counter + 1) & MASK
        number = mix_bits((t.key + t.counter * STEP) & MASK)
        product = (number >> 32) * bound
        low = product & WORD
        if low >= bound or low >= (WORD + 1 - bound) % bound:
            return product >> 32


def begin_playout(t: Tree, seed: int) -> int:
    """Seed the generators of a playout: one for chance, one for the players."""
    start = mix_bits(seed)
    t.driven[CHANCE_KEY] = mix_bits(start)
    t.driven[CHANCE_COUNTER] = 0
    t.driven[BOT_KEY] = mix_bits((start + STEP) & MASK)
    t.driven[BOT_COUNTER] = 0
    t.driven[COUNTS] = 0
    t.driven[ROOM] = MANY
    t.driven[NOTED] = 0
    return 0


def play_on(game: Played, t: Tree, decisions: int) -> int:
    """Continue a playout for at most `decisions` decisions. Return the number of decisions made."""
    t.driven[LEFT] = decisions
    game.play(t, 0)
    t.decisions += t.driven[MADE]
    return t.driven[MADE]


def cells_key(t: Tree) -> int:
    """Return a hash of the working state."""
    first = ONE
    second = OTHER
    third = THIRD
    fourth = FOURTH
    last = t.work[SP]
    place = 0
    while place + 4 <= last:
        first = ((first ^ (t.work[place] + AWAY)) * ONE) & MASK
        second = ((second ^ (t.work[place + 1] + AWAY)) * OTHER) & MASK
        third = ((third ^ (t.work[place + 2] + AWAY)) * ONE) & MASK
        fourth = ((fourth ^ (t.work[place + 3] + AWAY)) * OTHER) & MASK
        place += 4
    while place < last:
        first = ((first ^ (t.work[place] + AWAY)) * FOURTH) & MASK
        place += 1
    found = mix_bits(first)
    found = mix_bits((found ^ second) & MASK)
    found = mix_bits((found + third) & MASK)
    return mix_bits((found ^ fourth) & MASK)
