"""Generated Python and native code compared with the reference, on playouts of every shipped game.

If the reference does not finish in a turn, all engines make the first decisions of a match, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

from bench.turns import best_ratio, ratio, take_turns
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.engines import engine_names
from rulewright.interpreter.engines.playouts import at_random, bot_generator
from rulewright.interpreter.matches.game import load_game, playout
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.views.compiled_game import CompiledGame

AIM = 15.0
LONGEST = 20_000
TURNS = 5
MOST_PLAYS = 200
FEWEST = 8
"""Decisions of a match that is not played to its end."""


def engines(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """For each game: the rates of the engines in the same matches, and their ratios."""
    return [_row(name, seconds) for name in games or shipped_games()]


def _row(name: str, seconds: float) -> dict[str, object]:
    game = load_game(name)
    variant = game.variant(None, game.for_random_play())
    slowest = game.compiled(variant, "reference")
    first = _decisions_in(slowest, seconds / TURNS)
    plays = 1 if first else _plays_in(slowest, seconds / TURNS)
    runs = take_turns(
        {name: _playing(game.compiled(variant, name), plays, first) for name in engine_names()},
        seconds,
    )
    fast, slow, native = runs["python"], runs["reference"], runs.get("native")
    return {
        "game": name,
        "players": variant.players,
        "ratio": round(ratio(fast, slow), 1),
        "at_best": round(best_ratio(fast, slow), 1),
        "aim": AIM,
        "games_per_second": None if first else round(fast.per_second, 1),
        "decisions_per_second": round(fast.counted_per_second),
        "reference_decisions_per_second": round(slow.counted_per_second),
        "native_to_python": round(ratio(native, fast), 1) if native else None,
        "native_games_per_second": round(native.per_second, 1) if native and not first else None,
        "mean_decisions": None if first else round(fast.count / fast.done, 1),
        "first_decisions": first,
    }


def _decisions_in(compiled: CompiledGame, seconds: float) -> int | None:
    """The number of decisions of a match that fit into a turn; None if the whole match fits."""
    decisions = FEWEST
    while True:
        begun = process_time()
        if _first_decisions(compiled, decisions) < decisions:
            return None
        if process_time() - begun > seconds / 2:
            return decisions
        decisions *= 2


def _first_decisions(compiled: CompiledGame, decisions: int) -> int:
    """Make up to this many decisions of a match, one by one, and return their number."""
    cells, counts = compiled.begin(), list[int]()
    at_random(compiled.engine, cells, Generator(key_of(0)), bot_generator(0, 0), decisions, counts)
    return len(counts)


def _plays_in(compiled: CompiledGame, seconds: float) -> int:
    """The number of matches that fit into a turn."""
    begun, plays = process_time(), 0
    while plays < MOST_PLAYS and (not plays or process_time() - begun < seconds):
        playout(compiled, plays, LONGEST)
        plays += 1
    return plays


def _playing(compiled: CompiledGame, plays: int, first: int | None) -> Callable[[int], int]:
    """Plays the same few matches as the other engines again and again, or makes their first decisions."""

    def once(number: int) -> int:
        if first:
            return _first_decisions(compiled, first)
        counts: list[int] = []
        playout(compiled, number % plays, LONGEST, counts)
        return len(counts)

    return once
