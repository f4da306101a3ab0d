"""Steps many matches of a game together, with numbers as input and output.

All results are flat arrays. Other libraries can read them without copying, and the arrays are never
replaced.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import attrs

from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.chance import MASK, key_of
from rulewright.interpreter.engines.kernels import choosing
from rulewright.interpreter.knowledge.observers import Encoded, Observer, observer_of, zeros
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.requests import one_of, whole
from rulewright.interpreter.matches.returns import Reward, of_winners, sides_of
from rulewright.interpreter.matches.state import UNKNOWN, State, Terms
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame

Legal: TypeAlias = Literal["masks", "lists", "both"]
"""How legal actions are given: as a mask for each match, as a list for each match, or both."""


@attrs.define(eq=False)
class Vector:
    """Many matches that step together.

    If a match is finished, the next step restarts it and ignores the action given for it. The first
    match in slot n has the seed `seed + n`. Each later match in the slot has the seed of the
    previous match plus the number of slots.
    """

    compiled: CompiledGame
    count: int
    reward: Reward = "wins"
    kept: Legal = "masks"
    actions: Actions = attrs.field(init=False)
    _slots: Slots = attrs.field(init=False)
    _following: int = attrs.field(init=False, default=0)
    """The first seed of the next reset that is not given a seed."""
    _observer: Observer = attrs.field(init=False)

    @classmethod
    def of(
        cls,
        compiled: CompiledGame,
        count: int,
        seed: int = 0,
        reward: Reward = "wins",
        jobs: int = 1,
        legal: Legal = "masks",
    ) -> Vector:
        """Begin `count` matches with consecutive seeds."""
        count = whole(count, "the number of matches", 1, _MOST)
        jobs = whole(jobs, "the number of jobs", 1)
        one_of(reward, get_args(Reward), "a reward")
        one_of(legal, get_args(Legal), "a form of legal actions")
        found = cls(compiled, count, reward, legal)
        found.actions = Actions(compiled)
        found._observer = observer_of(compiled)
        sides = sides_of(compiled)
        worth = _worth(sides) if reward == "wins" else array("d")
        found._slots = Slots(
            compiled.program,
            compiled.begin(),
            count,
            worth,
            len({*sides}) > 1,
            jobs,
            has_masks=legal != "lists",
            has_lists=legal != "masks",
        )
        found.reset(seed)
        return found

    def __len__(self) -> int:
        return self.count

    @property
    def masks(self) -> array[int]:
        """Return, for each match and action, 1 if the action is offered, else 0."""
        if self.kept == "lists":
            raise WrongArgumentError("this vector has lists of legal actions, not masks")
        return self._slots.masks

    def legal(self) -> tuple[array[int], array[int]]:
        """Return the legal actions as two arrays: the offset at which each match's list starts, and
        the concatenated lists of action numbers.

        The last offset is the end of the last list, so there is one more offset than there are
        matches. A finished match has an empty list.
        """
        given, run = self._list_fields(), self._observer.run
        offsets = zeros("q", self.count + 1)
        numbers = zeros("i", run(choosing.total, given, self.count))
        run(choosing.gather, given | {"here": offsets, "offers": numbers}, self.count)
        return offsets, numbers

    def draw(self, seed: int) -> array[int]:
        """Draw a legal action for each match, with equal probabilities. A finished match gets 0."""
        found = zeros("i", self.count)
        key = key_of(whole(seed, "a seed") & MASK)
        given = self._list_fields() | {"watchers": found, "key": key, "counter": 0}
        self._observer.run(choosing.draw_actions, given, self.count)
        return found

    def _list_fields(self) -> dict[str, Any]:
        if self.kept == "masks":
            raise WrongArgumentError('lists of legal actions need `legal="lists"` or `"both"`')
        return {"listed": self._slots.listed, "width": self._slots.room}

    @property
    def players(self) -> array[int]:
        """Return, for each match, the player who decides, or -1 if the match is over."""
        return self._slots.players

    @property
    def over(self) -> array[int]:
        """Return, for each match, 1 if it ended with the last step, else 0."""
        return self._slots.over

    @property
    def won(self) -> array[int]:
        """Return, for each match and seat, 1 if the match is over and the seat has won, else 0."""
        return self._slots.won

    @property
    def totals(self) -> array[int]:
        """Return, for each match and seat, the points of the seat if the match is over."""
        return self._slots.totals

    @property
    def rewards(self) -> array[float]:
        """Return, for each match and seat, the reward of the seat if the match is over."""
        return self._slots.rewards

    @property
    def lengths(self) -> array[int]:
        """Return, for each match, the number of decisions so far."""
        return self._slots.lengths

    @property
    def seeds(self) -> array[int]:
        """Return the seed of each match."""
        return self._slots.seeds

    def reset(self, seed: int | None = None) -> None:
        """Restart all matches. Without a seed, they get seeds that no match of this vector has used."""
        slots, seed = self._slots, whole(self._following if seed is None else seed, "a seed")
        self._following = seed + _APART
        for slot in range(self.count):
            slots.seeds[slot] = (seed + slot) & MASK
        self.compiled.engine.step_all(slots, restart=True)

    def step(self, actions: Sequence[int] | Any) -> None:
        """Do one action in each match. If an action is not offered, raise `ValueError` and change
        nothing.

        An array of 32-bit integers is read without copying.
        """
        mine = self._slots.actions
        given = _as_is(actions)
        if given is None:
            given = memoryview(_numbers(actions)).cast("B")
        if len(given) != mine.itemsize * self.count:
            raise WrongArgumentError(f"{self.count} actions are needed, one for each match")
        memoryview(mine).cast("B")[:] = given
        try:
            self.compiled.engine.step_all(self._slots)
        except ValueError as refused:  # an action is not offered
            raise WrongArgumentError(str(refused)) from None

    def state(self, slot: int) -> State:
        """Return the state of the match in a slot."""
        slots, slot = self._slots, whole(slot, "a match", 0, self.count - 1)
        terms = Terms(self.compiled, slots.keys[slot])
        return State(terms, slots.state(slot), slots.counters[slot], UNKNOWN)

    def observe(self, into: Any = None) -> Any:
        """For each match, return `State.observe` for the player who decides (for the first seat if nobody decides).

        If `into` (an array of 32-bit integers) is given, the observations are written to it.
        """
        return self._observer.observe_all(self._slots.cells, self._watchers(), into)

    def encode(self, dtype: Encoded = "float32", into: Any = None) -> Any:
        """For each match, return `State.encode` for the player who decides (for the first seat if nobody decides).

        If `into` (an array of `dtype`) is given, the encodings are written to it.
        """
        one_of(dtype, get_args(Encoded), "a type of numbers")
        return self._observer.encode_all(self._slots.cells, self._watchers(), dtype, into)

    @property
    def observer(self) -> Observer:
        """Return the observer of the variant. The observer describes the sizes and parts of
        observations and encodings."""
        return self._observer

    def _watchers(self) -> array[int]:
        # Replace all the bytes at once, because a Python loop over the matches would take as long as computing the
        # observations.
        return array("i", self._slots.players.tobytes().replace(_NOBODY, bytes(4)))


def _worth(sides: Sequence[str]) -> array[float]:
    """Return an array with the reward of each seat, for each set of winners."""
    seats = range(len(sides))
    found = array("d")
    for winners in range(2 ** len(sides)):
        found.extend(of_winners(sides, [seat for seat in seats if winners >> seat & 1]))
    return found


def _as_is(actions: Any) -> memoryview | None:
    """Return the bytes of a contiguous array of 32-bit integers, or None for any other argument."""
    try:
        view = memoryview(actions)
    except TypeError:
        return None
    fits = view.format in "il" and view.itemsize == 4 and view.c_contiguous
    return view.cast("B") if fits and view.nbytes else None


def _numbers(actions: Any) -> array[int]:
    """Convert the actions to an array of numbers. Raise an error for a value that is not the number of an action."""
    try:
        plain: Any = memoryview(actions).tolist()
    except TypeError:
        plain = actions
    try:
        return array("i", plain)
    except (TypeError, OverflowError):
        raise WrongArgumentError("actions are whole numbers, one for each match") from None


_MOST = 2**31 - 1
_NOBODY = b"\xff" * 4
"""The bytes of -1, which stands for no player."""
_APART = 2**40
"""The difference between the first seeds of two resets that are not given a seed."""
