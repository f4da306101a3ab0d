"""Lowers the names of seats, and the names of the rows of kinds, pieces and spaces. Also suggests
corrections for unknown names.
"""

from __future__ import annotations

from typing import Final

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, write
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit import value_help
from rulewright.dsl.lowering.emit.builtins import ATTRIBUTES
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed
from rulewright.dsl.model import types
from rulewright.dsl.model.types import PLAYER, Type, are_comparable, item_of, list_of
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import syntax


def row_named(env: Env, name: str, expect: Type | None) -> Typed | None:
    """Return the row or the seat with this name; None if there is none. If several rows have the
    name, the expected type selects one.
    """
    candidates = env.c.model.row_names.get(name)
    if not candidates:
        return None
    if expect is not None and expect.is_thing:
        for type, ids in candidates:
            if _may_be(type, expect):
                return _row_value(type, ids)
        if isinstance(expect, types.Action):
            return None
    elif expect is not None and isinstance(expect, types.Several):
        return (
            row_named(env, name, item_of(expect))
            if expect.of.is_thing
            else _row_value(*candidates[0])
        )
    return _row_value(*candidates[0])


def places_named(env: Env, name: str, expect: Type | None) -> list[str]:
    """Return the cells, corners and edges to which a name may refer, written as `Cell(1, 1)`."""
    of = (expect and item_of(expect)) or expect
    found: list[str] = []
    for type, ids in env.c.model.row_names.get(name, ()):
        kind = env.c.model.thing(type.names[0]) if isinstance(type, types.Space) else None
        if kind is not None and kind.places and ids and (of is None or _may_be(type, of)):
            x, y = kind.places[ids[0] - kind.first]
            found.append(f"{kind.name}({x}, {y})")
    return found


def _may_be(type: Type, expect: Type) -> bool:
    """Return whether a row with the type `type` can be used where a value of the expected type is needed."""
    return are_comparable(type, expect) and (
        not expect.names or bool(set(type.names) & set(expect.names))
    )


def is_all_of(c: Compiler, name: str, type: Type) -> bool:
    """Return whether all things of a type are copies of one row, which has this name."""
    return {name} == {row for kind in c.model.kinds_of(type) for row in kind.rows}


def _row_value(type: Type, ids: tuple[int, ...]) -> Typed:
    if len(ids) == 1:
        return Typed(type, ir.Const(ids[0]))
    return Typed(list_of(type, len(ids)), ir.Const(ids), ids=ids)


def record_reference(c: Compiler, span: Span, name: str, row: Typed) -> None:
    """Record that a word in the text is the name of a row or of a seat."""
    model = c.model
    type = (item_of(row.type) if row.ids is not None else None) or row.type
    if isinstance(type, types.Player):
        model.facts.refers(span, "seat", name, model.first_declared.get(f"noun {name}"))
        return
    if isinstance(type, types.Action):
        rule = model.rules.get(name)
        model.facts.refers(span, "action", name, rule.name_span if rule is not None else None)
        return
    # all others: they are rows of kinds, or values of options
    first = row.ids[0] if row.ids else row.constant
    kinds = model.kinds_of(type)
    if first is not None and any(kind.name_of(first) is not None for kind in kinds):
        model.refers_to_row(span, type, first)
        return
    option = type.names[0] if type.names else ""
    if option in model.options:
        model.refers_to_value_of_option(span, option, name)
    else:
        model.facts.refers(span, "built-in", name, None)


def owners_of(env: Env, name: str) -> list[str]:
    """Return the kinds of things (and `player`) that have an attribute with this name."""
    model = env.c.model
    found = [f.owner.name for f in env.c.layout.groups if f.name == name and f.owner.name]
    if name in model.subject_values:
        found.append("thing")
    kinds = (*model.kinds.items(), *model.pieces.items(), *model.spaces.items())
    found.extend(kind for kind, thing in kinds if name in thing.columns)
    found.extend(tag for tag, known in ATTRIBUTES if known == name)
    return found


