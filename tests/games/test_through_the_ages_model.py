"""The model of Through the Ages agrees with the worked examples of its clause list."""

from __future__ import annotations

import random
from collections import Counter
from typing import TypeVar

import pytest

from tests.games.variants import game_named
from tests.oracles.through_the_ages import (
    action_cards,
    ages,
    attacks,
    civil,
    colonies,
    develop,
    events,
    impacts,
    military,
    phases,
    politics,
    ratings,
    scoring,
)
from tests.oracles.through_the_ages.armies import tactical_strength
from tests.oracles.through_the_ages.beside import compare
from tests.oracles.through_the_ages.cards import read_tables
from tests.oracles.through_the_ages.game import Match
from tests.oracles.through_the_ages.leaving import lose_colony
from tests.oracles.through_the_ages.setup import all_cards, new_table
from tests.oracles.through_the_ages.state import Flow, Mode, Option, Pact, Player, Table, War
from tests.oracles.through_the_ages.tokens import can_pay, gain, pay, payments, stored_goods

T = TypeVar("T")
TABLES = read_tables()


def as_dealt(_: str, cards: list[str]) -> list[str]:
    """No shuffling."""
    return list(cards)


def first_round(players: int = 2, mode: Mode = "full") -> Table:
    return new_table(TABLES, players, mode, as_dealt)


def second_round(players: int = 2, mode: Mode = "full") -> Table:
    """All players as at the start of the worked examples: after the first turn, without cards taken."""
    g = first_round(players, mode)
    for p in g.players:
        run(phases.end_of_turn(g, p))
    g.round, g.age = 2, 1
    return g


def run(flow: Flow[T], *answers: Option) -> T:
    """Runs a rule with these answers; each of them must be offered."""
    waiting = list(answers)
    try:
        decision = next(flow)
        while True:
            assert waiting, f"asked {decision.about}: {decision.options}"
            answer = waiting.pop(0)
            assert answer in decision.options, f"{decision.about}: {decision.options}"
            decision = flow.send(answer)
    except StopIteration as end:
        assert not waiting, f"not asked: {waiting}"
        found: T = end.value
        return found


def in_play(p: Player, **workers: int) -> None:
    """Technologies with workers."""
    p.workers |= workers


def stock(p: Player, **tokens: int) -> None:
    """Blue tokens on technologies."""
    p.workers |= {name: 0 for name in tokens if name not in p.workers}
    p.tokens = Counter(tokens)


def offers(g: Table, p: Player) -> list[Option]:
    return list(phases.offers(g, p))


# ---- Examples 1 to 10 ----------------------------------------------------------------------------------


def test_ex01_cards_taken_in_the_first_round() -> None:
    g = first_round(3)
    row = ["moses", "colossus", "engineering_genius_a", "homer", "aristotle"]
    row += ["hammurabi", "library_of_alexandria", "pyramids"]
    g.row[: len(row)] = row
    one, two, three = g.players
    run(civil.take(g, one, 0))
    assert (one.civil_hand, one.ca) == (["moses"], 0)
    run(civil.take(g, two, 1))
    run(civil.take(g, two, 2))
    assert (two.unfinished, two.civil_hand, two.ca) == ("colossus", ["engineering_genius_a"], 0)
    run(civil.take(g, three, 5))
    assert three.ca == 1
    assert ("take", "homer", 4) not in offers(g, three)
    assert offers(g, three) == [("end_the_turn",)]
    three.civil_hand.clear()
    three.leaders_taken.clear()
    three.ca = 3
    run(civil.take(g, three, 4))
    run(civil.take(g, three, 6))
    assert (three.unfinished, three.ca) == ("library_of_alexandria", 0)


def test_ex02_end_of_the_first_turn() -> None:
    g = first_round()
    p = g.players[0]
    run(phases.end_of_turn(g, p))
    assert (p.science, p.culture, p.blue_bank) == (1, 0, 12)
    assert +p.tokens == {"agriculture": 2, "bronze": 2}
    assert (p.ca, p.ma, p.military_hand) == (4, 2, [])


def test_ex03_replenishing_the_row() -> None:
    g = second_round(3)
    names = g.civil_deck[:4]
    cards = [f"c{n}" for n in range(1, 14)]
    g.row = [None if n in (1, 4, 8) else card for n, card in enumerate(cards, 1)]
    run(ages.replenish(g))
    left = [cards[n - 1] for n in (3, 5, 6, 7, 9, 10, 11, 12, 13)]
    assert g.row == left + names
    assert g.out["c2"] == 1


