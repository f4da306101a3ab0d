"""Named values, functions and `possible(...)`: calls inside expressions; open values with what powers make of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from attrs import define, evolve, field

from rulewright.dsl import builtins, ir
from rulewright.dsl.lowering.values import assuming, attributes, expressions, iterating
from rulewright.dsl.lowering.workshop.core import (
    BAD,
    NONE,
    ONE,
    ZERO,
    Compiler,
    Env,
    Expr,
    Procedure,
    Stmts,
    Typed,
    Variable,
    binary,
    both,
    clause_ids,
    load,
    new_env,
)
from rulewright.dsl.problems import habits
from rulewright.dsl.problems.diagnostics import Label
from rulewright.dsl.problems.source import Span
from rulewright.dsl.problems.suggest import did_you_mean
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk
from rulewright.dsl.world.typesystem import FLAG, PLAYER, UNKNOWN, Type, describe, fits, whole

WIDE = whole(-99_999, 99_999)


@define
class ValueInfo:
    """A named value that has been compiled."""

    declaration: declared.Value
    procedure: int
    type: Type
    parameters: list[tuple[str, Type]]
    uses_me: bool
    base: int | None = None
    sources: list[tuple[str, tuple[str, ...], int]] = field(factory=list)


@define
class Modifier:
    """A line of a power that changes an open value."""

    power: declared.Power
    line: declared.Modify


def subject_type(env: Env, value: declared.Value) -> Type:
    """The type of thing a value belongs to."""
    assert value.subject is not None and value.subject.type is not None
    return env.c.world.type_of(value.subject.type)


def named_info(c: Compiler, value: declared.Value, span: Span | None = None) -> ValueInfo:
    """The compiled form of a named value; a value that needs itself is reported."""
    known = c.values.get(id(value))
    if known is not None:
        if known.type is PENDING:
            c.problems.error(
                "cyclic-value",
                f"`{value.name}` is needed to work out `{value.name}`",
                span or value.name_span,
                labels=(Label(value.name_span, "declared here"),),
            )
            return evolve(known, type=UNKNOWN)
        return known
    kept = c.for_good()
    try:
        return _compile(c, value)
    finally:
        c.loudly(kept)


PENDING = Type("unknown", names=("pending",))


def _compile(c: Compiler, d: declared.Value) -> ValueInfo:
    index = c.reserve_plain()
    params = [*([d.subject] if d.subject is not None else []), *d.params]
    parameters = [(p.name, _in_brackets(c, p)) for p in params]
    info = ValueInfo(d, index, PENDING, parameters, needs_me(c, d))
    c.values[id(d)] = info
    env, count = _value_env(c, d, info)
    typed = expressions.expression(env, d.value)
    if typed.type.tag == "tokens":
        typed = attributes.token_count(env, typed, d.value)
    if typed.type.tag in ("zone", "empty"):
        typed = expressions.as_list(env, typed, d.value)
    type = typed.type
    bounds = [(b.word, expressions.number(env, b.amount)) for b in d.bounds]
    if d.bounds and type.known and type.tag != "int":
        c.problems.error(
            "wrong-type", f"only numbers have bounds, this is {describe(type)}", d.bounds[0].span
        )
        bounds = []
    if not type.known:
        info.type = UNKNOWN
        c.put_plain(index, env.procedure, count, [ir.Return(ZERO)], d.name_span)
        return info
    if not d.open:
        code, type = _bounded(typed.code, type, bounds)
        info.type = type
        c.put_plain(index, env.procedure, count, [*_cited(c, d), ir.Return(code)], d.name_span)
        return info
    modifiers = c.modifiers.get(d.name, [])
    for word, amount in bounds:
        type = _bounded(ZERO, type, [(word, amount)])[1]
    if type.tag == "int":
        low = next(
            (a.type.low for w, a in bounds if w == "at least"),
            WIDE.low if modifiers or d.name in c.overrides else type.low,
        )
        high = next(
            (a.type.high for w, a in bounds if w == "at most"),
            WIDE.high if modifiers or d.name in c.overrides else type.high,
        )
        type = evolve(type, low=low, high=high)
    info.type = type
    base_env, base_count = _value_env(c, d, info)
    base = c.reserve_plain()
    base_typed = expressions.expression(base_env, d.value)
    if base_typed.type.tag == "tokens":
        base_typed = attributes.token_count(base_env, base_typed, d.value)
    c.put_plain(base, base_env.procedure, base_count, [ir.Return(base_typed.code)], d.name_span)
    info.base = base
    v = env.procedure.slot()
    body: Stmts = [*_cited(c, d), ir.SetLocal(v, typed.code)]
    cells = c.overrides.get(d.name)
    met = _met(env, modifiers, type)
    body.extend([ir.SetLocal(met, ZERO)] if met is not None else ())
    stages = (("is",), ("more", "less"), ("at least", "at most"))
    for words in stages:
        for modifier in modifiers:
            for change in modifier.line.changes:
                if change.word in words:
                    body.extend(_apply(c, env, d, modifier, change, v, type, met))
        if words == ("is",) and cells is not None:
            body.extend(_override(cells, v, params, is_part=True))
        if words == ("more", "less") and cells is not None:
            body.extend(_override(cells, v, params, is_part=False))
    for word, amount in bounds:
        operator: ir.BinaryWord = "max" if word == "at least" else "min"
        body.append(ir.SetLocal(v, binary(operator, ir.Local(v), amount.code)))
    body.append(ir.Return(ir.Local(v)))
    c.put_plain(index, env.procedure, count, body, d.name_span)
    for modifier in modifiers:
        for change in modifier.line.changes:
            info.sources.append(_source(c, d, info, modifier, change, type))
    return info


def _cited(c: Compiler, d: declared.Value) -> Stmts:
    """The mark of a value that cites clauses."""
    return [c.mark("value", d.name, d.tags, d.name_span)] if d.tags else []


def _in_brackets(c: Compiler, p: declared.Param) -> Type:
    if p.type is None:
        c.problems.error("wrong-type", "a value's parameters are `name: Type`", p.span)
        return UNKNOWN
    return c.world.type_of(p.type)


def _value_env(c: Compiler, d: declared.Value, info: ValueInfo) -> tuple[Env, int]:
    procedure = Procedure(d.name, suspending=False)
    env = new_env(c, procedure)
    params = [*([d.subject] if d.subject is not None else []), *d.params]
    for p, (name, type) in zip(params, info.parameters, strict=True):
        env.declare(name, type, p.name_span)
    if info.uses_me:
        variable = Variable("me", PLAYER, procedure.slot(), procedure, None, used=True)
        env.scope["me"] = variable
    return env, procedure.locals


def _bounded(code: Expr, type: Type, bounds: Sequence[tuple[str, Typed]]) -> tuple[Expr, Type]:
    for word, amount in bounds:
        if word == "at least":
            code = binary("max", code, amount.code)
            type = evolve(
                type, low=max(type.low, amount.type.low), high=max(type.high, amount.type.high)
            )
        else:
            code = binary("min", code, amount.code)
            type = evolve(
                type, low=min(type.low, amount.type.low), high=min(type.high, amount.type.high)
            )
    return code, type


def needs_me(c: Compiler, d: declared.Value, seen: set[int] | None = None) -> bool:
    """Whether a value speaks of the acting player, itself or through others."""
    if id(d) in c.me_needed:
        return c.me_needed[id(d)]
    seen = seen if seen is not None else set()
    if id(d) in seen:
        return False
    seen.add(id(d))
    own = {p.name for p in (*d.params, *([d.subject] if d.subject is not None else []))}
    result = asks_for_me(c, d.value, own, seen)
    if len(seen) == 1 or result:
        c.me_needed[id(d)] = result
    return result


def asks_for_me(
    c: Compiler, written: object, own: Collection[str] = (), seen: set[int] | None = None
) -> bool:
    """Whether something speaks of the acting player, itself or through values; `own` are names that it gives."""
    for node in walk(written):
        if isinstance(node, syntax.Dot):
            others = c.world.subject_values.get(node.name, [])
        elif isinstance(node, (syntax.Word, syntax.Call)):
            if node.name == "me" and "me" not in own:
                return True
            others = [c.world.values[node.name]] if node.name in c.world.values else []
        else:
            continue
        if any(needs_me(c, other, seen) for other in others):
            return True
    return False


# ---- powers and changes for one call ------------------------------------------------------------------


def bind_power(
    c: Compiler,
    env: Env,
    power: declared.Power,
    pairs: Sequence[tuple[Expr, Type, syntax.Expression]],
    where: syntax.Expression | None,
    body: Callable[[Env], Stmts],
) -> Stmts:
    """Statements that run `body` for each card in play that carries the power, where its pattern fits.

    `pairs`: a value at hand, its type, and what the pattern says in its place: a new name, or something to be equal to.
    """
    inner = env.child()
    owner = _owner_name(env, power)
    tests: list[tuple[Expr, syntax.Expression, Type]] = []
    owner_bound = False
    for code, type, written in pairs:
        if owner is not None and isinstance(written, syntax.Word) and written.name == owner:
            owner_bound = True
            inner.scope[owner] = _alias(inner, owner, type, code, written.span)
        elif isinstance(written, syntax.Word) and _is_new(inner, written.name, power):
            inner.scope[written.name] = _alias(inner, written.name, type, code, written.span)
        else:
            tests.append((code, written, type))

    def cards(env2: Env) -> Stmts:
        def matched(env3: Env) -> Stmts:
            condition: Expr = ONE
            for code, written, type in tests:
                typed = expressions.something(env3, written, type.maybe())
                condition = both(condition, binary("==", code, typed.code))
            env4 = env3.child()
            for extra in (power.where, where):
                if extra is not None:
                    condition = both(condition, expressions.condition(env4, extra))
                    assuming.assume(env4, extra, truth=True)
            stmts = body(env4)
            return stmts if condition == ONE else [ir.If(condition, tuple(stmts))]

        if power.type is not None:
            binder = syntax.Binder(
                power.place.span, power.name, power.name_span, power.type, power.place
            )
            return iterating.iterate(env2, binder, matched)
        found = expressions.row_named(env2, power.name, Type("piece"))
        if found is None:
            near = did_you_mean(power.name, [r for k in c.world.pieces.values() for r in k.rows])
            if near or not c.world.has_lost_rows:
                c.problems.error(
                    "unknown-name", f"there is no card `{power.name}`", power.name_span, help=near
                )
            return []
        ids = found.ids or (found.constant or 0,)
        zone = expressions.expression(env2, power.place)
        if zone.type.tag != "zone":
            if zone.type.known:
                c.problems.error(
                    "wrong-type",
                    f"a power holds while its card lies in a zone, this is {describe(zone.type)}",
                    power.place.span,
                )
            return []
        lies: Stmts = []
        for piece in ids:
            here = binary("==", load(c.layout.zone_of, ir.Const(piece)), zone.code)
            lies.append(ir.If(here, tuple(matched(env2))))
        return lies

    if owner is None or owner_bound:
        return cards(inner)
    slot = env.procedure.slot()
    inner.scope[owner] = Variable(owner, PLAYER, slot, env.procedure, None, used=True)
    return [ir.ForRange(slot, ZERO, ir.Const(len(c.world.seats) - 1), tuple(cards(inner)))]


def _alias(env: Env, name: str, type: Type, code: Expr, span: Span) -> Variable:
    if isinstance(code, ir.Local):
        return Variable(name, type, code.slot, env.procedure, span, used=True)
    raise AssertionError("a pattern is bound to a local")


def _owner_name(env: Env, power: declared.Power) -> str | None:
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


def _is_new(env: Env, name: str, power: declared.Power) -> bool:
    world = env.c.world
    return not (
        name in ("me", power.name)
        or name in world.row_names
        or name in world.states
        or name in world.zones
        or name in world.values
        or name in world.options
    )


def pattern_pairs(
    info_params: Sequence[tuple[Expr, Type]], written: syntax.Expression, has_subject: bool
) -> list[tuple[Expr, Type, syntax.Expression]]:
    """What a `modify` line says in the places of a value's subject and parameters."""
    parts: list[syntax.Expression] = []
    if isinstance(written, syntax.Dot):
        parts = [written.subject, *(written.arguments or ())]
    elif isinstance(written, syntax.Call):
        parts = list(written.arguments)
    del has_subject
    return [(code, type, part) for (code, type), part in zip(info_params, parts, strict=False)]


