"""Implements the simple bots: random and greedy.

Given a state and a generator, a bot returns the number of the option that it chooses. The generator
depends on the seed of the match and on the number of earlier decisions. So bots make the same
choices after a match is resumed or partly undone. These bots have no memory.

`greedy` looks one move ahead. It takes each option on a copy, and continues with its own decisions
until another player decides. It prefers options that win, avoids options that lose, and otherwise
takes the largest lead in points. If options are equally good, it compares the lead after a few
random playouts, and then chooses at random. It takes actions that are always available only if they
are better. With chance or hidden pieces, it repeats this several times. Each time, it draws other
results of chance and other hidden things that agree with its knowledge (see `Sampler`). It does not
use the log.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from rulewright.dsl.ir import OVER
from rulewright.interpreter.bots.turns import Rows
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.knowledge.sampling import Sampler
from rulewright.interpreter.matches.returns import leads_of, returns, sides_of
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.compiled_game import CompiledGame

Cells: TypeAlias = "array[int]"
Bot: TypeAlias = Callable[[State, Generator], int]

_LOOKS = 4  # the number of samples if the future is uncertain
_PLAYS = 2
"""The number of random playouts after each of several equally good options."""
_FAR = 6
"""The maximum number of decisions of each seat in a playout after an equally good option."""
_SEEDS = 2**31


def choose_at_random(state: State, generator: Generator) -> int:
    """Choose an option at random, with equal probabilities."""
    offered = state.option_ids
    return offered[generator.below(len(offered))]


def choose_greedily(state: State, generator: Generator) -> int:
    """Choose an option that leads to the best position for the chooser. Among equally good options,
    choose at random."""
    offered = state.option_ids
    if len(offered) == 1:
        return offered[0]
    player, compiled = state.player, state.compiled
    hides = compiled.viewer.has_secrets
    looks = _LOOKS if hides or compiled.program.chances else 1
    sight = _Sight(compiled, player, generator)
    sampler = Sampler(state, player, far=0) if hides else None
    worths = [(0.0, 0)] * len(offered)
    guesses = []
    for _ in range(looks):
        cells = state.cells
        if sampler is not None:
            cells = sampler.draw(generator)
        guesses.append(cells)
        for place, option in enumerate(offered):
            result, lead = sight.after(cells[:], option, len(offered))
            worths[place] = round(worths[place][0] + result, 6), worths[place][1] + lead
    best = max(worths)
    equals = [option for option, worth in zip(offered, worths, strict=True) if worth == best]
    equals = [option for option in equals if not compiled.is_aside(state.cells, option)] or equals
    if len(equals) > 1 and compiled.program.score:
        later = [sight.later(guesses, option) for option in equals]
        equals = [option for option, lead in zip(equals, later, strict=True) if lead == max(later)]
    return equals[generator.below(len(equals))]


BOTS: Mapping[str, Bot] = MappingProxyType({"random": choose_at_random, "greedy": choose_greedily})
"""The simple bots, keyed by their names."""


class _Sight:
    """Rates positions of one variant for a player. Overwrites the cells that it is given."""

    def __init__(self, compiled: CompiledGame, player: int, generator: Generator) -> None:
        self._compiled = compiled
        self._player = player
        self._generator = generator
        self._sides = sides_of(compiled)
        self._rows = Rows(compiled, generator, self._standing)

    def after(self, cells: Cells, option: int, among: int) -> tuple[float, int]:
        """Return the result and the lead after the move that begins with `option`. The decision has `among` options."""
        try:
            return self._rows.best(cells, option, among).worth
        except RuleFault:
            # A sampled position may be impossible. A fault with another cause will occur again in
            # the match.
            return 0.0, 0

    def later(self, guesses: Sequence[Cells], option: int) -> int:
        """Return the sum of the leads after several random playouts that begin with an option."""
        compiled, lead = self._compiled, 0
        for play in range(_PLAYS):
            cells = guesses[play % len(guesses)][:]
            seed = self._generator.below(_SEEDS)
            chance, bots = Generator(key_of(seed)), bot_generator(seed, 0)
            try:
                self._rows.advance(cells, option)
                compiled.engine.at_random(cells, chance, bots, _FAR * compiled.program.seats)
                lead += self._lead(cells, self._player)
            except RuleFault:
                continue
        return lead

    def _standing(self, cells: Cells, player: int) -> tuple[float, int]:
        result = returns(self._compiled, cells)[player] if cells[OVER] else 0.0
        return result, self._lead(cells, player)

    def _lead(self, cells: Cells, player: int) -> int:
        """Return the points of the player's side minus the points of the best other side."""
        if not self._compiled.program.score:
            return 0
        return leads_of(self._sides, self._compiled.totals(cells))[player]
