"""Whole random matches, compared step by step with models that know only the rulebooks."""

from __future__ import annotations

from random import Random

import pytest

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.view import ALL_SEEING
from tests.games.variants import game_named
from tests.oracles.whole_matches import Beetles, Card, Place, Spades


def card(name: str) -> Card:
    suit, _, rank = name.rpartition("_")
    return suit, int(rank)


def hands(state: State) -> list[set[Card]]:
    zones = [zone for zone in state.view(ALL_SEEING).zones if zone.place.name == "hand"]
    return [{card(piece.name) for piece in zone.pieces} for zone in zones]


def values(state: State, name: str) -> list[str]:
    found = (value for value in state.view(ALL_SEEING).values if value.place.name == name)
    return [str(value.value) for value in found]


@pytest.mark.parametrize("seed", range(6))
def test_a_match_of_spades_goes_as_in_the_model(seed: int) -> None:
    """Bids are low, so that matches are long: nil, and one to five."""
    state, model, random = game_named("spades").start(4, seed=seed), Spades(), Random(seed)
    while not state.over:
        if not any(model.hands):
            (dealer,) = values(state, "dealer")
            model.deal(int(dealer[-1]) - 1, hands(state))
        assert state.player == model.next
        if len(model.bids) < 4:
            assert state.decision.names == [*(f"bid({n})" for n in range(1, 14)), "bid_nil"]
            bid = random.choice([0, 0, 1, 2, 3, 4, 5])
            state = state.choose(f"bid({bid})" if bid else "bid_nil")
            model.bid(bid)
        else:
            names = {f"play_card({suit}_{rank})" for suit, rank in model.playable}
            assert set(state.decision.names) == names
            chosen = random.choice(sorted(names))
            state = state.choose(chosen)
            model.play(card(chosen[len("play_card(") : -1]))
            assert model.is_over == state.over
        assert values(state, "points") == [str(points) for points in model.points]
        assert values(state, "bags") == [str(bags) for bags in model.bags]
    assert state.winners == model.winners


def cell(name: str) -> Place:
    return ord(name[0]) - ord("a") + 1, int(name[1:])


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("seed", range(2))
def test_a_beetle_race_goes_as_in_the_model(players: int, seed: int) -> None:
    state, random = game_named("beetle_race").start(players, seed=seed), Random(seed)
    puddles = {
        cell(value.place.of)
        for value in state.view(ALL_SEEING).values
        if value.place.name == "is_puddle" and value.value == "yes"
    }
    assert len(puddles) == 5
    (starter,) = values(state, "starter")
    model = Beetles(puddles, int(starter[-1]) - 1, [(1, seat) for seat in range(1, players + 1)])
    while not state.over:
        programmes: list[list[str]] = [[] for _ in range(players)]
        for _ in range(3 * players):
            chosen = random.choice(state.decision.names)
            programmes[state.player].append(chosen)
            state = state.choose(chosen)
        model.run_round(programmes)
        assert [cell(name) for name in values(state, "place")] == model.places
        ways = ("north", "east", "south", "west")
        assert values(state, "facing") == [ways[way] for way in model.facing]
        assert state.over == bool(model.winners)
    assert state.winners == model.winners
