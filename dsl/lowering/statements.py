"""Statements: what rules do, as straight statements and numbered blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from attrs import evolve

from rulewright.dsl import ir, plurals, syntax
from rulewright.dsl.lowering import (
    attributes,
    calls,
    expressions,
    hooks,
    moves,
    ordering,
    queries,
    sites,
)
from rulewright.dsl.lowering.analysis import blocks_of
from rulewright.dsl.lowering.core import (
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
    choice,
    clause_ids,
    load,
    negated,
    new_env,
    path_of,
)
from rulewright.dsl.lowering.writer import Context, Rules, Writer
from rulewright.dsl.source import Span
from rulewright.dsl.suggest import did_you_mean
from rulewright.dsl.typesystem import (
    PLAYER,
    UNKNOWN,
    Type,
    describe,
    fits,
    whole,
)

MANY = 1000  # turns of `repeat N times`, one inside the other; where there may be more they are counted


def block(w: Writer, ctx: Context, statements: Sequence[syntax.Statement]) -> None:
    """Write a block; names declared in it end with it."""
    ctx = ctx.with_env(ctx.env.child())
    ended = False
    for n, s in enumerate(statements):
        if ended:
            w.c.problems.error(
                "unreachable-code", "this is never reached", s.span, at="what stands before ends it"
            )
            break
        rest = statements[n + 1 :]
        here = evolve(ctx, tail=ctx.tail or w.a.fallible(rest))
        tags = clause_ids(getattr(s, "tags", ()))
        if tags and not isinstance(s, syntax.Broken):
            here = evolve(here, tags=tags)
            if not isinstance(s, (syntax.Phase, syntax.If, syntax.IfPossible)):
                w.emit(
                    w.c.mark(
                        "step",
                        head_of(s.span, s.tags, chain.from_iterable(blocks_of(s))),
                        s.tags,
                        s.span,
                    )
                )
        statement(w, here, s, rest)
        if isinstance(s, (syntax.Choose, syntax.ChooseOf)):
            ctx = evolve(ctx, beyond=False)
        elif ctx.guarded and not ctx.given and w.a.beyond((s,)):
            ctx = evolve(ctx, beyond=True)
        ended = isinstance(s, syntax.Simple)


def statement(
    w: Writer, ctx: Context, s: syntax.Statement, rest: Sequence[syntax.Statement]
) -> None:
    """Write one statement; `rest` is what follows it in its block."""
    match s:
        case syntax.Let():
            _let(w, ctx, s)
        case syntax.SetTo():
            _set(w, ctx, s)
        case syntax.Amount():
            _amount(w, ctx, s)
        case syntax.Move():
            hooks.with_moves(w, ctx, s, lambda: moves.move(w, ctx, s))
        case syntax.Shuffle():
            ordering.shuffle(w, ctx, s)
            after_step(w, ctx, s)
        case syntax.Sort():
            ordering.sort(w, ctx, s)
            after_step(w, ctx, s)
        case syntax.Roll():
            _roll(w, ctx, s)
        case syntax.Do():
            calls.do(w, ctx, s, rest)
        case syntax.Choose():
            sites.choose(w, ctx, s, rest)
        case syntax.ChooseOf():
            sites.choose_of(w, ctx, s, rest)
        case syntax.May():
            sites.may(w, ctx, s, rest)
        case syntax.If():
            _if(w, ctx, s)
        case syntax.IfPossible():
            _if_possible(w, ctx, s)
        case syntax.Repeat():
            _repeat(w, ctx, s)
        case syntax.ForEach():
            _for_each(w, ctx, s)
        case syntax.EachPlayer():
            _each_player(w, ctx, s)
        case syntax.AsPlayer():
            _as_player(w, ctx, s)
        case syntax.AtOnce():
            _at_once(w, ctx, s)
        case syntax.Phase():
            w.emit(w.c.mark("phase", _plain_words(s.text), s.tags, s.span))
            block(w, ctx, s.body)
            ctx.env.forget(_written(w, s))
        case syntax.Needs():
            _needs(w, ctx, s)
        case syntax.Say():
            text_message(ctx.env, s.text, ctx.tags)
        case syntax.Log():
            _log(w, ctx, s)
        case syntax.Show():
            _show(w, ctx, s)
        case syntax.Limit():
            _limit(w, ctx, s)
        case syntax.Simple():
            _simple(w, ctx, s)
        case syntax.Win():
            who = (
                expressions.something(ctx.env, s.player, PLAYER)
                if not _is_list(ctx.env, s.player)
                else None
            )
            _win(w, ctx, s, who)
            after_step(w, ctx, s)
        case syntax.Eliminate():
            who = expressions.something(ctx.env, s.player, PLAYER)
            w.emit(ir.Store(binary("+", ir.Const(w.c.layout.in_play), who.code), ZERO))
            after_step(w, ctx, s)
        case syntax.Surely():
            if isinstance(s.step, (syntax.Broken,)):
                return
            statement(w, evolve(ctx, surely=s.span, guarded=ctx.guarded), s.step, rest)
        case syntax.Broken():
            pass


def _is_list(env: Env, e: syntax.Expression) -> bool:
    return expressions.expression(env, e).type.tag in ("list", "zone")


def _win(w: Writer, ctx: Context, s: syntax.Win, who: Typed | None) -> None:
    base = ir.Const(w.c.layout.won)
    if who is not None:
        w.emit(ir.Store(binary("+", base, who.code), ONE))
        return
    listed = expressions.as_list(ctx.env, expressions.expression(ctx.env, s.player), s.player)
    slot = ctx.env.procedure.slot()
    w.emit(ir.ForEach(slot, listed.code, (ir.Store(binary("+", base, ir.Local(slot)), ONE),)))


# ---- failing ------------------------------------------------------------------------------------------


def failing(
    w: Writer,
    ctx: Context,
    condition: Expr,
    message: int,
    arguments: tuple[Expr, ...],
    s: syntax.Statement,
) -> None:
    """This step is impossible under a condition."""
    if isinstance(condition, ir.Const) and not condition.value:
        return
    if ctx.surely is not None:
        fault = w.c.fault(
            "surely-not", f"`{_first_line(s.span)}` was said to be possible, and is not", s.span
        )
        w.emit(ir.If(condition, (ir.Fault(fault),)))
        return
    if ctx.beyond or (not ctx.guarded and ctx.outside):
        why = "it is not part of an action, so nothing keeps it from being reached"
        if ctx.beyond:
            why = "chance or another player's decision stands before it, so the action could not look ahead to it"
        w.c.problems.error(
            "may-be-impossible",
            "this step may be impossible here",
            s.span,
            notes=(why,),
            help=_cure(s),
        )
    if not ctx.guarded or ctx.outside:
        pass
    w.emit(ir.If(condition, (ir.Fail(message, arguments),)))


def _cure(s: syntax.Statement) -> str:
    match s:
        case syntax.Move():
            return (
                "write `move up to ...`, put it under `if possible`, "
                "or write `surely` before it where you know better"
            )
        case syntax.Amount():
            return "write `lose` to take what is there, put it under `if possible`, or write `surely` before it"
        case _:
            return "put it under `if possible` with `otherwise`, or write `surely` before it where you know better"


def _first_line(span: Span) -> str:
    return span.text.split("\n", 1)[0].split("[")[0].strip()[:60]


# ---- words --------------------------------------------------------------------------------------------


def text_message(
    env: Env, text: syntax.Text, tags: tuple[str, ...]
) -> tuple[int, tuple[Expr, ...]]:
    """Words with places, as a message and its arguments."""
    parts: list[str | ir.Shown | ir.Counted] = []
    arguments: list[Expr] = []
    number = -1  # the argument that words such as `coin(s)` go with
    for part in text.parts:
        if isinstance(part, str) and number >= 0:
            parts += (
                word if isinstance(word, str) else ir.Counted(number, *word)
                for word in plurals.split(part)
            )
            continue
        if isinstance(part, str):
            parts.append(part)
            continue
        typed = expressions.expression(env, part)
        if typed.type.tag == "tokens":
            typed = attributes.token_count(env, typed, part)
        if typed.type.tag in ("zone",):
            typed = expressions.as_list(env, typed, part)
        if not typed.type.known:
            continue
        if typed.type.tag == "list" and typed.type.of is not None and typed.type.of.tag == "list":
            env.c.problems.error(
                "wrong-type", "a list of lists cannot be shown in words", part.span
            )
            continue
        shown = (
            typed.type.of if typed.type.tag == "list" and typed.type.of is not None else typed.type
        )
        if shown.tag == "unknown":
            continue
        if typed.type.tag == "int":
            number = len(arguments)
        parts.append(ir.Shown(len(arguments), env.c.domain(shown)))
        arguments.append(typed.code)
    return env.c.message(parts, text.span, tags), tuple(arguments)


def _plain_words(text: syntax.Text) -> str:
    return "".join(p for p in text.parts if isinstance(p, str))


def _log(w: Writer, ctx: Context, s: syntax.Log) -> None:
    audience: Expr = NONE
    if s.to is not None:
        audience = expressions.something(ctx.env, s.to, PLAYER).code
    message, arguments = text_message(ctx.env, s.text, ctx.tags)
    w.emit(ir.Log(message, arguments, audience))


def _show(w: Writer, ctx: Context, s: syntax.Show) -> None:
    env, c = ctx.env, w.c
    what = expressions.expression(env, s.what)
    to = expressions.expression(env, s.to)
    if not what.type.known or not to.type.known:
        return
    listed = expressions.as_list(env, what, s.what)
    if listed.type.of is not None and listed.type.of.known and listed.type.of.tag != "piece":
        c.problems.error(
            "wrong-type", f"pieces are shown, this is {describe(listed.type.of)}", s.what.span
        )
        return
    players = expressions.as_list(env, to, s.to)
    if players.type.of is not None and players.type.of.known and players.type.of.tag != "player":
        c.problems.error(
            "wrong-type",
            f"pieces are shown to players, this is {describe(players.type.of)}",
            s.to.span,
        )
        return
    index = _shower(c)
    piece, who = env.procedure.slot(), env.procedure.slot()
    inner = ir.ForEach(who, players.code, (ir.CallPlain(index, (ir.Local(piece), ir.Local(who))),))
    w.emit(ir.ForEach(piece, listed.code, (inner,)))
    message = c.message(
        (ir.Shown(0, c.domain(PLAYER)), " is shown ", ir.Shown(1, c.domain(Type("piece")))),
        s.span,
        ctx.tags,
    )
    looker = env.procedure.slot()
    told = ir.Log(message, (ir.Local(looker), listed.code), ir.Local(looker))
    w.emit(ir.ForEach(looker, players.code, (told,)))


def _shower(c: Compiler) -> int:
    known = c.layout.known

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, who = p.slot(), p.slot()
        mask = load(known, ir.Local(x))
        stmts: Stmts = []
        for seat in range(len(c.world.seats)):
            missing = binary(
                "==", binary("%", binary("//", mask, ir.Const(1 << seat)), ir.Const(2)), ZERO
            )
            stmts.append(
                ir.If(
                    ir.And(binary("==", ir.Local(who), ir.Const(seat)), missing),
                    (
                        ir.Store(
                            binary("+", ir.Const(known), ir.Local(x)),
                            binary("+", ir.Const(1 << seat), mask),
                        ),
                    ),
                )
            )
        return 2, stmts

    return c.helper("show", write)


# ---- names and stored things ----------------------------------------------------------------------------


def _let(w: Writer, ctx: Context, s: syntax.Let) -> None:
    env = ctx.env
    wanted = w.c.world.type_of(s.type) if s.type is not None else None
    typed = expressions.expression(env, s.value, wanted)
    if typed.type.tag == "tokens":
        typed = attributes.token_count(env, typed, s.value)
    if typed.type.tag == "zone" or (wanted is not None and wanted.tag == "list"):
        typed = expressions.as_list(env, typed, s.value)
    type = typed.type
    if typed.type.tag == "empty":
        w.c.problems.error(
            "wrong-type",
            "it is not said what this is a list of",
            s.value.span,
            help=f"write `let {s.name}: list of ... up to N = empty`",
        )
        type = UNKNOWN
    if typed.type.tag == "nothing" and wanted is None:
        w.c.problems.error(
            "wrong-type",
            "it is not said what this is when it is something",
            s.value.span,
            help=f"write `let {s.name}: Player or nothing = nothing`",
        )
        type = UNKNOWN
    code = typed.code
    if wanted is not None and wanted.known and typed.type.known:
        checked = expressions.something(env, s.value, wanted)
        if wanted.tag == "int":
            code = expressions.checked_number(env, checked, wanted, s.value, f"`{s.name}`")
        type = wanted
    if (
        type.tag == "list"
        and w.procedure.suspending
        and type.of is not None
        and type.of.tag == "list"
    ):
        w.c.problems.error(
            "not-storable",
            "a list of lists is not kept under a name here",
            s.value.span,
            help="make it a `value`, or use it at once in a query",
        )
        type = UNKNOWN
    if type.tag == "list" and w.procedure.suspending and type.length > 600:
        type = evolve(type, length=600)
    variable = env.declare(s.name, type, s.name_span)
    assign_local(w, variable, code)
    if type.known and not type.opt and typed.type.tag == "int" and wanted is not None:
        pass


def assign_local(w: Writer, variable: Variable, code: Expr) -> None:
    """local = value, however it is kept."""
    if variable.capacity:
        w.emit(ir.SetLocalList(variable.slot, variable.capacity - 1, code))
    else:
        w.emit(ir.SetLocal(variable.slot, code))


def _set(w: Writer, ctx: Context, s: syntax.SetTo) -> None:
    env, c = ctx.env, w.c
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        variable = env.scope[s.place.name]
        if variable.name == "me":
            c.problems.error(
                "wrong-type",
                "`me` cannot be set",
                s.place.span,
                help="use `as player` with a block",
            )
            return
        if not variable.type.known:
            expressions.expression(env, s.value)
            return
        code = _value_for(env, s.value, variable.type, f"`{variable.name}`")
        assign_local(w, variable, code)
        env.forget([variable.name])
        return
    place = expressions.place(env, s.place)
    if not place.type.known:
        expressions.expression(env, s.value)
        return
    family = place.family
    if family is None or family.what != "state":
        help = ""
        if family is not None:
            help = "things lie in zones: use `move`"
        elif isinstance(s.place, syntax.Dot):
            help = f"`{s.place.name}` is worked out or printed; only what is declared with `state` is set"
        c.problems.error(
            "wrong-type",
            f"`{s.place.span.text}` is not a state and cannot be set",
            s.place.span,
            help=help,
        )
        return
    family.written = True
    moves.ensure_place(w, ctx, family, s.place)
    place = expressions.place(env, s.place)
    if family.type.tag == "list":
        _set_list(w, ctx, s, place)
    else:
        code = _value_for(env, s.value, family.type, f"`{family.name}`")
        assert isinstance(place.code, ir.Load)
        w.emit(ir.Store(place.code.address, code))
    moves.release_place(w, ctx, family, s.place)
    after_step(w, ctx, s)
    path = path_of(s.place)
    if path is not None and isinstance(s.value, syntax.Fixed) is False:
        typed = expressions.expression(env, s.value, family.type) if path_of(s.value) else None
        if (
            typed is not None
            and typed.type.known
            and typed.type.is_thing
            and not typed.type.opt
            and family.type.opt
        ):
            env.facts[path] = typed.type


def _value_for(env: Env, e: syntax.Expression, type: Type, what: str) -> Expr:
    if type.tag == "list":
        listed = expressions.as_list(env, expressions.expression(env, e, type), e)
        return listed.code
    wide = evolve(type, low=-(2**31), high=2**31 - 1) if type.tag == "int" else type
    typed = expressions.something(env, e, wide)
    if (
        typed.type.tag == "int"
        and type.tag == "int"
        and (typed.type.high < type.low or typed.type.low > type.high)
    ):
        env.c.problems.error(
            "out-of-range",
            f"{what} is {type.low}..{type.high}, this is {describe(typed.type)}",
            e.span,
        )
    return (
        expressions.checked_number(env, typed, type, e, what) if type.tag == "int" else _bit(typed)
    )


def _bit(typed: Typed) -> Expr:
    return (
        choice(typed.code, ONE, ZERO)
        if typed.type.tag == "flag" and not isinstance(typed.code, (ir.Const, ir.Load, ir.Local))
        else typed.code
    )


def _set_list(w: Writer, ctx: Context, s: syntax.SetTo, place: Typed) -> None:
    assert isinstance(place.code, ir.CallValue) and place.family is not None
    listed = expressions.as_list(
        ctx.env, expressions.expression(ctx.env, s.value, place.type), s.value
    )
    w.emit(
        ir.CallPlain(
            _list_writer(w.c, place.type.length, sort=not place.type.ordered),
            (place.code.arguments[0], listed.code),
        )
    )


def _list_writer(c: Compiler, capacity: int, *, sort: bool) -> int:
    """Keep a list in cells: the count, the items; sets are kept in order of their numbers."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        at, items, n, x, least = (p.slot() for _ in range(5))
        cells, turn, item = ir.Local(at), ir.Local(n), ir.Local(x)
        stmts: Stmts = [
            ir.ForRange(n, ZERO, ir.Const(capacity), (ir.Store(binary("+", cells, turn), ZERO),))
        ]
        add: Stmts = [
            ir.Store(cells, binary("+", ONE, ir.Load(cells))),
            ir.SetLocal(least, ir.Load(cells)),
        ]
        if sort:
            before = ir.Load(binary("+", cells, binary("-", ir.Local(least), ONE)))
            add.append(
                ir.While(
                    ir.And(binary(">", ir.Local(least), ONE), binary(">", before, item)),
                    (
                        ir.Store(binary("+", cells, ir.Local(least)), before),
                        ir.SetLocal(least, binary("-", ir.Local(least), ONE)),
                    ),
                )
            )
        add.append(ir.Store(binary("+", cells, ir.Local(least)), item))
        room = binary("<", ir.Load(cells), ir.Const(capacity))
        stmts.append(ir.ForEach(x, ir.Local(items), (ir.If(room, tuple(add)),)))
        return 2, stmts

    return c.helper(f"write list {capacity} {sort}", write)


