"""Secret simultaneous choice of two things, revealed one by one, replaced if it has become
impossible; a growing city of stacks; districts with two-level tie-breaks."""

from __future__ import annotations

import random

import pytest

from tests.probes.table import Table, sit_down

FLOORS = [f"{color}_{number}" for color in ("red", "blue") for number in range(1, 7)]
FIRST, SECOND = "player 1", "player 2"
Place = tuple[int, int]


def start(*top: str, first: str = "seat_1") -> Table:
    """A match in which these floors come first: the initial one, two for each player, the rest."""
    wanted = [FLOORS.index(name) for name in top]
    wanted += [n for n in range(len(FLOORS)) if n not in wanted]
    table = sit_down("p09_twin_streets").shuffle(wanted[::-1], range(len(FLOORS)))
    return table.roll(first)


def city(table: Table) -> dict[Place, list[str]]:
    """The stacks of all lots with buildings, from the bottom."""
    return {
        place_of(zone.place.of): [piece.name for piece in zone.pieces]
        for zone in table.seen.zones
        if zone.place.label == "stack" and zone.pieces
    }


def workers(table: Table) -> dict[Place, dict[str, int]]:
    return {
        place_of(tokens.place.of): dict(tokens.counts or ())
        for tokens in table.seen.tokens
        if tokens.place.label == "workers" and tokens.counts
    }


def place_of(name: str) -> Place:
    """`cm1_2` is the lot at (-1, 2)."""
    x, y = name[1:].replace("m", "-").split("_")
    return int(x), int(y)


def test_the_choice_is_of_two_things_and_of_anything() -> None:
    table = start("red_3", "red_5", "blue_4", "blue_1", "red_1")
    assert table.names == ["here", "north_side", "east_side", "south_side", "west_side"]
    table = table.play("here")
    assert (table.who, table.names) == (1, ["red_5", "blue_4"])
    table = table.play("red_5")
    assert city(table) == {(0, 0): ["red_3"]}, "nothing happens before all have chosen"
    assert table.who == 2


@pytest.mark.parametrize("card", ["here", "north_side", "west_side"])
@pytest.mark.parametrize("floor", ["red_5", "blue_4"])
def test_nobody_sees_what_the_other_has_chosen(card: str, floor: str) -> None:
    table = start("red_3", "red_5", "blue_4", "blue_1", "red_1")
    usual, other = table.play("south_side", "blue_4"), table.play(card, floor)
    assert usual.state.cells != other.state.cells
    assert usual.state.view(1) == other.state.view(1)
    assert (usual.names, usual.prompt) == (other.names, other.prompt)
    assert usual.log_lines == other.log_lines == []
    # half a choice reveals neither part
    assert table.play(card).state.view(1) == table.play("south_side").state.view(1)


def test_revealed_one_by_one_and_the_lot_built_last_moves_on() -> None:
    table = start("red_3", "red_5", "blue_4", "blue_1", "red_1")
    table = table.play("east_side", "red_5", "north_side", "blue_1")
    # north of the lot that the first player has just built on
    assert city(table) == {(0, 0): ["red_3"], (1, 0): ["red_5"], (1, 1): ["blue_1"]}
    assert workers(table) == {(1, 0): {FIRST: 1}, (1, 1): {SECOND: 1}}


def test_impossible_buildings_become_rubble() -> None:
    """Blue 4 fits on red 3, but by then red 5 is there, so blue 4 becomes rubble."""
    table = start("red_3", "red_5", "red_2", "blue_4", "blue_1")
    alone = start("red_3", "blue_4", "blue_1", "red_5", "red_2").play("here", "blue_4")
    assert city(alone.play("west_side", "red_5"))[0, 0] == ["red_3", "blue_4"]
    table = table.play("here", "red_5", "here", "blue_4")
    assert "player 2 cannot build blue_4" in [line.replace(" 4", "_4") for line in table.log_lines]
    assert city(table) == {(0, 0): ["red_3", "red_5"]}
    assert table.zone("rubble") == ["blue_4"]
    assert workers(table) == {(0, 0): {FIRST: 2}}
    assert len(table.zone("cards", SECOND)) == 5, "the card is back in hand"
    assert len(table.zone("floors", SECOND)) == 2, "and a new floor has been drawn"


