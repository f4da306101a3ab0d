"""Small mistakes in rules: a changed condition, number or order.

Only rules are changed: no declarations of components, no displayed words, no types. This module compiles nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias, get_args

import attrs

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import part_names

Sort: TypeAlias = Literal["condition", "number", "order"]
RULES: Final = (
    declared.Rule,
    declared.Value,
    declared.Power,
    declared.Effect,
    declared.OnAction,
    declared.Whenever,
    declared.OnMove,
    declared.Modify,
    declared.Section,
    declared.Score,
    declared.Winner,
)
"""The declarations that are rules."""
SHOWN: Final = "display.game"
"""The files for the display of positions."""
UNREAD: Final = (
    syntax.Text,
    syntax.Say,
    syntax.Log,
    syntax.Show,
    syntax.RangeType,
    syntax.ListType,
    syntax.OptionalType,
    declared.Bound,
    Span,
)
"""Parts that are never changed: words and types."""
OPERATORS: Final = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
REVERSED: Final = {
    "first": "last",
    "last": "first",
    "left": "right",
    "right": "left",
    "top": "bottom",
    "bottom": "top",
    "first_few": "last_few",
    "last_few": "first_few",
}
QUERIES: Final = {
    "largest": "smallest",
    "smallest": "largest",
    "most": "fewest",
    "fewest": "most",
    "any": "all",
    "all": "any",
}


@attrs.frozen
class Place:
    """A part of the text around a change that can be written twice, once with and once without the change."""

    start: int
    end: int
    new: str
    """The part with the change."""
    is_steps: bool
    """Whether it consists of whole steps; otherwise it is an expression."""


@attrs.frozen(order=True)
class Change:
    """A part of a file of rules, and its replacement."""

    file: str
    start: int
    end: int
    new: str
    sort: Sort
    line: int
    is_listing: bool = attrs.field(default=False, eq=False)
    """Whether it only changes the order of the listed options, which is not a rule."""
    places: tuple[Place, ...] = attrs.field(default=(), eq=False, repr=False)
    """From the smallest to the largest."""

    def apply(self, text: str) -> str:
        """The text with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def widen(self, text: str) -> Change:
        """The change, extended to whole lines."""
        start = text.rfind("\n", 0, self.start) + 1
        end = self.end
        if text[end - 1 : end] != "\n":
            end = text.find("\n", end) + 1 or len(text)
        new = text[start : self.start] + self.new + text[self.end : end]
        line = text.count("\n", 0, start) + 1
        return attrs.evolve(self, start=start, end=end, new=new, line=line)


def changes(declarations: Sequence[object]) -> list[Change]:
    """All changes of the rules among some declarations, in the order of the files."""
    found = {
        change
        for one in declarations
        if isinstance(one, RULES) and not one.span.source.name.endswith(SHOWN)
        for change in _inside(one, ())
    }
    return sorted(found)


def draw_changes(every: Sequence[Change], seed: int) -> Iterator[Change]:
    """Changes in random order: one change for each line and kind of change, then a second one."""
    groups: dict[tuple[str, int, Sort], list[Change]] = {}
    for change in every:
        groups.setdefault((change.file, change.line, change.sort), []).append(change)
    chance = random.Random(seed)
    order = sorted(groups)
    chance.shuffle(order)
    while order:
        for key in order:
            change = chance.choice(groups[key])
            groups[key].remove(change)
            if not change.is_listing:
                yield change
        order = [key for key in order if groups[key]]


Around: TypeAlias = tuple[tuple[int, int, bool], ...]
"""The starts and ends of the expressions and blocks of steps around a node, the largest first; with a mark for
steps."""


def _inside(node: Any, around: Around) -> Iterator[Change]:
    """The changes in a node and in all its parts."""
    if isinstance(node, UNREAD) or node is None or isinstance(node, (str, int)):
        return
    if isinstance(node, tuple):
        block: list[Any] = [one for one in node if isinstance(one, _STATEMENTS)]
        if block and len(block) == len(node):
            around = (*around, _lines(block))
            text = block[0].span.source.text
            for change in _exchanges(block):
                yield _with_containers(change, text, (*around, (change.start, change.end, True)))
        for part in node:
            yield from _inside(part, around)
        return
    if isinstance(node, syntax.ChooseOf):
        lines = {arm.span.line for arm in node.arms}
        for change in _inside(node.arms, around):
            is_swapped = change.sort == "order" and change.new.endswith("\n")
            yield attrs.evolve(change, is_listing=is_swapped and change.line in lines)
        yield from _inside(node.quantity, around)
        return
    if isinstance(node, _EXPRESSIONS):
        around = (*around, (node.span.start, node.span.end, False))
    for change in _of(node):
        yield _with_containers(change, _text_of(node), around)
    for name in part_names(type(node)):
        if name not in ("tags", "params", "subject", "prompt", "reason", "type", "bounds"):
            yield from _inside(getattr(node, name), around)


def _text_of(node: Any) -> str:
    """The text of the file of a node."""
    text: str = node.span.source.text
    return text