def test_ex04_hand_limit_at_the_start() -> None:
    g = second_round()
    p = g.players[0]
    p.civil_hand = ["frugality_a", "frugality_a", "rich_land_a", "rich_land_a"]
    for p.ca in (4, 3):
        assert not civil.may_take(g, p, g.card("moses"))
        assert civil.may_take(g, p, g.card("pyramids"))


def test_ex05_first_population_increase() -> None:
    g = second_round()
    p = g.players[0]
    assert civil.can_grow(g, p)
    run(civil.perform(g, p, ("grow",)))
    assert (p.ca, p.blue_bank, p.yellow_bank, p.pool) == (3, 14, 17, 2)
    assert +p.tokens == {"bronze": 2}
    assert not civil.can_grow(g, p)


def test_ex06_the_section_runs_empty() -> None:
    g = second_round()
    p = g.players[0]
    p.yellow_bank = 17
    run(civil.grow(g, p))
    assert p.yellow_bank == 16
    assert civil.food_cost(g, p) == 3
    assert TABLES.consumption[16] == 1
    assert ratings.discontent(g, p) == 1


def test_ex07_a_new_mine() -> None:
    g = second_round()
    p = g.players[0]
    run(civil.perform(g, p, ("build", "bronze")))
    assert (p.ca, p.blue_bank, p.pool, p.workers["bronze"]) == (3, 14, 0, 3)
    assert not [one for one in offers(g, p) if one[0] == "build"]
    run(phases.produce_resources(g, p))
    assert p.tokens["bronze"] == 3


def test_ex08_laboratories_and_temples() -> None:
    g = second_round()
    p = g.players[0]
    p.pool = 2
    stock(p, bronze=9)
    run(civil.perform(g, p, ("build", "religion")))
    assert (ratings.culture(g, p), ratings.happiness(g, p)) == (1, 1)
    run(civil.perform(g, p, ("build", "religion")))
    assert (ratings.culture(g, p), ratings.happiness(g, p)) == (2, 2)
    assert (p.ca, p.tokens["bronze"]) == (2, 3)
    p.pool = 1
    run(civil.perform(g, p, ("build", "philosophy")))
    assert ratings.science(g, p) == 2


def test_ex09_urban_building_limit() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, philosophy=2, alchemy=0)
    stock(p, bronze=20)
    p.pool = 2
    found = [one[1] for one in offers(g, p) if one[0] == "build"]
    assert found == ["agriculture", "bronze", "religion"]
    run(civil.perform(g, p, ("build", "religion")))
    assert ("build", "religion") in offers(g, p)


def test_ex10_a_second_warrior() -> None:
    g = second_round()
    p = g.players[0]
    run(military.perform(g, p, ("train", "warriors")))
    assert (p.ma, p.ca, p.tokens["bronze"], p.pool) == (1, 4, 0, 0)
    assert ratings.strength(g, p) == 2


# ---- Examples 11 to 20 ---------------------------------------------------------------------------------


def test_ex11_caesar_and_moses() -> None:
    g = second_round()
    p, q = g.players
    p.civil_hand = ["julius_caesar"]
    run(develop.perform(g, p, ("lead", "julius_caesar")))
    assert (p.ma_total, p.ma, ratings.strength(g, p), p.ca) == (3, 3, 2, 3)
    q.civil_hand = ["moses"]
    run(develop.perform(g, q, ("lead", "moses")))
    assert civil.food_cost(g, q) == 1


def test_ex12_replacing_moses() -> None:
    g = second_round()
    p = g.players[0]
    p.leader = "moses"
    g.row[5] = "joan_of_arc"
    run(civil.perform(g, p, ("grow",)))
    run(civil.perform(g, p, ("take", "joan_of_arc", 6)))
    run(develop.perform(g, p, ("lead", "joan_of_arc")))
    assert (p.leader, p.ca, g.out["moses"]) == ("joan_of_arc", 1, 1)
    p.leader, p.civil_hand, p.ca = "moses", ["joan_of_arc"], 0
    assert not [one for one in offers(g, p) if one[0] == "lead"]


