"""A war: years in a loop, battles in any order, losses chosen by the other side, surrender."""

from __future__ import annotations

from tests.probes.table import Table, sit_down

FIRST, SECOND = "player 1", "player 2"


def land_troops(table: Table, coast: str, *troops: str) -> Table:
    return table.play(f"land({coast})", *troops)


def table_with_troops() -> Table:
    """Riders and a footman against two footmen in the north, the other way round in the west."""
    table = sit_down("p05_two_lords")
    table = land_troops(table, "north_coast", "footmen", "riders")
    table = land_troops(table, "north_coast", "footmen", "footmen")
    table = land_troops(table, "west_coast", "footmen", "footmen")
    return land_troops(table, "west_coast", "footmen", "riders")


def camp(table: Table, coast: str) -> tuple[list[str], list[str]]:
    """The troops of both players on a coast."""
    zone = next(z for z in table.seen.zones if (z.place.label, z.place.of) == ("camp", coast))
    half = 6  # the troops with lower numbers belong to the first player
    return (
        [piece.name for piece in zone.pieces if piece.id < half],
        [piece.name for piece in zone.pieces if piece.id >= half],
    )


def battle_in_the_west() -> Table:
    """The attacker hits once, the defender twice; the attacker chooses."""
    table = table_with_troops().play("make_war")
    assert table.prompt == "choose field"
    assert table.names == ["north_coast", "west_coast"], "any order"
    table = table.play("west_coast")
    # two footmen roll two dice, riders and a footman three
    return table.roll("1", "0").roll("1", "1", "0")


def test_each_side_chooses_the_losses_of_the_other() -> None:
    table = battle_in_the_west()
    assert (table.who, table.prompt) == (1, "choose victims")
    assert table.names == ["footmen", "riders"], "the troops of the other"
    table = table.play("riders")
    assert table.who == 2
    assert camp(table, "west_coast") == (["footmen"] * 2, ["footmen", "riders"]), "not yet gone"
    assert table.names == ["footmen"]
    table = table.play("footmen", "footmen")
    # the riders were hit, but hit at the same time
    assert camp(table, "west_coast") == ([], ["footmen"])
    assert sorted(table.zone("reserve", FIRST)) == ["footmen"] * 3 + ["riders"]
    assert sorted(table.zone("reserve", SECOND)) == ["footmen", "riders", "riders"]


def test_nobody_sees_whom_the_other_has_chosen_before_both_have() -> None:
    table = battle_in_the_west()
    riders, footmen = table.play("riders"), table.play("footmen")
    assert riders.state.cells != footmen.state.cells
    assert riders.state.view(1) == footmen.state.view(1)
    assert riders.names == footmen.names
    assert riders.log_lines == footmen.log_lines == []
    assert riders.state.view(0) != footmen.state.view(0)
    after = [table.play("footmen", "footmen") for table in (riders, footmen)]
    assert camp(after[0], "west_coast")[1] == ["footmen"]
    assert camp(after[1], "west_coast")[1] == ["riders"]


def test_hits_beyond_the_troops_are_lost() -> None:
    # three hits on two troops
    table = table_with_troops().play("make_war", "north_coast").roll("1", "1", "1").roll("0", "0")
    table = table.play("footmen", "footmen")
    assert camp(table, "north_coast") == (["footmen", "riders"], [])


def to_the_sea(table: Table) -> Table:
    """The battles of a year on land, without any hit."""
    table = table.play("make_war", "north_coast").roll("0", "0", "0", "0", "0")
    if not table.state.at_chance:
        table = table.play("west_coast")
    return table.roll("0", "0", "0", "0", "0")


def test_ships_sink_at_the_same_time_and_hits_run_over_into_the_traders() -> None:
    table = table_with_troops().play("launch", "launch", "launch", "wait")
    assert [table.value_of("warships", p) for p in (FIRST, SECOND)] == [3, 2]
    table = to_the_sea(table).roll("1", "1", "1", "1", "0")
    # three hits on two warships: one trader sinks; one hit on three warships
    assert [table.value_of("warships", p) for p in (FIRST, SECOND)] == [2, 0]
    assert [table.value_of("traders", p) for p in (FIRST, SECOND)] == [2, 1]


def test_without_warships_against_warships_the_war_is_lost() -> None:
    table = table_with_troops().play("launch", "wait")
    table = to_the_sea(table).roll("1", "0", "0")
    assert table.log_lines[-1] == "player 2 loses the war"
    assert [table.value_of("glory", p) for p in (FIRST, SECOND)] == [4, 2]
    assert table.who == 2, "the action is over"


def test_years_follow_until_one_side_gives_in() -> None:
    table = to_the_sea(table_with_troops()).roll("0", "0")
    for year in range(3):
        assert table.prompt == "choose surrender", year
        assert table.who == 2, "the defender is asked first"
        table = table.play("no")
        assert table.who == 1
        table = table.play("no")
        assert table.log_lines[-1:] == ["a year of war"]
        assert table.names == ["north_coast", "west_coast"]
        table = table.play("west_coast").roll(*["0"] * 5)
        if not table.state.at_chance:
            table = table.play("north_coast")
        table = table.roll(*["0"] * 5).roll("0", "0")
    given_in = table.play("yes")
    assert given_in.log_lines == ["player 2 loses the war"]
    assert [given_in.value_of("glory", p) for p in (FIRST, SECOND)] == [4, 2]
    other = table.play("no", "yes")
    assert other.log_lines == ["player 1 loses the war"]
    assert [other.value_of("glory", p) for p in (FIRST, SECOND)] == [2, 4]


def test_a_war_in_which_nothing_is_left_ends_by_itself() -> None:
    table = sit_down("p05_two_lords").play("make_war").roll("1", "1")
    assert [table.value_of("warships", p) for p in (FIRST, SECOND)] == [0, 0]
    assert [table.value_of("glory", p) for p in (FIRST, SECOND)] == [3, 3]
    assert table.who == 2
    assert table.why("make_war") == "you have nothing to fight with"


def test_the_second_battle_of_a_year_sees_what_the_first_has_left() -> None:
    """Troops that die in a battle no longer make a coast contested in the next year."""
    table = battle_in_the_west().play("riders", "footmen", "footmen")
    if not table.state.at_chance:
        assert table.names == ["north_coast"]
        table = table.play("north_coast")
    table = table.roll(*["0"] * 5).roll("0", "0").play("no", "no")
    # in the west only one side is left: the second year has one battle
    if not table.state.at_chance:
        assert table.names == ["north_coast"]


def test_the_game_ends_when_one_side_has_no_glory_left() -> None:
    table = sit_down("p05_two_lords").play("launch", "wait")
    for _ in range(3):
        table = table.play("make_war").roll("1", "0", "0")
        if table.state.over:
            break
        table = table.play("launch") if table.who == 2 else table
    assert table.state.over
    assert table.value_of("glory", SECOND) == 0
    assert table.state.winners == (0,)
