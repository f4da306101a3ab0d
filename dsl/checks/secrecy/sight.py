"""Find the hidden places whose pieces may be known to players who do not see these places.

Such players know a piece from an earlier or later place, or because a step shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import define, field

from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.stored import is_hidden
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import blocks_of, every

_ALL = "all"
_NOBODY = "nobody"


@define
class Sight:
    """Finds the pieces that may be known to players who do not see the place of the pieces."""

    reader: Reader
    analysis: Analysis
    memo: Memo
    _kinds: set[str] = field(factory=set)
    """The kinds of pieces that players may know in places that these players do not see."""
    _left: set[str] = field(factory=set)
    """The hidden zones whose pieces go to places that other players see, directly or through other zones."""
    _is_known: bool = False

    def may_be_seen(self, place: declared.Zone) -> bool:
        """Return whether players who do not see a hidden zone may know its pieces before, while or
        after the pieces are in the zone.
        """
        if not self._is_known:
            self._find()
        kinds = self.reader.kinds_of(place.type.of)
        return place.name in self._left or not self._kinds.isdisjoint(kinds)

    def seen_zones(self) -> frozenset[str]:
        """Return the names of all hidden zones for which `may_be_seen` returns true."""
        secrets = (*self.reader.table.values(), *self.reader.dotted.values())
        zones = (one for one in secrets if isinstance(one, declared.Zone))
        return frozenset(zone.name for zone in zones if self.may_be_seen(zone))

    def _find(self) -> None:
        ways = list[tuple[set[str], str]]()
        for s, is_start in self._steps():
            if isinstance(s, syntax.Show):
                self._kinds.update(self.reader.pieces_of(s.what))
                continue
            moved, target = s.source or s.amount, self.reader.place_of(s.target)
            place = self.reader.place_of(s.source)
            if target is None or moved is None or (is_start and s.source and place is None):
                continue  # at the beginning of setup, no piece is in a place
            before, after = self._observers(s.source), self._observers(s.target)
            sources = {place.name} if place is not None else self.reader.hidden_zones_of(moved)
            if after not in (_NOBODY, before):
                self._left |= sources
            if is_hidden(target):
                ways.append((sources, target.name))
                if before not in (_NOBODY, after):
                    self._kinds.update(self.reader.pieces_of(moved))
        found = -1
        while found != len(self._left):
            found = len(self._left)
            for sources, name in ways:
                if name in self._left:
                    self._left |= sources
        self._is_known = True

    def _steps(self) -> Iterator[tuple[syntax.Show | syntax.Move, bool]]:
        """Yield the steps that show or move pieces, except steps before a shuffle. With each step, yield
        whether it is in setup.
        """
        for key, body in self.analysis.bodies.items():
            for step in self.memo.of(_visible_steps, body.statements) if body.reached else ():
                yield step, key.startswith("setup")

    def _observers(self, e: syntax.Expression | None) -> str:
        """Return a text that identifies the players who see a place; "" for an unknown place. Equal
        texts mean equal players.
        """
        part = self.reader.place_of(e)
        if part is None or not is_hidden(part):
            return _ALL if part is not None else ""
        assert part.seen is not None
        if part.seen.by == _NOBODY:
            return _NOBODY
        return f"{part.seen.by} of {e.subject.span.text}" if isinstance(e, syntax.Dot) else ""


def _visible_steps(statements: syntax.Block) -> tuple[syntax.Show | syntax.Move, ...]:
    """Return the steps in a body that show or move pieces, except steps before a shuffle."""
    inner = (block for s in every(statements) for block in blocks_of(s))
    found: list[syntax.Show | syntax.Move] = []
    for block in (statements, *inner):
        for s, after in pairwise((*block, None)):
            step = s.step if isinstance(s, syntax.Surely) else s
            if isinstance(step, syntax.Show) or (
                isinstance(step, syntax.Move) and not _shuffles(after, step.target)
            ):
                found.append(step)
    return tuple(found)


def _shuffles(s: syntax.Statement | None, place: syntax.Expression) -> bool:
    """Return whether a step shuffles this place. After a shuffle, nobody knows which piece is which."""
    return isinstance(s, syntax.Shuffle) and s.place.span.text == place.span.text
