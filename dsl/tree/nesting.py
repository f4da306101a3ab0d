"""Find the parts of syntax nodes: all parts of a node, the blocks of a statement, the name of a call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeAlias, assert_never

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.tree import syntax


def walk(node: object) -> Iterator[object]:
    """Yield a node of the syntax tree and all nodes inside it."""
    stack = [node]
    pop, extend, known = stack.pop, stack.extend, _INSIDE
    while stack:
        part = pop()
        kind = part.__class__
        if kind is tuple or kind is list:
            extend(part)  # type: ignore[arg-type]  # as was tested above
            continue
        inside = known.get(kind, _NOT_MET)
        if inside is _NOT_MET:
            inside = known[kind] = _inside(kind)
        if inside is not None:
            yield part
            extend(inside(part))


def rewrite(part: object, change: Callable[[object], object | None]) -> object:
    """Return a copy of a node with some parts replaced. `change` returns the replacement for a
    part, or None to search inside the part.
    """
    found = change(part)
    if found is not None:
        return found
    if isinstance(part, tuple):
        parts = tuple(rewrite(one, change) for one in part)
        return part if all(a is b for a, b in zip(parts, part, strict=True)) else parts
    changes = {
        name: new
        for name in fields_of(part.__class__)
        if (new := rewrite(old := getattr(part, name), change)) is not old
    }
    return evolve(part, **changes) if changes else part  # type: ignore[misc]  # a node


Inside: TypeAlias = Callable[[object], Iterable[object]]
_FIELDS: dict[type, tuple[str, ...]] = {}
_PARTS: dict[type, tuple[str, ...]] = {}
_INSIDE: dict[type, Inside | None] = {}
"""For each class of nodes, a function that returns the parts that may contain nodes; None for other classes."""
_WORDS = re.compile(
    r"(Span|str|int|bool|Operator|QueryWord|Literal\[.*\])( \| None)?|tuple\[str, \.\.\.\]"
)
"""The types of parts that contain no nodes, as they are written."""


def _not_met(node: object) -> Iterable[object]:
    raise AssertionError(node)  # marks a class that has not been seen yet


_NOT_MET: Inside = _not_met


def _inside(kind: type) -> Inside | None:
    """Return a function that returns the parts that may contain nodes. A tree walk spends most of its time
    in such functions.
    """
    if not fields_of(kind):
        return None
    names = part_names(kind)
    if not names:
        return lambda _: ()
    if len(names) == 1:
        name = names[0]
        return lambda node: (getattr(node, name),)
    return attrgetter(*names)


def parts_of(node: object) -> Iterable[object]:
    """Return, in order, those parts of a node that may themselves contain nodes; for any other
    object, return nothing.
    """
    kind = node.__class__
    if kind not in _INSIDE:
        _INSIDE[kind] = _inside(kind)
    inside = _INSIDE[kind]
    return () if inside is None else inside(node)


def part_names(kind: type) -> tuple[str, ...]:
    """For a class of nodes, return the names of the fields that may contain nodes; for any other
    class, return nothing.
    """
    names = _PARTS.get(kind)
    if names is None:
        fields = attrs.fields(kind) if fields_of(kind) else ()
        names = _PARTS[kind] = tuple(
            one.name
            for one in fields
            if not (isinstance(one.type, str) and _WORDS.fullmatch(one.type))
        )
    return names


def fields_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class of nodes; for any other class, return nothing."""
    names = _FIELDS.get(kind)
    if names is None:
        fields = () if kind is Span else getattr(kind, "__attrs_attrs__", ())
        names = _FIELDS[kind] = tuple(field.name for field in fields)
    return names


def call_name(e: syntax.Expression) -> str:
    """Return the name after `do`, or "" if there is none."""
    match e:
        case syntax.Word() | syntax.Call() | syntax.Dot():
            return e.name
        case syntax.WrittenValue() | syntax.Operation():
            return ""


def name_span(written: syntax.Expression) -> Span:
    """Return the place of the name after `do`, or of the name of a value."""
    if isinstance(written, syntax.Dot):
        return written.name_span
    span = written.span
    return Span(span.source, span.start, span.start + len(call_name(written)))


Blocks: TypeAlias = Callable[[Any], Sequence[syntax.Block]]
_BLOCKS: dict[type, Blocks] = {}
"""For each class of statements seen so far, a function that returns the blocks; it is called very often."""


def blocks_of(s: syntax.Statement) -> Sequence[syntax.Block]:
    """Return the blocks inside a statement."""
    blocks = _BLOCKS.get(s.__class__)
    if blocks is None:
        blocks = _BLOCKS[s.__class__] = _blocks_in(s)
    return blocks(s)


def _body(s: Any) -> Sequence[syntax.Block]:
    return (s.body,)


def _body_and_else(s: Any) -> Sequence[syntax.Block]:
    return (s.body, s.otherwise)


def _cases(s: syntax.If) -> Sequence[syntax.Block]:
    return (*(block for _, block in s.cases), s.otherwise)


def _arms(s: syntax.ChooseOf) -> Sequence[syntax.Block]:
    return [arm.body if isinstance(arm, syntax.OptionArm) else (arm,) for arm in s.arms]


def _step(s: syntax.Surely) -> Sequence[syntax.Block]:
    return ((s.step,),)


def _call(s: syntax.LetDo) -> Sequence[syntax.Block]:
    return ((s.call,),)


def _no_blocks(_: Any) -> Sequence[syntax.Block]:
    return ()


def _blocks_in(s: syntax.Statement) -> Blocks:
    """Return the function that returns the blocks of each statement of a class."""
    match s:
        case syntax.If():
            return _cases
        case syntax.IfPossible():
            return _body_and_else
        case syntax.ChooseOf():
            return _arms
        case syntax.Surely():
            return _step
        case syntax.LetDo():
            return _call
        case (
            syntax.May()
            | syntax.Repeat()
            | syntax.ForEach()
            | syntax.EachPlayer()
            | syntax.AsPlayer()
            | syntax.AtOnce()
            | syntax.Phase()
        ):
            return _body
        case (
            syntax.Let()
            | syntax.Give()
            | syntax.SetTo()
            | syntax.Amount()
            | syntax.Move()
            | syntax.Shuffle()
            | syntax.Reverse()
            | syntax.Sort()
            | syntax.Roll()
            | syntax.Do()
            | syntax.Choose()
            | syntax.Needs()
            | syntax.Say()
            | syntax.Log()
            | syntax.Show()
            | syntax.Limit()
            | syntax.Simple()
            | syntax.Win()
            | syntax.Eliminate()
            | syntax.Keep()
            | syntax.Broken()
        ):
            return _no_blocks
        case _:
            assert_never(s)


def every(statements: Iterable[syntax.Statement]) -> Iterator[syntax.Statement]:
    """Yield all statements, including statements in blocks."""
    for s in statements:
        yield s
        for block in blocks_of(s):
            yield from every(block)
