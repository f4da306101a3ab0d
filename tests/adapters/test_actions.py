"""Actions have dense numbers: the same action the same number in every state."""

from __future__ import annotations

import pytest

from rulewright.adapters.table import Table
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator


@pytest.mark.parametrize("game", ["connect_four", "kuhn_poker", "love_letter", "kalah"])
def test_numbers_stand_for_the_same_words_everywhere(game: str) -> None:
    table = Table.of(game)
    actions = table.actions
    words: dict[int, str] = {}
    for seed in range(3):
        state = table.start(seed)
        made = 0
        while not state.over:
            names = state.decision.names
            for number, name in zip(actions.offered(state), names, strict=True):
                assert 0 <= number < len(actions)
                assert words.setdefault(number, name) == name
                assert actions.words(number).endswith(name)
            mask = actions.mask(state)
            assert len(mask) == len(actions)
            assert sum(mask) == len(names)
            number = actions.offered(state)[0]
            assert actions.take(state, number) == state.take(state.option_ids[0])
            state = state.take(choose_at_random(state, bot_generator(seed, made)))
            made += 1
        assert actions.offered(state) == []


def test_what_cannot_be_done_is_refused() -> None:
    table = Table.of("connect_four")
    state = table.start(0)
    with pytest.raises(ValueError, match="action 99 cannot be done here"):
        table.actions.take(state, 99)
    with pytest.raises(ValueError, match="there is no action 99, only 7 of them"):
        table.actions.words(99)


def test_connect_four_has_seven_actions() -> None:
    actions = Table.of("connect_four").actions
    assert len(actions) == 7
    assert [word.partition(": ")[2] for word in actions] == [f"drop({n})" for n in range(1, 8)]


def test_returns_add_up_to_nothing() -> None:
    for game, players in (("love_letter", 3), ("tic_tac_toe", 2)):
        table = Table.of(game, players)
        state, made = table.start(1), 0
        assert table.returns(state) == [0.0] * players
        while not state.over:
            state = state.take(choose_at_random(state, bot_generator(1, made)))
            made += 1
        returns = table.returns(state)
        assert sum(returns) == pytest.approx(0)
        assert all(returns[seat] == max(returns) for seat in state.winners)


def test_returns_by_points_are_the_distance_from_the_mean() -> None:
    table = Table.of("kuhn_poker", reward="points")
    state = table.start(3)
    while not state.over:
        state = state.take(state.option_ids[-1])
    assert table.returns(state) == [float(score.total) for score in state.scores]
