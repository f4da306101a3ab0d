"""Writes the helper procedures that relink zones: they move one piece, or a list of pieces, from place to place.

These procedures also keep track of which hidden pieces are still known to players, and of which
slots of growing grids are in use. The module is independent of statements.
"""

from __future__ import annotations

from itertools import chain

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.code import ZERO, Expr, Stmts, binary, either, load
from rulewright.dsl.lowering.emit.core import Compiler
from rulewright.dsl.lowering.emit.layout import CellGroup, Growing
from rulewright.dsl.lowering.emit.routines import Cells, Given, Inline, Numbers, routine, steps
from rulewright.dsl.lowering.values import places

MOST_IN_TABLE = 5
"""The maximum number of players for whom a table has the unions of all sets of players. It then has 1,024 numbers."""


def unlink(c: Compiler) -> int:
    """Return the number of the procedure that takes a piece out of its place."""
    return routine(
        c,
        "unlink",
        has_rows=int(c.layout.slot_of >= 0),
        **places.row_names(c),
        for_growing=Inline(lambda zone: _release_zones(c, zone)),
    )


def _release_zones(c: Compiler, zone: Expr) -> Stmts:
    """Return steps that run after a zone has become empty. If the zone belongs to a cell of a
    growing grid, the steps free that cell's slot.
    """
    return [
        step
        for growing in c.layout.growing.values()
        for group in c.layout.groups
        if group.what == "zone" and group.owner.name == growing.kind.name
        for step in steps(
            c,
            None,
            """
            if base <= zone and zone < above:
                release(cell_of[(zone - base) // each])
            """,
            zone=zone,
            base=group.base,
            above=group.base + group.per_owner * group.owner.places,
            each=group.per_owner,
            cell_of=Cells(growing.cell_of),
            release=release(c, growing),
        )
    ]


def assign_slot(c: Compiler, growing: Growing) -> int:
    """Return the number of the procedure that assigns a slot to a cell of a growing grid if the cell has none."""
    kind = growing.kind
    fault = c.fault(
        "grid-full",
        f"more cells of `{kind.name}` are in use than the game has pieces for",
        kind.span,
    )
    return routine(
        c, "ensure", f"ensure {kind.name}", full=fault, most=growing.slots, **_grid_cells(growing)
    )


def _grid_cells(growing: Growing) -> dict[str, int | Cells]:
    """Return the names of the cells that a growing grid uses."""
    return {
        "first": growing.kind.first,
        "slots": Cells(growing.map, far=True),
        "cell_of": Cells(growing.cell_of),
        "order": Cells(growing.order),
        "used": Cells(growing.used),
    }


def release(c: Compiler, growing: Growing) -> int:
    """Return the number of the procedure that frees the slot of a cell if the cell is empty."""
    return routine(
        c,
        "release",
        f"release {growing.kind.name}",
        holds=Inline(lambda slot: _is_used_test(c, growing, slot)),
        **_grid_cells(growing),
    )


def _is_used_test(c: Compiler, growing: Growing, slot: Expr) -> Expr:
    """Return code that tests whether anything stored in a slot differs from its initial value."""
    tests: Expr = ZERO
    for group in c.layout.groups:
        if group.owner.name != growing.kind.name:
            continue
        first = binary("+", ir.Const(group.base), binary("*", slot, ir.Const(group.per_owner)))
        for k in range(group.per_owner):
            index = binary("+", ir.Const(k), first)
            if group.what == "zone":
                tests = either(tests, load(c.layout.count, index))
            else:
                tests = either(tests, binary("!=", ir.Load(index), ir.Const(group.start)))
    return tests


def put(c: Compiler, where: str, *, with_all: bool = False) -> int:
    """Return the number of the procedure that puts a piece into a zone: on `top`, `under` all pieces,
    `sorted` in table order, or into a `slot` of a row.

    Pass `with_all` if the procedure will be called for every piece in a place. In that case nobody
    loses track of a piece, but before the first call the caller must save who knows each piece.
    """
    arrive = """
    if remembers: remember(x, z)
    if zone_of[x] >= 0: unlink(x)
    zone_of[x] = z
    count[z] += 1
    """
    given: dict[str, Given] = {
        "remembers": int(c.layout.known >= 0 and not with_all),
        "remember": lambda: _remember(c),
        "unlink": lambda: unlink(c),
    }
    return routine(
        c,
        f"put {where}",
        f"put {where}{' with all' if with_all else ''}",
        arrive=Inline(lambda x, z: steps(c, None, arrive, x=x, z=z, **given)),
        **places.row_names(c),
    )


