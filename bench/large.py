"""The speed of random matches of the large games, relative to random matches of Connect Four.

The time for a thousand matches of Connect Four depends on the Python interface. All interfaces are shown, first
that of the README (`state.choose`).
"""

from __future__ import annotations

from collections.abc import Callable

from bench.playouts import WAYS
from bench.turns import Run, ratio, take_turns
from rulewright.interpreter.matches.game import load_game, playout

MEASURE = "connect_four"
PLAYERS = {"ginkgopolis": 4, "endeavor": 3, "equilibris": 2, "colonial": 4, "through_the_ages": 4}
AIMS = {"ginkgopolis": 25.0}
PLAYS = 40
COLUMNS = {
    "state.choose(option)": "per_1000_by_choose",
    "state.take(number)": "per_1000_by_take",
    "game.playout": "per_1000_by_playout",
}


def large(seconds: float) -> list[dict[str, object]]:
    """For each game: its rates, and the number of its matches in the time of 1,000 of Connect Four."""
    contestants = {way: _measuring(way) for way in COLUMNS}
    contestants |= {name: _playing(name) for name in PLAYERS}
    runs = take_turns(contestants, seconds)
    return [_row(name, run, runs) for name, run in runs.items()]


def _row(name: str, run: Run, runs: dict[str, Run]) -> dict[str, object]:
    games = run.done / run.count
    per_thousand = {
        column: round(1000 * ratio(run, runs[way]) * games * runs[way].count / runs[way].done, 2)
        for way, column in COLUMNS.items()
    }
    return {
        "game": name if name in PLAYERS else f"{MEASURE}, {name}",
        "players": PLAYERS.get(name, 2),
        "games_per_second": round(run.per_second, 1),
        "decisions_per_second": round(run.counted_per_second),
        "mean_decisions": round(run.count / run.done, 1),
        **per_thousand,
        "aim": AIMS.get(name),
    }


def _measuring(way: str) -> Callable[[int], int]:
    game, play = load_game(MEASURE), WAYS[way]
    return lambda number: play(game, number)[1]


def _playing(name: str) -> Callable[[int], int]:
    game = load_game(name)
    compiled = game.compiled(game.variant(PLAYERS[name], game.for_random_play()))

    def once(number: int) -> int:
        counts: list[int] = []
        playout(compiled, number % PLAYS, None, counts)
        return len(counts)

    return once
