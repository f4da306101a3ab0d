"""Night Market: the market, auctions in the middle of a turn, changes by lanterns, the score."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from tests.probes.table import Change, Table, sit_down

STALLS = {
    row["name"]: row
    for row in csv.DictReader(
        (Path(__file__).parents[2] / "games" / "night_market.csv").read_text("utf-8").splitlines()
    )
}
GOODS = ("tea", "noodles", "silk", "lantern")


def good(stall: str) -> str:
    return STALLS[stall]["good"]


def number(table: Table, what: str, seat: int) -> int:
    found = table.value_of(what, f"player {seat}")
    assert isinstance(found, int)
    return found


def cards(table: Table, where: str, seat: int) -> list[str]:
    return table.zone(where, f"player {seat}")


def street(table: Table) -> dict[int, str]:
    zone = next(zone for zone in table.seen.zones if zone.place.label == "street")
    return {piece.slot: piece.name for piece in zone.pieces}


def start_table(seed: int, players: int = 2) -> Table:
    return sit_down("night_market", players, seed)


def price(table: Table, stall: str, slot: int, seat: int) -> int:
    """The price of a stall, computed independently."""
    new = int(STALLS[stall]["price"]) + (1 if slot >= 3 else 0)
    if "red_lantern" in cards(table, "shop", seat) and good(stall) == "tea":
        new -= 1
    return max(0, new)


def income(table: Table, seat: int) -> int:
    shop = cards(table, "shop", seat)
    return 1 + sum(good(stall) == "tea" for stall in shop) + ("paper_lantern" in shop)


def score(table: Table, seat: int, players: int) -> dict[str, int]:
    """The score sheet, computed independently."""
    shop = cards(table, "shop", seat)
    noodles = [
        sum(good(stall) == "noodles" for stall in cards(table, "shop", other))
        for other in range(1, players + 1)
    ]
    mine = noodles[seat - 1]
    silk = sum(good(stall) == "silk" for stall in shop)
    return {
        "stalls": sum(int(STALLS[stall]["points"]) for stall in shop),
        "silk": (4 if "moon_lantern" in shop else 3) * (silk // 2),
        "most noodles": 4 if mine and mine == max(noodles) else 0,
        "coins": number(table, "coins", seat) // 5,
    }


def test_at_the_start_everybody_has_two_stalls_and_four_lie_in_the_street() -> None:
    for seed in range(5):
        table = start_table(seed)
        assert [len(cards(table, "hand", seat)) for seat in (1, 2)] == [2, 2]
        assert sorted(street(table)) == [1, 2, 3, 4]
        assert "lantern" not in {good(stall) for stall in street(table).values()}
        # the first player has already received the income of the first turn
        assert number(table, "coins", table.who) == 5 + 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_prices_income_and_scores_beside_an_independent_count(players: int, seed: int) -> None:
    generator = random.Random(seed)
    table = start_table(seed, players)
    while not table.state.over:
        for seat in range(1, players + 1):
            assert table.value("income", seat - 1) == income(table, seat)
            sheet = dict(table.state.scores[seat - 1].items)
            assert sheet == score(table, seat, players)
        if "wait" in table.names:
            me = table.who
            texts = dict(zip(table.names, table.texts, strict=True))
            for slot, stall in street(table).items():
                costs = price(table, stall, slot, me)
                offered = any(
                    text == f"buy the {stall.replace('_', ' ')} for {costs}"
                    for text in texts.values()
                )
                has_room = len(cards(table, "hand", me)) < 3
                assert offered == (has_room and number(table, "coins", me) >= costs)
        table = table.play(generator.choice(table.names))
    totals = [sum(score(table, seat, players).values()) for seat in range(1, players + 1)]
    keys = [(total, number(table, "coins", n)) for n, total in enumerate(totals, 1)]
    assert table.state.winners == tuple(n for n, key in enumerate(keys) if key == max(keys))


def test_a_lantern_makes_tea_cheaper_and_tells_why() -> None:
    table = next(
        table
        for table in plays()
        if any(cards(table, "shop", seat).count("red_lantern") for seat in (1, 2))
        and "tea" in map(good, street(table).values())
    )
    owner = next(seat for seat in (1, 2) if "red_lantern" in cards(table, "shop", seat))
    zone = next(zone for zone in table.seen.zones if zone.place.label == "street")
    tea = next(piece for piece in zone.pieces if good(piece.name) == "tea")
    base = table.base("price", owner - 1, tea.id)
    assert isinstance(base, int)
    assert table.value("price", owner - 1, tea.id) == base - 1
    assert table.changes("price", owner - 1, tea.id) == [Change("less", "red lantern", 1)]
    assert table.changes("price", 2 - owner, tea.id) == []


def plays(seeds: range = range(60)) -> list[Table]:
    """Positions of random matches, one by one."""
    return [table for seed in seeds for table in positions(seed)]


def positions(seed: int) -> list[Table]:
    generator = random.Random(seed)
    table, found = start_table(seed), []
    while not table.state.over:
        found.append(table)
        table = table.play(generator.choice(table.names))
    return found


def auction() -> Table:
    """The first bid on a lantern."""
    return next(
        table
        for table in plays()
        if {"bid(1)", "bid(4)"} <= set(table.names)
        and {table.value_of("has_passed", f"player {seat}") for seat in (1, 2)} == {"no"}
        and number(table, "coins", 3 - table.who) > 3
    )


def test_an_auction_goes_on_until_all_others_have_passed() -> None:
    table = auction()
    bidder, other = table.who, 3 - table.who
    prize = next(name for name in street(table).values() if good(name) == "lantern")
    assert table.names == [
        *(f"bid({n})" for n in range(1, number(table, "coins", bidder) + 1)),
        "pass",
    ]
    before = number(table, "coins", bidder)
    table = table.play("bid(2)")
    assert table.who == other
    assert table.names[0] == "bid(3)"
    assert "bid(2)" not in table.names
    won = table.play("pass")
    assert f"player {bidder} gets the {prize.replace('_', ' ')} for 2 coins" in won.log_lines
    assert prize in cards(won, "shop", bidder)
    gained = income(won, bidder) if won.who == bidder and "wait" in won.names else 0
    assert number(won, "coins", bidder) == before - 2 + gained
    higher = table.play("bid(3)")
    assert higher.who == bidder
    assert higher.names[0] in ("bid(4)", "pass")


def test_a_lantern_that_nobody_wants_is_closed() -> None:
    table = auction()
    prize = next(name for name in street(table).values() if good(name) == "lantern")
    table = table.play("pass", "pass")
    assert prize in table.zone("closed")
    assert prize not in street(table).values()


def test_the_turn_goes_on_where_the_auction_began() -> None:
    """A lantern appears when the street is filled at the end of a turn: the next player continues."""
    for table in plays(range(20)):
        if "wait" not in table.names:
            continue
        after = table.play("wait")
        if after.state.over or "bid(1)" not in after.names:
            continue
        turn_player = after.value_of("turn_player")
        assert turn_player == f"seat_{table.who}", "still the same turn"
        assert after.who == table.who, "bids begin with the player whose turn it is"
        return
    pytest.fail("no lantern has come")


def test_opening_noodles_pays_by_the_crowd() -> None:
    met = 0
    for table in plays(range(40)):
        for name in table.names:
            stall = name[len("open_stall(") : -1].split("#")[0].rstrip(")")
            if not name.startswith("open_stall") or good(stall) != "noodles":
                continue
            me = table.who
            shop = cards(table, "shop", me)
            crowd = 1 + sum(good(other) == "noodles" for other in shop)
            bonus = 2 if "dragon_lantern" in shop else 0
            after = table.play(name)
            if after.state.over or after.who == me or "wait" not in after.names:
                continue
            assert number(after, "coins", me) == number(table, "coins", me) + crowd + bonus
            met += 1
    assert met > 10


def test_opening_silk_allows_a_purchase_for_one_less() -> None:
    met = 0
    for table in plays(range(40)):
        for name in table.names:
            stall = name[len("open_stall(") : -1].split("#")[0].rstrip(")")
            if not name.startswith("open_stall") or good(stall) != "silk":
                continue
            me, after = table.who, table.play(name)
            if after.who != me or not any(n.startswith("buy") for n in after.names):
                continue
            places = street(after)
            for text in after.texts:
                if text.startswith("buy the "):
                    said, costs = text[len("buy the ") :].rsplit(" for ", 1)
                    possible = {
                        max(0, price(after, found, slot, me) - 1)
                        for slot, found in places.items()
                        if found.replace("_", " ") == said
                    }
                    assert int(costs) in possible
                    met += 1
    assert met > 10


def test_the_round_in_which_the_deck_runs_out_is_the_last() -> None:
    for seed in range(10):
        table, generator = start_table(seed), random.Random(seed)
        shown_at = 0
        turns = 0
        while not table.state.over:
            table = table.play(generator.choice(table.names))
            turns += 1
            if any("this is the last round" in line for line in table.log_lines):
                shown_at = turns
                assert table.zone("deck") == []
        assert shown_at
        assert table.value_of("is_last_round") == "yes"
