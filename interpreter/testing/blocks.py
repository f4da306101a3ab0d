"""Aligns two matches in which a simultaneous block has different numbers of decisions.

Within the block, nobody sees which players still have choices. After the block, the matches can be
compared again.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.instants import after_block


@attrs.frozen
class Block:
    """A block of the first match, from its first state to the state after it.

    `is_left` is true if the second match has left the block.
    """

    begin: int
    until: int
    """The number of the last state of the first match at which both matches were in step."""
    end: int
    is_left: bool


def ends_block(states: Sequence[State], number: int) -> bool:
    """Return whether no block that was running at the previous state is still running at state `number`."""
    if number == 0 or not states[number - 1].is_together:
        return True
    block = states[number].compiled.viewer.block_of(states[number - 1].cells)
    return after_block(states, number, block) is not None


def out_of_step(
    first: Sequence[State], number: int, before: State | None, other: State
) -> Block | None:
    """If the second match has fallen out of step with the first match in a block, return the block, otherwise None.

    `other` is the state of the second match that should correspond to state `number` of the first,
    and `before` is the previous state. Returns None if the matches are in step, or if the first
    match ends in the block.
    """
    one = first[number]
    if (one.is_together, one.player) == (other.is_together, other.player):
        return None
    is_ended, is_left = (
        ends_block(first, number),
        before is None or ends_block((before, other), 1),
    )
    if is_ended and is_left and not (one.is_together and other.is_together):
        return None
    is_new = is_ended and is_left
    begin = number if is_new else number - is_ended
    while not ends_block(first, begin):
        begin -= 1
    end = number if is_ended and not is_new else _end(first, number)
    return None if end is None else Block(begin, number, end, is_left and not is_new)


def _end(states: Sequence[State], number: int) -> int | None:
    """Return the number of the first state after the block that contains a state."""
    return next((n for n in range(number + 1, len(states)) if ends_block(states, n)), None)