def _amount(w: Writer, ctx: Context, s: syntax.Amount) -> None:
    env, c = ctx.env, w.c
    amount_typed = expressions.expression(env, s.amount)
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        variable = env.scope[s.place.name]
        if not variable.type.known:
            return
        if variable.type.tag == "list":
            _list_change(w, ctx, s, None, variable)
            return
        if variable.type.tag != "int":
            c.problems.error(
                "wrong-type",
                f"`{s.verb}` changes numbers, `{variable.name}` is {describe(variable.type)}",
                s.place.span,
            )
            return
        amount = expressions.number(env, s.amount)
        new = _changed(w, ctx, s, ir.Local(variable.slot), amount, variable.type, variable.name)
        variable.used = True
        w.emit(ir.SetLocal(variable.slot, new))
        env.forget([variable.name])
        return
    place = expressions.place(env, s.place)
    if not place.type.known or not amount_typed.type.known:
        return
    family = place.family
    if family is None or family.what != "state":
        help = "tokens and pieces are moved: `move 1 from A to B`" if family is not None else ""
        c.problems.error(
            "wrong-type",
            f"`{s.place.span.text}` is not a state whose number can change",
            s.place.span,
            help=help,
        )
        return
    family.written = True
    moves.ensure_place(w, ctx, family, s.place)
    place = expressions.place(env, s.place)
    if family.type.tag == "list":
        _list_change(w, ctx, s, place, None)
    elif family.type.tag != "int":
        c.problems.error(
            "wrong-type",
            f"`{s.verb}` changes numbers, `{family.name}` is {describe(family.type)}",
            s.place.span,
        )
        return
    elif family.type.opt:
        expressions.may_be_nothing(env, s.place)
        return
    else:
        amount = expressions.number(env, s.amount)
        assert isinstance(place.code, ir.Load)
        new = _changed(
            w, ctx, s, place.code, evolve(amount), evolve(family.type), family.name, place.type
        )
        w.emit(ir.Store(place.code.address, new))
    moves.release_place(w, ctx, family, s.place)
    after_step(w, ctx, s)


