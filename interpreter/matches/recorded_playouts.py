"""Records random playouts while they run, in a single array of cells.

The result equals `record_of` for a `Match` between random bots, but no intermediate state is kept.
This module handles only random bots.
"""

from __future__ import annotations

from rulewright.dsl.ir import BOUND, OVER, SITE
from rulewright.interpreter.engines.chance import Generator, draw, key_of
from rulewright.interpreter.engines.engine import STEPS, only_chance
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.records import ROLL, SHUFFLE, Record, record_with
from rulewright.interpreter.matches.state import UNKNOWN, State, Terms
from rulewright.interpreter.views.compiled_game import CompiledGame


def record_playout(
    game: Game, variant: Variant, compiled: CompiledGame, seed: int, longest: int, counts: list[int]
) -> tuple[State, Record]:
    """Play the random match of a seed, and return its last state and its record.

    The number of options of each decision is appended to `counts`. The match is abandoned after
    `longest` decisions.
    """
    words, chances, engine = compiled.words, compiled.program.chances, compiled.engine
    cells = compiled.begin()
    chance = Generator(key_of(seed))
    bots = bot_generator(seed, 0)
    stride = bot_generator(seed, 1).counter - bots.counter
    steps: list[str] = []
    shuffled: list[str] = []
    offered: list[int] | None = None
    drawn = 0
    while not cells[OVER]:
        site = cells[SITE]
        if cells[BOUND]:
            drawn += 1
            if drawn > STEPS:
                raise only_chance(compiled.program, cells)
            result = chance.below(cells[BOUND])
            if chances[site].purpose == "shuffle":
                shuffled.append(str(result))
            else:
                if shuffled:
                    steps.append(SHUFFLE + " ".join(shuffled))
                    shuffled.clear()
                steps.append(ROLL + words.result(site, words.members(cells)[result]))
            offered = engine.advance(cells, result)
            continue
        if shuffled:
            steps.append(SHUFFLE + " ".join(shuffled))
            shuffled.clear()
        if len(counts) >= longest:
            break
        drawn = 0
        if offered is None:
            offered = engine.options(cells)
        place, _ = draw(bots.key, bots.counter, len(offered))
        bots.counter += stride
        choice = offered[place]
        counts.append(len(offered))
        steps.append(
            compiled.named_among(site, offered, place)
            if words.has_twins(site)
            else words.option(site, choice)
        )
        offered = engine.advance(cells, choice)
    if shuffled:
        steps.append(SHUFFLE + " ".join(shuffled))
    state = State(Terms(compiled, chance.key), cells, chance.counter, UNKNOWN)
    seats = ("random",) * compiled.program.seats
    return state, record_with(game, variant, seed, seats, steps, state)
