"""Bots against bots: the share of victories of one seat, with its interval and the fair share.

One seat has the bot, all others have the same other bot; the seat rotates from match to match. A victory is shared as
everywhere (`State.shares`). No times: the strength of a bot with a number of trials does not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import attrs

from rulewright.interpreter.bots.levels import bot_named
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.game import first_state, load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.statistics.intervals import mean_interval
from rulewright.interpreter.views.compiled_game import CompiledGame

LONGEST = 20_000
WHOLE = 27_720
"""A victory counts as this many points: up to twelve seats can share it without a remainder."""


@attrs.frozen
class Match:
    """A bot and its opponent, and the minimum number of matches."""

    game: str
    players: int
    bot: str
    against: str
    plays: int
    aim: float | None = None
    """The target for its share; without one, the share must be significantly above the fair one."""


@attrs.frozen
class Outcome:
    """The share of victories of the bot, and its interval."""

    part: float
    low: float
    high: float
    lost: int
    """The number of matches that only others won."""
    plays: int


MATCHES = (
    Match("tic_tac_toe", 2, "normal", "greedy", 40),
    Match("tic_tac_toe", 2, "normal", "normal", 20),
    Match("connect_four", 2, "hard", "greedy", 100, 0.95),
    Match("breakthrough", 2, "mcts:200", "greedy", 10),
    Match("reversi", 2, "mcts:200", "greedy", 10),
    Match("kalah", 2, "normal", "greedy", 60),
    Match("love_letter", 2, "normal", "greedy", 60),
    Match("love_letter", 3, "normal", "greedy", 30),
    Match("night_market", 2, "normal", "greedy", 20),
    Match("foxglove", 3, "mcts:200", "greedy", 12),
    Match("ginkgopolis", 2, "mcts:200", "greedy", 30),
    Match("ginkgopolis", 3, "mcts:200", "greedy", 15),
    Match("endeavor", 3, "mcts:100", "greedy", 30),
    Match("endeavor", 4, "mcts:100", "greedy", 40),
    Match("equilibris", 2, "mcts:100", "greedy", 30),
    Match("equilibris", 3, "mcts:100", "greedy", 30),
    Match("colonial", 2, "mcts:60", "greedy", 27),
    Match("colonial", 3, "mcts:80", "greedy", 12),
    Match("through_the_ages", 2, "mcts:40", "greedy", 13),
    Match("through_the_ages", 3, "mcts:40", "greedy", 7),
    *(
        Match(game, players, bot, "random", 4 if players > 2 else 6)
        for game, most, bot in (
            ("ginkgopolis", 3, "mcts:40"),
            ("endeavor", 4, "mcts:10"),
            ("equilibris", 3, "mcts:10"),
            ("colonial", 3, "mcts:10"),
            ("through_the_ages", 3, "mcts:10"),
        )
        for players in (most - 1, most)
    ),
    *(
        Match(game, players, "greedy", "random", 30)
        for game, players in (("kalah", 2), ("ginkgopolis", 3), ("endeavor", 3))
    ),
)


def strength(part: float = 1.0, matches: Sequence[Match] = MATCHES) -> list[dict[str, object]]:
    """The outcome of each pairing; `part` of its matches are played."""
    return [_row(match, max(2, round(match.plays * part))) for match in matches]


def _row(match: Match, plays: int) -> dict[str, object]:
    found = outcome(match, plays)
    return {
        "game": match.game,
        "players": match.players,
        "bot": match.bot,
        "against": match.against,
        "plays": plays,
        "part": round(found.part, 3),
        "from": round(found.low, 3),
        "to": round(found.high, 3),
        "fair": round(1 / match.players, 3),
        "aim": match.aim,
        "lost": found.lost,
    }


def outcome(match: Match, plays: int, first: int = 0) -> Outcome:
    """Play this many matches, with consecutive seeds from `first` on."""
    parts = []
    lost = 0
    for number in range(plays):
        seat = number % match.players
        end = play_match(match, first + number, seat)
        parts.append(round(WHOLE * end.shares[seat]))
        lost += not end.shares[seat] and any(end.shares)
    found = mean_interval(plays, sum(parts), sum(part * part for part in parts))
    low, high = found or (0.0, float(WHOLE))
    return Outcome(
        sum(parts) / plays / WHOLE, max(0.0, low / WHOLE), min(1.0, high / WHOLE), lost, plays
    )


def play_match(match: Match, seed: int, seat: int) -> State:
    """The end of a match in which the bot has this seat."""
    state = first_state(_compiled_game(match.game, match.players), seed, remember=True)
    bots = [bot_named(match.against)] * match.players
    bots[seat] = bot_named(match.bot)
    made = 0
    while not state.over and made < LONGEST:
        state = state.take(bots[state.player](state, bot_generator(seed, made)))
        made += 1
    return state


@cache
def _compiled_game(name: str, players: int) -> CompiledGame:
    game = load_game(name)
    return fastest(game.compiled(game.variant(players, game.for_random_play())))
