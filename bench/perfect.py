"""Matches of Connect Four against a perfect player, who moves second and takes one of the best moves at random.

Our bot moves first, and so it could always win. It plays as in the terminal: one second for a decision, two threads
and a kept tree.
"""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final

from bitbully import BitBully, Board

from bench.keeping import Kept, Row
from rulewright.interpreter.bots.tree_search import CLOCK, Effort, decide
from rulewright.interpreter.bots.trees import Memory
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.statistics.intervals import mean_interval

_EFFORT: Final = Effort(seconds=1.0)


def perfect(matches: int, kept: Kept) -> list[Row]:
    """The share of victories, with a draw as half of one, and the first mistakes."""
    CLOCK.set(monotonic)
    player = BitBully("12-ply-dist")
    *_, rows = kept.growing("perfect", matches, lambda number: _match(player, number))
    halves = [int(str(row["half_points"])) for row in rows]
    low, high = mean_interval(len(rows), sum(halves), sum(half * half for half in halves)) or (0, 2)
    return [
        {
            "matches": len(rows),
            "won": halves.count(2),
            "drawn": halves.count(1),
            "won_or_drawn": round(1 - halves.count(0) / len(rows), 3),
            "share": round(sum(halves) / len(rows) / 2, 3),
            "from": round(max(0.0, low / 2), 3),
            "to": round(min(1.0, high / 2), 3),
            "mistakes_at": " ".join(str(row["mistake_at"]) for row in rows if row["mistake_at"]),
        }
    ]


def _match(player: BitBully, number: int) -> Row:
    """One match; a mistake is a move of ours that changes the result of perfect play."""
    loaded = load_game("connect_four")
    compiled = loaded.compiled(loaded.variant(2))
    get_ready(compiled)
    match, board, memory = Match.begin(loaded, loaded.variant(2), number), Board(), Memory()
    random, mistake = Random(number), 0
    while not match.state.over:
        scores = player.score_all_moves(board)
        best = max(scores.values())
        if match.state.player == 0:
            generator = bot_generator(number, match.decisions)
            option = decide(match.state, _EFFORT, generator, memory=memory, threads=2)
            column = int(compiled.option_name(match.state.cells, option)[len("drop(") : -1]) - 1
            if not mistake and _sign(scores[column]) != _sign(best):
                mistake = match.decisions + 1
        else:
            column = random.choice(sorted(one for one, score in scores.items() if score == best))
        match.choose(f"drop({column + 1})")
        board.play(column)
    shares = match.state.shares
    half = round(2 * shares[0]) if any(shares) else 1
    return {"number": number, "half_points": half, "mistake_at": mistake}


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
