"""Vectors as learners drive them: an action drawn for each match, a step, and an observation or an encoding.

For comparison it shows the rate of whole random playouts (`results`), which need no lists, masks or observations.
Lists of legal actions and masks are compared by the step alone, with actions that were drawn in advance.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from bench.turns import Run, take_turns
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.vector import Legal, Vector
from rulewright.interpreter.views.compiled_game import CompiledGame

GAMES = (
    "connect_four",
    "leduc_poker",
    "reversi",
    "ginkgopolis",
    "endeavor",
    "equilibris",
    "colonial",
    "through_the_ages",
)
COUNT = 1024
STEPS = 40
PLAYOUTS = 64


def environments(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """Millions of steps a second, one core, for each way to drive a vector."""
    return [_row(name, seconds) for name in games or GAMES if "native" in engine_names()]


def _row(name: str, seconds: float) -> dict[str, object]:
    game = load_game(name)
    variant = game.variant(None, game.for_random_play())
    compiled = game.compiled(variant, "native")
    if isinstance(compiled.engine, NativeEngine):
        compiled.engine.settle()
    vector, masked = _vector(compiled, "lists"), _vector(compiled, "masks")
    drawn = [array("i")] * STEPS
    for number in range(STEPS):
        drawn[number] = vector.draw(number)
        vector.step(drawn[number])
    seen = array("i", bytes(4 * COUNT * vector.observer.size))
    code = array("f", bytes(4 * COUNT * vector.observer.encoded_size))

    def replay(of: Vector) -> Callable[[int], int]:
        def once(number: int) -> int:
            if not number % STEPS:
                of.reset(7)
            of.step(drawn[number % STEPS])
            return COUNT

        return once

    def drive(look: Callable[[], object]) -> Callable[[int], int]:
        def once(number: int) -> int:
            vector.step(vector.draw(number))
            look()
            return COUNT

        return once

    def play_out(number: int) -> int:
        seeds = range(number * PLAYOUTS, (number + 1) * PLAYOUTS)
        found = game.results(seeds, options=dict(variant.options), engine="native")
        return sum(found.lengths)

    runs = take_turns({"lists": replay(vector)}, seconds)
    vector.reset(7)
    runs |= take_turns(
        {
            "masks": replay(masked),
            "drawn": drive(lambda: None),
            "observed": drive(lambda: vector.observe(seen)),
            "encoded": drive(lambda: vector.encode("float32", code)),
            "results": play_out,
        },
        seconds,
    )
    rates = {way: _millions(run) for way, run in runs.items()}
    return {
        "game": name,
        "actions": len(vector.actions),
        "observation": vector.observer.size,
        "encoding": vector.observer.encoded_size,
        **{way: round(rate, 3) for way, rate in rates.items()},
        "lists_of_results": round(rates["lists"] / rates["results"], 2),
    }


def _vector(compiled: CompiledGame, legal: Legal) -> Vector:
    return Vector.of(compiled, COUNT, 7, legal=legal)


def _millions(run: Run) -> float:
    # In the best turn: other programs push the states of many matches out of the cache.
    return max(run.rates) / 1e6
