"""Compiles named values. The compiled code applies the powers that change `open` values, and the
changes for single calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, Stmts, binary, load
from rulewright.dsl.lowering.emit.core import (
    Compiler,
    Env,
    Modifier,
    Procedure,
    Typed,
    ValueInfo,
    new_env,
)
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.values import expressions, places, texts
from rulewright.dsl.lowering.values.powers import bind_power, pattern_pairs
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type, describe, range_of, whole, widest
from rulewright.dsl.tree import declared, syntax

WIDE = whole(-99_999, 99_999)


def subject_type(env: Env, value: declared.Value) -> Type:
    assert value.subject is not None and value.subject.type is not None
    return env.c.model.type_of(value.subject.type)


def value_info(c: Compiler, value: declared.Value, span: Span | None = None) -> ValueInfo:
    """Return the compiled form of a named value. Report an error if the value depends on itself."""
    known = c.values.get(id(value))
    if known is not None:
        if known.type is PENDING:
            _report_cycle(c, value, span)
            return evolve(known, type=UNKNOWN)
        return known
    c.values_in_progress.append((value, span))
    try:
        with c.part(f"value{'s' if value.subject is not None else ''} {value.name}"):
            info = _compile(c, value)
    finally:
        c.values_in_progress.pop()
    if id(value) in c.cyclic:
        info.type = UNKNOWN
    return info


def _report_cycle(c: Compiler, value: declared.Value, span: Span | None) -> None:
    """Report an error for values that depend on each other.

    The place of the error does not depend on which value is lowered first.
    """
    first = next(n for n, (one, _) in enumerate(c.values_in_progress) if one is value)
    needed = [(value, span), *c.values_in_progress[first + 1 :]]
    c.cyclic |= {id(one) for one, _ in needed}
    every = (*c.model.values.values(), *(v for of in c.model.subject_values.values() for v in of))
    order = {id(one): n for n, one in enumerate(every)}
    one, span = min(needed, key=lambda each: order[id(each[0])])
    c.problems.error(
        "cyclic-value",
        f"`{one.name}` is needed to compute `{one.name}`",
        span or one.name_span,
        labels=(Label(one.name_span, "declared here"),),
        help="keep the result in a `state`, or write it without this name",
    )


PENDING = types.Unknown(pending=True)


def _compile(c: Compiler, d: declared.Value) -> ValueInfo:
    index = c.reserve_plain()
    params = [*([d.subject] if d.subject is not None else []), *d.params]
    parameters = [(p.name, _param_type(c, p)) for p in params]
    assert c.rules is not None
    info = ValueInfo(d, index, PENDING, parameters, c.rules.a.says_me(d))
    c.values[id(d)] = info
    env, count = _value_env(c, d, info)
    typed = recursion.expression(env, d.value)
    if d.reason is not None:
        _lower_reason(c, d, info, d.reason, typed)
    typed = places.tokens_as_number(env, typed, d.value)
    if isinstance(typed.type, (types.Zone, types.Empty)):
        typed = expressions.as_list(env, typed, d.value)
    type = typed.type
    if isinstance(type, types.List) and d.bounds:
        typed = _with_checked_length(env, d, typed)
        type = typed.type
        d = evolve(d, bounds=())
    for bound in d.bounds:
        if bound.word == "up to" and type.known:
            c.wrong_type(
                bound.span,
                "`up to` says how long a list can be",
                type,
                f"write `at most {bound.amount.span.text}`",
            )
    bounds = [(b.word, expressions.number(env, b.amount)) for b in d.bounds if b.word != "up to"]
    if d.bounds and type.known and not isinstance(type, types.Number):
        c.wrong_type(
            d.bounds[0].span, "only numbers have bounds", type, f"remove `{d.bounds[0].word} ...`"
        )
        bounds = []
    if not type.known:
        info.type = UNKNOWN
        c.put_plain(index, env.procedure, count, [ir.Return(ZERO)], d.name_span)
        return info
    if not d.open:
        code, type = _apply_bounds(typed.code, type, bounds)
        info.type = type
        c.put_plain(
            index, env.procedure, count, [*_clause_mark(c, d), ir.Return(code)], d.name_span
        )
        return info
    modifiers = c.modifiers.get(d.name, [])
    for word, amount in bounds:
        type = _apply_bounds(ZERO, type, [(word, amount)])[1]
    if isinstance(type, types.Number):
        low = next(
            (range_of(a.type).low for w, a in bounds if w == "at least"),
            WIDE.low if modifiers or d.name in c.overrides else type.low,
        )
        high = next(
            (range_of(a.type).high for w, a in bounds if w == "at most"),
            WIDE.high if modifiers or d.name in c.overrides else type.high,
        )
        type = evolve(type, low=low, high=high)
    info.type = type
    info.base = c.reserve_plain()
    c.put_plain(info.base, env.procedure, count, [ir.Return(typed.code)], d.name_span)
    v = env.procedure.slot()
    body: Stmts = [*_clause_mark(c, d), ir.SetLocal(v, typed.code)]
    cells = c.overrides.get(d.name)
    was_set = _was_set_slot(env, modifiers, type)
    body.extend([ir.SetLocal(was_set, ZERO)] if was_set is not None else ())
    stages = (("is",), ("more", "less"), ("at least", "at most"))
    for words in stages:
        for modifier in modifiers:
            for change in modifier.line.changes:
                if change.word in words:
                    body.extend(_apply_change(c, env, d, modifier, change, v, type, was_set))
        if words == ("is",) and cells is not None:
            body.extend(_apply_override(cells, v, params, is_part=True))
        if words == ("more", "less") and cells is not None:
            body.extend(_apply_override(cells, v, params, is_part=False))
    for word, amount in bounds:
        operator: ir.BinaryWord = "max" if word == "at least" else "min"
        body.append(ir.SetLocal(v, binary(operator, ir.Local(v), amount.code)))
    body.append(ir.Return(ir.Local(v)))
    c.put_plain(index, env.procedure, count, body, d.name_span)
    for modifier in modifiers if c.is_run else ():
        for change in modifier.line.changes:
            info.sources.append(_change_source(c, d, info, modifier, change, type))
    return info


def _with_checked_length(env: Env, d: declared.Value, listed: Typed) -> Typed:
    """Return the list of a value, with code that checks the list against the maximum length in the head of the value.

    A longer list causes a fault during the match.
    """
    for bound in d.bounds:
        if bound.word != "up to":
            env.c.wrong_type(
                bound.span,
                "only numbers have bounds",
                listed.type,
                f"write `up to {bound.amount.span.text}`",
            )
            continue
        most = max(0, env.c.model.number(bound.amount, "the length of a list", 1))
        if isinstance(listed.type, types.List):
            wanted = evolve(listed.type, length=min(listed.type.length, most))
            code = expressions.checked_list(env, listed, wanted, d.value, f"`{d.name}`")
            listed = evolve(listed, type=wanted, code=code)
    return listed


def _clause_mark(c: Compiler, d: declared.Value) -> Stmts:
    """Return the statement that marks the use of a value if the value cites clauses; an empty list otherwise."""
    return [c.mark("value", d.name, d.tags, d.name_span)] if d.tags else []


def _param_type(c: Compiler, p: declared.Param) -> Type:
    if p.type is None:
        c.problems.error(
            "wrong-type",
            "a value's parameters are `name: Type`",
            p.span,
            help=f"write `{p.name}: Player`, or another type after the colon",
        )
        return UNKNOWN
    return c.model.type_of(p.type)


def _value_env(c: Compiler, d: declared.Value, info: ValueInfo) -> tuple[Env, int]:
    procedure = Procedure(d.name, suspending=False)
    env = new_env(c, procedure)
    params = [*([d.subject] if d.subject is not None else []), *d.params]
    for p, (name, type) in zip(params, info.parameters, strict=True):
        env.declare(name, type, p.name_span)
    if info.uses_me:
        env.bind("me", PLAYER)
    return env, procedure.locals


def _lower_reason(
    c: Compiler, d: declared.Value, info: ValueInfo, reason: syntax.Text, typed: Typed
) -> None:
    """Lower the sentence that the author gave for a named condition."""
    if typed.type.known and not isinstance(typed.type, types.Flag):
        c.wrong_type(
            reason.span,
            "only a condition takes `else` and a reason",
            typed.type,
            "remove `else` and the words",
        )
    env, count = _value_env(c, d, info)
    env.learn(typed.otherwise)
    parts, arguments = texts.parts_of(env, reason)
    procedures = []
    for code in arguments:
        index = c.reserve_plain()
        c.put_plain(index, env.procedure, count, [ir.Return(code)], reason.span)
        procedures.append(index)
    info.reason = parts, tuple(procedures)


def _apply_bounds(code: Expr, type: Type, bounds: Sequence[tuple[str, Typed]]) -> tuple[Expr, Type]:
    if not isinstance(type, types.Number):
        return code, type
    for word, amount in bounds:
        by = range_of(amount.type)
        if word == "at least":
            code = binary("max", code, amount.code)
            type = evolve(type, low=max(type.low, by.low), high=max(type.high, by.high))
        else:
            code = binary("min", code, amount.code)
            type = evolve(type, low=min(type.low, by.low), high=min(type.high, by.high))
    return code, type


# ---- powers and changes for one call ------------------------------------------------------------------


def _modifier_code(
    c: Compiler,
    env: Env,
    d: declared.Value,
    modifier: Modifier,
    body: Callable[[Env], Stmts],
    locals_: list[tuple[Expr, Type]],
) -> Stmts:
    pairs = pattern_pairs(locals_, modifier.line.value)
    clean = new_env(c, env.procedure)
    if "me" in env.scope:
        clean.scope["me"] = env.scope["me"]
    return bind_power(c, clean, modifier.power, pairs, modifier.line.where, body)


def _locals_of(info: ValueInfo) -> list[tuple[Expr, Type]]:
    return [(ir.Local(n), type) for n, (_, type) in enumerate(info.parameters)]


def _apply_change(
    c: Compiler,
    env: Env,
    d: declared.Value,
    modifier: Modifier,
    change: syntax.Change,
    v: int,
    type: Type,
    was_set: int | None,
) -> Stmts:
    info = c.values[id(d)]

    def body(inner: Env) -> Stmts:
        amount = _change_amount(inner, change, type)
        line, power = modifier.line, modifier.power
        name = " ".join(f"{power.name}: {line.value.span.text} {change.span.text}".split())
        if power.type is None:
            mark = c.mark("power", name, line.tags, line.span, power.tags)
        else:
            card = inner.scope[power.name]
            row = card.type, card.read()
            mark = c.row_mark("power", name, line.tags, line.span, row, power.tags)
        match change.word:
            case "is":
                return [mark, *_set_value(c, d, change, v, amount, was_set)]
            case "more":
                return [mark, ir.SetLocal(v, binary("+", ir.Local(v), amount))]
            case "less":
                return [mark, ir.SetLocal(v, ir.Binary("-", ir.Local(v), amount))]
            case "at least":
                return [mark, ir.SetLocal(v, binary("max", ir.Local(v), amount))]
            case "at most":
                return [mark, ir.SetLocal(v, binary("min", ir.Local(v), amount))]

    return _modifier_code(c, env, d, modifier, body, _locals_of(info))


def _was_set_slot(env: Env, modifiers: Sequence[Modifier], type: Type) -> int | None:
    """Return a local that records whether a power has set the value; None if no two powers can set
    different amounts.
    """
    found = [(m, change) for m in modifiers for change in m.line.changes if change.word == "is"]
    fixed = (syntax.Number, syntax.Fixed)
    several = len(found) > 1 or any(
        m.power.type is not None and not isinstance(change.amount, fixed) for m, change in found
    )
    return env.procedure.slot() if several and not isinstance(type, types.List) else None


def _set_value(
    c: Compiler, d: declared.Value, change: syntax.Change, v: int, amount: Expr, was_set: int | None
) -> Stmts:
    """Return statements that set the value as a power says.

    They raise a fault if another power has set a different amount.
    """
    if was_set is None:
        return [ir.SetLocal(v, amount)]
    fault = c.fault(
        "powers-disagree", f"two powers set `{d.name}`, each to another value", change.span
    )
    differs = ir.And(ir.Local(was_set), ir.Binary("!=", ir.Local(v), amount))
    return [
        ir.If(differs, (ir.Fault(fault),)),
        ir.SetLocal(v, amount),
        ir.SetLocal(was_set, ONE),
    ]


def _change_amount(env: Env, change: syntax.Change, type: Type) -> Expr:
    if change.word == "is":
        return expressions.value_of_type(env, change.amount, widest(type)).code
    if not isinstance(type, types.Number):
        env.c.problems.error(
            "wrong-type",
            f"`{change.word}` changes numbers, but the value is {describe(type)}",
            change.span,
            help=f"write `is ...` in place of `{change.word} ...`",
        )
        return ZERO
    return expressions.number(env, change.amount).code


CHANGE_CODES = {"more": 0, "less": 1, "is": 2, "at least": 3, "at most": 4}


def _change_source(
    c: Compiler,
    d: declared.Value,
    info: ValueInfo,
    modifier: Modifier,
    change: syntax.Change,
    type: Type,
) -> tuple[str, tuple[str, ...], int]:
    env, count = _value_env(c, d, info)
    index = c.reserve_plain()
    found = env.procedure.slot()

    def body(inner: Env) -> Stmts:
        card = inner.scope.get(modifier.power.name)
        parts = (
            ir.Const(CHANGE_CODES[change.word]),
            _change_amount(inner, change, type),
            card.read() if card is not None else NONE,
        )
        return [ir.Append(found, part) for part in parts]

    stmts = _modifier_code(c, env, d, modifier, body, _locals_of(info))
    c.put_plain(
        index,
        env.procedure,
        count,
        [ir.SetLocal(found, ir.MakeList(())), *stmts, ir.Return(ir.Local(found))],
        modifier.line.span,
    )
    clauses = clause_ids(modifier.line.tags) or clause_ids(modifier.power.tags)
    return modifier.power.name.replace("_", " "), clauses, index


def _apply_override(
    cells: int, v: int, params: Sequence[declared.Param], *, is_part: bool
) -> Stmts:
    """Return statements that apply the change for a single call; the change is stored in the cells
    [active, subject, is given, is, delta].
    """
    active: Expr = load(cells)
    if params:
        active = ir.And(active, ir.Binary("==", load(cells + 1), ir.Local(0)))
    if is_part:
        return [ir.If(ir.And(active, load(cells + 2)), (ir.SetLocal(v, load(cells + 3)),))]
    return [ir.If(active, (ir.SetLocal(v, ir.Binary("+", ir.Local(v), load(cells + 4))),))]
