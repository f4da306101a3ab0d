"""The model of Colonial agrees with the worked examples of the rulebook, and stays consistent in random matches.

Independent of the shipped game: `test_colonial_compared` compares the two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import pytest

from tests.oracles.colonial import game as course
from tests.oracles.colonial.characters import (
    governor,
    governor_options,
    payments,
    rebel,
    scientist,
    viceroy,
)
from tests.oracles.colonial.conqueror import conqueror, conqueror_options
from tests.oracles.colonial.decisions import Flow, Option, Table
from tests.oracles.colonial.explorer import explorer, needed_roll
from tests.oracles.colonial.game import Match, leave_out, new_position, start
from tests.oracles.colonial.position import Position, Removal, Won
from tests.oracles.colonial.tables import RIGHT_END, TRACKS, tables
from tests.oracles.colonial.trade import capacity, merchant, trader
from tests.oracles.colonial.war import sovereign, sovereign_options

RED, BLUE, GREEN, YELLOW = range(4)
ORANGE = YELLOW


def scene(
    players: int = 4,
    nations: Sequence[str] = (),
    discovered: Sequence[str] = (),
    more: Mapping[str, list[int]] = MappingProxyType({}),
    **stacks: list[int],
) -> Position:
    """A position as in the examples: territories with markers are discovered."""
    position = new_position(tables(), players, 0)
    position.seats[0].treasury = 5
    for seat, nation in zip(position.seats, nations, strict=False):
        seat.nation = nation
    stacks |= more
    position.stacks.update(stacks)
    known = {*discovered, *(position.territory_of(space) for space in stacks)}
    for territory in known:
        position.prestige[territory] = 0
        if position.tables.territories[territory].is_american:
            position.america_discovered = True
            position.america, position.circumnavigation = 0, 1
    position.turn, position.round = 2, 1
    return position


def match(
    position: Position,
    flow: Callable[[Table, int], Flow[None]],
    player: int,
    *answers: str | int | tuple[str | int, ...],
    dice: Sequence[int] = (),
    rolled: list[int] | None = None,
) -> Match:
    """A character in play after some answers; each roll needs a given number of successes."""
    results = iter(dice)

    def roll(number: int) -> int:
        if rolled is not None:
            rolled.append(number)
        return next(results)

    position.acting = player
    table = Table(position, roll)
    running = Match(table, flow(table, player))
    for answer in answers:
        running.apply(answer if isinstance(answer, tuple) else (answer,))
    return running


def ordinary(running: Match) -> list[Option]:
    """The options of a decision, without the gifts that are always possible."""
    return [option for option in running.decision().options if option[0] != "give"]


# ---- Control and monopolies ------------------------------------------------------------------------


def test_ex01_control() -> None:
    assert scene(west_indies_plantation=[BLUE]).controller("west_indies_plantation") == BLUE


def test_ex02_three_monopolies() -> None:
    position = scene(
        east_indies_spices=[BLUE], india_silk=[BLUE], indochina_silk=[BLUE], canada_furs=[BLUE]
    )
    assert position.monopolies(BLUE) == 3
    running = match(position, lambda table, _: course.merchant_fleets(table), BLUE)
    assert running.decision().player == BLUE
    assert ordinary(running) == [(0,), (1,), (2,), (3,)]
    running.apply((3,))
    assert running.over
    assert (position.seats[BLUE].treasury, position.seats[BLUE].fleets) == (2, 5)


def test_ex03_breaking_a_monopoly_by_discovery() -> None:
    position = scene(west_indies_plantation=[RED])
    running = match(
        position,
        explorer,
        BLUE,
        "new_france",
        ("trading_post", "new_france_plantation"),
        "no",
        dice=[5],
    )
    assert running.over
    blue = position.seats[BLUE]
    assert (blue.prestige, blue.fleets, blue.diplomacy) == (1, 1, 3)
    assert position.seats[RED].diplomacy == 4
    assert position.stacks["new_france_plantation"] == [BLUE]
    assert position.monopolist("plantation") is None


def test_ex04_taking_control_with_the_viceroy() -> None:
    position = scene(brazil_plantation=[RED])
    position.seats[BLUE].steps["logistics"] = 1
    space = "brazil_plantation"
    assert match(position, viceroy, BLUE, "brazil", space, space).over
    assert position.stacks[space] == [BLUE, BLUE, RED]
    assert (position.seats[BLUE].diplomacy, position.seats[BLUE].treasury) == (3, 3)


# ---- Diplomacy -------------------------------------------------------------------------------------


def test_ex05_who_may_declare_war() -> None:
    position = scene()
    for player, space in ((RED, 3), (GREEN, 4), (BLUE, 5), (YELLOW, 7)):
        position.seats[player].diplomacy = space
    assert sovereign_options(position, RED) == []
    assert ("war", "player_1") in sovereign_options(position, BLUE)
    assert ("war", "player_1") in sovereign_options(position, GREEN)


# ---- Special explorations --------------------------------------------------------------------------


def test_ex06_before_the_discovery_of_america() -> None:
    for successes, expected in ((3, 0), (4, 2)):
        position = scene()
        position.seats[BLUE].steps["seafaring"] = 1
        assert needed_roll(position, BLUE, "west_indies") == 4
        match(position, explorer, BLUE, "west_indies", dice=[successes])
        assert position.seats[BLUE].prestige == expected
        assert position.is_discovered("west_indies") == (expected == 2)
        assert position.circumnavigation == (1 if expected else 0)


@pytest.mark.parametrize("explored", [1, 2])
@pytest.mark.parametrize("sailed", [2, 3])
def test_ex07_circumnavigation_after_america(explored: int, sailed: int) -> None:
    position = scene(discovered=["west_indies"], east_indies_spices=[BLUE])
    position.seats[BLUE].steps["seafaring"] = 2
    assert needed_roll(position, BLUE, "new_spain") == 2
    answers = ["new_spain", "nobody", "yes"] if explored == 2 else ["new_spain", "yes"]
    assert match(position, explorer, BLUE, *answers, dice=[explored, sailed]).over
    blue = position.seats[BLUE]
    assert blue.treasury == 4
    assert blue.prestige == (explored == 2) + (sailed == 3)
    assert position.circumnavigation == (sailed == 2)


# ---- Characters ------------------------------------------------------------------------------------


def test_ex08_conqueror_in_new_spain() -> None:
    position = scene(new_spain_gold=[RED] * 4)
    position.unrest["new_spain"] = 1
    red = position.seats[RED]
    running = match(position, conqueror, RED, ("found", "new_spain"))
    assert position.colonies == {"new_spain": RED}
    assert red.prestige == 1
    running.apply(("company", "new_spain_gold", 4))
    assert (red.fleets, position.stacks["new_spain_gold"]) == (3, [RED] * 3)
    running.apply(("yes",))
    assert (red.treasury, position.unrest["new_spain"]) == (13, 2)
    running.apply((1,))
    assert running.over
    assert (position.unrest["new_spain"], red.diplomacy) == (1, 3)


def test_ex09_explorer_to_india() -> None:
    position = scene()
    assert match(position, explorer, RED, "india", ("conquistadors", "india_silk"), dice=[4]).over
    red = position.seats[RED]
    assert (red.prestige, red.diplomacy, red.treasury) == (1, 5, 4)
    assert position.stacks["india_silk"] == [RED]
    assert position.unrest["india"] == 1


def test_ex10_interest() -> None:
    position = scene()
    position.seats[RED].loans = [4, 6]
    course.loan_interest(position)
    assert position.seats[RED].loans == [5, 7]
    assert position.seats[RED].treasury == 5


def test_ex11_governor_sequence() -> None:
    position = scene(west_indies_plantation=[RED], new_england_furs=[BLUE])
    position.colonies = {"west_indies": RED, "new_england": BLUE}
    position.seats[BLUE].steps["economy"] = 1
    red, blue = position.seats[RED], position.seats[BLUE]
    running = match(position, governor, RED, "west_indies")
    assert ordinary(running) == [(1,), (2,)]
    running.apply((1,))
    assert (position.city, position.city_value) == ("west_indies", 1)
    assert (red.treasury, red.prestige) == (4, 1)
    running = match(position, governor, BLUE, "new_england")
    assert ordinary(running) == [(2,), (3,), (4,)]
    running.apply((3,))
    assert (position.city, position.city_value) == ("new_england", 3)
    assert (blue.treasury, blue.prestige) == (2, 1)
    assert governor_options(position, RED) == []
    red.steps["economy"] = 1
    assert payments(position, RED) == [(4,)]
    assert governor_options(position, RED) == [("west_indies",)]


def test_ex12_merchant_with_consent() -> None:
    own = ["india_silk", "brazil_plantation", "canada_furs", "angola_slaves"]
    foreign = ["peru_gold", "japan_precious_metals"]
    position = scene(more={**{s: [BLUE] for s in own}, **{s: [RED] for s in foreign}})
    position.seats[BLUE].fleets = 6
    red, blue = position.seats[RED], position.seats[BLUE]
    answers: list[Option] = [("ship", space) for space in own]
    for space in foreign:
        answers += [("ship", space), (0,), ("agree",)]
    assert match(position, merchant, BLUE, *answers).over
    assert (blue.goods, blue.fleets, blue.treasury, red.treasury) == (6, 6, 5, 7)


def test_ex13_merchant_and_pirates() -> None:
    position = scene(
        west_africa_slaves=[BLUE], west_africa_gold=[GREEN], india_silk=[RED], canada_furs=[RED]
    )
    position.city, position.city_value = "west_africa", 3
    position.unrest["west_africa"] = 2
    position.seats[RED].fleets = 6
    rolled: list[int] = []
    running = match(position, merchant, RED, dice=[1], rolled=rolled)
    assert rolled == [2]
    assert position.seats[RED].fleets == 5
    assert position.city_value == 3
    assert ordinary(running) == [("ship", "india_silk"), ("ship", "canada_furs"), ("done",)]


def test_ex14_rebellion() -> None:
    position = scene(west_africa_gold=[GREEN, GREEN], west_africa_slaves=[BLUE])
    position.unrest["west_africa"] = 2
    rolled: list[int] = []
    running = match(position, rebel, RED, ("rebellion", "west_africa"), dice=[1], rolled=rolled)
    assert rolled == [6]
    assert ordinary(running) == [
        ("remove", "west_africa_gold", 1),
        ("remove", "west_africa_gold", 2),
        ("remove", "west_africa_slaves", 1),
    ]
    running.apply(("remove", "west_africa_slaves", 1))
    assert running.over
    assert position.stacks["west_africa_slaves"] == []


def test_ex15_scientist() -> None:
    position = scene()
    assert match(position, scientist, RED, "seafaring").over
    assert position.value(RED, "seafaring") == 1
    assert position.seats[RED].treasury == 4


def test_ex16_war_with_surrender() -> None:
    position = scene(
        india_silk=[RED, RED, RED, BLUE, BLUE], west_africa_gold=[RED], west_africa_slaves=[BLUE]
    )
    red, blue = position.seats[RED], position.seats[BLUE]
    red.squadrons, blue.squadrons, blue.prestige = 10, 6, 2
    rolled: list[int] = []
    running = match(
        position,
        sovereign,
        RED,
        ("war", "player_2"),
        "india",
        ("remove", "india_silk", 5),
        dice=[1, 0, 0, 0, 2, 2],
        rolled=rolled,
    )
    assert rolled == [3, 2, 1, 1, 5, 5]
    assert red.diplomacy == 3
    assert position.stacks["india_silk"] == [RED, RED, RED, BLUE]
    assert (red.squadrons, blue.squadrons) == (8, 4)
    assert running.decision().player == BLUE
    running.apply(("surrender",))
    assert running.over
    assert (red.prestige, blue.prestige) == (1, 1)


def test_ex16_a_second_year_when_nobody_surrenders() -> None:
    position = scene(india_silk=[RED, BLUE])
    running = match(
        position,
        sovereign,
        RED,
        ("war", "player_2"),
        "fight_on",
        "fight_on",
        dice=[0] * 8,
    )
    assert running.decision().player == BLUE
    running.apply(("fight_on",))
    assert running.decision().player == RED


def test_ex17_war_with_forced_surrender() -> None:
    position = scene(west_africa_gold=[GREEN], west_africa_slaves=[ORANGE, ORANGE])
    green, orange = position.seats[GREEN], position.seats[ORANGE]
    green.squadrons, orange.squadrons, orange.prestige = 8, 5, 1
    rolled: list[int] = []
    answers: list[Option] = [("war", "player_4"), ("remove", "west_africa_gold", 1)]
    answers += [("fight_on",)] * 6
    running = match(
        position,
        sovereign,
        GREEN,
        *answers,
        dice=[0, 1, 2, 2, 1, 1, 1, 1, 2, 0],
        rolled=rolled,
    )
    assert running.over
    assert rolled == [1, 2, 5, 5, 5, 3, 5, 2, 4, 1]
    assert (green.squadrons, orange.squadrons, orange.fleets) == (4, 0, 1)
    assert (green.prestige, orange.prestige) == (1, 0)


def test_ex18_war_ending_in_stalemate() -> None:
    position = scene()
    assert match(position, sovereign, YELLOW, ("war", "player_1"), dice=[1, 1]).over
    assert [seat.squadrons for seat in position.seats] == [0, 1, 1, 0]
    assert [seat.prestige for seat in position.seats] == [0] * 4


def test_ex19_trader() -> None:
    position = scene(west_africa_gold=[BLUE], new_spain_gold=[BLUE])
    position.colonies = {"west_africa": BLUE, "new_spain": BLUE}
    red, blue = position.seats[RED], position.seats[BLUE]
    blue.steps["economy"] = 1
    blue.goods, red.goods, blue.treasury, red.treasury = 7, 3, 0, 0
    assert capacity(position, BLUE) == 11
    answers: list[Option] = [("goods_of", "player_2"), (7,), ("goods_of", "player_1"), (3,)]
    running = match(position, trader, BLUE, *answers)
    assert running.decision().player == BLUE  # he has treasures to offer now
    running.apply((0,))
    running.apply(("agree",))
    assert running.over
    assert (blue.goods, red.goods, blue.treasury, red.treasury) == (0, 0, 10, 3)


@pytest.mark.parametrize("held", [True, False])
def test_ex20_viceroy_on_two_spaces(held: bool) -> None:
    position = scene(west_africa_gold=[RED], angola_slaves=[BLUE] if held else [])
    red = position.seats[RED]
    red.steps["logistics"] = 1
    spaces = ["west_africa_gold", "west_africa_slaves"]
    assert match(position, viceroy, RED, "west_africa", *spaces, "west_africa_gold").over
    assert position.stacks["west_africa_gold"] == [RED, RED]
    assert position.stacks["west_africa_slaves"] == [RED]
    assert (red.treasury, red.diplomacy) == (3, 3 if held else 4)


# ---- Nations ---------------------------------------------------------------------------------------


def characters(position: Position, player: int, card: str) -> set[str | int]:
    return {option[-1] for option in course.uses(position, player, card)} - {"pass"}


def test_ex21_dutch_double_card() -> None:
    position = scene(nations=["dutch_republic", "spain", "france", "portugal"])
    position.stacks["levant_luxuries"] = [RED]
    position.seats[RED].used = ["explorer", "merchant"]
    card = "card_merchant_governor"
    assert characters(position, RED, card) == {"merchant", "governor"}
    position.seats[RED].used = ["explorer", "governor"]
    assert characters(position, RED, card) == {"merchant"}
    position.seats[RED].used = ["merchant", "merchant"]
    assert characters(position, RED, card) == {"governor"}
    assert course.hand(position, RED).count(card) == 2


def test_ex22_british_double_card() -> None:
    position = scene(nations=["great_britain", "spain", "france", "portugal"])
    position.seats[RED].goods = 1
    for used in ("trader", "financier"):
        position.seats[RED].used = [used]
        assert characters(position, RED, "card_trader_financier") == {"trader", "financier"}


@pytest.mark.parametrize(("raised", "value"), [("yes", 5), ("no", 4)])
def test_ex23_historical_booming_city(raised: str, value: int) -> None:
    nations = ["spain", "france", "portugal", "great_britain"]
    position = scene(nations=nations, west_indies_plantation=[RED])
    position.seats[RED].steps["economy"] = 1
    assert match(position, governor, RED, "west_indies", 4, raised).over
    assert position.city_value == value
    assert position.seats[RED].treasury == 1


def test_ex24_extremadura() -> None:
    nations = ["spain", "france", "portugal", "great_britain"]
    position = scene(nations=nations, new_spain_gold=[RED])
    assert conqueror_options(position, RED) == []
    position.missions["new_spain"] = 1
    running = match(position, conqueror, RED, ("found_by_extremadura", "new_spain"))
    assert position.colonies == {"new_spain": RED}
    assert (position.seats[RED].prestige, position.unrest["new_spain"]) == (1, 1)
    assert ordinary(running) == [("yes",), ("no",)]


def test_ex25_overstretch() -> None:
    nations = ["spain", "france", "portugal", "great_britain"]
    spain = (position := scene(nations=nations)).seats[0]
    spain.prestige, spain.treasury = 4, 3
    assert match(position, lambda table, _: course.overstretch(table), RED).over
    assert (spain.prestige, spain.treasury) == (3, 3)
    for answer, left in (("lose", (4, 7)), ("pay", (5, 2))):
        spain.prestige, spain.treasury = 5, 7
        assert match(position, lambda table, _: course.overstretch(table), RED, answer).over
        assert (spain.prestige, spain.treasury) == left


def test_ex26_dutch_monopolies() -> None:
    position = scene(nations=["dutch_republic", "spain", "france", "portugal"])
    assert position.monopolies(RED) == 2
    position.stacks["japan_precious_metals"] = [RED]
    position.stacks["peru_gold"] = [RED]
    assert position.monopolies(RED) == 4


def test_ex27_removed_territory() -> None:
    position = scene(players=3, nations=["spain", "france", "great_britain"])
    leave_out(position)
    assert "persia" not in position.territories
    assert "persia_luxuries" not in position.stacks
    assert "california" in position.territories


@pytest.mark.parametrize("adventurers", [False, True])
def test_ex28_guide_opening(adventurers: bool) -> None:
    position = scene()
    position.turn = 1
    blue = position.seats[BLUE]
    match(position, scientist, BLUE, "seafaring")
    assert blue.treasury == 4
    way = "conquistadors" if adventurers else "trading_post"
    match(position, explorer, BLUE, "west_africa", (way, "west_africa_gold"), dice=[1])
    assert (blue.treasury, blue.fleets, blue.prestige) == ((3, 2, 1) if adventurers else (4, 1, 1))
    match(position, viceroy, BLUE, "levant", "levant_luxuries")
    assert blue.treasury == (2 if adventurers else 3)
    running = match(position, merchant, BLUE, ("ship", "west_africa_gold"))
    assert running.over != adventurers
    if adventurers:
        running.apply(("ship", "levant_luxuries"))
    match(position, trader, BLUE, ("goods_of", "player_2"), blue.goods)
    assert blue.treasury == 4


# ---- Clauses that no worked example shows ----------------------------------------------------------


def remove_markers(position: Position, space: str, *heights: int) -> list[int]:
    """A stack after one event has taken markers, each named by its place in the stack at that moment."""
    removal = Removal(position, position.territory_of(space))
    for height in heights:
        removal.take(space, height - 1)
    removal.end()
    return position.stacks[space]


@pytest.mark.parametrize(
    ("before", "heights", "after"),
    [
        ([BLUE, RED], [1], [RED]),
        ([BLUE, BLUE, RED, RED, GREEN, GREEN], [1], [RED, RED, BLUE, GREEN, GREEN]),
        ([BLUE, BLUE, RED, RED, GREEN, GREEN], [2], [BLUE, RED, RED, GREEN, GREEN]),
        ([BLUE, BLUE, RED, RED], [2], [RED, RED, BLUE]),
        ([BLUE, RED, BLUE, RED, BLUE], [1], [RED, RED, BLUE, BLUE]),
        ([BLUE, BLUE, RED, GREEN, RED], [1, 1], [RED, RED, GREEN]),
    ],
)
def test_control_after_losses_agrees_with_the_model(
    before: list[int], heights: list[int], after: list[int]
) -> None:
    """CO-064, CO-065: the player with most markers, then with the lowest marker; if the lowest marker stays,
    strictly more are needed."""
    position = scene(canada_furs=before)
    assert remove_markers(position, "canada_furs", *heights) == after
    assert [seat.diplomacy for seat in position.seats] == [4] * 4


def test_control_skips_players_who_may_not_hold_it() -> None:
    """CO-074, CO-076."""
    position = scene(india_tea=[])
    position.place(RED, "india_tea", 3)
    assert position.controller("india_tea") is None
    position.seats[BLUE].steps["economy"] = 2
    position.place(BLUE, "india_tea")
    assert position.stacks["india_tea"] == [BLUE, RED, RED, RED]
    assert position.controller("india_tea") == BLUE
    assert [seat.diplomacy for seat in position.seats] == [4] * 4


def test_economy_6_counts_markers_as_if_just_placed() -> None:
    """CO-077: a take-over and a broken monopoly in a chosen order."""
    for first, diplomacy in (("china_tea", 3), ("india_tea", 2)):
        position = scene(china_tea=[BLUE, RED, RED], india_tea=[RED])
        position.seats[BLUE].steps["economy"] = 2
        red = position.seats[RED]
        red.steps["economy"], red.treasury = 1, 6
        assert match(position, scientist, RED, "economy", first).over
        assert position.stacks["china_tea"] == [RED, RED, BLUE]
        assert red.diplomacy == diplomacy


@pytest.mark.parametrize(("city", "lost"), [("", 1), ("canada", 2)])
def test_a_colony_without_markers_of_its_owner_is_lost(city: str, lost: int) -> None:
    """CO-096 to CO-101."""
    position = scene(canada_furs=[RED, BLUE])
    position.colonies["canada"] = RED
    position.city, position.city_value = city, 3
    position.unrest["canada"] = position.missions["canada"] = 2
    position.seats[RED].prestige = 5
    assert remove_markers(position, "canada_furs", 1) == [BLUE]
    assert position.colonies == {}
    assert position.independent == {"canada"}
    assert (position.unrest["canada"], position.missions["canada"]) == (0, 2)
    assert position.seats[RED].prestige == 5 - lost
    assert position.city == city
    assert position.strength("canada") == 4


def test_ten_prestige_win_with_the_last_debt_repaid() -> None:
    """CO-086, CO-087, CO-159."""
    position = scene(players=6)
    red = position.seats[RED]
    red.prestige, red.loans = 10, [1, 2]
    table = Table(position, lambda _: 0, resolving=RED)
    position.acting = RED
    running = Match(table, scientist(table, RED))
    running.apply(("repay", 1))
    assert red.loans == [2]
    running.apply(("repay_wholly", 1))
    assert running.over
    assert running.winners == (RED,)


def test_a_winning_repayment_needs_no_treasure_for_the_decision() -> None:
    """CO-087, CO-159: otherwise the last treasures would be kept for the track; all loans are repaid at once."""
    position = scene()
    red = position.seats[RED]
    red.treasury, red.steps["seafaring"], red.steps["logistics"] = 2, 3, 3
    cases: list[tuple[int, list[int], list[Option]]] = [
        (10, [2], [("repay_wholly", 1)]),
        (10, [1, 1], [("repay_all",)]),
        (10, [1], [("repay", 1)]),
        (9, [2], []),
        (9, [1, 1], []),
        (10, [3], []),
    ]
    for prestige, debts, offered in cases:
        red.prestige, red.loans = prestige, debts
        table = Table(position, lambda _: 0, resolving=RED)
        options = Match(table, scientist(table, RED)).decision().options
        assert [o for o in options if str(o[0]).startswith("repay")] == offered


def test_of_two_who_could_win_it_is_the_one_whose_turn_it_is() -> None:
    """CO-088."""
    position = scene()
    position.seats[RED].prestige = position.seats[GREEN].prestige = 10
    for acting, winner in ((BLUE, GREEN), (YELLOW, RED), (GREEN, GREEN)):
        position.acting = acting
        with pytest.raises(Won) as end:
            position.check_victory()
        assert end.value.winner == winner


@pytest.mark.parametrize(("economy", "diplomacy"), [(2, 4), (3, 3)])
def test_slaves_cost_a_space_after_abolition(economy: int, diplomacy: int) -> None:
    """CO-084, CO-085: one space per match, whoever has reached Economy 10."""
    position = scene(angola_slaves=[RED], mozambique_slaves=[RED])
    position.seats[BLUE].steps["economy"] = economy
    spaces: list[Option] = [("ship", "angola_slaves"), ("ship", "mozambique_slaves")]
    assert match(position, merchant, RED, *spaces).over
    assert position.seats[RED].diplomacy == diplomacy


@pytest.mark.parametrize(("successes", "fleets", "value"), [(0, 2, 3), (1, 1, 3), (2, 1, 2)])
def test_pirates_agree_with_the_model(successes: int, fleets: int, value: int) -> None:
    """CO-178, CO-179: slaves that pirates kept in the port have not been shipped."""
    position = scene(west_africa_slaves=[RED])
    position.seats[BLUE].steps["economy"] = 3
    position.city, position.city_value, position.unrest["west_africa"] = "west_africa", 3, 2
    running = match(position, merchant, RED, dice=[successes])
    if not successes:
        running.apply(("ship", "west_africa_slaves"))
    assert running.over
    red = position.seats[RED]
    assert (red.fleets, position.city_value, red.goods) == (fleets, value, int(not successes))
    assert red.diplomacy == (4 if successes else 3)


def test_australia_is_discovered_in_two_steps() -> None:
    """CO-153 to CO-156."""
    position = scene()
    assert match(position, explorer, RED, "australia", "yes", dice=[7, 6]).over
    assert (position.seats[RED].prestige, position.prestige["australia"]) == (1, 1)
    space = "australia_precious_metals"
    running = match(position, explorer, BLUE, "australia", ("trading_post", space), dice=[7])
    assert running.over
    assert position.is_discovered("australia")


def test_powers_lapse_at_six_prestige_for_good() -> None:
    """CO-241, CO-246, CO-247."""
    position = scene(nations=["portugal", "spain", "france", "great_britain"])
    assert not position.may_place(RED, "canada")
    assert len(course.hand(position, RED)) == 7
    position.gain_prestige(RED, 6)
    position.lose_prestige(RED, 3)
    assert position.may_place(RED, "canada")
    assert len(course.hand(position, RED)) == 6
    assert not position.may_place(BLUE, "canada")


def test_no_discovery_of_america_without_spain_and_portugal() -> None:
    """CO-260."""
    position = new_position(tables(), 2, 0)
    position.seats[0].nation, position.seats[1].nation = "france", "dutch_republic"
    leave_out(position)
    assert position.america_discovered
    assert (position.america, position.circumnavigation) == (0, 0)
    assert needed_roll(position, 0, "new_england") == 5


# ---- Whole games at random -------------------------------------------------------------------------


def games(players: int, nations: bool, seed: int) -> Iterator[Match]:
    """A random match, at each of its decisions and at its end."""
    generator = random.Random(seed)

    def dice(number: int) -> int:
        return sum(generator.random() < 0.5 for _ in range(number))

    running = start(tables(), players, generator.randrange(players), dice, nations, 8)
    while not running.over:
        yield running
        options = running.decision().options
        wanted = [o for o in options if o[0] not in ("give", "pass")] or options
        running.apply(generator.choice(wanted if generator.random() < 0.95 else options))
    yield running


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("nations", [False, True])
@pytest.mark.parametrize("players", range(2, 7))
def test_games_at_random_hold_together(players: int, nations: bool, seed: int) -> None:
    running: Match | None = None
    for running in games(players, nations, seed):
        assert_sound(running.position)
        if not running.over:
            options = running.decision().options
            assert options
            assert len(set(options)) == len(options)
    assert running is not None and running.winners


def assert_sound(position: Position) -> None:
    """All numbers are in their ranges, and all prestige of the start is in a place or out of the game."""
    for player, seat in enumerate(position.seats):
        assert min(seat.treasury, seat.fleets, seat.squadrons, seat.prestige, seat.goods) >= 0
        assert 1 <= seat.diplomacy <= RIGHT_END
        assert all(0 <= seat.steps[track] < 4 for track in TRACKS)
        assert all(loan > 0 for loan in seat.loans)
        assert list(position.colonies.values()).count(player) <= 7
    for space, stack in position.stacks.items():
        assert set(stack) <= set(position.players)
        allowed = [p for p in stack if position.may_control(p, space)]
        assert not allowed or allowed[0] == stack[0]
        assert not stack or position.is_discovered(position.territory_of(space))
    for territory in position.territories:
        assert min(position.unrest[territory], position.missions[territory]) >= 0
        assert position.prestige[territory] >= 0
    assert not position.independent & position.colonies.keys()
    assert all(position.markers(owner, t) for t, owner in position.colonies.items())
    assert (position.city == "") == (position.city_value == 0)
    assert position.city_value <= 10
    assert not (position.america and position.america_discovered)