def local_help(env: Env, name: str) -> Help:
    """Return help for a condition such as `where color is red`, in which an attribute lacks the
    local name of its thing.
    """
    for known, one in reversed(env.scope.items()):
        if known.isidentifier() and known != "me" and has_attribute(env, one.type, name):
            return write(f"{known}.{name}")
    return write(f"me.{name}") if "me" in env.scope and has_attribute(env, PLAYER, name) else ""


def has_attribute(env: Env, type: Type, name: str) -> bool:
    """Return whether every thing of a type has an attribute with this name."""
    model = env.c.model
    if not type.is_thing:
        return False
    if isinstance(type, types.Player) and (
        name in model.player_states or name in model.player_zones
    ):
        return True
    kinds = [model.thing(kind_name) for kind_name in type.names]
    if kinds and all(kind is not None and value_help.has_own(kind, name) for kind in kinds):
        return True
    kind_name = "Player" if isinstance(type, types.Player) else type.names[0] if type.names else ""
    if any(
        value.subject is not None
        and isinstance(value.subject.type, syntax.NamedType)
        and value.subject.type.name == kind_name
        for value in model.subject_values.get(name, ())
    ):
        return True
    return (type.word, name) in _ASKED_ALONE


_ASKED_ALONE: Final = frozenset((("player", "total"), ("space", "neighbors"), ("piece", "owner")))
"""The built-in attributes whose names authors seldom use for anything else."""


def count_help(env: Env, of: Type, text: str, name: str) -> Help:
    """Return help for `hand.knight` or `hand.count(red)`, which ask for the number of members with
    a name or an attribute.
    """
    model = env.c.model
    for type, _ in model.row_names.get(name, ()):
        if are_comparable(type, of) and set(type.names) & set(of.names):
            return write(f"count(x in {text} where x is {name})")
        kinds = model.kinds_of(of)
        for column, info in kinds[0].columns.items() if kinds else ():
            if are_comparable(info.type, type) and set(info.type.names) & set(type.names):
                return write(f"count(x in {text} where x.{column} is {name})")
    return ""


def links_help(env: Env, type: Type, text: str, name: str) -> Help:
    """Return help for `city.roads`, which asks for the links at a space."""
    for link in env.c.model.spaces.values():
        own = snake(link.name)
        if link.joins is None or name not in (own, f"{own}s", *_LINKS):
            continue
        one, other = link.joins
        kind_names = {
            kind_name
            for end in link.joins
            if end in link.columns
            for kind_name in link.columns[end].type.names
        }
        if kind_names & set(type.names):
            return write(f"list(x in {link.name} where {text} in (x.{one}, x.{other}))")
    return ""


_LINKS: Final = frozenset(
    ("links", "edges", "connections", "roads", "routes", "paths", "tracks", "ways", "lines")
)


def link_ends_help(env: Env, value: Type, link: Type, left: str, right: str) -> Help:
    """Return help for `city in road`, which asks whether a space is one of the ends of a link."""
    kind = env.c.model.spaces.get(link.names[0]) if len(link.names) == 1 else None
    if kind is None or kind.joins is None or not isinstance(value, types.Space):
        return ""
    return write(f"{left} in ({right}.{kind.joins[0]}, {right}.{kind.joins[1]})")


def never_nothing_help(env: Env, e: syntax.Expression, type: Type) -> str:
    """Return help for code that compares a state that is never nothing with `nothing`.

    The help changes the declaration of the state.
    """
    if type.opt or not type.is_thing or not isinstance(e, (syntax.Word, syntax.Dot)):
        return ""
    if isinstance(e, syntax.Word) and e.name in env.scope:
        return ""
    groups = [f for f in env.c.layout.groups if f.name == e.name]
    if not groups or any(f.what != "state" or f.type.opt for f in groups):
        return ""
    return f"allow that in its type: `state {e.name}: {value_help.type_text(type)} or nothing`"
