"""Statements: which is written by what, and those that are no more than a step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions import calls, choosing, offering
from rulewright.dsl.lowering.steps import (
    changing,
    flow,
    hooks,
    messages,
    moves,
    ordering,
    rolling,
    steps_as_one,
)
from rulewright.dsl.lowering.values import assuming, expressions
from rulewright.dsl.lowering.workshop.core import (
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
    clause_ids,
    load,
    negated,
    new_env,
)
from rulewright.dsl.lowering.workshop.writer import Context, Rules, Writer, start_writer
from rulewright.dsl.problems.source import Span
from rulewright.dsl.problems.suggest import did_you_mean
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of
from rulewright.dsl.world.typesystem import PLAYER, Type, describe


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
            changing.let(w, ctx, s)
        case syntax.SetTo():
            changing.set_to(w, ctx, s)
        case syntax.Amount():
            changing.change_amount(w, ctx, s)
        case syntax.Move():
            hooks.with_moves(w, ctx, s, lambda: moves.move(w, ctx, s))
        case syntax.Shuffle():
            ordering.shuffle(w, ctx, s)
            after_step(w, ctx, s)
        case syntax.Sort():
            ordering.sort(w, ctx, s)
            after_step(w, ctx, s)
        case syntax.Roll():
            rolling.roll(w, ctx, s)
        case syntax.Do():
            calls.do(w, ctx, s, rest)
        case syntax.Choose():
            choosing.choose(w, ctx, s, rest)
        case syntax.ChooseOf():
            offering.choose_of(w, ctx, s, rest)
        case syntax.May():
            offering.may(w, ctx, s, rest)
        case syntax.If():
            flow.if_else(w, ctx, s)
        case syntax.IfPossible():
            flow.if_possible(w, ctx, s)
        case syntax.Repeat():
            with w.inside(s.span):
                flow.repeat(w, ctx, s)
        case syntax.ForEach():
            with w.inside(s.span):
                flow.for_each(w, ctx, s)
        case syntax.EachPlayer():
            with w.inside(s.span):
                flow.each_player(w, ctx, s)
        case syntax.AsPlayer():
            flow.as_player(w, ctx, s)
        case syntax.AtOnce():
            steps_as_one.at_once(w, ctx, s)
        case syntax.Phase():
            w.emit(w.c.mark("phase", messages.plain_words(s.text), s.tags, s.span))
            block(w, ctx, s.body)
            ctx.env.forget(flow.written(w, s))
        case syntax.Needs():
            _needs(w, ctx, s)
        case syntax.Say():
            messages.text_message(ctx.env, s.text, ctx.tags)
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


def _log(w: Writer, ctx: Context, s: syntax.Log) -> None:
    audience: Expr = NONE
    if s.to is not None:
        audience = expressions.something(ctx.env, s.to, PLAYER).code
    message, arguments = messages.text_message(ctx.env, s.text, ctx.tags)
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
    if c.layout.known >= 0:  # else all that lies anywhere is seen by all
        shown = _shower(c)
        piece, who = env.procedure.slot(), env.procedure.slot()
        call = ir.CallPlain(shown, (ir.Local(piece), ir.Local(who)))
        w.emit(ir.ForEach(piece, listed.code, (ir.ForEach(who, players.code, (call,)),)))
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


def head_of(span: Span, tags: syntax.Tags, inside: Iterable[syntax.Statement]) -> str:
    """What something begins with, in one line: up to its clauses and its block."""
    ends = [span.end, *(tag.span.start for tag in tags), *(s.span.start for s in inside)]
    text = re.sub(r"#[^\n]*", "", span.source.text[span.start : min(ends)])
    return " ".join(text.split()).rstrip("[ ").replace("( ", "(").replace(" )", ")")


# ---- the rest -----------------------------------------------------------------------------------------------


def _needs(w: Writer, ctx: Context, s: syntax.Needs) -> None:
    asked = expressions.condition(ctx.env, s.condition)
    message, arguments = messages.needs_message(w.c, ctx.env, s, ctx.tags)
    messages.failing(w, ctx, negated(asked), message, arguments, s)
    assuming.assume(ctx.env, s.condition, truth=True)


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
    message = messages.limit_message(w.c, s, ctx.tags)
    messages.failing(w, ctx, binary(">=", used, count.code), message, (count.code,), s)
    w.emit(ir.Store(binary("+", ir.Const(cells), me), binary("+", ONE, used)))


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
    for around, finish in reversed(w.at_onces):
        if around == len(w.loops):
            finish()
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
    if not ctx.at_once:
        hooks.after_names(w, ctx, names)


def extra_procedure(
    c: Compiler, name: str, captured: Sequence[Variable], statements: syntax.Block, env: Env
) -> int:
    """A suspending procedure of the compiler's own around some statements; its parameters are local names in reach."""
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
