"""Lowers the iteration over the members of a source. Queries, loops and enumerators all use this module."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    load,
    negation,
    under,
)
from rulewright.dsl.lowering.emit.core import Env, Facts, Typed
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    PLAYER,
    UNKNOWN,
    Type,
    are_comparable,
    describe,
    item_of,
    list_of,
    range_of,
    whole,
)
from rulewright.dsl.tree import syntax


def iterate(
    env: Env,
    binder: syntax.Binder,
    body: Callable[[Env], Stmts],
    *,
    stable: bool = False,
    note_source: Callable[[Typed], None] = lambda source: None,
    source: Typed | None = None,
) -> Stmts:
    """Return statements that declare the name of the binder and run `body` for each member of its source, in order.

    If `stable` is true, the body may change the source, so the members are listed first.
    `note_source` is called with the lowered source before the body is written. If the source has
    already been lowered, pass it as `source`.
    """
    stretch = binder.stretch
    if stretch is None:
        return _loop(env, binder, body, note_source, stable=stable, known=source)
    if stretch.word == "while":

        def as_long(inner: Env) -> Stmts:
            test = expressions.condition(inner, stretch.condition)
            inside = inner.child()
            inside.learn(test.so)
            return [ir.If(negation(test.code), (ir.Break(),)), *body(inside)]

        return _loop(env, binder, as_long, note_source, stable=stable)
    ended = env.procedure.slot()

    def up_to(inner: Env) -> Stmts:
        test = expressions.condition(inner, stretch.condition)
        # computed before the body, because the body may continue with the next iteration
        return [
            ir.If(ir.Local(ended), (ir.Break(),)),
            ir.SetLocal(ended, test.code),
            *body(inner),
        ]

    return [ir.SetLocal(ended, ZERO), *_loop(env, binder, up_to, note_source, stable=stable)]


def members(
    env: Env,
    binder: syntax.Binder | None,
    where: syntax.Expression | None,
    body: Callable[[Env], Stmts],
    note_facts: Callable[[Facts], None] = lambda facts: None,
) -> Stmts:
    """Return statements that run `body` for each member that meets a condition.

    In `body`, the facts that follow from the condition are known. Without a binder, `body` runs
    once if the condition holds. `note_facts` is called with the facts before the body is written.
    """

    def each(inner: Env) -> Stmts:
        if where is None:
            return body(inner)
        asked = expressions.condition(inner, where)
        inside = inner.child()
        inside.learn(asked.so)
        note_facts(asked.so)
        stmts = body(inside)
        return under(asked.code, stmts) if stmts else stmts

    return each(env) if binder is None else iterate(env, binder, each)


def source_of(env: Env, binder: syntax.Binder) -> Typed:
    """Lower the source of a binder. A type after the binder's name helps to interpret bare names in the source."""
    sort = env.c.model.type_named(binder.type.name) if binder.type is not None else None
    return recursion.expression(env, binder.source, sort and list_of(sort, 0))


