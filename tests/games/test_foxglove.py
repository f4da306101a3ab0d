"""Foxglove in random matches, compared with independent computations of the turn order, the tricks and all points."""

import random

import pytest

from rulewright import load_game


def taken_by(cards: dict[int, str], trump: str, led: str) -> int:
    """The seat whose card takes a trick."""

    def worth(card: str) -> tuple[bool, bool, int]:
        suit, rank = card.split("_")
        return suit == trump, suit == led, int(rank)

    return max(cards, key=lambda seat: worth(cards[seat]))


@pytest.mark.parametrize("players", [3, 4])
def test_games_counted_by_hand(players: int) -> None:
    chosen_from = random.Random(players)
    state = load_game("foxglove").start(players=players, seed=players)
    size = 10 if players == 3 else 8
    points = [0] * players
    dealer = -1

    def choose() -> tuple[int, str]:
        nonlocal state
        player, option = state.player, chosen_from.choice(state.decision.names)
        state = state.choose(option)
        return player, option

    for _ in range(2 * players):
        left = list(range(players))
        bid, bidder, first = 0, -1, None
        while len(left) > (1 if bid else 0) and bid < size:
            player, option = choose()
            if first is None:
                first = player
            assert player in left
            if option == "pass":
                left.remove(player)
            else:
                assert int(option[4:-1]) > bid
                bid, bidder = int(option[4:-1]), player
        assert first is not None
        assert dealer in (-1, (first - 2) % players)
        dealer = (first - 1) % players
        if not bid:
            bid, bidder = 1, dealer
        player, trump = choose()
        assert player == bidder
        leader, taken = bidder, [0] * players
        for _ in range(size):
            cards: dict[int, str] = {}
            for seat in [(leader + n) % players for n in range(players)]:
                player, option = choose()
                assert player == seat
                cards[seat] = option.removeprefix("play_card(").removesuffix(")")
            led = cards[leader].split("_")[0]
            leader = taken_by(cards, trump, led)
            taken[leader] += 1
        is_made = taken[bidder] >= bid
        for seat in range(players):
            if seat == bidder:
                points[seat] += 2 * bid if is_made else -2 * bid
            else:
                points[seat] += taken[seat] + (0 if is_made else 2)
    assert state.over
    assert [score.total for score in state.scores] == points
    assert [seat for seat in range(players) if points[seat] == max(points)] == list(state.winners)
