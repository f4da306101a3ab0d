"""Implements the methods of `Game` that all kernels need, in Python, for an engine and the states of one game."""

from __future__ import annotations

from array import array

import attrs

from rulewright.interpreter.engines.kernels.tree import Cells, Tree
from rulewright.interpreter.views.compiled_game import CompiledGame


@attrs.define(eq=False)
class KernelGame:
    """The numbered states of a game, and the working state with its options and its result."""

    compiled: CompiledGame
    _kept: dict[int, Cells] = attrs.field(init=False, factory=dict)
    _known: list[int] | None = attrs.field(init=False, default=None)
    """The options of the open decision, if the last step has already listed them."""

    def keep(self, state: int, cells: Cells) -> None:
        """Save cells as state number `state`."""
        self._kept[state] = cells

    def load(self, t: Tree, state: int) -> int:
        """Implement `Game.load`."""
        t.work = self._kept[state][:]
        self._known = None
        return 0

    def save(self, t: Tree, state: int) -> int:
        """Implement `Game.save`."""
        self._kept[state] = t.work[:]
        return 0

    def advance(self, t: Tree, option: int) -> int:
        """Implement `Game.advance`."""
        self._known = self.compiled.advance(t.work, option)
        return 0

    def options(self, t: Tree, room: int) -> int:
        """Implement `Game.options`."""
        found = self.open_options(t)
        if len(found) <= room:
            t.offers[: len(found)] = array("i", found)
        return len(found)

    def open_options(self, t: Tree) -> list[int]:
        """Return the options of the open decision."""
        if self._known is None:
            self._known = self.compiled.options(t.work)
        return self._known

    def points(self, t: Tree, nothing: int) -> int:
        """Implement `Game.points`."""
        t.totals[:] = array("q", self.compiled.totals(t.work))
        return 0

    def ending(self, t: Tree, nothing: int) -> int:
        """Implement `Game.ending`."""
        if t.scored:
            self.points(t, 0)
        winners = self.compiled.winners(t.work)
        for seat in range(t.seats):
            t.won[seat] = seat in winners
        return 0
