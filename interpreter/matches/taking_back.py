"""Finds the secrets that a player has learned since a choice and would still know after taking the choice back."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.matches.state import State


def describe_revealed(states: Sequence[State], player: int) -> list[str]:
    """Describe the results of chance and the hidden pieces that were revealed to a player after the
    first of the given states.

    A shuffle alone reveals nothing, and a secret roll reveals nothing to players who do not see the
    result. Facts about pieces that are still hidden come last.
    """
    first, *others = states
    sampler = Sampler(first, player)
    results = sampler.known_results(others)
    found = []
    if results:
        found.append("a result of chance" if results == 1 else f"{results} results of chance")
    found += came_up(states, player)
    if first.compiled.viewer.has_secrets and sampler.has_disclosed(others, Generator.seeded(0)):
        found.append("something hidden")
    return found


def came_up(states: Sequence[State], viewer: int) -> list[str]:
    """Return the pieces that a player (or `EVERYBODY`) knows in at least one of the given states,
    but not in the first."""
    first, *others = states
    words, secrecy = first.compiled.words, first.compiled.viewer
    knows = secrecy.knows_piece
    pieces = range(sum(kind.count for kind in first.compiled.program.pieces))
    hidden = [piece for piece in pieces if not knows(first.cells, piece, viewer)]
    shown = dict.fromkeys(
        words.thing("piece", piece) or secrecy.piece_name(piece).replace("_", " ")
        for piece in hidden
        if any(knows(state.cells, piece, viewer) for state in others)
    )
    return [*shown]