def test_ex13_and_14_the_pyramids() -> None:
    g = second_round()
    p = g.players[0]
    p.unfinished = "pyramids"
    stock(p, bronze=6)
    bank = p.blue_bank
    run(civil.perform(g, p, ("build_stages", 1)))
    assert (p.blue_bank, p.stages) == (bank + 2, 1)
    run(civil.perform(g, p, ("build_stages", 1)))
    assert (p.tokens["bronze"], p.ca) == (1, 2)
    p.ca = 1
    run(civil.perform(g, p, ("build_stages", 1)))
    assert not p.unfinished
    assert (p.wonders, p.tokens["bronze"]) == (["pyramids"], 0)
    assert (p.ca_total, p.ca, p.blue_bank) == (5, 1, bank + 6)


def test_ex15_values_beyond_the_tracks() -> None:
    g = second_round()
    p = g.players[0]
    p.culture = 150
    in_play(p, philosophy=30, religion=10)
    run(phases.production(g, p))
    assert ratings.science(g, p) == 30
    assert p.culture == 160


def test_ex16_peaceful_change_to_theocracy() -> None:
    g = second_round()
    p = g.players[0]
    p.civil_hand, p.science = ["theocracy"], 6
    run(develop.perform(g, p, ("develop", "theocracy")))
    assert (p.ca, p.ca_total, p.ma, p.ma_total, p.science) == (3, 4, 3, 3, 0)
    assert (ratings.culture(g, p), ratings.strength(g, p), ratings.happiness(g, p)) == (1, 2, 1)


def test_ex17_revolution_to_monarchy() -> None:
    g = second_round()
    p = g.players[0]
    p.civil_hand, p.science = ["monarchy"], 2
    run(develop.perform(g, p, ("revolt", "monarchy")))
    assert (p.ca, p.ca_total, p.ma, p.ma_total, p.science) == (0, 5, 3, 3, 0)


def test_ex18_upgrading_farms_and_mines() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, agriculture=1, selective_breeding=0, bronze=1, iron=1, coal=0)
    stock(p, bronze=6)

    def cost(low: str, high: str) -> int:
        return civil.upgrade_cost(g, p, g.card(low), g.card(high))

    assert cost("agriculture", "selective_breeding") == 4
    assert (cost("bronze", "iron"), cost("iron", "coal"), cost("bronze", "coal")) == (3, 3, 6)
    found = {one[1] for one in offers(g, p) if one[0] == "build"}
    assert "coal" not in found
    assert found >= {"agriculture", "selective_breeding", "bronze", "iron"}


def test_ex19_production_on_higher_levels() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, bronze=1, iron=2, coal=0)
    stock(p, bronze=6)
    run(phases.produce_resources(g, p))
    assert stored_goods(g, p, "resources") == 11
    assert +p.tokens == {"bronze": 7, "iron": 2}


def ways(g: Table, p: Player, amount: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    return {(way.given, way.change) for way in payments(g, p, "resources", amount)}


def test_ex20_two_ways_to_pay() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, iron=1, bronze=2)
    assert ways(g, p, 2) == {((2, 0), (0, 0)), ((0, 1), (0, 0))}
    run(pay(g, p, "resources", 2), ("give", 0))
    assert +p.tokens == {"bronze": 2}


# ---- Examples 21 to 30 ---------------------------------------------------------------------------------


def test_ex21_change_for_food() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, irrigation=2)
    p.blue_bank = 1
    run(pay(g, p, "food", 1))
    assert +p.tokens == {"irrigation": 1, "agriculture": 1}
    assert p.blue_bank == 1


def test_ex22_and_23_change_from_coal() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, coal=1)
    p.blue_bank = 1
    run(pay(g, p, "resources", 1))
    assert (+p.tokens, p.blue_bank) == ({"bronze": 2}, 0)
    stock(p, coal=2)
    run(pay(g, p, "resources", 4))
    assert (+p.tokens, p.blue_bank) == ({"bronze": 2}, 0)


def test_more_than_needed_is_paid_only_without_change() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, coal=1)
    p.blue_bank = 0
    run(pay(g, p, "resources", 1))
    assert (+p.tokens, p.blue_bank) == ({"bronze": 1}, 0)


def test_ex24_no_change_upwards() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, agriculture=2, irrigation=0)
    assert all(way.change == (0, 0) for way in payments(g, p, "food", 1))


