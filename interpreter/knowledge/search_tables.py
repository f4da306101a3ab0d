"""Makes tables of hidden information for a search: visibility, possible exchanges of pieces, and observations.

The tables are made once for a game. They encode `hidden_pieces` and `visible_cells` as numbers, and
are used by `rulewright.interpreter.engines.kernels.hidden`.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from math import prod
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import (
    Binary,
    CallValue,
    Const,
    Load,
    Local,
    LocalList,
    PieceKind,
    PlaceInfo,
    Table,
)
from rulewright.interpreter.engines.kernels import hidden
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.knowledge.hidden_pieces import cells_of, columns_of, disclosed_anywhere
from rulewright.interpreter.knowledge.hidden_zones import hidden_zones
from rulewright.interpreter.knowledge.past_tables import tables_of_chance, tables_of_lines
from rulewright.interpreter.knowledge.visible_cells import (
    CellGroup,
    Eyes,
    Lists,
    Part,
    Run,
    Sums,
    groups_of,
)
from rulewright.interpreter.views.compiled_game import CompiledGame

_CELL, _LOCAL, _LIST = range(3)
_OF_PIECES = (
    "piece_profile",
    "piece_need",
    "group",
    "in_order",
    "rank",
    "member",
    "lying",
    "by_number",
    "at_place",
    "asked_place",
    "via",
    "swapped",
    "old",
    "tied",
)
"""The working arrays that contain a number for each piece."""

T = TypeVar("T", bound=Hashable)


@attrs.define(eq=False)
class _Numbers(Generic[T]):
    """Assigns numbers to things in the order of their first use."""

    known: dict[T, int] = attrs.field(factory=dict)

    def of(self, thing: T) -> int:
        """Return the number of a thing."""
        return self.known.setdefault(thing, len(self.known))


_TABLES: WeakKeyDictionary[CompiledGame, dict[str, array[int] | int]] = WeakKeyDictionary()


def tell_search(t: Tree, compiled: CompiledGame) -> None:
    """Write the tables to the tree of a search, and allocate its working arrays."""
    found = _TABLES.get(compiled)
    if found is None:
        found = _TABLES[compiled] = _make_tables(compiled)
    for name, value in found.items():
        setattr(t, name, value)
    for name in _OF_PIECES:
        setattr(t, name, array("q", bytes(8 * (t.pieces + 1))))
    t.profile, t.need = (array("q", bytes(8 * 2 * (t.pieces + 1))) for _ in range(2))


def _make_tables(compiled: CompiledGame) -> dict[str, array[int] | int]:
    program, links = compiled.program, compiled.program.links
    tables: dict[str, array[int] | int] = {
        "size": program.size,
        "together": program.together,
        "pieces": links.pieces,
        "zones": links.zones,
        "links": array(
            "q",
            (
                links.zone_of,
                links.slot_of,
                links.known,
                links.next,
                links.previous,
                links.head,
                links.tail,
                links.count,
            ),
        ),
    }
    if links.pieces:
        tables |= _of_pieces(compiled) | _of_zones(compiled) | _of_ties(compiled)
    tables |= tables_of_lines(compiled) | tables_of_chance(compiled)
    return tables | _of_questions(compiled) | _of_sights(compiled)


# ---- pieces and zones ----------------------------------------------------------------------------


def _zones(compiled: CompiledGame) -> Iterator[tuple[int, PlaceInfo, int]]:
    for place in compiled.program.places:
        for zone, owner in compiled.viewer.zones_of(place):
            yield zone, place, owner


def _of_pieces(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the tables that say which classes of pieces fit into which classes of zones."""
    disclosed = disclosed_anywhere(compiled)
    profiles = _Numbers[tuple[str, tuple[tuple[str, object], ...]]]()
    places = _Numbers[tuple[tuple[str, ...], tuple[str, ...]]]()
    of_piece = array("q", bytes(8 * compiled.program.links.pieces))
    for kind in compiled.program.pieces:
        for piece in range(kind.first, kind.first + kind.count):
            columns = tuple(columns_of(compiled, kind, piece, disclosed))
            of_piece[piece] = profiles.of((kind.name, columns))
    zones = compiled.program.links.zones
    open_class, apart_class = array("q", bytes(8 * zones)), array("q", bytes(8 * zones))
    for zone, place, _ in _zones(compiled):
        shown = tuple(name for name in place.except_for if name in disclosed)
        open_class[zone] = places.of((place.kinds, shown))
        apart_class[zone] = places.of((place.kinds, ()))
    # The first table contains the columns that each class of places shows of each class of pieces.
    # The second contains the pieces that may be in each class of places, by the columns that the
    # class shows.
    backs = _Numbers[tuple[tuple[str, ...], tuple[tuple[str, object], ...]]]()
    back = array("q", bytes(8 * len(profiles.known) * len(places.known)))
    for number, (kinds, shown) in enumerate(places.known):
        for profile, (_, columns) in enumerate(profiles.known):
            seen = tuple(each for each in columns if each[0] in shown)
            back[profile * len(places.known) + number] = backs.of((kinds, seen))
    fitting = array("b")
    for name, columns in profiles.known:
        has = dict(columns)
        for kinds, seen in backs.known:
            same = all(has.get(one) == value for one, value in seen)
            fitting.append(name in kinds and same)
    return {
        "piece_class": of_piece,
        "zone_class": open_class,
        "apart_class": apart_class,
        "zone_classes": len(places.known),
        "back": back,
        "backs": len(backs.known),
        "fitting": fitting,
    }


