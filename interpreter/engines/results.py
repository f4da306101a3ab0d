"""Stores the results of many playouts as flat arrays, with only a few numbers for each playout."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from attrs import define, field

from rulewright.dsl.ir import Program
from rulewright.interpreter.text.errors import WrongArgumentError

NOT_OVER = -1
"""The entry in `ends` for an abandoned match."""


def _of(kind: str) -> array[int]:
    return array(kind)


@define
class Results:
    """The results of many playouts as flat arrays, in which the numbers of one playout are adjacent.

    Of an abandoned playout, only the length is stored: it is not over, and has neither winners nor
    points.
    """

    seats: int
    items: tuple[str, ...]
    """The items of the score."""
    engine: str = field(default="", eq=False)
    """The name of the engine that played."""
    over: array[int] = field(factory=lambda: _of("b"))
    """For each playout, 1 if it has ended, else 0."""
    lengths: array[int] = field(factory=lambda: _of("i"))
    """For each playout, the number of decisions."""
    won: array[int] = field(factory=lambda: _of("b"))
    """For each playout and seat, 1 if the seat has won, else 0."""
    totals: array[int] = field(factory=lambda: _of("q"))
    """For each playout and seat, the total points of the seat."""
    points: array[int] = field(factory=lambda: _of("q"))
    """For each playout, seat and item, the points."""
    ends: array[int] = field(factory=lambda: _of("i"))
    """For each playout, the reason for its end: an index of `stacks`, or -1."""
    stacks: list[tuple[int, ...]] = field(factory=list)
    """The points in the rules at which playouts ended: the blocks on the stack, innermost first."""
    options: dict[int, int] = field(factory=dict)
    """For each number of options, the number of decisions with that many options, in playouts that have ended."""

    @classmethod
    def of(cls, program: Program, plays: int = 0) -> Results:
        """Return empty results for `plays` playouts."""
        seats, items = program.seats, tuple(item.text for item in program.score)
        found = cls(seats, items)
        for numbers, each in found._columns():
            numbers.frombytes(bytes(numbers.itemsize * each * plays))
        return found

    def __len__(self) -> int:
        return len(self.over)

    def _columns(self) -> tuple[tuple[array[int], int], ...]:
        """Return the arrays, each with the number of its items for one playout."""
        seats = self.seats
        return (
            (self.over, 1),
            (self.lengths, 1),
            (self.won, seats),
            (self.totals, seats),
            (self.points, seats * len(self.items)),
            (self.ends, 1),
        )

    def put(
        self,
        play: int,
        length: int,
        winners: Sequence[int],
        points: Sequence[int],
        stack: tuple[int, ...],
    ) -> None:
        """Store the result of a playout that is over. `points` begins with the items of the first seat."""
        items = len(self.items)
        self.over[play], self.lengths[play] = 1, length
        for seat in winners:
            self.won[play * self.seats + seat] = 1
        for seat in range(self.seats):
            mine = points[seat * items : (seat + 1) * items]
            self.totals[play * self.seats + seat] = sum(mine)
        first = play * self.seats * items
        self.points[first : first + len(points)] = array("q", points)
        self.ends[play] = self.number_of(stack)

    def put_unfinished(self, play: int, length: int) -> None:
        """Store an abandoned playout."""
        self.lengths[play], self.ends[play] = length, NOT_OVER

    def number_of(self, stack: tuple[int, ...]) -> int:
        """Return the index of a stack in `stacks`. A new stack is added."""
        if stack not in self.stacks:
            self.stacks.append(stack)
        return self.stacks.index(stack)

    def add_options(self, options: dict[int, int]) -> None:
        """Add counts of decisions, keyed by their number of options."""
        for count, times in options.items():
            self.options[count] = self.options.get(count, 0) + times

    def extend(self, more: Results) -> None:
        """Append the playouts of other results."""
        numbers = [self.number_of(stack) for stack in more.stacks]
        if numbers == [*range(len(numbers))]:
            ends = more.ends
        else:
            ends = array("i", (end if end < 0 else numbers[end] for end in more.ends))
        for (mine, _), (theirs, _) in zip(self._columns(), more._columns(), strict=True):
            mine.extend(ends if theirs is more.ends else theirs)
        self.add_options(more.options)

    @property
    def unfinished(self) -> int:
        """Return the number of abandoned playouts."""
        return len(self) - sum(self.over)

    def wins(self, seat: int) -> int:
        """Count the playouts that a seat has won, alone or with others."""
        if seat not in range(self.seats):
            raise WrongArgumentError(f"a seat is 0 to {self.seats - 1}, not {seat!r:.40}")
        return sum(self.won[seat :: self.seats])