def test_ex25_upgrading_urban_buildings() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, philosophy=1, alchemy=1, scientific_method=0, bread_and_circuses=1)
    in_play(p, team_sports=0, religion=1, theology=0)
    stock(p, bronze=16)
    before = ratings.science(g, p), ratings.strength(g, p), ratings.happiness(g, p)
    assert before == (3, 2, 3)
    found = {one[1] for one in offers(g, p) if one[0] == "build"}
    assert found >= {"religion", "theology", "bread_and_circuses", "team_sports"}
    assert not found & {"philosophy", "alchemy", "scientific_method"}
    run(civil.perform(g, p, ("upgrade", "bread_and_circuses")))
    assert p.tokens["bronze"] == 14
    assert (ratings.strength(g, p), ratings.happiness(g, p)) == (3, 4)
    run(civil.perform(g, p, ("upgrade", "philosophy")), ("to", "scientific_method"))
    assert (p.tokens["bronze"], ratings.science(g, p)) == (9, 5)
    run(civil.perform(g, p, ("upgrade", "alchemy")))
    assert (p.tokens["bronze"], ratings.science(g, p)) == (7, 6)


def test_ex26_masonry() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, philosophy=1, alchemy=1, scientific_method=0)
    p.specials = ["masonry"]
    alchemy, philosophy, method = map(g.card, ("alchemy", "philosophy", "scientific_method"))
    assert (civil.building_cost(g, p, alchemy), civil.building_cost(g, p, philosophy)) == (5, 3)
    assert civil.upgrade_cost(g, p, philosophy, alchemy) == 2
    assert civil.upgrade_cost(g, p, alchemy, method) == 2


def test_ex27_gaining() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, irrigation=0, coal=0, bronze=1)
    run(gain(g, p, "food", 2), ("put", 1))
    assert p.tokens["irrigation"] == 1
    run(gain(g, p, "food", 2), ("put", 0))
    assert p.tokens["agriculture"] == 2
    run(gain(g, p, "resources", 2))
    assert p.tokens["bronze"] == 3


def test_ex28_breakthrough_and_revolution() -> None:
    g = second_round()
    p = g.players[0]
    p.civil_hand, p.science = ["breakthrough_i", "monarchy"], 2
    p.ca = 3
    assert not [one for one in offers(g, p) if one[0] == "play_card"]
    p.ca = 4
    run(action_cards.perform(g, p, ("play_card", "breakthrough_i")))
    assert (p.government, p.ca, p.ca_total, p.science) == ("monarchy", 0, 5, 2)


def test_ex29_temporary_resources() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, bronze=3)
    p.civil_hand, p.pool = ["patriotism_i"], 2
    run(action_cards.perform(g, p, ("play_card", "patriotism_i")))
    run(military.perform(g, p, ("train", "warriors")))
    assert (p.temp_resources, p.temp_ma, p.ma, p.tokens["bronze"]) == (0, 0, 2, 3)
    run(military.perform(g, p, ("train", "warriors")))
    assert (p.ma, p.tokens["bronze"]) == (1, 1)
    g.military_deck = ["legion", "phalanx"]
    run(phases.end_of_turn(g, p))
    assert p.military_hand == ["legion"]


def test_ex30_drawing_in_the_second_round() -> None:
    g = second_round()
    p = g.players[0]
    g.military_deck = ["legion", "phalanx", "rats"]
    run(phases.end_of_turn(g, p))
    assert p.military_hand == ["legion", "phalanx"]


# ---- Examples 31 to 40 ---------------------------------------------------------------------------------


def test_ex31_first_prepared_event() -> None:
    g = second_round(3)
    p = g.players[0]
    deck = ["rats", "crusades", "barbarians", "legion", "pestilence"]
    g.current_events = [f"development_of_{one}" for one in ("science", "crafts", "settlement")]
    g.current_events += ["development_of_politics", "development_of_agriculture"]
    p.military_hand = ["rats"]
    run(events.prepare(g, p, "rats"))
    assert (p.culture, g.future_events) == (1, ["rats"])
    assert (len(g.current_events), g.past_events) == (4, ["development_of_science"])
    deck = ["cold_war", "crusades", "impact_of_science", "refugees"]
    p.military_hand = list(deck)
    for name in deck:
        run(events.prepare(g, p, name))
    assert g.future_events == []
    order = ["rats", "crusades", "cold_war", "refugees", "impact_of_science"]
    assert g.current_events == order


