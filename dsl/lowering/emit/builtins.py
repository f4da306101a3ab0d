"""Registers the built-ins under the names by which they are called. The module is independent of
individual built-ins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Generic, TypeVar

from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax

AttributeWork = Callable[[Env, Typed, syntax.Dot], Typed]
FunctionWork = Callable[[Env, syntax.Call], Typed]
OfTypeWork = Callable[[Env, syntax.Dot], Typed]


Work = TypeVar("Work")


@frozen
class Builtin(Generic[Work]):
    """A built-in with its form, such as `thing.name(...)`, the function that lowers it, and its description."""

    form: str
    work: Work
    about: str


ATTRIBUTES: dict[tuple[str, str], Builtin[AttributeWork]] = {}
"""The attributes of things, keyed by the word of their type and their name."""
FUNCTIONS: dict[str, Builtin[FunctionWork]] = {}
OF_TYPES: dict[str, Builtin[OfTypeWork]] = {}
"""The functions of a whole kind: `Kind.name(...)`."""


def arguments_of(e: syntax.Dot) -> tuple[syntax.Expression, ...]:
    """Return the arguments in brackets after a dotted name; an empty tuple if there are no brackets."""
    return e.arguments or ()


def attribute(tags: str, *forms: str) -> Callable[[AttributeWork], AttributeWork]:
    """Register an attribute under the names of its forms. `tags` is a blank-separated list of the
    types that have the attribute.
    """

    def register(work: AttributeWork) -> AttributeWork:
        for form, tag in product(forms, tags.split()):
            ATTRIBUTES[tag, form.partition("(")[0]] = Builtin(
                f"{tag}.{form}", work, work.__doc__ or ""
            )
        return work

    return register


def function(form: str) -> Callable[[FunctionWork], FunctionWork]:
    """Register a function under the name in its form."""

    def register(work: FunctionWork) -> FunctionWork:
        FUNCTIONS[form.partition("(")[0]] = Builtin(form, work, work.__doc__ or "")
        return work

    return register


def of_type(form: str) -> Callable[[OfTypeWork], OfTypeWork]:
    """Register a built-in of a whole kind under the name in its form."""

    def register(work: OfTypeWork) -> OfTypeWork:
        OF_TYPES[form.partition("(")[0].partition(".")[2]] = Builtin(form, work, work.__doc__ or "")
        return work

    return register


# ---- look-ups ----


def look_up_attribute(env: Env, subject: Typed, e: syntax.Dot) -> Typed | None:
    """Lower a built-in attribute; return None if there is no attribute with this name."""
    found = ATTRIBUTES.get((subject.type.word, e.name))
    if found is None:
        return None
    fits = _has_arguments(env, found.form.partition(".")[2], e)
    return found.work(env, subject, e) if fits else BAD


def look_up_of_type(env: Env, e: syntax.Dot) -> Typed | None:
    """Lower a built-in attribute of a whole kind, such as `Cell.lines(4)`; return None if there is none."""
    found = OF_TYPES.get(e.name)
    return None if found is None else found.work(env, e)


def look_up_function(env: Env, e: syntax.Call) -> Typed | None:
    """Lower a built-in function; return None if there is no function with this name."""
    found = FUNCTIONS.get(e.name)
    if found is None:
        return None
    return found.work(env, e) if _has_arguments(env, found.form, e) else BAD


def _has_arguments(env: Env, form: str, e: syntax.Dot | syntax.Call) -> bool:
    """Return whether a use of a built-in has the arguments of its form. If not, report an error."""
    given = len(e.arguments or ())
    parts = [part for part in form.partition("(")[2].rstrip(")").split(",") if part.strip()]
    if given == len(parts) or "[" in form or ("..." in form and given):
        return True
    problems, at = env.c.problems, f"{given} in brackets"
    problems.error("wrong-arguments", f"write `{form}`", e.span, at=at)
    return False


def attribute_names(type: Type) -> Iterator[str]:
    """Return the names of the built-in attributes of a type."""
    return (name for tag, name in ATTRIBUTES if tag == type.word)
