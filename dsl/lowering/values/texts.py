"""Lowers texts to messages; the texts have values in braces. A message consists of parts and arguments."""

from __future__ import annotations

from typing import TypeAlias

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import Expr
from rulewright.dsl.lowering.emit.core import Env
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model import types
from rulewright.dsl.text import plurals
from rulewright.dsl.tree import syntax

MessageText: TypeAlias = tuple[tuple[str | ir.Shown | ir.Counted, ...], tuple[Expr, ...]]
"""The parts of a message, and its arguments."""


def parts_of(env: Env, text: syntax.Text) -> MessageText:
    """Return the parts and the arguments of a message, given a text with values."""
    parts: list[str | ir.Shown | ir.Counted] = []
    arguments: list[Expr] = []
    number = -1  # the argument that decides between singular and plural in words such as `coin(s)`
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
        typed = expressions.as_stored(env, recursion.expression(env, part), part, None)
        if not typed.type.known:
            continue
        if isinstance(typed.type, types.List) and isinstance(typed.type.of, types.List):
            env.c.problems.error(
                "wrong-type",
                "a list of lists cannot be shown in words",
                part.span,
                help=f"write `{{{part.span.text}.size}}`, how many there are, or one of them: "
                f"`{{{part.span.text}.nth(1)}}`",
            )
            continue
        shown = typed.type.of if isinstance(typed.type, types.List) else typed.type
        if isinstance(shown, types.Unknown):
            continue
        if isinstance(typed.type, types.Number):
            number = len(arguments)
        # all others: their domain shows them
        parts.append(ir.Shown(len(arguments), env.c.domain(shown)))
        arguments.append(typed.code)
    return tuple(parts), tuple(arguments)
