"""Random games through the Python interface, beside the same loop of OpenSpiel."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.turns import best_ratio, ratio, take_turns
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.plays.game import Game, load_game, playout

AIMS = {"connect_four": 0.30, "breakthrough": 0.25}
FIRST, SECOND, NOBODY = "first", "second", "draw"
Outcomes = Counter[str]


def playouts(seconds: float) -> list[dict[str, object]]:
    """For each game and each way to drive ours: the rate, the ratio to OpenSpiel, who won."""
    rows = []
    for name, aim in AIMS.items():
        rows.extend(_rows(name, aim, seconds))
    return rows


def _rows(name: str, aim: float, seconds: float) -> list[dict[str, object]]:
    game = load_game(name)
    ways = WAYS | (NATIVE if "native" in engine_names() else {})
    outcomes: dict[str, Outcomes] = {way: Counter() for way in (*ways, "OpenSpiel")}
    contestants = {way: _counting(play, game, outcomes[way]) for way, play in ways.items()}
    theirs = _open_spiel(name)
    if theirs is not None:
        contestants["OpenSpiel"] = _counting(_play_theirs, theirs, outcomes["OpenSpiel"])
    runs = take_turns(contestants, seconds)
    return [
        {
            "game": name,
            "way": way,
            "games_per_second": round(run.per_second, 1),
            "moves_per_second": round(run.counted_per_second),
            "ratio": round(ratio(run, runs["OpenSpiel"]), 3) if "OpenSpiel" in runs else None,
            "at_best": round(best_ratio(run, runs["OpenSpiel"]), 3)
            if "OpenSpiel" in runs
            else None,
            "aim": None if way == "OpenSpiel" else aim,
            "games": run.done,
            "mean_length": round(run.count / run.done, 2),
            **_shares(outcomes[way]),
        }
        for way, run in runs.items()
    ]


def _shares(outcomes: Outcomes) -> dict[str, float]:
    games = outcomes.total()
    return {who: round(outcomes[who] / games, 4) for who in (FIRST, SECOND, NOBODY)}


def _counting(
    play: Callable[[Any, int], tuple[str, int]], game: object, outcomes: Outcomes
) -> Callable[[int], int]:
    def once(number: int) -> int:
        who, moves = play(game, number)
        outcomes[who] += 1
        return moves

    return once


def _by_options(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    state, moves = game.start(seed=seed, engine=engine), 0
    while not state.over:
        state = state.choose(random.choice(state.decision.options))
        moves += 1
    return _winner(state.winners), moves


def _by_numbers(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    state, moves = game.start(seed=seed, engine=engine), 0
    while not state.over:
        state = state.take(random.choice(state.option_ids))
        moves += 1
    return _winner(state.winners), moves


def _by_playout(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    counts: list[int] = []
    state = playout(game.variant(game.setting(), engine), seed, None, counts)
    return _winner(state.winners), len(counts)


WAYS: dict[str, Callable[[Game, int], tuple[str, int]]] = {
    "state.choose(option)": _by_options,
    "state.take(number)": _by_numbers,
    "game.playout": _by_playout,
}
NATIVE: dict[str, Callable[[Game, int], tuple[str, int]]] = {
    "state.choose(option), native": lambda game, seed: _by_options(game, seed, "native"),
    "state.take(number), native": lambda game, seed: _by_numbers(game, seed, "native"),
    "game.playout, native": lambda game, seed: _by_playout(game, seed, "native"),
}


def _winner(winners: tuple[int, ...]) -> str:
    return (FIRST, SECOND)[winners[0]] if len(winners) == 1 else NOBODY


def _open_spiel(name: str) -> Any:  # pyspiel has no types
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    return pyspiel.load_game(name)


def _play_theirs(game: Any, _: int) -> tuple[str, int]:
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        moves += 1
    returns = state.returns()
    return (NOBODY if returns[0] == returns[1] else FIRST if returns[0] > 0 else SECOND), moves
