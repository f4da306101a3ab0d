"""Where the rules say `openly`: the steps that may tell what follows from it.

Goes by steps: a condition stands for its blocks with all that they call, a name for the body in which it is made.
Refuses to know what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.lowering.workshop.analysis import Analysis
from rulewright.dsl.problems.source import Span
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, every, walk


def told_openly(a: Analysis) -> tuple[Span, ...]:
    """The places of all steps that may tell what is said `openly`."""
    found: dict[Span, None] = {}
    called: list[str] = []
    for body in a.bodies.values():
        if not any(map(_says_openly, walk(body.statements))):
            continue
        for s in every(body.statements):
            if not any(map(_says_openly, walk(_itself(s)))):
                continue
            around = body.statements if isinstance(s, syntax.Let | syntax.SetTo) else (s,)
            for each in every(around):
                found.update(dict.fromkeys(_places(each)))
                if isinstance(each, syntax.Do):
                    called += a.callees(each)
    met: set[str] = set()
    while called:
        key = called.pop()
        if key in met or key not in a.bodies:
            continue
        met.add(key)
        for s in every(a.bodies[key].statements):
            found.update(dict.fromkeys(_places(s)))
            if isinstance(s, syntax.Do):
                called += a.callees(s)
    return tuple(found)


def _says_openly(part: object) -> bool:
    return isinstance(part, syntax.Call) and part.name == "openly"


def _itself(s: syntax.Statement) -> list[object]:
    """What stands in a step, the steps of its blocks aside."""
    inside = {id(block) for block in blocks_of(s)}
    if isinstance(s, syntax.If):
        return [condition for condition, _ in s.cases]
    if isinstance(s, syntax.ChooseOf):
        arms = [arm for arm in s.arms if isinstance(arm, syntax.OptionArm)]
        return [part for arm in arms for part in (arm.text, arm.binder, arm.where)]
    if isinstance(s, syntax.Surely):
        return []
    names = getattr(type(s), "__slots__", ())
    parts = [getattr(s, name) for name in names if name not in ("span", "tags", "__weakref__")]
    return [part for part in parts if id(part) not in inside]


def _places(s: syntax.Statement) -> Iterator[Span]:
    yield s.span
    if isinstance(s, syntax.ChooseOf):
        yield from (arm.span for arm in s.arms)
