"""What a decision asks: in the author's words, else in those of what is offered.

Refuses to know what can be chosen: parameters that are left open read as dots.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.lowering.workshop.code import Expr
from rulewright.dsl.lowering.workshop.writer import Context, Writer
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import call_name

_OPEN: Final = " ..."


def prompt_of(
    w: Writer, ctx: Context, prompt: syntax.Text | None, word: str
) -> tuple[int, tuple[Expr, ...]]:
    """The words of the question, as a message and its arguments."""
    if prompt is not None:
        return messages.text_message(ctx.env, prompt, ctx.tags)
    shown = "" if word in w.c.world.rules else word.replace("_", " ")
    return w.c.message((f"choose {shown}" if shown else "what do you do?",), None, ctx.tags), ()


def of_words(text: syntax.Text) -> syntax.Text:
    """The words of what may be done, as a question."""
    last = text.parts[-1] if text.parts else ""
    is_asked = isinstance(last, str) and last.endswith("?")
    return text if is_asked else syntax.Text(text.span, (*text.parts, "?"))


def of_action(w: Writer, s: syntax.Do) -> syntax.Text | None:
    """What a step asks that runs an action, if need be with parameters that are chosen: `drop a disc into column ...?`

    Names of rules are nobody's words."""
    name = call_name(s.call)
    rule = None if isinstance(s.call, syntax.Dot) else w.c.world.rules.get(name)
    if s.prompt is not None or rule is None or rule.what != "action":
        return s.prompt
    said = next((line.text for line in rule.body if isinstance(line, syntax.Say)), None)
    words = "" if said is None else _beginning(said)
    if said is None or not words:
        given = s.call.arguments if isinstance(s.call, syntax.Call) else ()
        words = name.replace("_", " ") + (_OPEN if len(given) < len(rule.params) else "")
    return of_words(syntax.Text(s.span, (words,)))


def _beginning(said: syntax.Text) -> str:
    """Words up to the first place in them: what follows is about what is chosen."""
    first = said.parts[0] if said.parts else ""
    if not isinstance(first, str) or not first.strip():
        return ""
    return first.rstrip() + (_OPEN if len(said.parts) > 1 else "")
