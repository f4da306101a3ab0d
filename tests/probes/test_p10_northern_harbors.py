"""Actions in stages, offered only if they can be completed. Opening a sea pays another player in the middle of an
action, and that player may have to discard a card at once."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from tests.probes.table import Table, sit_down

FIRST, SECOND = "player 1", "player 2"


def start() -> Table:
    return sit_down("p10_northern_harbors")


def use(table: Table, house: str, *parts: str) -> Table:
    return table.play(f"use_house({house})", *parts)


def test_a_house_is_offered_only_if_its_action_can_be_completed() -> None:
    table = start()
    # nobody has a crew in any sea, so nobody can settle, and no crew can be called back
    assert table.names == ["use_house(shipyard)", "use_house(wharf)", "pass"]
    assert table.why("use_house(guildhall)") is not None
    assert table.why("use_house(bathhouse)") is not None
    # a crew in the near sea lets the guildhall be used
    table = use(table, "shipyard", "sail(near_sea)").play("pass")
    assert table.names == [
        "use_house(guildhall)",
        "use_house(wharf)",
        "use_house(bathhouse)",
        "pass",
    ]
    assert table.why("use_house(shipyard)") == "a crew is in the shipyard already"


def test_parts_come_in_any_order_in_the_same_sea() -> None:
    table = use(start(), "wharf", "sail_and_settle(near_sea)")
    # settling needs a crew in the sea: only sailing can be first
    assert table.names == ["sail"]
    assert table.why("settle_in(bergen)") == "you have no crew in the near sea"
    table = table.play("sail")
    assert table.names == ["settle_in(bergen)", "settle_in(visby)", "done"]
    settled = table.play("settle_in(visby)")
    assert settled.who == 2, "each part once: nothing is left to choose"
    assert settled.tokens("crew_here", "visby") == {FIRST: 1}
    assert table.play("done").who == 2, "one part is enough"
    # with a crew there, settling may be first, and sailing after it
    table = use(start(), "shipyard", "sail(near_sea)").play("pass")
    table = use(table, "wharf", "sail_and_settle(near_sea)")
    assert table.names == ["sail", "settle_in(bergen)", "settle_in(visby)"]
    table = table.play("settle_in(bergen)")
    assert table.names == ["sail", "done"]


def test_the_other_sea_is_no_part_of_it() -> None:
    table = use(start(), "wharf", "sail_and_settle(far_sea)")
    assert table.names == ["sail"]
    table = table.play("sail")
    assert table.names == ["done"], "the far sea is not open, so nothing can follow"


def test_a_sea_that_is_full_opens_and_pays_who_has_most_crews_there() -> None:
    table = use(start(), "shipyard", "sail(far_sea)")
    table = use(table, "shipyard", "sail(far_sea)")
    assert not is_open_sea(table, "far_sea")
    table = use(table, "wharf", "sail_and_settle(far_sea)")
    assert table.names == ["sail"]
    table = table.play("sail")
    # the third berth is taken: open now, in the middle of the action of player 1
    assert "the far sea is open" in table.log_lines
    assert (table.who, table.prompt) == (1, "choose card")
    assert table.names == ["charter_4"]
    table = table.play("charter_4")
    assert table.zone("gone") == ["charter_4"], "without a town there is room for no card"
    # the action continues: the sea is open, so a town can follow
    assert table.names == ["settle_in(riga)", "settle_in(narva)", "done"]
    table = table.play("settle_in(narva)")
    assert table.tokens("crew_here", "narva") == {FIRST: 1}
    assert table.who == 2


def test_another_player_is_paid_and_throws_away_in_the_middle_of_my_action() -> None:
    table = use(start(), "shipyard", "sail(far_sea)")
    table = use(table, "shipyard", "sail(near_sea)")
    table = use(table, "wharf", "sail_and_settle(far_sea)", "sail", "done")
    table = use(table, "wharf", "sail_and_settle(far_sea)", "sail")
    assert "the far sea is open" in table.log_lines
    assert (table.who, table.prompt) == (1, "choose card")
    table = table.play("charter_4")
    assert table.who == 2, "the action of player 2 goes on"
    assert table.names == ["settle_in(riga)", "settle_in(narva)", "done"]


def test_the_owner_of_a_town_has_room_and_keeps_the_charter() -> None:
    table = use(start(), "wharf", "sail_and_settle(near_sea)", "sail", "settle_in(bergen)")
    table = use(table, "shipyard", "sail(near_sea)")
    assert table.value("room", 0) == 2
    assert table.value("room", 1) == 0
    table = use(table, "shipyard", "sail(near_sea)")
    # player 1 has two berths of three and is paid; nobody is asked
    assert "the near sea is open" in table.log_lines
    assert table.zone("held", FIRST) == ["charter_4"]
    assert table.who == 2


@pytest.mark.parametrize("seed", range(6))
def test_every_house_that_is_offered_can_be_completed_and_no_other(seed: int) -> None:
    """Compared with rules written a second time; after every choice the action can still be completed."""
    generator = random.Random(seed)
    table = sit_down("p10_northern_harbors")
    while not table.state.over:
        if table.prompt == "what do you do?" and "pass" in table.names:
            offered = {name[10:-1] for name in table.names if name.startswith("use_house")}
            assert offered == usable(table)
            active = [name for name in table.names if name != "pass"]
            if active and generator.random() < 0.9:
                table = table.play(generator.choice(active))
                continue
        table = table.play(generator.choice(table.names))


BERTHS = {sea: [f"{sea[:-4]}_{n}" for n in (1, 2, 3)] for sea in ("near_sea", "far_sea")}
TOWNS = {"near_sea": ["bergen", "visby"], "far_sea": ["riga", "narva"]}


def usable(table: Table) -> set[str]:
    me = f"player {table.who}"
    supply = table.tokens("supply", me).get(me, 0)
    taken = {
        house: count
        for t in table.seen.tokens
        if t.place.label == "crew_here" and t.place.owner == "House"
        for house, count in [(t.place.owner_id, sum(crews for _, crews in t.counts or ()))]
    }
    first = 4 * (table.who - 1)
    empty = {
        name
        for n, name in enumerate(("shipyard", "guildhall", "wharf", "bathhouse"))
        if not taken.get(first + n)
    }
    if supply < 1:
        return set()
    found = set()
    for house in empty:
        left = supply - 1
        if house in ("shipyard", "wharf") and left and any(free(table, sea) for sea in BERTHS):
            found.add(house)
        if house == "guildhall" and left and any(towns(table, sea, me) for sea in BERTHS):
            found.add(house)
        if house == "wharf" and left and any(towns(table, sea, me) for sea in BERTHS):
            found.add(house)
        if house == "bathhouse" and {"shipyard", "guildhall", "wharf"} - empty:
            found.add(house)
    return found


def free(table: Table, sea: str) -> list[str]:
    return [berth for berth in BERTHS[sea] if not table.tokens("crew_here", berth)]


def towns(table: Table, sea: str, me: str) -> list[str]:
    """The towns of a sea that a player can settle in now."""
    is_open = is_open_sea(table, sea)
    present = any(me in table.tokens("crew_here", place) for place in (*BERTHS[sea], *TOWNS[sea]))
    return [
        town for town in TOWNS[sea] if is_open and present and not table.tokens("crew_here", town)
    ]


def is_open_sea(table: Table, sea: str) -> bool:
    return table.value_of("is_open", sea) == "yes"


def test_the_order_of_parts_is_free() -> None:
    """Both orders of the two parts give the same crews, if both orders are possible."""
    table = use(start(), "shipyard", "sail(near_sea)").play("pass")
    ends = []
    for order in permutations(("sail", "settle_in(visby)")):
        after = use(table, "wharf", "sail_and_settle(near_sea)", *order)
        ends.append((after.tokens("crew_here", "near_2"), after.tokens("crew_here", "visby")))
    assert ends == [({FIRST: 1}, {FIRST: 1})] * 2
