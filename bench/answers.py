"""How long a person waits for a bot: the first decision in a new process, and later ones.

The first one includes the generation of code. The game is loaded first: a person waits for the match to begin, and
then for the bot.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, process_time

from rulewright.interpreter.bots.tree_search import CLOCK, Effort, decide
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.state import State

ROOT = Path(__file__).parents[1]
LATER = 9
"""How many later decisions are measured."""
APART = 7
"""How many random decisions are made between two measured ones."""
LATE = {"native": 0.3, "python": 1.5}
"""For each engine, how many seconds late an answer may be."""


def answers(seconds: float, games: Sequence[str], engine: str) -> list[dict[str, object]]:
    """For each game, the seconds until a bot with this thinking time answers, in a new process."""
    rows: list[dict[str, object]] = []
    every: list[float] = []
    hide = "import sys; sys.modules['llvmlite'] = None; " if engine == "python" else ""
    longest = seconds + LATE[engine]
    for game in games or shipped_games():
        order = f"{hide}from bench.answers import tell; tell({game!r}, {seconds!r})"
        ran = subprocess.run(
            [sys.executable, "-c", order], check=True, capture_output=True, text=True, cwd=ROOT
        )
        (first, busy), *later = json.loads(ran.stdout)
        every += [first, *(clock for clock, _ in later)]
        rows.append(
            {
                "game": game,
                "first": round(first, 2),
                "cpu_seconds": round(busy, 2),
                "longest_later": round(max((clock for clock, _ in later), default=0.0), 2),
            }
        )
    in_time = sum(clock <= longest for clock in every)
    late = f"all: {in_time} of {len(every)} within {longest:g} s"
    best = {"first": None, "cpu_seconds": None, "longest_later": round(max(every), 2)}
    return [*rows, {"game": late, **best}]


def tell(game: str, seconds: float) -> None:
    """Print the seconds of each answer, by the clock and in CPU time."""
    CLOCK.set(monotonic)
    state = load_game(game).start(seed=1, remember=True)
    found, generator = [], Generator.seeded(1)
    for number in range(1 + LATER):
        for _ in range(APART if number else 0):
            state = _at_random(state, generator)
        while not state.over and len(state.option_ids) == 1:
            state = _at_random(state, generator)
        if state.over:
            break
        begun, before = monotonic(), process_time()
        decide(state, Effort(seconds=seconds), generator)
        found.append((monotonic() - begun, process_time() - before))
    print(json.dumps(found))


def _at_random(state: State, generator: Generator) -> State:
    if state.over:
        return state
    return state.take(state.option_ids[generator.below(len(state.option_ids))])
