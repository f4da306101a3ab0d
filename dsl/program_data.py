"""Converts programs to plain data and back. The data consists of lists of numbers and words, which JSON can store.

Every object of a program is written once, before objects that refer to it: the number of its class,
then the numbers of its parts. Data that is read is not trusted: each part must have the type that
the core IR declares for it. So any data becomes a program, or is rejected. The module is
independent of files.
"""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import define, field

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Source, Span

Data: TypeAlias = dict[str, Any]
Shape: TypeAlias = object
"""The type of a part: its class or, for a tuple, the types of its elements."""

TUPLE, NUMBERS, SET, SPAN = range(4)
"""The numbers of types that are not classes of the core IR: tuples of parts, tuples of numbers, sets, places."""
CLASSES: Sequence[type] = tuple(
    found for found in vars(ir).values() if isinstance(found, type) and attrs.has(found)
)
FIRST = SPAN + 1
FEW = 4
"""In a tuple with at most this many parts, each part has its own type."""
_FOUND_BY = {found: number for number, found in enumerate(CLASSES, FIRST)}
_PARTS = {
    found: tuple(one.name for one in attrs.fields(found)) for found in CLASSES if found is not Span
}
_WORDS = frozenset((int, str, bool, type(None)))


def _parts_of(names: tuple[str, ...]) -> Callable[[object], Iterable[object]]:
    """Return a function that returns the given parts of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: [getattr(value, name) for name in names]


_INSIDE = {found: _parts_of(names) for found, names in _PARTS.items()}


class NoProgram(Exception):
    """Raised for data that is not a program."""


# ---- to data ----------------------------------------------------------------------------------------


def data_of(program: ir.Program, sources: dict[Source, int]) -> Data:
    """Return a program as data.

    `sources` gives a number to each text that contains places of the program. Texts that are
    missing in `sources` are added.
    """
    writer = _Writer(sources)
    whole = writer.number(program)
    return {"words": writer.words, "parts": writer.parts, "whole": whole}


def fingerprint(program: ir.Program) -> str:
    """Return a hash that is equal for programs with the same behaviour and the same words, wherever their files are."""
    writer = _PlacelessWriter({})
    whole = writer.number(program)
    data = json.dumps([writer.words, writer.parts, whole], separators=(",", ":"))
    return hashlib.sha256(data.encode()).hexdigest()


@define
class _Writer:
    sources: dict[Source, int]
    words: list[int | str | bool | None] = field(factory=list)
    parts: list[list[int]] = field(factory=list)
    _of_words: dict[tuple[type, object], int] = field(factory=dict)
    _of_parts: dict[tuple[int, ...], int] = field(factory=dict)
    _known: dict[int, int] = field(factory=dict)

    def number(self, value: object) -> int:
        """Return the number that stands for a value: n for word n, and -1 - n for part n."""
        kind = value.__class__
        if kind in _WORDS:
            known = self._of_words.get((kind, value))
            if known is None:
                known = self._of_words[kind, value] = len(self.words)
                self.words.append(value)  # type: ignore[arg-type]  # it is of one of these classes
            return known
        known = self._known.get(id(value))
        if known is None:
            row = self._row(value)
            found = self._of_parts.get(row)
            if found is None:
                found = self._of_parts[row] = len(self.parts)
                self.parts.append([*row])
            # No part of a program is freed in the meantime, so the number remains the number of
            # this value.
            known = self._known[id(value)] = -1 - found
        return known

    def _row(self, value: object) -> tuple[int, ...]:
        match value:
            case tuple():
                if value and all(part.__class__ is int for part in value):
                    return (NUMBERS, *value)
                return (TUPLE, *map(self.number, value))
            case frozenset():
                return (SET, *map(self.number, sorted(value)))
            case Span(source, start, end):
                return SPAN, self.sources.setdefault(source, len(self.sources)), start, end
            case _:
                kind = value.__class__
                return _FOUND_BY[kind], *map(self.number, _INSIDE[kind](value))


@define
class _PlacelessWriter(_Writer):
    """Writes programs without their places.

    The names of procedures are left out, because some of them contain a line number.
    """

    def _row(self, value: object) -> tuple[int, ...]:
        match value:
            case Span():
                return (SPAN,)
            case ir.Plain() | ir.Suspending():
                return super()._row(attrs.evolve(value, name=""))
            case _:
                return super()._row(value)


# ---- from data --------------------------------------------------------------------------------------


def program_of(data: Data, sources: Sequence[Source]) -> ir.Program:
    """Return the program in the data; raise `NoProgram` if the data contains none."""
    try:
        return _read_program(data, sources)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise NoProgram(str(error)) from None


def _read_program(data: Data, sources: Sequence[Source]) -> ir.Program:
    words: list[Any] = data["words"]
    parts: list[Any] = []
    shapes: list[Shape] = []
    word_shapes: list[Shape] = [type(word) for word in words]
    if not set(word_shapes) <= {int, str, bool, type(None)}:
        raise NoProgram("a word is a number, a text or nothing")
    allowed: set[tuple[int, int, Shape]] = set()
    strict = _strict()
    for row in data["parts"]:
        kind = row[0]
        if kind == NUMBERS:
            found: Any = tuple(row[1:])
            shape: Shape = _of_numbers(len(found))
            if set(map(type, found)) != {int}:
                raise NoProgram("a list of numbers holds something else")
        elif kind == SPAN:
            _, source, start, end = row
            found, shape = Span(sources[source], start, end), Span
            if not (type(start) is type(end) is int):
                raise NoProgram("numbers say a place")
        else:
            inside = [words[n] if n >= 0 else parts[-1 - n] for n in row[1:]]
            inside_shapes = [word_shapes[n] if n >= 0 else shapes[-1 - n] for n in row[1:]]
            if kind == TUPLE:
                found, shape = tuple(inside), tuple(inside_shapes)
                if len(shape) > FEW:
                    shape = (..., frozenset(shape))
            elif kind == SET:
                found, shape = frozenset(inside), (frozenset, frozenset(inside_shapes))
            else:
                made = CLASSES[kind - FIRST]
                for at, its in enumerate(inside_shapes):
                    if (kind, at, its) not in allowed:
                        if not _fits(_hints(made)[at], its):
                            raise NoProgram(f"part {at} of {made.__name__} is something else")
                        allowed.add((kind, at, its))
                for at, choices in strict.get(made, ()):
                    if inside[at] not in choices:
                        raise NoProgram(f"`{inside[at]}` is not a word of {made.__name__}")
                found, shape = made(*inside), made
        parts.append(found)
        shapes.append(shape)
    whole = parts[-1 - data["whole"]]
    if not isinstance(whole, ir.Program):
        raise NoProgram("this is part of a program")
    return whole


@cache
def _of_numbers(length: int) -> Shape:
    return (int,) * length if length <= FEW else (..., frozenset((int,)))


@cache
def _hints(kind: type) -> tuple[object, ...]:
    """Return the types of the parts of a class."""
    found = get_type_hints(kind)
    return tuple(found[name] for name in _PARTS[kind])


@cache
def _strict() -> dict[type, list[tuple[int, tuple[object, ...]]]]:
    """Return the classes with parts that must be one of a few words. For each class, the result
    contains the indices of these parts and the words.
    """
    found: dict[type, list[tuple[int, tuple[object, ...]]]] = {}
    for kind in _PARTS:
        for at, hint in enumerate(_hints(kind)):
            if get_origin(hint) is Literal:
                found.setdefault(kind, []).append((at, get_args(hint)))
    return found


def _fits(hint: Any, shape: Shape) -> bool:
    """Return whether a part of this type is allowed where `hint` is declared."""
    origin, choices = get_origin(hint), get_args(hint)
    if origin is Union or isinstance(hint, types.UnionType):
        return any(_fits(choice, shape) for choice in choices)
    if hint is object:
        return True
    if origin is Literal:  # the words of a `Literal` are compared
        return shape is str
    if origin is frozenset:
        return (
            isinstance(shape, tuple)
            and shape[:1] == (frozenset,)
            and _all_fit(choices[0], shape[1])
        )
    if origin is tuple:
        if not isinstance(shape, tuple) or shape[:1] == (frozenset,):
            return False
        if choices[-1] is ...:
            inside = shape[1] if shape[:1] == (...,) else shape
            return _all_fit(choices[0], inside)
        return len(shape) == len(choices) and all(map(_fits, choices, shape))
    if hint is int:
        return shape is int or shape is bool
    return hint is shape or (hint is None and shape is type(None))


def _all_fit(hint: Any, shapes: Any) -> bool:
    return all(_fits(hint, shape) for shape in shapes)