def _of_zones(compiled: CompiledGame) -> dict[str, array[int] | int]:
    program, viewer = compiled.program, compiled.viewer
    seats, zones, blocks = program.seats, program.links.zones, len(program.apart) + 1
    sees, owners = array("b", bytes(zones * seats)), array("q", bytes(8 * zones))
    apart = array("b", bytes(zones * blocks))
    is_set, is_row = array("b", bytes(zones)), array("b", bytes(zones))
    grown = array("q", (-1, 0) * zones)
    for number, place in enumerate(program.places):
        each = prod(place.sizes)
        for position in range(len(place.owners)):
            for member in range(each):
                zone = place.first + position * place.stride + member
                if place.cell_of >= 0:
                    grown[2 * zone] = place.cell_of + position
                    grown[2 * zone + 1] = number * 256 + member
        for zone, owner in viewer.zones_of(place):
            owners[zone] = owner
            is_set[zone], is_row[zone] = place.shape == "set", place.shape == "row"
            for seat in range(seats):
                sees[zone * seats + seat] = viewer.may_see(place, owner, seat)
            for block, names in enumerate(program.apart, 1):
                apart[block * zones + zone] = place.owner == "player" and place.name in names
    orders, order, may_move = array("q", [0]), array("q"), array("q")
    for block in range(blocks):
        for seat in range(seats):
            hides = hidden_zones(compiled, block, seat)
            may_move.extend(hides.may_move.get(zone, 0) for zone in range(zones))
            order.extend(hides.zones)
            orders.append(len(order))
    row_starts, row_places = array("q", [0]), array("q")
    for zone in range(zones):
        first, slots = viewer.row_cells.get(zone, (0, 0))
        row_places.extend(range(first, first + slots))
        row_starts.append(len(row_places))
    return {
        "sees": sees,
        "owner": owners,
        "apart": apart,
        "is_set": is_set,
        "is_row": is_row,
        "grown": grown,
        "zone_orders": orders,
        "zone_order": order,
        "may_move": may_move,
        "row_start": row_starts,
        "row_place": row_places,
        "row_places": len(row_places),
    }


