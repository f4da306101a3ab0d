"""After `undo` a player has learned only what the question before it has named."""

from __future__ import annotations

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.matches.taking_back import describe_revealed
from rulewright.interpreter.views.view import as_text

HIDDEN = "something hidden"


def player_view(state: State, player: int) -> tuple[str, list[str]]:
    """The player's view of a state, and the log lines since the previous decision."""
    return as_text(state.view(player)), [line.text for line in state.log if line.is_for(player)]


def looked_at(name: str, players: int | None, seed: int, most: int) -> tuple[int, int]:
    """How many pairs of states that look the same to a player look different after a choice, and how many choices
    reveal nothing. In the first case `undo` must name something."""
    state = load_game(name).start(players, seed=seed, remember=True)
    differing = silent = 0
    for number in range(most):
        if state.over:
            break
        player, choice = state.player, choose_at_random(state, bot_generator(seed, number))
        after = state.take(choice)
        named = describe_revealed([state, after], player)
        silent += not named
        for other in (state.sample(player, each) for each in range(3)):
            if player_view(other.take(choice), player) != player_view(after, player):
                differing += 1
                assert named, (name, seed, number)
        state = after
    return differing, silent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "most"),
    [("leduc_poker", 2, 12), ("love_letter", 3, 16), ("night_market", 3, 8)],
)
def test_undo_names_disclosures_first(name: str, players: int, most: int) -> None:
    found = [looked_at(name, players, seed, most) for seed in range(2)]
    differing, silent = map(sum, zip(*found, strict=True))
    assert differing
    assert silent


@pytest.mark.deep
@pytest.mark.parametrize("name", ["ginkgopolis", "through_the_ages"])
def test_undo_names_disclosures_in_a_large_game(name: str) -> None:
    differing, silent = looked_at(name, 3, 1, 7)
    assert differing
    assert silent


def test_an_answer_about_a_hidden_card_is_named() -> None:
    state = load_game("love_letter").start(3, seed=0, remember=True)
    for number in range(12):
        state = state.take(choose_at_random(state, bot_generator(0, number)))
    after = state.take(choose_at_random(state, bot_generator(0, 12)))
    assert "player 3 does not" in [line.text for line in after.log]
    assert HIDDEN in describe_revealed([state, after], state.player)


def test_a_game_that_hides_nothing_shows_nothing() -> None:
    state = load_game("connect_four").start(seed=1, remember=True)
    assert describe_revealed([state, state.take(state.option_ids[0])], state.player) == []
