"""Random matches through the Python interface, compared with the same games in other libraries."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from bench.peers import FIRST, NOBODY, OPEN_SPIEL, SECOND, WHO, Tally, peers
from bench.turns import best_ratio, ratio, take_turns
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.matches.game import Game, load_game, playout

AIMS = {"connect_four": 0.30, "breakthrough": 0.25, "reversi": None}
RESULTS_AIMS = {"connect_four": 20.0, "breakthrough": 8.0, "reversi": 8.0}
RESULTS, RESULTS_NATIVE = "game.results", "game.results, native"
AT_ONCE: dict[str, tuple[EngineName, int]] = {
    RESULTS: ("python", 100),
    RESULTS_NATIVE: ("native", 1000),
}
"""The number of games that one call plays."""


def playouts(seconds: float) -> list[dict[str, object]]:
    """For each game, for each of our interfaces and each peer: the rate, the ratio to OpenSpiel's loop, the
    victories."""
    rows = []
    for name, aim in AIMS.items():
        rows.extend(_rows(name, aim, seconds))
    return rows


def _rows(name: str, aim: float | None, seconds: float) -> list[dict[str, object]]:
    game = load_game(name)
    ours = WAYS | (NATIVE if "native" in engine_names() else {})
    tallies: dict[str, Tally] = {}
    contestants: dict[str, Callable[[int], int]] = {}
    for way, play in ours.items():
        tallies[way] = Tally()
        contestants[way] = _counting(play, game, tallies[way])
    for way, (engine, many) in AT_ONCE.items():
        if engine in engine_names():
            tallies[way] = tally = Tally()
            contestants[way] = partial(_by_results, game, engine, many, tally)
    for who, peer in peers(name):
        tallies[who] = tally = Tally()
        contestants[who] = partial(peer, tally)
    runs = take_turns(contestants, seconds)
    beside = runs.get(OPEN_SPIEL)
    rows: list[dict[str, object]] = []
    for way, run in runs.items():
        games = tallies[way].outcomes.total()
        length = tallies[way].decisions / games
        rows.append(
            {
                "game": name,
                "way": way,
                "games_per_second": round(run.counted_per_second, 1),
                "moves_per_second": round(run.counted_per_second * length),
                "ratio": round(ratio(run, beside), 3) if beside else None,
                "at_best": round(best_ratio(run, beside), 3) if beside else None,
                "aim": aim
                if way in WAYS
                else RESULTS_AIMS[name]
                if way == RESULTS_NATIVE
                else None,
                "games": games,
                "mean_length": round(length, 2),
                **{who: round(tallies[way].outcomes[who] / games, 4) for who in WHO},
            }
        )
    return rows


def _counting(
    play: Callable[[Game, int], tuple[str, int]], game: Game, tally: Tally
) -> Callable[[int], int]:
    def once(number: int) -> int:
        who, moves = play(game, number)
        tally.outcomes[who] += 1
        tally.decisions += moves
        return 1

    return once


def _by_options(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    state, moves = game.start(seed=seed, engine=engine), 0
    while not state.over:
        state = state.choose(random.choice(state.decision.options))
        moves += 1
    return winner(state.winners), moves


def _by_numbers(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    state, moves = game.start(seed=seed, engine=engine), 0
    while not state.over:
        state = state.take(random.choice(state.option_ids))
        moves += 1
    return winner(state.winners), moves


def _by_playout(game: Game, seed: int, engine: EngineName = "python") -> tuple[str, int]:
    counts: list[int] = []
    state = playout(game.compiled(game.variant(), engine), seed, None, counts)
    return winner(state.winners), len(counts)


def _by_results(game: Game, engine: EngineName, many: int, tally: Tally, number: int) -> int:
    results = game.results(range(number * many, (number + 1) * many), engine=engine)
    first, second = results.wins(0), results.wins(1)
    tally.outcomes.update({FIRST: first, SECOND: second, NOBODY: many - first - second})
    tally.decisions += sum(results.lengths)
    return many


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


def winner(winners: tuple[int, ...]) -> str:
    """The victories, in the form that all peers use."""
    return (FIRST, SECOND)[winners[0]] if len(winners) == 1 else NOBODY
