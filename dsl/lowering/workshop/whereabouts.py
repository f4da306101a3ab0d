"""Of what things stored parts of one name are looked at and changed: the `disc` of cities, or that of ships.

It is read off the text: where that does not tell of what sort a thing is, it may be any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from attrs import define, field

from rulewright.dsl.lowering.workshop.paths import Written
from rulewright.dsl.lowering.workshop.sorts import Finder, Sorts
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.world.world import World

Whereabouts: TypeAlias = Mapping[str, Sorts]
"""By the name of something stored the sorts of things of which it is meant; None where these may be all."""


@define
class Holders:
    """Which names are stored in things of several sorts, and of which of them an expression speaks."""

    world: World
    written: Written
    finder: Finder
    modifiers: Mapping[str, Sequence[tuple[declared.Power, object]]]
    _shared: dict[str, Set[str]] | None = None
    _read: dict[int, tuple[object, Whereabouts]] = field(factory=dict)

    @property
    def shared(self) -> Mapping[str, Set[str]]:
        """The names that things of several sorts have, with these sorts."""
        if self._shared is None:
            world, holders = self.world, dict[str, set[str]]()
            for kind in (*world.kinds.values(), *world.pieces.values(), *world.spaces.values()):
                for name in (
                    *(zone.name for zone in kind.zones),
                    *(one.name for one in kind.states),
                ):
                    holders.setdefault(name, set()).add(kind.name)
            self._shared = {name: sorts for name, sorts in holders.items() if len(sorts) > 1}
        return self._shared

    def read_by(
        self, watcher: declared.Whenever, parts: Iterable[object], body: object
    ) -> Whereabouts:
        """Of what the parts of a watched condition, and all values that they name, read names that are shared."""
        known = self._read.get(id(watcher))
        if known is None:
            known = self._read[id(watcher)] = watcher, self._find_read(parts, body)
        return known[1]

    def _find_read(self, parts: Iterable[object], body: object) -> Whereabouts:
        found: dict[str, Sorts] = {}
        left, met = [(part, body) for part in parts], set[str]()
        for node, holder in left:
            for part in self.written.looking(node):
                match part:
                    case syntax.Dot(name=name):
                        self._note(found, name, self._sorts_of(part, holder))
                    case syntax.Word(name=name) | syntax.Call(name=name):
                        self._note(found, name, None)
                    case syntax.Possible():
                        return dict.fromkeys(self.shared)
                    case _:
                        continue
                if name not in met:
                    met.add(name)
                    left += self._told_by(name)
        return found

    def _told_by(self, name: str) -> Iterator[tuple[object, object]]:
        """What a name stands for, with the declarations in which that is written."""
        values = list(self.world.subject_values.get(name, ()))
        if name in self.world.values:
            values.append(self.world.values[name])
        for value in values:
            yield from ((value.value, value), (value.bounds, value))
        for power, part in self.modifiers.get(name, ()):
            yield part, power

    def changed_in(self, places: Iterable[syntax.Expression], body: object) -> Whereabouts:
        """Of what the names of places are meant that a step of a body changes."""
        found: dict[str, Sorts] = {}
        for place in places:
            match place:
                case syntax.Dot(name="slot", subject=syntax.Dot() as row):
                    self._note(found, row.name, self._sorts_of(row, body))
                case syntax.Dot(name=name):
                    self._note(found, name, self._sorts_of(place, body))
                case syntax.Word(name=name) | syntax.Call(name=name):
                    self._note(found, name, None)
                case _:
                    pass
        return found

    def _note(self, found: dict[str, Sorts], name: str, sorts: Sorts) -> None:
        if name not in self.shared:
            return
        before = found.get(name, frozenset())
        found[name] = None if sorts is None or before is None else before | sorts

    def _sorts_of(self, e: syntax.Dot, body: object) -> Sorts:
        """Of what sorts of things something behind a dot is meant that is stored in several."""
        holders = self.shared.get(e.name)
        sorts = None if holders is None else self.finder.of(e.subject, body)
        return sorts if sorts and holders is not None and sorts <= holders else None


def may_meet(names: Iterable[str], one: Whereabouts, other: Whereabouts) -> bool:
    """Whether one of some names may be meant of the same thing in two places."""
    for name in names:
        here, there = one.get(name), other.get(name)
        if here is None or there is None or here & there:
            return True
    return False
