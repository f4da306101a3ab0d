"""Rows by their names: of a kind, a piece, a space, a seat."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.lowering.workshop.builtins import ATTRIBUTES
from rulewright.dsl.lowering.workshop.core import Compiler, Env, Typed
from rulewright.dsl.problems.source import Span
from rulewright.dsl.world.typesystem import Type, list_of


def row_named(env: Env, name: str, expect: Type | None) -> Typed | None:
    """A row of a kind, a piece, a space, a seat by its name; `expect` decides between several."""
    candidates = env.c.world.row_names.get(name)
    if not candidates:
        return None
    if expect is not None and expect.is_thing:
        for type, ids in candidates:
            if type.tag == expect.tag and (not expect.names or set(type.names) & set(expect.names)):
                return _row(type, ids)
        if expect.tag == "action":
            return None
    elif expect is not None and expect.of is not None:
        return row_named(env, name, expect.of) if expect.of.is_thing else _row(*candidates[0])
    return _row(*candidates[0])


def _row(type: Type, ids: tuple[int, ...]) -> Typed:
    if len(ids) == 1:
        return Typed(type, ir.Const(ids[0]))
    return Typed(list_of(type, len(ids)), ir.Const(ids), ids=ids)


def refers(c: Compiler, span: Span, name: str, row: Typed) -> None:
    """Note that a word in the text is the name of a row, or of a seat."""
    world = c.world
    type = row.type.of if row.ids is not None and row.type.of is not None else row.type
    if type.tag == "player":
        world.facts.refers(span, "seat", name, world.first_declared.get(f"noun {name}"))
        return
    if type.tag == "action":
        rule = world.rules.get(name)
        world.facts.refers(span, "action", name, rule.name_span if rule is not None else None)
        return
    first = row.ids[0] if row.ids else row.constant
    if first is not None and any(
        first in kind.ids for kind in map(world.thing, type.names) if kind
    ):
        world.refers_to_row(span, type, first)
        return
    option = type.names[0] if type.names else ""
    if option in world.options:
        world.refers_to_value_of_option(span, option, name)
    else:
        world.facts.refers(span, "built-in", name, None)


def owners_of(env: Env, name: str) -> list[str]:
    """The sorts of things (and `player`) that have something of this name."""
    world = env.c.world
    found = [f.owner.name for f in env.c.layout.families if f.name == name and f.owner.name]
    if name in world.subject_values:
        found.append("thing")
    kinds = (*world.kinds.items(), *world.pieces.items(), *world.spaces.items())
    found.extend(kind for kind, thing in kinds if name in thing.columns)
    found.extend(tag for tag, known in ATTRIBUTES if known == name)
    return found
