"""Finds whether rules mention the acting player.

The search uses only names and is independent of types.
"""

from __future__ import annotations

import attrs

from rulewright.dsl.lowering.emit.core import Rules
from rulewright.dsl.lowering.values import values
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, walk


def speaks_of_me(rules: Rules, key: str, seen: set[str] | None = None) -> bool:
    """Return whether a rule needs an acting player when it is called."""
    seen = seen if seen is not None else set()
    if key in seen or key not in rules.a.bodies:
        return False
    seen.add(key)

    def block(body: tuple[syntax.Statement, ...]) -> bool:
        return any(one(s) for s in body)

    def one(s: syntax.Statement) -> bool:
        match s:
            case syntax.EachPlayer():
                return any(_says_me(rules, e) for e in (s.start,) if e is not None)
            case syntax.AsPlayer():
                return _says_me(rules, s.player)
            case syntax.Do():
                return _says_me(rules, s.call) or any(
                    speaks_of_me(rules, k, seen) for k in rules.a.callees(s)
                )
            case syntax.Choose() | syntax.ChooseOf() | syntax.May():
                return True
            case _:  # all others: the result depends on their expressions and blocks
                pass
        inner = blocks_of(s)
        if inner:
            own = [v for k, v in _own_parts(s)]
            return any(_says_me(rules, v) for v in own) or any(block(b) for b in inner)
        return _says_me(rules, s)

    return block(rules.a.bodies[key].statements)


def _own_parts(s: syntax.Statement) -> list[tuple[str, object]]:
    parts: list[tuple[str, object]] = []
    for a in attrs.fields(type(s)):
        value = getattr(s, a.name)
        if a.name in ("body", "otherwise", "arms", "step"):
            continue
        if a.name == "cases" and isinstance(s, syntax.If):
            parts.extend(("case", asked) for asked, _ in s.cases)
            continue
        parts.append((a.name, value))
    return parts


def _says_me(rules: Rules, node: object) -> bool:
    for part in walk(node):
        if isinstance(part, syntax.Word):
            if part.name == "me":
                return True
            value = rules.c.model.values.get(part.name)
            if value is not None and values.needs_me(rules.c, value):
                return True
    return False