def _changed(
    w: Writer,
    ctx: Context,
    s: syntax.Amount,
    now: Expr,
    amount: Typed,
    type: Type,
    name: str,
    known: Type | None = None,
) -> Expr:
    """The number after `add`, `lose` or `pay`: kept in its range, or impossible."""
    known = known or type
    low, high = ir.Const(type.low), ir.Const(type.high)
    n = amount.code
    match s.verb:
        case "add":
            new = binary("+", now, n)
            if known.high + amount.type.high > type.high:
                new = binary("min", new, high)
            if amount.type.low < 0 and known.low + amount.type.low < type.low:
                new = binary("max", new, low)
            return new
        case "lose":
            new = binary("-", now, n)
            if known.low - amount.type.high < type.low:
                new = binary("max", new, low)
            if amount.type.low < 0 and known.high - amount.type.low > type.high:
                new = binary("min", new, high)
            return new
        case "pay":
            new = binary("-", now, n)
            if known.low - amount.type.high < type.low:
                short = ir.Binary("<", new, low)
                words = (
                    "this takes ",
                    ir.Shown(0, w.c.domain(whole(0, 1))),
                    f" {name.replace('_', ' ')}, and there are ",
                    ir.Shown(1, w.c.domain(whole(0, 1))),
                )
                message = w.c.message(words, s.span, ctx.tags)
                failing(w, ctx, short, message, (n, now), s)
            if amount.type.low < 0 and known.high - amount.type.low > type.high:
                new = binary("min", new, high)
            return new


