"""The helper procedures that relink zones: they take one piece, or a list of pieces, from one place to another.

Also keeps which pieces players remember out of sight, and the slots of growing grids. Independent of statements.
"""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.values import places
from rulewright.dsl.lowering.workshop.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    cell,
    either,
    load,
    load_far,
    negated,
)
from rulewright.dsl.lowering.workshop.core import Compiler, Procedure
from rulewright.dsl.lowering.workshop.layout import Family, Growing

MOST_IN_TABLE = 5
"""The most players for whom unions of player sets are read from a table of 1,024 numbers."""


def set_cell(base: int, index: Expr, value: Expr) -> ir.Stmt:
    """`base[index] = value`"""
    return ir.Store(cell(base, index), value)


def set_far(base: int, index: Expr, value: Expr) -> ir.Stmt:
    """`base[index] = value`, of cells that are seldom written."""
    return ir.Store(cell(base, index), value, far=True)


def _unlink(c: Compiler) -> int:
    """Take a piece out of its place."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, n, b = (p.slot() for _ in range(4))
        X, Z, N, B = (ir.Local(s) for s in (x, z, n, b))
        stmts: Stmts = [
            ir.SetLocal(z, load(lay.zone_of, X)),
            ir.If(binary("<", Z, ZERO), (ir.Return(),)),
            set_cell(lay.zone_of, X, NONE),
            set_cell(lay.count, Z, ir.Binary("-", load(lay.count, Z), ONE)),
        ]
        linked: Stmts = [
            ir.SetLocal(n, load(lay.next, X)),
            ir.SetLocal(b, load(lay.previous, X)),
            ir.If(binary(">=", B, ZERO), (set_cell(lay.next, B, N),), (set_cell(lay.head, Z, N),)),
            ir.If(
                binary(">=", N, ZERO), (set_cell(lay.previous, N, B),), (set_cell(lay.tail, Z, B),)
            ),
            set_cell(lay.next, X, NONE),
            set_cell(lay.previous, X, NONE),
        ]
        if lay.slot_of >= 0:
            s = p.slot()
            S = ir.Local(s)
            freed = (
                ir.Store(binary("+", places.row_cells(c, Z), binary("-", S, ONE)), NONE),
                set_cell(lay.slot_of, X, ZERO),
            )
            stmts += [ir.SetLocal(s, load(lay.slot_of, X)), ir.If(S, freed, tuple(linked))]
        else:
            stmts += linked
        for growing in lay.growing.values():
            stmts += _release_zone(c, growing, Z)
        return 1, stmts

    return c.helper("unlink", write)


def _release_zone(c: Compiler, growing: Growing, zone: Expr) -> Stmts:
    stmts: Stmts = []
    for family in c.layout.families:
        if family.what == "zone" and family.owner.name == growing.kind.name:
            count = family.per_owner * family.owner.places
            inside = both(
                binary("<=", ir.Const(family.base), zone),
                binary("<", zone, ir.Const(family.base + count)),
            )
            at: Expr = binary("-", zone, ir.Const(family.base))
            if family.per_owner > 1:
                at = binary("//", at, ir.Const(family.per_owner))
            stmts.append(
                ir.If(inside, (ir.CallPlain(release(c, growing), (load(growing.cell_of, at),)),))
            )
    return stmts


def ensure(c: Compiler, growing: Growing) -> int:
    """Give a cell of a growing grid a slot, if it has none."""
    kind = growing.kind
    fault = c.fault(
        "grid-full",
        f"more cells of `{kind.name}` are in use than the game has pieces for",
        kind.span,
    )

    def write(p: Procedure) -> tuple[int, Stmts]:
        at, slot, n, other = (p.slot() for _ in range(4))
        A, S, N, Q = (ir.Local(s) for s in (at, slot, n, other))
        offset = binary("-", A, ir.Const(kind.first))
        return 1, [
            ir.If(binary(">", load_far(growing.map, offset), ZERO), (ir.Return(),)),
            ir.SetLocal(slot, ONE),
            ir.While(
                ir.And(
                    binary("<", S, ir.Const(growing.slots)),
                    binary(">=", load(growing.cell_of, S), ZERO),
                ),
                (ir.SetLocal(slot, binary("+", ONE, S)),),
            ),
            ir.If(binary(">=", S, ir.Const(growing.slots)), (ir.Fault(fault),)),
            set_cell(growing.cell_of, S, A),
            set_far(growing.map, offset, S),
            ir.SetLocal(n, load(growing.used)),
            ir.Store(ir.Const(growing.used), binary("+", ONE, N)),
            ir.While(
                binary(">", N, ZERO),
                (
                    ir.SetLocal(other, load(growing.order, binary("-", N, ONE))),
                    ir.If(binary("<", Q, A), (ir.Break(),)),
                    set_cell(growing.order, N, Q),
                    ir.SetLocal(n, binary("-", N, ONE)),
                ),
            ),
            set_cell(growing.order, N, A),
        ]

    return c.helper(f"ensure {kind.name}", write)


def release(c: Compiler, growing: Growing) -> int:
    """Give the slot of a cell back when nothing is there any more."""
    kind = growing.kind
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        at, slot, n, i = (p.slot() for _ in range(4))
        A, S, N = ir.Local(at), ir.Local(slot), ir.Local(n)
        offset = binary("-", A, ir.Const(kind.first))
        tests: Expr = ZERO
        for family in lay.families:
            if family.owner.name != kind.name:
                continue
            first = binary("+", ir.Const(family.base), binary("*", S, ir.Const(family.per_owner)))
            for k in range(family.per_owner):
                index = binary("+", ir.Const(k), first)
                if family.what == "zone":
                    tests = either(tests, load(lay.count, index))
                else:
                    tests = either(tests, binary("!=", ir.Load(index), ir.Const(family.start)))
        return 1, [
            ir.If(binary("<", A, ZERO), (ir.Return(),)),
            ir.SetLocal(slot, load_far(growing.map, offset)),
            ir.If(either(binary("==", S, ZERO), tests), (ir.Return(),)),
            set_far(growing.map, offset, ZERO),
            set_cell(growing.cell_of, S, NONE),
            ir.SetLocal(n, binary("-", load(growing.used), ONE)),
            ir.Store(ir.Const(growing.used), N),
            ir.SetLocal(i, ZERO),
            ir.While(
                binary("!=", load(growing.order, ir.Local(i)), A),
                (ir.SetLocal(i, binary("+", ONE, ir.Local(i))),),
            ),
            ir.While(
                binary("<", ir.Local(i), N),
                (
                    set_cell(
                        growing.order,
                        ir.Local(i),
                        load(growing.order, binary("+", ONE, ir.Local(i))),
                    ),
                    ir.SetLocal(i, binary("+", ONE, ir.Local(i))),
                ),
            ),
            set_cell(growing.order, N, NONE),
        ]

    return c.helper(f"release {kind.name}", write)


def _arrive(c: Compiler, piece: Expr, zone: Expr, with_all: bool) -> Stmts:
    """Take a piece out of its place and count it in a zone; the caller links it to its neighbors there.

    If it moves `with_all` pieces of its place, nobody loses sight of it; who knows it has been kept before."""
    lay = c.layout
    stmts: Stmts = []
    if lay.known >= 0 and not with_all:
        stmts.append(ir.CallPlain(_remember(c), (piece, zone)))
    return [
        *stmts,
        ir.If(binary(">=", load(lay.zone_of, piece), ZERO), (ir.CallPlain(_unlink(c), (piece,)),)),
        set_cell(lay.zone_of, piece, zone),
        set_cell(lay.count, zone, binary("+", ONE, load(lay.count, zone))),
    ]


def put(c: Compiler, where: str, *, with_all: bool = False) -> int:
    """Put a piece into a zone: on top, under it, or (sets) at its place in the order of the tables."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, n, b = (p.slot() for _ in range(4))
        X, Z, N, B = (ir.Local(s) for s in (x, z, n, b))
        stmts = _arrive(c, X, Z, with_all)
        if where == "top":
            stmts += [
                ir.SetLocal(b, load(lay.tail, Z)),
                set_cell(lay.previous, X, B),
                set_cell(lay.tail, Z, X),
                ir.If(
                    binary(">=", B, ZERO), (set_cell(lay.next, B, X),), (set_cell(lay.head, Z, X),)
                ),
            ]
        elif where == "under":
            stmts += [
                ir.SetLocal(n, load(lay.head, Z)),
                set_cell(lay.next, X, N),
                set_cell(lay.head, Z, X),
                ir.If(
                    binary(">=", N, ZERO),
                    (set_cell(lay.previous, N, X),),
                    (set_cell(lay.tail, Z, X),),
                ),
            ]
        else:
            stmts += [
                ir.SetLocal(b, load(lay.tail, Z)),
                ir.SetLocal(n, NONE),
                ir.While(
                    ir.And(binary(">=", B, ZERO), binary(">", B, X)),
                    (ir.SetLocal(n, B), ir.SetLocal(b, load(lay.previous, B))),
                ),
                set_cell(lay.previous, X, B),
                set_cell(lay.next, X, N),
                ir.If(
                    binary(">=", B, ZERO), (set_cell(lay.next, B, X),), (set_cell(lay.head, Z, X),)
                ),
                ir.If(
                    binary(">=", N, ZERO),
                    (set_cell(lay.previous, N, X),),
                    (set_cell(lay.tail, Z, X),),
                ),
            ]
        return 2, stmts

    return c.helper(f"put {where}{' with all' if with_all else ''}", write)


