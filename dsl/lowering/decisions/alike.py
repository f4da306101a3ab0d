"""Alike pieces are offered once: which copies of a row nothing tells apart.

Refuses to know decisions: whoever offers pieces one after the other asks before each.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.builtins import pieces
from rulewright.dsl.lowering.steps import relinking
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.lowering.workshop.core import (
    ONE,
    ZERO,
    Env,
    Expr,
    Procedure,
    binary,
    both,
    choice,
    load,
    negated,
    new_env,
)
from rulewright.dsl.lowering.workshop.layout import Family
from rulewright.dsl.lowering.workshop.writer import Writer
from rulewright.dsl.tree import syntax
from rulewright.dsl.world.typesystem import Type

Steps = Sequence[ir.Stmt]


def rows(w: Writer) -> int:
    """A table of the rows of pieces, copies having the same."""
    return w.c.table(pieces.row_numbers(new_env(w.c, Procedure("rows", suspending=False))))


def same(env: Env, w: Writer, piece: Expr, source: syntax.Expression) -> Expr:
    """A number that is the same for copies of a row that lie in the same place, and in the same slot.

    Who names one of a whole kind means the row, wherever its copies lie. All copies that the
    chooser does not see have one place: where they lie must not be told.
    """
    if isinstance(source, syntax.TypeWord):
        return ir.Table(rows(w), piece)
    one_place = expressions.expression(env, source).type.tag == "zone"
    chooser = None if one_place else env.scope["me"].read()
    layout = w.c.layout
    zone = load(layout.zone_of, piece)
    slot = load(layout.slot_of, piece) if layout.slot_of >= 0 else ZERO
    sight = relinking.zone_sight(w.c)
    everybody = (1 << len(w.c.world.seats)) - 1
    if chooser is not None and any(bits != everybody for bits in sight):
        # The last entry is for pieces that lie nowhere yet.
        table = w.c.table([*sight, everybody])
        place = choice(binary("<", zone, ZERO), ir.Const(len(sight)), zone)
        bit = ir.Table(w.c.table([1 << seat for seat in range(len(w.c.world.seats))]), chooser)
        sees: Expr = ir.Table(table, place)
        sees = binary("%", binary("//", sees, bit), ir.Const(2))
        if layout.known >= 0:
            shown = binary("%", binary("//", load(layout.known, piece), bit), ir.Const(2))
            sees = binary("max", sees, shown)
        zone, slot = (
            choice(sees, zone, ir.Const(layout.zones)),
            choice(sees, slot, ZERO) if slot != ZERO else ZERO,
        )
    factor = max(1, layout.pieces)
    found = binary("+", ir.Table(rows(w), piece), binary("*", ir.Const(factor), zone))
    if slot != ZERO:
        factor *= layout.zones + 1
        found = binary("+", found, binary("*", ir.Const(factor), slot))
    return found


def has_alike(w: Writer, of: Type) -> bool:
    """Whether there may be copies that nothing tells apart: then one of them is offered for all."""
    if of.tag != "piece":
        return False
    kinds = [w.c.world.pieces[n] for n in of.names if n in w.c.world.pieces]
    if not any(max(k.copy, default=1) > 1 for k in kinds):
        return False
    if not any(k.states or k.zones for k in kinds):
        return True
    return len(kinds) == 1 and _is_compared(w, kinds[0].name)


def _is_compared(w: Writer, kind: str) -> bool:
    """Whether pieces of a kind and what lies on them are seen by all, and no list points to single ones."""
    for family in w.c.layout.families:
        holds = family.what == "zone" and kind in family.type.names
        if family.seen != "all" and (holds or family.owner.name == kind):
            return False
        listed = family.type.of if family.what == "state" and family.type.tag == "list" else None
        if listed is not None and listed.tag == "piece" and kind in listed.names:
            return False
    return True


def if_new(w: Writer, of: Type, seen: int, piece: Expr, body: Steps, key: Expr) -> list[ir.Stmt]:
    """Steps for a piece, left out where one that nothing tells apart from it is among those `seen`.

    `key` is a number that copies share where nothing can lie on them.
    """
    kinds = [w.c.world.pieces[n] for n in of.names if n in w.c.world.pieces]
    if not any(k.states or k.zones for k in kinds):
        return [ir.If(negated(ir.Has(ir.Local(seen), key)), (ir.Append(seen, key), *body))]
    found = ir.CallValue(_finds_alike(w, kinds[0].name), (ir.Local(seen), piece))
    return [ir.If(negated(found), (ir.Append(seen, piece), *body))]


def _finds_alike(w: Writer, kind: str) -> int:
    """Whether a list has a piece like this one: in the same place, with the same on it, pointed to by nothing."""

    def write(p: Procedure) -> tuple[int, Steps]:
        listed, one, other = (p.slot() for _ in range(3))
        a, b = ir.Local(one), ir.Local(other)
        test: Expr = binary("==", ir.Table(rows(w), a), ir.Table(rows(w), b))
        for base in (w.c.layout.zone_of, w.c.layout.slot_of):
            if base >= 0:
                test = both(test, binary("==", load(base, a), load(base, b)))
        for family in w.c.layout.families:
            test = both(test, _are_equal(w, family, kind, a, b))
        return 2, [
            ir.ForEach(other, ir.Local(listed), (ir.If(test, (ir.Return(ONE),)),)),
            ir.Return(ZERO),
        ]

    return w.c.helper(f"finds alike {kind}", write)


def _are_equal(w: Writer, family: Family, kind: str, a: Expr, b: Expr) -> Expr:
    layout = w.c.layout
    test: Expr = ONE
    if family.owner.name == kind:
        for n in range(family.per_owner):
            first = family.base + n
            at = [
                binary(
                    "*", binary("-", x, ir.Const(family.owner.first)), ir.Const(family.per_owner)
                )
                for x in (a, b)
            ]
            if family.what == "zone":
                for x in at:
                    test = both(test, binary("==", load(layout.count + first, x), ZERO))
            else:
                test = both(test, binary("==", load(first, at[0]), load(first, at[1])))
    if family.what == "state" and family.type.tag == "piece" and kind in family.type.names:
        for n in range(family.per_owner * family.owner.places):
            for x in (a, b):
                test = both(test, binary("!=", load(family.base + n), x))
    return test
