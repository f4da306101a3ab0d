"""Lays out a state: the cells of the states, zones, tokens and helpers of one program.

The input is the numbered model; the layout is independent of rules. Addresses are computed once and never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, get_args

from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.diagnostics import foreign_words
from rulewright.dsl.diagnostics.advice import Help, form, line_of, write
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean, listed_or
from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.emit import value_help
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.model.types import Type, are_comparable, describe, range_of, whole
from rulewright.dsl.parsing import hints
from rulewright.dsl.tree import declared, syntax

SIGHTS: Final = get_args(ir.Sight)
MOST_PLACES = 1_000_000
"""The maximum number of places of a state or zone, counting all indices and owners."""


@frozen
class Owner:
    """The owner of states and zones: the table (""), the players ("player") or a kind. The ids of
    its things are `first .. first + count - 1`.

    A growing grid assigns its cells to numbered slots. In this case `slots` is above 0, and the
    slots of the cells are stored from the address `slot_map` on.
    """

    name: str
    first: int
    count: int
    slots: int = 0
    slot_map: int = 0

    @property
    def places(self) -> int:
        """Return the number of copies of each state and zone."""
        return self.slots if self.slots else self.count

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids of the owners; -1 stands for the table."""
        return (-1,) if self.name == "" else tuple(range(self.first, self.first + self.count))


@frozen
class Index:
    """An index in brackets that selects among the places of a state or zone: its type, its lowest
    value and its number of values.
    """

    type: Type
    low: int
    size: int


@define
class CellGroup:
    """The cells of a state, a zone or a place for tokens, for all owners."""

    name: str
    what: Literal["state", "zone", "tokens"]
    owner: Owner
    indices: tuple[Index, ...]
    type: Type  # the type of a state, of the pieces of a zone, or of the numbers of tokens
    seen: ir.Sight
    except_for: tuple[str, ...]
    span: Span
    declaration: declared.State | declared.Zone
    base: int = 0  # first cell, or first zone id
    width: int = 1  # cells or zone ids of one owner and one index
    shape: str = ""
    slots: int = 0
    token: str = ""
    colours: int = 1
    own_colour: bool = False
    start: int = 0
    read: bool = False
    written: bool = False
    as_begun: int = (
        -1
    )  # cells with the numbers of things before a `together` block that may change them

    @property
    def per_owner(self) -> int:
        """Return the number of cells or zone ids of one owner."""
        size = self.width
        for index in self.indices:
            size *= index.size
        return size


@define
class Layout:
    """The cells of all stored things and helpers of a program."""

    model: Model
    size: int = ir.HEADER
    far: int = 0
    start: dict[int, int] = field(factory=dict)
    groups: list[CellGroup] = field(factory=list)
    lost: set[str] = field(factory=set)  # declared with errors, so they have no cells
    owners: dict[str, Owner] = field(factory=dict)
    zones: int = 0
    pieces: int = 0
    in_play: int = 0
    won: int = 0
    zone_of: int = 0
    next: int = 0
    previous: int = 0
    head: int = 0
    tail: int = 0
    count: int = 0
    slot_of: int = -1
    known: int = -1
    scratch: int = -1
    together: int = -1  # the cell with the number of the current `together` block
    row_base: dict[int, int] = field(factory=dict)  # zone id -> first slot cell
    zone_owner: list[int] = field(factory=list)  # zone id -> owner id (or slot) ; -1 for the table
    zone_group: list[CellGroup] = field(factory=list)
    growing: dict[str, Growing] = field(factory=dict)
    _by_name: dict[tuple[str, str], CellGroup] = field(factory=dict)
    _indexed: int = 0
    """How many of the groups are already in `_by_name`."""

    def take(self, cells: int, fill: int = 0) -> int:
        """Reserve cells with the initial value `fill`, and return the first."""
        first = self.size
        self.size += cells
        if fill:
            for cell in range(first, first + cells):
                self.start[cell] = fill
        return first

    def take_far(self, cells: int) -> int:
        """Reserve far cells, which are seldom written, and return the first. Far cells are numbered separately."""
        first = self.far
        self.far += cells
        return first

    def of(self, owner: str, name: str) -> CellGroup | None:
        """Return the state or zone `name` that belongs to `owner`; None if there is none."""
        for group in self.groups[self._indexed :]:  # the groups added since the last call
            self._by_name.setdefault((group.owner.name, group.name), group)
        self._indexed = len(self.groups)
        return self._by_name.get((owner, name))


