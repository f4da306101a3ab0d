"""Random games of the large games, counted in random games of Connect Four."""

from __future__ import annotations

from collections.abc import Callable

from bench.playouts import by_numbers
from bench.turns import Run, ratio, take_turns
from rulewright.interpreter.game import Game, load_game, playout

MEASURE = "connect_four"
PLAYERS = {"ginkgopolis": 4, "endeavor": 3, "equilibris": 2}
AIMS = {"ginkgopolis": 25.0}
PLAYS = 40


def large(seconds: float) -> list[dict[str, object]]:
    """For each game: its rates, and how many games there are in the time of 1,000 of Connect Four."""
    games = {MEASURE: load_game(MEASURE)} | {name: load_game(name) for name in PLAYERS}
    contestants = {name: _playing(game, PLAYERS.get(name)) for name, game in games.items()}
    runs = take_turns(contestants, seconds)
    return [_row(name, run, runs[MEASURE]) for name, run in runs.items()]


def _row(name: str, run: Run, measure: Run) -> dict[str, object]:
    games, measures = run.done / run.count, measure.done / measure.count
    return {
        "game": name,
        "players": PLAYERS.get(name, 2),
        "games_per_second": round(run.per_second, 1),
        "decisions_per_second": round(run.counted_per_second),
        "mean_decisions": round(run.count / run.done, 1),
        "per_1000_connect_four": round(1000 * ratio(run, measure) * games / measures, 2),
        "aim": AIMS.get(name),
    }


def _playing(game: Game, players: int | None) -> Callable[[int], int]:
    if players is None:
        return lambda number: by_numbers(game, number)[1]
    variant = game.variant(game.setting(players))

    def once(number: int) -> int:
        counts: list[int] = []
        playout(variant, number % PLAYS, None, counts)
        return len(counts)

    return once
