"""Finds the facts about types and ranges that follow if a condition holds, or if it does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit.core import Facts, Typed
from rulewright.dsl.lowering.emit.paths import count_path, path_of
from rulewright.dsl.model import types
from rulewright.dsl.model.types import FLAG, Type, are_comparable, narrow, range_of, whole
from rulewright.dsl.tree import syntax

_MANY = 2**31 - 1


def opposite(condition: Typed, code: ir.Expr) -> Typed:
    """Return `not C` for the condition `C`, given the code of the negation. The facts of the two
    cases are exchanged.
    """
    return Typed(FLAG, code, so=condition.otherwise, otherwise=condition.so)


def facts_of_both(first: Facts, then: Facts) -> Facts:
    """Return the facts that follow if two conditions both hold, given the facts that follow from each."""
    return {**first, **{p: narrow(t, first[p]) if p in first else t for p, t in then.items()}}


def not_nothing(e: syntax.Expression, type: Type) -> Facts:
    """Return the facts that follow if a value is not nothing."""
    path = path_of(e)
    if path is None or not type.opt or isinstance(type, types.Nothing):
        return {}
    return {path: type.surely()}


def at_least(one: syntax.Binder, where: syntax.Expression | None, least: int) -> Facts:
    """Return the facts that follow if a source has at least `least` members that meet a condition."""
    found: dict[str, Type] = {}
    counted, source = count_path(one, where), path_of(one.source)
    if counted is not None:
        found[counted] = whole(least, _MANY)
    if source is not None and one.stretch is None:
        found[f"{source}.size"] = whole(least, _MANY)
    return found


def equality(e: syntax.Binary, left: Type, right: Type, code: ir.Expr) -> Typed:
    """Return the condition `a is b` or `a is not b`, given its code, together with the facts that follow from it."""
    so, otherwise = _equal_facts(e, left, right), _different_facts(e, left)
    if e.operator == "is not":
        so, otherwise = otherwise, so
    return Typed(FLAG, code, so=so, otherwise=otherwise)


def _different_facts(e: syntax.Binary, left: Type) -> Facts:
    if not isinstance(e.right, syntax.Fixed):
        return {}
    if e.right.word == "empty":
        path = path_of(e.left)
        return {} if path is None else {f"{path}.size": whole(1, _MANY)}
    return not_nothing(e.left, left) if e.right.word == "nothing" else {}


def _equal_facts(e: syntax.Binary, left: Type, right: Type) -> Facts:
    found: dict[str, Type] = {}
    if isinstance(e.right, syntax.Fixed) and e.right.word in ("nothing", "empty"):
        return found
    both = [left, right]
    for n, side in enumerate((e.left, e.right)):
        type, against = both[n], both[1 - n]
        path = path_of(side)
        if path is None or isinstance(side, (syntax.Number, syntax.Fixed)):
            continue
        if not type.known or not are_comparable(type, against):
            continue
        if isinstance(type, types.Number):
            found[path] = evolve(
                whole(range_of(against).low, range_of(against).high), opt=against.opt
            )
            both[n] = narrow(type, found[path])
        elif type.opt and not against.opt:
            found[path] = type.surely()
    return found


def type_membership(e: syntax.Expression, is_of: Type, type: Type, code: ir.Expr) -> Typed:
    """Return the condition `x in TYPE`, given its code, together with the facts that follow from it."""
    path = path_of(e)
    if path is None:
        return Typed(FLAG, code)
    if not isinstance(type, types.Named):
        return Typed(FLAG, code, so={path: type})
    names = tuple(n for n in is_of.names if n in type.names)
    others = tuple(n for n in is_of.names if n not in type.names)
    return Typed(
        FLAG,
        code,
        so={path: evolve(type, names=names or type.names, opt=False)},
        otherwise={path: evolve(type, names=others, opt=False)} if others and not is_of.opt else {},
    )


Ordering: TypeAlias = Literal["<", ">", "<=", ">="]
_OPPOSITE: Final[Mapping[Ordering, Ordering]] = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_TURNED: Final[Mapping[Ordering, Ordering]] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def comparison(e: syntax.Binary, sign: Ordering, left: Type, right: Type, code: ir.Expr) -> Typed:
    """Return a comparison such as `a < b`, given its code, together with the facts that follow from it."""
    so = _comparison_facts(e, sign, left, right)
    otherwise = _comparison_facts(e, _OPPOSITE[sign], left, right)
    return Typed(FLAG, code, so=so, otherwise=otherwise)


def _comparison_facts(e: syntax.Binary, operator: Ordering, left: Type, right: Type) -> Facts:
    found: dict[str, Type] = {}
    for side, type, against, sign in (
        (e.left, left, right, operator),
        (e.right, right, left, _TURNED[operator]),
    ):
        path = path_of(side)
        if not isinstance(against, types.Number):
            continue
        if isinstance(side, syntax.Query) and side.word == "count" and len(side.binders) == 1:
            if sign in (">", ">="):
                found |= at_least(side.binders[0], side.where, against.low + (sign == ">"))
        elif (
            path is not None
            and not isinstance(side, syntax.Number)
            and isinstance(type, (types.Number, types.Tokens))
        ):
            low, high = (type.low, type.high) if isinstance(type, types.Number) else (0, _MANY)
            match sign:
                case "<":
                    high = min(high, against.high - 1)
                case "<=":
                    high = min(high, against.high)
                case ">":
                    low = max(low, against.low + 1)
                case ">=":
                    low = max(low, against.low)
            if low <= high:
                found[f"{path}.size" if isinstance(type, types.Tokens) else path] = whole(low, high)
    return found
