"""Find conditions that depend on themselves: `needs not possible(act)` in `act`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TypeAlias

from attrs import frozen

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.suggest import listed_and
from rulewright.dsl.lowering.analysis.bodies import Body, WithSteps
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, every, walk

_Question: TypeAlias = tuple[syntax.Expression, syntax.Possible]
"""A condition, paired with a `possible(...)` that occurs in the condition or in a value that the condition names."""


def check_possible(compiled: Compiled) -> None:
    """Report an error for each action whose conditions test, directly or through other actions,
    whether the same action is possible.
    """
    bodies = compiled.analysis.bodies
    asked: dict[str, dict[str, syntax.Expression]] = {}
    direct = _direct_questions(compiled)
    if not direct:
        return
    for body in bodies.values():
        if isinstance(body.node, declared.Rule):
            found = asked.setdefault(body.node.name, {})
            for condition, possible in _questions(bodies, direct, body):
                found.setdefault(call_name(possible.action), condition)
    reported: set[str] = set()
    for name, conditions in asked.items():
        way = _shortest_cycle(asked, name)
        if not way or name in reported:
            continue
        reported.update(way)
        rule = compiled.model.rules[name]
        through = f", through {listed_and(way[:-1])}" if len(way) > 1 else ""
        compiled.problems.error(
            "cyclic-rule",
            f"`{name}` tests in its own conditions whether it is possible{through}",
            conditions[way[0]].span,
            labels=(Label(rule.name_span, "this action"),),
            help="write the condition itself instead of `possible(...)`",
        )


def _shortest_cycle(asked: Mapping[str, Mapping[str, object]], name: str) -> list[str]:
    """Return the shortest cycle of actions that leads from an action back to itself.

    Each action in the cycle is in a `possible(...)` of the previous action. The list is empty if there is
    no cycle.
    """
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


def _direct_questions(compiled: Compiled) -> dict[str, list[_Question]]:
    """For each body, return the uses of `possible` in its conditions, each paired with the
    condition that contains it.
    """
    reaching, of = _values_with_possible(compiled), compiled.memo.of
    found: dict[str, list[_Question]] = {}
    for key, body in compiled.analysis.bodies.items():
        for condition in of(_conditions, body.node):
            asks = of(_uses_in, condition)
            if asks.possible or not reaching.isdisjoint(asks.names):
                every = _possible_in(compiled, reaching, condition)
                found.setdefault(key, []).extend((condition, possible) for possible in every)
    return found


def _questions(
    bodies: Mapping[str, Body], direct: Mapping[str, list[_Question]], body: Body
) -> Iterator[_Question]:
    """Yield the uses of `possible` in the conditions of a rule, and in the conditions of rules that it
    calls.
    """
    met: set[str] = set()
    todo = [body.key]
    for key in todo:
        if key in met or key not in bodies:
            continue
        met.add(key)
        todo += sorted(bodies[key].calls)
        yield from direct.get(key, ())


def _possible_in(
    compiled: Compiled, reaching: Set[str], condition: syntax.Expression
) -> Iterator[syntax.Possible]:
    """Yield each `possible(...)` in a condition, and in the values that the condition names."""
    met: set[str] = set()
    todo = [condition]
    for part in todo:
        asks = compiled.memo.of(_uses_in, part)
        yield from asks.possible
        for name in asks.names:
            if name in reaching and name not in met:
                met.add(name)
                todo += (value.value for value in _values_named(compiled.model, name))


def _values_with_possible(compiled: Compiled) -> set[str]:
    """Return the names of values that contain a `possible(...)`, directly or through other values."""
    model = compiled.model
    left = {
        name: [compiled.memo.of(_uses_in, value.value) for value in _values_named(model, name)]
        for name in (*model.values, *model.subject_values)
    }
    found: set[str] = set()
    more = [name for name, asks in left.items() if any(one.possible for one in asks)]
    while more:
        found.update(more)
        for name in more:
            del left[name]
        more = [
            name
            for name, asks in left.items()
            if any(not found.isdisjoint(one.names) for one in asks)
        ]
    return found


def _values_named(model: Model, name: str) -> list[declared.Value]:
    of_nothing = [model.values[name]] if name in model.values else []
    return [*model.subject_values.get(name, ()), *of_nothing]


def _conditions(node: WithSteps) -> list[syntax.Expression]:
    """Return the conditions of a body; for a rule, also the conditions on its parameters."""
    conditions = [s.condition for s in every(node.body) if isinstance(s, syntax.Needs)]
    if isinstance(node, declared.Rule):
        conditions += [e for p in node.params for e in (p.source, p.where) if e is not None]
    return conditions


@frozen
class _Uses:
    """The uses of `possible` in an expression, and the names in the expression."""

    possible: tuple[syntax.Possible, ...]
    names: tuple[str, ...]
    """The names that may refer to values, without duplicates."""


def _uses_in(e: object) -> _Uses:
    """Return the uses of `possible` in an expression, and the names in it."""
    possible: list[syntax.Possible] = []
    names: dict[str, None] = {}
    for node in walk(e):
        match node:
            case syntax.Possible():
                possible.append(node)
            case syntax.Word() | syntax.Call() | syntax.Dot():
                names[node.name] = None
            case _:
                pass
    return _Uses(tuple(possible), tuple(names))
