"""Prices that cards change, prices that are differences of prices, and the reasons of a price."""

from __future__ import annotations

import random

import pytest

from tests.probes.table import Change, Table, sit_down

HALLS = ("quarry", "masonry", "cathedral", "sawmill", "joinery", "shipyard")


def prices(table: Table, seat: int) -> list[object]:
    return [table.value("build_price", seat, hall) for hall in HALLS]


def start() -> Table:
    return sit_down("p01_guild_halls")


def test_without_masters_prices_are_those_of_the_table() -> None:
    table = start()
    assert prices(table, 0) == prices(table, 1) == [2, 5, 8, 3, 4, 9]
    assert table.texts[4:7] == [
        "build the quarry for 2",
        "build the masonry for 5",
        "build the cathedral for 8",
    ]
    assert table.changes("build_price", 0, "cathedral") == []


def test_the_architect_takes_off_by_level_and_for_his_owner_alone() -> None:
    table = start().play("hire(architect)")
    # 1 less at levels 0 and 1, 3 less at level 2
    assert prices(table, 0) == [1, 4, 5, 2, 3, 6]
    assert prices(table, 1) == [2, 5, 8, 3, 4, 9]
    assert table.changes("build_price", 0, "cathedral") == [Change("less", "architect", 3)]
    assert table.changes("build_price", 0, "masonry") == [Change("less", "architect", 1)]


def test_masters_of_both_players_add_up_in_a_fixed_order() -> None:
    """First the price itself, then the sum of less and more, then the bounds."""
    table = start().play("hire(architect)", "hire(usurer)", "hire(forester)", "hire(provost)")
    # quarry 2-1; masonry 5-1+1; cathedral 8-3+1; sawmill 4-1; joinery 4-1+1; shipyard 4-3+1
    assert prices(table, 0) == [1, 5, 6, 3, 4, 2]
    # it is his own usurer, so only "at most 6" counts
    assert prices(table, 1) == [2, 5, 6, 3, 4, 6]
    assert table.base("build_price", 0, "shipyard") == 9
    assert table.changes("build_price", 0, "shipyard") == [
        Change("less", "architect", 3),
        Change("is", "forester", 4),
        Change("more", "usurer", 1),
    ]
    assert table.changes("build_price", 1, "cathedral") == [Change("at most", "provost", 6)]


def test_improving_costs_the_difference_of_two_changed_prices() -> None:
    table = start().play("hire(architect)", "hire(usurer)", "build(quarry)", "pass")
    assert table.value_of("gold", "player 1") == 16 - 3 - 1
    # quarry is worth 2-1; masonry 5-1+1; cathedral 8-3+1
    assert "improve the quarry to the masonry for 4" in table.texts
    assert "improve the quarry to the cathedral for 5" in table.texts
    assert table.why("improve(quarry, sawmill)") == "the sawmill is another craft"
    table = table.play("improve(quarry, cathedral)")
    assert table.value_of("gold", "player 1") == 16 - 3 - 1 - 5
    assert table.zone("halls", "player 1") == ["cathedral"]
    assert "quarry" in table.zone("market")


def test_improving_to_what_has_become_cheaper_costs_nothing_and_pays_nothing() -> None:
    table = start().play("hire(forester)", "pass", "build(sawmill)")
    # both are 4 for the forester's owner, with an architect the better one is even cheaper
    assert table.value("improve_price", 0, "sawmill", "joinery") == 0
    table = table.play("hire(architect)")
    assert table.value("build_price", 0, "sawmill") == 3
    assert table.value("build_price", 0, "shipyard") == 1
    assert table.value("improve_price", 0, "sawmill", "shipyard") == 0
    gold = table.value_of("gold", "player 1")
    table = table.play("improve(sawmill, shipyard)")
    assert table.value_of("gold", "player 1") == gold


def test_a_price_never_falls_below_its_bound() -> None:
    table = start().play("hire(architect)", "pass", "build(quarry)")
    assert table.changes("build_price", 0, "quarry") == [Change("less", "architect", 1)]
    assert table.value("build_price", 0, "quarry") == 1


def test_a_player_with_too_little_sees_the_changed_price() -> None:
    table = start().play("hire(usurer)", "build(cathedral)", "pass", "build(joinery)")
    # the usurer changes the prices to 8+1 and 4+1: 2 coins are left
    assert table.value_of("gold", "player 2") == 16 - 9 - 5
    assert table.why("build(masonry)") == "the masonry costs 6, you have 2"
    assert table.why("improve(joinery, shipyard)") == "that costs 5, you have 2"
    assert table.why("hire(architect)") == "the architect asks for 3, you have 2"


@pytest.mark.parametrize("seed", range(5))
def test_prices_beside_an_independent_sum(seed: int) -> None:
    """At every decision of a random match, with any masters of both players."""
    cost = dict(zip(HALLS, (2, 5, 8, 3, 4, 9), strict=True))
    generator = random.Random(seed)
    table = start()
    while not table.state.over:
        for seat in (0, 1):
            mine = table.zone("masters", f"player {seat + 1}")
            theirs = table.zone("masters", f"player {2 - seat}")
            for place, hall in enumerate(HALLS):
                level, is_wood = place % 3, place >= 3
                price = 4 if is_wood and "forester" in mine else cost[hall]
                price -= (1, 1, 3)[level] if "architect" in mine else 0
                price += 1 if level and "usurer" in theirs else 0
                price = min(price, 6) if "provost" in mine else price
                assert table.value("build_price", seat, hall) == max(1, price)
        table = table.play(generator.choice(table.names))
