"""Collects the facts on which the meaning of steps depends, apart from the steps themselves.

The names in a step show which of these facts matter to it. If an edit changes none of them,
everything known about unchanged steps remains valid. Shown words, clauses and most numbers are
ignored; constants and the numbers in parameters are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from hashlib import sha256
from typing import Any, TypeAlias

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen
from rulewright.dsl.model import types
from rulewright.dsl.model.model import (
    Model,
    TableInfo,
    ThingKind,
    differing_columns,
    incompatible_columns,
    row_differences,
)
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import fields_of


@frozen(eq=False)
class ComparableType:
    """A type of things or a table that can be compared with another version of itself.

    Two versions count as equal if they differ only in their rows or in the contents of their columns. Except for
    pieces, the number of things must be the same.
    """

    one: ThingKind | TableInfo

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ComparableType):
            return False
        if self.one is other.one:
            return True
        if isinstance(self.one, TableInfo) and isinstance(other.one, TableInfo):
            return _columns_of(self.one) == _columns_of(other.one)
        if incompatible_columns(self.one, other.one):
            return False
        if differing_columns(self.one, other.one) is not None:
            return True
        return (
            isinstance(self.one, ThingKind)
            and isinstance(other.one, ThingKind)
            and (self.one.tag == "piece" or self.one.count == other.one.count)
            and row_differences(self.one, other.one) is not None
        )

    def __hash__(self) -> int:
        return hash(self.one.name)

    @property
    def names(self) -> Set[str]:
        """Return the names of the type or table, of its columns, and of its rows."""
        rows = (*self.one.rows, *self.one.absent) if isinstance(self.one, ThingKind) else ()
        return {self.one.name, *self.one.columns, *rows}

    @property
    def is_seen_from_afar(self) -> bool:
        """Return whether steps may use the type without naming it: through zones, states, cells,
        links, or actions in columns.
        """
        one = self.one
        if any(isinstance(column.type, types.Action) for column in one.columns.values()):
            return True
        return isinstance(one, ThingKind) and bool(
            one.zones or one.states or one.places or one.joins or one.shape == "growing"
        )


def _columns_of(table: TableInfo) -> tuple[object, ...]:
    return table.name, [
        (name, (type.word, type.opt) if isinstance(type, types.Number) else type)
        for name, type in ((name, column.type) for name, column in table.columns.items())
    ]


def shape_of(node: object) -> bytes:
    """Return a hash of a node without its places, numbers, words and clauses. Equal nodes have equal hashes.

    For rules, triggers, effects and powers, the hash also ignores their steps.
    """
    return sha256(repr(_shape(node)).encode("utf-8", "surrogatepass")).digest()


def whole_shape_of(node: object) -> bytes:
    """Return a hash like that of `shape_of`, which also covers the steps."""
    return sha256(repr(_shape(node, steps=True)).encode("utf-8", "surrogatepass")).digest()


def _shape(node: object, *, counted: bool = False, steps: bool = False) -> tuple[object, ...]:
    kind = node.__class__
    counted = counted or kind is declared.Param  # its numbers are the number of its values
    parts: tuple[object, ...]
    if isinstance(node, tuple):
        parts = tuple(_shape(part, counted=counted, steps=steps) for part in node)
    elif isinstance(node, syntax.Text):
        parts = tuple(_shape(part) for part in node.parts if not isinstance(part, str))
    elif isinstance(node, (Span, syntax.Tag)) or (kind is syntax.Number and not counted):
        parts = ()
    elif isinstance(node, declared.Power):
        lines = [line for line in node.lines if isinstance(line, _HEADS)]
        parts = tuple(map(_shape, (node.name, node.type, node.place, node.where, *lines)))
    elif names := fields_of(kind):
        left_out = ("tags", "body") if kind in _WITH_STEPS and not steps else ("tags",)
        parts = tuple(
            _shape(getattr(node, name), counted=counted, steps=steps)
            for name in names
            if name not in left_out
        )
    else:
        parts = (node,)
    return (kind.__name__, *parts)


_HEADS = (declared.Modify, declared.Anytime)
_WITH_STEPS: frozenset[Any] = frozenset(
    (declared.Rule, declared.Effect, declared.OnAction, declared.OnMove, declared.Whenever)
)


Key: TypeAlias = tuple[str, str]
"""A namespace and a name."""


@frozen
class RuleContext:
    """The facts on which steps depend: things that steps can use only by name, and everything else."""

    by_names: Mapping[Key, object]
    """Things, states, values, local names and constants, and the values of options."""
    rest: tuple[object, ...]

    def changed_names(self, other: RuleContext) -> Set[str] | None:
        """Return the names whose things differ between two contexts; None if the rest also differs."""
        if self.rest != other.rest:
            return None
        names = set[str]()
        one, another = self.by_names, other.by_names
        for key in one.keys() | another.keys():
            was, now = one.get(key), another.get(key)
            if was == now:
                continue
            names.add(key[1])
            for each in (was, now):
                if isinstance(each, ComparableType):
                    if each.is_seen_from_afar:
                        return None
                    names |= each.names
                elif key[0] == "option" and isinstance(each, tuple):
                    names.update(each)
        return names - {"yes", "no"}  # these never mean values of an option


def context_of_rules(
    model: Model, memo: Memo, known: Mapping[Key, object], *more: object
) -> RuleContext:
    """Return everything on which steps depend: the declarations of a model without their steps, and `more`.

    `known` contains constants, and the names in steps.
    """

    def shape(node: object) -> bytes:
        return memo.of(shape_of, node)

    def shapes(nodes: Iterable[object]) -> tuple[bytes, ...]:
        return tuple([memo.of(shape_of, node) for node in nodes])

    by_names = {**known}
    for what, things in (
        ("kind", model.kinds),
        ("piece", model.pieces),
        ("space", model.spaces),
        ("table", model.tables),
    ):
        by_names.update(((what, name), ComparableType(one)) for name, one in things.items())
    for what, states in (("state", model.states), ("player state", model.player_states)):
        by_names.update(((what, name), shape(one)) for name, one in states.items())
    by_names.update((("value", name), shape(one)) for name, one in model.values.items())
    for name, values in model.subject_values.items():
        by_names["values", name] = shapes(values)
    rest = (
        more,
        tuple(model.seats),
        tuple(model.action_names),
        tuple(model.unions.items()),
        shapes(model.zones.values()),
        shapes(model.player_zones.values()),
        tuple(model.rules),
        shapes(model.rules.values()),
        shapes(model.effects),
        shapes(model.powers),
        tuple(
            (shape(one), None if holder is None else shape(holder))
            for one, holder in model.triggers
        ),
        shapes(model.anytimes),
        shapes(model.scores),
        (len(model.setups), len(model.plays)),
    )
    return RuleContext(by_names, rest)
