"""A play in which everybody chooses at random, for any engine.

The choices of bots are drawn in strides, so that a bot at decision `n` draws the same whatever was
drawn before. Refuses to know programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.dsl.ir import BOUND, OVER
from rulewright.interpreter.engines.chance import Generator, draw, key_of
from rulewright.interpreter.engines.engine import STEPS, Cells, Engine, only_chance

WORDS_A_STEP: Final = 2**24
"""How many words a bot may draw for one decision."""
_STREAM: Final = 1  # of a seed; chance has stream 0


def bot_generator(seed: int, decisions: int) -> Generator:
    """The generator for a bot that decides after so many decisions."""
    return Generator(key_of(seed, _STREAM), decisions * WORDS_A_STEP)


def at_random(
    engine: Engine,
    cells: Cells,
    chance: Generator,
    bots: Generator,
    longest: int | None,
    counts: list[int] | None,
) -> None:
    """As `Engine.at_random`: the definition."""
    chances = 0
    while not cells[OVER]:
        if cells[BOUND]:
            chances += 1
            if chances > STEPS:
                raise only_chance(engine.program, cells)
            engine.advance(cells, chance.below(cells[BOUND]))
            continue
        if longest == 0:
            return
        chances = 0
        offered = engine.options(cells)
        choice, _ = draw(bots.key, bots.counter, len(offered))
        bots.counter += WORDS_A_STEP
        engine.advance(cells, offered[choice])
        if counts is not None:
            counts.append(len(offered))
        if longest is not None:
            longest -= 1


def ends_at_random(
    engine: Engine,
    cells: Cells,
    generators: Sequence[tuple[Generator, Generator]],
    longest: int | None,
) -> list[Cells]:
    """As `Engine.ends_at_random`: the definition."""
    ends = []
    for chance, bots in generators:
        end = cells[:]
        engine.at_random(end, chance, bots, longest)
        ends.append(end)
    return ends
