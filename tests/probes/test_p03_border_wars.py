"""The best grouping of units into armies, for all units and for those that are sent."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

import pytest

from tests.probes.table import Table, sit_down

# name: arm (foot, horse, gun), level, strength, copies; in the order of the table of the game
UNITS = {
    "spearmen": (0, 0, 1, 4),
    "musketeers": (0, 2, 2, 4),
    "knights": (1, 1, 2, 3),
    "dragoons": (1, 3, 3, 3),
    "bombards": (2, 1, 2, 2),
    "howitzers": (2, 3, 4, 2),
}
ALL = tuple(name for name, unit in UNITS.items() for _ in range(unit[3]))
# name: foot, horse and gun of one army, level, worth of a fresh and of an old one
TACTICS = {
    "none_yet": ((3, 3, 2), 0, 0, 0),
    "phalanx": ((2, 0, 0), 1, 2, 1),
    "charge": ((1, 1, 0), 2, 4, 2),
    "siege": ((1, 1, 1), 3, 9, 4),
}


def brute_force(units: tuple[str, ...], tactic: str) -> int:
    """The worth of the armies for the best of all ways to form them."""
    needed, level, fresh_worth, old_worth = TACTICS[tactic]
    size = sum(needed)

    def worth(army: tuple[str, ...]) -> int | None:
        arms = [UNITS[name][0] for name in army]
        if tuple(arms.count(arm) for arm in range(3)) != needed:
            return None
        is_fresh = all(UNITS[name][1] >= level - 1 for name in army)
        return fresh_worth if is_fresh else old_worth

    @cache
    def best(left: tuple[str, ...]) -> int:
        if len(left) < size:
            return 0
        found = best(left[1:])
        for others in combinations(range(1, len(left)), size - 1):
            army = (left[0], *(left[place] for place in others))
            gain = worth(army)
            if gain is not None:
                rest = tuple(
                    name for place, name in enumerate(left) if place and place not in others
                )
                found = max(found, gain + best(rest))
        return found

    return best(tuple(sorted(units)))


def force(units: Iterable[str], tactic: str) -> int:
    units = tuple(units)
    return sum(UNITS[name][2] for name in units) + brute_force(units, tactic)


def ids(*names: str) -> tuple[int, ...]:
    """The numbers of units, of equal ones the first."""
    found: list[int] = []
    for name in names:
        found.append(next(i for i, unit in enumerate(ALL) if unit == name and i not in found))
    return tuple(sorted(found))


def start(*first: str) -> Table:
    """A match in which these units come first."""
    camp = list(range(len(ALL)))
    top = list(ids(*first[:1]))
    for name in first[1:]:
        top.append(next(i for i in camp if ALL[i] == name and i not in top))
    wanted = [unit for unit in camp if unit not in top] + top[::-1]
    return sit_down("p03_border_wars").shuffle(wanted, camp)


@pytest.mark.parametrize(
    ("tactic", "units", "worth"),
    [
        # the dragoons go with the musketeers: a fresh charge and an old one, 4 + 2
        ("charge", ("spearmen", "musketeers", "knights", "dragoons"), 6),
        # a new pair and an old pair are worth more than one mixed pair: 4 + 2
        ("charge", ("spearmen", "musketeers", "dragoons", "dragoons"), 6),
        # one gun, one army, the freshest possible
        ("siege", ("spearmen", "musketeers", "dragoons", "dragoons", "howitzers"), 9),
        # the gun is too old, so only an old siege is possible
        ("siege", ("musketeers", "dragoons", "bombards"), 4),
        # the fresh gun must not be spent on the old foot
        ("siege", ("spearmen", "musketeers", "knights", "dragoons", "bombards", "howitzers"), 13),
        ("phalanx", ("spearmen", "spearmen", "spearmen", "spearmen", "musketeers"), 4),
        ("none_yet", ("spearmen", "musketeers", "dragoons"), 0),
        ("siege", (), 0),
    ],
)
def test_armies_counted_by_hand_agree(tactic: str, units: tuple[str, ...], worth: int) -> None:
    assert brute_force(units, tactic) == worth
    assert start().settle().value("armies", tactic, ids(*units)) == worth


@pytest.mark.parametrize("seed", range(30))
def test_armies_beside_all_groupings(seed: int) -> None:
    """For any set of units, owned or not."""
    generator = random.Random(seed)
    table = start().settle()
    for tactic in TACTICS:
        units = tuple(sorted(generator.sample(range(len(ALL)), generator.randint(0, 8))))
        names = tuple(ALL[unit] for unit in units)
        assert table.value("armies", tactic, units) == brute_force(names, tactic), names


def bid_for_the_first_island() -> Table:
    """The first player holds a gun and a horse, the second a foot unit and has learnt to charge."""
    table = start("dragoons", "musketeers", "howitzers", "knights", "spearmen")
    return table.play(
        "recruit(howitzers)", "recruit(musketeers)", "recruit(dragoons)", "learn(charge)"
    )


def test_bids_go_up_to_the_force_of_all_units() -> None:
    table = bid_for_the_first_island()
    # 4 + 3, and no tactic yet
    assert table.names == [*(f"bid({n})" for n in range(1, 8)), "pass"]
    table = table.play("bid(1)")
    # 2, and a charge needs a horse
    assert table.names == ["bid(2)", "pass"]
    table = table.play("bid(2)")
    assert table.names == [*(f"bid({n})" for n in range(3, 8)), "pass"]


def all_sent(table: Table) -> Iterator[tuple[str, ...]]:
    """The units in the graveyard after each way to choose the units to send."""
    if table.prompt != "choose sent":
        yield tuple(table.zone("graveyard"))
        return
    for name in table.names:
        yield from all_sent(table.play(name))


def test_the_bidder_must_send_enough() -> None:
    table = bid_for_the_first_island().play("bid(5)", "pass")
    assert table.zone("graveyard") == []
    # 4 is not enough, 3 is not enough, 4 + 3 is
    assert set(all_sent(table)) == {("dragoons", "howitzers")}
    table = table.play("dragoons")
    assert table.names == ["howitzers"], "to stop here would be a force of 3"
    table = table.play("howitzers")
    assert table.play("done").zone("islands", "player 1") == ["spice_island"]


@pytest.mark.parametrize("seed", range(4))
def test_offered_forces_equal_all_sufficient_subsets(seed: int) -> None:
    generator = random.Random(seed)
    table = sit_down("p03_border_wars").settle(generator.randrange)
    bid = compared = 0
    while not table.state.over:
        if table.prompt == "choose sent":
            assert {tuple(sorted(units)) for units in all_sent(table)} == enough(table, bid)
            compared += 1
            while table.prompt == "choose sent":
                table = table.play(generator.choice(table.names))
            continue
        eager = [name for name in table.names if name.startswith(("recruit", "bid"))]
        name = generator.choice(eager or table.names)
        if name.startswith("bid"):
            player = f"player {table.who}"
            highest = force(table.zone("barracks", player), tactic_of(table))
            assert [n for n in table.names if n.startswith("bid")][-1] == f"bid({highest})"
            bid = int(name[4:-1])
        table = table.play(name)
    assert compared


def enough(table: Table, bid: int) -> set[tuple[str, ...]]:
    """The graveyard after each set of units with the force of the bid."""
    barracks = table.zone("barracks", f"player {table.who}")
    return {
        tuple(sorted((*table.zone("graveyard"), *units)))
        for size in range(1, len(barracks) + 1)
        for units in combinations(barracks, size)
        if force(units, tactic_of(table)) >= bid
    }


def tactic_of(table: Table) -> str:
    return str(table.value_of("tactic", f"player {table.who}"))
