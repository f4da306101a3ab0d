"""Finds out whether a player learns a secret, by comparing two matches as the player sees them.

If two matches differ only in hidden things, they must look the same to a player until the rules
have disclosed something different. This module does not make matches (see
`rulewright.interpreter.testing.pairs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

import attrs

from rulewright.interpreter.matches.events import chosen_text
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.blocks import Block, ends_block, out_of_step
from rulewright.interpreter.testing.disclosures import (
    Openly,
    comes_of_pieces,
    have_shown_differently,
    only_hidden,
    without_copies,
)
from rulewright.interpreter.testing.instants import Instant, first_hidden, show_other_sizes
from rulewright.interpreter.testing.observations import (
    Leak,
    Watch,
    difference,
    of_question,
)

GoOn: TypeAlias = "Callable[[State, int], Iterator[State]]"
"""A function that returns states from a given number onwards.

The given state replaces the state with this number, and play continues as in the second match.
"""


@attrs.frozen
class Compared:
    """The result of comparing two matches: a leak with the second match up to it, or the state from
    which they may differ.

    `disclosed_at` is the number of the state at which the rules have disclosed something different.
    """

    leak: Leak | None = None
    second: tuple[State, ...] = ()
    disclosed_at: int | None = None


def compare(
    first: Sequence[State],
    second: Iterable[State],
    start: int,
    watch: Watch,
    openly: Openly,
    go_on: GoOn | None = None,
) -> Compared:
    """Compare two matches that are the same before state number `start`. `second` contains the
    states of the second match, starting there."""
    return _Comparison(first, iter(second), start, watch, openly, go_on).result()


@attrs.define
class _Comparison:
    first: Sequence[State]
    coming: Iterator[State]
    start: int
    watch: Watch
    openly: Openly
    go_on: GoOn | None
    seconds: list[State] = attrs.field(factory=list)
    is_hidden: bool = False
    """Whether the matches differ only in hidden things, so that they must look the same to the player."""
    since: int = 0
    """The number of the state from which `is_hidden` is true."""
    in_secret: bool = False
    skipped: int = 0
    """The number of states left out at the beginning of `first`, because a block had different numbers of decisions."""
    past: tuple[State, ...] = ()
    """The states left out at the beginning of `seconds`."""
    is_apart: bool = False
    within: Instant | None = None
    """The moment, within the step where the matches diverge, from which only hidden things differ."""

    def result(self) -> Compared:
        self.seconds = list(self.first[: self.start])
        for state in self.coming:
            self.seconds.append(state)
            number = len(self.seconds) - 1
            if number >= len(self.first):
                return Compared()
            found = self._at(number)
            if found is not None:
                return found
        return Compared()

    def _compare_after_block(self, block: Block) -> Compared | None:
        """Return the result at the first state after a block in which the matches are out of step."""
        first, seconds = self.first, self.seconds
        number = block.until
        is_new = block.begin == number
        found = (
            self._compare_views(number) if is_new else None
        )  # other players may see the steps before the block
        if found is not None:
            return found
        while not block.is_left and (
            len(seconds) == number + 1 or not ends_block(seconds, len(seconds) - 1)
        ):
            state = next(self.coming, None)
            if state is None:
                return Compared()
            seconds.append(state)
        steps = [(first, at) for at in range(number, block.end)]
        steps += [(seconds, at) for at in range(number, len(seconds) - 1)]
        if any(
            not self.openly.is_silent(states, at) for states, at in steps
        ) or have_shown_differently(
            first, seconds, (self.start, number - (not is_new)), self.watch.player, self.openly
        ):
            return Compared()
        self.skipped += block.end - 1
        self.past += tuple(seconds[:-2])
        self.first, self.seconds = first[block.end - 1 :], seconds[-2:]
        self.start = self.since = 1
        self.is_apart, self.is_hidden, self.in_secret = True, False, False
        again = out_of_step(self.first, 1, *self.seconds)
        return self._compare_views(1) if again is None else self._compare_after_block(again)

    def _at(self, number: int) -> Compared | None:
        """Compare one state. Return the result, or None to continue with the next state."""
        first, seconds, watch = self.first, self.seconds, self.watch
        one, other = first[number], seconds[number]
        if number == self.start:
            self.is_hidden = comes_of_pieces(one, other, number, watch.player)
            self.in_secret = number > 0 and first[number - 1].is_together
            self.since = number
        elif self._is_chosen_differently(number):
            if not self._others_choose_together(number) and self._is_seen_differently(number):
                asked = of_question(first, seconds, number, watch) if self.is_hidden else None
                return self._judge(asked, number, number - 1)
            self.is_hidden = False
        in_block = number > 0 and first[number - 1].is_together and seconds[number - 1].is_together
        is_other = one.is_together and one.player != other.player
        block = out_of_step(first, number, seconds[number - 1] if number else None, other)
        if block is not None:
            return self._compare_after_block(block)
        if in_block and (one.is_together != other.is_together or is_other):
            return Compared()  # the first match ends in the block
        self.is_apart = in_block and (self.is_apart or self._is_chosen_differently(number))
        self.in_secret = self.in_secret and one.is_together and other.is_together
        return self._compare_views(number)

    def _compare_views(self, number: int) -> Compared | None:
        """Compare what the player sees of a state. Return the result, or None to continue with the next state."""
        first, seconds, watch = self.first, self.seconds, self.watch
        one, other = first[number], seconds[number]
        leak = difference(first, seconds, number, watch, is_apart=self.is_apart)
        is_now_hidden = not self.is_hidden and only_hidden(one, other, watch.player)
        if number == self.start and not self.is_hidden and (leak or not is_now_hidden):
            self.within = first_hidden(first, seconds, number, watch.player)
            self.is_hidden = self.within is not None
        if leak is not None and self.is_apart and show_other_sizes(first, seconds, number):
            return Compared(disclosed_at=number + self.skipped)
        if leak is not None:
            return self._judge(leak, number, number)
        if watch.view(one) != watch.view(other):
            return Compared(
                disclosed_at=number + self.skipped
            )  # the place of a named piece, or simultaneous choices, differ
        if not self.is_hidden and is_now_hidden:
            self.is_hidden = True
            self.since = number
            self.within = None
        return None

    def _judge(self, leak: Leak | None, number: int, until: int) -> Compared:
        """Decide whether a difference is a leak."""
        if leak is None or not (self.is_hidden or self.in_secret):
            return Compared(disclosed_at=number + self.skipped)
        # If the pending decisions differ, the next step may disclose the reason.
        is_other = _site(self.first[number]) != _site(self.seconds[number])
        ahead = number == until and is_other
        seconds = [*self.seconds, *islice(self.coming, 1)] if ahead else self.seconds
        steps = self.start, until + ahead
        if have_shown_differently(self.first, seconds, steps, self.watch.player, self.openly):
            return Compared(disclosed_at=number + self.skipped)
        if self._comes_of_copies(number):
            return Compared(disclosed_at=number + self.skipped)
        leak = attrs.evolve(leak, state=leak.state + self.skipped)
        return Compared(leak, (*self.past, *self.seconds))

    def _comes_of_copies(self, number: int) -> bool:
        """Return whether the difference is caused by local values of running rules.

        An example is a die roll that all players see.
        """
        if self.go_on is None or (self.within is None and self.since >= number):
            return False
        one, other = self.first[self.since], self.seconds[self.since]
        before = (one.cells, other.cells) if self.within is None else self.within.cells
        cells = without_copies(one.compiled, *before)
        if cells is None:
            return False
        state = (
            other.with_cells(cells)
            if self.within is None
            else self.within.finish_step(self.seconds, self.since)
        )
        states = [*self.seconds[: self.since]]
        for found in islice(self.go_on(state, self.since + self.skipped), number - self.since + 1):
            states.append(found)
            at = len(states) - 1
            if at == self.since and self.within is None:
                continue
            if difference(self.first, states, at, self.watch) is not None:
                return False
        return True

    def _is_chosen_differently(self, number: int) -> bool:
        before, also = self.first[number - 1], self.seconds[number - 1]
        return (self.first[number].choice, before.decision.number) != (
            self.seconds[number].choice,
            also.decision.number,
        )

    def _others_choose_together(self, number: int) -> bool:
        """Return whether different players choose at the same time, so that nobody sees who still
        has choices to make."""
        before, also = self.first[number - 1], self.seconds[number - 1]
        return before.player != also.player and before.is_together and also.is_together

    def _is_seen_differently(self, number: int) -> bool:
        """Return whether the player sees that other players have chosen differently."""
        before, also = self.first[number - 1], self.seconds[number - 1]
        player = self.watch.player
        return chosen_text(before, self.first[number], player) != chosen_text(
            also, self.seconds[number], player
        )


def _site(state: State) -> int:
    return -1 if state.over else state.decision.number
