"""Finds conditions that depend on themselves: `needs not possible(act)` in `act`."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.model.model import World
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, walk


def check_possible(compiled: Compiled) -> None:
    """Report actions whose conditions ask whether the same action is possible."""
    bodies = compiled.analysis.bodies
    for body in bodies.values():
        rule = body.node
        if not isinstance(rule, declared.Rule):
            continue
        for condition, asked in _asked(compiled.world, bodies, body):
            if call_name(asked.action) == rule.name:
                compiled.problems.error(
                    "cyclic-rule",
                    f"`{rule.name}` asks in its own conditions whether it is possible",
                    condition.span,
                    labels=(Label(rule.name_span, "this action"),),
                    help="write what must hold instead of `possible(...)`",
                )
                break


def _asked(
    world: World, bodies: dict[str, Body], body: Body
) -> Iterator[tuple[syntax.Expression, syntax.Possible]]:
    """Each `possible` in the conditions of a rule and of rules that it calls, with its condition."""
    met: set[str] = set()
    todo = [body.key]
    for key in todo:
        if key in met or key not in bodies:
            continue
        met.add(key)
        called = bodies[key]
        todo += sorted(called.calls)
        conditions = [s.condition for s in called.steps if isinstance(s, syntax.Needs)]
        if isinstance(called.node, declared.Rule):
            params = called.node.params
            conditions += [e for p in params for e in (p.source, p.where) if e is not None]
        for condition in conditions:
            for found in _possible_in(world, condition):
                yield condition, found


def _possible_in(world: World, condition: syntax.Expression) -> Iterator[syntax.Possible]:
    """Each `possible(...)` of a condition, and of the values it names."""
    met: set[str] = set()
    todo: list[object] = [condition]
    for part in todo:
        for node in walk(part):
            if isinstance(node, syntax.Possible):
                yield node
            elif isinstance(node, syntax.Word | syntax.Call | syntax.Dot) and node.name not in met:
                met.add(node.name)
                values = list(world.subject_values.get(node.name, ()))
                values += [world.values[node.name]] if node.name in world.values else []
                todo += [value.value for value in values]
