"""Finds rules that call themselves, directly or through others, in a game that does not say how deep.

Goes by the names behind `do`; what triggers set off is not followed.
"""

from __future__ import annotations

from rulewright.dsl import syntax
from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics import Label
from rulewright.dsl.lowering.analysis import call_name, every

Calls = dict[str, dict[str, syntax.Do]]


def check_recursion(compiled: Compiled) -> None:
    """Report each circle of rules once, at its first rule."""
    world = compiled.world
    if "depth" in world.settings:
        return
    calls: Calls = {name: _calls(rule, world.rules) for name, rule in world.rules.items()}
    _leave_out_ends(calls)
    told: set[str] = set()
    for name in calls:
        circle = _circle(calls, name)
        if not circle or told.intersection(circle):
            continue
        told.update(circle)
        through = "" if len(circle) == 1 else f" through `{circle[1]}`"
        compiled.problems.error(
            "cyclic-rule",
            f"`{name}` calls itself{through}, and it is not said how deep",
            world.rules[name].name_span,
            labels=(Label(calls[circle[-1]][name].span, "called again here"),),
            help="write `depth 10` below the `game` line, or use a loop",
        )


def _calls(rule: syntax.Rule, rules: dict[str, syntax.Rule]) -> dict[str, syntax.Do]:
    found: dict[str, syntax.Do] = {}
    for s in every(rule.body):
        if isinstance(s, syntax.Do) and not s.effect and not isinstance(s.call, syntax.Dot):
            name = call_name(s.call)
            if name in rules:
                found.setdefault(name, s)
    return found


def _leave_out_ends(calls: Calls) -> None:
    """Drop what cannot be in a circle: rules that call none of those that are left."""
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, called in calls.items():
        for other in called:
            callers[other].append(name)
    left = {name: len(called) for name, called in calls.items()}
    ends = [name for name, count in left.items() if not count]
    for name in ends:
        for caller in callers[name]:
            left[caller] -= 1
            if not left[caller]:
                ends.append(caller)
    for name in ends:
        del calls[name]
    for name, called in calls.items():
        calls[name] = {other: s for other, s in called.items() if other in calls}


def _circle(calls: Calls, start: str) -> list[str]:
    """The shortest way from a rule back to itself; empty where there is none."""
    before: dict[str, str] = {}
    todo = [start]
    for name in todo:
        for called in calls[name]:
            if called == start:
                way = [name]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
            if called not in before:
                before[called] = name
                todo.append(called)
    return []