@frozen
class Growing:
    """The storage of a growing grid.

    `map` contains the slot of each cell, `cell_of` the cell of each slot, `order` the used cells in
    order, and `used` the number of used cells.
    """

    kind: ThingKind
    map: int
    cell_of: int
    order: int
    used: int
    slots: int


def lay_out(model: Model, *, uses_shuffle: bool) -> Layout:
    """Assign cells to every stored thing."""
    layout = Layout(model)
    seats = len(model.seats)
    layout.in_play = layout.take(seats, 1)
    layout.won = layout.take(seats)
    layout.pieces = sum(kind.count for kind in model.pieces.values())
    layout.owners[""] = Owner("", -1, 1)
    layout.owners["player"] = Owner("player", 0, seats)
    for kind in [*model.spaces.values(), *model.pieces.values(), *model.kinds.values()]:
        if kind.shape == "growing" and (kind.states or kind.zones):
            slots = min(kind.count, _most_used_cells(model, kind)) + 1
            growing = Growing(
                kind,
                layout.take_far(kind.count),
                layout.take(slots, -1),
                layout.take(slots, -1),
                layout.take(1),
                slots,
            )
            layout.growing[kind.name] = growing
            layout.owners[kind.name] = Owner(kind.name, kind.first, kind.count, slots, growing.map)
        else:
            layout.owners[kind.name] = Owner(kind.name, kind.first, kind.count)
    for state in model.states.values():
        _lay_out_state(layout, layout.owners[""], state)
    for state in model.player_states.values():
        _lay_out_state(layout, layout.owners["player"], state)
    zones: list[tuple[Owner, declared.Zone]] = [
        (layout.owners[""], z) for z in model.zones.values()
    ]
    zones.extend((layout.owners["player"], z) for z in model.player_zones.values())
    for kind in [*model.spaces.values(), *model.pieces.values()]:
        for state in kind.states:
            _lay_out_state(layout, layout.owners[kind.name], state)
        zones.extend((layout.owners[kind.name], z) for z in kind.zones)
    for owner, zone in zones:
        _lay_out_zone(layout, owner, zone)
    _bound_tokens(layout)
    layout.zone_of = layout.take(layout.pieces, -1)
    layout.next = layout.take(layout.pieces, -1)
    layout.previous = layout.take(layout.pieces, -1)
    layout.head = layout.take(layout.zones, -1)
    layout.tail = layout.take(layout.zones, -1)
    layout.count = layout.take(layout.zones)
    rows = [f for f in layout.groups if f.what == "zone" and f.shape == "row"]
    if rows:
        layout.slot_of = layout.take(layout.pieces)
        for group in rows:
            for zone_id in range(group.base, group.base + group.per_owner * group.owner.places):
                layout.row_base[zone_id] = layout.take(group.slots, -1)
    if any(f.what == "zone" and f.seen != "all" for f in layout.groups):
        layout.known = layout.take(layout.pieces)
    if uses_shuffle:
        layout.scratch = layout.take(max(1, layout.pieces))
    return layout


def _most_used_cells(model: Model, kind: ThingKind) -> int:
    """Return the maximum number of used cells of a growing grid: one for each piece that may be
    there, and some more.
    """
    room = 0
    for zone in kind.zones:
        if zone.type.shape == "tokens":
            room += 64
            continue
        held = model.type_named(zone.type.of)
        if held is not None:
            room += model.size_of(held)
    if kind.states:
        room += 16
    return max(16, room + 8)


