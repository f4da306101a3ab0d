"""Finds rules that call themselves, directly or through others, in a game that does not say how deep.

Goes by what may be called: rules and actions by their names, any effect behind `do effect of`, any action that a
variable may hold, and what stands before, after or instead of them. What `whenever` sets off is not followed.
"""

from __future__ import annotations

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.lowering.workshop.analysis import Analysis, Body, Calls
from rulewright.dsl.problems.diagnostics import Label
from rulewright.dsl.problems.source import Span
from rulewright.dsl.tree import declared


def check_recursion(compiled: Compiled) -> None:
    """Report each circle of rules once, at its first rule."""
    analysis = compiled.analysis
    if "depth" in compiled.world.settings:
        return
    calls = analysis.endless_calls()
    told: set[str] = set()
    for key in calls:
        circle = _circle(calls, key)
        if not circle or told.intersection(circle):
            continue
        told.update(circle)
        through = "" if len(circle) == 1 else f" through {_shown(analysis, circle[1])}"
        compiled.problems.error(
            "cyclic-rule",
            f"{_shown(analysis, key)} calls itself{through}, and it is not said how deep",
            _place(analysis.bodies[key]),
            labels=(Label(calls[circle[-1]][key], "called again here"),),
            help="write `depth 10` below the `game` line, or use a loop",
        )


def _shown(analysis: Analysis, key: str) -> str:
    match analysis.bodies[key].node:
        case declared.Rule(name=name):
            return f"`{name}`"
        case declared.Effect(name=name):
            return f"the effect `{name}`"
        case declared.OnAction(when=when, pattern=pattern):
            return f"`{when} {pattern.name}`"
        case _:
            return f"`{key}`"


def _place(body: Body) -> Span:
    match body.node:
        case declared.Rule(name_span=span) | declared.Effect(name_span=span):
            return span
        case declared.OnAction(pattern=pattern):
            return pattern.span
        case node:
            raise TypeError(f"{node} is called by nothing")


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
