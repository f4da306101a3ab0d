"""Finds the places that steps change unseen, with all that they call: what they gain, and what they lose."""

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
    """The names of places with other contents than before."""

    gains: frozenset[str] = frozenset()
    """The zones that unseen pieces may enter, and all that get a value or another order."""
    losses: frozenset[str] = frozenset()
    """The zones that pieces may leave unseen, and all that get a value or another order."""

    def joined(self, *others: Changed) -> Changed:
        """The places that one of these changes."""
        return Changed(
            self.gains.union(*(one.gains for one in others)),
            self.losses.union(*(one.losses for one in others)),
        )


@define
class Changing:
    """Knows the changes of steps and bodies."""

    reader: Reader
    analysis: Analysis
    memo: Memo
    _at: dict[int, Changed] = field(factory=dict)
    """The changes of steps with all that they call, by the `id` of each step."""
    _of_bodies: dict[str, Changed] = field(factory=dict)
    """The same for bodies."""
    _made_by: dict[str, Changed] = field(factory=dict)
    """The changes that bodies make themselves."""

    def gains(self, statements: syntax.Block) -> frozenset[str]:
        """The places that steps fill unseen."""
        return frozenset[str]().union(*(self.of(s).gains for s in statements))

    def losses(self, statements: syntax.Block) -> frozenset[str]:
        """The places that steps empty unseen."""
        return frozenset[str]().union(*(self.of(s).losses for s in statements))

    def of(self, s: syntax.Statement) -> Changed:
        """The changes of a step, with all that it calls."""
        found = self._at.get(id(s))
        if found is None:
            called = {key for each in every((s,)) for key in self.analysis.run_by(each)}
            found = self._at[id(s)] = self._own(s).joined(*map(self._of_body, called))
        return found

    def _of_body(self, key: str) -> Changed:
        """The changes of a body, with all bodies that it runs."""
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
        """The changes that steps make themselves, with those in them."""
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
    """The names of the places that get a value or another order in steps, and the steps that move something."""
    names, moves = set[str](), list[syntax.Move]()
    for s in every(steps if isinstance(steps, tuple) else (steps,)):
        if isinstance(s, syntax.Move):
            moves.append(s)
        does = effect(s)
        names.update(name for one in (*does.sets, *does.orders) for name in names_of_place(one))
    return frozenset(names), tuple(moves)