def _indices(layout: Layout, params: tuple[declared.Param, ...]) -> tuple[Index, ...] | None:
    model = layout.model
    indices: list[Index] = []
    for param in params:
        if param.type is None:
            model.problems.error(
                "wrong-type",
                "an index of a state or zone is `name: Type`",
                param.span,
                help=f"write `{param.name}: Player`, `{param.name}: 1..3` or a kind after the colon",
            )
            return None
        type = model.type_of(param.type)
        if isinstance(type, (types.Number, types.Flag)):
            indices.append(Index(whole(type.low, type.high), type.low, type.high - type.low + 1))
        elif type.is_thing and len(type.names) <= 1 and not type.opt:
            ids = list(model.ids_of(type))
            if not ids:
                return None
            indices.append(Index(type, min(ids), max(ids) - min(ids) + 1))
        elif type.known:
            model.problems.error(
                "wrong-type",
                f"`{describe(type)}` cannot be an index",
                param.span,
                help="write a kind, `Player`, a type of pieces or spaces, or a range such as `1..3`",
            )
            return None
        else:
            return None
    return tuple(indices)


def _report_unknown_viewer(layout: Layout, owner: Owner, seen: declared.Seen) -> None:
    """Report an error for a word after `seen by` that names no player."""
    fix = None
    if seen.by in ("everyone", "everybody", "players", "all_players", "anyone"):
        help: Help = "remove it: without `seen by`, everybody sees it"
        fix = Fix(seen.span, "")
    elif seen.by in foreign_words.OWNERS:
        help = "write `seen by owner`: everybody else sees nothing of it"
        fix = Fix(seen.span, ", seen by owner")
    elif seen.by in ("none", "no_one", "noone", "nothing"):
        help = "write `seen by nobody`"
        fix = Fix(seen.span, ", seen by nobody")
    elif not (help := did_you_mean(seen.by, list(SIGHTS))):
        if owner.name in ("", *layout.model.spaces):
            help = "write `seen by nobody`, or declare it below `player` and write `seen by owner`"
            fix = Fix(seen.span, ", seen by nobody")
        else:
            help = "write `seen by owner`, `seen by others` (all but the owner) or `seen by nobody`"
    layout.model.problems.error(
        "unknown-name", f"`seen by` does not take `{seen.by}`", seen.span, help=help, fix=fix
    )


def _sight(
    layout: Layout, owner: Owner, seen: declared.Seen | None, *, is_row: bool = False
) -> tuple[ir.Sight, tuple[str, ...]]:
    if seen is None:
        return "all", ()
    problems = layout.model.problems
    sight: ir.Sight | None = next((sight for sight in SIGHTS if sight == seen.by), None)
    if sight is None:
        _report_unknown_viewer(layout, owner, seen)
        return "all", ()
    if "slots" in seen.except_for and not is_row:
        problems.error(
            "wrong-type",
            "only a `row of` pieces has slots that may be seen",
            seen.span,
            help="write `except size`",
        )
    if "together" in seen.except_for and "size" not in seen.except_for:
        problems.error(
            "wrong-type",
            "`together` says that the size is seen at once, but no size is seen here",
            seen.span,
            help="write `except size, together`",
        )
    if sight in ("owner", "others") and owner.name == "":
        problems.error(
            "wrong-type",
            "things on the table have no owner",
            seen.span,
            help="write `seen by nobody`",
        )
        return "nobody", seen.except_for
    if sight in ("owner", "others") and owner.name in layout.model.spaces:
        word = owner.name.lower()
        problems.error(
            "wrong-type",
            f"a `{owner.name}` has no owner",
            seen.span,
            help=f"a secret of each player is declared below `player`, with `({word}: {owner.name})` after its name",
        )
        return "nobody", seen.except_for
    # players who see which slots are occupied also see how many slots are occupied
    also = ("size",) if "slots" in seen.except_for and "size" not in seen.except_for else ()
    return sight, (*also, *seen.except_for)


