"""Computes the part of the current score that a player may know."""

from __future__ import annotations

from array import array

import attrs

from rulewright.dsl.ir import ScoreItem
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.knowledge.known import hidden_in
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.view import ALL_SEEING


@attrs.frozen
class KnownScore:
    """The points of one player for each item, or None if the item depends on hidden things."""

    name: str
    items: tuple[tuple[str, int | None], ...]

    @property
    def total(self) -> int | None:
        """Return the sum of all items. If an item is unknown, return None."""
        points = [points for _, points in self.items]
        known = [one for one in points if one is not None]
        return sum(known) if len(known) == len(points) else None


def known_scores(compiled: CompiledGame, cells: array[int], viewer: int) -> tuple[KnownScore, ...]:
    """Return, for each seat, the points that a viewer may know."""
    reference = Reference(compiled.program)
    return tuple(
        KnownScore(
            name,
            tuple(
                (item.text, known_points(compiled, reference, cells, item, seat, viewer))
                for item in compiled.program.score
            ),
        )
        for seat, name in enumerate(compiled.words.players)
    )


def known_points(
    compiled: CompiledGame,
    reference: Reference,
    cells: array[int],
    item: ScoreItem,
    seat: int,
    viewer: int,
) -> int | None:
    """Return the points of a seat for one item. If the points depend on facts hidden from the viewer, return None."""
    try:
        may_be_hidden = viewer != ALL_SEEING and not item.is_open
        if may_be_hidden and hidden_in(
            compiled, reference, cells, item.procedure, viewer, arguments=(seat,)
        ):
            return None
        return compiled.number(cells, item.procedure, (seat,))
    except RuleFault:  # some rules can count points only at the end
        return None
