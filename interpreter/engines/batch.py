"""Stores many matches that advance together, step by step, as flat arrays."""

from __future__ import annotations

import os
from array import array
from contextlib import suppress
from itertools import accumulate
from math import prod
from typing import TypeAlias, cast

from attrs import define, field

from rulewright.dsl.ir import Program

_WIDE = 256
"""The maximum number of actions for which a whole row of masks is cleared at once."""
_MARKED = 64
"""If there are more actions, the masks that are 1 are listed, provided that fewer than `_MARKED` are 1."""

BLOCK = 64
"""The number of cells in a block of a state."""

ROOM = 64
"""The initial capacity of the lists of actions, for each match."""

Cells: TypeAlias = "array[int]"


def action_starts(program: Program) -> tuple[int, ...]:
    """Return the number of the first action of each decision, followed by the number of all actions."""
    widths = (
        max((arm.base + prod(size for _, _, size in arm.arguments) for arm in site.arms), default=0)
        for site in program.sites
    )
    return tuple(accumulate(widths, initial=0))


def _zeros(kind: str, count: int) -> array[int]:
    numbers = array(kind)
    numbers.frombytes(bytes(numbers.itemsize * count))
    return numbers


def _memory(size: int) -> memoryview:
    """Allocate `size` zero bytes. Large pages are used if the system has them, because a CPU addresses them faster."""
    import mmap  # noqa: PLC0415  # browsers may not have it, and do not step matches together

    # Forked processes must not share the memory.
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if os.name == "posix" else {}
    whole = mmap.mmap(-1, size, **private)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # the system has no large pages
            whole.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(whole)


def marks_of(actions: int) -> int:
    """Return the number of words for each match in `Slots.marked`."""
    return _MARKED if actions > _WIDE else 0


def blocks_of(program: Program) -> int:
    """Return the number of bytes for each match in `Slots.differing`.

    There is a byte for each block below the stack, rounded up to whole words.
    """
    return -(-program.stack // (8 * BLOCK)) * 8


@define(eq=False)
class Slots:
    """Several matches of a program. Each array contains the numbers of all matches, one match after another.

    When the match in a slot is over, the next step begins a new match there. Its seed is the old
    seed plus the number of slots.
    """

    program: Program
    start: Cells
    """The state at which matches start: their first decision, chance event or end."""
    count: int
    worth: array[float] = field(factory=lambda: array("d"))
    """The reward of each seat for each set of winners. If this table is empty, the rewards are points.

    A set of winners is encoded as a number: the first seat is 1, the second 2, the third 4, and so
    on.
    """
    apart: bool = True
    """Whether the mean of the points is subtracted."""
    jobs: int = 1
    """The number of groups in which the matches make a step, possibly at the same time."""
    has_masks: bool = True
    has_lists: bool = False
    """Whether the numbers of the legal actions are listed."""
    room: int = 0
    """The capacity of the lists of actions, for each match."""
    starts: tuple[int, ...] = field(init=False)
    cells: Cells = field(init=False)
    """The states: a view of memory that is read and written like an array."""
    differing: array[int] = field(init=False)
    """For each block of cells below the stack, 1 if it may differ from the same block of `start`, else 0."""
    seeds: array[int] = field(init=False)
    keys: array[int] = field(init=False)
    """The keys of the generators of chance. The counters say how often each generator was used."""
    counters: array[int] = field(init=False)
    actions: array[int] = field(init=False)
    """The number of the next action of each match."""
    masks: array[int] = field(init=False)
    """For each action, 1 if it is legal, else 0. Without masks, this array is empty."""
    listed: array[int] = field(init=False)
    """For each match, the number of legal actions, then their numbers, in the order of the rules.

    Without lists, this array is empty.
    """
    marked: array[int] = field(init=False)
    """If there are many actions, the number of legal actions and their numbers, or -1 if they are not known."""
    players: array[int] = field(init=False)
    """For each match, the seat whose decision is open, or -1 at the end."""
    over: array[int] = field(init=False)
    """For each match, 1 if it has ended with the last step, else 0."""
    won: array[int] = field(init=False)
    """For each seat, 1 if it has won and the match is over, else 0."""
    totals: array[int] = field(init=False)
    """For each seat, its total points when the match is over."""
    rewards: array[float] = field(init=False)
    """For each seat, its reward when the match is over; otherwise 0."""
    lengths: array[int] = field(init=False)
    """For each match, the number of decisions so far."""
    left: array[int] = field(init=False)
    """For each match, 1 if the engine leaves the step to another engine, else 0."""

    def __attrs_post_init__(self) -> None:
        program, count = self.program, self.count
        self.starts = action_starts(program)
        self.cells = cast("Cells", _memory(4 * count * program.size).cast("i"))
        self.differing = _zeros("b", count * blocks_of(program))
        self.seeds, self.keys, self.counters = (_zeros("Q", count) for _ in range(3))
        self.actions, self.players, self.lengths = (_zeros("i", count) for _ in range(3))
        self.masks = _zeros("b", count * self.starts[-1] * self.has_masks)
        self.marked = _zeros("i", count * marks_of(self.starts[-1]) * self.has_masks)
        self.room = ROOM if self.has_lists else 0
        self.listed = _zeros("i", count * (ROOM + 1) * self.has_lists)
        self.over, self.left = (_zeros("b", count) for _ in range(2))
        self.won = _zeros("b", count * program.seats)
        self.totals = _zeros("q", count * program.seats)
        self.rewards = array("d", bytes(8 * count * program.seats))

    def legal(self, slot: int) -> Cells:
        """Return the numbers of the legal actions of a match, from its list."""
        first = slot * (self.room + 1) + 1
        return self.listed[first : first + self.listed[first - 1]]

    def put_list(self, slot: int, numbers: list[int]) -> None:
        """Write the list of a match. If the list does not fit, the lists of all matches grow."""
        if len(numbers) > self.room:
            old, room = [self.legal(each) for each in range(self.count)], 2 * len(numbers)
            self.room, self.listed = room, _zeros("i", self.count * (room + 1))
            for each, kept in enumerate(old):
                self.put_list(each, kept.tolist())
        first = slot * (self.room + 1)
        self.listed[first : first + len(numbers) + 1] = array("i", (len(numbers), *numbers))

    def state(self, slot: int) -> Cells:
        """Return a copy of the state of a match."""
        size = self.program.size
        return array("i", self.cells[slot * size : (slot + 1) * size].tobytes())
