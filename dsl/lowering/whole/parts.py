"""Divides the rules of a variant into parts, each of which is lowered as a unit. A part records its
nodes and the words that occur in them.

A word refers to everything whose name is that word. The module does not compare variants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from typing import TypeAlias

import attrs
from attrs import field

from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.whole.program import Infos
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, walk

Words: TypeAlias = frozenset[str]
HowMany: TypeAlias = Mapping[str, Set[str]]
"""Maps each part to the kinds whose number of things affects the part."""

STORED = (declared.State, declared.Zone)


@frozen
class Part:
    """A unit of lowering. It records its nodes, the words in them, and the names by which other parts refer to it."""

    written: tuple[object, ...]
    words: Words
    names: Words


@frozen
class Variant:
    """A checked variant that is divided into parts, with the facts that a comparison with another variant needs."""

    model: Model
    analysis: Analysis
    parts: dict[str, Part]
    open: dict[str, frozenset[str]]
    calls: Mapping[str, Set[str]]
    """Maps each body to the bodies that its steps call (see `callees_of`)."""
    callers: Mapping[str, Set[str]]
    uses: Mapping[str, object]
    """Maps each body to a value that describes how other bodies reach it."""
    effects: Mapping[str, object]
    """Maps each body to its own effects."""
    overrides: Set[str]
    """The values that at least one call changes."""
    infos: Mapping[str, Infos] = field(factory=dict)
    safe: Mapping[object, object] = field(factory=dict)
    touching: Set[str] = frozenset()
    """The parts that may read or change a secret, directly or through their calls."""
    asked: HowMany = field(factory=dict)
    wrong: Set[str] = frozenset()
    """The parts that contain errors themselves."""


def exposes_definition(part: Part) -> bool:
    """Return whether callers depend on the definition of a value.

    They do if the value is only another name for an attribute, or if it is a sum.
    """
    return any(
        isinstance(one, declared.Value)
        and (
            isinstance(one.value, syntax.Dot)
            or (isinstance(one.value, syntax.Query) and one.value.word == "sum")
        )
        for one in part.written
    )


def has_start(part: Part) -> bool:
    """Return whether a part declares a stored thing, such as a state, that has an initial value."""
    return any(isinstance(one, STORED) and one.start is not None for one in part.written)


def words_but_start(part: Part) -> Words:
    """Return the words of a stored thing except those in its initial value. No other part depends on that value."""
    stored = (one for one in part.written if isinstance(one, STORED))
    return frozenset().union(*(words_of(evolve(one, start=None)) for one in stored))


def is_zone(variant: Variant, key: str) -> bool:
    """Return whether a part of a variant is a zone."""
    return key in variant.parts and any(
        isinstance(part, declared.Zone) for part in variant.parts[key].written
    )


def declaration_key(declaration: declared.State | declared.Zone) -> tuple[object, ...]:
    """Return a key for the declaration of a stored thing. It ignores the initial value.

    Declarations that differ only in their initial values have the same key.
    """
    parts = (*declaration.params, declaration.type, *filter(None, (declaration.seen,)))
    return (declaration.__class__, declaration.name, *(part.span.text for part in parts))


def permissions_in(a: Analysis) -> dict[str, frozenset[str]]:
    """Map each body to the permissions that may be open while the body runs, and to the actions that they permit."""
    found: dict[str, set[str]] = {}
    for n, (anytime, _) in enumerate(a.anytimes):
        inside = {f"rule {word.name}" for word in anytime.during}
        left = list(inside)
        while left:
            body = a.bodies.get(left.pop())
            new = body.calls - inside if body is not None else ()
            inside.update(new)
            left.extend(new)
        # Steps inside `at once` depend on all permissions, no matter where they are open.
        inside.update(key for key, body in a.bodies.items() if body.of(syntax.AtOnce))
        for key in inside:
            found.setdefault(key, set()).update((f"anytime {n}", f"rule {anytime.action}"))
    return {key: frozenset(keys) for key, keys in found.items()}


def depends_on_steps(node: object) -> bool:
    """Return whether a node contains `possible(...)` or `at once`, and so depends on the steps of its callees."""
    return any(isinstance(part, (syntax.Possible, syntax.AtOnce)) for part in walk(node))


def callees_of(a: Analysis, key: str, opened: Mapping[str, Set[str]]) -> Set[str]:
    """Return the keys of the bodies that are called by the steps of a body. Triggers that the steps
    start are not included.
    """
    run = a.direct_effects(key)[1]
    called = {other for other in run if not other.startswith(("trigger", "mover"))}
    return called.union(opened.get(key, ()))


def reach_facts(body: Body) -> tuple[bool, ...]:
    """Return the facts about how a body is reached. They matter only to that body, not to its callers."""
    return (body.tail, body.in_guard, body.outside, body.in_setup, body.reached, body.together)


def call_facts(body: Body) -> tuple[bool, ...]:
    """Return the facts on which callers of a body depend: whether it can suspend, can fail, and has a horizon."""
    return (body.suspends, body.fails, body.horizon)


def head_of(power: declared.Power | None) -> tuple[object, ...]:
    """Return the head of a power. All lines of the power depend on the head."""
    if power is None:
        return ()
    return (_name_node(power.name), power.type, power.place, power.where)


@frozen
class _NameNode:
    """A node that represents a name in a part."""

    name: str


@lru_cache(maxsize=4096)
def _name_node(name: str) -> _NameNode:
    """Return the object for a name; the same name always has the same object.

    Nodes are compared by identity, so a second object would not be equal.
    """
    return _NameNode(name)


def written_of(a: Analysis, body: Body) -> tuple[object, ...]:
    """Return the nodes on which the code of a body depends. They include the head of the power that contains the body.

    For a rule, they also include the heads of its hooks, because the conditions of the hooks are
    tested together with the rule.
    """
    holder: declared.Power | None = None
    match body.node:
        case declared.Rule(name=name) if name in a.hooks:
            heads = ((hook.pattern, hook.where, *head_of(power)) for hook, power in a.hooks[name])
            return (body.node, *(part for head in heads for part in head))
        case declared.OnAction():
            _, name, n = body.key.split(" ")
            holder = a.hooks[name][int(n)][1]
        case declared.OnMove():
            holder = a.move_triggers[int(body.key.split(" ")[1])][1]
        case declared.Whenever():
            holder = a.watchers[int(body.key.split(" ")[1])][1]
        case declared.Rule() | declared.Effect() | declared.Section():
            pass
    return (body.node, *head_of(holder))


def names_of(body: Body) -> Iterable[str]:
    """Return the names by which other parts refer to a body.

    Bodies without such names are found only through calls.
    """
    match body.node:
        case declared.Rule(name=name) | declared.OnAction(pattern=declared.Pattern(name=name)):
            return (f"do {name}",)
        case _:
            return ()


def words_of(node: object) -> Words:
    """Return the names in a node. The result also has `do x` for a name that may be a rule, and
    `.x` for a name after a dot.
    """
    return frozenset(_strings(node))


def _strings(node: object) -> Iterator[str]:
    for part in walk(node):
        match part:
            case syntax.Word(name=name) | syntax.Call(name=name):
                yield name
                yield f"do {name}"
            case syntax.Dot(name=name):
                yield name
                yield f".{name}"
            case syntax.Do(call=call) | syntax.Possible(action=call):
                yield f"do {call_name(call)}"
            case declared.Pattern(name=name) | declared.Anytime(action=name):
                yield f"do {name}"
            case syntax.Limit(per=name):
                yield f"do {name}"
            case syntax.EachPlayer():
                yield "players"
            case syntax.TypeWord(name=name):
                yield name
                if name == "Player":
                    yield "players"
            case (
                syntax.Tag()
                | syntax.Let()
                | syntax.LetDo()
                | syntax.Choose()
                | syntax.Binder()
                | declared.Param()
            ):
                pass  # the name belongs to the part itself
            case declared.Rule() | declared.Value() | declared.State() | declared.Zone():
                pass
            case _:
                for one in attrs.fields(part.__class__):  # type: ignore[arg-type]  # nodes are of attrs
                    value = getattr(part, one.name)
                    if isinstance(value, str):
                        yield value
                    elif isinstance(value, tuple):
                        yield from (word for word in value if isinstance(word, str))
