"""Chains of optional bonuses in the player's order, depth first. Paths of an exact length that never cross
themselves. Three touching beds that match three dice, otherwise two or one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.probes.table import Table, sit_down

NUMBERS = {
    "a1": 1,
    "b1": 3,
    "c1": 5,
    "d1": 2,
    "a2": 4,
    "b2": 6,
    "c2": 1,
    "d2": 3,
    "a3": 2,
    "b3": 4,
    "c3": 6,
    "d3": 5,
    "a4": 5,
    "b4": 1,
    "c4": 3,
    "d4": 4,
}
STONES = {"b2", "d3"}
PLAYER = "player 1"


def touching(bed: str) -> list[str]:
    column, line = ord(bed[0]), int(bed[1])
    beside = ((column, line - 1), (column - 1, line), (column + 1, line), (column, line + 1))
    return [f"{chr(c)}{n}" for c, n in beside if f"{chr(c)}{n}" in NUMBERS]


def marked_beds(table: Table, what: str) -> set[str]:
    """The beds with a mark of the first player."""
    return {
        value.place.of
        for value in table.seen.values
        if value.place.name == what and value.place.index == ("seat_1",) and value.value == "yes"
    }


def start() -> Table:
    return sit_down("p07_garden_walk", 1)


# ---- Paths -------------------------------------------------------------------------------------------


def paths(spot: str, walked: frozenset[str], steps: int) -> Iterator[tuple[str, ...]]:
    """Every path of this many steps without a stone and without a bed twice."""
    if steps == 0:
        yield ()
        return
    for bed in touching(spot):
        if bed not in STONES and bed not in walked:
            for rest in paths(bed, walked | {bed}, steps - 1):
                yield (bed, *rest)


def walks(table: Table, steps: int) -> Iterator[tuple[str, ...]]:
    """Every sequence of choices for the whole walk."""
    if steps == 0:
        yield ()
        return
    for name in table.names:
        for rest in walks(table.play(name), steps - 1):
            yield (name, *rest)


@pytest.mark.parametrize("steps", range(1, 7))
def test_all_first_paths_beside_a_search(steps: int) -> None:
    table = start().roll(str(steps), "1", "1").play("walk")
    expected = list(paths("a1", frozenset({"a1"}), steps))
    assert Counter(walks(table, steps)) == Counter(expected)
    assert len(expected) == {1: 2, 2: 2, 3: 4, 4: 6, 5: 10, 6: 14}[steps]


@pytest.mark.parametrize("seed", range(6))
def test_paths_beside_a_search_wherever_the_walk_has_come(seed: int) -> None:
    generator = random.Random(seed)
    table, met = start(), set()
    for _ in range(6):
        steps = generator.randint(1, 6)
        table = table.roll(str(steps), "1", "1")
        walked, spot = frozenset(marked_beds(table, "walked")), str(table.value_of("spot", PLAYER))
        expected = list(paths(spot, walked, steps))
        table = table.play("walk")
        met.add(bool(expected))
        if expected:
            assert Counter(walks(table, steps)) == Counter(expected)
            for bed in generator.choice(expected):
                table = table.play(bed)
        else:
            assert table.log_lines[0] == f"no path of {steps} steps is left for player 1"
            assert table.value_of("spot", PLAYER) == spot
        while not table.state.over and not table.state.at_chance:
            table = table.play("decline" if "decline" in table.names else table.names[0])
    assert met == {True, False}


def test_a_step_into_a_dead_end_is_not_offered() -> None:
    # after three steps to c1 the walk can continue to c2 or d1; of the paths of five steps only
    # some are left
    table = start().roll("3", "1", "1").play("walk", "b1", "c1", "d1")
    table = table.roll("5", "1", "1").play("walk")
    assert table.names == ["d2"]
    table = table.play("d2")
    # c2 goes on to c3 and three more; d3 is a stone
    assert table.names == ["c2"]


# ---- Beds that match the dice ------------------------------------------------------------------------


def plantings(planted: set[str], dice: tuple[int, ...]) -> set[frozenset[str]]:
    """The largest sets of touching beds with the numbers of the dice, found by trying all sets."""
    free = [bed for bed in NUMBERS if bed not in STONES and bed not in planted]
    for size in (3, 2, 1):
        found = {
            frozenset(beds)
            for beds in combinations(free, size)
            if is_connected(beds) and not Counter(NUMBERS[bed] for bed in beds) - Counter(dice)
        }
        if found:
            return found
    return set()


def is_connected(beds: tuple[str, ...]) -> bool:
    reached = {beds[0]}
    for _ in beds:
        reached |= {bed for known in reached for bed in touching(known) if bed in beds}
    return reached == set(beds)


def planted_after(table: Table) -> Iterator[frozenset[str]]:
    """The beds planted after each way to choose."""
    if table.state.at_chance or table.prompt != "choose beds":
        yield frozenset(marked_beds(table, "planted"))
        return
    for name in table.names:
        yield from planted_after(table.play(name))


def test_three_beds_if_at_all_possible() -> None:
    table = start().roll("1", "3", "4").play("plant")
    # 1, 3 and 4 touch in the corner at a1, and around b4
    assert set(planted_after(table)) == {
        frozenset({"a1", "b1", "a2"}),
        frozenset({"b3", "b4", "c4"}),
        frozenset({"b4", "c4", "d4"}),
    }
    assert "c2" not in table.names, "with c2 only two beds would be planted"


@pytest.mark.parametrize("seed", range(6))
def test_plantings_beside_all_sets(seed: int) -> None:
    generator = random.Random(seed)
    table, sizes = start(), set()
    for _ in range(6):
        dice = tuple(generator.randint(1, 6) for _ in range(3))
        table = table.roll(*map(str, dice))
        before = marked_beds(table, "planted")
        expected = plantings(before, dice)
        table = table.play("plant")
        if expected:
            found = list(planted_after(table))
            assert Counter(found) == Counter(frozenset(before | beds) for beds in expected)
            sizes |= {len(beds) for beds in expected}
        else:
            assert table.log_lines == ["nothing fits the dice of player 1"]
        while not table.state.over and not table.state.at_chance:
            table = table.play("decline" if "decline" in table.names else table.names[-1])
    assert sizes


# ---- Bonus chains ------------------------------------------------------------------------------------


def two_boxes_at_once() -> Table:
    """c1 is the last bed of the middle and of the south: both want a seedling planted."""
    table = start()
    for dice, beds in (
        ("134", ("a1", "b1", "a2")),
        ("163", ("c2", "c3", "c4")),
        ("233", ("d1", "d2")),
        ("555", ("c1",)),
    ):
        table = table.roll(*dice).play("plant", *beds)
    return table


def test_the_player_chooses_the_order_of_bonuses() -> None:
    table = two_boxes_at_once()
    assert table.value_of("points", PLAYER) == 3 + 3
    assert table.prompt == "choose box"
    assert table.names == ["middle", "south"]
    for first, second in (("middle", "south"), ("south", "middle")):
        later = table.play(first)
        assert later.texts == [f"use the bonus of {first}", "decline"]
        later = later.play("decline")
        assert second in (*later.names, *later.texts[0].split())


def test_a_bonus_in_a_bonus_is_done_before_the_one_that_waits() -> None:
    table = two_boxes_at_once().play("middle", "use_the_bonus_of")
    assert table.prompt == "choose bed"
    assert table.names == ["a3", "b3", "a4", "b4", "d4"]
    table = table.play("b3")
    # b3 fills the heart (1), which orders a stroll; the south waits
    assert table.value_of("points", PLAYER) == 7
    assert marked_beds(table, "filled") == {"middle", "south", "heart"}
    table = one_bonus(table, "heart").play("use_the_bonus_of")
    # two steps from a1: b1 c1, or a2 a3
    assert table.names == ["a2", "b1"]
    table = table.play("a2", "a3")
    assert "a3" in marked_beds(table, "planted"), "at the end of a walk one plants"
    table = one_bonus(table, "south").play("use_the_bonus_of")
    assert table.prompt == "choose bed"
    # a4 fills the west (2), whose stroll comes before the round continues
    table = table.play("a4")
    assert table.value_of("points", PLAYER) == 9
    table = one_bonus(table, "west").play("use_the_bonus_of")
    assert table.names == ["a4", "b3"]
    assert table.value_of("declined", PLAYER) == 0


def one_bonus(table: Table, box: str) -> Table:
    """The decision whether to use the bonus of a box, if there is only one."""
    if table.prompt == "choose box":
        assert table.names == [box]
        table = table.play(box)
    assert table.texts == [f"use the bonus of {box}", "decline"]
    return table


def test_declined_bonuses_are_lost_and_the_chain_continues() -> None:
    table = two_boxes_at_once().play("south", "decline")
    assert table.value_of("declined", PLAYER) == 1
    table = one_bonus(table, "middle").play("use_the_bonus_of", "b3")
    table = one_bonus(table, "heart").play("decline")
    assert table.value_of("declined", PLAYER) == 2
    assert table.state.at_chance, "nothing waits any more: the next round begins"