def hand_over(c: Compiler) -> int:
    """Move all pieces of a zone, in their order, to an empty one."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        a, z, x = (p.slot() for _ in range(3))
        A, Z, X = (ir.Local(s) for s in (a, z, x))
        learnt = (ir.CallPlain(learn(c), (X,)),) if lay.known >= 0 else ()
        stmts: Stmts = [
            ir.SetLocal(x, load(lay.head, A)),
            ir.If(binary("<", X, ZERO), (ir.Return(),)),
            set_cell(lay.head, Z, X),
            set_cell(lay.tail, Z, load(lay.tail, A)),
            set_cell(lay.count, Z, load(lay.count, A)),
            ir.While(
                binary(">=", X, ZERO),
                (
                    *learnt,
                    set_cell(lay.zone_of, X, Z),
                    ir.SetLocal(x, load(lay.next, X)),
                ),
            ),
            set_cell(lay.head, A, NONE),
            set_cell(lay.tail, A, NONE),
            set_cell(lay.count, A, ZERO),
        ]
        for growing in lay.growing.values():
            stmts += _release_zone(c, growing, A)
        return 2, stmts

    return c.helper("hand over", write)


def put_slot(c: Compiler, *, with_all: bool = False) -> int:
    """Put a piece into a slot of a row."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, s = (p.slot() for _ in range(3))
        X, Z, S = (ir.Local(n) for n in (x, z, s))
        return 3, [
            *_arrive(c, X, Z, with_all),
            set_cell(lay.slot_of, X, S),
            ir.Store(binary("+", places.row_cells(c, Z), binary("-", S, ONE)), X),
        ]

    return c.helper(f"put slot{' with all' if with_all else ''}", write)


