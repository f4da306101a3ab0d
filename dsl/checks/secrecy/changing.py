"""Finds the places that steps change unseen, with all that they call: what they gain, and what they lose."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from attrs import define, field

from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.stored import hidden
from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.effects import effect
from rulewright.dsl.lowering.analysis.writing import names_of_place
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import blocks_of, every


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
    _met_kinds: frozenset[str] | None = None
    """The kinds of pieces that players may know in places that they do not see."""

    def may_be_known(self, place: declared.Zone) -> bool:
        """Whether players who do not see a hidden zone may know a piece there, from its way to it or by `show`."""
        if self._met_kinds is None:
            self._met_kinds = frozenset(self._kinds_known())
        return not self._met_kinds.isdisjoint(self.reader.kinds_of(place.type.of))

    def _kinds_known(self) -> Iterator[str]:
        """The kinds of pieces that players see, by a step, on their way to a place or in it."""
        for key, body in self.analysis.bodies.items():
            is_start = key.startswith("setup")
            inner = (block for s in every(body.statements) for block in blocks_of(s))
            for block in (body.statements, *inner) if body.reached else ():
                for s, after in pairwise((*block, None)):
                    assert s is not None
                    step = s.step if isinstance(s, syntax.Surely) else s
                    if isinstance(step, syntax.Show):
                        yield from self.reader.pieces_of(step.what)
                    elif isinstance(step, syntax.Move) and self._is_seen(step, after, is_start):
                        yield from self.reader.pieces_of(step.source or step.amount)

    def _is_seen(self, s: syntax.Move, after: syntax.Statement | None, is_start: bool) -> bool:
        """Whether somebody who does not see the target may see a piece that goes there."""
        source, target = self.reader.stored(s.source), self.reader.stored(s.target)
        if target is None or not hidden(target) or _mixes(after, s.target):
            return False
        if s.source is None:
            return True
        if source is None:
            return not is_start  # all of a kind, from nowhere
        if not hidden(source):
            return True
        assert source.seen is not None
        assert target.seen is not None
        ends = (
            whose.subject.span.text
            for whose in (s.source, s.target)
            if isinstance(whose, syntax.Dot)
        )
        is_same = source.seen.by == target.seen.by and len({*ends}) == 1
        return source.seen.by != "nobody" and not is_same

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


def _mixes(s: syntax.Statement | None, place: syntax.Expression) -> bool:
    """Whether a step shuffles this place, so that nobody knows its pieces any more."""
    return isinstance(s, syntax.Shuffle) and s.place.span.text == place.span.text


def _changes(steps: Any) -> tuple[frozenset[str], tuple[syntax.Move, ...]]:
    """The names of the places that get a value or another order in steps, and the steps that move something."""
    names, moves = set[str](), list[syntax.Move]()
    for s in every(steps if isinstance(steps, tuple) else (steps,)):
        if isinstance(s, syntax.Move):
            moves.append(s)
        does = effect(s)
        names.update(name for one in (*does.sets, *does.orders) for name in names_of_place(one))
    return frozenset(names), tuple(moves)
