"""Love Letter: the effect of each card, protection, the ends of rounds, knowledge."""

from __future__ import annotations

import random

import pytest

from tests.probes.table import Table, sit_down

CARDS = (
    *["guard"] * 5,
    *["priest"] * 2,
    *["baron"] * 2,
    *["handmaid"] * 2,
    *["prince"] * 2,
    "king",
    "countess",
    "princess",
)


def dealt(*cards: str, players: int = 3) -> Table:
    """A round in which these cards are drawn first: one set aside (with two players three more,
    openly), one for each player, then one in each turn. Player 1 begins.
    """
    order: list[int] = []
    for name in cards:
        order.append(next(n for n, card in enumerate(CARDS) if card == name and n not in order))
    order += [n for n in range(len(CARDS)) if n not in order]
    table = sit_down("love_letter", players).roll("seat_1")
    return table.shuffle(order[::-1], range(len(CARDS)))


def hand(table: Table, seat: int) -> list[str]:
    return table.zone("hand", f"player {seat}")


def out(table: Table) -> list[int]:
    return [seat for seat in (1, 2, 3) if table.value_of("is_out", f"player {seat}") == "yes"]


def known_cards(table: Table, viewer: int, of: int) -> list[str]:
    """The cards of a hand that a viewer knows."""
    zones = table.state.view(viewer - 1).zones
    zone = next(z for z in zones if (z.place.label, z.place.of) == ("hand", f"player {of}"))
    return [piece.name for piece in zone.pieces if piece.name]


def test_the_guard_knocks_out_who_holds_the_card_that_is_named() -> None:
    table = dealt("king", "guard", "baron", "priest", "handmaid")
    table = table.play("play_card(guard)")
    assert table.names == ["seat_2", "seat_3"]
    table = table.play("seat_2")
    named = [name for name in dict.fromkeys(CARDS) if name != "guard"]
    assert [name for name in table.names if "#" not in name] == named, "anything but a guard"
    right, wrong = table.play("baron"), table.play("priest")
    assert out(right) == [2]
    assert right.zone("discards", "player 2") == ["baron"]
    assert right.who == 3, "who is out is passed over"
    assert out(wrong) == []
    assert wrong.who == 2


def test_the_priest_shows_a_hand_to_one_player_alone() -> None:
    table = dealt("king", "priest", "baron", "guard", "handmaid")
    before = [known_cards(table, viewer, 2) for viewer in (1, 2, 3)]
    assert before == [[], ["baron"], []]
    table = table.play("play_card(priest)", "seat_2")
    assert "baron" in known_cards(table, 1, 2)
    assert known_cards(table, 3, 2) == []


@pytest.mark.parametrize(
    ("theirs", "gone"), [("priest", [2]), ("prince", [1]), ("handmaid", [])], ids=str
)
def test_the_baron_compares(theirs: str, gone: list[int]) -> None:
    table = dealt("king", "baron", theirs, "guard", "handmaid")
    table = table.play("play_card(baron)", "seat_2")
    assert out(table) == gone
    if not gone:
        assert known_cards(table, 1, 2)[:1] == ["handmaid"]
        assert known_cards(table, 2, 1) == ["handmaid"]
        assert known_cards(table, 3, 1) == known_cards(table, 3, 2) == []


def test_the_handmaid_protects_until_the_next_own_turn() -> None:
    table = dealt("king", "handmaid", "guard", "priest", "baron", "guard", "guard", "guard")
    table = table.play("play_card(handmaid)")
    assert table.who == 2
    table = table.play("play_card(guard)")
    assert table.names == ["seat_3"], "player 1 is protected"
    table = table.play("seat_3", "baron")
    assert table.who == 3
    table = table.play("play_card(guard)")
    assert table.names == ["seat_2"]
    table = table.play("seat_2", "baron")
    assert table.who == 1
    assert table.value_of("is_protected", "player 1") == "no"


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_with_everybody_protected_a_card_does_nothing(card: str) -> None:
    table = dealt("countess", "handmaid", "handmaid", card, "guard", "guard", "prince")
    table = table.play("play_card(handmaid)", "play_card(handmaid)")
    assert table.who == 3
    before = [hand(table, seat) for seat in (1, 2)]
    table = table.play(f"play_card({card})")
    assert table.who == 1, "nothing is asked"
    assert out(table) == []
    assert [hand(table, 1)[:1], hand(table, 2)] == [before[0][:1], before[1]]


def test_the_prince_must_be_played_on_oneself_when_all_others_are_protected() -> None:
    table = dealt("countess", "handmaid", "handmaid", "prince", "guard", "guard", "baron", "priest")
    table = table.play("play_card(handmaid)", "play_card(handmaid)", "play_card(prince)")
    assert table.names == ["seat_3"]
    table = table.play("seat_3")
    assert table.zone("discards", "player 3") == ["prince", "baron"]
    assert hand(table, 3) == ["priest"]


def test_the_prince_makes_another_draw_a_new_card() -> None:
    table = dealt("king", "prince", "baron", "guard", "guard", "countess", "priest")
    table = table.play("play_card(prince)")
    assert table.names == ["seat_1", "seat_2", "seat_3"]
    table = table.play("seat_2")
    # player 2 draws for the prince, then for the turn that begins
    draws = ["player 2 draws a card"] * 2
    assert table.log_lines[-3:] == ["player 2 discards the baron", *draws]
    assert table.zone("discards", "player 2") == ["baron"], "it has no effect"
    assert sorted(hand(table, 2)) == ["countess", "priest"]
    assert out(table) == []


def test_the_prince_forces_the_princess_out() -> None:
    table = dealt("king", "prince", "princess", "guard", "guard")
    table = table.play("play_card(prince)", "seat_2")
    assert out(table) == [2]
    assert table.zone("discards", "player 2") == ["princess"]
    assert hand(table, 2) == [], "no new card for who is out"