def _loop(
    env: Env,
    binder: syntax.Binder,
    body: Callable[[Env], Stmts],
    note_source: Callable[[Typed], None],
    *,
    stable: bool,
    known: Typed | None = None,
) -> Stmts:
    c, p = env.c, env.procedure
    inner = env.child()
    source = binder.source

    def declare_name(type: Type) -> tuple[Env, int, Expr]:
        """Declare the name of the binder. Return its environment, its slot and the test of its type."""
        test: Expr = ONE
        slot = p.slot()
        if binder.type is not None:
            wanted = c.type_of(binder.type)
            if wanted is not None and type.known:
                never = f"this goes through {describe(type)}, never {describe(wanted)}"
                help = f"remove `: {binder.type.name}`, or go through something that holds {describe(wanted)}"
                if not are_comparable(wanted, type):
                    c.problems.error("wrong-type", never, binder.type.span, help=help)
                else:
                    test = expressions.type_test(env, Typed(type, ir.Local(slot)), wanted)
                    common = tuple(n for n in type.names if n in wanted.names)
                    if type.names and not common:
                        help = f"write `: {type.names[0]}`, or remove the type"
                        c.problems.error("wrong-type", never, binder.type.span, help=help)
                    type = type.surely()
                    if isinstance(type, types.Named):
                        type = evolve(type, names=common or wanted.names)
        inner.declare(binder.name, type, binder.name_span, slot=slot)
        return inner, slot, test

    if isinstance(source, syntax.Binary) and source.operator == ".." and binder.start is None:
        low, high = (
            expressions.as_number(
                env, (known and known.of(end)) or recursion.expression(env, end), end
            )
            for end in (source.left, source.right)
        )
        at_most = whole(
            range_of(low.type).low, max(range_of(low.type).low, range_of(high.type).high)
        )
        length = max(0, range_of(high.type).high - range_of(low.type).low + 1)
        note_source(Typed(list_of(at_most, length), low.code))
        e2, slot, test = declare_name(at_most)
        return [ir.ForRange(slot, low.code, high.code, tuple(under(test, body(e2))))]
    if (
        isinstance(source, syntax.Word)
        and source.name == "players"
        and source.name not in env.scope
        and binder.start is not None
    ):
        c.model.facts.refers(source.span, "built-in", "players", None)
        start = expressions.value_of_type(env, binder.start, PLAYER)
        e2, slot, test = declare_name(PLAYER)
        seats = len(c.model.seats)
        note_source(Typed(list_of(PLAYER, seats), start.code))
        turn, first = p.slot(), p.slot()
        alive = load(c.layout.in_play, ir.Local(slot)) if c.eliminates else ONE
        loop: Stmts = [
            ir.SetLocal(
                slot, binary("%", binary("+", ir.Local(first), ir.Local(turn)), ir.Const(seats))
            ),
            *under(both(alive, test), body(e2)),
        ]
        return [
            ir.SetLocal(first, start.code),
            ir.ForRange(turn, ZERO, ir.Const(seats - 1), tuple(loop)),
        ]
    typed = known or source_of(env, binder)
    note_source(typed)
    if not typed.type.known:
        e2, slot, test = declare_name(UNKNOWN)
        body(e2)
        return []
    if binder.start is not None:
        return _iterate_from(env, typed, binder, declare_name, body)
    if isinstance(typed.type, types.Zone) and not stable and typed.slot is None:
        shape = typed.group.shape if typed.group is not None else "pile"
        if shape != "row":
            e2, slot, test = declare_name(typed.type.of)
            after = p.slot()
            return [
                ir.SetLocal(after, load(c.layout.head, typed.code)),
                ir.While(
                    binary(">=", ir.Local(after), ZERO),
                    (
                        ir.SetLocal(slot, ir.Local(after)),
                        ir.SetLocal(after, load(c.layout.next, ir.Local(after))),
                        *under(test, body(e2)),
                    ),
                ),
            ]
    if isinstance(typed.type, types.Tokens):
        c.problems.error(
            "wrong-type",
            "tokens are alike: there is nothing to go through",
            source.span,
            help="use a number of turns, or its `.size`",
        )
        return []
    listed = expressions.members(env, typed, source)
    of = item_of(listed.type) or UNKNOWN
    e2, slot, test = declare_name(of.surely() if not isinstance(of, types.Nothing) else UNKNOWN)
    return [ir.ForEach(slot, listed.code, tuple(under(test, body(e2))))]


def _iterate_from(
    env: Env,
    typed: Typed,
    binder: syntax.Binder,
    declare_name: Callable[[Type], tuple[Env, int, Expr]],
    body: Callable[[Env], Stmts],
) -> Stmts:
    """Return statements that iterate over a list cyclically, beginning with a given member."""
    assert binder.start is not None
    listed = expressions.members(env, typed, binder.source)
    of = item_of(listed.type) or UNKNOWN
    if not can_compare(env, listed, binder.start.span):
        return []
    start = expressions.value_of_type(env, binder.start, of)
    e2, slot, test = declare_name(of)
    stmts = under(test, body(e2))
    turned = routine(env.c, "turned list", place=routine(env.c, "place in list"))
    return [ir.ForEach(slot, ir.CallValue(turned, (listed.code, start.code)), tuple(stmts))]


def can_compare(env: Env, listed: Typed, place: Span) -> bool:
    """Return whether the members of a list can be compared.

    Members that are lists cannot be compared; report an error for them.
    """
    if not isinstance(listed.type, types.Several) or not isinstance(listed.type.of, types.List):
        return True
    env.c.problems.error(
        "wrong-type",
        "lists are not compared as a whole, so a list of lists has no such test",
        place,
        help="compare the attributes that differ: `list(g in LISTS where ...)`",
    )
    return False
