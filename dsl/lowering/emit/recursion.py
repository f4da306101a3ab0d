"""Dispatches nodes to the functions that lower them.

Expressions and statements may contain each other. Every construct registers how its node is
lowered. Other modules pass nodes to `expression` or `statement` without importing any construct.
`rulewright.dsl.lowering.whole.constructs` loads the constructs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed, Variable, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids, path_of
from rulewright.dsl.lowering.emit.writer import Context, Writer, start_writer
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, narrow
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of

Node = TypeVar("Node")
Lowering: TypeAlias = Callable[[Env, Node, Type | None], Typed]
"""A function that lowers an expression. The expected type helps to interpret ambiguous names."""
Writing: TypeAlias = Callable[[Writer, Context, Node], None]
"""A function that emits a statement."""

EXPRESSIONS: dict[type, Lowering[Any]] = {}
STATEMENTS: dict[type, Writing[Any]] = {}
LOOPS = (syntax.Repeat, syntax.ForEach, syntax.EachPlayer)


def lowers(node: type[Node]) -> Callable[[Lowering[Node]], Lowering[Node]]:
    """Register the function that lowers this class of expression."""

    def register(work: Lowering[Node]) -> Lowering[Node]:
        if node in EXPRESSIONS:
            raise ValueError(f"{node.__name__} is lowered twice")
        EXPRESSIONS[node] = work
        return work

    return register


def writes(node: type[Node]) -> Callable[[Writing[Node]], Writing[Node]]:
    """Register the function that emits this class of statement."""

    def register(work: Writing[Node]) -> Writing[Node]:
        if node in STATEMENTS:
            raise ValueError(f"{node.__name__} is written twice")
        STATEMENTS[node] = work
        return work

    return register


# ---- expressions ----


def expression(env: Env, e: syntax.Expression, expect: Type | None = None) -> Typed:
    """Lower an expression. The expected type `expect` helps to interpret ambiguous names."""
    procedure = env.procedure
    around, procedure.lowered = procedure.lowered, []
    found: Typed = EXPRESSIONS[type(e)](env, e, expect)
    parts, procedure.lowered = tuple(procedure.lowered), around
    if not found.type.known:
        return found
    env.c.model.facts.has_type(e.span, found.type)
    known = env.facts.get(path_of(e) or "") if env.facts else None
    type_ = found.type if known is None else narrow(found.type, known)
    node = evolve(found, type=type_, e=e, parts=parts)
    if around is not None:
        around.append(node)
    return node


# ---- statements ----


def block(w: Writer, ctx: Context, statements: Sequence[syntax.Statement]) -> None:
    """Emit a block. Names that the block declares are in scope only inside the block."""
    ctx = ctx.with_env(ctx.env.child())
    ended = False
    turn = w.c.turn_marks.get(id(statements))
    if turn is not None:
        w.emit(turn)
    backwards = reversed(range(len(statements)))
    last_fallible = next((n for n in backwards if w.a.can_fail((statements[n],))), -1)
    for n, s in enumerate(statements):
        if ended:
            w.c.problems.error(
                "unreachable-code",
                "this is never reached",
                s.span,
                at="the line before ends this block",
                help="put it before the line above, or remove it",
            )
            break
        rest = statements[n + 1 :]
        here = evolve(ctx, tail=ctx.tail or n < last_fallible, after=ctx.tail, rest=rest)
        tags = clause_ids(getattr(s, "tags", ()))
        if tags and not isinstance(s, syntax.Broken):
            here = evolve(here, tags=tags)
            if not isinstance(s, (syntax.Phase, syntax.If, syntax.IfPossible)):
                mark = w.c.mark(
                    "step",
                    head_of(s.span, s.tags, chain.from_iterable(blocks_of(s))),
                    s.tags,
                    s.span,
                )
                if isinstance(s, LOOPS):  # a loop without iterations does nothing
                    w.c.turn_marks[id(s.body)] = mark
                else:
                    w.emit(mark)
        statement(w, here, s)
        if isinstance(s, (syntax.Choose, syntax.ChooseOf)):
            ctx = evolve(ctx, beyond=False)
        elif ctx.guarded and not ctx.given and w.a.is_beyond_horizon((s,)):
            ctx = evolve(ctx, beyond=True)
        ended = isinstance(s, syntax.Simple)


def statement(w: Writer, ctx: Context, s: syntax.Statement) -> None:
    if isinstance(s, LOOPS):
        with w.inside(s.span):
            STATEMENTS[type(s)](w, ctx, s)
        return
    STATEMENTS[type(s)](w, ctx, s)
    if "me" not in ctx.env.scope:
        _check_triggers(w, s)


def _check_triggers(w: Writer, s: syntax.Statement) -> None:
    """Report a step that may fire a trigger which needs an acting player, although there is none."""
    if w.body is None or not w.a.is_awake(w.body.key):
        return
    for key in w.a.triggers_of(s):
        if w.a.needs_me(key):
            trigger = w.a.bodies[key].node
            assert isinstance(trigger, declared.Whenever | declared.OnMove)
            watched = trigger.condition if isinstance(trigger, declared.Whenever) else trigger.place
            w.c.problems.error(
                "unknown-name",
                "this step may fire a trigger that uses `me` or asks a player, but nobody is acting here",
                s.span,
                labels=(Label(watched.span, "the trigger"),),
                help="put the step under `each player` or `as player`, or the steps of the trigger under `as player`",
            )
            return


def head_of(span: Span, tags: syntax.Tags, inside: Iterable[syntax.Statement]) -> str:
    """Return the head of a construct as one line. The head ends before the clauses and the block."""
    ends = [span.end, *(tag.span.start for tag in tags), *(s.span.start for s in inside)]
    text = re.sub(r"#[^\n]*", "", span.source.text[span.start : min(ends)])
    return " ".join(text.split()).rstrip("[ ").replace("( ", "(").replace(" )", ")")


def extra_procedure(
    c: Compiler, name: str, captured: Sequence[Variable], statements: syntax.Block, env: Env
) -> int:
    """Return the number of a suspending procedure that runs statements only as a trial.

    Its parameters are the captured local names.
    """
    rules = c.rules
    assert rules is not None
    number = rules.reserve()
    w = start_writer(rules, name, True, None, number)
    w.is_tried = True
    inner = new_env(c, w.procedure)
    for variable in captured:
        if isinstance(variable.type, types.List):
            c.problems.error(
                "not-storable",
                f"`{variable.name}` is a list and cannot be used here",
                statements[0].span,
                help=f"compute the value that you need before this: `let n = {variable.name}.size`, `let x "
                f"= {variable.name}.first`",
            )
        inner.bind(variable.name, variable.type, span=variable.span)
    inner.facts.update(env.facts)
    parameters = w.procedure.locals
    block(w, Context(inner, guarded=True), statements)
    w.finish(parameters)
    return number
