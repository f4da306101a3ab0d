"""Searches moves that consist of several consecutive decisions of a player."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import attrs

from rulewright.dsl.ir import BOUND, OVER, PLAYER
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"

_FURTHER = 40
"""The total number of further decisions that are examined for all options of a decision."""
_AT_LEAST = 4
"""The minimum number of further decisions that are examined for each option."""
_DEEP = 4
"""The maximum number of decisions in one move."""


class _Ordered(Protocol):
    def __gt__(self, other: Any, /) -> bool: ...


T = TypeVar("T", bound=_Ordered)


@attrs.frozen
class Row(Generic[T]):
    """The best result of a move, and the decisions of the move after the first.

    After other results of chance, other decisions may be needed.
    """

    worth: T
    rest: tuple[int, ...] = ()


@attrs.define(eq=False)
class Rows(Generic[T]):
    """Rates the moves of a player, each up to the next decision of another player. Overwrites the
    cells that it is given."""

    compiled: CompiledGame
    generator: Generator
    worth: Callable[[Cells, int], T]
    """Returns the value of a position to a player."""

    def best(self, cells: Cells, option: int, among: int) -> Row[T]:
        """Return the best result found for a move that begins with `option`. The decision has `among` options."""
        player = cells[PLAYER]
        self.advance(cells, option)
        return self._further(cells, player, [max(_AT_LEAST, _FURTHER // among)], _DEEP - 1)

    def advance(self, cells: Cells, option: int) -> None:
        """Take an option, and draw the results of chance that follow."""
        self.compiled.advance(cells, option)
        while cells[BOUND]:
            self.compiled.advance(cells, self.generator.below(cells[BOUND]))

    def follow(self, cells: Cells, row: tuple[int, ...]) -> None:
        """Make the decisions in `row`, starting at the position where the first one is made. Stop
        if a decision is not possible."""
        player = cells[PLAYER]
        self.advance(cells, row[0])
        for option in row[1:]:
            if cells[OVER] or cells[PLAYER] != player or option not in self.compiled.options(cells):
                return
            self.advance(cells, option)

    def _further(self, cells: Cells, player: int, left: list[int], deep: int) -> Row[T]:
        if cells[OVER] or cells[PLAYER] != player or not deep or left[0] <= 0:
            return Row(self.worth(cells, player))
        offered = list(self.compiled.options(cells))
        best: Row[T] | None = None
        while offered and (left[0] > 0 or best is None):
            left[0] -= 1
            option = offered.pop(self.generator.below(len(offered)))
            after = cells[:] if offered else cells
            self.advance(after, option)
            found = self._further(after, player, left, deep - 1)
            if best is None or found.worth > best.worth:
                best = Row(found.worth, (option, *found.rest))
        assert best is not None
        return best