def _of_ties(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the table for `hidden_pieces.tied`."""
    program = compiled.program
    kinds = {kind.name for kind in program.pieces}
    values: list[int] = []
    tests: list[int] = []
    for kept in program.kept:
        if compiled.words.is_of_pieces(kept.domain):
            values += (cell for _, cell in cells_of(kept))
        if kept.owner in kinds:
            for owner, cell in cells_of(kept):
                tests += (owner, cell, kept.start)
    for place in program.places:
        if place.owner in kinds:
            for zone, owner in compiled.viewer.zones_of(place):
                tests += (owner, program.links.count + zone, 0)
    for tokens in program.tokens:
        if tokens.owner in kinds:
            for position, owner in enumerate(tokens.owners):
                first = tokens.base + position * tokens.stride
                for cell in range(first, first + tokens.stride):
                    tests += (owner, cell, 0)
    return {
        "tie_value": array("q", values),
        "tie_values": len(values),
        "tie_test": array("q", tests),
        "tie_tests": len(tests) // 3,
    }


# ---- seen things ---------------------------------------------------------------------------------


def _of_questions(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the table of the arguments in the text of each question."""
    starts, found = [0], list[int]()
    for site in compiled.program.sites:
        for place, what in dict.fromkeys(_inputs(site.prompt_arguments)):
            found += (place, what)
        starts.append(len(found) // 2)
    return {"question": array("q", starts), "asked": array("q", found)}


def _inputs(node: object) -> Iterator[tuple[int, int]]:
    """Yield the cells and locals that an expression reads. In a call, only the arguments are searched."""
    match node:
        case Local(slot):
            yield slot, _LOCAL
        case LocalList(slot):
            yield slot, _LIST
        case Load(Const(int(address)), False):
            yield address, _CELL
        case CallValue(_, arguments):
            yield from _inputs(arguments)
        case tuple():
            for part in node:
                yield from _inputs(part)
        case Table(_, index):
            yield from _inputs(index)
        case Binary(_, left, right):
            yield from _inputs((left, right))
        case _:  # all others: questions reveal nothing about them
            return


def _of_sights(compiled: CompiledGame) -> dict[str, array[int] | int]:
    """Return the plans that read each seat's observation."""
    program = compiled.program
    starts, rows = [0], array("q")
    for block in range(len(program.apart) + 1):
        for seat in range(program.seats):
            for row in _rows(compiled, Eyes(compiled.viewer, seat, block)):
                rows.extend(row)
            starts.append(len(rows) // hidden.ROW)
    return {"plans": array("q", starts), "plan": rows}


def _rows(compiled: CompiledGame, eyes: Eyes) -> Iterator[Sequence[int]]:
    program = compiled.program
    in_play = program.in_play
    yield hidden.PLAIN, hidden.CELLS, in_play, in_play + program.seats, 1, 0, 0
    cell_groups: tuple[CellGroup, ...] = (*program.kept, *program.places, *program.tokens)
    group = 0
    for number, cell_group in enumerate(cell_groups):
        if not cell_group.listed:
            continue
        kind = next((k for k in program.pieces if k.name == cell_group.owner), None)
        groups = _group_numbers(kind, cell_group.owners) if kind is not None else []
        for position, owner in enumerate(cell_group.owners):
            what = _what(eyes.of_owner(cell_group, position, owner))
            if cell_group.cell_of >= 0:
                yield hidden.IN_SLOT, *what, cell_group.cell_of + position, number
            elif kind is not None:
                yield hidden.ON_PIECE, *what, owner, group + groups[position]
            elif what[0] != hidden.NOTHING:
                yield hidden.PLAIN, *what, 0, 0
        group += len(groups)
    for kind in program.pieces:
        pieces = range(kind.first, kind.first + kind.count)
        groups = _group_numbers(kind, pieces)
        for piece, one in zip(pieces, groups, strict=True):
            yield hidden.IS_PIECE, hidden.NOTHING, 0, 0, 1, piece, group + one
        group += len(groups)


def _group_numbers(kind: PieceKind, owners: Sequence[int]) -> list[int]:
    """Return, for each piece, the number of its group of equal copies."""
    names = [kind.rows[owner - kind.first] for owner in owners]
    found = [0] * len(names)
    for number, group in enumerate(groups_of(names)):
        for position in group:
            found[position] = number
    return found


def _what(part: Part) -> tuple[int, int, int, int]:
    match part:
        case Run(first, last):
            return hidden.CELLS, first, last, 1
        case Lists(first, last, step):
            return hidden.LISTS, first, last, step
        case Sums(first, last, step):
            return hidden.SUMS, first, last, step
        case _:
            return hidden.NOTHING, 0, 0, 1