def _list_change(
    w: Writer, ctx: Context, s: syntax.Amount, place: Typed | None, variable: Variable | None
) -> None:
    """`add x to xs`, `lose x from xs` of a stored list or set."""
    env, c = ctx.env, w.c
    type = place.type if place is not None else variable.type if variable is not None else UNKNOWN
    assert type.of is not None
    item = expressions.something(env, s.amount, type.of)
    now = place.code if place is not None else variable.read() if variable is not None else ZERO
    ordered = type.ordered

    def write(p: Procedure) -> tuple[int, Stmts]:
        items, x, out, y = (p.slot() for _ in range(4))
        if s.verb == "add":
            body: Stmts = [
                ir.SetLocal(out, ir.MakeList(())),
                ir.ForEach(y, ir.Local(items), (ir.Append(out, ir.Local(y)),)),
            ]
            new: ir.Stmt = ir.Append(out, ir.Local(x))
            body.append(
                new if ordered else ir.If(ir.Not(ir.Has(ir.Local(items), ir.Local(x))), (new,))
            )
            return 2, [*body, ir.Return(ir.Local(out))]
        return 2, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForEach(
                y,
                ir.Local(items),
                (ir.If(binary("!=", ir.Local(y), ir.Local(x)), (ir.Append(out, ir.Local(y)),)),),
            ),
            ir.Return(ir.Local(out)),
        ]

    changed = ir.CallValue(c.helper(f"list {s.verb} {ordered}", write), (now, item.code))
    if s.verb == "pay":
        message = c.message(("it is not there",), s.span, ctx.tags)
        failing(w, ctx, ir.Not(ir.Has(now, item.code)), message, (), s)
    if place is not None:
        assert isinstance(place.code, ir.CallValue)
        w.emit(
            ir.CallPlain(
                _list_writer(c, type.length, sort=not ordered), (place.code.arguments[0], changed)
            )
        )
    elif variable is not None:
        assign_local(w, variable, changed)


# ---- chance -----------------------------------------------------------------------------------------------