def hand_over(c: Compiler) -> int:
    """Return the number of the procedure that moves all pieces of a zone, in order, to an empty zone."""
    return routine(
        c,
        "hand over",
        remembers=int(c.layout.known >= 0),
        learn=lambda: learn(c),
        for_growing=Inline(lambda zone: _release_zones(c, zone)),
    )


def free_slot(c: Compiler) -> int:
    """Return the number of the procedure that finds the first empty slot of a row. The procedure
    returns the slot, counted from 1, or 0 if the row is full.
    """
    return routine(c, "free slot", **places.row_names(c))


def zone_sight(c: Compiler) -> list[int]:
    """For each zone, return the set of the players who see its pieces. In the set, each player is one bit."""
    seats = len(c.model.seats)
    everybody = (1 << seats) - 1
    bits: list[int] = []
    for zone, group in enumerate(c.layout.zone_group):
        if group.seen == "all":
            bits.append(everybody)
        elif group.seen == "nobody":
            bits.append(0)
        else:
            owner = c.layout.zone_owner[zone]
            who = _player_of(c, group, owner)
            own = 1 << who if who >= 0 else 0
            bits.append(everybody - own if group.seen == "others" and own else own)
    return bits


def _player_of(c: Compiler, group: CellGroup, owner: int) -> int:
    if group.owner.name == "player":
        return owner
    kind = c.model.thing(group.owner.name)
    if kind is not None and kind.per_player and not group.owner.slots:
        return kind.owner[owner - kind.first]
    return -1


def _bit(mask: Expr, seat: int) -> Expr:
    return binary("%", binary("//", mask, ir.Const(1 << seat)), ir.Const(2))


def _union(c: Compiler, one: Expr, other: Expr) -> Expr:
    """Return code that computes the union of two sets of players. In a set, each player is one bit."""
    seats = len(c.model.seats)
    if seats <= MOST_IN_TABLE:
        sets = range(1 << seats)
        table = c.table([a | b for a in sets for b in sets])
        return ir.Table(table, binary("+", other, binary("*", ir.Const(1 << seats), one)))
    total: Expr = ZERO
    for seat in range(seats):
        bit = binary("max", _bit(one, seat), _bit(other, seat))
        total = binary("+", total, binary("*", ir.Const(1 << seat), bit))
    return total


def learn(c: Compiler) -> int:
    """Return the number of the procedure that makes a piece known to all players who see it in its place."""
    return routine(
        c,
        "learn",
        sight=lambda: Numbers(c.table(zone_sight(c))),
        union=Inline(lambda one, other: _union(c, one, other)),
    )


def _remember(c: Compiler) -> int:
    """Return the number of the procedure that records which players still know a piece after a move.

    These are the players who saw the piece before the move. A piece that leaves a hidden set is
    unknown to players who did not see it there. Those players do not see which piece left, so they
    no longer know which pieces remain in the set.
    """
    seats = len(c.model.seats)
    sight = Numbers(c.table(zone_sight(c)))
    unsure = """
        if not seen // bit % 2 and not sight[z] // bit % 2 and known[y] // bit % 2: known[y] -= bit
    """

    def blur(y: Expr, seen: Expr, z: Expr) -> Stmts:
        each = (
            steps(c, None, unsure, y=y, seen=seen, z=z, sight=sight, bit=1 << seat)
            for seat in range(seats)
        )
        return [*chain.from_iterable(each)]

    return routine(
        c,
        "remember",
        everybody=(1 << seats) - 1,
        sight=sight,
        is_pile=lambda: Numbers(c.table([int(f.shape == "pile") for f in c.layout.zone_group])),
        blur=Inline(blur),
        union=Inline(lambda one, other: _union(c, one, other)),
    )


def put_many(c: Compiler, end: str, how: str) -> int:
    """Return the number of the procedure that moves a number of pieces, one after another, from one
    end of a zone to another zone.
    """
    return routine(
        c,
        "many",
        f"many {end} {how}",
        end=Cells(c.layout.head if end == "head" else c.layout.tail),
        put=put(c, how),
    )
