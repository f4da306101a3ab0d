"""What is known of types and ranges where a condition holds, or does not."""

from __future__ import annotations

from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.workshop import recursion
from rulewright.dsl.lowering.workshop.core import Env, Typed
from rulewright.dsl.lowering.workshop.paths import count_path, path_of
from rulewright.dsl.model.typesystem import Type, whole
from rulewright.dsl.tree import syntax

_MANY = 2**31 - 1


def assume(env: Env, e: syntax.Expression, *, truth: bool) -> None:
    """Note in the environment what follows from a condition being so (or not so)."""
    match e:
        case syntax.Unary(operator="not"):
            assume(env, e.operand, truth=not truth)
        case syntax.Binary(operator="and") if truth:
            assume(env, e.left, truth=True)
            assume(env, e.right, truth=True)
        case syntax.Binary(operator="or") if not truth:
            assume(env, e.left, truth=False)
            assume(env, e.right, truth=False)
        case syntax.Binary(operator="is" | "is not"):
            _assume_is(env, e, truth == (e.operator == "is"))
        case syntax.Binary(operator="in" | "not in") if isinstance(e.right, syntax.TypeWord):
            _assume_type(env, e, truth == (e.operator == "in"))
        case syntax.Binary(operator="in") if truth:
            path = path_of(e.left)
            silent = _silently(env, e.left)
            if (
                path is not None
                and silent is not None
                and silent.type.opt
                and silent.type.tag != "nothing"
            ):
                env.facts[path] = silent.type.surely()
        case syntax.Binary(operator="<" | ">" | "<=" | ">="):
            _assume_order(env, e, truth)
        case syntax.Word() | syntax.Dot() if truth:
            _assume_there(env, e)
        case syntax.Query(word="any", binders=(one,)) if truth:
            _assume_some(env, one, e.where, 1)
        case _:
            pass


def _assume_there(env: Env, e: syntax.Expression) -> None:
    """`if challenger` is no condition, which is told; what was meant by it holds below."""
    path = path_of(e)
    if path is None or not len(env.c.problems):
        return
    typed = recursion.expression(env, e)
    if typed.type.opt and typed.type.tag not in ("nothing", "flag"):
        env.facts[path] = typed.type.surely()


def _assume_some(env: Env, one: syntax.Binder, where: syntax.Expression | None, least: int) -> None:
    """So many members of a source fulfil a condition, and so many it has at the least."""
    counted = count_path(one, where)
    if counted is not None:
        env.facts[counted] = whole(least, _MANY)
    source = path_of(one.source)
    if source is not None and one.stretch is None:
        known = env.facts.get(f"{source}.size")
        if known is None or known.low < least:
            env.facts[f"{source}.size"] = whole(least, _MANY)


def _silently(env: Env, e: syntax.Expression) -> Typed | None:
    """The type of an expression that has been looked at before (its problems are known already)."""
    if path_of(e) is None:
        return None
    return recursion.expression(env, e)


def _assume_is(env: Env, e: syntax.Binary, truth: bool) -> None:
    if isinstance(e.right, syntax.Fixed) and e.right.word == "nothing":
        path, typed = path_of(e.left), _silently(env, e.left)
        if (
            path is not None
            and typed is not None
            and typed.type.known
            and not truth
            and typed.type.tag != "nothing"
        ):
            env.facts[path] = typed.type.surely()
        return
    if isinstance(e.right, syntax.Fixed) and e.right.word == "empty":
        path = path_of(e.left)
        if path is not None and not truth:
            env.facts[f"{path}.size"] = whole(1, _MANY)
        return
    if not truth:
        return
    for side, other in ((e.left, e.right), (e.right, e.left)):
        path = path_of(side)
        if path is None or isinstance(side, (syntax.Number, syntax.Fixed)):
            continue
        typed, against = _silently(env, side), _silently(env, other)
        if typed is None or not typed.type.known:
            continue
        if (
            against is not None
            and against.type.known
            and typed.type.opt
            and not against.type.opt
            and typed.type.tag == against.type.tag
        ):
            env.facts[path] = typed.type.surely()
        if typed.type.tag == "int" and against is not None and against.type.tag == "int":
            env.facts[path] = evolve(
                whole(against.type.low, against.type.high), opt=against.type.opt
            )


def _assume_type(env: Env, e: syntax.Binary, truth: bool) -> None:
    assert isinstance(e.right, syntax.TypeWord)
    path, typed = path_of(e.left), _silently(env, e.left)
    type = env.c.world.type_named(e.right.name)
    if (
        path is None
        or typed is None
        or type is None
        or not typed.type.known
        or typed.type.tag != type.tag
    ):
        return
    if truth:
        names = tuple(n for n in typed.type.names if n in type.names)
        env.facts[path] = Type(type.tag, names=names or type.names)
    elif not typed.type.opt:
        names = tuple(n for n in typed.type.names if n not in type.names)
        if names:
            env.facts[path] = Type(type.tag, names=names)


def _assume_order(env: Env, e: syntax.Binary, truth: bool) -> None:
    operator: str = e.operator
    if not truth:
        operator = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}[operator]
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    for side, other, word_ in ((e.left, e.right, operator), (e.right, e.left, turned[operator])):
        if isinstance(side, syntax.Query):
            _assume_count(env, side, word_, _limits(env, other))
        path = path_of(side)
        if path is None or isinstance(side, syntax.Number):
            continue
        typed, against = _silently(env, side), _limits(env, other)
        if typed is None or typed.type.tag not in ("int", "tokens") or against is None:
            continue
        low, high = (typed.type.low, typed.type.high) if typed.type.tag == "int" else (0, _MANY)
        match word_:
            case "<":
                high = min(high, against[1] - 1)
            case "<=":
                high = min(high, against[1])
            case ">":
                low = max(low, against[0] + 1)
            case _:
                low = max(low, against[0])
        if low <= high:
            target = f"{path}.size" if typed.type.tag == "tokens" else path
            env.facts[target] = whole(low, high)


def _assume_count(
    env: Env, e: syntax.Query, operator: str, against: tuple[int, int] | None
) -> None:
    """`count(x in S where C) >= 2`"""
    if e.word == "count" and len(e.binders) == 1 and against and operator in (">", ">="):
        _assume_some(env, e.binders[0], e.where, against[0] + (operator == ">"))


def _limits(env: Env, e: syntax.Expression) -> tuple[int, int] | None:
    if path_of(e) is None and not isinstance(e, (syntax.Binary, syntax.Unary)):
        return None
    if isinstance(e, syntax.Binary) and e.operator not in ("+", "-", "*"):
        return None
    if isinstance(e, syntax.Binary):
        a, b = _limits(env, e.left), _limits(env, e.right)
        if a is None or b is None:
            return None
        if e.operator == "+":
            return a[0] + b[0], a[1] + b[1]
        if e.operator == "-":
            return a[0] - b[1], a[1] - b[0]
        return None
    if isinstance(e, syntax.Unary):
        return None
    typed = recursion.expression(env, e)
    return (typed.type.low, typed.type.high) if typed.type.tag == "int" else None
