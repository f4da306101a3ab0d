"""Results of many playouts (`game.results`), in decisions, compared with OpenSpiel's Python loop of Connect Four."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from bench.peers import OPEN_SPIEL, Tally, peers
from bench.turns import ratio, take_turns
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.game import LONGEST, load_game, results_of

MEASURE = "connect_four"
PLAYERS = {
    "connect_four": 2,
    "kalah": 2,
    "ginkgopolis": 4,
    "endeavor": 3,
    "equilibris": 2,
    "colonial": 4,
    "through_the_ages": 4,
}
AIMS = {
    "ginkgopolis": 65.0,
    "endeavor": 40.0,
    "equilibris": 40.0,
    "colonial": 10.0,
    "through_the_ages": 10.0,
}
"""The target: decisions per game of Connect Four in OpenSpiel's loop."""


def results(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """For each game: decisions a second in native code, and decisions per game of OpenSpiel's loop."""
    names = [name for name in games or PLAYERS if "native" in engine_names()]
    ours = {name: _playing(name) for name in names}
    theirs = {who: peer for who, peer in peers(MEASURE) if who == OPEN_SPIEL}
    tally = Tally()
    beside = {who: lambda number, peer=peer: peer(tally, number) for who, peer in theirs.items()}
    runs = take_turns(ours | beside, seconds)
    return [
        {
            "game": name,
            "players": PLAYERS.get(name, 2),
            "decisions_per_second": round(runs[name].counted_per_second),
            "for_a_game_of_their_loop": round(ratio(runs[name], runs[OPEN_SPIEL]), 1)
            if OPEN_SPIEL in runs
            else None,
            "aim": AIMS.get(name),
        }
        for name in names
    ]


def _playing(name: str) -> Callable[[int], int]:
    game = load_game(name)
    compiled = game.compiled(game.variant(PLAYERS.get(name), game.for_random_play()), "native")
    if isinstance(compiled.engine, NativeEngine):
        compiled.engine.settle()
    parts = results_of(compiled, compiled.begin(), count(), LONGEST, 1)
    return lambda _: sum(next(parts).lengths)
