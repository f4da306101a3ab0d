"""Lowers the search for cards in play that have a power with a matching pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, Stmts, binary, both, load, under
from rulewright.dsl.lowering.emit.core import Compiler, Env
from rulewright.dsl.lowering.values import expressions, iterating, rows
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, Type, describe, fits
from rulewright.dsl.tree import declared, syntax


def bind_power(
    c: Compiler,
    env: Env,
    power: declared.Power,
    pairs: Sequence[tuple[Expr, Type, syntax.Expression]],
    where: syntax.Expression | None,
    body: Callable[[Env], Stmts],
) -> Stmts:
    """Return statements that run `body` for each card in play that has the power, if the pattern of the power matches.

    Each item of `pairs` contains a value, its type and a part of the pattern. The part is a new
    name for the value, or an expression that must be equal to the value.
    """
    inner = env.child()
    owner = owner_name(env, power)
    tests: list[tuple[Expr, syntax.Expression, Type]] = []
    owner_bound = False
    for code, type, written in pairs:
        if owner is not None and isinstance(written, syntax.Word) and written.name == owner:
            owner_bound = True
            _bind_alias(inner, owner, type, code, written.span)
        elif isinstance(written, syntax.Word) and (
            _is_new(inner, written.name, power) or rows.is_all_of(c, written.name, type)
        ):
            _bind_alias(inner, written.name, type, code, written.span)
        else:
            tests.append((code, written, type))

    def each_card(env2: Env) -> Stmts:
        def run_if_matching(env3: Env) -> Stmts:
            condition: Expr = ONE
            for code, written, type in tests:
                condition = both(condition, _match_test(env3, code, type, written))
            env4 = env3.child()
            for extra in (power.where, where):
                if extra is not None:
                    asked = expressions.condition(env4, extra)
                    condition = both(condition, asked.code)
                    env4.learn(asked.so)
            return under(condition, body(env4))

        if power.type is not None:
            binder = syntax.Binder(
                power.place.span, power.name, power.name_span, power.type, power.place
            )
            return iterating.iterate(env2, binder, run_if_matching)
        found = rows.row_named(env2, power.name, types.Piece())
        if found is None:
            near = did_you_mean(power.name, [r for k in c.model.pieces.values() for r in k.rows])
            if near or not c.model.has_lost_rows:
                c.problems.error(
                    "unknown-name", f"there is no card `{power.name}`", power.name_span, help=near
                )
            return []
        rows.record_reference(c, power.name_span, power.name, found)
        ids = (found.constant or 0,) if found.ids is None else found.ids
        zone = recursion.expression(env2, power.place)
        if not isinstance(zone.type, types.Zone):
            if zone.type.known:
                c.wrong_type(
                    power.place.span,
                    "a power holds while its card lies in a zone",
                    zone.type,
                    f"write the zone that holds the card: `power {power.name} in p.ZONE`",
                )
            return []
        held_type = found.type if not isinstance(found.type, types.Several) else found.type.of
        held = zone.type.of
        if not set(held_type.names) & set(held.names):
            c.problems.error(
                "zone-does-not-fit",
                f"a power holds while its card lies there, but {describe(held_type)} never does",
                power.place.span,
                at=f"this is {describe(zone.type)}",
                help="name the zone where it lies while its power holds",
            )
            return []
        lies: Stmts = []
        for piece in ids:
            here = binary("==", load(c.layout.zone_of, ir.Const(piece)), zone.code)
            lies.append(ir.If(here, tuple(run_if_matching(env2))))
        return lies

    if owner is None or owner_bound:
        return each_card(inner)
    slot = inner.bind(owner, PLAYER).slot
    return [ir.ForRange(slot, ZERO, ir.Const(len(c.model.seats) - 1), tuple(each_card(inner)))]


def _bind_alias(env: Env, name: str, type: Type, code: Expr, span: Span) -> None:
    env.c.model.facts.refers(span, "local", name, span)
    env.c.model.facts.has_type(span, type)
    assert isinstance(code, ir.Local)
    env.bind(name, type, code.slot, span)


def owner_name(env: Env, power: declared.Power) -> str | None:
    """Return the local name that a power gives to its owner, such as `p` in `power mill in
    p.tableau`; None if there is none.
    """
    place = power.place
    while isinstance(place, syntax.Dot):
        place = place.subject
    if (
        isinstance(place, syntax.Word)
        and place is not power.place
        and _is_new(env, place.name, power)
    ):
        return place.name
    return None


def _match_test(env: Env, code: Expr, type: Type, written: syntax.Expression) -> Expr:
    """Return code that tests whether a value matches a part of a pattern. The part means one thing,
    or any copy of a row.
    """
    row = recursion.expression(env, written, type.maybe())
    if row.ids and isinstance(row.type, types.Several) and fits(row.type.of, type.maybe()):
        return ir.Has(ir.Const(row.ids), code)
    return binary("==", code, expressions.value_of_type(env, written, type.maybe()).code)


def _is_new(env: Env, name: str, power: declared.Power) -> bool:
    model = env.c.model
    return not (
        name in ("me", power.name)
        or name in model.row_names
        or name in model.states
        or name in model.zones
        or name in model.values
        or name in model.options
    )


def pattern_pairs(
    info_params: Sequence[tuple[Expr, Type]], written: syntax.Expression
) -> list[tuple[Expr, Type, syntax.Expression]]:
    """Pair the subject and the parameters of a value with the parts of the pattern in a `modify` line."""
    parts: list[syntax.Expression] = []
    if isinstance(written, syntax.Dot):
        parts = [written.subject, *(written.arguments or ())]
    elif isinstance(written, syntax.Call):
        parts = list(written.arguments)
    # all others: they have no parts
    return [(code, type, part) for (code, type), part in zip(info_params, parts, strict=False)]
