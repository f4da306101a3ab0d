"""Finds the secrets that a player has learned since an earlier choice and would keep after an undo."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.matches.state import State


def learned(states: Sequence[State], player: int) -> list[str]:
    """The results of chance and the hidden pieces that came up after the first of some states, in words.

    A shuffle shows nothing by itself. Facts about pieces that are still hidden come last."""
    first, *others = states
    compiled = first.compiled
    program, viewer = compiled.program, compiled.viewer
    results = [
        one
        for state in others
        for one in state.drawn
        if program.chances[one.site].purpose != "shuffle"
    ]
    found = []
    if results:
        found.append(
            "a result of chance" if len(results) == 1 else f"{len(results)} results of chance"
        )
    pieces = range(sum(kind.count for kind in program.pieces))
    hidden = [piece for piece in pieces if not viewer.knows_piece(first.cells, piece, player)]
    shown = dict.fromkeys(
        compiled.words.thing("piece", piece) or viewer.piece_name(piece).replace("_", " ")
        for piece in hidden
        if any(viewer.knows_piece(state.cells, piece, player) for state in others)
    )
    found += shown
    if viewer.has_secrets and Sampler(first, player).has_disclosed(others, Generator.seeded(0)):
        found.append("something hidden")
    return found