def _modifier_code(
    c: Compiler,
    env: Env,
    d: declared.Value,
    modifier: Modifier,
    body: Callable[[Env], Stmts],
    locals_: list[tuple[Expr, Type]],
) -> Stmts:
    pairs = pattern_pairs(locals_, modifier.line.value, d.subject is not None)
    clean = new_env(c, env.procedure)
    if "me" in env.scope:
        clean.scope["me"] = env.scope["me"]
    return bind_power(c, clean, modifier.power, pairs, modifier.line.where, body)


def _locals_of(info: ValueInfo) -> list[tuple[Expr, Type]]:
    return [(ir.Local(n), type) for n, (_, type) in enumerate(info.parameters)]


def _apply(
    c: Compiler,
    env: Env,
    d: declared.Value,
    modifier: Modifier,
    change: syntax.Change,
    v: int,
    type: Type,
    met: int | None,
) -> Stmts:
    info = c.values[id(d)]

    def body(inner: Env) -> Stmts:
        amount = _amount(inner, change, type)
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
                return [mark, *_set(c, d, change, v, amount, met)]
            case "more":
                return [mark, ir.SetLocal(v, binary("+", ir.Local(v), amount))]
            case "less":
                return [mark, ir.SetLocal(v, ir.Binary("-", ir.Local(v), amount))]
            case "at least":
                return [mark, ir.SetLocal(v, binary("max", ir.Local(v), amount))]
            case "at most":
                return [mark, ir.SetLocal(v, binary("min", ir.Local(v), amount))]

    return _modifier_code(c, env, d, modifier, body, _locals_of(info))


