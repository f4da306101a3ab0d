"""Many matches that step together (`game.vector`), compared with states that step one by one.

Both sides play the same matches from the same middle positions, with the same best native code and actions drawn in
advance. States step in three ways. The first computes everything that `vector.step` returns: a mask by numbers, the
player to move, the returns at an end. The second uses names. The third does as little as possible: it lists the
options and takes one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from random import Random

import attrs

from bench.turns import Run, best_ratio, take_turns
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.game import first_state, load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.matches.vector import Vector
from rulewright.interpreter.views.compiled_game import CompiledGame

GAMES = ("connect_four", "breakthrough", "reversi", "kalah", "love_letter")
COUNT = 2048
FEW = 16
"""The number of matches that are stepped one by one."""
BEFORE = 30
STEPS = 60
AIM = 20.0
RESTART = -1
"""The mark of a step that begins a match."""

Step = tuple[int, int, str]
"""The number of an action, of an option, and its name; `RESTART` with a seed."""


@attrs.define
class _Drawn:
    vector: Vector
    actions: list[array[int]]
    starts: list[State]
    one_by_one: list[list[Step]]


def vectors(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """For each game, the time of a step in each way, and the relative speed of the vector."""
    return [_row(name, seconds) for name in games or GAMES if "native" in engine_names()]


def _row(name: str, seconds: float) -> dict[str, object]:
    game = load_game(name)
    compiled = game.compiled(game.variant(), "native")
    if isinstance(compiled.engine, NativeEngine):
        compiled.engine.settle()
    drawn = _draw(compiled)
    ways = {"alike": _same_step, "by_name": _by_name, "bare": _bare}
    contestants = {way: _walking(drawn, step) for way, step in ways.items()}
    runs = take_turns({"vector": _stepping(drawn)} | contestants, seconds)
    return {
        "game": name,
        **{f"{way}_us": _micros(run) for way, run in runs.items()},
        **{f"times_{way}": round(best_ratio(runs["vector"], runs[way]), 1) for way in ways},
    }


def _micros(run: Run) -> float:
    # In the best turn: other programs push the masks of many matches out of the cache.
    return round(1e6 / max(run.rates), 3)


def _draw(compiled: CompiledGame) -> _Drawn:
    """Playouts, step by step; states follow some of them."""
    vector, random = Vector.of(compiled, COUNT, 7), Random(1)
    actions, many = vector.actions, len(vector.actions)
    drawn = _Drawn(vector, [], [], [[] for _ in range(FEW)])
    states: list[State] = []
    for number in range(BEFORE + STEPS):
        if number == BEFORE:
            states = [vector.state(slot) for slot in range(FEW)]
            drawn.starts = states[:]
        chosen = array("i", [0]) * COUNT
        masks = vector.masks.tobytes()
        for slot in range(COUNT):
            mask = masks[slot * many : (slot + 1) * many]
            wanted = random.randrange(max(1, mask.count(1)))
            place = mask.find(1)
            for _ in range(wanted):
                place = mask.find(1, place + 1)
            chosen[slot] = place
        for slot, state in enumerate(states):
            if state.over:
                seed = vector.seeds[slot] + COUNT
                drawn.one_by_one[slot].append((RESTART, seed, ""))
                states[slot] = first_state(compiled, seed)
                continue
            option = actions.option(state, chosen[slot])
            name = compiled.option_name(state.cells, option)
            drawn.one_by_one[slot].append((chosen[slot], option, name))
            states[slot] = state.take(option)
        drawn.actions.append(chosen)
        vector.step(chosen)
    return drawn


def _stepping(drawn: _Drawn) -> Callable[[int], int]:
    """A step of all matches; after the last drawn step it goes back to the start."""
    vector = drawn.vector

    def once(number: int) -> int:
        now = number % len(drawn.actions)
        if not now:
            vector.reset(7)
        vector.step(drawn.actions[now])
        return COUNT

    return once


def _walking(drawn: _Drawn, step: Callable[[Actions, State, Step], State]) -> Callable[[int], int]:
    actions, compiled = drawn.vector.actions, drawn.vector.compiled

    def once(number: int) -> int:
        slot = number % FEW
        state = drawn.starts[slot]
        for drawn_step in drawn.one_by_one[slot]:
            is_new = drawn_step[0] == RESTART
            state = (
                first_state(compiled, drawn_step[1]) if is_new else step(actions, state, drawn_step)
            )
        return STEPS

    return once


def _same_step(actions: Actions, state: State, drawn_step: Step) -> State:
    after = actions.take(state, drawn_step[0])
    actions.mask(after)
    after.returns()
    return after


def _by_name(_: Actions, state: State, drawn_step: Step) -> State:
    after = state.choose(drawn_step[2])
    if not after.over:
        after.decision.names  # noqa: B018  # read to measure its time
    return after


def _bare(_: Actions, state: State, drawn_step: Step) -> State:
    after = state.take(drawn_step[1])
    if not after.over:
        after.option_ids  # noqa: B018  # read to measure its time
    return after