def test_the_order_decides_who_is_replaced() -> None:
    """The same secret choices, with the other player first."""
    table = start("red_3", "red_5", "red_2", "blue_4", "blue_1", first="seat_2")
    table = table.play("here", "blue_4", "here", "red_5")
    # first blue 4 on red 3, then red 5 on blue 4, which is lower
    assert city(table) == {(0, 0): ["red_3", "blue_4", "red_5"]}
    assert workers(table) == {(0, 0): {FIRST: 3}}
    assert table.tokens("supply", SECOND) == {SECOND: 8}, "who is built over gets the workers back"


def test_as_many_workers_stand_there_as_the_building_is_high() -> None:
    """A tower of red floors takes 1 + 2 + ... workers; those on covered floors come back."""
    table = start("red_1", "red_2", "red_3", "red_4", "red_5", "red_6")
    table = table.play("here", "red_2", "here", "red_4", "here", "red_5", "here", "red_3")
    assert city(table) == {(0, 0): ["red_1", "red_2", "red_4", "red_5", "red_3"]}
    assert workers(table) == {(0, 0): {FIRST: 5}}
    assert table.tokens("supply", SECOND) == {SECOND: 8}, "built over"
    assert table.tokens("supply", FIRST) == {FIRST: 3}


def groups(stacks: dict[Place, list[str]]) -> list[set[Place]]:
    """Connected lots of one color, two at least."""
    left, found = set(stacks), []
    while left:
        group = {left.pop()}
        while True:
            more = {
                (x, y)
                for x, y in left
                for gx, gy in group
                if abs(x - gx) + abs(y - gy) == 1 and stacks[x, y][-1][:3] == stacks[gx, gy][-1][:3]
            }
            if not more:
                break
            group |= more
            left -= more
        if len(group) >= 2:
            found.append(group)
    return found


def district_points(table: Table, players: int) -> list[int]:
    stacks, held = city(table), workers(table)
    points = [0] * players
    for group in groups(stacks):
        keys = []
        for seat in range(players):
            whose = f"player {seat + 1}"
            stake = sum(held.get(lot, {}).get(whose, 0) for lot in group)
            # most floors; then the highest building, then its number; then the seat
            tallest = max(
                (
                    (len(stacks[lot]), int(stacks[lot][-1][-1]))
                    for lot in group
                    if held.get(lot, {}).get(whose)
                ),
                default=(0, 0),
            )
            if stake:
                keys.append((-stake, -tallest[0], -tallest[1], seat))
        keys.sort()
        if keys:
            points[keys[0][-1]] += sum(len(stacks[lot]) for lot in group)
        if len(keys) > 1:
            points[keys[1][-1]] += -keys[1][0]
    return points


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(10))
def test_districts_beside_an_independent_count(players: int, seed: int) -> None:
    generator = random.Random(seed)
    table = sit_down("p09_twin_streets", players).settle(generator.randrange)
    while not table.state.over:
        table = table.play(generator.choice(table.names))
        expected = district_points(table, players)
        scores = table.state.scores
        assert [dict(player.items)["districts"] for player in scores] == expected
        assert all(
            sum(held.values()) in (0, len(city(table)[lot])) for lot, held in workers(table).items()
        )


def test_the_city_is_seen_by_everybody() -> None:
    table = start("red_3", "red_5", "blue_4", "blue_1", "red_1")
    table = table.play("east_side", "red_5", "north_side", "blue_1")
    for viewer in (0, 1):
        seen = {
            zone.place.of for zone in table.state.view(viewer).zones if zone.place.name == "stack"
        }
        assert seen == {"c0_0", "c1_0", "c1_1"}