def free_slot(c: Compiler) -> int:
    """The first empty slot of a row, counted from 1; 0 if it is full."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        z, n = p.slot(), p.slot()
        at = binary("+", places.row_cells(c, ir.Local(z)), binary("-", ir.Local(n), ONE))
        return 1, [
            ir.ForRange(
                n,
                ONE,
                places.row_length(c, ir.Local(z)),
                (ir.If(binary("<", ir.Load(at), ZERO), (ir.Return(ir.Local(n)),)),),
            ),
            ir.Return(ZERO),
        ]

    return c.helper("free slot", write)


def zone_sight(c: Compiler) -> list[int]:
    """For each zone the bits of the players who see its pieces."""
    seats = len(c.world.seats)
    everybody = (1 << seats) - 1
    bits: list[int] = []
    for zone, family in enumerate(c.layout.zone_family):
        if family.seen == "all":
            bits.append(everybody)
        elif family.seen == "nobody":
            bits.append(0)
        else:
            owner = c.layout.zone_owner[zone]
            who = _player_of(c, family, owner)
            own = 1 << who if who >= 0 else 0
            bits.append(everybody - own if family.seen == "others" and own else own)
    return bits


def _player_of(c: Compiler, family: Family, owner: int) -> int:
    if family.owner.name == "player":
        return owner
    kind = c.world.thing(family.owner.name)
    if kind is not None and kind.per_player and not family.owner.slots:
        return kind.owner[owner - kind.first]
    return -1


def _bit(c: Compiler, mask: Expr, seat: int) -> Expr:
    return binary("%", binary("//", mask, ir.Const(1 << seat)), ir.Const(2))


def _union(c: Compiler, one: Expr, other: Expr) -> Expr:
    """The players of either of two sets of bits."""
    seats = len(c.world.seats)
    if seats <= MOST_IN_TABLE:
        sets = range(1 << seats)
        table = c.table([a | b for a in sets for b in sets])
        return ir.Table(table, binary("+", other, binary("*", ir.Const(1 << seats), one)))
    total: Expr = ZERO
    for seat in range(seats):
        bit = binary("max", _bit(c, one, seat), _bit(c, other, seat))
        total = binary("+", total, binary("*", ir.Const(1 << seat), bit))
    return total


def learn(c: Compiler) -> int:
    """Note that the players who see a piece in its place know it from now on."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x = p.slot()
        X = ir.Local(x)
        seen = ir.Table(c.table(zone_sight(c)), load(lay.zone_of, X))
        return 1, [
            ir.If(
                binary(">=", load(lay.zone_of, X), ZERO),
                (set_cell(lay.known, X, _union(c, load(lay.known, X), seen)),),
            )
        ]

    return c.helper("learn", write)


