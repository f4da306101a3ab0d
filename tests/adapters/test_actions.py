"""Actions have dense numbers, and an action has the same number in every state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright import Actions, load_game
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


def test_impossible_actions_are_refused() -> None:
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


CARDS = """
game "Cards"
    players 2

kind Color = red, blue, green

action paint(c in Color, n in 1..2)
    log "{c} {n}"

play
    repeat 3 times
        each player
            choose one of
                do paint
                option "rest"
                    log "rest"

score of p
    item "points" = 0
"""


def _of_text(folder: Path, text: str) -> Actions:
    path = folder / "cards.game"
    path.write_text(text)
    return Actions(load_game(path).start().compiled)


def test_an_action_has_a_decision_a_way_and_parameters(tmp_path: Path) -> None:
    actions = _of_text(tmp_path, CARDS)
    rows = [(actions.structured(n), words.partition(": ")[2]) for n, words in enumerate(actions)]
    assert rows == [
        ((0, 0, (0, 1)), "paint(red, 1)"),
        ((0, 0, (0, 2)), "paint(red, 2)"),
        ((0, 0, (1, 1)), "paint(blue, 1)"),
        ((0, 0, (1, 2)), "paint(blue, 2)"),
        ((0, 0, (2, 1)), "paint(green, 1)"),
        ((0, 0, (2, 2)), "paint(green, 2)"),
        ((0, 1, ()), "rest"),
    ]
    assert [*actions.table()[-8:]] == [0, 0, 2, 2, 0, 1, -1, -1]
    with pytest.raises(ValueError, match="an action is 0 to 6, not 7"):
        actions.structured(7)


def test_saved_actions_are_found_again_by_name(tmp_path: Path) -> None:
    before = _of_text(tmp_path, CARDS)
    saved = json.loads(json.dumps(before.saved()))
    assert _of_text(tmp_path, "# the same rules\n" + CARDS).fingerprint == saved["fingerprint"]
    after = _of_text(tmp_path, CARDS.replace("red, blue, green", "blue, red, white"))
    assert after.fingerprint != saved["fingerprint"]
    found = after.since(saved)
    assert [*found.numbers] == [2, 3, 0, 1, -1, -1, 6]
    assert found.report.splitlines() == [
        "1 actions have the same number, 4 have another",
        "2 gone: game: paint(green, 1), game: paint(green, 2)",
        "2 new: game: paint(white, 1), game: paint(white, 2)",
    ]
    with pytest.raises(ValueError, match="this is not a table of actions of the format"):
        after.since({"names": []})
