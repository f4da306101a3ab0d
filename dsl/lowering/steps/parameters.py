"""Lowers the parameters of rules: finds their types, and converts arguments to these types."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ZERO, Expr
from rulewright.dsl.lowering.emit.core import Env, Parameter, Typed, new_env
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model import types
from rulewright.dsl.model.dependencies import add_uses, recording_uses
from rulewright.dsl.model.records import READ_LIMIT
from rulewright.dsl.model.types import (
    PLAYER,
    UNKNOWN,
    Type,
    are_comparable,
    widest,
)
from rulewright.dsl.tree import declared, syntax


def param_type(w: Writer, rule: declared.Rule, n: int) -> Type:
    """Return the type of a parameter: the declared type, or the type of the members of its source."""
    return _parameter(w, rule, n).type


def param_source(w: Writer, rule: declared.Rule, n: int) -> Typed | None:
    """Return the lowered source of a parameter; None if there is no source."""
    return _parameter(w, rule, n).source


def _parameter(w: Writer, rule: declared.Rule, n: int) -> Parameter:
    key = (id(rule), n)
    known = w.c.parameters.get(key)
    if known is None:
        asked: set[str] = set()
        with w.c.part(f"rule {rule.name}"), recording_uses(asked):
            type, source = _type_and_source(w, rule, n)
        known = w.c.parameters[key] = Parameter(type, source, asked)
    add_uses(known.counted_kinds)
    return known


def _type_and_source(w: Writer, rule: declared.Rule, n: int) -> tuple[Type, Typed | None]:
    param = rule.params[n]
    type: Type = UNKNOWN
    typed = None
    if param.source is None:
        if param.type is not None:
            type = written_type(w, param)
    else:
        probe = new_env(w.c, w.procedure)
        probe.bind("me", PLAYER, 0)
        for k in range(n):
            earlier = rule.params[k]
            probe.bind(earlier.name, param_type(w, rule, k), 0, earlier.name_span)
        typed = recursion.expression(probe, param.source)
        type = UNKNOWN
        if isinstance(typed.type, types.Several):
            type = (
                typed.type.of.surely() if not isinstance(typed.type.of, types.Nothing) else UNKNOWN
            )
        elif typed.type.is_thing or isinstance(typed.type, types.Number):
            type = typed.type.surely()
        if param.type is not None and type.known:
            wanted = w.c.model.type_of(param.type)
            if (
                isinstance(wanted, types.Named)
                and isinstance(type, types.Named)
                and are_comparable(wanted, type)
            ):
                names = tuple(x for x in type.names if x in wanted.names)
                type = evolve(type, names=names or wanted.names)
    return type, typed


def written_type(w: Writer, param: declared.Param) -> Type:
    """Return the type that the author wrote after a parameter.

    If a list is too long for a frame, report an error and return `UNKNOWN`.
    """
    type = w.c.model.type_of(param.type) if param.type is not None else UNKNOWN
    if not isinstance(type, types.List) or type.length <= READ_LIMIT:
        return type
    assert param.type is not None
    w.c.problems.error(
        "not-storable",
        f"a list of up to {type.length:,} things is too long for `{param.name}` (at most {READ_LIMIT:,})",
        param.type.span,
        help="write how many there are at most, or let the rule itself ask for them",
    )
    return UNKNOWN


def frame_arguments(w: Writer, key: str, arguments: Sequence[Expr]) -> list[Expr]:
    """Return arguments in the form in which the frame of a suspending procedure stores them.

    A list becomes its length followed by its items.
    """
    rule = w.c.model.rules.get(key.removeprefix("rule ")) if key.startswith("rule ") else None
    if rule is None:
        return list(arguments)
    found: list[Expr] = []
    for n, argument in enumerate(arguments):
        type = param_type(w, rule, n)
        if isinstance(type, types.List):
            slot = w.procedure.slot(type.length + 1)
            w.emit(ir.SetLocalList(slot, type.length, argument))
            found.extend(ir.Local(slot + k) for k in range(type.length + 1))
        else:
            found.append(argument)
    return found


def argument_code(
    w: Writer, env: Env, rule: declared.Rule | declared.Effect, n: int, argument: syntax.Expression
) -> Expr:
    """Lower an argument and convert it to the type of its parameter."""
    param = rule.params[n]
    type = param_type(w, rule, n) if isinstance(rule, declared.Rule) else written_type(w, param)
    if not type.known:
        recursion.expression(env, argument)
        return ZERO
    if isinstance(type, types.List):
        return expressions.list_of_type(env, argument, type, f"`{param.name}`").code
    typed = expressions.value_of_type(env, argument, widest(type))
    if types.never_fits(typed.type, type):
        expressions.report_outside(env, f"`{param.name}`", type, typed.type, argument.span)
    return expressions.checked_number(env, typed, type, argument, f"`{param.name}`")
