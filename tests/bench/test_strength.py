"""The strength of bots, with few matches and generous margins; `make bench` plays more."""

from __future__ import annotations

import pytest

from bench.strength import Match, outcome, play_match
from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.state import State

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("match", "least"),
    [
        (Match("connect_four", 2, "mcts:400", "greedy", 10), 0.75),
        (Match("breakthrough", 2, "mcts:60", "greedy", 4), 0.75),
        (Match("reversi", 2, "mcts:60", "greedy", 4), 0.75),
        (Match("kalah", 2, "mcts:200", "greedy", 12), 0.55),
        (Match("endeavor", 3, "greedy", "random", 6), 0.6),
        *(
            pytest.param(Match(*match), least, marks=pytest.mark.deep)
            for match, least in [
                (("connect_four", 2, "hard", "greedy", 40), 0.9),
                (("night_market", 2, "normal", "greedy", 8), 0.75),
                (("foxglove", 3, "mcts:200", "greedy", 6), 0.75),
                (("ginkgopolis", 2, "mcts:60", "greedy", 8), 0.6),
                (("ginkgopolis", 3, "mcts:60", "greedy", 6), 0.5),
                (("colonial", 2, "mcts:40", "greedy", 12), 0.7),
                (("ginkgopolis", 3, "greedy", "random", 12), 0.5),
                (("endeavor", 3, "mcts:10", "random", 4), 0.75),
            ]
        ),
    ],
    ids=lambda value: (
        f"{value.game} {value.bot} {value.against}" if isinstance(value, Match) else None
    ),
)
def test_a_clear_lead_stops_a_duel(match: Match, least: float) -> None:
    """The share over all matches; matches that cannot change the verdict are not played."""
    taken, wanted, number = 0.0, least * match.plays, 0
    while taken < wanted and number < match.plays:
        seat = number % match.players
        taken += play_match(match, number, seat).shares[seat]
        number += 1
    assert taken >= wanted


def test_tic_tac_toe_is_never_lost() -> None:
    for against in ("greedy", "random"):
        assert outcome(Match("tic_tac_toe", 2, "normal", against, 10), 10).lost == 0


def _wins(state: State, player: int) -> list[int]:
    """The options that win at once."""
    if state.over:
        return []
    return [option for option in state.option_ids if player in state.take(option).winners]


def test_four_in_a_row_are_taken_and_three_are_blocked() -> None:
    """In positions of random matches that have one right option."""
    game, taken, blocked = load_game("connect_four"), 0, 0
    for seed in range(40):
        state, made = game.start(seed=seed), 0
        while not state.over and taken + blocked < 30:
            mine = _wins(state, state.player)
            after = {
                option: _wins(state.take(option), 1 - state.player) for option in state.option_ids
            }
            saving = [option for option, wins in after.items() if not wins]
            if len(state.option_ids) > 1 and (mine or len(saving) == 1):
                best = think(state, Effort(playouts=400), Generator.seeded(seed)).best
                assert best in (mine or saving)
                taken += bool(mine)
                blocked += not mine
            state = state.take(choose_at_random(state, bot_generator(seed, made)))
            made += 1
    assert taken > 5
    assert blocked > 5
