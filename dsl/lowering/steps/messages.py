"""Lowers texts that players read: questions, texts with values, and the reasons why a step is impossible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.code import ZERO, Expr
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import parameters
from rulewright.dsl.lowering.values import attributes, expressions, texts, unmet
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, whole
from rulewright.dsl.text import plurals
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name

_OPEN: Final = "..."
"""The word for the chosen things in a question if no better word is known."""
_COUNTED = re.compile(r" ([^\W\d_]+(?:\([\w|]*\))?)")
_ARTICLES = ("a", "an", "the")
_NO_NOUNS = frozenset(
    "about at by for from in into is of on onto or than the to up with".split(" ")  # noqa: SIM905 - read as one line
)


Words: TypeAlias = Sequence[str | ir.Shown | ir.Counted]
"""The parts of a message."""


def fail_if(
    w: Writer,
    ctx: Context,
    condition: Expr,
    s: syntax.Statement,
    words: str | Words,
    *arguments: Expr,
) -> None:
    """Emit a test that makes a step impossible if a condition holds. The reason is given by `words` and `arguments`."""
    if condition != ZERO:
        parts = (words,) if isinstance(words, str) else words
        fail_with(w, ctx, condition, w.c.message(parts, s.span, ctx.tags), arguments, s)


def fail_with(
    w: Writer,
    ctx: Context,
    condition: Expr,
    message: int,
    arguments: tuple[Expr, ...],
    s: syntax.Statement,
) -> None:
    """Emit a test that makes a step impossible if a condition holds, with a message as the reason.

    After `surely`, the test raises a fault instead. If no option guards the step, report an error.
    """
    if isinstance(condition, ir.Const) and not condition.value:
        return
    if ctx.surely is not None:
        fault = w.c.fault(
            "surely-not",
            f"`{_first_line(s.span)}` was said to be possible, but is not",
            s.span,
        )
        w.emit(ir.If(condition, (ir.Fault(fault),)))
        return
    if ctx.beyond or (not ctx.guarded and ctx.outside):
        why = "it is not part of an action, so nothing prevents the game from reaching it"
        if ctx.beyond:
            why = "chance or another player's decision comes before it, so the action could not look ahead to it"
        w.c.problems.error(
            "may-be-impossible",
            "this step may be impossible here",
            s.span,
            notes=(why,),
            help=_impossible_help(s),
            fix=Fix(s.span.before, "surely "),
        )
    w.emit(ir.If(condition, (ir.Fail(message, arguments),)))


def _impossible_help(s: syntax.Statement) -> str:
    match s:
        case syntax.Move(how="up to" | "all") | syntax.Move(source=None):
            return (
                "first test whether there is room, put it under `if possible`, "
                "or write `surely` before it if you know better"
            )
        case syntax.Move():
            return (
                "write `move up to ...`, put it under `if possible`, "
                "or write `surely` before it if you know better"
            )
        case syntax.Amount():
            return "write `lose` to take as much as there is, put it under `if possible`, or write `surely` before it"
        case _:  # all others: this help is always right
            return "put it under `if possible` with `otherwise`, or write `surely` before it if you know better"


def _first_line(span: Span) -> str:
    return span.text.split("\n", 1)[0].split("[")[0].strip()[:60]


def text_message(
    env: Env, text: syntax.Text, tags: tuple[str, ...]
) -> tuple[int, tuple[Expr, ...]]:
    """Return the message for a text with values, and the arguments of the message."""
    parts, arguments = texts.parts_of(env, text)
    return env.c.message(parts, text.span, tags), arguments


def plain_words(text: syntax.Text) -> str:
    """Return the words of a text without the values in braces."""
    return "".join(p for p in text.parts if isinstance(p, str))


def needed_conditions(env: Env, s: syntax.Needs) -> list[Typed]:
    """Lower the condition of `needs`, and split it into parts, so that a message can name the failing part.

    If the author gives a reason, the whole condition is one part.
    """
    asked = expressions.condition(env, s.condition)
    return [asked] if s.reason is not None else unmet.lowered_conjuncts(asked)


def needs_message(
    c: Compiler, env: Env, s: syntax.Needs, condition: Typed, tags: tuple[str, ...]
) -> tuple[int, tuple[Expr, ...]]:
    """Return the message that says why a condition does not hold: the author's words or, if the
    author gives none, words derived from the condition.
    """
    tags = clause_ids(s.tags) or tags
    arguments: tuple[Expr, ...] = ()
    if s.reason is not None:
        inner = env.child()
        inner.learn(condition.otherwise)
        message, arguments = text_message(inner, s.reason, tags)
    else:
        parts, arguments = unmet.explanation(env, condition)
        span = (condition.e or s.condition).span
        message = c.message(parts, span, tags, derived=True)
    c.refusal(message)
    return message, arguments


def limit_message(c: Compiler, s: syntax.Limit, tags: tuple[str, ...]) -> int:
    """Return the message that says that a limit has been reached."""
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


def too_little(c: Compiler, name: str) -> Words:
    """Return the message that says why something cannot be paid.

    Its arguments are the required amount and the available amount.
    """
    number = c.domain(whole(0, 1))
    words = name.replace("_", " ")
    one = plurals.singular(words)
    what = (
        (ir.Counted(0, f" {one}", f" {words}"),) if one != words else (f" {words}" * bool(words),)
    )
    return (
        *("this takes ", ir.Shown(0, number), *what, ", and there "),
        *(ir.Counted(1, "is", "are"), " ", ir.Shown(1, number)),
    )


# ---- questions of decisions -------------------------------------------------------------------------


def prompt_message(
    w: Writer, ctx: Context, prompt: syntax.Text | None, word: str
) -> tuple[int, tuple[Expr, ...]]:
    """Return the message that asks the question of a decision, and its arguments."""
    if prompt is not None:
        return text_message(ctx.env, prompt, ctx.tags)
    shown = "" if word in w.c.model.rules else word.replace("_", " ")
    return w.c.message((f"choose {shown}" if shown else ir.ASKED,), None, ctx.tags), ()


def as_question(text: syntax.Text) -> syntax.Text:
    """Turn the text of an option into a question."""
    last = text.parts[-1] if text.parts else ""
    is_asked = isinstance(last, str) and last.endswith("?")
    return text if is_asked else syntax.Text(text.span, (*text.parts, "?"))


def action_question(w: Writer, s: syntax.Do) -> syntax.Text | None:
    """Return the question of a step that runs an action, such as `into which column?` for a
    parameter that the player chooses.

    Return the author's question if there is one or if the step names no action. Players never see
    the names of rules.
    """
    name = call_name(s.call)
    rule = None if isinstance(s.call, syntax.Dot) else w.c.model.rules.get(name)
    if s.prompt is not None or rule is None or rule.what != "action":
        return s.prompt
    given = len(s.call.arguments) if isinstance(s.call, syntax.Call) else 0
    said = next((line.text for line in rule.body if isinstance(line, syntax.Say)), None)
    words = "" if said is None else _say_question(w, rule, given, said)
    if not words:
        words = name.replace("_", " ")
        if given < len(rule.params):
            words = _add_question(words, parameters.param_type(w, rule, given), "")
    return as_question(syntax.Text(s.span, (words,)))


def _say_question(w: Writer, rule: declared.Rule, given: int, said: syntax.Text) -> str:
    """Return the words of a `say` before its first value, followed by a question for this value.

    The words after the value describe the chosen thing, so they are left out.
    """
    first = said.parts[0] if said.parts else ""
    if not isinstance(first, str) or not first.strip():
        return ""
    if len(said.parts) == 1:
        return first.rstrip()
    place = said.parts[1]
    after = said.parts[2] if len(said.parts) > 2 else ""
    of = None if isinstance(place, str) else _type_at(w, rule, given, place)
    return _add_question(first.rstrip(), of, after if isinstance(after, str) else "")


def _type_at(w: Writer, rule: declared.Rule, given: int, place: syntax.Expression) -> Type | None:
    """Return the type of a value in a text if the value is the chosen thing or one of its
    attributes; None otherwise.
    """
    found = _chosen_type(w, rule, given, place)
    if found is None or isinstance(place, syntax.Word):
        return found
    if isinstance(found, types.Text) and isinstance(place, syntax.Dot):
        return _type_at(w, rule, given, place.subject)
    return found if found.is_thing else None


def _chosen_type(w: Writer, rule: declared.Rule, given: int, e: syntax.Expression) -> Type | None:
    """Return the type of an expression if it is a parameter that the player chooses, or an
    attribute of such a parameter; None otherwise.
    """
    match e:
        case syntax.Word():
            named = (n for n, param in enumerate(rule.params) if param.name == e.name)
            return next((parameters.param_type(w, rule, n) for n in named if n >= given), None)
        case syntax.Dot(arguments=None):
            of = _chosen_type(w, rule, given, e.subject)
            if of is None or not of.known:
                return None
            whose = Typed(of.surely(), ir.Local(0))
            found = attributes.attribute(new_env(w.c, w.procedure), whose, e, None)
            return None if found is None else found.type
        case _:
            return None


def _add_question(words: str, of: Type | None, after: str) -> str:
    """Return `words` followed by the question for the chosen thing: `which` with the kind of the
    thing, `how many`, or a placeholder.
    """
    *front, last = words.split(" ")
    if of is not None and isinstance(of, types.Number):
        counted = _COUNTED.match(after)
        if counted is not None:
            return f"{words} how many {plurals.plural_text(counted[1])}"
        if not front:
            return f"{words} how much"
        return f"{words} {_OPEN}" if last in _NO_NOUNS else " ".join([*front, "which", last])
    type_name = _type_name(of)
    if not type_name:
        return f"{words} {_OPEN}"
    is_said = last in (*_ARTICLES, type_name)
    return " ".join([*(front if is_said and front else [*front, last]), "which", type_name])


def _type_name(of: Type | None) -> str:
    """Return the name of the type of the chosen thing; "" if there is no type, or if there are several."""
    if of is None:
        return ""
    if isinstance(of, types.Player):
        return "player"
    is_named = isinstance(of, types.Named) and len(of.names) == 1
    return snake(of.names[0]).replace("_", " ") if is_named else ""