def test_ex32_a_colonization_force() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, warriors=2, knights=1)
    p.specials, p.military_hand = ["cartography"], ["military_bonus_i", "military_bonus_i"]
    assert colonies.force(g, p, {"warriors": 2}) == 4
    assert colonies.force(g, p, {"knights": 1}) == 4
    assert colonies.largest_force(g, p) == 8
    bank = p.yellow_bank
    run(
        colonies.send(g, p, 4),
        ("send", "warriors"),
        ("play", "military_bonus_i"),
        ("done",),
    )
    assert (p.yellow_bank, p.workers["warriors"]) == (bank + 1, 1)
    assert g.discards[1] == ["military_bonus_i"]


def test_ex33_inhabited_territory() -> None:
    g = second_round()
    p = g.players[0]
    p.yellow_bank, p.pool = 9, 0
    run(colonies.colonize(g, p, "inhabited_territory_ii"))
    assert (p.yellow_bank, p.pool) == (10, 2)
    run(lose_colony(g, p, "inhabited_territory_ii"))
    assert (p.yellow_bank, p.pool) == (7, 2)


def army(tactic: str, **units: int) -> int:
    return tactical_strength(TABLES, TABLES[tactic], units)


def test_ex34_armies() -> None:
    g = second_round()
    p = g.players[0]
    in_play(p, warriors=4, knights=1)
    found = []
    for p.tactic in (None, "fighting_band", "phalanx"):
        found.append(ratings.strength(g, p))
    assert found == [6, 8, 9]


def test_ex35_outdated_armies() -> None:
    units = {"warriors": 1, "riflemen": 1, "knights": 4, "cannon": 2}
    tactics = ("defensive_army", "mobile_artillery", "conquistadors")
    assert [army(one, **units) for one in tactics] == [3, 10, 8]


def test_ex36_armies_while_colonizing() -> None:
    g = second_round()
    p = g.players[0]
    p.tactic = "conquistadors"
    both = {"knights": 2}
    assert colonies.force(g, p, both | {"swordsmen": 1}) == 11
    assert colonies.force(g, p, both | {"warriors": 1}) == 8
    assert colonies.force(g, p, both | {"swordsmen": 1, "warriors": 1}) == 12


def test_ex37_one_missing_happy_face() -> None:
    g = second_round()
    p = g.players[0]
    p.yellow_bank = 16
    assert ratings.discontent(g, p) == 1
    for p.pool, science in ((1, 2), (0, 2)):
        run(phases.end_of_turn(g, p))
        assert p.science == science
    p.workers["religion"] = 1
    assert ratings.discontent(g, p) == 0


def test_ex38_avoiding_an_uprising() -> None:
    g = second_round()
    p = g.players[0]
    p.yellow_bank = 10
    in_play(p, religion=1, theology=0)
    assert ratings.discontent(g, p) == 2
    in_play(p, religion=0, theology=1)
    assert ratings.discontent(g, p) == 1
    in_play(p, religion=1, theology=1)
    assert ratings.discontent(g, p) == 0
    in_play(p, theology=0)
    p.yellow_bank = 9
    assert ratings.discontent(g, p) == 2
    p.yellow_bank = 8
    assert ratings.discontent(g, p) == 3


def test_ex39_corruption() -> None:
    g = second_round()
    p = g.players[0]
    stock(p, bronze=2, agriculture=9)
    p.blue_bank = 5
    run(phases.corruption(g, p))
    assert (+p.tokens, p.blue_bank) == ({"agriculture": 7}, 9)


@pytest.mark.parametrize(("food", "left", "culture"), [(4, 1, 20), (1, 0, 12)])
def test_ex40_consumption(food: int, left: int, culture: int) -> None:
    g = second_round()
    p = g.players[0]
    stock(p, agriculture=food)
    p.yellow_bank, p.culture = 8, 20
    run(phases.consumption(g, p))
    assert (stored_goods(g, p, "food"), p.culture) == (left, culture)


# ---- Examples 41 to 47 ---------------------------------------------------------------------------------


