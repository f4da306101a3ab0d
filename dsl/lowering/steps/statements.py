"""Lowers the statements that have no module of their own, such as `needs`, `log` and `end game`."""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    binary,
    negation,
)
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.routines import Numbers, routine
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import (
    condition_triggers,
    flow,
    messages,
    move_triggers,
    moves,
)
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, Type, describe, item_of
from rulewright.dsl.tree import syntax


@writes(syntax.Move)
def _move(w: Writer, ctx: Context, s: syntax.Move) -> None:
    m = moves.lower_move(ctx.env, s)
    move_triggers.move_with_triggers(w, ctx, m, lambda: moves.move(w, ctx, m))


@writes(syntax.Phase)
def _phase(w: Writer, ctx: Context, s: syntax.Phase) -> None:
    w.emit(w.c.mark("phase", messages.plain_words(s.text), s.tags, s.span))
    message, arguments = messages.text_message(ctx.env, s.text, ctx.tags)
    w.emit(ir.Log(message, arguments, NONE))
    recursion.block(w, ctx, s.body)
    ctx.env.forget(flow.changed_names(w, s))


@writes(syntax.Say)
def _say(w: Writer, ctx: Context, s: syntax.Say) -> None:
    messages.text_message(ctx.env, s.text, ctx.tags)


@writes(syntax.Surely)
def _surely(w: Writer, ctx: Context, s: syntax.Surely) -> None:
    if not isinstance(s.step, syntax.Broken):
        recursion.statement(w, evolve(ctx, surely=s.span), s.step)


@writes(syntax.Broken)
def _broken(w: Writer, ctx: Context, s: syntax.Broken) -> None:
    """Do nothing for a statement with a syntax error, because the error has been reported."""


@writes(syntax.Eliminate)
def _eliminate(w: Writer, ctx: Context, s: syntax.Eliminate) -> None:
    who = expressions.value_of_type(ctx.env, s.player, PLAYER)
    w.emit(ir.Store(binary("+", ir.Const(w.c.layout.in_play), who.code), ZERO))
    condition_triggers.after_step(w, ctx, s)


@writes(syntax.Win)
def _win(w: Writer, ctx: Context, s: syntax.Win) -> None:
    base = ir.Const(w.c.layout.won)
    found = recursion.expression(ctx.env, s.player, PLAYER)
    if isinstance(found.type, types.Several):
        listed = expressions.as_list(ctx.env, found, s.player)
        of = item_of(listed.type)
        if of is not None and of.known and not isinstance(of, types.Player):
            w.c.wrong_type(
                s.player.span,
                "only players can win",
                listed.type,
                "write `win me`, or a list of players: `win list(p in players where ...)`",
            )
            return
        slot = ctx.env.procedure.slot()
        won = ir.Store(binary("+", base, ir.Local(slot)), ONE)
        w.emit(ir.ForEach(slot, listed.code, (won,)))
    else:
        who = expressions.as_type(ctx.env, found, s.player, PLAYER)
        w.emit(ir.Store(binary("+", base, who.code), ONE))
    condition_triggers.after_step(w, ctx, s)


@writes(syntax.Log)
def _log(w: Writer, ctx: Context, s: syntax.Log) -> None:
    audience: Expr = NONE
    if s.to is not None:
        audience = expressions.value_of_type(ctx.env, s.to, PLAYER).code
    message, arguments = messages.text_message(ctx.env, s.text, ctx.tags)
    w.emit(ir.Log(message, arguments, audience))


def _as_list_of(env: Env, typed: Typed, wanted: type[Type], wrong: str, help: str) -> Typed | None:
    """Return a value as a list of things of one type.

    If it contains things of another type, report an error and return None.
    """
    assert typed.e is not None
    listed = expressions.as_list(env, typed, typed.e)
    of = item_of(listed.type)
    if of is None or not of.known or isinstance(of, wanted):
        return listed
    env.c.problems.error("wrong-type", f"{wrong} {describe(of)}", typed.e.span, help=help)
    return None


@writes(syntax.Show)
def _show(w: Writer, ctx: Context, s: syntax.Show) -> None:
    env, c = ctx.env, w.c
    what = recursion.expression(env, s.what)
    to = recursion.expression(env, s.to)
    if not what.type.known or not to.type.known:
        return
    help = f"write the zone or the card: `show me.hand to {s.to.span.text}`; `log` shows a number"
    listed = _as_list_of(env, what, types.Piece, "only pieces can be shown, but this is", help)
    if listed is None:
        return
    help = "write a player after `to`, or `players` for all"
    players = _as_list_of(
        env, to, types.Player, "pieces are shown only to players, but this is", help
    )
    if players is None:
        return
    if c.layout.known >= 0:  # otherwise everybody sees every piece
        bits = Numbers(c.table([1 << seat for seat in range(len(c.model.seats))]))
        shown = routine(c, "show", bits=bits)
        piece, who = env.procedure.slot(), env.procedure.slot()
        call = ir.CallPlain(shown, (ir.Local(piece), ir.Local(who)))
        w.emit(ir.ForEach(piece, listed.code, (ir.ForEach(who, players.code, (call,)),)))
    message = c.message(
        (ir.Shown(0, c.domain(PLAYER)), " is shown ", ir.Shown(1, c.domain(types.Piece()))),
        s.span,
        ctx.tags,
    )
    looker = env.procedure.slot()
    logged = ir.Log(message, (ir.Local(looker), listed.code), ir.Local(looker))
    anything = binary(">", ir.Length(listed.code), ZERO)
    w.emit(ir.ForEach(looker, players.code, (ir.If(anything, (logged,)),)))


@writes(syntax.Needs)
def _needs(w: Writer, ctx: Context, s: syntax.Needs) -> None:
    for asked in messages.needed_conditions(ctx.env, s):
        message, arguments = messages.needs_message(w.c, ctx.env, s, asked, ctx.tags)
        messages.fail_with(w, ctx, negation(asked.code), message, arguments, s)
        ctx.env.learn(asked.so)


@writes(syntax.Simple)
def _simple(w: Writer, ctx: Context, s: syntax.Simple) -> None:
    if s.word == "end game":
        if not w.procedure.suspending:
            w.c.problems.error(
                "unreachable-code",
                "the game cannot be ended here",
                s.span,
                help="set a state here (`set is_over to yes`), and write `if is_over` with `end game` in `play`",
            )
            return
        w.end(ir.EndGame(s.span), None)
        return
    if not w.loops:
        w.c.problems.error(
            "wrong-type",
            f"`{s.word}` is not in a loop",
            s.span,
            help="it leaves the loop around it; of a rule, put the steps below it under an `if` with the opposite "
            "condition"
            if s.word == "stop"
            else "put the steps below it under an `if` with the opposite condition",
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
        w.c.problems.error(
            "unreachable-code",
            "the loop cannot be left from here",
            s.span,
            help="write the condition into its line: `for each x in S while C`, or `first(x in S where C)`",
        )
        return
    turns, scopes = loop
    w.leave_for(turns.after if s.word == "stop" else turns.following, scopes)
