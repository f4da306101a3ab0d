"""Samples of hidden information look the same to the player: in words, options and numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.knowledge.visible_cells import HIDDEN
from rulewright.interpreter.matches.audit import audit
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import as_text
from tests.games.variants import game_named

SECRETIVE = ["kuhn_poker", "leduc_poker", "love_letter", "night_market", "foxglove"]


def _states(game: str, seed: int, players: int | None = None) -> list[State]:
    state = game_named(game).start(players, seed=seed, remember=True)
    states: list[State] = []
    while not state.over and len(states) < 25:
        states.append(state)
        state = state.take(choose_at_random(state, bot_generator(seed, len(states))))
    return states


@pytest.mark.parametrize("game", SECRETIVE)
def test_samples_look_the_same(game: str) -> None:
    for seed in range(2):
        for number, state in enumerate(_states(game, seed)):
            for player in range(len(state.players)):
                other = state.sample(player, number)
                assert as_text(other.view(player)) == as_text(state.view(player))
                assert other.observe(player) == state.observe(player)
                assert not list(audit(other.compiled, other.cells))
                if state.player == player:
                    assert other.decision.names == state.decision.names
                    assert other.decision.prompt == state.decision.prompt


def test_samples_differ_in_what_is_hidden() -> None:
    state = load_game("love_letter").start(seed=1)
    other = 1 - state.player
    held = Counter(as_text(state.sample(state.player, n).view(other)) for n in range(60))
    assert len(held) > 4


def test_samples_keep_what_the_log_disclosed() -> None:
    """A player who has shown a card holds it in each sample of the player who saw it."""
    for seed in range(40):
        for state in _states("love_letter", seed):
            cells, compiled = state.cells, state.compiled
            links = compiled.program.links
            for player in range(len(state.players)):
                known = [
                    piece
                    for piece in range(links.pieces)
                    if compiled.viewer.was_shown(cells, piece, player)
                ]
                if known:
                    zones = [compiled.viewer.owner_of(cells[links.zone_of + p]) for p in known]
                    for n in range(5):
                        other = state.sample(player, n).cells
                        assert zones == [
                            compiled.viewer.owner_of(other[links.zone_of + p]) for p in known
                        ]
                    return
    pytest.fail("nobody was shown a card in forty games")


def test_cards_of_kuhn_poker_are_equally_likely() -> None:
    state = load_game("kuhn_poker").start(seed=5)
    other = 1 - state.player
    held = Counter(as_text(state.sample(state.player, n).view(other)) for n in range(400))
    assert len(held) == 2
    assert all(150 < count < 250 for count in held.values())


@pytest.mark.parametrize("game", [*SECRETIVE, "connect_four", "kalah"])
def test_observations_have_one_shape(game: str) -> None:
    shapes = set()
    states = _states(game, 3)
    observer = observer_of(states[0].compiled)
    for state in states:
        for player in range(len(state.players)):
            shapes.add(len(state.observe(player)))
        assert shapes == {observer.size}
    assert [part.start for part in observer.parts[1:]] == [
        part.start + part.length for part in observer.parts[:-1]
    ]


@pytest.mark.parametrize("game", ["connect_four", "kalah", "reversi"])
def test_different_views_have_different_observations(game: str) -> None:
    states = _states(game, 1)
    by_view = {as_text(state.view(0)) for state in states}
    assert len({state.observe(0).tobytes() for state in states}) >= len(by_view)
    assert all(HIDDEN not in state.observe(0) for state in states)


def test_hands_of_others_are_hidden() -> None:
    state = load_game("love_letter").start(seed=1)
    assert HIDDEN in state.observe(0)
    assert state.observe(0) != state.observe(1)


@pytest.mark.parametrize("seed", range(3))
def test_samples_respect_disclosed_answers(seed: int) -> None:
    """After a wrong guess, no sample has the guessed card there; without memory some do."""
    game = load_game("love_letter")
    tries = (game.start(3, seed=seed * 1000 + n, remember=True) for n in range(1000))
    state = next(state for state in tries if "play_card(guard)" in state.decision.names)
    guesser, other = state.player, (state.player + 2) % 3
    state = state.choose("play_card(guard)").choose(f"seat_{other + 1}")
    hand = f"player {other + 1}.hand=1["
    held = as_text(state.view(other)).split(hand)[1].split("]")[0]
    guess = next(name for name in state.decision.names if name not in (held, "handmaid"))
    state = state.choose(guess)
    forgetful = state.with_cells(state.cells)
    samples = [as_text(state.sample(guesser, n).view(other)) for n in range(40)]
    others = [as_text(forgetful.sample(guesser, n).view(other)) for n in range(40)]
    assert not any(f"{hand}{guess}]" in text for text in samples)
    assert any(f"{hand}{guess}]" in text for text in others)