def test_ex41_end_of_age_one() -> None:
    g = second_round(4)
    one, two, three, four = g.players
    one.leader = "moses"
    two.unfinished, two.stages = "hanging_gardens", 2
    two.blue_bank -= 2
    three.civil_hand = ["frugality_a", "homer", "iron"]
    four.wonders = ["pyramids"]
    g.civil_deck = ["coal", "opera"]
    g.row[10:] = [None, None, None]
    g.row[0] = g.row[1]
    run(ages.slide_and_deal(g))
    assert g.age == 2
    assert not one.leader
    assert not two.unfinished
    assert two.blue_bank == 12
    assert (three.civil_hand, four.wonders) == (["iron"], ["pyramids"])
    assert [p.yellow_bank for p in g.players] == [16] * 4
    assert g.row[10:12] == ["coal", "opera"]
    assert g.row[12] is not None
    assert g.card(g.row[12]).level == 2


@pytest.mark.parametrize(("current", "last"), [(0, 7), (2, 8)])
def test_ex42_which_round_is_the_last(current: int, last: int) -> None:
    g = second_round(3, "first_game")
    g.age, g.round, g.current = 2, 7, current
    g.civil_deck = ["coal"]
    g.row[12] = None
    run(ages.slide_and_deal(g))
    assert (g.age, g.last_round) == (3, last)


def test_ex43_air_forces() -> None:
    units = {"warriors": 2, "riflemen": 1, "knights": 2, "cavalrymen": 2, "air_forces": 2}
    tactics = ("medieval_army", "conquistadors", "shock_troops")
    assert [army(one, **units) for one in tactics] == [10, 16, 12]
    units |= {"knights": 1, "cavalrymen": 3}
    assert army("shock_troops", **units) == 22


@pytest.mark.parametrize(("first", "scores"), [(None, [14, 0, 7]), (0, [14, 7, 0])])
def test_ex44_a_ranking_event(first: int | None, scores: list[int]) -> None:
    g = second_round(3)
    g.current = 2
    for p, labs in zip(g.players, (12, 9, 9), strict=True):
        p.workers["philosophy"] = labs
    impacts.score_impact(g, "impact_of_science", first)
    assert [p.culture for p in g.players] == scores


def test_ex45_tactics_become_common() -> None:
    g = second_round()
    one, two = g.players
    one.military_hand = ["phalanx"]
    run(military.perform(g, one, ("play_tactic", "phalanx")))
    assert one.ma == 1
    assert not [option for option in offers(g, two) if option[0] == "copy_tactic"]
    military.make_common(g, one)
    assert (one.tactic, g.common_tactics) == ("phalanx", ["phalanx"])
    run(military.perform(g, two, ("copy_tactic", "phalanx")))
    assert (two.tactic, two.ma) == ("phalanx", 0)
    one.tactic, one.chose_tactic, one.ma = "legion", False, 2
    run(military.perform(g, one, ("copy_tactic", "phalanx")))
    assert one.ma == 0


def test_ex46_an_aggression_a_war_and_a_pact() -> None:
    g = second_round(3)
    one, two, three = g.players
    in_play(one, warriors=9)
    in_play(two, warriors=5)
    stock(two, agriculture=6)
    plunder = g.card("plunder_ii")

    def attack(*answers: Option) -> int:
        one.ma, one.military_hand = 2, ["plunder_ii"]
        two.military_hand = ["military_bonus_ii", "rats", "legion"]
        run(attacks.attack(g, one, plunder, two), *answers)
        return stored_goods(g, two, "food")

    bonus = ("play", "military_bonus_ii")
    assert attack(bonus, ("discard", "rats")) == 6
    assert attack(bonus, ("done",)) == 6
    assert attack(("done",), ("food", 5)) == 1
    in_play(two, warriors=12)
    one.culture = 20
    g.wars = [War(0, 1, "war_over_culture", "war_over_culture")]
    run(attacks.resolve_wars(g, one))
    assert (one.culture, two.culture) == (12, 8)
    three.military_hand = ["peace_treaty"]
    g.current = 2
    run(
        politics.politics_phase(g, three),
        ("offer", "peace_treaty", 1),
        ("refuse",),
    )
    assert (three.military_hand, g.pacts) == (["peace_treaty"], [])


