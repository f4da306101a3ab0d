"""Lowers `give E`, which sets the result of a rule. Also reports each misplaced `give`."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import changing, results
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, every


@writes(syntax.Give)
def give(w: Writer, ctx: Context, s: syntax.Give) -> None:
    """Lower `give E`."""
    rule = _giving_rule(w)
    found = results.result(w.c, rule) if rule is not None else None
    if found is None or rule is None:
        w.c.problems.error(
            "unexpected-word",
            "nothing uses a result here",
            s.span,
            help=f"write `rule {rule.name} gives TYPE` in the head of the rule"
            if rule is not None and rule.what == "rule"
            else "`give` belongs in a rule whose head says `gives TYPE`; to hand something over write "
            "`move piece to player.zone`, or `add 2 to player.coins`",
        )
        return
    if found.type.known:
        results.store(w, found, changing.value_for(ctx.env, s.value, found.type, f"`{rule.name}`"))


def _giving_rule(w: Writer) -> declared.Rule | None:
    """Return the rule whose result a `give` in this body sets: the rule of the body, or the rule that a hook replaces.

    Return None for any other body.
    """
    node = w.body.node if w.body is not None else None
    if isinstance(node, declared.OnAction):
        is_instead = node.when == "instead of"
        return w.c.model.rules.get(node.pattern.name) if is_instead else None
    return node if isinstance(node, declared.Rule) else None


# ---- the place of `give` ------------------------------------------------------------------------


def check_ends(w: Writer) -> None:
    """Report an error for a `give` that is not the last step, and for a path without a `give` through a rule."""
    rule, body = _giving_rule(w), w.body
    if rule is None or rule.gives is None or body is None:
        return
    lasts = list(_last_steps(body.statements))
    given = {id(s) for s in lasts if isinstance(s, syntax.Give)}
    early = [s for s in every(body.statements) if isinstance(s, syntax.Give) and id(s) not in given]
    for s in early:
        w.c.problems.error(
            "missing-result",
            "`give` ends the rule, but more steps may follow here",
            s.span,
            help="write it as the last step: put the other steps under `else`, or keep the result "
            "under a name and give it at the end",
        )
    open_end = next((s for s in lasts if not _is_end(s)), None)
    if open_end is not None and not early:
        w.c.problems.error(
            "missing-result",
            f"`{rule.name}` gives a result, but may end here without one",
            open_end.span,
            help="write `give` and the result as the last step of each way through the rule",
        )


def _is_end(s: syntax.Statement) -> bool:
    return isinstance(s, syntax.Give) or (isinstance(s, syntax.Simple) and s.word == "end game")


def _last_steps(block: syntax.Block) -> Iterator[syntax.Statement]:
    """Yield the last step of each path through a block."""
    if not block:
        return
    last = block[-1]
    match last:
        case syntax.If(otherwise=otherwise) | syntax.IfPossible(otherwise=otherwise):
            if not otherwise:
                yield last
            for way in blocks_of(last):
                yield from _last_steps(way)
        case syntax.ChooseOf(quantity=None, all_of=False) | syntax.AsPlayer() | syntax.Phase():
            for way in blocks_of(last):
                if not way:
                    yield last
                yield from _last_steps(way)
        case syntax.Surely(step=step):
            yield from _last_steps((step,))
        case _:  # all others: they are a last step themselves
            yield last