def test_the_king_changes_hands() -> None:
    table = dealt("guard", "king", "baron", "priest", "handmaid", "prince")
    table = table.play("play_card(king)", "seat_3")
    assert hand(table, 1) == ["priest"]
    assert hand(table, 3) == ["handmaid"]
    assert known_cards(table, 1, 3) == ["handmaid"], "one knows what one has given"
    assert known_cards(table, 3, 1) == ["priest"]
    assert known_cards(table, 2, 1) == known_cards(table, 2, 3) == []


@pytest.mark.parametrize("other", ["king", "prince"])
def test_the_countess_must_go_before_king_and_prince(other: str) -> None:
    table = dealt("guard", "countess", "baron", "priest", other)
    assert table.names == ["play_card(countess)"]
    reason = "with the countess you must play the countess"
    assert table.why(f"play_card({other})") == reason
    table = table.play("play_card(countess)")
    assert table.log_lines[-2:] == ["the countess does nothing", "player 2 draws a card"]
    assert hand(table, 1) == [other]


@pytest.mark.parametrize("other", ["guard", "priest", "baron", "handmaid", "princess"])
def test_beside_other_cards_the_countess_may_stay(other: str) -> None:
    table = dealt("king", "countess", "prince", "prince", other)
    assert set(table.names) == {"play_card(countess)", f"play_card({other})"}


def test_playing_the_princess_eliminates_the_player() -> None:
    table = dealt("guard", "princess", "baron", "priest", "king").play("play_card(princess)")
    assert out(table) == [1]
    assert table.zone("discards", "player 1") == ["princess", "king"]


# ---- Ends of rounds and of the game ------------------------------------------------------------------


def last_turn(
    aside: str, open_cards: tuple[str, str, str], first: str, second: str, *draws: str
) -> Table:
    return dealt(aside, *open_cards, first, second, *draws, players=2)


def tokens(table: Table) -> list[int | str]:
    return [table.value_of("tokens_of_affection", name) for name in table.state.players]


def test_with_two_players_three_cards_lie_open() -> None:
    table = last_turn("king", ("guard", "priest", "baron"), "guard", "guard")
    assert sorted(table.zone("open_cards")) == ["baron", "guard", "priest"]
    assert table.zone("set_aside") == ["king"]
    seen = {z.place.label: z for z in table.state.view(0).zones}
    assert [piece.name for piece in seen["open_cards"].pieces] == ["guard", "priest", "baron"]
    assert seen["set_aside"].pieces == ()


def test_the_last_one_in_wins_the_round_and_begins_the_next() -> None:
    table = last_turn("king", ("guard", "priest", "baron"), "baron", "priest", "guard")
    table = table.play("play_card(guard)", "seat_2", "priest")
    assert "player 1 wins the round with the baron: 1 of 7 tokens" in table.log_lines
    assert tokens(table) == [1, 0]
    assert table.state.at_chance, "the next round is dealt"
    table = table.settle()
    assert table.who == 1


NUMBERS = {name: number for number, name in enumerate(dict.fromkeys(CARDS), 1)}


def winners_by_hand(table: Table, name: str) -> list[str]:
    """The winner of a round that ends with a card without effect, and the reason, computed a second time."""
    played = name[len("play_card(") : -1]
    hands, sums = {}, {}
    for seat, player in enumerate(table.state.players, 1):
        if table.value_of("is_out", player) == "yes":
            continue
        cards, discards = hand(table, seat), table.zone("discards", player)
        if seat == table.who:
            cards.remove(played)
            discards = [*discards, played]
        hands[player] = NUMBERS[cards[0]]
        sums[player] = sum(NUMBERS[card] for card in discards)
    highest = [player for player in hands if hands[player] == max(hands.values())]
    most = max(sums[player] for player in highest)
    return [player for player in highest if sums[player] == most]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_the_end_of_the_deck_the_highest_card_wins_then_the_discards(players: int) -> None:
    rounds = by_discards = 0
    for seed in range(60):
        generator = random.Random(seed)
        table = sit_down("love_letter", players, seed=seed)
        while not table.state.over:
            name = generator.choice(table.names)
            harmless = name in ("play_card(handmaid)", "play_card(countess)")
            is_last = harmless and not table.zone("deck")
            if not is_last:
                table = table.play(name)
                continue
            expected = winners_by_hand(table, name)
            hands = [c for n in range(players) for c in hand(table, n + 1)]
            before = tokens(table)
            table = table.play(name)
            log_lines = [
                line.split(" wins")[0] for line in table.log_lines if "wins the round" in line
            ]
            assert log_lines == expected
            rounds += 1
            by_discards += len(set(hands)) < len(hands)
            gained = [int(now) - int(then) for now, then in zip(tokens(table), before, strict=True)]
            assert gained == [int(player in expected) for player in table.state.players]
            if not table.state.over:
                assert f"player {table.who}" == first_of(expected, table), "the winner begins"
    assert rounds > 5
    assert by_discards


def first_of(winners: list[str], table: Table) -> str:
    starter = str(table.value_of("starter")).replace("seat_", "player ")
    assert starter in winners
    return starter


@pytest.mark.parametrize(("players", "goal"), [(2, 7), (3, 5), (4, 4)])
def test_the_goal_depends_on_the_number_of_players(players: int, goal: int) -> None:
    table = sit_down("love_letter", players, seed=3)
    assert table.value("goal") == goal
    while not table.state.over:
        table = table.play(table.names[0])
    best = [table.value_of("tokens_of_affection", name) for name in table.state.players]
    assert max(t for t in best if isinstance(t, int)) == goal
    assert all((best[seat] == goal) == (seat in table.state.winners) for seat in range(players))
