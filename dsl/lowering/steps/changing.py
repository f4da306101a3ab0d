"""Lowers the statements that set values: `let`, `set`, `add`, `lose` and `pay`, for numbers, things and lists."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary, choice
from rulewright.dsl.lowering.emit.core import BAD, Compiler, Env, Typed, Variable
from rulewright.dsl.lowering.emit.paths import path_of
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import condition_triggers, messages, moves
from rulewright.dsl.lowering.values import expressions, stored
from rulewright.dsl.lowering.values.arithmetic import arithmetic
from rulewright.dsl.model import types
from rulewright.dsl.model.records import READ_LIMIT
from rulewright.dsl.model.types import UNKNOWN, Type, describe, item_of, range_of, widest
from rulewright.dsl.tree import syntax


@writes(syntax.Let)
def let(w: Writer, ctx: Context, s: syntax.Let) -> None:
    """Lower `let name = value`."""
    env = ctx.env
    wanted = w.c.model.type_of(s.type) if s.type is not None else None
    found = recursion.expression(env, s.value, wanted)
    typed = expressions.as_stored(env, found, s.value, wanted)
    type = typed.type
    if isinstance(typed.type, types.Empty):
        w.c.problems.error(
            "wrong-type",
            "the type of the things in this list is missing",
            s.value.span,
            help=f"write `let {s.name}: list of ... up to N = empty`",
        )
        type = UNKNOWN
    if isinstance(typed.type, types.Nothing) and wanted is None:
        w.c.problems.error(
            "wrong-type",
            "`nothing` alone has no type",
            s.value.span,
            help=f"write `let {s.name}: Player or nothing = nothing`",
        )
        type = UNKNOWN
    code = typed.code
    if wanted is not None and isinstance(wanted, types.List) and typed.type.known:
        code = expressions.as_list_of_type(env, found, s.value, wanted, f"`{s.name}`").code
        type = wanted
    elif wanted is not None and wanted.known and typed.type.known:
        checked = expressions.as_type(env, found, s.value, wanted)
        if isinstance(wanted, types.Number):
            code = expressions.checked_number(env, checked, wanted, s.value, f"`{s.name}`")
        type = wanted
    if isinstance(type, types.List) and w.procedure.suspending and isinstance(type.of, types.List):
        w.c.problems.error(
            "not-storable",
            "a list of lists cannot be kept under a name here",
            s.value.span,
            help=_one_list_help(s.value) or "make it a `value`, or use it at once in a query",
        )
        type = UNKNOWN
    if isinstance(type, types.List) and w.procedure.suspending and type.length > READ_LIMIT:
        w.c.problems.error(
            "not-storable",
            f"a list of up to {type.length:,} things is too long to be kept (at most {READ_LIMIT:,})",
            s.value.span,
            help="make it a `value`, or use it at once in a query",
        )
        type = UNKNOWN
    if isinstance(type, types.List):
        code = expressions.as_frame_list(env, Typed(type, code), s.value, f"`{s.name}`")
    variable = env.declare(s.name, type, s.name_span)
    variable.has_written_type = wanted is not None
    assign_local(w, variable, code)


def assign_local(w: Writer, variable: Variable, code: Expr) -> None:
    """Emit steps that set a local to a value, in one or several cells."""
    if variable.capacity:
        w.emit(ir.SetLocalList(variable.slot, variable.capacity - 1, code))
    else:
        w.emit(*variable.set_to(code))


def _one_list_help(value: syntax.Expression) -> str:
    """Return help for two lists in brackets that the author meant as one list; "" for any other value."""
    if not isinstance(value, syntax.ListOf) or len(value.items) != 2:
        return ""
    one, other = (item.span.text for item in value.items)
    return f"to join the two lists, write `{one}.joined({other})`"


def _move_help(zone: syntax.Expression) -> str:
    """Return help for a `set` whose target is a zone: pieces are moved instead."""
    name = zone.span.text
    return f"things lie in zones: write `move all from {name} to ZONE`, or `move 2 from ZONE to {name}`"


@writes(syntax.SetTo)
def set_to(w: Writer, ctx: Context, s: syntax.SetTo) -> None:
    """Lower `set place to value`."""
    env, c = ctx.env, w.c
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        variable = env.scope[s.place.name]
        c.model.facts.refers(s.place.span, "local", variable.name, variable.span)
        if variable.name == "me":
            c.problems.error(
                "wrong-type",
                "`me` cannot be set",
                s.place.span,
                help="use `as player` with a block",
            )
            return
        if not variable.type.known:
            recursion.expression(env, s.value)
            return
        assign_local(w, variable, value_after(env, s, variable))
        env.forget([variable.name])
        return
    if isinstance(s.place, syntax.Dot) and s.place.name == "nth" and s.place.arguments:
        listed, at, new = (
            s.place.subject.span.text,
            s.place.arguments[0].span.text,
            s.value.span.text,
        )
        c.problems.error(
            "wrong-type",
            f"`{s.place.span.text}` is not a state and cannot be set",
            s.place.span,
            help=write(f"set {listed} to {listed}.with_nth({at}, {new})", s.span),
        )
        return
    place = expressions.place(env, s.place)
    if not place.type.known:
        recursion.expression(env, s.value)
        return
    group = place.group
    if group is None and c.model.has_lost_rows:
        return  # a column is missing in its file; the error has been reported
    if group is None or group.what != "state":
        help = ""
        if group is not None:
            help = _move_help(s.place)
        elif isinstance(s.place, syntax.Word) and s.place.name in c.model.option_chosen:
            help = "an option is chosen before the game; a value that changes in play is a state: "
            help += f"`state NAME: 0..9 = {s.place.name}`"
        elif isinstance(s.place, syntax.Dot) and s.place.name == "size":
            help = _move_help(s.place.subject)
        elif isinstance(s.place, syntax.Dot):
            help = f"`{s.place.name}` is computed or printed; only a `state` can be set"
        c.problems.error(
            "wrong-type",
            f"`{s.place.span.text}` is not a state and cannot be set",
            s.place.span,
            help=help,
        )
        return
    group.written = True
    moves.ensure_place(w, group, s.place, place)
    if isinstance(group.type, types.List):
        _set_list(w, ctx, s, place)
        value = BAD
    else:
        value = recursion.expression(env, s.value, widest(group.type))
        code = _as_value_for(env, value, s.value, group.type, f"`{group.name}`")
        assert isinstance(place.code, ir.Load)
        w.emit(ir.Store(place.code.address, code))
    moves.release_place(w, group, s.place, place)
    condition_triggers.after_step(w, ctx, s)
    path = path_of(s.place)
    thing = value.type if path_of(s.value) else UNKNOWN
    if path is not None and thing.is_thing and not thing.opt and group.type.opt:
        env.facts[path] = thing


def value_for(env: Env, e: syntax.Expression, type: Type, what: str) -> Expr:
    """Lower a value to the form in which a place or local name of this type stores it."""
    if isinstance(type, types.List):
        return expressions.list_of_type(env, e, type, what).code
    return _as_value_for(env, recursion.expression(env, e, widest(type)), e, type, what)


def _as_value_for(env: Env, found: Typed, e: syntax.Expression, type: Type, what: str) -> Expr:
    """Convert a value other than a list to the form in which a place or local name of this type stores it."""
    typed = expressions.as_type(env, found, e, widest(type))
    if types.never_fits(typed.type, type):
        expressions.report_outside(env, what, type, typed.type, e.span)
    elif isinstance(type, types.Number) and _is_declared_wider(env, e, typed, type):
        text = e.span.text
        end = f"min({text}, {type.high})" if range_of(typed.type).high > type.high else text
        end = f"max({type.low}, {end})" if range_of(typed.type).low < type.low else end
        env.c.problems.warning(
            "out-of-range",
            f"{what} is {type.low}..{type.high}, but this is {describe(typed.type)}",
            e.span,
            help=f"write a wider range where {what} is declared, or `{end}`",
        )
    return (
        expressions.checked_number(env, typed, type, e, what)
        if isinstance(type, types.Number)
        else _flag_as_number(typed)
    )


def _is_declared_wider(env: Env, e: syntax.Expression, typed: Typed, type: Type) -> bool:
    """Return whether a number is read from a place whose declared range is wider than the range of `type`.

    The range of a computed number is only an estimate: `n - 1` may fit wherever the step runs.
    """
    if not isinstance(typed.type, types.Number) or not isinstance(e, (syntax.Word, syntax.Dot)):
        return False
    if range_of(type).low <= typed.type.low and typed.type.high <= range_of(type).high:
        return False
    if isinstance(e, syntax.Word) and e.name in env.scope:
        return env.scope[e.name].has_written_type
    return isinstance(typed.code, (ir.Load, ir.Table))


def _flag_as_number(typed: Typed) -> Expr:
    return (
        choice(typed.code, ONE, ZERO)
        if isinstance(typed.type, types.Flag)
        and not isinstance(typed.code, (ir.Const, ir.Load, ir.Local))
        else typed.code
    )


def _set_list(w: Writer, ctx: Context, s: syntax.SetTo, place: Typed) -> None:
    assert isinstance(place.code, ir.CallValue) and place.group is not None
    assert isinstance(place.type, types.List)
    listed = expressions.list_of_type(ctx.env, s.value, place.type, f"`{place.group.name}`")
    w.emit(
        ir.CallPlain(
            stored.list_writer(w.c, place.type.length, is_sorted=not place.type.ordered),
            (place.code.arguments[0], listed.code),
        )
    )


@writes(syntax.Amount)
def change_amount(w: Writer, ctx: Context, s: syntax.Amount) -> None:
    """Lower `add N to place`, `lose N from place` or `pay N from place`."""
    env, c = ctx.env, w.c
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        variable = env.scope[s.place.name]
        c.model.facts.refers(s.place.span, "local", variable.name, variable.span)
        if not variable.type.known:
            recursion.expression(env, s.amount)
            return
        if not isinstance(variable.type, (types.List, types.Number)):
            recursion.expression(env, s.amount)
            c.problems.error(
                "wrong-type",
                f"`{s.verb}` changes numbers, but `{variable.name}` is {describe(variable.type)}",
                s.place.span,
                help=f"write `set {variable.name} to ...`",
            )
            return
        there, amount = Typed(variable.type, variable.read()), _lower_amount(env, s, variable.type)
        new = _new_value(env, s, there, variable.type, amount, variable.name)
        if s.verb == "pay":
            _check_payable(w, ctx, s, there, variable.type, amount, variable.name)
        assign_local(w, variable, new)
        if isinstance(variable.type, types.Number):
            env.forget([variable.name])
        return
    place = expressions.place(env, s.place)
    of = item_of(place.type) if isinstance(place.type, types.List) else None
    found = recursion.expression(env, s.amount, of)
    if not place.type.known or not found.type.known:
        return
    group = place.group
    if group is None or group.what != "state":
        help = ""
        if group is not None:
            place_text, shown = s.place.span.text, s.amount.span.text
            ends = (place_text, "ZONE") if s.verb != "add" else ("ZONE", place_text)
            help = f"tokens and pieces are moved: `move {shown} from {ends[0]} to {ends[1]}`"
        fix = None
        if group is None and isinstance(place.type, types.List) and isinstance(s.place, syntax.Dot):
            help, fix = _two_steps_help(s, s.place)
        c.problems.error(
            "wrong-type",
            f"`{s.place.span.text}` is not a state whose number can change",
            s.place.span,
            help=help,
            fix=fix,
        )
        return
    group.written = True
    moves.ensure_place(w, group, s.place, place)
    if isinstance(group.type, types.List):
        assert isinstance(place.code, ir.CallValue) and isinstance(place.type, types.List)
        amount = expressions.as_type(env, found, s.amount, place.type.of)
        changed = _new_value(env, s, place, place.type, amount, group.name)
        if s.verb == "pay":
            _check_payable(w, ctx, s, place, place.type, amount, group.name)
        writer = stored.list_writer(c, place.type.length, is_sorted=not place.type.ordered)
        w.emit(ir.CallPlain(writer, (place.code.arguments[0], changed)))
    elif not isinstance(group.type, types.Number):
        c.problems.error(
            "wrong-type",
            f"`{s.verb}` changes numbers, but `{group.name}` is {describe(group.type)}",
            s.place.span,
            help=f"write `set {s.place.span.text} to ...`",
        )
        return
    elif group.type.opt:
        expressions.report_may_be_nothing(env, s.place)
        return
    else:
        assert isinstance(place.code, ir.Load)
        amount = expressions.as_number(env, found, s.amount)
        new = _new_value(env, s, place, group.type, amount, group.name)
        if s.verb == "pay":
            _check_payable(w, ctx, s, place, group.type, amount, group.name)
        w.emit(ir.Store(place.code.address, new))
    moves.release_place(w, group, s.place, place)
    condition_triggers.after_step(w, ctx, s)


def _two_steps_help(s: syntax.Amount, place: syntax.Dot) -> tuple[str, Fix]:
    """Return the help and the fix for a step that changes a computed list."""
    source, listed = s.span.source, place.subject.span.text
    first = f"set {listed} to {place.span.text}"
    then = source.text[s.span.start : place.span.start] + listed
    lines = f"{first}\n{' ' * (s.span.column - 1)}{then}"
    fix = Fix(Span(source, s.span.start, place.span.end), lines)
    return f"`{place.name}` is computed: write `{first}`, then `{then}`", fix


def value_after(env: Env, s: syntax.SetTo | syntax.Amount, variable: Variable) -> Expr:
    """Return code that computes the value of a local after a step."""
    if isinstance(s, syntax.SetTo):
        new, changed = value_for(env, s.value, variable.type, f"`{variable.name}`"), s.value
    else:
        there, amount = Typed(variable.type, variable.read()), _lower_amount(env, s, variable.type)
        new = _new_value(env, s, there, variable.type, amount, variable.name)
        changed = s.amount
    return expressions.as_frame_list(env, Typed(variable.type, new), changed, f"`{variable.name}`")


def _lower_amount(env: Env, s: syntax.Amount, type: Type) -> Typed:
    """Lower the amount that a step adds or subtracts; for a list, lower the item that the step adds or removes."""
    if isinstance(type, types.List):
        return expressions.value_of_type(env, s.amount, type.of)
    return expressions.number(env, s.amount)


def _new_value(
    env: Env, s: syntax.Amount, now: Typed, type: Type, amount: Typed, name: str
) -> Expr:
    """Return code that computes the value after `add`, `lose` or `pay`. A number never leaves its declared range."""
    if isinstance(type, types.List):
        return _new_list(env, s, now.code, type, amount, name)
    known, by, held = range_of(now.type), range_of(amount.type), range_of(type)
    low, high = ir.Const(held.low), ir.Const(held.high)
    if s.verb == "add":
        new = arithmetic(env.c, "+", now, amount, s.span).code
        if known.high + by.high > held.high:
            new = binary("min", new, high)
        if by.low < 0 and known.low + by.low < held.low:
            new = binary("max", new, low)
        return new
    new = arithmetic(env.c, "-", now, amount, s.span).code
    if s.verb == "lose" and known.low - by.high < held.low:
        new = binary("max", new, low)
    if by.low < 0 and known.high - by.low > held.high:
        new = binary("min", new, high)
    return new


def _check_payable(
    w: Writer, ctx: Context, s: syntax.Amount, now: Typed, type: Type, amount: Typed, name: str
) -> None:
    """Emit a test that makes `pay` impossible if there is too little to pay, or if a list does not contain the item."""
    env, c = ctx.env, w.c
    if isinstance(type, types.List):
        messages.fail_if(w, ctx, ir.Not(ir.Has(now.code, amount.code)), s, "it is not there")
        return
    if range_of(now.type).low - range_of(amount.type).high < range_of(type).low:
        less = arithmetic(env.c, "-", now, amount, s.span).code
        short = ir.Binary("<", less, ir.Const(range_of(type).low))
        messages.fail_if(w, ctx, short, s, messages.too_little(c, name), amount.code, now.code)


def _new_list(env: Env, s: syntax.Amount, now: Expr, type: Type, item: Typed, name: str) -> Expr:
    """Return code that computes the list after `add x to xs` or `lose x from xs`."""
    assert isinstance(type, types.List)
    if s.verb != "add":
        return ir.CallValue(routine(env.c, "list without one"), (now, item.code))
    if isinstance(type.of, types.Number):
        code = expressions.checked_number(env, item, type.of, s.amount, f"what `{name}` holds")
        item = evolve(item, code=code)
    changed: Expr = ir.CallValue(with_one(env.c, ordered=type.ordered), (now, item.code))
    if not type.ordered:
        return changed
    kept = Typed(evolve(type, length=type.length + 1), changed)
    return expressions.checked_list(env, kept, type, s.amount, f"`{name}`")


def with_one(c: Compiler, *, ordered: bool) -> int:
    """Return the number of the procedure that adds an item to a list. A list without an order never
    gets an item twice.
    """
    return routine(c, "list with", f"list with {ordered}", ordered=int(ordered))
