"""Find the places whose contents are changed unseen by steps: places that gain contents and places
that lose contents.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.stored import is_hidden
from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.effects import effect
from rulewright.dsl.lowering.analysis.writing import names_of_place
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import every


@frozen
class Changed:
    """The names of the places whose contents a piece of code changes."""

    gains: frozenset[str] = frozenset()
    """The zones that pieces may enter unseen, and all places whose value or order is set."""
    losses: frozenset[str] = frozenset()
    """The zones that pieces may leave unseen, and all places whose value or order is set."""

    def union(self, *others: Changed) -> Changed:
        """Return the union of these changes and `other`."""
        return Changed(
            self.gains.union(*(one.gains for one in others)),
            self.losses.union(*(one.losses for one in others)),
        )


@define
class Changing:
    """Computes the changes that steps and bodies make."""

    reader: Reader
    analysis: Analysis
    memo: Memo
    _at: dict[int, Changed] = field(factory=dict)
    """Maps the `id` of each step to its changes. They include the changes of its calls."""
    _of_bodies: dict[str, Changed] = field(factory=dict)
    """Maps the key of each body to its changes. They include the changes of its calls."""
    _made_by: dict[str, Changed] = field(factory=dict)
    """Maps the key of each body to the changes that the body makes directly, without its calls."""

    def gains(self, statements: syntax.Block) -> frozenset[str]:
        """Return the places that gain contents unseen when these steps run."""
        return frozenset[str]().union(*(self.of(s).gains for s in statements))

    def losses(self, statements: syntax.Block) -> frozenset[str]:
        """Return the places that lose contents unseen when these steps run."""
        return frozenset[str]().union(*(self.of(s).losses for s in statements))

    def of(self, s: syntax.Statement) -> Changed:
        """Return the changes that a step makes, including the changes of its calls."""
        found = self._at.get(id(s))
        if found is None:
            called = {key for each in every((s,)) for key in self.analysis.run_by(each)}
            found = self._at[id(s)] = self._own(s).union(*map(self.of_body, called))
        return found

    def of_body(self, key: str) -> Changed:
        """Return the changes that a body makes, including the changes of all bodies that it calls."""
        found = self._of_bodies.get(key)
        if found is None:
            a = self.analysis
            met, left = {key}, [key]
            while left:
                at = left.pop()
                if at not in self._made_by:
                    self._made_by[at] = self._own(a.bodies[at].statements)
                called = a.direct_effects(at)[1]
                left += called - met
                met |= called
            found = self._of_bodies[key] = Changed().union(*(self._made_by[each] for each in met))
        return found

    def _own(self, statements: object) -> Changed:
        """Return the changes that steps and their inner blocks make directly, not through calls."""
        names, moves = self.memo.of(_direct_changes, statements)
        gains, losses, stored = set(names), set(names), self.reader.place_of
        for s in moves:
            source, target = stored(s.source), stored(s.target)
            if source is None or is_hidden(source):
                gains |= names_of_place(s.target)
            if target is None or is_hidden(target):
                losses |= (
                    {source.name} if source else self.reader.hidden_zones_of(s.amount or s.source)
                )
        return Changed(frozenset(gains), frozenset(losses))


def _direct_changes(steps: Any) -> tuple[frozenset[str], tuple[syntax.Move, ...]]:
    """Return the names of the places whose value or order these steps set, and the steps that move things."""
    names, moves = set[str](), list[syntax.Move]()
    for s in every(steps if isinstance(steps, tuple) else (steps,)):
        if isinstance(s, syntax.Move):
            moves.append(s)
        does = effect(s)
        names.update(name for one in (*does.sets, *does.orders) for name in names_of_place(one))
    return frozenset(names), tuple(moves)