def _met(env: Env, modifiers: Sequence[Modifier], type: Type) -> int | None:
    """Where it is kept that a power has set the value, if several can set it to different amounts."""
    found = [(m, change) for m in modifiers for change in m.line.changes if change.word == "is"]
    fixed = (syntax.Number, syntax.Fixed)
    several = len(found) > 1 or any(
        m.power.type is not None and not isinstance(change.amount, fixed) for m, change in found
    )
    return env.procedure.slot() if several and type.tag != "list" else None


def _set(
    c: Compiler, d: declared.Value, change: syntax.Change, v: int, amount: Expr, met: int | None
) -> Stmts:
    """A power sets the value; where another has set it to something else, nobody says which of them counts."""
    if met is None:
        return [ir.SetLocal(v, amount)]
    fault = c.fault(
        "powers-disagree", f"two powers set `{d.name}`, each to another value", change.span
    )
    differs = ir.And(ir.Local(met), ir.Binary("!=", ir.Local(v), amount))
    return [
        ir.If(differs, (ir.Fault(fault),)),
        ir.SetLocal(v, amount),
        ir.SetLocal(met, ONE),
    ]


def _amount(env: Env, change: syntax.Change, type: Type) -> Expr:
    if change.word == "is":
        wide = evolve(type, low=-(2**31), high=2**31 - 1) if type.tag == "int" else type
        return expressions.something(env, change.amount, wide).code
    if type.tag != "int":
        env.c.problems.error(
            "wrong-type",
            f"`{change.word}` changes numbers, the value is {describe(type)}",
            change.span,
        )
        return ZERO
    return expressions.number(env, change.amount).code