def _roll(w: Writer, ctx: Context, s: syntax.Roll) -> None:
    env, c = ctx.env, w.c
    new_local = (
        isinstance(s.place, syntax.Word)
        and s.place.name not in env.scope
        and c.layout.of("", s.place.name) is None
    )
    if s.die is not None:
        faces = c.world.dice.get(s.die)
        if faces is None:
            c.problems.error(
                "unknown-name",
                f"there is no die `{s.die}`",
                s.die_span or s.span,
                help=did_you_mean(s.die, list(c.world.dice)),
            )
            return
        assert s.count is not None
        count = expressions.number(env, s.count)
        top = max(0, count.type.high)
        type = whole(min(0, top * min(faces)), max(0, top * max(faces)))
        total, left, result = env.procedure.slot(), env.procedure.slot(), env.procedure.slot()
        w.emit(ir.SetLocal(total, ZERO), ir.SetLocal(left, count.code))
        test, draw, add, done = (w.rules.block() for _ in range(4))
        w.end(ir.Goto(test), test)
        w.end(ir.Branch(binary(">", ir.Local(left), ZERO), draw, done), draw)
        site = len(w.rules.chances)
        w.rules.chances.append(
            ir.ChanceSite(w.number, result, "roll", None, 0, s.die, s.span, ir.Const(faces))
        )
        w.end(ir.Chance(site, ir.Const(len(faces)), result, add), add)
        w.emit(
            ir.SetLocal(
                total, binary("+", ir.Local(total), ir.Table(c.table(faces), ir.Local(result)))
            ),
            ir.SetLocal(left, binary("-", ir.Local(left), ONE)),
        )
        w.end(ir.Goto(test), done)
        value = Typed(type, ir.Local(total))
    else:
        assert s.source is not None
        source = expressions.expression(env, s.source)
        if not source.type.known:
            if new_local and isinstance(s.place, syntax.Word):
                env.declare(s.place.name, UNKNOWN, s.place.span)
            return
        listed = expressions.as_list(env, source, s.source)
        of = listed.type.of or UNKNOWN
        result = env.procedure.slot()
        site = len(w.rules.chances)
        word = s.place.name if isinstance(s.place, (syntax.Word, syntax.Dot)) else ""
        is_range = isinstance(s.source, syntax.Binary) and s.source.operator == ".."
        if is_range and isinstance(s.source, syntax.Binary):
            low, high = (
                expressions.number(env, s.source.left),
                expressions.number(env, s.source.right),
            )
            fixed = low.constant
            w.rules.chances.append(
                ir.ChanceSite(
                    w.number,
                    result,
                    "roll",
                    c.domain(of) if fixed is not None else None,
                    fixed or 0,
                    word,
                    s.span,
                    attributes.range_list(c, low.code, high.code) if fixed is None else None,
                )
            )
            after = w.rules.block()
            w.end(
                ir.Chance(site, binary("+", ONE, binary("-", high.code, low.code)), result, after),
                after,
            )
            value = Typed(of, binary("+", low.code, ir.Local(result)))
        else:
            members = listed.code
            if not isinstance(members, ir.Const):
                capacity = min(600, max(1, listed.type.length))
                slot = env.procedure.slot(capacity + 1)
                w.emit(ir.SetLocalList(slot, capacity, members))
                members = ir.LocalList(slot)
                message = c.message(("there is nothing to roll for",), s.span, ctx.tags)
                failing(
                    w,
                    evolve(ctx, outside=False),
                    binary("==", ir.Length(members), ZERO),
                    message,
                    (),
                    s,
                )
            consecutive = (
                isinstance(members, ir.Const)
                and isinstance(members.value, tuple)
                and _run(members.value)
            )
            low_id = (
                members.value[0]
                if consecutive
                and isinstance(members, ir.Const)
                and isinstance(members.value, tuple)
                else None
            )
            named = c.domain(of) if of.known else None
            w.rules.chances.append(
                ir.ChanceSite(
                    w.number,
                    result,
                    "random",
                    named,
                    low_id if isinstance(low_id, int) else 0,
                    word,
                    s.span,
                    members if low_id is None else None,
                )
            )
            after = w.rules.block()
            w.end(
                ir.Chance(
                    site,
                    ir.Length(members)
                    if not isinstance(members, ir.Const)
                    else ir.Const(len(members.value) if isinstance(members.value, tuple) else 1),
                    result,
                    after,
                ),
                after,
            )
            value = Typed(of.surely(), ir.At(members, ir.Local(result)))
    if new_local and isinstance(s.place, syntax.Word):
        variable = env.declare(s.place.name, value.type, s.place.span)
        assign_local(w, variable, value.code)
        return
    _store(w, ctx, s, s.place, value)


def _run(values: tuple[object, ...]) -> bool:
    return bool(values) and list(values) == list(
        range(int(str(values[0])), int(str(values[0])) + len(values))
    )


def _store(
    w: Writer, ctx: Context, s: syntax.Roll, place_e: syntax.Expression, value: Typed
) -> None:
    env, c = ctx.env, w.c
    if isinstance(place_e, syntax.Word) and place_e.name in env.scope:
        assign_local(w, env.scope[place_e.name], value.code)
        return
    place = expressions.place(env, place_e)
    if not place.type.known:
        return
    if place.family is None or place.family.what != "state" or not isinstance(place.code, ir.Load):
        c.problems.error(
            "wrong-type", f"`{place_e.span.text}` is not a state that can keep a roll", place_e.span
        )
        return
    place.family.written = True
    type = place.family.type
    if not fits(value.type, type) or (
        type.tag == "int" and (value.type.low < type.low or value.type.high > type.high)
    ):
        c.problems.error(
            "out-of-range" if type.tag == "int" else "wrong-type",
            f"`{place.family.name}` is {describe(type)}, this rolls {describe(value.type)}",
            s.span,
        )
        return
    w.emit(ir.Store(place.code.address, value.code))
    after_step(w, ctx, s)


# ---- choices of way and loops -----------------------------------------------------------------------------


def _if(w: Writer, ctx: Context, s: syntax.If) -> None:
    suspends = w.procedure.suspending and (
        w.a.step_suspends(s) or (_leaves_loop(s) and bool(w.loops) and w.loops[-1] is not None)
    )
    env = ctx.env.child()
    conditions: list[tuple[Expr, Env]] = []
    for asked, _ in s.cases:
        code = expressions.condition(env, asked)
        inside = env.child()
        expressions.assume(inside, asked, truth=True)
        conditions.append((code, inside))
        expressions.assume(env, asked, truth=False)
    otherwise_env = env

    def write_otherwise() -> None:
        if s.otherwise:
            w.emit(_branch_mark(w, s, len(s.cases)))
        block(w, ctx.with_env(otherwise_env), s.otherwise)

    if not suspends:

        def chain(n: int) -> tuple[ir.Stmt, ...]:
            if n == len(s.cases):
                return w.captured(write_otherwise)
            code, inside = conditions[n]

            def write(body: syntax.Block, number: int) -> None:
                w.emit(_branch_mark(w, s, number))
                block(w, ctx.with_env(inside), body)

            then = w.captured(lambda: write(s.cases[n][1], n))
            rest = chain(n + 1)
            return (ir.If(code, then, rest),)

        w.emit(*chain(0))
    else:
        after = w.rules.block()
        for n, ((code, inside), (_, body)) in enumerate(zip(conditions, s.cases, strict=True)):
            then, other = w.rules.block(), w.rules.block()
            w.end(ir.Branch(code, then, other), then)
            w.emit(_branch_mark(w, s, n))
            block(w, ctx.with_env(inside), body)
            w.end(ir.Goto(after), other)
        write_otherwise()
        w.end(ir.Goto(after), after)
    _after_branches(w, ctx, s, conditions, otherwise_env)


