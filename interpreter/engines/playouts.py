"""Defines playouts in which all players choose at random, for any engine and any program.

Bots draw their random numbers in strides. So the numbers of a bot at decision `n` do not depend on
earlier draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.dsl.ir import BOUND, OVER
from rulewright.interpreter.engines.chance import Generator, draw, key_of
from rulewright.interpreter.engines.engine import STEPS, Cells, Engine, only_chance, returns
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.text.faults import total_of

WORDS_A_STEP: Final = 2**24
"""The maximum number of random words that a bot draws for one decision."""
BOTS: Final = 1
"""The stream of a seed from which bots draw. Chance has stream 0."""
_IN_A_PART: Final = 2_000


def bot_generator(seed: int, decisions: int) -> Generator:
    """Return the generator for a bot that decides after `decisions` decisions."""
    return Generator(key_of(seed, BOTS), decisions * WORDS_A_STEP)


def at_random(
    engine: Engine,
    cells: Cells,
    chance: Generator,
    bots: Generator,
    longest: int | None,
    counts: list[int] | None,
) -> None:
    """Define the meaning of `Engine.at_random`."""
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


def results_at_random(
    engine: Engine, cells: Cells, seeds: Iterable[int], longest: int
) -> Iterator[Results]:
    """Define the meaning of `Engine.results_at_random`."""
    part, decisions = Results.of(engine.program), 0
    for seed in seeds:
        one = Results.of(engine.program, 1)
        result_at_random(engine, cells, seed, longest, one, 0)
        part.extend(one)
        decisions += 1 + one.lengths[0]
        if decisions >= _IN_A_PART:
            yield part
            part, decisions = Results.of(engine.program), 0
    if len(part):
        yield part


def result_at_random(
    engine: Engine, cells: Cells, seed: int, longest: int, results: Results, play: int
) -> None:
    """Write the result of the playout of a seed to index `play` of the results."""
    end, counts = cells[:], list[int]()
    engine.at_random(end, Generator(key_of(seed)), bot_generator(seed, 0), longest, counts)
    if not end[OVER]:
        results.put_unfinished(play, len(counts))
        return
    results.add_options(Counter(counts))
    winners, points = ending(engine, end)
    results.put(play, len(counts), winners, points, returns(end))


def totals(engine: Engine, cells: Cells) -> list[int]:
    """Define the meaning of `Engine.totals`."""
    items = [item.procedure for item in engine.program.score]
    found = []
    for seat in range(engine.program.seats):
        points = (engine.value(cells, item, (seat,)) for item in items)
        numbers = (number for number in points if isinstance(number, int))
        found.append(total_of(engine.program, numbers))
    return found


def ending(engine: Engine, end: Cells) -> tuple[list[int], list[int]]:
    """Return the winners and the points of a match that is over.

    The points are the score items of the first seat, then those of the second seat, and so on.
    """
    program = engine.program
    winners = engine.value(end, program.winners) if program.winners is not None else ()
    points = [
        engine.value(end, item.procedure, (seat,))
        for seat in range(program.seats)
        for item in program.score
    ]
    assert not isinstance(winners, int)
    numbers = [number for number in points if isinstance(number, int)]
    items = len(program.score)
    for first in range(0, len(numbers), items or 1):
        total_of(program, numbers[first : first + items])
    return (
        [winner for winner in winners if isinstance(winner, int)],
        numbers,
    )
