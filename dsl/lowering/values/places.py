"""Contents of places as lists and counts: players in play, pieces of zones, tokens of places, used cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.suggest import listed_or
from rulewright.dsl.lowering.workshop.code import (
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    choice,
    load,
    load_far,
    weight,
)
from rulewright.dsl.lowering.workshop.core import Compiler, Env, Procedure, Typed
from rulewright.dsl.lowering.workshop.layout import Family
from rulewright.dsl.lowering.workshop.paths import path_of
from rulewright.dsl.model import types
from rulewright.dsl.model.model import ThingKind
from rulewright.dsl.model.types import Type, item_of, list_of, range_of, whole
from rulewright.dsl.tree import syntax


def players_list(c: Compiler) -> Expr:
    """The players still in the game, in seat order."""
    seats = len(c.world.seats)
    if not c.eliminates:
        return ir.Const(tuple(range(seats)))

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        out, who = p.slot(), p.slot()
        return 0, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForRange(
                who,
                ZERO,
                ir.Const(seats - 1),
                (ir.If(load(c.layout.in_play, ir.Local(who)), (ir.Append(out, ir.Local(who)),)),),
            ),
            ir.Return(ir.Local(out)),
        ]

    return ir.CallValue(c.helper("players", write), ())


def winners_list(c: Compiler) -> Expr:
    """The players who have been named winners; asked from outside the rules, those who have won
    when the game is over."""
    if c.final_winners is not None:
        return choice(load(ir.OVER), ir.CallValue(c.final_winners, ()), ir.Const(()))

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        out, who = p.slot(), p.slot()
        last = ir.Const(len(c.world.seats) - 1)
        return 0, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForRange(
                who,
                ZERO,
                last,
                (ir.If(load(c.layout.won, ir.Local(who)), (ir.Append(out, ir.Local(who)),)),),
            ),
            ir.Return(ir.Local(out)),
        ]

    return ir.CallValue(c.helper("winners", write), ())


def range_list(c: Compiler, low: Expr, high: Expr) -> Expr:
    """The numbers from low to high."""
    if (
        isinstance(low, ir.Const)
        and isinstance(high, ir.Const)
        and isinstance(low.value, int)
        and isinstance(high.value, int)
    ):
        return ir.Const(tuple(range(low.value, high.value + 1)))

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        a, b, out, n = p.slot(), p.slot(), p.slot(), p.slot()
        return 2, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForRange(n, ir.Local(a), ir.Local(b), (ir.Append(out, ir.Local(n)),)),
            ir.Return(ir.Local(out)),
        ]

    return ir.CallValue(c.helper("range", write), (low, high))


def used_cells(c: Compiler, kind: str) -> Expr:
    """The cells of a growing grid that hold something, row by row."""
    growing = c.layout.growing[kind]

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        out, n = p.slot(), p.slot()
        count = binary("-", load(growing.used), ONE)
        return 0, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForRange(n, ZERO, count, (ir.Append(out, load(growing.order, ir.Local(n))),)),
            ir.Return(ir.Local(out)),
        ]

    return ir.CallValue(c.helper(f"used {kind}", write), ())


def zone_size(c: Compiler, zone: Typed) -> Expr:
    """How many pieces lie in a zone."""
    if zone.slot is not None:
        return choice(binary("<", zone.slot, ZERO), ZERO, ONE)
    return load(c.layout.count, zone.code)


def zone_list(env: Env, zone: Typed) -> Typed:
    """The pieces of a zone, from bottom to top (sets: in the order of the tables; rows: by slot)."""
    c = env.c
    assert isinstance(zone.type, types.Several)
    most = c.world.size_of(zone.type.of)
    if zone.family is not None and zone.family.shape == "spot":
        most = 1
    if zone.slot is not None:
        made = choice(binary("<", zone.slot, ZERO), ir.Const(()), ir.MakeList((zone.slot,)))
        return Typed(list_of(zone.type.of, 1, ordered=True), made)
    if zone.family is not None and zone.family.shape == "row":
        most = min(most, zone.family.slots)
        return Typed(
            list_of(zone.type.of, most, ordered=True),
            ir.CallValue(_row_reader(c), (zone.code,)),
        )

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        z, out, x = p.slot(), p.slot(), p.slot()
        return 1, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.SetLocal(x, load(c.layout.head, ir.Local(z))),
            ir.While(
                binary(">=", ir.Local(x), ZERO),
                (ir.Append(out, ir.Local(x)), ir.SetLocal(x, load(c.layout.next, ir.Local(x)))),
            ),
            ir.Return(ir.Local(out)),
        ]

    ordered = zone.family is not None and zone.family.shape == "pile"
    return Typed(
        list_of(zone.type.of, most, ordered=ordered),
        ir.CallValue(c.helper("pieces", write), (zone.code,)),
    )


def row_cells(c: Compiler, zone: Expr) -> Expr:
    """The first slot cell of a row zone."""
    rows = c.layout.row_base
    if isinstance(zone, ir.Const) and isinstance(zone.value, int):
        return ir.Const(rows[zone.value])
    low, high = min(rows), max(rows)
    return ir.Table(
        c.table([rows.get(z, 0) for z in range(low, high + 1)]), binary("-", zone, ir.Const(low))
    )


def row_length(c: Compiler, zone: Expr) -> Expr:
    """How many slots a row zone has."""
    rows = c.layout.row_base
    slots = [
        c.layout.zone_family[z].slots if z in rows else 0 for z in range(min(rows), max(rows) + 1)
    ]
    if len(set(slots)) == 1:
        return ir.Const(slots[0])
    if isinstance(zone, ir.Const) and isinstance(zone.value, int):
        return ir.Const(slots[zone.value - min(rows)])
    return ir.Table(c.table(slots), binary("-", zone, ir.Const(min(rows))))


def _row_reader(c: Compiler) -> int:
    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        z, out, base, n, x = p.slot(), p.slot(), p.slot(), p.slot(), p.slot()
        return 1, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.SetLocal(base, row_cells(c, ir.Local(z))),
            ir.ForRange(
                n,
                ZERO,
                binary("-", row_length(c, ir.Local(z)), ONE),
                (
                    ir.SetLocal(x, ir.Load(binary("+", ir.Local(base), ir.Local(n)))),
                    ir.If(binary(">=", ir.Local(x), ZERO), (ir.Append(out, ir.Local(x)),)),
                ),
            ),
            ir.Return(ir.Local(out)),
        ]

    return c.helper("row pieces", write)


def token_count(env: Env, place: Typed, e: syntax.Expression, *, total: bool = False) -> Typed:
    """How many tokens lie in a place (of all colours together)."""
    family = place.family
    assert family is not None
    most = family.type
    known = env.facts.get(f"{path_of(e)}.size")
    if known is not None:
        most = whole(max(0, range_of(known).low), range_of(known).high)
    if family.colours == 1:
        return Typed(most, ir.Load(place.code))
    if isinstance(place.code, ir.Const) or weight(place.code) < 8:
        code: Expr = ir.Load(place.code)
        for colour in range(1, family.colours):
            code = binary("+", code, ir.Load(binary("+", ir.Const(colour), place.code)))
        return Typed(most, code)

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        p.slot()
        code: Expr = ir.Load(ir.Local(0))
        for colour in range(1, family.colours):
            code = binary("+", code, ir.Load(binary("+", ir.Const(colour), ir.Local(0))))
        return 1, [ir.Return(code)]

    return Typed(most, ir.CallValue(env.c.helper(f"tokens {family.colours}", write), (place.code,)))


def place_of_owner(c: Compiler, family: Family, subject: Expr | None) -> Expr:
    """Which of the places of a family belongs to an owner."""
    owner = family.owner
    if owner.name == "" or subject is None:
        return ZERO
    offset = binary("-", subject, ir.Const(owner.first))
    if owner.slots:
        return load_far(owner.slot_map, offset)
    return offset


def index_of(env: Env, family: Family, arguments: Sequence[Expr]) -> Expr:
    """The offset of the indices among the places of one owner."""
    code: Expr = ZERO
    for index, argument in zip(family.indices, arguments, strict=True):
        code = binary(
            "+",
            binary("*", code, ir.Const(index.size)),
            binary("-", argument, ir.Const(index.low)),
        )
    return binary("*", code, ir.Const(family.width))


def kinds_of(env: Env, type: Type) -> list[ThingKind]:
    """The kinds a thing may be of."""
    found = [env.c.world.thing(name) for name in type.names]
    return [kind for kind in found if kind is not None]


def zones_there(env: Env, type: Type, text: str) -> str:
    """The suggestion for a player or a space that is written for one of its zones."""
    if not isinstance(type, (types.Player, types.Space)) or type.opt:
        return ""
    owners = ("player",) if isinstance(type, types.Player) else type.names
    zones = [
        family.name
        for family in env.c.layout.families
        if family.owner.name in owners and family.what in ("zone", "tokens")
    ]
    if zones:
        return f"write {listed_or([f'{text}.{zone}' for zone in dict.fromkeys(zones)][:4])}: say which zone"
    block = "player" if isinstance(type, types.Player) else f"space {owners[0]}"
    return f"give it a zone: write `zone NAME: set of PIECE` below `{block}`"


def states_there(env: Env, type: Type, text: str) -> str:
    """The suggestion for `is empty` of a thing: a test of a state that may be nothing, or of a zone."""
    states = [
        family.name
        for family in env.c.layout.families
        if family.owner.name in type.names and family.what == "state" and family.type.opt
    ]
    if not isinstance(type, types.Space) or not states or type.opt:
        return zones_there(env, type, text)
    return f"write {listed_or([f'{text}.{state} is nothing' for state in states[:3]])}"


def neighbour_table(c: Compiler, type: Type) -> Callable[[Expr], Expr]:
    """The list of neighbours of a space: on grids the cells beside it, elsewhere those joined to it by a link."""
    kinds = [k for k in (c.world.thing(n) for n in type.names) if k is not None]
    if len(kinds) == 1 and kinds[0].places:
        kind = kinds[0]
        table = c.table(kind.grid.neighbors)
        return lambda code: ir.Table(table, binary("-", code, ir.Const(kind.first)))
    table = c.table(linked(c, type))
    return lambda code: ir.Table(table, code)


def linked(c: Compiler, type: Type) -> list[tuple[int, ...]]:
    """Spaces joined by links, for all spaces by id."""
    last = max((k.first + k.count for k in c.world.spaces.values()), default=0)
    joined: list[list[int]] = [[] for _ in range(last)]
    for link in c.world.spaces.values():
        if link.joins is None:
            continue
        first, second = (link.columns[end].values for end in link.joins)
        for a, b in zip(first, second, strict=True):
            if isinstance(a, int) and isinstance(b, int):
                joined[a].append(b)
                joined[b].append(a)
    return [tuple(sorted(set(ids))) for ids in joined]


def nested(type: Type) -> str:
    """A suffix for the name of a helper that says how deeply lists are nested; "" for a list of single things."""
    return (
        f" of {nested(type.of)} lists"
        if isinstance(type, types.Several) and isinstance(type.of, types.List)
        else ""
    )


def item(c: Compiler, listed: Typed, index: Expr) -> Expr:
    """The item of a list at a place counted from 0: nothing outside, and an empty list where items are lists."""
    of = item_of(listed.type)
    if of is None or not isinstance(of, types.List):
        return ir.At(listed.code, index)

    def write(p: Procedure) -> tuple[int, Stmts]:
        items, at = p.slot(), p.slot()
        inside = both(
            binary("<=", ZERO, ir.Local(at)),
            binary("<", ir.Local(at), ir.Length(ir.Local(items))),
        )
        found = ir.Return(ir.At(ir.Local(items), ir.Local(at)))
        return 2, [ir.If(inside, (found,)), ir.Return(ir.Const(()))]

    return ir.CallValue(c.helper(f"item of list{nested(listed.type)}", write), (listed.code, index))


def without_one(c: Compiler) -> int:
    """A list without the first occurrence of one thing."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        items, x, out, y, found = (p.slot() for _ in range(5))
        is_it = both(binary("==", ir.Local(y), ir.Local(x)), binary("==", ir.Local(found), ZERO))
        each = ir.If(is_it, (ir.SetLocal(found, ONE),), (ir.Append(out, ir.Local(y)),))
        return 2, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.SetLocal(found, ZERO),
            ir.ForEach(y, ir.Local(items), (each,)),
            ir.Return(ir.Local(out)),
        ]

    return c.helper("list without one", write)
