"""Rejects arguments of the wrong type, by the annotations of the function that failed because of them.

A call that succeeds is not checked, so it costs almost nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from functools import wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from rulewright.interpreter.text.errors import RequestError, WrongArgumentError

P = ParamSpec("P")
R = TypeVar("R")
_LONGEST: Final = 40
_FAILURES: Final = (TypeError, AttributeError, LookupError, ValueError, ArithmeticError)
_WORDS: Final[dict[object, str]] = {
    str: "a text",
    Path: "a path",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    bytes: "bytes",
    NoneType: "None",
    Callable: "a function",
    Iterable: "several values",
    Sequence: "a sequence",
    MutableSequence: "an array",
    Mapping: "a mapping",
}


def refuses_wrong_kinds(function: Callable[P, R]) -> Callable[P, R]:
    """Make a function raise a `WrongArgumentError` if an argument has the wrong type.

    >>> @refuses_wrong_kinds
    ... def half(number: int) -> int:
    ...     return number // 2
    >>> half("x")
    Traceback (most recent call last):
    rulewright.interpreter.text.errors.WrongArgumentError: `number` is a whole number, not 'x'
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RequestError:
            raise
        except _FAILURES as failure:
            wrong = _wrong_argument(function, args, kwargs)
            if wrong is None:
                raise
            raise WrongArgumentError(wrong) from failure

    return call


def _wrong_argument(
    function: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> str | None:
    """Describe the first argument that does not fit its annotation, or return None."""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        return None  # Python's own message names the parameter that is missing or unknown
    kinds = get_type_hints(
        function, localns={"array": MutableSequence}
    )  # `array[int]` exists only for type checkers
    for name, value in given.items():
        kind = kinds.get(name, Any)
        if not _fits(value, kind):
            said = repr(value)
            short = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
            return f"`{name}` is {_describe(kind)}, not {short}"
    return None


def _fits(value: object, kind: Any) -> bool:
    """Return whether a value has a type. In collections, only the items of lists and tuples are checked."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is None:
        return value is None
    if kind is Any or isinstance(kind, TypeVar):
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is Callable:
        return callable(value)
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    if not isinstance(value, origin or kind):
        return False
    if isinstance(value, str | bytes):
        return origin is None
    if isinstance(value, list | tuple) and origin is not tuple and inner:
        return all(_fits(one, inner[0]) for one in value)
    return True


def _describe(kind: Any) -> str:
    """Describe a type in words."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(_describe(one) for one in inner)
    if origin is Literal:
        return " or ".join(map(repr, inner))
    known = _WORDS.get(origin or kind)
    return known or f"a {getattr(origin or kind, '__name__', kind)}"
