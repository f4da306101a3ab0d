"""Levels against each other in the large games, each with an eighth of its time, until one is known to be stronger.

One seat has the higher level, all others the lower one; the seat rotates. A pair is done when its interval lies above
the fair share, or after `MOST` matches. Times are CPU times.
"""

from __future__ import annotations

from time import process_time
from typing import Final

from bench.keeping import Kept, Row
from bench.search import LARGE
from bench.strength import WHOLE, Match, play_match
from rulewright.interpreter.bots.tree_search import CLOCK
from rulewright.interpreter.statistics.intervals import mean_interval

PAIRS: Final = (("easy", "greedy"), ("normal", "easy"), ("hard", "normal"))
BOTS: Final = {
    "greedy": "greedy",
    "easy": "mcts:0.03s",
    "normal": "mcts:0.125s",
    "hard": "mcts:0.625s",
}
MOST: Final = 60
_LEAST: Final = 6


def ladder(part: float, kept: Kept) -> list[Row]:
    """For each large game and pair of levels, the share of victories of the higher level; `part` of the matches are
    played."""
    CLOCK.set(process_time)
    most = max(2, round(MOST * part))
    return [_row(game, *pair, most, kept) for pair in PAIRS for game in LARGE]


def _row(game: str, bot: str, against: str, most: int, kept: Kept) -> Row:
    players = LARGE[game]
    match, rows = Match(game, players, BOTS[bot], BOTS[against], most), list[Row]()

    def one(number: int) -> Row:
        seat = number % players
        return {"part": round(WHOLE * play_match(match, number, seat).shares[seat])}

    low, high = 0.0, 1.0
    for rows in kept.growing(f"ladder {game} {players} {bot} {against}", most, one):
        parts = [int(str(row["part"])) for row in rows]
        found = mean_interval(len(rows), sum(parts), sum(part * part for part in parts))
        low, high = (0.0, 1.0) if found is None else (found[0] / WHOLE, found[1] / WHOLE)
        if len(rows) >= _LEAST and low > 1 / players:
            break
    return {
        "game": game,
        "players": players,
        "bot": bot,
        "against": against,
        "matches": len(rows),
        "part": round(sum(int(str(row["part"])) for row in rows) / max(1, len(rows)) / WHOLE, 3),
        "from": round(max(0.0, low), 3),
        "to": round(min(1.0, high), 3),
        "fair": round(1 / players, 3),
    }