CHANGE_CODES = {"more": 0, "less": 1, "is": 2, "at least": 3, "at most": 4}


def _source(
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
            _amount(inner, change, type),
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


def _override(cells: int, v: int, params: Sequence[declared.Param], *, is_part: bool) -> Stmts:
    """The change for one call: cells [active, subject, is given, is, delta]."""
    active: Expr = load(cells)
    if params:
        active = ir.And(active, ir.Binary("==", load(cells + 1), ir.Local(0)))
    if is_part:
        return [ir.If(ir.And(active, load(cells + 2)), (ir.SetLocal(v, load(cells + 3)),))]
    return [ir.If(active, (ir.SetLocal(v, ir.Binary("+", ir.Local(v), load(cells + 4))),))]


# ---- calls ----------------------------------------------------------------------------------------------


def call(env: Env, e: syntax.Call, expect: Type | None) -> Typed:
    """`name(arguments)`"""
    c = env.c
    found = builtins.function(env, e, expect)
    if found is not None:
        return found
    if e.name in env.scope:
        c.problems.error("wrong-arguments", f"`{e.name}` takes nothing in brackets", e.span)
        return BAD
    family = c.layout.of("", e.name)
    if family is not None:
        return attributes.family_value(env, family, None, e.arguments, e.span)
    value = c.world.values.get(e.name)
    if value is not None:
        return call_value(env, value, None, e.arguments, e.span, e.span)
    help = did_you_mean(
        e.name, [*builtins.function_names(), *c.world.values, *c.world.states, *c.world.zones]
    )
    if e.name in c.world.rules:
        what = c.world.rules[e.name].what
        c.problems.error(
            "wrong-type",
            f"`{e.name}` is {'an' if what == 'action' else 'a'} {what}: it does something and has no value",
            e.span,
            help=f"write `do {e.name}(...)` as a step, or ask `possible({e.name}(...))`",
        )
        return BAD
    if len(e.arguments) == 1 and expressions.owners_of(env, e.name):
        help = f'a dot reads "of": write `{e.arguments[0].span.text}.{e.name}`'
    elif len(e.arguments) == 1 and e.name in habits.HOW_MANY:
        help = f"write `{e.arguments[0].span.text}.size`"
    c.problems.error("unknown-name", f"there is no `{e.name}(...)`", e.span, help=help)
    return BAD


def call_value(
    env: Env,
    value: declared.Value,
    subject: Typed | None,
    arguments: Sequence[syntax.Expression],
    name_span: Span,
    span: Span,
) -> Typed:
    """The value of a named value."""
    c = env.c
    c.value_uses.add(id(value))
    info = named_info(c, value, name_span)
    wanted = info.parameters[1:] if value.subject is not None else info.parameters
    if len(arguments) != len(wanted):
        shown = f"{value.name}({', '.join(n for n, _ in wanted)})" if wanted else value.name
        c.problems.error(
            "wrong-arguments",
            f"`{value.name}` takes {len(wanted)} in brackets, here stand {len(arguments)}",
            span,
            labels=(Label(value.name_span, "declared here"),),
            help=f"write `{shown}`",
        )
        return BAD
    codes: list[Expr] = [subject.code] if subject is not None else []
    for argument, (name, type) in zip(arguments, wanted, strict=True):
        if not type.known:
            expressions.expression(env, argument)
            codes.append(ZERO)
            continue
        wide = evolve(type, low=-(2**31), high=2**31 - 1) if type.tag == "int" else type
        if type.tag == "list":
            listed = expressions.as_list(env, expressions.expression(env, argument, type), argument)
            if listed.type.known and not fits(listed.type, type):
                c.problems.error(
                    "wrong-type",
                    f"{describe(type)} is wanted here, this is {describe(listed.type)}",
                    argument.span,
                )
            codes.append(listed.code)
            continue
        typed = expressions.something(env, argument, wide)
        codes.append(
            expressions.checked_number(env, typed, type, argument, f"`{name}`")
            if type.tag == "int"
            else typed.code
        )
    if info.uses_me:
        if "me" not in env.scope:
            c.problems.error(
                "unknown-name", f"`{value.name}` speaks of `me`, and nobody is acting here", span
            )
            return BAD
        codes.append(env.scope["me"].read())
    if not info.type.known:
        return BAD
    return Typed(info.type, ir.CallValue(info.procedure, tuple(codes)))


def possible(env: Env, e: syntax.Possible) -> Typed:
    """`possible(action(...))`: whether it could be done now, to its end."""
    from rulewright.dsl.lowering.steps import statements

    c = env.c
    if "me" not in env.scope:
        c.problems.error(
            "unknown-name",
            "nobody is acting here, so nothing is possible",
            e.span,
            help="use it where `me` is known",
        )
        return BAD
    names = {n.name for n in walk(e.action) if isinstance(n, syntax.Word)} | {"me"}
    captured = [v for name, v in env.scope.items() if name in names]
    codes = tuple(v.read() for v in captured)
    step = syntax.Do(e.span, (), e.action, False, ())
    index = statements.extra_procedure(c, "possible", captured, (step,), env)
    return Typed(FLAG, ir.Possible(index, codes, env.scope["me"].read()))
