"""Skips decisions with only one option if everybody may know this option."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, binary, choice
from rulewright.dsl.lowering.emit.core import Procedure
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

SETTING = "ask if several"


def can_skip(w: Writer, nodes: Iterable[object]) -> bool:
    """Return whether a decision with only one option may be skipped. The decision depends on `nodes`."""
    if SETTING not in w.c.model.settings or not w.c.is_run:
        return False
    hidden = {group.name for group in w.c.layout.groups if group.seen != "all"}
    return not (hidden and _reads_hidden(w, w.body, nodes, hidden, set()))


def nodes_read(nodes: Sequence[object], offered: Sequence[ir.Stmt]) -> list[object]:
    """Return the nodes of an arm that determine the options of the arm.

    They include the steps after the choice if these may refuse an option.
    """
    refuses = any(isinstance(part, ir.Refuse) for part in walk(tuple(offered)))
    return [node for node in nodes if refuses or not hasattr(node, "tags")]


def action_nodes(w: Writer, name: str) -> list[object]:
    """Return the parameter sources and the conditions of an action."""
    rule = w.c.model.rules.get(name)
    if rule is None:
        return []
    sources = [param.source for param in rule.params if param.source is not None]
    return [*sources, *(s.condition for s in rule.body if isinstance(s, syntax.Needs))]


def only_option(
    w: Writer,
    inner: Procedure,
    parameters: int,
    body: Sequence[ir.Stmt],
    arguments: tuple[Expr, ...],
) -> Expr:
    """Return code that computes the number of the only option that an enumerator offers. The result
    is -1 if there is no option or more than one.
    """
    index = w.c.reserve_plain()
    procedure = Procedure(f"only one of {inner.name}", suspending=False)
    procedure.locals = inner.locals
    one, count = procedure.slot(), procedure.slot()
    found = [
        ir.SetLocal(count, ZERO),
        *_count_offers(tuple(body), one, count),
        ir.Return(choice(binary("==", ir.Local(count), ONE), ir.Local(one), NONE)),
    ]
    w.c.put_plain(index, procedure, parameters, found)
    return ir.CallValue(index, arguments)


def _count_offers(body: tuple[ir.Stmt, ...], one: int, count: int) -> tuple[ir.Stmt, ...]:
    """Return the steps of an enumerator, rewritten to count the offers and to stop at the second offer."""
    found: list[ir.Stmt] = []
    for s in body:
        match s:
            case ir.Offer(option):
                found.append(ir.If(binary(">", ir.Local(count), ZERO), (ir.Return(NONE),)))
                found.append(ir.SetLocal(one, option))
                found.append(ir.SetLocal(count, ONE))
            case ir.Refuse():
                pass
            case ir.If(_, then, otherwise):
                then, otherwise = (_count_offers(part, one, count) for part in (then, otherwise))
                found.append(evolve(s, then=then, otherwise=otherwise))
            case ir.While() | ir.ForRange() | ir.ForEach():
                found.append(evolve(s, body=_count_offers(s.body, one, count)))
            case ir.Exit() | ir.Assignment() | ir.CallPlain() | ir.Log() | ir.Mark():
                found.append(s)
    return tuple(found)


def _reads_hidden(
    w: Writer,
    body: Body | None,
    nodes: Iterable[object],
    hidden: set[str],
    seen: set[tuple[str, str]],
) -> bool:
    """Return whether a node reads, directly or through local names, anything that some player is not allowed to see."""
    looked_at = [w.a.written.without_openly(node) for node in nodes]
    steps = tuple(node for node, _ in looked_at if hasattr(node, "tags"))
    if not hidden.isdisjoint(w.a.cached_reads(*(node for node, _ in looked_at))):
        return True
    if steps and not hidden.isdisjoint(w.a.reads(*w.a.blocks_run(steps))):  # type: ignore[arg-type]  # statements have tags
        return True
    if body is None:
        return False
    names = frozenset().union(*(names for _, names in looked_at))
    return any(_name_reads_hidden(w, body, name, hidden, seen) for name in sorted(names))


def _name_reads_hidden(
    w: Writer, body: Body, name: str, hidden: set[str], seen: set[tuple[str, str]]
) -> bool:
    """Return whether the value of a local name depends on anything that some player is not allowed to see."""
    if (body.key, name) in seen:
        return False
    seen.add((body.key, name))
    sources = w.a.sources_of(body, name)
    if _reads_hidden(w, body, sources, hidden, seen):
        return True
    rule = body.node
    if not isinstance(rule, (declared.Rule, declared.Effect)):
        return False
    place = next((n for n, param in enumerate(rule.params) if param.name == name), None)
    if place is None:
        return False
    if rule.params[place].source is not None and _reads_hidden(
        w, body, [rule.params[place].source], hidden, seen
    ):
        return True
    for caller, s in w.a.callers_of(body.key):
        given = getattr(s.call, "arguments", None) or ()
        if place < len(given) and _reads_hidden(w, caller, [given[place]], hidden, seen):
            return True
    return False
