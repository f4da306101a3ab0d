"""Ordered actions: free, cheaper, filtered, impossible if no instance is possible. Effects before, after and
instead of an action. An age that ends in the middle of filling a row."""

from __future__ import annotations

from tests.probes.table import Table, sit_down


def start() -> Table:
    """The offer is quartermaster, bailiff, masons; masons and three harvests are in the deck."""
    table = sit_down("p04_works_and_days").settle()
    assert table.zone("offer") == ["quartermaster", "bailiff", "masons"]
    assert table.zone("deck") == ["help_at_harvest"] * 3 + ["masons"]
    return table


def coins(table: Table, seat: int) -> int | str:
    return table.value_of("coins", f"player {seat}")


def actions(table: Table, seat: int) -> int | str:
    return table.value_of("actions", f"player {seat}")


def test_the_ordered_building_is_filtered_cheaper_and_takes_no_action() -> None:
    table = start().play("take(masons)")
    assert "build a keep for 5" in table.texts
    table = table.play("play_plan(masons)")
    assert table.names == ["gatehouse", "keep"], "masons build towers only"
    assert actions(table, 1) == 0, "one for taking the plan, one for playing it"
    before = coins(table, 1)
    table = table.play("keep")
    assert before == 5
    assert coins(table, 1) == 1, "a keep costs 5, by the plan 4"
    assert table.value_of("built(keep)", "player 1") == 1
    assert table.zone("gone") == ["masons"]
    assert table.who == 2


def test_the_discount_ends_with_the_order() -> None:
    table = start().play("take(masons)", "play_plan(masons)", "gatehouse")
    assert coins(table, 1) == 4
    assert "build a gatehouse for 2" in table.texts
    table = table.play("rest")
    assert "build a gatehouse for 2" in table.texts


def test_a_plan_cannot_be_played_where_nothing_can_be_built() -> None:
    table = start().play("take(masons)", "build(field)", "rest", "build(keep)")
    assert coins(table, 1) == 0
    assert actions(table, 1) == 1
    # the cheapest tower is 2, by the plan 1
    assert "play_plan(masons)" not in table.names
    assert table.why("play_plan(masons)") == "this takes 1 coin, and there are 0"
    assert table.why("build(gatehouse)") == "this takes 2 coins, and there are 0"


def test_a_plan_that_makes_the_cheapest_farm_free_can_always_be_played() -> None:
    table = start().play("take(masons)", "rest", "take(quartermaster)", "rest")
    table = until_turn_of(1, table.play("take(help_at_harvest)", "rest"))
    assert coins(table, 1) == 7
    table = until_turn_of(1, table.play("build(keep)", "build(gatehouse)"))
    assert coins(table, 1) == 1
    assert "play_plan(help_at_harvest)" in table.names
    table = table.play("play_plan(help_at_harvest)")
    assert table.names == ["field"], "a vineyard is 3, by the plan 2, and there is 1"
    assert coins(table.play("field"), 1) == 1


def until_turn_of(seat: int, table: Table) -> Table:
    while table.who != seat:
        table = table.play("rest")
    return table


def test_the_bailiff_pays_after_the_farm_stands() -> None:
    table = start().play("take(bailiff)")
    # 5 coins: 3 for the vineyard, one back
    table = table.play("build(vineyard)")
    assert coins(table, 1) == 3
    table = until_turn_of(1, table).play("build(gatehouse)")
    assert coins(table, 1) == 3 + 1 - 2, "a tower brings him nothing"


def test_the_bailiff_cannot_pay_for_the_farm_he_is_paid_for() -> None:
    table = start().play("take(bailiff)", "build(field)", "rest", "build(keep)")
    assert coins(table, 1) == 1
    assert table.why("build(vineyard)") == "this takes 3 coins, and there is 1"
    table = table.play("build(field)")
    assert coins(table, 1) == 1