def _branch_mark(w: Writer, s: syntax.If, number: int) -> ir.Mark:
    """The mark of a case of an `if`; the one behind the last is `else`. Clauses are those of the first."""
    if number < len(s.cases):
        asked = s.cases[number][0].span
        name = f"{'else ' if number else ''}if {_one_line(asked.text)}"
        return w.c.mark("branch", name, () if number else s.tags, asked)
    asked = s.cases[-1][0].span
    return w.c.mark("branch", f"else of if {_one_line(asked.text)}", (), s.otherwise[0].span)


def head_of(span: Span, tags: syntax.Tags, inside: Iterable[syntax.Statement]) -> str:
    """What something begins with, in one line: up to its clauses and its block."""
    ends = [span.end, *(tag.span.start for tag in tags), *(s.span.start for s in inside)]
    text = re.sub(r"#[^\n]*", "", span.source.text[span.start : min(ends)])
    return " ".join(text.split()).rstrip("[ ").replace("( ", "(").replace(" )", ")")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _after_branches(
    w: Writer, ctx: Context, s: syntax.If, conditions: list[tuple[Expr, Env]], otherwise: Env
) -> None:
    """What is known behind an `if`: branches that leave tell that their condition does not hold."""
    ctx.env.forget(_written(w, s))
    if len(s.cases) == 1 and not s.otherwise and s.cases[0][1] and _leaves(s.cases[0][1][-1]):
        expressions.assume(ctx.env, s.cases[0][0], truth=False)


def _leaves_loop(s: syntax.Statement) -> bool:
    """Whether a `stop` or `skip` inside leaves the loop around the statement."""
    if isinstance(s, syntax.Simple):
        return s.word != "end game"
    if isinstance(s, (syntax.Repeat, syntax.ForEach, syntax.EachPlayer)):
        return False
    return any(_leaves_loop(inner) for part in blocks_of(s) for inner in part)


def _leaves(s: syntax.Statement) -> bool:
    return isinstance(s, syntax.Simple)


def _written(w: Writer, s: syntax.Statement) -> set[str] | None:
    """Names changed anywhere inside a statement; None where a call may change anything."""
    from rulewright.dsl.lowering.analysis import every

    names = w.a.changes((s,))
    for inner in every((s,)):
        if isinstance(inner, syntax.Do):
            return None
        if isinstance(inner, (syntax.SetTo, syntax.Amount, syntax.Roll)) and isinstance(
            inner.place, syntax.Word
        ):
            names.add(inner.place.name)
    return names


def _if_possible(w: Writer, ctx: Context, s: syntax.IfPossible) -> None:
    actor = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    body, otherwise, start, after, leave = (w.rules.block() for _ in range(5))
    w.end(ir.Try(body, otherwise, actor), body)
    w.end(ir.Enter(start), start)
    w.scopes += 1
    w.emit(w.c.mark("branch", "if possible", s.tags, s.span))
    block(w, evolve(ctx, env=ctx.env.child(), guarded=True, outside=False, beyond=False), s.body)
    w.scopes -= 1
    w.end(ir.Goto(leave), leave)
    w.end(ir.Leave(after), otherwise)
    if s.otherwise:
        w.emit(w.c.mark("branch", "otherwise of if possible", (), s.otherwise[0].span))
    block(w, ctx, s.otherwise)
    w.end(ir.Goto(after), after)
    ctx.env.forget(None)


def _repeat(w: Writer, ctx: Context, s: syntax.Repeat) -> None:
    env = ctx.env
    env.forget(_written(w, s))
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    again = ctx.tail or w.a.fallible(s.body)
    inner = evolve(ctx, env=env.child(), tail=again)
    if s.how == "times":
        assert s.value is not None
        count = expressions.number(env, s.value)
        turn = env.procedure.slot()
        inner.turns = ctx.turns * max(1, count.type.high)
        if not suspends:

            def body() -> None:
                _structured_loop(w, inner, s.body)

            if inner.turns <= MANY:
                w.emit(ir.ForRange(turn, ONE, count.code, w.captured(body)))
                return
            less = ir.SetLocal(turn, binary("-", ir.Local(turn), ONE))
            more = binary(">", ir.Local(turn), ZERO)
            w.emit(ir.SetLocal(turn, count.code))
            w.emit(ir.While(more, (less, *w.captured(body)), counted=True))
            return
        left = env.procedure.slot()
        w.emit(ir.SetLocal(left, count.code))
        test, start, following, after = (w.rules.block() for _ in range(4))
        w.end(ir.Goto(test), test)
        w.end(ir.Branch(binary(">", ir.Local(left), ZERO), start, after), start)
        _block_loop(w, inner, s.body, after, following)
        w.emit(ir.SetLocal(left, binary("-", ir.Local(left), ONE)))
        w.end(ir.Goto(test), after)
        return
    asked: Expr = ONE
    if s.how in ("while", "until"):
        assert s.value is not None
        asked = expressions.condition(env, s.value)
        expressions.assume(inner.env, s.value, truth=s.how == "while")
        if s.how == "until":
            asked = negated(asked)
    if not suspends:
        w.emit(
            ir.While(asked, w.captured(lambda: _structured_loop(w, inner, s.body)), counted=True)
        )
    else:
        test, start, after = (w.rules.block() for _ in range(3))
        w.end(ir.Goto(test), test)
        w.end(ir.Branch(asked, start, after), start)
        _block_loop(w, inner, s.body, after, test, back=True)
        w.current = after
    if s.value is not None and s.how in ("while", "until"):
        expressions.assume(ctx.env, s.value, truth=s.how == "until")


