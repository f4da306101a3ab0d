"""Encodes observations for learning algorithms as numbers from 0 to 1, from the observer's point of view.

This module builds the tables by which the kernels of
`rulewright.interpreter.engines.kernels.coding` write encodings, in Python or in native code. Things
of the observer come first. Other seats follow in turn order.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, product
from math import prod

import attrs

from rulewright.dsl.ir import Kept, PieceKind, PlaceInfo, Program, Shown, TokenPlace
from rulewright.interpreter.engines.kernels import coding
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.knowledge.codes import PLAYER, Code, Columns, Turned, code_of
from rulewright.interpreter.knowledge.observation import ASKED, HEAD, ReferenceObserver, size_of
from rulewright.interpreter.knowledge.seen_numbers import MOST, Number, of_domain
from rulewright.interpreter.knowledge.visible_cells import CellGroup, groups_of

LONG = 256
"""The maximum length of an encoded list. If a list would be longer, only the mean and the first few
items are encoded."""
FEW = 4
TABLE = 2048
"""The maximum number of pairs of a piece and a place. If there are more pairs, pieces are counted
by groups of places."""


@attrs.frozen
class EncodedPart:
    """A part of an encoding. Its numbers begin at `start` and form an array of the shape `shape`."""

    name: str
    what: str
    start: int
    shape: tuple[int, ...]
    labels: tuple[str, ...]
    """The meaning of each number along the last axis."""

    @property
    def length(self) -> int:
        """Return how many numbers the part contains."""
        return prod(self.shape)


@attrs.define(eq=False)
class _Tables:
    """The tables of all players."""

    codes: dict[Code, int] = attrs.field(factory=dict)
    sources: list[int] = attrs.field(factory=list)
    rows: list[tuple[int, ...]] = attrs.field(factory=list)
    kinds: list[tuple[int, ...]] = attrs.field(factory=list)
    places: list[int] = attrs.field(factory=list)
    columns: list[float] = attrs.field(factory=list)

    def code(self, code: Code) -> int:
        """Return the index of a code. A new code is added."""
        return self.codes.setdefault(code, len(self.codes))

    def add_sources(self, numbers: Iterable[int]) -> int:
        """Append numbers to the table of sources, and return the index of the first."""
        first = len(self.sources)
        self.sources += numbers
        return first

    def fill(self, t: Tree) -> None:
        """Write the tables to a tree."""
        numbers, values = array("q"), array("f")
        values.extend(self.columns)
        for code in self.codes:
            numbers.extend((len(values), code.low, len(code.rows) - 1 - coding.BEFORE, code.width))
            for row in code.rows:
                values.extend(row)
        t.code, t.code_value = numbers, values
        t.coding = array("q", chain.from_iterable(self.rows))
        t.coding_source = array("q", self.sources)
        t.coding_kind = array("q", chain.from_iterable(self.kinds))
        t.coding_place = array("q", self.places)


@attrs.define(eq=False)
class _Plan:
    """Builds the rows of the tables for one player."""

    observer: ReferenceObserver
    turned: Turned
    tables: _Tables
    parts: list[EncodedPart] = attrs.field(factory=list)
    size: int = 0

    @property
    def program(self) -> Program:
        """Return the program of the variant."""
        return self.turned.program

    def make(self) -> None:
        """Add all rows."""
        self._head()
        shown = iter(self.observer.parts[6:])
        grids = set[str]()
        for cell_group in self.observer.groups:
            part = next(shown)
            numbers = part.numbers
            if cell_group.cell_of >= 0:
                self._growing(cell_group, part.start, numbers, cell_group.owner not in grids)
                grids.add(cell_group.owner)
            elif isinstance(cell_group, Kept) and cell_group.list_capacity:
                self._lists(cell_group, part.start, numbers, part.what)
            else:
                order = self._order(cell_group, len(numbers))
                first = [part.start + n for n in order]
                codes = [numbers[n % len(numbers)] for n in order]
                shape = self._shape(cell_group, len(numbers))
                self._each(cell_group.name, part.what, first, codes, shape)
        for kind in self.program.pieces:
            self._pieces(kind, next(shown).start)

    def _head(self) -> None:
        head = self.observer.parts[:6]
        for part in head[:4]:
            self._each(part.name, part.what, [part.start], part.numbers, ())
        self._add_question_numbers()
        seats = self.turned.seats()
        seat = head[5]
        what = "for each seat, the player's own first, whether it is in the game"
        self._each(
            seat.name,
            what,
            [seat.start + n for n in seats],
            seat.numbers * len(seats),
            (len(seats),),
        )

    # ---- rows ----

    def _part(self, name: str, what: str, shape: tuple[int, ...], labels: Sequence[str]) -> None:
        self.parts.append(EncodedPart(name, what, self.size, shape, tuple(labels)))
        self.size += prod(shape)

    def _row(self, *numbers: int) -> None:
        self.tables.rows.append((*numbers, *[0] * (coding.WIDTH - len(numbers))))

    def _each(
        self,
        name: str,
        what: str,
        sources: Sequence[int],
        numbers: Sequence[Number],
        shape: tuple[int, ...],
    ) -> None:
        """Add a part with the codes of some numbers, one for each position in its shape."""
        codes = {number: code_of(self.turned, number) for number in dict.fromkeys(numbers)}
        labels = next(iter(codes.values())).labels if numbers else ()
        self._part(name, what, (*shape, len(labels)), labels)
        for number, run in groupby(zip(sources, numbers, strict=True), lambda pair: pair[1]):
            places = [place for place, _ in run]
            first = self.tables.add_sources(places)
            self._row(coding.EACH, first, len(places), self.tables.code(codes[number]))

    def _mean(self, name: str, what: str, sources: Sequence[Sequence[int]], number: Number) -> None:
        code = code_of(self.turned, number)
        self._part(name, what, (len(sources), code.width), code.labels)
        for places in sources:
            first = self.tables.add_sources(places)
            self._row(coding.SUM, first, len(places), self.tables.code(code))

    def _add_question_numbers(self) -> None:
        """Add the numbers in the text of questions, if each argument is a single number."""
        program, table = self.program, list[int]()
        width = 0
        for site in program.sites:
            domains = {
                part.argument: part.domain
                for part in program.messages[site.prompt].parts
                if isinstance(part, Shown)
            }
            codes = list[Code]()
            for argument in range(min(len(site.prompt_arguments), ASKED)):
                domain = domains.get(argument)
                number = (
                    Number("count", 0, MOST)
                    if domain is None
                    else of_domain(program.domains[domain])
                )
                if number.kind == "count":
                    number = attrs.evolve(number, low=0)
                codes.append(code_of(self.turned, number))
            table += [self.tables.code(code) for code in codes] + [-1] * (ASKED - len(codes))
            width = max(width, sum(code.width for code in codes))
        if width:
            first = self.tables.add_sources(table)
            self._row(coding.ASKED_NUMBERS, first, ASKED, width, HEAD - 1, HEAD)
            what = "numbers in the words of the question, which depend on the decision"
            self._part("asked", what, (width,), [""] * width)

    # ---- groups ----

    def _owners(self, cell_group: CellGroup) -> list[int]:
        """Return the positions of the owners, in the order in which the observer sees them."""
        positions = range(len(cell_group.owners))
        if cell_group.owner != PLAYER:
            return list(positions)
        return sorted(positions, key=lambda position: self.turned(cell_group.owners[position]))

    def _axes(self, cell_group: CellGroup) -> list[list[int]]:
        """Return the values of each index of a group, in the order in which the observer sees them."""
        found = []
        for size, domain, low in zip(
            cell_group.sizes, cell_group.index_domains, cell_group.index_lows, strict=True
        ):
            is_seat = self.program.domains[domain].name == PLAYER and low == 0
            order = sorted(range(size), key=self.turned) if is_seat else list(range(size))
            found.append(order)
        if isinstance(cell_group, TokenPlace) and cell_group.colours > 1:
            found.append(self.turned.seats())
        return found

    def _order(self, cell_group: CellGroup, each: int) -> list[int]:
        """Return the positions of a group's numbers, in the order in which the observer sees them."""
        axes = self._axes(cell_group)
        inner = [0]
        for axis in axes:
            inner = [number * len(axis) + place for number, place in product(inner, axis)]
        return [owner * each + number for owner in self._owners(cell_group) for number in inner]

    def _shape(self, cell_group: CellGroup, each: int) -> tuple[int, ...]:
        owners = len(cell_group.owners)
        kind = next((k for k in self.program.spaces if k.name == cell_group.owner), None)
        if kind is None or len(kind.places) != owners or not all(kind.places):
            return (owners, each) if each > 1 else (owners,)
        columns, rows = len({p[0] for p in kind.places}), len({p[1] for p in kind.places})
        board = (rows, columns) if rows * columns == owners else (owners,)
        return (*board, each) if each > 1 else board

    def _growing(
        self, cell_group: CellGroup, start: int, numbers: Sequence[Number], is_first: bool
    ) -> None:
        count, stride = len(cell_group.owners), len(numbers)
        if is_first:
            places = [*range(start, start + count * stride, stride)]
            what = "the spaces in use, in their order"
            self._each(f"{cell_group.owner} in use", what, places, [numbers[0]] * count, (count,))
        order = [1 + n for n in self._order(attrs.evolve(cell_group, owners=(0,)), stride - 1)]
        places = [start + slot * stride + n for slot in range(count) for n in order]
        kinds = [numbers[n] for n in order] * count
        self._each(cell_group.name, "for each space in use", places, kinds, (count, len(order)))

    def _lists(self, cell_group: Kept, start: int, numbers: Sequence[Number], what: str) -> None:
        step = cell_group.list_capacity + 1
        order = self._order(attrs.evolve(cell_group, list_capacity=0), prod(cell_group.sizes))
        begins = [start + step * n for n in order]
        self._each(
            cell_group.name,
            f"length of the {what}",
            begins,
            [numbers[0]] * len(begins),
            (len(begins),),
        )
        items = [range(begin + 1, begin + step) for begin in begins]
        if (step - 1) * code_of(self.turned, numbers[1]).width > LONG:
            self._mean(cell_group.name, f"mean of the items of the {what}", items, numbers[1])
            items = [each[:FEW] for each in items]
        every = list(chain.from_iterable(items))
        shape = len(items), len(items[0])
        self._each(
            cell_group.name,
            f"the first items of the {what}",
            every,
            [numbers[1]] * len(every),
            shape,
        )

    # ---- pieces ----

    def _pieces(self, kind: PieceKind, start: int) -> None:
        channels = _Channels(self, kind)
        groups = groups_of(kind.rows)
        channels.make(len(groups))
        columns = Columns.of(self.program, kind)
        tables = self.tables
        order = sorted(range(len(groups)), key=lambda n: self._owner(kind, groups[n]))
        first = tables.add_sources(
            chain.from_iterable((len(group), order.index(n)) for n, group in enumerate(groups))
        )
        table = len(tables.columns)
        for n in order:
            tables.columns += columns.row(kind.first + groups[n][0])
        width, many = 1 + channels.counted, len(channels.channels)
        by_row = len(groups) * width
        size = by_row + many * (1 + len(columns.labels))
        here, grown = channels.tables(tables)
        tables.kinds.append(
            (
                kind.count,
                len(groups),
                len(columns.labels),
                table,
                *here,
                width,
                by_row,
                first,
                grown,
            )
        )
        self._row(coding.PIECES, start, len(tables.kinds) - 1, size)
        labels = ("hidden", *channels.labels)
        what = "of each kind of piece the part that is hidden, and lies in each place"
        self._part(kind.name, what, (len(groups), width), labels)
        what = "for each place how many pieces, and the sums of their columns"
        self._part(kind.name, what, (many, 1 + len(columns.labels)), ("pieces", *columns.labels))

    def _owner(self, kind: PieceKind, group: Sequence[int]) -> int:
        return self.turned(kind.owners[group[0]]) if kind.owners else 0


