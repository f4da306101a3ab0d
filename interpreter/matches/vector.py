"""Many plays of a game that take their steps together: numbers in, numbers out.

Everything is in flat arrays that other libraries read without a copy, and that stay the same ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import attrs

from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.chance import MASK
from rulewright.interpreter.knowledge.observation import Observer, observer_of
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.returns import Reward, of_winners, sides_of
from rulewright.interpreter.matches.state import UNKNOWN, State, Terms
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.define(eq=False)
class Vector:
    """So many plays; `step` lets each of them do an action.

    A play that is over begins anew with the next step, whatever it is told to do. The first play of slot n has the
    seed `seed + n`, and each seed of a slot is greater than the one before by the number of slots.
    """

    compiled: CompiledGame
    count: int
    reward: Reward = "wins"
    actions: Actions = attrs.field(init=False)
    _slots: Slots = attrs.field(init=False)

    @classmethod
    def of(
        cls,
        compiled: CompiledGame,
        count: int,
        seed: int = 0,
        reward: Reward = "wins",
        jobs: int = 1,
    ) -> Vector:
        """So many plays that are about to begin with these seeds."""
        for what, number in (("play", count), ("job", jobs)):
            if number < 1:
                raise ValueError(f"a vector has one {what} or more, not {number}")
        found = cls(compiled, count, reward)
        found.actions = Actions(compiled)
        sides = sides_of(compiled)
        worth = _worth(sides) if reward == "wins" else array("d")
        found._slots = Slots(
            compiled.program, compiled.begin(), count, worth, len({*sides}) > 1, jobs
        )
        found.reset(seed)
        return found

    def __len__(self) -> int:
        return self.count

    @property
    def masks(self) -> array[int]:
        """For each action of a play 1 where it can be done now, else 0."""
        return self._slots.masks

    @property
    def players(self) -> array[int]:
        """Whose decision is open in a play; -1 where it is over."""
        return self._slots.players

    @property
    def over(self) -> array[int]:
        """1 where a play is over; all of these came to their end with the last step."""
        return self._slots.over

    @property
    def won(self) -> array[int]:
        """For each seat of a play that is over 1 where it has won; otherwise 0."""
        return self._slots.won

    @property
    def totals(self) -> array[int]:
        """For each seat of a play that is over all its points; otherwise 0."""
        return self._slots.totals

    @property
    def rewards(self) -> array[float]:
        """For each seat of a play that is over what it has been worth; otherwise 0."""
        return self._slots.rewards

    @property
    def lengths(self) -> array[int]:
        """How many decisions there were so far in a play."""
        return self._slots.lengths

    @property
    def seeds(self) -> array[int]:
        """The seed of each play."""
        return self._slots.seeds

    def reset(self, seed: int = 0) -> None:
        """Begin all plays anew."""
        slots = self._slots
        for slot in range(self.count):
            slots.seeds[slot] = (seed + slot) & MASK
        self.compiled.engine.step_all(slots, anew=True)

    def step(self, actions: Sequence[int] | Any) -> None:
        """Let each play do the action of a number; where one of them cannot, nothing is done.

        An array of numbers of 32 bits is read as it is, from others numbers are taken one by one."""
        mine = self._slots.actions
        given = _as_is(actions)
        if given is None:
            given = memoryview(array("i", _plain(actions))).cast("B")
        if len(given) != mine.itemsize * self.count:
            raise ValueError(f"{self.count} actions are wanted, one a play")
        memoryview(mine).cast("B")[:] = given
        self.compiled.engine.step_all(self._slots)

    def state(self, slot: int) -> State:
        """The state of a play."""
        slots = self._slots
        terms = Terms(self.compiled, slots.keys[slot])
        return State(terms, slots.state(slot), slots.counters[slot], UNKNOWN)

    def observe(self) -> array[int]:
        """What whoever decides may know, play by play (where nobody does, the first seat), as `State.observe`."""
        observer: Observer = observer_of(self.compiled)
        found = array("i")
        for slot, player in enumerate(self._slots.players):
            found.extend(observer.observe(self._slots.state(slot), max(player, 0)))
        return found


def _worth(sides: Sequence[str]) -> array[float]:
    """What an end is worth to each seat, for each set of winners."""
    seats = range(len(sides))
    found = array("d")
    for winners in range(2 ** len(sides)):
        found.extend(of_winners(sides, [seat for seat in seats if winners >> seat & 1]))
    return found


def _as_is(actions: Any) -> memoryview | None:
    """The bytes of numbers of 32 bits that lie side by side."""
    try:
        view = memoryview(actions)
    except TypeError:
        return None
    fits = view.format in "il" and view.itemsize == 4 and view.c_contiguous
    return view.cast("B") if fits and view.nbytes else None


def _plain(actions: Any) -> Any:
    """The same numbers, as those of Python where they are told all at once."""
    try:
        return memoryview(actions).tolist()
    except TypeError:
        return actions
