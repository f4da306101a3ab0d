"""A supply that runs out in the middle of a gain; all return some in secret; the gain continues."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright.interpreter.matches.state import State
from tests.probes.table import Table, sit_down

SEEDS = [f"{plant}_{worth}" for plant in ("bean", "corn", "squash") for worth in (1, 2, 3)]
DRAW_3, DRAW_2 = "draw_3_seeds", "draw_2_seeds_and_a_point"
FIRST, SECOND = "player 1", "player 2"


def start(players: int = 2) -> Table:
    """The squashes are drawn first, from 3 to 1, then the corn, then the beans; player 1 begins."""
    table = sit_down("p08_seed_bank", players).shuffle(range(9), range(9)).roll("seat_1")
    assert table.zone("bag") == SEEDS
    return table


def shortage() -> Table:
    """One seed was left when player 1 had to draw three; all are asked, starting with the second player."""
    table = start().play(DRAW_3, DRAW_3, DRAW_2)
    assert table.zone("bag") == ["bean_1"]
    assert table.who == 1
    return table.play(DRAW_3)


def test_the_gain_stops_where_the_bag_is_empty() -> None:
    table = shortage()
    assert table.value_of("shortages") == 1
    assert table.zone("seeds", FIRST) == ["bean_1", "squash_1", "squash_2", "squash_3"]
    assert table.who == 2, "asked from the first player of the round on"
    assert table.names == ["bean_2", "bean_3", "corn_1", "corn_2", "corn_3", "done"]


@pytest.mark.parametrize("returned", [(), ("corn_3",), ("bean_2",), ("bean_2", "corn_1", "corn_3")])
def test_nobody_sees_what_others_return_nor_how_much(returned: Sequence[str]) -> None:
    usual, other = shortage().play("done"), shortage().play(*returned, "done")
    assert other.who == 1
    assert other.state.view(0) == usual.state.view(0)
    assert (other.names, other.prompt, other.log_lines) == (usual.names, usual.prompt, [])
    assert (other.state.view(1) == usual.state.view(1)) == (not returned)
    # a log of everything seen and chosen does not reveal it either
    assert logged_for(other.state, 0) == logged_for(usual.state, 0)


def logged_for(state: State, player: int) -> list[str]:
    return [line.text for line in state.log if line.is_for(player)]


def test_the_bag_is_mixed_again_and_the_gain_goes_on_with_the_rest() -> None:
    table = shortage().play("bean_3", "corn_1", "corn_3", "done", "squash_1", "done")
    assert table.log_lines == ["player 2 returns 3 seeds", "player 1 returns 1 seeds"]
    assert [table.value_of("points", p) for p in (FIRST, SECOND)] == [1, 1 + 3]
    # chance: the returned seeds are shuffled
    assert table.state.at_chance
    before = table.ids("bag")
    assert sorted(table.zone("bag")) == ["bean_3", "corn_1", "corn_3", "squash_1"]
    number = {SEEDS[seed]: seed for seed in before}
    wanted = [number[name] for name in ("corn_1", "squash_1", "corn_3", "bean_3")]
    table = table.shuffle(wanted, before)
    # two of the three seeds were still owed
    assert table.zone("seeds", FIRST) == ["bean_1", "bean_3", "corn_3", "squash_2", "squash_3"]
    assert table.zone("bag") == ["corn_1", "squash_1"]
    assert table.who == 1
    assert table.value_of("first_player") == "seat_1"
    assert table.value_of("is_last_round") == "no"


def test_a_short_refund_gives_all_remaining_seeds() -> None:
    """One seed is returned, two are owed: it is drawn, and the bag is empty for the second time."""
    table = shortage().play("corn_3", "done", "done")
    assert not table.state.at_chance or len(table.state.option_ids) == 1
    table = table.settle()
    assert table.zone("seeds", FIRST) == ["bean_1", "corn_3", "squash_1", "squash_2", "squash_3"]
    assert table.value_of("shortages") == 2
    assert table.state.over, "the round was the last one, and player 1 was the last in it"
    assert table.state.winners == (1,)


def test_where_nobody_returns_anything_the_round_is_the_last() -> None:
    table = shortage().play("done", "done")
    assert table.value_of("is_last_round") == "yes"
    assert len(table.zone("seeds", FIRST)) == 4
    assert table.state.over


def test_the_second_shortage_asks_nobody() -> None:
    table = shortage().play("corn_1", "corn_2", "done", "done").settle()
    assert table.value_of("shortages") == 2
    assert table.state.over


def test_a_saved_play_goes_on_in_the_middle_of_the_gain() -> None:
    """The cells alone say that player 1 is still owed two seeds."""
    table = shortage()
    again = sit_down("p08_seed_bank").state.with_cells(table.state.cells[:])
    choices = ("bean_3", "corn_1", "done", "done")
    assert Table(again).play(*choices).settle().state.cells == (
        table.play(*choices).settle().state.cells
    )


def test_four_players_are_asked_in_turn_and_each_about_their_own() -> None:
    table = start(4).play(DRAW_2, DRAW_2, DRAW_2, DRAW_3)
    asked = []
    while table.prompt == "choose unwanted":
        asked.append((table.who, table.names))
        table = table.play(table.names[0])
        if table.prompt == "choose unwanted" and table.who == asked[-1][0]:
            table = table.play("done")
    assert [who for who, _ in asked] == [1, 2, 3, 4]
    assert [names for _, names in asked] == [
        ["squash_2", "squash_3", "done"],
        ["corn_3", "squash_1", "done"],
        ["corn_1", "corn_2", "done"],
        ["bean_1", "bean_2", "bean_3", "done"],
    ]
