"""Finds the names that steps change, directly or through their calls and triggers."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Set

from attrs import define, field

from rulewright.dsl.lowering.analysis.acting import Acting
from rulewright.dsl.lowering.analysis.bodies import MOVES
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import every


@define
class Changing(Acting):
    """Finds the names that bodies change, directly or through everything that they run."""

    _all_changed: dict[int, tuple[syntax.Statement, Set[str]]] = field(factory=dict)
    _changed: dict[str, tuple[set[str], set[str]]] = field(factory=dict)
    _changed_in_all: dict[str, Set[str]] = field(factory=dict)

    def changes_of(self, s: syntax.Statement) -> Set[str]:
        """Return the names that a step may change, directly or through its calls and triggers."""
        known = self._all_changed.get(id(s))
        if known is None:
            known = self._all_changed[id(s)] = s, frozenset(self.changes((s,)))
        return known[1]

    def changes(self, statements: Iterable[syntax.Statement]) -> set[str]:
        """Return the names that the given steps may change, directly or through their calls and triggers."""
        names: set[str] = set()
        found: set[str] = set()
        for s in every(statements):
            names |= self.step_writes(s)
            found.update(key for key in self.run_by(s) if key in self.bodies)
        for key in found:
            names |= self.changed_by(key)
        return names | {"size"} if MOVES in names else names

    def changed_by(self, key: str) -> Set[str]:
        """Return the names that are changed by a body, or by the bodies that it runs directly or indirectly.

        Bodies that run each other change the same names.
        """
        if key not in self._changed_in_all:
            for together in _call_groups(
                key, lambda one: self.direct_effects(one)[1], self._changed_in_all
            ):
                names = set[str]()
                for one in together:
                    written, run = self.direct_effects(one)
                    names |= written
                    for other in run:
                        names |= self._changed_in_all.get(other, frozenset())
                found = frozenset(names)
                self._changed_in_all.update((one, found) for one in together)
        return self._changed_in_all[key]

    def direct_effects(self, key: str) -> tuple[set[str], set[str]]:
        """Return the names that the steps of a body change, and the keys of the bodies that they run."""
        if key not in self._changed:
            names: set[str] = set()
            run: set[str] = set()
            for s in self.bodies[key].steps:
                names |= self.step_writes(s)
                run.update(other for other in self.run_by(s) if other in self.bodies)
            self._changed[key] = names, run
        return self._changed[key]


def _call_groups(
    key: str, run: Callable[[str], Set[str]], known: Container[str]
) -> Iterator[list[str]]:
    """Return a body and all bodies that it runs, directly or indirectly.

    Bodies that run each other form a group, and each group precedes its callers. The search does
    not follow bodies that are `known`.
    """
    number: dict[str, int] = {key: 0}
    low = {key: 0}
    open_ones = [key]
    path = [(key, iter(run(key)))]
    while path:
        at, left = path[-1]
        one = next(left, None)
        if one is None:
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[at])
            if low[at] == number[at]:
                first = open_ones.index(at)
                together = open_ones[first:]
                del open_ones[first:]
                yield together
        elif one in known:
            continue
        elif one not in number:
            number[one] = low[one] = len(number)
            open_ones.append(one)
            path.append((one, iter(run(one))))
        else:
            low[at] = min(low[at], low[one])