@attrs.define(eq=False)
class _Channels:
    """The places where pieces of a kind may be, as a player sees them."""

    plan: _Plan
    kind: PieceKind
    channels: list[tuple[int, int, int]] = attrs.field(factory=list)
    """For each channel: the index under which equal pieces are counted, the number of pieces that
    fit, and the shape."""
    labels: list[str] = attrs.field(factory=list)
    """The names of the places in which equal pieces are counted."""
    _of_code: dict[int, int] = attrs.field(factory=dict)
    _grown: list[tuple[int, ...]] = attrs.field(factory=list)
    """The zones on growing grids. Each entry begins with the number after the last place of the zone."""

    @property
    def counted(self) -> int:
        """Return the number of places in which equal pieces are counted."""
        return len(self.labels)

    def make(self, groups: int) -> None:
        """Add all channels."""
        places = [*self._with_codes()]
        total = sum(
            self._many(place) * len(place.owners) * prod(place.sizes) for place, _ in places
        )
        by_group = groups * total > TABLE
        for place, code in places:
            if self.kind.name not in place.kinds:
                continue
            each = prod(place.sizes)
            if place.cell_of >= 0:
                self._add_grown(place, code, each)
                continue
            before = list[int]()
            for position in self.plan._owners(place):
                rel = self.plan.turned(place.owners[position])
                name = f"{place.name} of {rel}" if place.owner == PLAYER else place.name
                if by_group and (place.owner == PLAYER or not before):
                    before = self._labels(place, name)
                for number in range(each):
                    full = name if by_group else f"{name} {position * each + number}"
                    where = before if by_group else self._labels(place, full)
                    self._of_code[code + position * each + number] = len(self.channels)
                    self._add(place, where)

    def _with_codes(self) -> Iterator[tuple[PlaceInfo, int]]:
        """Yield each place with its first code, as in `visible_cells.Eyes`."""
        program, code = self.plan.program, 0
        for place in program.places:
            yield place, code
            owners = len(place.owners)
            if place.cell_of >= 0:
                spaces = next(k for k in program.spaces if k.name == place.owner)
                owners = spaces.first + spaces.count
            code += prod(place.sizes) * owners

    def _many(self, place: PlaceInfo) -> int:
        if self.kind.name not in place.kinds:
            return 0
        return {"row": place.slots, "pile": 2}.get(place.shape, 1)

    def _labels(self, place: PlaceInfo, name: str) -> list[int]:
        """Add the labels under which the pieces in a place are counted, and return the numbers of these labels."""
        first = len(self.labels)
        ends = {"pile": ["", ", from the bottom"]}.get(place.shape, [""])
        if place.shape == "row":
            ends = [f" {slot}" for slot in range(1, place.slots + 1)]
        self.labels += [name + end for end in ends]
        return [1 + n for n in range(first, len(self.labels))]

    def _add(self, place: PlaceInfo, where: Sequence[int]) -> None:
        if place.shape == "row":
            self.channels += [(n, 1, coding.ROW) for n in where]
        elif place.shape == "pile":
            self.channels += [(n, self.kind.count, coding.PILE) for n in where]
        else:
            most = 1 if place.shape == "spot" else self.kind.count
            self.channels += [(n, most, coding.PLAIN) for n in where]

    def _add_grown(self, place: PlaceInfo, code: int, each: int) -> None:
        parts, cell_groups = self.plan.observer.parts[6:], self.plan.observer.groups
        number = next(n for n, f in enumerate(cell_groups) if f.owner == place.owner)
        spaces = len(place.owners)
        for member in range(each):
            where = self._labels(place, place.name)
            first = len(self.channels)
            for _ in range(spaces):
                self._add(place, where)
            stride = len(parts[number].numbers)
            start = parts[number].start
            self._grown.append(
                (code + member, each, first, start, stride, spaces, len(where), self._last(place))
            )

    def _last(self, place: PlaceInfo) -> int:
        kind = next(k for k in self.plan.program.spaces if k.name == place.owner)
        return kind.first + kind.count

    def tables(self, tables: _Tables) -> tuple[tuple[int, int], int]:
        """Add the channels to the tables. Return the indices where channels, places, and zones on
        growing grids begin."""
        channels = len(tables.places)
        tables.places += chain.from_iterable(self.channels)
        codes = dict(self._of_code)
        for number, (code, each, *_, spaces) in enumerate(self._grown):
            codes |= dict.fromkeys(range(code, code + spaces * each, each), coding.GROWN - number)
        places = len(tables.places)
        tables.places += [
            codes.get(code, coding.NOWHERE) for code in range(max(codes, default=-1) + 1)
        ]
        grown = len(tables.places)
        tables.places += chain.from_iterable(numbers[: coding.OF_GROWN] for numbers in self._grown)
        return (channels, places), grown


def plan_encodings(observer: ReferenceObserver, t: Tree) -> tuple[EncodedPart, ...]:
    """Store the tables of encodings in a tree. Return the parts of an encoding. All players have the same parts."""
    tables, ends, parts = _Tables(), array("q", [0]), tuple[EncodedPart, ...]()
    for player in range(observer.program.seats):
        plan = _Plan(observer, Turned(observer.program, player), tables)
        plan.make()
        ends.append(len(tables.rows))
        parts, t.coded_size = tuple(plan.parts), plan.size
    tables.fill(t)
    t.codings = ends
    t.seen_size = size_of(observer)
    return parts
