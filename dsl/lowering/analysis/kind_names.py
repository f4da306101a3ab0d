"""Finds the kinds to which a thing may belong, and the kinds that share a name, such as cities and
ships that each have a `disc`.

The search uses names, before types are known. A name that may mean several things is taken to mean
all of them, so every answer is conservative.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias, assert_never

from attrs import define, field

from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.model.model import Model
from rulewright.dsl.model.types import Type, item_of
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

KindNames = frozenset[str] | None
"""The names of the possible kinds of a thing; None if any kind is possible."""

SAME = frozenset(
    {"top", "bottom", "first", "last", "nth", "slot", "first_few", "last_few", "reversed"}
    | {"distinct", "next", "between"}
)
"""Attributes that return the members of their subject."""
SCORE_WORDS = frozenset({"total", "item"})
"""Attributes that are computed from the whole score."""


@define
class KindFinder:
    """Finds the kinds of things in one model."""

    model: Model
    written: Written
    _values: set[int] = field(factory=set)
    """The `id` of each value that is being resolved."""

    def of_effect(self, effect: declared.Effect) -> KindNames:
        """Return the kinds of the things that have an effect."""
        if effect.type is not None:
            return self._of_type_name(effect.type.name)
        found = [
            names for type, _ in self.model.row_names.get(effect.name, ()) for names in type.names
        ]
        return frozenset(found)

    def of(self, e: syntax.Expression, body: object) -> KindNames:
        """Return the kinds to which the value of an expression in a body, or the members of this value, may belong."""
        match e:
            case syntax.TypeWord():
                return self._of_type_name(e.name)
            case syntax.Word() | syntax.Call() | syntax.Lookup():
                if isinstance(e, syntax.Call) and e.name == "sure":
                    return self._of_any(e.arguments, body)
                return self._of_name(e.name, body)
            case syntax.Dot():
                if e.name in SAME:
                    return self.of(e.subject, body)
                return self._of_attribute(e.name)
            case syntax.Query():
                if e.word in ("count", "sum", "any", "all", "largest", "smallest"):
                    return frozenset()
                if e.body is not None and e.word == "list":
                    return self.of(e.body, body)
                return self._of_binder(e.binders[0], body)
            case syntax.IfElse():
                return self._of_any((e.then, e.otherwise), body)
            case syntax.By():
                otherwise = () if e.otherwise is None else (e.otherwise,)
                return self._of_any((*(case.value for case in e.cases), *otherwise), body)
            case syntax.ListOf():
                return self._of_any(e.items, body)
            case syntax.Fixed():
                return frozenset()
            case (
                syntax.Number()
                | syntax.Text()
                | syntax.Unary()
                | syntax.Binary()
                | syntax.Possible()
            ):
                return None
            case _:
                assert_never(e)

    def _of_any(self, parts: Iterable[syntax.Expression], body: object) -> KindNames:
        return _union(self.of(part, body) for part in parts)

    def _of_type_name(self, name: str) -> KindNames:
        type = self.model.type_named(name)
        return None if type is None else frozenset(type.names)

    def _of_type(self, written: syntax.Type) -> KindNames:
        match written:
            case syntax.NamedType():
                return self._of_type_name(written.name)
            case syntax.ListType() | syntax.SetType() | syntax.OptionalType():
                return self._of_type(written.of)
            case syntax.RangeType():
                return frozenset()
            case _:
                assert_never(written)

    def _of_binder(
        self, binder: syntax.Binder | syntax.Choose | declared.Param, body: object
    ) -> KindNames:
        type = getattr(binder, "type", None)
        if isinstance(type, syntax.TypeWord):
            return self._of_type_name(type.name)
        if type is not None:
            return self._of_type(type)
        return None if binder.source is None else self.of(binder.source, body)

    def _of_name(self, name: str, body: object) -> KindNames:
        found: list[KindNames] = []
        for part in self.written.bindings(body, name):
            match part:
                case syntax.Binder() | syntax.Choose() | declared.Param():
                    if _mentions(part.source, name):
                        return None
                    found.append(self._of_binder(part, body))
                case syntax.Let():
                    if _mentions(part.value, name):
                        return None
                    found.append(self.of(part.value, body))
                case declared.Effect() | declared.Power() if part.type:
                    found.append(self._of_type_name(part.type.name))
                case syntax.Roll() | syntax.SetTo() | syntax.LetDo():
                    return None  # it may have been set to any value since then
                case _:  # all others: they do not set it
                    pass
        if found:
            return _union(found)
        if isinstance(body, (declared.OnMove, declared.OnAction, declared.Whenever)):
            return None  # the condition of the trigger may bind it
        model = self.model
        if name in model.states:
            return self._of_type(model.states[name].type)
        if name in model.zones:
            return self._of_type_name(model.zones[name].type.of)
        if name in model.values:
            return self._of_value(model.values[name])
        rows = model.row_names.get(name)
        if rows:
            return frozenset(kind_name for type, _ in rows for kind_name in type.names)
        return None

    def _of_value(self, value: declared.Value) -> KindNames:
        if value.open or id(value) in self._values:
            return None
        self._values.add(id(value))
        try:
            return self.of(value.value, value)
        finally:
            self._values.discard(id(value))

    def _of_attribute(self, name: str) -> KindNames:
        model = self.model
        found: list[KindNames] = [
            self._of_value(value) for value in model.subject_values.get(name, ())
        ]
        states = [model.player_states.get(name)]
        zones = [model.player_zones.get(name)]
        for kind in [*model.kinds.values(), *model.pieces.values(), *model.spaces.values()]:
            states.extend(state for state in kind.states if state.name == name)
            zones.extend(zone for zone in kind.zones if zone.name == name)
            if name in kind.columns:
                found.append(_of_column(kind.columns[name].type))
        for table in model.tables.values():
            if name in table.columns:
                found.append(_of_column(table.columns[name].type))
        found.extend(self._of_type(state.type) for state in states if state is not None)
        found.extend(self._of_type_name(zone.type.of) for zone in zones if zone is not None)
        return _union(found) if found else None


def _of_column(type: Type) -> KindNames:
    held = item_of(type) or type
    return frozenset(held.names)


def _union(found: Iterable[KindNames]) -> KindNames:
    kind_names: set[str] = set()
    for each in found:
        if each is None:
            return None
        kind_names |= each
    return frozenset(kind_names)


def _mentions(node: object, name: str) -> bool:
    return any(isinstance(part, syntax.Word) and part.name == name for part in walk(node))


# ---- names that things of several kinds share
# ------------------------------------------------------

OwnerKinds: TypeAlias = Mapping[str, KindNames]
"""Maps the name of each stored thing to the kinds of its owners; None if all kinds are possible."""


@define
class Holders:
    """Finds the names that things of several kinds share, and the kinds of the things whose names
    an expression reads.
    """

    model: Model
    written: Written
    finder: KindFinder
    modifiers: Mapping[str, Sequence[tuple[declared.Power, object]]]
    _shared: dict[str, Set[str]] | None = None
    _read: dict[int, tuple[object, OwnerKinds]] = field(factory=dict)

    @property
    def shared(self) -> Mapping[str, Set[str]]:
        """Map each name that things of several kinds share to these kinds."""
        if self._shared is None:
            model, holders = self.model, dict[str, set[str]]()
            for kind in (*model.kinds.values(), *model.pieces.values(), *model.spaces.values()):
                for name in (
                    *(zone.name for zone in kind.zones),
                    *(one.name for one in kind.states),
                ):
                    holders.setdefault(name, set()).add(kind.name)
            self._shared = {
                name: kind_names for name, kind_names in holders.items() if len(kind_names) > 1
            }
        return self._shared

    def read_by(
        self, watcher: declared.Whenever, parts: Iterable[object], body: object
    ) -> OwnerKinds:
        """Map each shared name that a watched condition reads, directly or through named values, to
        the kinds of its owners.
        """
        known = self._read.get(id(watcher))
        if known is None:
            known = self._read[id(watcher)] = watcher, self._find_read(parts, body)
        return known[1]

    def _find_read(self, parts: Iterable[object], body: object) -> OwnerKinds:
        found: dict[str, KindNames] = {}
        left, met = [(part, body) for part in parts], set[str]()
        for node, holder in left:
            for part in self.written.reading_parts(node):
                match part:
                    case syntax.Dot(name=name) if name in SCORE_WORDS:
                        return dict.fromkeys(self.shared)
                    case syntax.Dot(name=name):
                        self._add_kinds(found, name, self._kinds_of(part, holder))
                    case syntax.Word(name=name) | syntax.Call(name=name):
                        self._add_kinds(found, name, None)
                    case syntax.Possible():
                        return dict.fromkeys(self.shared)
                    case _:
                        continue
                if name not in met:
                    met.add(name)
                    left += self._definitions_of(name)
        return found

    def _definitions_of(self, name: str) -> Iterator[tuple[object, object]]:
        """Yield the expressions that define a name, each together with its declaration."""
        values = list(self.model.subject_values.get(name, ()))
        if name in self.model.values:
            values.append(self.model.values[name])
        for value in values:
            yield from ((value.value, value), (value.bounds, value))
        for power, part in self.modifiers.get(name, ()):
            yield part, power

    def changed_in(self, places: Iterable[syntax.Expression], body: object) -> OwnerKinds:
        """Given the places that a step changes, map each shared name in these places to the kinds of its owners."""
        found: dict[str, KindNames] = {}
        for place in places:
            match place:
                case syntax.Dot(name="slot", subject=syntax.Dot() as row):
                    self._add_kinds(found, row.name, self._kinds_of(row, body))
                case syntax.Dot(name=name):
                    self._add_kinds(found, name, self._kinds_of(place, body))
                case syntax.Word(name=name) | syntax.Call(name=name):
                    self._add_kinds(found, name, None)
                case syntax.WrittenValue() | syntax.Operation():
                    pass
        return found

    def _add_kinds(self, found: dict[str, KindNames], name: str, kind_names: KindNames) -> None:
        if name not in self.shared:
            return
        before = found.get(name, frozenset())
        found[name] = None if kind_names is None or before is None else before | kind_names

    def _kinds_of(self, e: syntax.Dot, body: object) -> KindNames:
        """Return the kinds of the possible subjects of a shared name after a dot."""
        holders = self.shared.get(e.name)
        kind_names = None if holders is None else self.finder.of(e.subject, body)
        return kind_names if kind_names and holders is not None and kind_names <= holders else None


def have_common_kind(names: Iterable[str], one: OwnerKinds, other: OwnerKinds) -> bool:
    """Return whether, for any of these names, the two mappings contain a common kind."""
    for name in names:
        here, there = one.get(name), other.get(name)
        if here is None or there is None or here & there:
            return True
    return False
