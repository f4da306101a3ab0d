"""The statements that change the order of the pieces in a pile: `shuffle`, `reverse` and `sort`."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.lowering.steps import watching
from rulewright.dsl.lowering.steps.relinking import put, set_cell
from rulewright.dsl.lowering.values import expressions, queries
from rulewright.dsl.lowering.workshop import recursion
from rulewright.dsl.lowering.workshop.code import NONE, ONE, ZERO, Stmts, binary, load
from rulewright.dsl.lowering.workshop.core import Compiler, Env, Procedure, Typed
from rulewright.dsl.lowering.workshop.recursion import writes
from rulewright.dsl.lowering.workshop.writer import Context, Writer
from rulewright.dsl.model import types
from rulewright.dsl.model.types import describe
from rulewright.dsl.tree import syntax


@writes(syntax.Shuffle)
def shuffle(w: Writer, ctx: Context, s: syntax.Shuffle, rest: Sequence[syntax.Statement]) -> None:
    """`shuffle deck`"""
    place = _pile(ctx.env, s.place, "shuffled", "a set has no order; declare the zone as a `pile`")
    if place is None:
        return
    w.call(_shuffler(w), (place.code,))
    watching.after_step(w, ctx, s)


def _shuffler(w: Writer) -> int:
    """The procedure that shuffles a pile: one step of chance for each piece but the first."""
    rules, lay = w.rules, w.c.layout
    if "shuffle" in rules.helpers:
        return rules.helpers["shuffle"]
    number = rules.reserve()
    rules.helpers["shuffle"] = number
    site = len(rules.chances)
    i, j, x, y = range(1, 5)
    rules.chances.append(ir.ChanceSite(number, j, "shuffle", None, 0, "shuffle", None))
    entry, test, draw, swap, done = (rules.block() for _ in range(5))
    Z, K, J, X, Y = (ir.Local(n) for n in range(5))
    rules.blocks[entry] = ir.Block(
        number,
        (
            ir.SetLocal(x, load(lay.head, Z)),
            ir.SetLocal(i, ZERO),
            ir.While(
                binary(">=", X, ZERO),
                (
                    set_cell(lay.scratch, K, X),
                    ir.SetLocal(i, binary("+", ONE, K)),
                    ir.SetLocal(x, load(lay.next, X)),
                ),
            ),
            ir.SetLocal(i, binary("-", K, ONE)),
            ir.SetLocal(x, ZERO),
        ),
        ir.Goto(test),
    )
    rules.blocks[test] = ir.Block(number, (), ir.Branch(binary(">=", K, ONE), draw, done))
    rules.blocks[draw] = ir.Block(number, (), ir.Chance(site, binary("+", ONE, K), j, swap))
    rules.blocks[swap] = ir.Block(
        number,
        (
            ir.SetLocal(x, load(lay.scratch, K)),
            set_cell(lay.scratch, K, load(lay.scratch, J)),
            set_cell(lay.scratch, J, X),
            ir.SetLocal(i, binary("-", K, ONE)),
            ir.SetLocal(j, ZERO),
            ir.SetLocal(x, ZERO),
        ),
        ir.Goto(test),
    )
    forget: tuple[ir.Stmt, ...] = ()
    if lay.known >= 0:
        forget = (set_cell(lay.known, X, ZERO),)
    rules.blocks[done] = ir.Block(
        number,
        (
            ir.SetLocal(y, NONE),
            ir.SetLocal(j, load(lay.count, Z)),
            ir.ForRange(
                i,
                ZERO,
                binary("-", J, ONE),
                (
                    ir.SetLocal(x, load(lay.scratch, K)),
                    set_cell(lay.scratch, K, ZERO),
                    set_cell(lay.previous, X, Y),
                    set_cell(lay.next, X, NONE),
                    ir.If(
                        binary(">=", Y, ZERO),
                        (set_cell(lay.next, Y, X),),
                        (set_cell(lay.head, Z, X),),
                    ),
                    *forget,
                    ir.SetLocal(y, X),
                ),
            ),
            ir.If(binary(">", J, ZERO), (set_cell(lay.tail, Z, Y),)),
        ),
        ir.Finish(),
    )
    rules.suspending[number] = ir.Suspending("shuffle", 1, 5, entry, None)
    return number


@writes(syntax.Reverse)
def reverse(w: Writer, ctx: Context, s: syntax.Reverse, rest: Sequence[syntax.Statement]) -> None:
    """`reverse deck`: moves the bottom piece to the top and so on, as if the pile were turned."""
    place = _pile(ctx.env, s.place, "reversed", "a set has no order; declare the zone as a `pile`")
    if place is None:
        return
    order = expressions.as_list(ctx.env, place, s.place)
    w.emit(ir.CallPlain(_reorderer(w.c, forgets=False), (place.code, order.code)))
    watching.after_step(w, ctx, s)


@writes(syntax.Sort)
def sort(w: Writer, ctx: Context, s: syntax.Sort, rest: Sequence[syntax.Statement]) -> None:
    """`sort c in deck by c.rank lowest`: puts the first of the order on top."""
    env, source, name = ctx.env, s.binder.source, s.binder.name
    cure = f"order what is asked for: `ranking({name} in {source.span.text} by ...)`"
    place = _pile(env, source, "sorted", f"declare it as `pile of ...`, or {cure}")
    if place is None:
        return
    order = queries.query(
        env, syntax.Query(s.span, "ranking", (s.binder,), None, s.keys, True, None), None
    )
    if not order.type.known:
        return
    w.emit(ir.CallPlain(_reorderer(w.c, forgets=True), (place.code, order.code)))
    watching.after_step(w, ctx, s)


def _pile(env: Env, written: syntax.Expression, done: str, cure: str) -> Typed | None:
    """The pile whose order changes; None if it is no pile, which is reported."""
    place = recursion.expression(env, written)
    if (
        isinstance(place.type, types.Zone)
        and place.family is not None
        and place.family.shape == "pile"
    ):
        return place
    if place.type.known:
        message = f"only piles are {done}, this is {describe(place.type)}"
        env.c.problems.error("wrong-type", message, written.span, help=cure)
    return None


def _reorderer(c: Compiler, *, forgets: bool) -> int:
    """The procedure that puts the pieces of a pile into an order, the first on top; whether they stay known."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        z, items, n, x = (p.slot() for _ in range(4))
        last = binary("-", ir.Length(ir.Local(items)), ONE)
        forget = [set_cell(lay.known, ir.Local(x), ZERO)] if forgets and lay.known >= 0 else []
        step = (
            ir.SetLocal(x, ir.At(ir.Local(items), ir.Local(n))),
            ir.CallPlain(put(c, "under"), (ir.Local(x), ir.Local(z))),
            *forget,
        )
        return 2, [ir.ForRange(n, ZERO, last, step)]

    return c.helper("sort pile" if forgets else "reverse pile", write)
