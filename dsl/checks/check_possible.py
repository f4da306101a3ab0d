"""Finds conditions that depend on themselves: `needs not possible(act)` in `act`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.suggest import listed_and
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.model.model import World
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, walk


def check_possible(compiled: Compiled) -> None:
    """Report actions whose conditions ask whether the same action is possible, by themselves or through others."""
    bodies = compiled.analysis.bodies
    asked: dict[str, dict[str, syntax.Expression]] = {}
    for body in bodies.values():
        if isinstance(body.node, declared.Rule):
            found = asked.setdefault(body.node.name, {})
            for condition, possible in _asked(compiled.world, bodies, body):
                found.setdefault(call_name(possible.action), condition)
    reported: set[str] = set()
    for name, conditions in asked.items():
        way = _way_back(asked, name)
        if not way or name in reported:
            continue
        reported.update(way)
        rule = compiled.world.rules[name]
        through = f", through {listed_and(way[:-1])}" if len(way) > 1 else ""
        compiled.problems.error(
            "cyclic-rule",
            f"`{name}` asks in its own conditions whether it is possible{through}",
            conditions[way[0]].span,
            labels=(Label(rule.name_span, "this action"),),
            help="write what must hold instead of `possible(...)`",
        )


def _way_back(asked: Mapping[str, Mapping[str, object]], name: str) -> list[str]:
    """The shortest way from an action over those that it asks for back to itself; empty if there is none."""
    ways = [[first] for first in asked[name]]
    met: set[str] = set()
    for way in ways:
        last = way[-1]
        if last == name:
            return way
        if last not in met:
            met.add(last)
            ways += [[*way, further] for further in asked.get(last, ())]
    return []


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
