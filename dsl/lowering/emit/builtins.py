"""Registers the built-ins under the names by which they are called. The module is independent of
individual built-ins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax

AttributeWork = Callable[[Env, Typed, syntax.Dot], Typed]
FunctionWork = Callable[[Env, syntax.Call], Typed]
OfTypeWork = Callable[[Env, syntax.Dot], Typed]


@frozen
class Attribute:
    """An attribute of a thing: `thing.name` or `thing.name(...)`."""

    form: str
    work: AttributeWork
    about: str


@frozen
class Function:
    """A function: `name(...)`."""

    form: str
    work: FunctionWork
    about: str


@frozen
class OfType:
    """A function of a whole kind: `Kind.name(...)`."""

    form: str
    work: OfTypeWork
    about: str


ATTRIBUTES: dict[tuple[str, str], Attribute] = {}
FUNCTIONS: dict[str, Function] = {}
OF_TYPES: dict[str, OfType] = {}


def arguments_of(e: syntax.Dot) -> tuple[syntax.Expression, ...]:
    """Return the arguments in brackets after a dotted name; an empty tuple if there are no brackets."""
    return e.arguments or ()


def attribute(tags: str, *forms: str) -> Callable[[AttributeWork], AttributeWork]:
    """Register an attribute under the names of its forms. `tags` is a blank-separated list of the
    types that have the attribute.
    """

    def register(work: AttributeWork) -> AttributeWork:
        for form in forms:
            name = form.partition("(")[0]
            count = _argument_count(form)

            def lower_checked(
                env: Env, subject: Typed, e: syntax.Dot, *, form: str = form, count: int = count
            ) -> Typed:
                if len(e.arguments or ()) != count and "[" not in form:
                    env.c.problems.error(
                        "wrong-arguments",
                        f"write `{form}`",
                        e.span,
                        at=f"{len(e.arguments or ())} in brackets",
                    )
                    return BAD
                return work(env, subject, e)

            for tag in tags.split():
                ATTRIBUTES[tag, name] = Attribute(
                    f"{tag}.{form}", lower_checked, work.__doc__ or ""
                )
        return work

    return register


def function(form: str) -> Callable[[FunctionWork], FunctionWork]:
    """Register a function under the name in its form."""

    def register(work: FunctionWork) -> FunctionWork:
        name = form.partition("(")[0]
        count = _argument_count(form)

        def lower_checked(env: Env, e: syntax.Call) -> Typed:
            if ("..." not in form and len(e.arguments) != count) or not e.arguments:
                env.c.problems.error(
                    "wrong-arguments",
                    f"write `{form}`",
                    e.span,
                    at=f"{len(e.arguments)} in brackets",
                )
                return BAD
            return work(env, e)

        FUNCTIONS[name] = Function(form, lower_checked, work.__doc__ or "")
        return work

    return register


def of_type(form: str) -> Callable[[OfTypeWork], OfTypeWork]:
    """Register a built-in of a whole kind under the name in its form."""

    def register(work: OfTypeWork) -> OfTypeWork:
        OF_TYPES[form.partition("(")[0].partition(".")[2]] = OfType(form, work, work.__doc__ or "")
        return work

    return register


def _argument_count(form: str) -> int:
    inside = form.partition("(")[2].rstrip(")")
    return len([part for part in inside.split(",") if part.strip()])


# ---- look-ups ----


def look_up_attribute(env: Env, subject: Typed, e: syntax.Dot) -> Typed | None:
    """Lower a built-in attribute; return None if there is no attribute with this name."""
    found = ATTRIBUTES.get((subject.type.word, e.name))
    if found is None:
        return None
    return found.work(env, subject, e)


def look_up_of_type(env: Env, e: syntax.Dot) -> Typed | None:
    """Lower a built-in attribute of a whole kind, such as `Cell.lines(4)`; return None if there is none."""
    found = OF_TYPES.get(e.name)
    return None if found is None else found.work(env, e)


def look_up_function(env: Env, e: syntax.Call) -> Typed | None:
    """Lower a built-in function; return None if there is no function with this name."""
    found = FUNCTIONS.get(e.name)
    return None if found is None else found.work(env, e)


def attribute_names(type: Type) -> Iterator[str]:
    """Return the names of the built-in attributes of a type."""
    return (name for tag, name in ATTRIBUTES if tag == type.word)


def function_names() -> list[str]:
    """Return the names of all built-in functions."""
    return list(FUNCTIONS)
