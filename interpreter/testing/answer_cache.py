"""Caches the options and refusals in the positions that scenarios ask about.

Several lines of a scenario often ask about the same position, as do scenarios with the same
beginning.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from rulewright.dsl.ir import BOUND, SITE
from rulewright.interpreter.engines.engine import Refusal
from rulewright.interpreter.views.compiled_game import CompiledGame

MOST: Final = 16  # the number of positions in the cache


@attrs.define(eq=False)
class _Answers:
    options: Sequence[int] | None = None
    refusals: Mapping[int, Refusal] | None = None


@attrs.define(eq=False)
class AnswerCache:
    """The cached answers for the positions of the latest questions."""

    compiled: CompiledGame
    _found: dict[bytes, _Answers] = attrs.field(init=False, factory=dict)

    def options(self, cells: array[int]) -> Sequence[int]:
        """Return the options of the open decision or chance event."""
        known = self._of(cells)
        if known.options is None:
            known.options = self.compiled.options(cells)
        return known.options

    def refusals(self, cells: array[int]) -> Mapping[int, Refusal]:
        """Return the refusals of the open decision, with their reasons."""
        known = self._of(cells)
        if known.refusals is None:
            known.refusals = self.compiled.engine.refusals(cells)
        return known.refusals

    def option_name(self, cells: array[int], option: int) -> str:
        """Return the stable name of an option that is offered."""
        if cells[BOUND] or not self.compiled.words.has_twins(cells[SITE]):
            return self.compiled.option_name(cells, option)
        offered = self.options(cells)
        return self.compiled.named_among(cells[SITE], offered, offered.index(option))

    def _of(self, cells: array[int]) -> _Answers:
        position = cells.tobytes()
        known = self._found.pop(position, None) or _Answers()
        self._found[position] = known
        if len(self._found) > MOST:
            del self._found[next(iter(self._found))]
        return known
