"""How many plays ended, as flat arrays: nothing is kept of a play but a few numbers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from attrs import define, field

from rulewright.dsl.ir import Program

NOT_OVER = -1
"""The end of a play that was given up."""


def _of(kind: str) -> array[int]:
    return array(kind)


@define
class Results:
    """The ends of plays, one behind the other; arrays with several numbers a play have them side by side.

    A play that was given up has only a length: it is not over, nobody has won, and all points are 0.
    """

    seats: int
    items: tuple[str, ...]
    """The items of the score."""
    engine: str = field(default="", eq=False)
    """What has played."""
    over: array[int] = field(factory=lambda: _of("b"))
    """1 where the play has come to its end."""
    lengths: array[int] = field(factory=lambda: _of("i"))
    """How many decisions there were."""
    won: array[int] = field(factory=lambda: _of("b"))
    """For each seat of a play 1 where it has won."""
    totals: array[int] = field(factory=lambda: _of("q"))
    """For each seat of a play all its points."""
    points: array[int] = field(factory=lambda: _of("q"))
    """For each seat of a play, and for each item, the points."""
    ends: array[int] = field(factory=lambda: _of("i"))
    """Why it ended: the number of one of `stacks`, or `NOT_OVER`."""
    stacks: list[tuple[int, ...]] = field(factory=list)
    """The blocks that were to go on when a play ended, the innermost first, as they were first met."""
    options: dict[int, int] = field(factory=dict)
    """How many decisions had so many options, in plays that came to their end."""

    @classmethod
    def of(cls, program: Program, plays: int = 0) -> Results:
        """Of so many plays, of which nothing is known yet."""
        seats, items = program.seats, tuple(item.text for item in program.score)
        found = cls(seats, items)
        for numbers, each in found._columns():
            numbers.frombytes(bytes(numbers.itemsize * each * plays))
        return found

    def __len__(self) -> int:
        return len(self.over)

    def _columns(self) -> tuple[tuple[array[int], int], ...]:
        """The arrays, and how many numbers each has for a play."""
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
        """The end of a play that is over; `points` are those of the items of the first seat, and so on."""
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
        """A play that was given up."""
        self.lengths[play], self.ends[play] = length, NOT_OVER

    def number_of(self, stack: tuple[int, ...]) -> int:
        """The number of an end."""
        if stack not in self.stacks:
            self.stacks.append(stack)
        return self.stacks.index(stack)

    def add_options(self, options: dict[int, int]) -> None:
        """More decisions."""
        for count, times in options.items():
            self.options[count] = self.options.get(count, 0) + times

    def extend(self, more: Results) -> None:
        """The plays of another behind these."""
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
        """How many plays were given up."""
        return len(self) - sum(self.over)

    def wins(self, seat: int) -> int:
        """How many plays a seat has won, alone or with others."""
        return sum(self.won[seat :: self.seats])