def _check_shown(layout: Layout, d: declared.Zone) -> None:
    """Report an error for names after `except` that are not visible attributes of the pieces in a zone."""
    model, seen = layout.model, d.seen
    if seen is None:
        return
    kind_names = model.unions[d.type.of].names if d.type.of in model.unions else (d.type.of,)
    pieces = [piece for piece in map(model.pieces.get, kind_names) if piece is not None]
    columns = {name for piece in pieces for name in piece.columns}
    for name in seen.except_for:
        if name in ("size", "slots", "together") or name in columns or not pieces:
            continue
        known = ["size", *sorted(columns)]
        help = (
            "write `except size`" if name in foreign_words.HOW_MANY else did_you_mean(name, known)
        )
        model.problems.error(
            "unknown-name",
            f"`{d.type.of}` has nothing called `{name}`",
            seen.span,
            help=help or f"`except` is followed by {listed_or(known)}",
            fix=Fix(seen.span, seen.span.text.replace(name, "size"))
            if help == "write `except size`"
            else None,
        )


def _lay_out_state(layout: Layout, owner: Owner, d: declared.State) -> None:
    model = layout.model
    type = model.type_of(d.type)
    indices = _indices(layout, d.params)
    if indices is None or not type.known:
        layout.lost.add(d.name)
        return
    if type.opt and isinstance(type, types.Number) and type.low < 0:
        model.problems.error(
            "not-storable",
            "a number that may be nothing must not go below 0",
            d.type.span,
            help="write a range from 0 up, and subtract where it is used; or let a `Flag` "
            "beside it say whether there is one",
        )
        return
    sight, except_for = _sight(layout, owner, d.seen)
    group = CellGroup(d.name, "state", owner, indices, type, sight, except_for, d.name_span, d)
    if isinstance(type, types.List):
        group.width = type.length + 1
    if not _has_room(layout, group, 1):
        return
    group.start = _state_start(model, d, type)
    if (
        isinstance(type, types.List)
        and d.start is not None
        and not (isinstance(d.start, syntax.Fixed) and d.start.word == "empty")
    ):
        owned = "me." if owner.name == "player" else ""
        model.problems.error(
            "not-storable",
            "a list starts `empty`",
            d.start.span,
            help=f"remove it, and write `set {owned}{d.name} to {d.start.span.text}` in `setup`",
        )
    group.base = layout.take(group.per_owner * owner.places, group.start)
    layout.groups.append(group)


def _has_room(layout: Layout, group: CellGroup, each: int) -> bool:
    """Return whether a state or zone stays within the limit on places if every place has `each` slots.

    If not, report an error.
    """
    places = group.per_owner * group.owner.places * each
    if places <= MOST_PLACES:
        return True
    d = group.declaration
    layout.lost.add(d.name)
    layout.model.problems.error(
        "not-storable",
        f"`{d.name}` would have {places:,} places (at most {MOST_PLACES:,})",
        d.name_span,
        help="write smaller ranges in the brackets after its name"
        if d.params
        else "make it shorter, or a list of fewer things",
    )
    return False