def _structured_loop(w: Writer, ctx: Context, body: syntax.Block) -> None:
    w.loops.append(None)
    block(w, ctx, body)
    w.loops.pop()


def _block_loop(
    w: Writer, ctx: Context, body: syntax.Block, after: int, following: int, *, back: bool = False
) -> None:
    """The body of a loop made of blocks; ends at `following` (or jumps back there)."""
    w.loops.append((after, following, w.scopes))
    block(w, ctx, body)
    w.loops.pop()
    w.end(ir.Goto(following), after if back else following)


def _for_each(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    env = ctx.env
    env.forget(_written(w, s))
    if s.any_order:
        sites.any_order(w, ctx, s)
        return
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    again = ctx.tail or w.a.fallible(s.body)
    source = expressions.expression(env, s.binder.source)
    zone = source if source.type.tag == "zone" and source.slot is None else None
    if not suspends:

        def each(inner: Env) -> Stmts:
            return list(
                w.captured(lambda: _for_body(w, evolve(ctx, env=inner, tail=again), s, zone, None))
            )

        w.loops.append(None)
        w.emit(*queries.iterate(env, s.binder, each, stable=True))
        w.loops.pop()
        return
    members, of = _members(w, ctx, s.binder)
    index = env.procedure.slot()
    w.emit(ir.SetLocal(index, ZERO))
    test, start, following, after = (w.rules.block() for _ in range(4))
    w.end(ir.Goto(test), test)
    w.end(ir.Branch(binary("<", ir.Local(index), ir.Length(members)), start, after), start)
    inner = env.child()
    variable = inner.declare(s.binder.name, of, s.binder.name_span)
    assign_local(w, variable, ir.At(members, ir.Local(index)))
    w.loops.append((after, following, w.scopes))
    _for_body(w, evolve(ctx, env=inner, tail=again), s, zone, following)
    w.loops.pop()
    w.end(ir.Goto(following), following)
    w.emit(ir.SetLocal(index, binary("+", ONE, ir.Local(index))))
    w.end(ir.Goto(test), after)


def _members(w: Writer, ctx: Context, binder: syntax.Binder) -> tuple[Expr, Type]:
    """The members of a source as a list kept in the frame."""
    env = ctx.env
    listing = syntax.Query(binder.span, "list", (binder,), None, (), False, None)
    typed = queries.query(env, listing, None)
    of = typed.type.of or UNKNOWN
    if of.tag == "list":
        w.c.problems.error(
            "not-storable",
            "a list of lists cannot be walked through while players choose",
            binder.source.span,
        )
        return ir.Const(()), UNKNOWN
    if isinstance(typed.code, ir.Const):
        return typed.code, of
    capacity = max(1, typed.type.length)
    if isinstance(binder.source, syntax.Word) and binder.source.name == "players":
        capacity = len(w.c.world.seats)
    slot = env.procedure.slot(capacity + 1)
    w.emit(ir.SetLocalList(slot, capacity, typed.code))
    return ir.LocalList(slot), of


def _for_body(
    w: Writer, ctx: Context, s: syntax.ForEach, zone: Typed | None, following: int | None
) -> None:
    env = ctx.env
    test: Expr = ONE
    if zone is not None:
        variable = env.scope[s.binder.name]
        from_zone = expressions.expression(env, s.binder.source)
        test = binary("==", load(w.c.layout.zone_of, variable.read()), from_zone.code)
    inside = env.child()
    if s.where is not None:
        test = both(test, expressions.condition(env, s.where))
        expressions.assume(inside, s.where, truth=True)
    if following is None:
        stmts = w.captured(lambda: block(w, ctx.with_env(inside), s.body))
        w.emit(*(stmts if test == ONE else (ir.If(test, stmts),)))
        return
    if test != ONE:
        start = w.rules.block()
        w.end(ir.Branch(test, start, following), start)
    block(w, ctx.with_env(inside), s.body)


def _each_player(w: Writer, ctx: Context, s: syntax.EachPlayer) -> None:
    env, c = ctx.env, w.c
    env.forget(_written(w, s))
    seats = len(c.world.seats)
    again = ctx.tail or w.a.fallible(s.body)
    start: Expr = ZERO
    if s.start is not None:
        start = expressions.something(env, s.start, PLAYER).code
    turns = seats * 2 if s.direction == "there and back" else seats
    turn, first = env.procedure.slot(), env.procedure.slot()
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    w.emit(ir.SetLocal(first, start))
    step: Expr = ir.Local(turn)
    if s.direction == "backwards":
        step = binary("-", ir.Const(seats), ir.Local(turn))
    elif s.direction == "there and back":
        back = binary("-", ir.Const(2 * seats - 1), ir.Local(turn))
        step = ir.Choice(binary("<", ir.Local(turn), ir.Const(seats)), ir.Local(turn), back)
    who = binary("%", binary("+", ir.Local(first), step), ir.Const(seats))
    inner = env.child()
    me = Variable("me", PLAYER, env.procedure.slot(), env.procedure, None, used=True)

    def begin() -> Expr:
        inner.scope["me"] = me
        for path in [
            p for p in inner.facts if p == "me" or p.startswith("me.") or "(me" in p or ",me" in p
        ]:
            del inner.facts[path]
        w.emit(ir.SetLocal(me.slot, who))
        test: Expr = load(c.layout.in_play, ir.Local(me.slot)) if c.eliminates else ONE
        if s.where is not None:
            test = both(test, expressions.condition(inner, s.where))
            expressions.assume(inner, s.where, truth=True)
        return test

    here = evolve(ctx, env=inner, tail=again, together=ctx.together or s.together)
    if not suspends:

        def turn_of() -> None:
            test = begin()
            stmts = w.captured(lambda: _structured_loop(w, here, s.body))
            w.emit(*(stmts if test == ONE else (ir.If(test, stmts),)))

        w.emit(ir.ForRange(turn, ZERO, ir.Const(turns - 1), w.captured(turn_of)))
        return
    w.emit(ir.SetLocal(turn, ZERO))
    again_block, go, following, after = (w.rules.block() for _ in range(4))
    w.end(ir.Goto(again_block), again_block)
    w.end(ir.Branch(binary("<", ir.Local(turn), ir.Const(turns)), go, after), go)
    test = begin()
    if test != ONE:
        take = w.rules.block()
        w.end(ir.Branch(test, take, following), take)
    _block_loop(w, here, s.body, after, following)
    w.emit(ir.SetLocal(turn, binary("+", ONE, ir.Local(turn))))
    w.end(ir.Goto(again_block), after)


def _as_player(w: Writer, ctx: Context, s: syntax.AsPlayer) -> None:
    who = expressions.something(ctx.env, s.player, PLAYER)
    inner = ctx.env.child()
    me = Variable("me", PLAYER, ctx.env.procedure.slot(), ctx.env.procedure, None, used=True)
    w.emit(ir.SetLocal(me.slot, who.code))
    inner.scope["me"] = me
    for path in [
        p for p in inner.facts if p == "me" or p.startswith("me.") or "(me" in p or ",me" in p
    ]:
        del inner.facts[path]
    block(w, ctx.with_env(inner), s.body)
    ctx.env.forget(_written(w, s))


def _at_once(w: Writer, ctx: Context, s: syntax.AtOnce) -> None:
    names: set[str] = set()
    block(w, evolve(ctx, at_once=names), s.body)
    hooks.after_names(w, ctx, names)
    ctx.env.forget(_written(w, s))


# ---- the rest -----------------------------------------------------------------------------------------------


def _needs(w: Writer, ctx: Context, s: syntax.Needs) -> None:
    asked = expressions.condition(ctx.env, s.condition)
    message, arguments = needs_message(w.c, ctx.env, s, ctx.tags)
    failing(w, ctx, negated(asked), message, arguments, s)
    expressions.assume(ctx.env, s.condition, truth=True)


def needs_message(
    c: Compiler, env: Env, s: syntax.Needs, tags: tuple[str, ...]
) -> tuple[int, tuple[Expr, ...]]:
    """Why a condition refuses, in the author's words or the condition's own."""
    tags = clause_ids(s.tags) or tags
    arguments: tuple[Expr, ...] = ()
    if s.reason is not None:
        inner = env.child()
        expressions.assume(inner, s.condition, truth=False)
        message, arguments = text_message(inner, s.reason, tags)
    else:
        message = c.message((f"it needs {s.condition.span.text}",), s.span, tags)
    c.refusal(message)
    return message, arguments


def limit_cells(w: Writer, s: syntax.Limit) -> int:
    """Where it is counted how often something was done, for each player."""
    cells = w.rules.limits.get(id(s))
    if cells is None:
        cells = w.c.layout.take(len(w.c.world.seats))
        w.rules.limits[id(s)] = cells
        if s.per != "game" and s.per not in w.c.world.rules:
            w.c.problems.error(
                "unknown-action",
                f"there is no rule `{s.per}` to count by",
                s.per_span,
                help=did_you_mean(s.per, [*w.c.world.rules, "game"])
                or "a limit is counted anew when the rule of that name starts; `per game` never",
            )
    return cells


def _limit(w: Writer, ctx: Context, s: syntax.Limit) -> None:
    env = ctx.env
    count = expressions.number(env, s.count)
    cells = limit_cells(w, s)
    me = env.scope["me"].read() if "me" in env.scope else ZERO
    used = load(cells, me)
    message = limit_message(w.c, s, ctx.tags)
    failing(w, ctx, binary(">=", used, count.code), message, (count.code,), s)
    w.emit(ir.Store(binary("+", ir.Const(cells), me), binary("+", ONE, used)))


def limit_message(c: Compiler, s: syntax.Limit, tags: tuple[str, ...]) -> int:
    """Why a limit refuses."""
    message = c.message(
        (
            "this can be done ",
            ir.Shown(0, c.domain(whole(0, 1))),
            " time",
            ir.Counted(0, "", "s"),
            f" per {s.per.replace('_', ' ')}",
        ),
        s.span,
        tags,
    )
    c.refusal(message)
    return message


def _simple(w: Writer, ctx: Context, s: syntax.Simple) -> None:
    if s.word == "end game":
        after = w.rules.block() if w.procedure.suspending else None
        if after is None:
            w.c.problems.error("unreachable-code", "the game cannot be ended here", s.span)
            return
        w.end(ir.EndGame(), after)
        return
    if not w.loops:
        w.c.problems.error(
            "wrong-type",
            f"`{s.word}` stands in no loop",
            s.span,
            help="it leaves the loop around it" if s.word == "stop" else "",
        )
        return
    loop = w.loops[-1]
    if loop is None:
        w.emit(ir.Break() if s.word == "stop" else ir.Continue())
        return
    if len(w.buffers) > 1:
        w.c.problems.error("unreachable-code", "the loop cannot be left from here", s.span)
        return
    for _ in range(w.scopes - loop[2]):
        outer = w.rules.block()
        w.end(ir.Leave(outer), outer)
    w.end(ir.Goto(loop[0] if s.word == "stop" else loop[1]), w.rules.block())


def after_step(w: Writer, ctx: Context, s: syntax.Statement) -> None:
    """After a step: forget what it may have changed, and look at the triggers that watch it."""
    names = w.a.step_writes(s)
    ctx.env.forget(w.a.changes((s,)))
    if ctx.at_once is not None:
        ctx.at_once |= names
        return
    hooks.after_names(w, ctx, names)


def extra_procedure(
    c: Compiler, name: str, captured: Sequence[Variable], statements: syntax.Block, env: Env
) -> int:
    """A suspending procedure of the compiler's own around some statements; its parameters are local names in reach."""
    from rulewright.dsl.lowering.writer import start_writer

    rules = c.rules
    assert isinstance(rules, Rules)
    number = rules.reserve()
    w = start_writer(rules, name, True, None, number)
    inner = new_env(c, w.procedure)
    for variable in captured:
        if variable.type.tag == "list":
            c.problems.error(
                "not-storable",
                f"`{variable.name}` is a list and cannot be used here",
                statements[0].span,
            )
        inner.scope[variable.name] = Variable(
            variable.name, variable.type, w.procedure.slot(), w.procedure, variable.span, used=True
        )
    inner.facts.update(env.facts)
    parameters = w.procedure.locals
    block(w, Context(inner, guarded=True), statements)
    w.finish(parameters)
    return number