def test_ex47_first_game_final_scoring() -> None:
    g = second_round(2, "first_game")
    p = g.players[0]
    in_play(p, agriculture=1, irrigation=2, bronze=0, iron=2, coal=1, philosophy=0, alchemy=2)
    in_play(p, journalism=1, religion=2, warriors=1, swordsmen=2)
    p.specials, p.government = ["code_of_laws"], "constitutional_monarchy"
    p.colonies, p.wonders, p.culture = ["strategic_territory_i"], ["eiffel_tower"], 70
    assert list(scoring.first_game_items(g, p).values()) == [13, 6, 7, 3, 12, 3, 6]
    scoring.final_scoring(g)
    assert (p.culture, g.winners) == (120, [0])


# ---- Where the examples say nothing -----------------------------------------------------------------------


def test_trade_routes_help_to_pay_once_in_a_turn() -> None:
    g = second_round(3)
    p = g.players[0]
    g.pacts = [Pact(0, "trade_routes_agreement", 0, 1)]
    stock(p, agriculture=2, bronze=1)
    assert can_pay(g, p, "resources", 2)
    run(pay(g, p, "resources", 2))
    assert +p.tokens == {"agriculture": 1}
    assert not can_pay(g, p, "resources", 1)


# ---- Random games ---------------------------------------------------------------------------------------------


def random_game(players: int, mode: Mode, seed: int) -> None:
    """Whatever the players choose, no token is owed, no card is lost, and the game ends."""
    chance = random.Random(seed)

    def shuffle(_: str, cards: list[str]) -> list[str]:
        return chance.sample(cards, len(cards))

    match = Match(TABLES, players, mode, shuffle, global_conflict=seed % 2 == 0)
    cards = all_cards(match.table)
    while match.decision:
        options = match.decision.options
        assert options
        stays = [one for one in options if one != ("resign",) or chance.random() < 0.01]
        match.apply(chance.choice(stays))
        for p in match.table.players:
            numbers = (p.ca, p.ma, p.pool, p.yellow_bank, p.blue_bank, p.science, p.culture)
            assert min(*numbers, *p.tokens.values(), *p.workers.values(), 0) == 0
            assert p.ca <= p.ca_total
            assert p.ma <= p.ma_total
    assert all_cards(match.table) == cards
    assert match.table.winners


MODES: tuple[Mode, ...] = ("first_game", "full", "shorter", "peaceful")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_agree_with_the_model(players: int, mode: Mode) -> None:
    for seed in range(3):
        random_game(players, mode, seed)


# ---- The shipped game beside the model -----------------------------------------------------------------------

SETTINGS: tuple[dict[str, str], ...] = (
    {"mode": "full", "resigning": "yes"},
    {"mode": "first_game", "resigning": "no"},
    {"mode": "shorter", "resigning": "yes"},
    {"mode": "peaceful", "resigning": "yes"},
    {"mode": "full", "global_conflict": "yes", "resigning": "yes"},
    {"mode": "peaceful_with_pacts", "resigning": "yes"},
    {"mode": "shorter", "global_conflict": "yes", "resigning": "yes"},
    {"mode": "full", "resigning": "yes"},
)


def no_difference(
    players: int, options: dict[str, str], seed: int, *, short_of_blue: bool = False
) -> None:
    """Compares the player, the options and the position at every decision, and the scores and winners."""
    game = game_named("through_the_ages")
    _, difference = compare(game, TABLES, players, options, seed, short_of_blue=short_of_blue)
    assert difference is None, str(difference)


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize(
    ("players", "options"),
    [
        pytest.param(2, SETTINGS[2], marks=pytest.mark.deep),
        (3, SETTINGS[0]),
        pytest.param(4, SETTINGS[5], marks=pytest.mark.deep),
    ],
)
def test_game_and_model_agree(players: int, options: dict[str, str]) -> None:
    for seed in range(2):
        no_difference(players, options, seed)


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.deep)])
def test_game_and_model_short_of_blue_tokens(players: int) -> None:
    for seed in range(2):
        no_difference(players, SETTINGS[0], 5 + seed, short_of_blue=True)


@pytest.mark.deep
@pytest.mark.parametrize("batch", range(10))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_game_and_model_deep(players: int, batch: int) -> None:
    for seed in range(batch * 30, batch * 30 + 30):
        options = SETTINGS[seed % len(SETTINGS)]
        no_difference(players, options, 1000 + seed, short_of_blue=seed % 3 == 0)
