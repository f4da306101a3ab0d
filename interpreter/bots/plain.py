"""Players that need no person: random, and greedy.

A bot is given a state and a generator and chooses an option by its number. Its generator depends
on the seed of the play and on how many decisions there were before, so that a play that is taken
up again, or partly undone, goes on as it would have. Refuses to remember anything.

`greedy` looks one step ahead: it takes each option on a copy, prefers what wins, avoids what loses,
otherwise takes what leads by most points, and chooses at random among equals. Where there is chance
or something is hidden it does so several times, each time with other results of chance and with the
hidden pieces in other places that are as possible for all it knows. Hidden values (bids, say) it
does not guess but sees.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from rulewright.dsl.ir import BOUND, OVER
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.knowing.guessing import possible_state
from rulewright.interpreter.plays.state import State
from rulewright.interpreter.viewing.variant import Variant
from rulewright.interpreter.wording.faults import PlayFault

Bot: TypeAlias = "Callable[[State, Generator], int]"

_LOOKS = 4  # where the future is uncertain


def choose_at_random(state: State, generator: Generator) -> int:
    """Any option, each equally likely."""
    offered = state.option_ids
    return offered[generator.below(len(offered))]


def choose_greedily(state: State, generator: Generator) -> int:
    """An option after which the chooser stands best, any of the equally good ones."""
    offered = state.option_ids
    if len(offered) == 1:
        return offered[0]
    player = state.player
    variant = state.variant
    hides = bool(variant.program.links.pieces) and variant.viewer.has_secrets
    looks = _LOOKS if hides or variant.program.chances else 1
    worths = [(0, 0)] * len(offered)
    for _ in range(looks):
        cells = state.cells
        if hides:
            cells = possible_state(variant, cells, player, generator)
        for place, option in enumerate(offered):
            result, lead = _worth(variant, cells[:], option, player, generator)
            worths[place] = worths[place][0] + result, worths[place][1] + lead
    best = max(worths)
    equals = [option for option, worth in zip(offered, worths, strict=True) if worth == best]
    return equals[generator.below(len(equals))]


BOTS: Mapping[str, Bot] = MappingProxyType({"random": choose_at_random, "greedy": choose_greedily})
"""The bots by their names."""


def _worth(
    variant: Variant, cells: array[int], option: int, player: int, generator: Generator
) -> tuple[int, int]:
    """The result and the lead after an option, as far as it can be done; the cells are used up."""
    try:
        variant.advance(cells, option)
        while cells[BOUND]:
            variant.advance(cells, generator.below(cells[BOUND]))
        return _result(variant, cells, player), _lead(variant, cells, player)
    except PlayFault:
        # What is only guessed may be impossible; if it is not, the fault will come in play.
        return 0, 0


def _result(variant: Variant, cells: array[int], player: int) -> int:
    if not cells[OVER]:
        return 0
    winners = variant.winners(cells)
    return (player in winners) - (bool(winners) and player not in winners)


def _lead(variant: Variant, cells: array[int], player: int) -> int:
    if not variant.program.score:
        return 0
    others = (variant.total(cells, seat) for seat in range(variant.program.seats) if seat != player)
    return variant.total(cells, player) - max(others, default=0)
