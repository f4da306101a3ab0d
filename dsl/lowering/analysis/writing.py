"""Finds the names that a single step changes.

A name means all stored things with that name, so every answer is conservative.
"""

from __future__ import annotations

from collections.abc import Set

from attrs import define, field

from rulewright.dsl.lowering.analysis.bodies import MOVES, Bodies
from rulewright.dsl.lowering.analysis.effects import effect
from rulewright.dsl.tree import syntax


@define
class Writing(Bodies):
    """Finds the names that single steps change."""

    _writes: dict[int, tuple[syntax.Statement, Set[str]]] = field(factory=dict)
    _like: dict[frozenset[str], frozenset[str]] = field(factory=dict)

    def step_writes(self, step: syntax.Statement) -> Set[str]:
        """Return the names that a single step itself changes, leaving out those changed by its blocks and calls."""
        known = self._writes.get(id(step))
        if known is None:
            known = self._writes[id(step)] = step, frozenset(self._find_writes(step))
        return known[1]

    def _find_writes(self, step: syntax.Statement) -> Set[str]:
        if isinstance(step, syntax.Move):
            return self.entered_by(step) | self.left_by(step)
        does = self.written.of(effect, step)
        names = {name for place in does.sets for name in names_of_place(place)} | does.changes
        for place in does.orders:
            names |= self._changed_places(place) | {MOVES}
        return names

    def entered_by(self, step: syntax.Move) -> set[str]:
        """Return the names that a move changes regardless of its source: the names of its target,
        and the name for the places of pieces.
        """
        return self._changed_places(step.target) | {MOVES}

    def left_by(self, step: syntax.Move) -> Set[str]:
        """Return the names of the zones from which a move may take pieces.

        If the move names no source, return the names of all zones that may contain the pieces.
        """
        if step.source is None or isinstance(step.source, syntax.TypeWord):
            return self._zones_like(step.target)
        return self._changed_places(step.source)

    def _changed_places(self, place: syntax.Expression) -> set[str]:
        """Return the names of the zones to which a place may refer.

        If the place is not written as the name of a zone, return the names of all zones.
        """
        names = names_of_place(place)
        return names if self._is_named(place) else names | self.zone_names

    def _is_named(self, place: syntax.Expression) -> bool:
        """Return whether a place is written as the name of a zone."""
        names = names_of_place(place)
        return bool(names) and names <= self.zone_names

    def _zones_like(self, target: syntax.Expression) -> frozenset[str]:
        """Return the names of the zones that may contain the same pieces as the target."""
        names = frozenset(names_of_place(target))
        if names not in self._like:
            self._like[names] = self._find_zones_like(names)
        return self._like[names]

    def _find_zones_like(self, names: frozenset[str]) -> frozenset[str]:
        zones = [*self._zones()]
        held: set[str] = set()
        for zone in zones:
            if zone.name in names:
                held |= self._members(zone.type.of)
        return frozenset(
            zone.name
            for zone in zones
            if zone.type.shape != "tokens" and self._members(zone.type.of) & held
        )

    def _members(self, type_name: str) -> set[str]:
        if type_name in self.model.unions:
            return set(self.model.unions[type_name].names)
        return {type_name}


def names_of_place(e: syntax.Expression) -> set[str]:
    """Return the name after the last dot of a place or, if there is no dot, the name of the place.
    Return no names for a computed place.
    """
    match e:
        case syntax.Word() | syntax.Call():
            return {e.name}
        case syntax.Dot(name="slot", subject=subject):
            return names_of_place(subject)
        case syntax.Dot():
            return {e.name}
        case syntax.WrittenValue() | syntax.Operation():
            return set()
