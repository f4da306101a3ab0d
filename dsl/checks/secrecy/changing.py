"""Finds the places that steps, including their calls, change unseen: places that gain and places that lose contents."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.stored import hidden
from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.effects import effect
from rulewright.dsl.lowering.analysis.writing import names_of_place
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import every


@frozen
class Changed:
    """The names of places whose contents change."""

    gains: frozenset[str] = frozenset()
    """The zones that unseen pieces may enter, and all places that get a new value or order."""
    losses: frozenset[str] = frozenset()
    """The zones that pieces may leave unseen, and all places that get a new value or order."""

    def joined(self, *others: Changed) -> Changed:
        """The places that at least one of these changes."""
        return Changed(
            self.gains.union(*(one.gains for one in others)),
            self.losses.union(*(one.losses for one in others)),
        )


@define
class Changing:
    """The changes by steps and bodies."""

    reader: Reader
    analysis: Analysis
    memo: Memo
    _at: dict[int, Changed] = field(factory=dict)
    """The changes by steps, including their calls, by the `id` of each step."""
    _of_bodies: dict[str, Changed] = field(factory=dict)
    """The same for bodies, by their keys."""
    _made_by: dict[str, Changed] = field(factory=dict)
    """The changes that bodies make directly, without calls."""

    def gains(self, statements: syntax.Block) -> frozenset[str]:
        """The places that steps fill unseen."""
        return frozenset[str]().union(*(self.of(s).gains for s in statements))

    def losses(self, statements: syntax.Block) -> frozenset[str]:
        """The places that steps empty unseen."""
        return frozenset[str]().union(*(self.of(s).losses for s in statements))

    def of(self, s: syntax.Statement) -> Changed:
        """The changes by a step, including its calls."""
        found = self._at.get(id(s))
        if found is None:
            called = {key for each in every((s,)) for key in self.analysis.run_by(each)}
            found = self._at[id(s)] = self._own(s).joined(*map(self._of_body, called))
        return found

    def _of_body(self, key: str) -> Changed:
        """The changes by a body, including all bodies that it runs."""
        found = self._of_bodies.get(key)
        if found is None:
            a = self.analysis
            met, left = {key}, [key]
            while left:
                at = left.pop()
                if at not in self._made_by:
                    self._made_by[at] = self._own(a.bodies[at].statements)
                called = a.direct(at)[1]
                left += called - met
                met |= called
            found = self._of_bodies[key] = Changed().joined(*(self._made_by[each] for each in met))
        return found

    def _own(self, statements: object) -> Changed:
        """The changes that steps and the steps in their blocks make directly, without calls."""
        names, moves = self.memo.of(_changes, statements)
        gains, losses, stored = set(names), set(names), self.reader.stored
        for s in moves:
            source, target = stored(s.source), stored(s.target)
            if source is None or hidden(source):
                gains |= names_of_place(s.target)
            if target is None or hidden(target):
                losses |= {source.name} if source else self.reader.holding(s.amount or s.source)
        return Changed(frozenset(gains), frozenset(losses))


def _changes(steps: Any) -> tuple[frozenset[str], tuple[syntax.Move, ...]]:
    """The names of the places that get a new value or order in steps, and the steps that move things."""
    names, moves = set[str](), list[syntax.Move]()
    for s in every(steps if isinstance(steps, tuple) else (steps,)):
        if isinstance(s, syntax.Move):
            moves.append(s)
        does = effect(s)
        names.update(name for one in (*does.sets, *does.orders) for name in names_of_place(one))
    return frozenset(names), tuple(moves)
