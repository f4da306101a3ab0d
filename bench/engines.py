"""Generated Python and native code beside the reference, on random plays of every shipped game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

from bench.bounds import bounded
from bench.turns import best_ratio, ratio, take_turns
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.plays.game import load_game, playout
from rulewright.interpreter.plays.library import shipped_games
from rulewright.interpreter.viewing.variant import Variant

AIM = 15.0
LONGEST = 20_000
TURNS = 5
MOST_PLAYS = 200


def engines(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """For each game: the ratios of the engines on the same plays, and their rates."""
    return [_row(name, seconds) for name in games or shipped_games()]


def _row(name: str, seconds: float) -> dict[str, object]:
    game = load_game(name)
    setting = bounded(game)
    slowest = game.variant(setting, "reference")
    plays = _plays_in(slowest, seconds / TURNS)
    runs = take_turns(
        {name: _playing(game.variant(setting, name), plays) for name in engine_names()}, seconds
    )
    fast, slow, native = runs["python"], runs["reference"], runs.get("native")
    return {
        "game": name,
        "players": setting.players,
        "ratio": round(ratio(fast, slow), 1),
        "at_best": round(best_ratio(fast, slow), 1),
        "aim": AIM,
        "games_per_second": round(fast.per_second, 1),
        "decisions_per_second": round(fast.counted_per_second),
        "reference_games_per_second": round(slow.per_second, 2),
        "native_to_python": round(ratio(native, fast), 1) if native else None,
        "native_games_per_second": round(native.per_second, 1) if native else None,
        "mean_decisions": round(fast.count / fast.done, 1),
    }


def _plays_in(variant: Variant, seconds: float) -> int:
    """How many plays there is time for in a turn."""
    begun, plays = process_time(), 0
    while plays < MOST_PLAYS and (not plays or process_time() - begun < seconds):
        playout(variant, plays, LONGEST)
        plays += 1
    return plays


def _playing(variant: Variant, plays: int) -> Callable[[int], int]:
    """Plays the same few plays again and again, as the other engine does."""

    def once(number: int) -> int:
        counts: list[int] = []
        playout(variant, number % plays, LONGEST, counts)
        return len(counts)

    return once