def _lines(block: Sequence[syntax.Statement]) -> tuple[int, int, bool]:
    """The whole lines of a block."""
    source = block[0].span.source
    start = source.line_start(source.position(block[0].span.start)[0])
    return start, source.line_end(_last_line(tuple(block))) + 1, True


def _with_containers(change: Change, text: str, around: Around) -> Change:
    """The change with at most two expressions and two blocks that contain it."""
    holding = [one for one in reversed(around) if one[0] <= change.start and change.end <= one[1]]
    steps = [one for one in holding if one[2]]
    inner = steps[0] if steps else None
    values = [one for one in holding if not one[2]]
    if inner is not None:
        values = [one for one in values if inner[0] <= one[0] and one[1] <= inner[1]]
    found = dict.fromkeys([*values[:1], *values[-1:], *steps[:1], *steps[1:2], *steps[-1:]])
    places = [
        Place(
            start, end, text[start : change.start] + change.new + text[change.end : end], is_steps
        )
        for start, end, is_steps in found
    ]
    return attrs.evolve(change, places=(*change.places, *places))


def _change(span: Span, start: int, end: int, new: str, sort: Sort) -> Change:
    line, _ = span.source.position(start)
    return Change(span.source.name, start, end, new, sort, line)


def _of(node: object) -> Iterator[Change]:
    """The changes of a node itself."""
    match node:
        case syntax.Number(span, value):
            other = value + 1 if value == 0 or span.start % 2 else value - 1
            yield _change(span, span.start, span.end, str(other), "number")
        case syntax.Binary(span, operator, left, right):
            yield from _operator(span, operator, left.span, right.span)
        case syntax.Unary(span, "not", operand):
            yield _change(span, span.start, span.end, operand.span.text, "condition")
        case syntax.Needs(span):
            yield attrs.evolve(_line(span), places=(_yes(node.condition),))
        case syntax.Key(span, value, lowest):
            new = value.span.text if lowest else f"{value.span.text} lowest"
            yield _change(span, span.start, span.end, new, "order")
        case syntax.Dot(name=name, name_span=place) if name in REVERSED:
            yield _change(place, place.start, place.end, REVERSED[name], "order")
        case syntax.Query(span, word) if word in QUERIES:
            sort: Sort = "condition" if word in ("any", "all") else "order"
            yield _change(span, span.start, span.start + len(word), QUERIES[word], sort)
        case syntax.Call(span, "min" | "max" as name):
            new = "max" if name == "min" else "min"
            yield _change(span, span.start, span.start + 3, new, "number")
        case _:
            pass
    where = getattr(node, "where", None)
    if where is not None:
        before = where.span.source.text[: where.span.start]
        start = re.search(r"\s+where\s+$", before)
        if start is not None:
            change = _change(where.span, start.start(), where.span.end, "", "condition")
            yield attrs.evolve(change, places=(_yes(where),))


def _yes(condition: syntax.Expression) -> Place:
    """A condition is removed, or replaced by `yes`."""
    return Place(condition.span.start, condition.span.end, "yes", is_steps=False)


def _operator(span: Span, operator: str, left: Span, right: Span) -> Iterator[Change]:
    text = span.source.text
    if operator in ("and", "or"):
        for kept in (left, right):
            yield _change(span, span.start, span.end, kept.text, "condition")
        return
    between = text[left.end : right.start]
    other = OPERATORS.get(operator) or {"+": "-", "-": "+"}.get(operator)
    found = re.search(rf"(?<![<>]){re.escape(operator)}(?![=])", between)
    if other is not None and found is not None:
        start = left.end + found.start()
        sort: Sort = "number" if operator in "+-" else "condition"
        yield _change(span, start, start + len(operator), other, sort)


def _line(span: Span) -> Change:
    """A step is removed, with its lines."""
    source = span.source
    first, _ = source.position(span.start)
    last, _ = source.position(span.end)
    start, end = source.line_start(first), source.line_end(last) + 1
    return _change(span, start, end, "", "condition")


_STATEMENTS = get_args(syntax.Statement)
_EXPRESSIONS = get_args(syntax.Expression)


def _exchanges(block: Sequence[syntax.Statement]) -> Iterator[Change]:
    """Two neighbouring steps are exchanged."""
    for one, other in pairwise(block):
        if isinstance(one, UNREAD) or isinstance(other, UNREAD):
            continue
        first, last = one.span, other.span
        source = first.source
        middle = source.line_start(source.position(last.start)[0])
        start = source.line_start(source.position(first.start)[0])
        end = source.line_end(_last_line(other)) + 1
        if source.line_end(_last_line(one)) + 1 <= middle:
            text = source.text
            new = text[middle:end] + text[start:middle]
            yield _change(first, start, end, new, "order")


def _last_line(node: object) -> int:
    """The last line with a part of a node."""
    last = 0
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, Span):
            last = max(last, part.source.position(max(part.start, part.end - 1))[0])
        elif attrs.has(type(part)):
            waiting.append(getattr(part, "span", None))
            waiting.extend(getattr(part, name) for name in part_names(type(part)))
    return last
