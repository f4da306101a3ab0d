"""Exact payment with tokens worth 1, 2, 3 and 5, with change; only affordable things are offered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from tests.probes.table import Table, sit_down

WORTH = {"hand_mill": 1, "horse_mill": 2, "water_mill": 3, "wind_mill": 5}
PRICE = {"hut": 1, "cottage": 3, "cabin": 4, "farmhouse": 6, "inn": 7, "manor": 9, "castle": 12}
SACKS = 5

Stores = tuple[int, ...]
"""The number of full sacks at each mill, the mill worth 1 first."""


def stores(table: Table, seat: int) -> Stores:
    mills = table.ids("mills", f"player {seat + 1}")
    full = {
        t.place.owner_id: sum(count for _, count in t.counts or ())
        for t in table.seen.tokens
        if t.place.label == "store"
    }
    return tuple(full.get(mill, 0) for mill in mills)


def brute_force(before: Stores, price: int) -> Counter[Stores]:
    """The stores after each way of paying: every set of sacks, with every set of change.

    Sacks are paid from high to low worth until there is enough; the change is worth less than the last sack.
    """
    worths = tuple(WORTH.values())
    found: Counter[Stores] = Counter()
    for paid in product(*(range(count + 1) for count in before)):
        handed = [worth for worth, count in zip(worths, paid, strict=True) for _ in range(count)]
        if not handed or not sum(handed) - handed[0] < price <= sum(handed):
            continue
        rest = sum(handed) - price
        empty = SACKS - sum(before) + len(handed)
        for size in range(min(rest, empty) + 1):
            for change in combinations_with_replacement(worths, size):
                if sum(change) == rest and all(worth < handed[0] for worth in change):
                    back = [change.count(worth) for worth in worths]
                    after = (a - b + c for a, b, c in zip(before, paid, back, strict=True))
                    found[tuple(after)] += 1
    return found


def ways(table: Table, seat: int) -> Iterator[Stores]:
    """The stores after every sequence of choices that makes the payment."""
    if table.state.over or table.who != seat + 1 or not set(table.names) <= set(WORTH):
        yield stores(table, seat)
        return
    for name in table.names:
        yield from ways(table.play(name), seat)


def table_with_mills(*mills: str) -> Table:
    table = sit_down("p02_mill_towns")
    for mill in mills:
        table = table.play(f"grind({mill})", "rest")
    return table


def test_a_price_that_is_there_in_small_sacks_has_one_outcome() -> None:
    table = table_with_mills("hand_mill", "horse_mill").play("build(cottage)")
    assert table.names == ["horse_mill"], "the cheap sack first would not reach 3"
    table = table.play("horse_mill")
    assert table.names == ["hand_mill"]
    table = table.play("hand_mill")
    assert stores(table, 0) == (0, 0, 0, 0)
    assert table.tokens("barn", "player 1") == {"": 5}
    assert table.zone("houses", "player 1") == ["cottage"]


def test_change_goes_downwards_only() -> None:
    # 5 for 3: the change of 2 is one sack at the horse mill, or two at the hand mill
    table = table_with_mills("wind_mill").play("build(cottage)", "wind_mill")
    assert table.prompt == "choose change"
    assert table.names == ["hand_mill", "horse_mill"]
    assert stores(table.play("horse_mill"), 0) == (0, 1, 0, 0)
    twice = table.play("hand_mill")
    assert twice.names == ["hand_mill"]
    assert stores(twice.play("hand_mill"), 0) == (2, 0, 0, 0)


def test_the_payer_chooses_among_few_outcomes() -> None:
    # 7 out of 5 and 3 and 1 and 1: 5+1+1, or 5+3 and one back; 3 first is not enough
    table = table_with_mills("wind_mill", "water_mill", "hand_mill", "hand_mill").play("build(inn)")
    assert table.names == ["wind_mill"]
    table = table.play("wind_mill")
    assert table.names == ["hand_mill", "water_mill"]
    assert stores(table.play("hand_mill", "hand_mill"), 0) == (0, 0, 1, 0)
    assert stores(table.play("water_mill", "hand_mill"), 0) == (3, 0, 0, 0)


def test_wealth_alone_is_not_enough() -> None:
    # 4 back for a sack worth 5 are at least two sacks, but only the one just paid is there
    table = table_with_mills(*["wind_mill"] * 5)
    assert table.value("wealth", 0) == 25
    assert "build(hut)" not in table.names
    assert table.why("build(hut)") == "there are only 0 sack tokens in the barn, this takes 1"
    # 2 back fit into one sack, at the horse mill; two at the hand mill would be one sack too many
    assert list(ways(table.play("build(cottage)"), 0)) == [(0, 1, 0, 4)]
    # with a spare sack the hut can be paid in two ways
    table = table_with_mills(*["wind_mill"] * 4)
    assert set(ways(table.play("build(hut)"), 0)) == {(1, 0, 1, 3), (0, 2, 0, 3)}
    assert table.play("build(hut)").names == ["wind_mill"]


def test_a_player_who_is_too_poor_sees_why() -> None:
    table = table_with_mills("horse_mill", "horse_mill")
    assert table.why("build(farmhouse)") == "the farmhouse costs 6, you have 4"


@pytest.mark.parametrize("seed", range(8))
def test_every_way_to_pay_and_no_other_is_there(seed: int) -> None:
    generator = random.Random(seed)
    table, compared = sit_down("p02_mill_towns"), 0
    while not table.state.over:
        seat = table.who - 1
        before = stores(table, seat)
        for house in table.zone("village"):
            expected = brute_force(before, PRICE[house])
            assert (f"build({house})" in table.names) == bool(expected)
            if expected:
                assert Counter(ways(table.play(f"build({house})"), seat)) == expected
                compared += 1
        grind = [name for name in table.names if name.startswith("grind")]
        table = table.play(generator.choice(grind or table.names))
        while not table.state.over and set(table.names) <= set(WORTH):
            table = table.play(generator.choice(table.names))
    assert compared > 10
