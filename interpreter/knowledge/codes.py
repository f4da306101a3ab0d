"""Makes codes. A code is a table that maps one number of an observation to numbers from 0 to 1.

A flag is not changed. A count becomes two numbers: whether it is greater than its lower bound, and
its logarithm. A category becomes one-hot. If it has more than 64 values, it is encoded by kind,
place and columns instead. The values `HIDDEN` and `NONE` have rows of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from attrs import frozen

from rulewright.dsl.ir import PieceKind, Program, SpaceKind, ValueKind
from rulewright.interpreter.knowledge.seen_numbers import FLAG, MOST, Number, kinds_of

ONE_HOT = 64
"""The maximum number of values of a one-hot category."""
COLUMN = 8
"""The maximum number of categories of a one-hot column."""
CLIPPED = 1023
"""The upper bound of counts for which no smaller bound is known."""
LONGEST = 16_383
FAR = 16
"""The maximum distance of coordinates from the middle of a growing grid. Greater distances are encoded as `FAR`."""
PLAYER = "player"

Row = tuple[float, ...]


@frozen
class Code:
    """The table for a number: a row for `HIDDEN`, a row for `NONE`, and a row for each value, starting at `low`."""

    low: int
    rows: tuple[Row, ...]
    labels: tuple[str, ...]
    """The meaning of each number of a row."""

    @property
    def width(self) -> int:
        """Return how many numbers the code produces."""
        return len(self.labels)


@frozen
class Turned:
    """Numbers the seats in turn order, starting at one player. The first player is 0, and the next seat is 1."""

    program: Program
    player: int

    def __call__(self, seat: int) -> int:
        """Return the number of a seat in this order."""
        players = self.program.players
        return (seat - self.player) % players if seat < players else seat

    def seats(self) -> list[int]:
        """Return the seats in this order."""
        return sorted(range(self.program.seats), key=self)


def code_of(turned: Turned, number: Number) -> Code:
    """Return the code of a number, as the player of `turned` sees it."""
    rows: list[Row]
    if number.kind == "flag":
        rows, labels = [(0.0,), (1.0,)], ["1 if so"]
    elif number.kind == "count":
        rows, labels = _count(number)
    elif number.n <= ONE_HOT:
        rows, labels = _category(turned, number)
    else:
        rows, labels = _thing(turned.program, number)
    width, also = len(labels), [("nothing", number.nothing), ("hidden", number.hidden)]
    more = [label for label, is_so in also if is_so]
    ends = [(0.0,) * width + tuple(float(one == label) for one in more) for label, _ in also]
    zeros = (0.0,) * len(more)
    found = [ends[1], ends[0], *(row + zeros for row in rows)]
    return Code(number.low, tuple(found), (*labels, *more))


def _count(number: Number) -> tuple[list[Row], list[str]]:
    if number.n <= 2:
        return [(0.0,), (1.0,)], [f"1 if {number.high}"]
    last = CLIPPED if number.high == MOST else min(number.n - 1, LONGEST)
    rows: list[Row] = [(float(n > 0), log(1 + n) / log(1 + last)) for n in range(last + 1)]
    low = f"{number.low}" if number.high != MOST else "0"
    return rows, [f"1 if more than {low}", "logarithm"]


def _category(turned: Turned, number: Number) -> tuple[list[Row], list[str]]:
    places = [turned(n) if number.domain == PLAYER else n for n in range(number.n)]
    rows = [tuple(float(place == n) for n in range(number.n)) for place in places]
    if number.domain == PLAYER:
        return rows, [_seat_name(n) for n in range(number.n)]
    domain = next((d for d in turned.program.domains if d.name == number.domain), None)
    names = (
        domain.names if domain is not None and len(domain.names) == number.n else range(number.n)
    )
    return rows, [str(name) for name in names]


def _seat_name(place: int) -> str:
    return "me" if place == 0 else f"next {place}"


def _thing(program: Program, number: Number) -> tuple[list[Row], list[str]]:
    """Return the code for a category with too many values for one-hot: kind, position in the kind, and columns."""
    kinds: Sequence[PieceKind | SpaceKind | ValueKind] = kinds_of(program, number.domain)
    if not kinds:
        kinds = [k for k in program.kinds if number.domain.endswith(f" {k.name}")]
    tables = [Columns.of(program, kind) for kind in kinds]
    labels = [table.name for table in tables] if len(tables) > 1 else []
    rows = list[Row]()
    names = list(dict.fromkeys(label for table in tables for label in table.labels))
    for value in range(number.low, number.high + 1):
        here = next((n for n, table in enumerate(tables) if table.has(value)), -1)
        kind = [float(n == here) for n in range(len(labels))]
        if here < 0:
            rows.append((*kind, (value - number.low + 1) / number.n, *[0.0] * len(names)))
            continue
        table = tables[here]
        row = dict(zip(table.labels, table.row(value), strict=True))
        position = (value - table.first + 1) / table.count
        rows.append((*kind, position, *(row.get(name, 0.0) for name in names)))
    return rows, [*labels, "place in its kind", *names]


@frozen
class Columns:
    """The columns of a kind of things, as numbers from 0 to 1."""

    name: str
    first: int
    count: int
    labels: tuple[str, ...]
    values: tuple[Row, ...]
    """For each column, the value of each thing."""

    @classmethod
    def of(cls, program: Program, kind: PieceKind | SpaceKind | ValueKind) -> Columns:
        """Return the columns of a kind. For spaces on a grid, add their coordinates."""
        first, count = (
            (0, len(kind.rows)) if isinstance(kind, ValueKind) else (kind.first, kind.count)
        )
        found = list(_columns(program, kind, count))
        if isinstance(kind, SpaceKind) and len(kind.places) == count and all(kind.places):
            for axis, label in enumerate("xy"):
                found.append((label, tuple(_scale([p[axis] for p in kind.places], kind.growing))))
        return cls(
            kind.name, first, count, tuple(one for one, _ in found), tuple(v for _, v in found)
        )

    def has(self, value: int) -> bool:
        """Return whether a value is a member of the kind."""
        return self.first <= value < self.first + self.count

    def row(self, value: int) -> Row:
        """Return the columns of a thing."""
        return tuple(values[value - self.first] for values in self.values)


def _columns(
    program: Program, kind: PieceKind | SpaceKind | ValueKind, count: int
) -> Iterator[tuple[str, Row]]:
    for name, number, table in kind.columns:
        domain, values = program.domains[number], program.tables[table]
        whole = [value for value in values if isinstance(value, int)]
        if len(whole) != count or len(set(whole)) < 2:
            continue
        if domain.name != FLAG and 0 < len(domain.names) <= COLUMN:
            for place, label in enumerate(domain.names, domain.offset):
                yield f"{name} {label}", tuple(float(value == place) for value in whole)
        elif domain.name == FLAG or not domain.names:
            yield name, tuple(_scale(whole, near=False))


def _scale(values: Sequence[int], near: bool) -> Iterator[float]:
    if near:
        values = [min(max(value, -FAR), FAR) for value in values]
    low, high = min(values), max(values)
    return ((value - low) / max(high - low, 1) for value in values)
