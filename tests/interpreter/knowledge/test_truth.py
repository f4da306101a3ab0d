"""Samples of hidden information have the right frequencies, and are valid in all shipped games with secrets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.actions import Actions
from rulewright.interpreter.matches.audit import audit
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.statistics.intervals import chi_square_chance
from rulewright.interpreter.views.view import as_text
from tests.games.variants import SHIPPED, game_named

DECK = {
    "guard": 5,
    "priest": 2,
    "baron": 2,
    "handmaid": 2,
    "prince": 2,
    "king": 1,
    "countess": 1,
    "princess": 1,
}
"""The cards of Love Letter."""
SAMPLES = 600
LARGE = ("colonial", "endeavor", "equilibris", "ginkgopolis", "through_the_ages")


def _cards(state: State, owner: int, zone: str = "hand") -> list[str]:
    """The true cards in a zone of a player, or of the table (-1)."""
    viewer, links = state.compiled.viewer, state.compiled.program.links
    place = next(place for place in state.compiled.program.places if place.name == zone)
    return [
        viewer.piece_name(piece)
        for piece in range(links.pieces)
        if (where := state.cells[links.zone_of + piece]) >= 0
        and viewer.place_of(where) is place
        and viewer.owner_of(where) == owner
    ]


def _is_as_likely(found: Counter[str], weights: dict[str, int]) -> None:
    """Check that the frequencies of samples fit these weights."""
    whole, samples = sum(weights.values()), found.total()
    assert set(found) <= {card for card, weight in weights.items() if weight}
    square = sum(
        (found[card] - samples * weight / whole) ** 2 / (samples * weight / whole)
        for card, weight in weights.items()
        if weight
    )
    freedom = sum(weight > 0 for weight in weights.values()) - 1
    assert chi_square_chance(square, freedom) > 0.001, (found, weights)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
def test_reasons_about_poker_cards_are_true(game: str, seed: int) -> None:
    state, made = game_named(game).start(seed=seed, remember=True), 0
    places = {place.name for place in state.compiled.program.places}
    kinds = state.compiled.program.pieces[0].rows
    while not state.over:
        player, other = state.player, 1 - state.player
        known = _cards(state, player)
        if "open_card" in places:
            known += _cards(state, -1, "open_card")
        held = Counter(_cards(state.sample(player, n), other)[0] for n in range(SAMPLES))
        _is_as_likely(held, {card: int(card not in known) for card in kinds})
        state = state.take(choose_at_random(state, bot_generator(seed, made)))
        made += 1


def _rest(state: State, player: int) -> dict[str, int]:
    """For each card of Love Letter, the number of copies that a player has not seen at the start."""
    seen = Counter(_cards(state, player))
    for place in state.compiled.program.places:
        if place.seen == "all" and place.owner == "":
            seen.update(_cards(state, -1, place.name))
    return {card: count - seen[card] for card, count in DECK.items()}


@pytest.mark.parametrize("seed", range(2))
def test_the_hand_of_the_other_in_love_letter(seed: int) -> None:
    state = load_game("love_letter").start(2, seed=seed, remember=True)
    player = state.player
    held = Counter(_cards(state.sample(player, n), 1 - player)[0] for n in range(SAMPLES))
    _is_as_likely(held, _rest(state, player))


def test_the_hand_of_the_other_after_a_guess_that_failed() -> None:
    """The arrangements excluded by the answer do not occur, and all others keep their probabilities."""
    game = load_game("love_letter")
    starts = (game.start(3, seed=seed, remember=True) for seed in range(1000))
    state = next(
        state
        for state in starts
        if "play_card(guard)" in state.decision.names
        and _cards(state, (state.player + 2) % 3) not in (["priest"], ["handmaid"])
    )
    player, other = state.player, (state.player + 2) % 3
    rest = _rest(state, player)
    state = state.choose("play_card(guard)").choose(f"seat_{other + 1}").choose("priest")
    held = Counter(_cards(state.sample(player, n), other)[0] for n in range(300))
    _is_as_likely(held, {**rest, "priest": 0})


def _states(game: str, seed: int, most: int) -> list[State]:
    loaded = game_named(game)
    state = loaded.start(min(3, loaded.facts.high), seed=seed, remember=True)
    states: list[State] = []
    while not state.over and len(states) < most:
        states.append(state)
        state = state.take(choose_at_random(state, bot_generator(seed, len(states))))
    return states


def _all_games() -> list[Any]:
    small = [game for game in SHIPPED if game not in LARGE]
    return [*small, *(pytest.param(game, marks=pytest.mark.deep) for game in LARGE)]


@pytest.mark.parametrize("game", _all_games())
def test_samples_look_like_the_true_state(game: str) -> None:
    """Views, numbers, options and prompts are the same, and the sample is consistent."""
    states = _states(game, 5, 60)
    for number, state in enumerate(states[:: max(1, len(states) // 8)]):
        for player in range(len(state.players)):
            other = state.sample(player, number)
            assert as_text(other.view(player)) == as_text(state.view(player))
            assert other.observe(player) == state.observe(player)
            assert not list(audit(other.compiled, other.cells))
            if state.player == player:
                assert other.decision.names == state.decision.names
                assert other.decision.prompt == state.decision.prompt


@pytest.mark.parametrize("game", _all_games())
def test_actions_are_dense_in_all_states(game: str) -> None:
    """Each option has a separate number below the count, with its words."""
    states = _states(game, 9, 150)
    actions = Actions(states[0].compiled)
    for state in states:
        numbers, names = actions.offered(state), state.decision.names
        assert len({*numbers}) == len(numbers) == len(names)
        assert sum(actions.mask(state)) == len(numbers)
        for number, option, name in zip(numbers, state.option_ids, names, strict=True):
            assert 0 <= number < len(actions)
            assert actions.option(state, number) == option
            assert actions.words(number).endswith(name.partition("#")[0])
