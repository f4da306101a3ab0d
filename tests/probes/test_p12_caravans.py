"""An opponent without a player uses the players' actions with another payer, chooser and filter; neutral dice act
with the same actions."""

from __future__ import annotations

import random

import attrs
import pytest

from tests.probes.table import Table, sit_down

ME, STRANGER = "player 1", "stranger"
GOODS = ("salt", "cloth", "spice")
OFFERS = {"tunis": (3, 1, 2), "cairo": (1, 4, 3), "basra": (2, 3, 5), "aleppo": (4, 2, 3)}


def dry(table: Table, *rain: str) -> Table:
    """The weather of the round in each town; dry by default."""
    return table.roll(*(rain or ("0",) * 4))


def alone() -> Table:
    return sit_down("p12_caravans", 1)


def test_the_stranger_is_there_only_for_one() -> None:
    assert alone().state.players == (ME, STRANGER)
    assert sit_down("p12_caravans", 2).state.players == (ME, "player 2")
    table = sit_down("p12_caravans", 2).play("rest")
    assert (table.who, table.prompt) == (2, "what do you do?")


def test_another_chooses_for_him_and_nobody_pays() -> None:
    table = alone().play("buy(salt)")
    assert table.value_of("coins", ME) == 3 - 2
    # the person chooses what the stranger loads
    assert (table.who, table.prompt) == (1, "choose goods")
    assert table.names == ["salt", "cloth", "spice", "none"]
    table = table.play("spice")
    assert table.value_of("load(spice)", STRANGER) == 1
    assert table.value_of("coins", STRANGER) == 3, "he pays nothing"
    assert table.value_of("coins", ME) == 1, "and nor does who has chosen"
    assert table.value_of("load(spice)", ME) == 0


def test_where_nothing_is_chosen_for_him_he_travels() -> None:
    table = alone().play("rest", "none")
    assert table.value_of("at", STRANGER) != "tunis"


def test_he_sells_only_where_it_brings_most() -> None:
    table = dry(alone().play("rest", "salt"))
    # in tunis salt sells for 3: the next time he sells it, and nobody is asked
    table = table.play("rest")
    assert table.state.at_chance
    assert table.value_of("coins", STRANGER) == 3 + 3
    assert table.value_of("load(salt)", STRANGER) == 0
    assert table.value_of("sold(salt)", "tunis") == 1, "the market is the same for all"
    table = dry(table)
    table = table.play("buy(salt)")
    table = dry(table.play("none"))
    assert table.value_of("at", ME) == "tunis"
    assert "sell salt for 2" in table.texts


def test_he_sells_whatever_he_has_without_being_asked() -> None:
    table = alone().play("rest", "cloth")
    # cloth sells for 1 in tunis, the lowest price anywhere
    table = dry(table).play("rest")
    assert table.value_of("coins", STRANGER) == 3 + 1
    assert table.value_of("sold(cloth)", "tunis") == 1


def test_the_same_conditions_hold_for_him() -> None:
    """If he has no camel left for a kind of goods, the chooser is not offered it."""
    generator = random.Random(1)
    full = 0
    for _ in range(200):
        table = alone()
        while not table.state.over:
            if table.state.at_chance:
                table = table.settle(generator.randrange)
                continue
            if table.prompt == "choose goods":
                expected = [g for g in GOODS if table.value_of(f"load({g})", STRANGER) != 2]
                assert table.names == [*expected, "none"]
                full += len(expected) < 3
            table = table.play(generator.choice(table.names))
    assert full


def test_rain_lets_people_want_goods_again() -> None:
    table = dry(alone().play("buy(salt)", "none"))
    table = table.play("sell(salt)", "none")
    assert table.value_of("sold(salt)", "tunis") == 1
    assert [table.prompt, table.names] == ["roll weather", ["0", "0", "1"]]
    table = dry(table, "1", "0", "0", "0")
    assert table.value_of("sold(salt)", "tunis") == 0


# ---- Beside rules written a second time --------------------------------------------------------------

ROADS = (("tunis", "cairo"), ("cairo", "basra"), ("basra", "aleppo"), ("aleppo", "tunis"))


@attrs.define
class Trader:
    coins: int = 3
    at: str = "tunis"
    load: list[int] = attrs.field(factory=lambda: [0, 0, 0])


@attrs.define
class Model:
    """The solo game in Python."""

    person: Trader = attrs.field(factory=Trader)
    stranger: Trader = attrs.field(factory=Trader)
    sold: dict[str, list[int]] = attrs.field(factory=lambda: {town: [0, 0, 0] for town in OFFERS})

    def offer(self, town: str, goods: int) -> int:
        return max(0, OFFERS[town][goods] - self.sold[town][goods])

    def sell(self, who: Trader, goods: int) -> None:
        who.load[goods] -= 1
        who.coins += self.offer(who.at, goods)
        self.sold[who.at][goods] += 1

    def act(self, name: str) -> None:
        word, _, what = name.rstrip(")").partition("(")
        if word == "buy":
            self.person.coins -= 2
            self.person.load[GOODS.index(what)] += 1
        elif word == "travel":
            self.person.at = what
        elif word == "sell":
            self.sell(self.person, GOODS.index(what))

    def best_of_stranger(self) -> int | None:
        """The goods that the stranger sells: those with the highest price, for equal prices the first."""
        he = self.stranger
        offers = [self.offer(he.at, goods) if he.load[goods] else 0 for goods in range(3)]
        return offers.index(max(offers)) if max(offers) else None

    def sums(self) -> list[object]:
        return [(who.coins, who.at, tuple(who.load)) for who in (self.person, self.stranger)]


@pytest.mark.parametrize("seed", range(10))
def test_the_solo_game_beside_the_same_rules_in_python(seed: int) -> None:
    generator = random.Random(seed)
    table, world = alone(), Model()
    for _ in range(6):
        name = generator.choice(table.names)
        table = table.play(name)
        world.act(name)
        best = world.best_of_stranger()
        if best is not None:
            assert table.state.at_chance, "the stranger sells without asking"
            world.sell(world.stranger, best)
        else:
            chosen = generator.choice(table.names)
            table = table.play(chosen)
            if chosen == "none":
                at = world.stranger.at
                beside = [b if a == at else a for a, b in ROADS if at in (a, b)]
                world.stranger.at = str(table.value_of("at", STRANGER))
                assert world.stranger.at in beside
            else:
                world.stranger.load[GOODS.index(chosen)] += 1
        for town in OFFERS:
            rain = generator.choice(("0", "1"))
            table = table.roll(rain)
            if rain == "1":
                world.sold[town] = [max(0, sold - 1) for sold in world.sold[town]]
        seen = [
            (
                table.value_of("coins", who),
                table.value_of("at", who),
                tuple(table.value_of(f"load({goods})", who) for goods in GOODS),
            )
            for who in (ME, STRANGER)
        ]
        assert seen == world.sums()
    assert table.state.over