def _state_start(model: Model, d: declared.State, type: Type) -> int:
    if isinstance(type, types.List):
        return 0
    if d.start is None:
        if type.opt:
            return -1
        if isinstance(type, (types.Number, types.Flag)):
            return min(max(0, type.low), type.high)
        return min(model.ids_of(type), default=0)
    if isinstance(d.start, syntax.Fixed) and d.start.word == "nothing":
        if not type.opt:
            model.problems.error(
                "may-be-nothing",
                f"`{d.name}` starts at nothing, but its type does not allow nothing",
                d.start.span,
                help=f"write `{d.type.span.text} or nothing`, or remove the start: it then "
                f"starts at the first value",
            )
        return -1
    if type.is_thing and isinstance(d.start, syntax.Word):
        for found, ids in model.row_names.get(d.start.name, []):
            if are_comparable(found, type) and (
                isinstance(type, types.Player) or set(found.names) <= set(type.names)
            ):
                if not ids and not type.opt:
                    break
                return ids[0] if ids else -1
        is_nothing = any(one.text == "nothing" for one in hints.of_name(d.start.name).changes)
        missing = f"{d.type.span.text} or nothing = nothing"
        model.problems.error(
            "unknown-name",
            f"`{d.start.name}` is not {describe(type)}",
            d.start.span,
            help=write(missing, d.type.span.join(d.start.span))
            if is_nothing
            else value_help.values_of(model, type),
        )
        return 0
    if isinstance(d.start, syntax.Word) and d.start.name in _columns_of(model, d):
        return 0  # set from the column, see `set_column_starts`
    is_empty = isinstance(d.start, syntax.Fixed) and d.start.word == "empty"
    value = model.number(
        d.start,
        "the start of a state",
        range_of(type).low,
        otherwise="write `nothing`"
        if is_empty and type.opt
        else f"remove it, and `set` it below `setup`; `{d.name}` is {describe(type)}",
    )
    if isinstance(type, (types.Number, types.Flag)) and not type.low <= value <= type.high:
        model.problems.error(
            "out-of-range",
            f"{value} is not in {type.low}..{type.high}",
            d.start.span,
            help=f"write a start value from {type.low} to {type.high}, or widen the range: "
            f"`{min(value, type.low)}..{max(value, type.high)}`",
        )
        return type.low
    return value


def _bound_tokens(layout: Layout) -> None:
    """Let no place hold more tokens of a kind than all places together hold at the start."""
    places = [group for group in layout.groups if group.what == "tokens"]
    for token in {group.token for group in places}:
        limited_to = [group for group in places if group.token == token]
        most = sum(group.start * group.per_owner * group.owner.places for group in limited_to)
        for group in limited_to:
            group.type = whole(0, most)


def _columns_of(model: Model, d: declared.State) -> dict[str, object]:
    for kind in [*model.pieces.values(), *model.spaces.values()]:
        if d in kind.states:
            return dict(kind.columns)
    return {}


def set_column_starts(layout: Layout) -> None:
    """Set the initial values of states that start at the value of a column."""
    model = layout.model
    for group in layout.groups:
        d = group.declaration
        if not isinstance(d, declared.State) or not isinstance(d.start, syntax.Word):
            continue
        kind = model.thing(group.owner.name) if group.owner.name not in ("", "player") else None
        if kind is None or d.start.name not in kind.columns or group.owner.slots:
            continue
        column = kind.columns[d.start.name]
        numbers = {at: value for at, value in enumerate(column.values) if isinstance(value, int)}
        if isinstance(group.type, types.Number) and not model.has_lost_rows:
            _report_starts(model, d, d.start, column.type, group.type, {*numbers.values()})
        for offset, value in numbers.items():
            for cell in range(group.per_owner):
                layout.start[group.base + offset * group.per_owner + cell] = value


def _report_starts(
    model: Model,
    d: declared.State,
    start: syntax.Word,
    of: Type,
    type: types.Number,
    numbers: set[int],
) -> None:
    """Report an error if a column of the type `of` contains a value at which a state of the type
    `type` cannot start.
    """
    if of.opt and not type.opt and -1 in numbers:
        model.problems.error(
            "may-be-nothing",
            f"`{start.name}` can be nothing, and `{d.name}` starts at it",
            start.span,
            help=f"write `{d.type.span.text} or nothing`",
        )
        return
    there = {number for number in numbers if not (of.opt and number == -1)}
    wrong = sorted(number for number in there if not type.low <= number <= type.high)
    if wrong:
        low, high = min(type.low, *there), max(type.high, *there)
        model.problems.error(
            "out-of-range",
            f"`{start.name}` can be {wrong[-1]}, but `{d.name}`, which starts at it, is {type.low}..{type.high}",
            start.span,
            help=f"widen the range: `{low}..{high}`",
        )