def test_the_quartermaster_gives_an_action_before_the_first_building_of_a_turn() -> None:
    table = start().play("take(quartermaster)")
    assert actions(table, 1) == 1
    table = table.play("build(field)")
    assert actions(table, 1) == 1, "the first building of the turn takes no action"
    table = table.play("build(field)")
    assert table.who == 2, "the second one does"
    table = until_turn_of(1, table).play("build(field)")
    assert actions(table, 1) == 2, "in the next turn there is a first one again"
    assert actions(table.play("build(field)"), 1) == 1


def test_orders_count_as_building_for_those_who_watch() -> None:
    table = start().play("take(bailiff)", "rest", "take(masons)", "rest", "take(help_at_harvest)")
    before = coins(table, 1)
    table = table.play("play_plan(help_at_harvest)", "vineyard")
    assert before == 4 + 1 + 1
    assert coins(table, 1) == 6 - 2 + 1, "3 less 1 for the vineyard, 1 by the bailiff"


def end_of_the_first_age() -> Table:
    table = start().play("take(masons)", "rest", "take(quartermaster)", "take(bailiff)")
    assert table.zone("offer") == ["help_at_harvest", "help_at_harvest", "masons"]
    table = table.play("take(masons)")
    assert table.zone("deck") == ["help_at_harvest"]
    assert table.zone("hand", "player 1") == ["masons", "masons"]
    return table.play("take(help_at_harvest)")


def test_the_age_ends_in_the_middle_of_filling_the_offer() -> None:
    table = end_of_the_first_age()
    assert table.log_lines == ["the first age ends"]
    # one slot is filled with the last card of the first age, then the age ends, then the other
    # slot is filled from the second age
    assert table.zone("offer") == ["help_at_harvest", "help_at_harvest", "auditor"]
    assert table.zone("deck") == ["great_works"] * 3
    assert table.value_of("age") == 2
    # plans in hand are lost, but not those in the offer; stewards stay
    assert table.zone("hand", "player 1") == []
    assert sorted(table.zone("gone")) == ["help_at_harvest", "masons", "masons"]
    assert table.zone("stewards", "player 2") == ["bailiff", "quartermaster"]
    assert table.who == 2


def test_the_auditor_comes_instead_of_resting() -> None:
    table = end_of_the_first_age()
    rested = table.play("rest")
    assert coins(rested, 2) == coins(table, 2)
    table = table.play("take(auditor)")
    before = coins(table, 2)
    assert isinstance(before, int)
    table = table.play("rest")
    assert coins(table, 2) == before + 3
    assert table.who == 1


def test_great_works_build_twice_or_cannot_be_played() -> None:
    # two fields cost 2, and with 1 coin only the first could be paid
    table = end_of_the_first_age().play("take(auditor)", "rest", "build(keep)")
    assert table.zone("offer") == ["help_at_harvest", "help_at_harvest", "great_works"]
    table = table.play("take(great_works)")
    table = until_turn_of(1, table)
    left = coins(table, 1)
    assert left == 4 + 3 - 5 + 1
    table = table.play("build(gatehouse)")
    assert coins(table, 1) == 1
    assert "play_plan(great_works)" not in table.names
    assert "build(field)" in table.names
    # with 3 coins the first building may cost at most 2, so that a field can follow
    table = until_turn_of(1, table.play("rest"))
    table = until_turn_of(1, table.play("rest"))
    assert coins(table, 1) == 3
    table = table.play("play_plan(great_works)")
    assert table.names == ["field", "gatehouse"], "after a vineyard for 3 no field could follow"
    table = table.play("gatehouse")
    assert table.names == ["field"]


def test_the_game_ends_after_the_round_in_which_the_second_deck_runs_out() -> None:
    table = end_of_the_first_age()
    while table.value_of("is_last_round") == "no":
        takes = [name for name in table.names if name.startswith("take")]
        table = table.play(takes[0] if takes else "rest")
    assert table.zone("deck") == []
    last = table.who
    while not table.state.over:
        assert table.who >= last
        table = table.play("rest")
