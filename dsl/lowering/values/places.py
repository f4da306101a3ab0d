"""Lowers lists of players, pieces and used cells, and the numbers of pieces and tokens in a place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, one_of
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    ONE,
    ZERO,
    Expr,
    binary,
    choice,
    load,
    load_far,
    weight,
)
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.paths import path_of
from rulewright.dsl.lowering.emit.routines import Cells, Inline, routine
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, item_of, list_of, range_of, whole
from rulewright.dsl.tree import syntax


def players_list(c: Compiler) -> Expr:
    """Return code that lists the players still in the game, in seat order."""
    seats = len(c.model.seats)
    if not c.eliminates:
        return ir.Const(tuple(range(seats)))
    return ir.CallValue(routine(c, "players", seats=seats), ())


def winners_list(c: Compiler) -> Expr:
    """Return code that lists the winners that the rules have named.

    Outside the rules, the code lists the final winners.
    """
    if c.final_winners is not None:
        return choice(load(ir.OVER), ir.CallValue(c.final_winners, ()), ir.Const(()))
    return ir.CallValue(routine(c, "winners", seats=len(c.model.seats)), ())


def range_list(c: Compiler, low: Expr, high: Expr) -> Expr:
    """Return code that lists the numbers from `low` to `high`."""
    if (
        isinstance(low, ir.Const)
        and isinstance(high, ir.Const)
        and isinstance(low.value, int)
        and isinstance(high.value, int)
    ):
        return ir.Const(tuple(range(low.value, high.value + 1)))
    return ir.CallValue(routine(c, "range"), (low, high))


def used_cells(c: Compiler, kind: str) -> Expr:
    """Return code that lists the cells of a growing grid that are not empty, row by row."""
    growing = c.layout.growing[kind]
    helper = routine(
        c, "used", f"used {kind}", used=Cells(growing.used), order=Cells(growing.order)
    )
    return ir.CallValue(helper, ())


def zone_size(c: Compiler, zone: Typed) -> Expr:
    """Return code that reads the number of pieces in a zone."""
    if zone.slot is not None:
        return choice(binary("<", zone.slot, ZERO), ZERO, ONE)
    return load(c.layout.count, zone.code)


def zone_list(env: Env, zone: Typed) -> Typed:
    """Return the list of the pieces in a zone: for a set, in the order of the tables; for a row, by
    slot; for a pile, from the bottom.
    """
    c = env.c
    assert isinstance(zone.type, types.Several)
    most = c.model.size_of(zone.type.of)
    if zone.group is not None and zone.group.shape == "spot":
        most = 1
    if zone.slot is not None:
        made = choice(binary("<", zone.slot, ZERO), ir.Const(()), ir.MakeList((zone.slot,)))
        return Typed(list_of(zone.type.of, 1, ordered=True), made)
    if zone.group is not None and zone.group.shape == "row":
        most = min(most, zone.group.slots)
        reader = routine(c, "row pieces", **row_names(c))
        return Typed(list_of(zone.type.of, most, ordered=True), ir.CallValue(reader, (zone.code,)))
    reader = routine(c, "pieces")
    ordered = zone.group is not None and zone.group.shape == "pile"
    return Typed(list_of(zone.type.of, most, ordered=ordered), ir.CallValue(reader, (zone.code,)))


def row_cells(c: Compiler, zone: Expr) -> Expr:
    """Return code that computes the index of the cell for the first slot of a row."""
    rows = c.layout.row_base
    if isinstance(zone, ir.Const) and isinstance(zone.value, int):
        return ir.Const(rows[zone.value])
    low, high = min(rows), max(rows)
    return ir.Table(
        c.table([rows.get(z, 0) for z in range(low, high + 1)]), binary("-", zone, ir.Const(low))
    )


def _row_length(c: Compiler, zone: Expr) -> Expr:
    """Return code that computes the number of slots in a row."""
    rows = c.layout.row_base
    slots = [
        c.layout.zone_group[z].slots if z in rows else 0 for z in range(min(rows), max(rows) + 1)
    ]
    if len(set(slots)) == 1:
        return ir.Const(slots[0])
    if isinstance(zone, ir.Const) and isinstance(zone.value, int):
        return ir.Const(slots[zone.value - min(rows)])
    return ir.Table(c.table(slots), binary("-", zone, ir.Const(min(rows))))


def row_names(c: Compiler) -> dict[str, Inline]:
    """Return the meanings of the names in helper procedures for rows: the first cell and the number of slots."""
    return {
        "row_cells": Inline(lambda zone: row_cells(c, zone)),
        "length": Inline(lambda zone: _row_length(c, zone)),
    }


def token_count(env: Env, place: Typed, e: syntax.Expression) -> Typed:
    """Return the total number of tokens of all colours in a place."""
    group = place.group
    assert group is not None
    most = group.type
    known = env.facts.get(f"{path_of(e)}.size")
    if known is not None:
        most = whole(max(0, range_of(known).low), range_of(known).high)
    if group.colours == 1:
        return Typed(most, ir.Load(place.code))
    if isinstance(place.code, ir.Const) or weight(place.code) < 8:
        return Typed(most, _all_colours_count(group, place.code))
    helper = routine(
        env.c,
        "tokens",
        f"tokens {group.colours}",
        count=Inline(lambda place: _all_colours_count(group, place)),
    )
    return Typed(most, ir.CallValue(helper, (place.code,)))


def value_or_count(env: Env, e: syntax.Expression, expect: Type | None = None) -> Typed:
    """Lower an expression. A place for tokens becomes the number of its tokens."""
    return tokens_as_number(env, recursion.expression(env, e, expect), e)


def tokens_as_number(env: Env, typed: Typed, e: syntax.Expression) -> Typed:
    """For a place for tokens, return the number of tokens in it. Return any other value unchanged."""
    return token_count(env, typed, e) if isinstance(typed.type, types.Tokens) else typed


def _all_colours_count(group: CellGroup, place: Expr) -> Expr:
    """Return code that computes the number of tokens of all colours in a place."""
    code: Expr = ir.Load(place)
    for colour in range(1, group.colours):
        code = binary("+", code, ir.Load(binary("+", ir.Const(colour), place)))
    return code


def place_of_owner(group: CellGroup, subject: Expr | None) -> Expr:
    """Return code that computes the position of an owner among the owners of a group."""
    owner = group.owner
    if owner.name == "" or subject is None:
        return ZERO
    offset = binary("-", subject, ir.Const(owner.first))
    if owner.slots:
        return load_far(owner.slot_map, offset)
    return offset


def index_of(group: CellGroup, arguments: Sequence[Expr]) -> Expr:
    """Return code that computes the offset, among the places of one owner, of the place that the indices select."""
    code: Expr = ZERO
    for index, argument in zip(group.indices, arguments, strict=True):
        code = binary(
            "+",
            binary("*", code, ir.Const(index.size)),
            binary("-", argument, ir.Const(index.low)),
        )
    return binary("*", code, ir.Const(group.width))


def zones_help(env: Env, type: Type, text: str) -> Help:
    """Return help for the use of a player or space where one of its zones is needed."""
    if not isinstance(type, (types.Player, types.Space)) or type.opt:
        return ""
    owners = ("player",) if isinstance(type, types.Player) else type.names
    zones = [
        group.name
        for group in env.c.layout.groups
        if group.owner.name in owners and group.what in ("zone", "tokens")
    ]
    if zones:
        named = [f"{text}.{zone}" for zone in dict.fromkeys(zones)]
        return "write " + one_of(named[:4]) + ": say which zone"
    block = "player" if isinstance(type, types.Player) else f"space {owners[0]}"
    return f"give it a zone: write `zone NAME: set of PIECE` below `{block}`"


def states_help(env: Env, type: Type, text: str) -> Help:
    """Return the help for `is empty` after a thing. It suggests a test of a zone, or of a state that may be nothing."""
    states = [
        group.name
        for group in env.c.layout.groups
        if group.owner.name in type.names and group.what == "state" and group.type.opt
    ]
    if not isinstance(type, types.Space) or not states or type.opt:
        return zones_help(env, type, text)
    return "write " + one_of([f"{text}.{state} is nothing" for state in states[:3]])


def neighbour_table(c: Compiler, type: Type) -> Callable[[Expr], Expr]:
    """Return a function that maps the code of a space to the code of its neighbours.

    The neighbours are the adjacent cells on a grid, and the linked spaces elsewhere.
    """
    kinds = c.model.kinds_of(type)
    if len(kinds) == 1 and kinds[0].places:
        kind = kinds[0]
        table = c.table(kind.grid.neighbors)
        return lambda code: ir.Table(table, binary("-", code, ir.Const(kind.first)))
    table = c.table(linked_spaces(c))
    return lambda code: ir.Table(table, code)


def linked_spaces(c: Compiler) -> list[tuple[int, ...]]:
    """For each space, in order of its id, return the spaces that are linked to it."""
    last = max((k.first + k.count for k in c.model.spaces.values()), default=0)
    joined: list[list[int]] = [[] for _ in range(last)]
    for link in c.model.spaces.values():
        if link.joins is None:
            continue
        first, second = (link.columns[end].values for end in link.joins)
        for a, b in zip(first, second, strict=True):
            if isinstance(a, int) and isinstance(b, int):
                joined[a].append(b)
                joined[b].append(a)
    return [tuple(sorted(set(ids))) for ids in joined]


def nesting_suffix(type: Type) -> str:
    """Return the suffix, in a helper procedure's name, that shows how deeply lists are nested; ""
    for a list of single things.
    """
    return (
        f" of {nesting_suffix(type.of)} lists"
        if isinstance(type, types.Several) and isinstance(type.of, types.List)
        else ""
    )


def list_item(c: Compiler, listed: Typed, index: Expr) -> Expr:
    """Return code that reads the item of a list at an index counted from 0.

    If the index is out of range, the item is nothing or, in a list of lists, an empty list.
    """
    of = item_of(listed.type)
    if of is None or not isinstance(of, types.List):
        return ir.At(listed.code, index)
    helper = routine(c, "item of list", f"item of list{nesting_suffix(listed.type)}")
    return ir.CallValue(helper, (listed.code, index))