def _remember(c: Compiler) -> int:
    """Keep which players still know a piece after a move: those who saw it before.

    A piece out of a hidden set is unknown to players who did not see it."""
    lay = c.layout
    sight = zone_sight(c)
    table = c.table(sight)
    seats = len(c.world.seats)
    everybody = ir.Const((1 << seats) - 1)
    shapes = c.table([int(f.shape == "pile") for f in lay.zone_family])

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, old, seen, y = (p.slot() for _ in range(5))
        X, OLD, SEEN, Y = ir.Local(x), ir.Local(old), ir.Local(seen), ir.Local(y)
        known = load(lay.known, X)
        # nobody sees which piece left a hidden set, so knowledge of the other pieces there becomes uncertain
        unsure: Stmts = []
        for seat in range(seats):
            known_y = _bit(c, load(lay.known, Y), seat)
            here = _bit(c, SEEN, seat)
            there = _bit(c, ir.Table(table, ir.Local(z)), seat)
            unsure.append(
                ir.If(
                    ir.And(negated(here), ir.And(negated(there), known_y)),
                    (set_cell(lay.known, Y, binary("-", load(lay.known, Y), ir.Const(1 << seat))),),
                )
            )
        blur: Stmts = [
            ir.SetLocal(y, load(lay.head, OLD)),
            ir.While(
                binary(">=", Y, ZERO),
                (ir.If(load(lay.known, Y), tuple(unsure)), ir.SetLocal(y, load(lay.next, Y))),
            ),
        ]
        alone = binary("==", load(lay.count, OLD), ONE)
        return 2, [
            ir.SetLocal(old, load(lay.zone_of, X)),
            ir.If(binary("<", OLD, ZERO), (ir.Return(),)),
            ir.SetLocal(seen, ir.Table(table, OLD)),
            ir.If(
                binary("==", SEEN, everybody),
                (set_cell(lay.known, X, SEEN), ir.Return()),
            ),
            ir.If(
                ir.Or(ir.Table(shapes, OLD), alone),
                (
                    ir.If(known, (set_cell(lay.known, X, _union(c, known, SEEN)),), ()),
                    ir.If(negated(known), (set_cell(lay.known, X, SEEN),)),
                    ir.Return(),
                ),
            ),
            *blur,
            set_cell(lay.known, X, SEEN),
        ]

    return c.helper("remember", write)


def many(c: Compiler, end: str, how: str) -> int:
    """Move a number of pieces from the end of one zone to another, one after the other."""
    place = put(c, how)

    def write(p: Procedure) -> tuple[int, Stmts]:
        n, a, b, turn = (p.slot() for _ in range(4))
        piece = load(c.layout.head if end == "head" else c.layout.tail, ir.Local(a))
        return 3, [
            ir.ForRange(turn, ONE, ir.Local(n), (ir.CallPlain(place, (piece, ir.Local(b))),)),
        ]

    return c.helper(f"many {end} {how}", write)
