"""What the language knows by itself: attributes of things and lists, and functions of numbers.

One function a built-in, in the module of its topic, registered with the words that call it; the
docstring holds an example.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.dsl.builtins import lists, numbers, pieces, players, spaces
from rulewright.dsl.builtins.registry import ATTRIBUTES, FUNCTIONS, OF_TYPES
from rulewright.dsl.lowering.workshop.core import Env, Typed
from rulewright.dsl.tree import syntax
from rulewright.dsl.world.typesystem import Type

TOPICS = (lists, numbers, pieces, players, spaces)


def attribute(env: Env, subject: Typed, e: syntax.Dot, expect: Type | None) -> Typed | None:
    """A built-in attribute, or None where there is none of that name."""
    found = ATTRIBUTES.get((subject.type.tag, e.name))
    if found is None:
        return None
    return found.work(env, subject, e)


def of_type(env: Env, e: syntax.Dot) -> Typed | None:
    """A built-in asked of a whole kind: `Cell.lines(4)`."""
    found = OF_TYPES.get(e.name)
    return None if found is None else found.work(env, e)


def function(env: Env, e: syntax.Call, expect: Type | None) -> Typed | None:
    """A built-in function, or None where there is none of that name."""
    found = FUNCTIONS.get(e.name)
    return None if found is None else found.work(env, e)


def names(type: Type) -> Iterator[str]:
    """The built-in attributes of a type."""
    return (name for tag, name in ATTRIBUTES if tag == type.tag)


def function_names() -> list[str]:
    """All built-in functions."""
    return list(FUNCTIONS)
