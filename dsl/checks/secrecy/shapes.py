"""Compare the text of steps, and find the names that steps declare and the steps on which offers depend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.dsl.checks.secrecy.labels import player_name_at
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, every, fields_of


def is_call_of(s: syntax.Statement, action: syntax.Expression) -> bool:
    """Return whether a step is a call of this action."""
    step = s.step if isinstance(s, syntax.Surely) else s
    return isinstance(step, syntax.Do) and step.call.span.text == action.span.text


def shape(s: syntax.Statement) -> object:
    """Return a key for a step. Steps that players cannot distinguish have equal keys, provided that
    the names of the steps are equal.
    """
    if isinstance(s, syntax.Surely):
        return shape(s.step)
    if isinstance(s, syntax.Choose) and s.quantity is None and s.prompt is None:
        # only the chooser sees the alternatives
        return "choose", s.name, s.or_none, _text_key(s.say), _text_key(s.named)
    return _text_key(s)


def _text_key(part: object) -> object:
    """Return a key for a subtree; subtrees with equal text have equal keys."""
    if isinstance(part, tuple):
        return tuple(map(_text_key, part))
    if not isinstance(part, syntax.Node):
        return part
    names = (name for name in fields_of(type(part)) if name != "tags" and "span" not in name)
    return type(part), *(_text_key(getattr(part, name)) for name in names)


def player_names_in(statements: object) -> frozenset[str]:
    """Return the unique names of players that these steps declare."""
    return frozenset(player_name_at(*one) for s in every(statements) for one in _declared_names(s))  # type: ignore[arg-type]


def name_of(s: syntax.Statement) -> str:
    """Return the local name that a step declares for the steps after it, or "" if there is none."""
    step = s.step if isinstance(s, syntax.Surely) else s
    is_inside = isinstance(step, syntax.ForEach | syntax.ChooseOf)
    return next((name for name, _ in _declared_names(step) if not is_inside), "")


def _declared_names(s: syntax.Statement) -> Iterator[tuple[str, Span]]:
    """Yield the local names that a step declares directly, each with its place."""
    match s:
        case syntax.Let() | syntax.LetDo() | syntax.Choose():
            yield s.name, s.name_span
        case syntax.Roll(place=syntax.Word(name=name, span=span)):
            yield name, span
        case syntax.ForEach(binder=binder):
            yield binder.name, binder.name_span
        case syntax.ChooseOf(arms=arms):
            for arm in arms:
                if isinstance(arm, syntax.OptionArm) and arm.binder is not None:
                    yield arm.binder.name, arm.binder.name_span
        case _:  # all others: they declare no names
            pass


def is_offered(body: Body) -> bool:
    """Return whether offers depend on the steps of this body itself."""
    is_action = isinstance(body.node, declared.Rule) and body.node.what == "action"
    return body.in_guard or is_action


def steps_if_offered(node: object) -> frozenset[int]:
    """Return the `id` of each step on which offers depend, for a declaration that is itself offered."""
    return frozenset(_fallible_ids([node.body])) | steps_of_offers(node)  # type: ignore[attr-defined]  # the node has steps


def steps_of_offers(node: object) -> frozenset[int]:
    """Return the `id` of each step on which offers depend, for a declaration that is not offered
    itself but contains choices.
    """
    asked = (s for s in every(node.body) if isinstance(s, syntax.ChooseOf | syntax.May))  # type: ignore[attr-defined]
    return frozenset(_fallible_ids(block for s in asked for block in blocks_of(s)))


def _fallible_ids(blocks: Iterable[syntax.Block]) -> Iterator[int]:
    """Yield the `id` of each step in the blocks that can fail. Steps under `surely` cannot fail."""
    for block in blocks:
        steps = list(_decisive(block))
        sure = {id(s.step) for s in steps if isinstance(s, syntax.Surely)}
        yield from (id(s) for s in steps if id(s) not in sure)


def _decisive(statements: syntax.Block) -> Iterator[syntax.Statement]:
    """Yield all steps except those that `if possible` tries; the tried steps decide only which block runs."""
    for s in statements:
        yield s
        for block in blocks_of(s):
            if not isinstance(s, syntax.IfPossible) or block is s.otherwise:
                yield from _decisive(block)