def _most_slots(d: declared.Zone, owner: Owner, indices: Sequence[Index]) -> str:
    """Return help for `zone line(n: 1..5): row of n Tile`, which is wrong because all rows have as
    many slots as the longest row.
    """
    e = d.type.slots
    whose = "me." if owner.name == "player" else ""
    for param, index in zip(d.params, indices, strict=True):
        type = index.type
        if isinstance(e, syntax.Word) and e.name == param.name and isinstance(type, types.Number):
            return (
                f"all rows have the same length: write `row of {type.high} {d.type.of}`, and before a move into it "
                f"`needs {whose}{d.name}({e.name}).size < {e.name}`"
            )
    return ""


def _lay_out_zone(layout: Layout, owner: Owner, d: declared.Zone) -> None:
    model = layout.model
    indices = _indices(layout, d.params)
    if indices is None:
        layout.lost.add(d.name)
        return
    sight, except_for = _sight(layout, owner, d.seen, is_row=d.type.shape == "row")
    if d.type.shape != "tokens":
        _check_shown(layout, d)
    if d.type.shape == "tokens":
        token = model.tokens.get(d.type.of)
        if token is None:
            declaring = f"declare it at the left margin: `token {d.type.of}`"
            model.problems.none_called("token", d.type.of, d.type.of_span, model.tokens, declaring)
            layout.lost.add(d.name)
            return
        group = CellGroup(
            d.name, "tokens", owner, indices, whole(0, 2**31 - 1), sight, except_for, d.name_span, d
        )
        group.token = token.name
        group.own_colour = token.per_player and owner.name == "player"
        group.colours = len(model.seats) if token.per_player and not group.own_colour else 1
        group.width = group.colours
        if not _has_room(layout, group, 1):
            return
        if d.start is not None:
            group.start = model.number(d.start, "the start of a place for tokens")
            if group.start < 0:
                model.problems.error(
                    "out-of-range",
                    f"there cannot be {group.start} tokens",
                    d.start.span,
                    help="write a number of 0 or more",
                )
        group.base = layout.take(group.per_owner * owner.places, group.start)
        layout.groups.append(group)
        return
    of = model.type_named(d.type.of)
    if of is None or not isinstance(of, types.Piece):
        layout.lost.add(d.name)
        if of is None:
            near = did_you_mean(
                d.type.of,
                [
                    *model.pieces,
                    *(n for n, u in model.unions.items() if isinstance(u, types.Piece)),
                ],
            )
            model.problems.error(
                "unknown-type", f"there is no piece `{d.type.of}`", d.type.of_span, help=near
            )
        elif of.known:
            model.problems.error(
                "wrong-type",
                f"`{d.type.of}` is not a piece: only pieces lie in zones",
                d.type.of_span,
                help=f"write `piece {d.type.of}` where it is declared, or keep it as a state: "
                + form(f"state {d.name}: {d.type.of} or nothing", line_of(d.type.of_span)),
            )
        return
    if d.start is not None:
        model.problems.error(
            "wrong-type",
            "only places for tokens start with a number; `setup` puts pieces into zones",
            d.start.span,
            help=f"remove `= {d.start.span.text}`, and move the pieces there in `setup`",
        )
    slots = (
        model.number(d.type.slots, "the number of slots", 1, help=_most_slots(d, owner, indices))
        if d.type.slots is not None
        else 0
    )
    if d.type.shape == "row" and not 1 <= slots <= 1000:
        model.problems.error(
            "out-of-range",
            "a row has 1..1000 slots",
            d.type.span,
            help="write `row of 5 ...`: how many slots there are",
        )
        slots = 1
    group = CellGroup(
        d.name,
        "zone",
        owner,
        indices,
        of,
        sight,
        except_for,
        d.name_span,
        d,
        shape=d.type.shape,
        slots=slots,
    )
    if not _has_room(layout, group, max(1, slots)):
        return
    group.base = layout.zones
    total = group.per_owner * owner.places
    layout.zones += total
    for place in range(owner.places):
        for _ in range(group.per_owner):
            layout.zone_owner.append(
                -1 if owner.name == "" else place if owner.slots else owner.first + place
            )
            layout.zone_group.append(group)
    layout.groups.append(group)
