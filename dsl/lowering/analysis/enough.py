"""Finds the minimum number of members that a choice offers, if its source has a constant size.

The caller supplies the bounds of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import define, field

from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.model.constants import NotConstant, constant
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

Bounds = tuple[int, int] | None
"""The bounds of a number; None if they are unknown, or if the expression is not a number."""
BoundsOf = Callable[[syntax.Expression], Bounds]
Named = syntax.Choose | syntax.Binder | declared.Param
"""A construct that names one of several things."""
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "is not": "is not"}


def least_members(
    model: Model,
    choice: Named,
    where: syntax.Expression | None,
    bounds: BoundsOf,
    eliminates: bool,
) -> int:
    """Return the minimum number of different members that a choice offers.

    Each `is not` excludes at most one member, and each comparison removes one end of a range.
    """
    if choice.type is not None or choice.stretch is not None or choice.source is None:
        return 0
    ends = _certain_range(choice.source, bounds)
    count = None if ends else _constant_count(model, choice.source, eliminates=eliminates)
    if ends is None and count is None:
        return 0
    left_out = 0
    for part in _conditions(where):
        if not isinstance(part, syntax.Binary):
            return 0
        operator: str = part.operator
        other = part.right
        if not _is_word(part.left, choice.name):
            operator, other = _TURNED.get(operator, ""), part.left
            if not _is_word(part.right, choice.name):
                return 0
        if _mentions(other, choice.name):
            return 0
        if operator == "is not":
            left_out += 1
        elif operator == "not in" and isinstance(other, syntax.ListOf):
            left_out += len(other.items)
        else:
            against = bounds(other)
            if ends is None or against is None or operator not in ("<", "<=", ">", ">="):
                return 0
            ends = _trim_range(ends, operator, against)
    if ends is not None:
        count = ends[1] - ends[0] + 1
    return max(0, (count or 0) - left_out)


def _trim_range(ends: tuple[int, int], operator: str, against: tuple[int, int]) -> tuple[int, int]:
    """Return the part of a range that certainly remains after a comparison."""
    low, high = ends
    match operator:
        case "<":
            return low, min(high, against[0] - 1)
        case "<=":
            return low, min(high, against[0])
        case ">":
            return max(low, against[1] + 1), high
        case _:
            return max(low, against[1]), high


def _certain_range(source: syntax.Expression, bounds: BoundsOf) -> tuple[int, int] | None:
    """Return the first and the last number that a range certainly contains; None if this is unknown."""
    if not (isinstance(source, syntax.Binary) and source.operator == ".."):
        return None
    low, high = bounds(source.left), bounds(source.right)
    return (low[1], high[0]) if low is not None and high is not None else None


def _constant_count(model: Model, source: syntax.Expression, *, eliminates: bool) -> int | None:
    """Return the number of members of a source whose members never change; None for any other source."""
    match source:
        case syntax.Word(name="players") | syntax.TypeWord(name="Player"):
            return 1 if eliminates else len(model.seats)
        case syntax.TypeWord(name=name) if name in model.spaces:
            space = model.spaces[name]
            return None if space.shape == "growing" else space.count
        case syntax.TypeWord(name=name) if name in model.kinds:
            return len(model.kinds[name].rows)
        case syntax.ListOf(items=items):
            return min(1, len(items))
        case _:
            return None


def _conditions(where: syntax.Expression | None) -> Iterator[syntax.Expression]:
    """Yield the conditions that `and` joins."""
    match where:
        case None:
            return
        case syntax.Binary(operator="and"):
            yield from _conditions(where.left)
            yield from _conditions(where.right)
        case _:
            yield where


def _is_word(e: syntax.Expression, name: str) -> bool:
    return isinstance(e, syntax.Word) and e.name == name


def _mentions(e: syntax.Expression, name: str) -> bool:
    return any(isinstance(part, syntax.Word) and part.name == name for part in walk(e))


@define
class Limits:
    """Finds bounds of numbers from the text of a body, before types are known."""

    model: Model
    written: Written
    _pending: set[tuple[int, str]] = field(factory=set)
    """The names that are being resolved, each with the `id` of its body."""

    def of(self, e: syntax.Expression, body: object) -> Bounds:
        """Return the bounds of an expression in a body."""
        try:
            number = constant(e, self.model.word, self.model.cell)
        except NotConstant:
            return self._of_parts(e, body)
        return number, number

    def _of_parts(self, e: syntax.Expression, body: object) -> Bounds:
        match e:
            case syntax.Binary(operator="+" | "-"):
                left, right = self.of(e.left, body), self.of(e.right, body)
                if left is None or right is None:
                    return None
                if e.operator == "+":
                    return left[0] + right[0], left[1] + right[1]
                return left[0] - right[1], left[1] - right[0]
            case syntax.Word():
                return self._of_name(e.name, body)
            case (
                syntax.Binary()
                | syntax.Number()
                | syntax.Text()
                | syntax.Fixed()
                | syntax.TypeWord()
                | syntax.Call()
                | syntax.Lookup()
                | syntax.Dot()
                | syntax.Unary()
                | syntax.IfElse()
                | syntax.By()
                | syntax.ListOf()
                | syntax.Possible()
                | syntax.Query()
            ):
                return None
            case _:
                assert_never(e)

    def _of_name(self, name: str, body: object) -> Bounds:
        if (id(body), name) in self._pending:
            return None
        self._pending.add((id(body), name))
        try:
            found = [self._of_binding(part, body) for part in self.written.bindings(body, name)]
        finally:
            self._pending.discard((id(body), name))
        known = [each for each in found if each is not None]
        if not found or len(known) < len(found) or self._is_counted(name, body):
            return None
        return min(low for low, _ in known), max(high for _, high in known)

    def _is_counted(self, name: str, body: object) -> bool:
        """Return whether any step adds to the value of a name or subtracts from it."""
        return any(
            isinstance(part, syntax.Amount) and _is_word(part.place, name) for part in walk(body)
        )

    def _of_binding(self, part: object, body: object) -> Bounds:
        match part:
            case syntax.Let(type=None) | syntax.SetTo():
                return self.of(part.value, body)
            case syntax.Choose(or_none=False, quantity=None) | syntax.Binder(type=None):
                source = part.source
            case declared.Param(source=source, type=None):
                pass
            case _:
                return None
        if not (isinstance(source, syntax.Binary) and source.operator == ".."):
            return None
        low, high = self.of(source.left, body), self.of(source.right, body)
        return None if low is None or high is None else (low[0], max(low[0], high[1]))
