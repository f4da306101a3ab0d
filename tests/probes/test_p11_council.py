"""Influence as a capped sum over three places, read off a table of steps; a discard loop whose limit
moves while cards leave."""

from __future__ import annotations

import random

import pytest

from tests.probes.table import Table, sit_down

# church, trade, crown
GIVES = {
    "abbess": (3, 0, 0),
    "bishop": (2, 0, 1),
    "chaplain": (1, 0, 0),
    "banker": (0, 3, 0),
    "weaver": (0, 1, 0),
    "shipper": (0, 2, 0),
    "marshal": (0, 0, 2),
    "steward": (0, 1, 2),
    "duke": (0, 0, 3),
    "fool": (0, 0, 0),
}
ESTATES = ("church", "trade", "crown")
SEATS = {"pulpit": "church", "counter": "trade", "throne": "crown"}
ME = "player 1"


def start(*first: str) -> Table:
    """A match in which these patrons come to the court first."""
    names = list(GIVES)
    wanted = [names.index(name) for name in first]
    wanted += [n for n in range(len(names)) if n not in wanted]
    return sit_down("p11_council").shuffle(wanted[::-1], range(len(names)))


def others_wait(table: Table) -> Table:
    """The other player's turn."""
    assert table.who == 2
    return table.play("wait", "none")


def court_of_three() -> Table:
    """Marshal, steward and fool, with room for exactly three: crown 2 + 2."""
    table = start("marshal", "steward", "fool", "weaver")
    for name in ("marshal", "steward", "fool"):
        table = others_wait(table.play(f"invite({name})", "none"))
    assert table.value("influence", 0, "crown") == 4
    assert table.value("room", 0) == 3
    return table


def test_influence_is_the_sum_over_three_places() -> None:
    table = start("marshal", "steward", "fool", "weaver")
    table = table.play("invite(marshal)", "marshal")
    assert table.zone("envoy", ME) == ["marshal"]
    assert table.value("influence", 0, "crown") == 4, "an envoy counts twice"
    table = others_wait(table).play("seal(crown)", "marshal")
    assert table.value("influence", 0, "crown") == 5
    table = others_wait(table).play("claim(throne)", "marshal")
    assert table.value("influence", 0, "crown") == 6
    assert table.value("room", 0) == 4
    # another seal would make 7, which is above the limit
    table = others_wait(table).play("seal(crown)", "marshal")
    assert table.value("influence", 0, "crown") == 6
    table = others_wait(table)
    assert table.why("claim(throne)") == "the throne is yours"


def test_income_is_read_off_the_steps() -> None:
    table = start("duke", "weaver", "shipper", "banker")
    # 5 points need 2 of income, so a trade of at least 2
    assert table.why("invite(duke)") == "the duke wants more trade"
    table = others_wait(table.play("invite(weaver)", "weaver"))
    assert table.value("influence", 0, "trade") == 2
    assert table.value("income", 0) == 2
    assert "invite(duke)" in table.names


def test_the_chosen_patron_decides_how_many_must_leave() -> None:
    table = court_of_three().play("invite(weaver)", "none")
    assert table.prompt == "choose leaving"
    assert table.names == ["weaver", "marshal", "steward", "fool"]
    # the fool gives nothing: three are left, and there is room for three
    gentle = table.play("fool")
    assert gentle.prompt == "choose envoy"
    gentle = gentle.play("none")
    assert gentle.who == 2
    assert gentle.zone("patrons", ME) == ["weaver", "marshal", "steward"]
    # without the marshal there is no room for the third: crown 2, room 2, so one more must leave
    harsh = table.play("marshal", "none")
    assert harsh.value("room", 0) == 2
    assert harsh.prompt == "choose leaving"
    assert harsh.names == ["weaver", "steward", "fool"]
    # without the steward nearly all room is lost: room 1, so a third must leave
    worst = harsh.play("steward", "none")
    assert worst.value("room", 0) == 1
    assert worst.prompt == "choose leaving"
    assert worst.names == ["weaver", "fool"]
    worst = worst.play("weaver", "none")
    assert worst.who == 2
    assert worst.zone("patrons", ME) == ["fool"]
    assert worst.zone("gone") == ["weaver", "marshal", "steward"]
    # if the fool leaves instead, two are enough
    mild = harsh.play("fool", "none")
    assert mild.who == 2
    assert mild.zone("patrons", ME) == ["weaver", "steward"]


def test_naming_an_envoy_moves_the_limit_as_well() -> None:
    table = court_of_three().play("invite(weaver)")
    # the marshal counts twice (2 * 2 + 2 = 6, room 4) and needs no room himself
    table = table.play("marshal")
    assert table.value("room", 0) == 4
    assert table.who == 2, "nobody must leave"
    assert table.zone("patrons", ME) == ["weaver", "steward", "fool"]


def influence(table: Table, seat: int, estate: int) -> int:
    player = f"player {seat + 1}"
    total = sum(GIVES[name][estate] for name in table.zone("patrons", player))
    total += 2 * sum(GIVES[name][estate] for name in table.zone("envoy", player))
    total += int(table.value_of(f"seals({ESTATES[estate]})", player))
    total += sum(
        table.value_of("holder", place) == f"seat_{seat + 1}"
        for place, of in SEATS.items()
        if of == ESTATES[estate]
    )
    return min(6, total)


def steps(number: int) -> int:
    return (1, 1, 2, 2, 3, 3, 4)[number]


@pytest.mark.parametrize("seed", range(8))
def test_the_loop_ends_exactly_when_the_rest_have_room(seed: int) -> None:
    generator = random.Random(seed)
    table = sit_down("p11_council").settle(generator.randrange)
    while not table.state.over:
        for seat in (0, 1):
            for number, estate in enumerate(ESTATES):
                assert table.value("influence", seat, estate) == influence(table, seat, number)
        seat, was_envoy = table.who - 1, table.prompt == "choose envoy"
        name = generator.choice(table.names)
        if name.startswith(("seal", "wait", "claim")):
            invites = [n for n in table.names if n.startswith("invite")]
            name = generator.choice(invites or [name])
        table = table.play(name)
        if was_envoy:
            patrons = table.zone("patrons", f"player {seat + 1}")
            room = steps(influence(table, seat, 2))
            must_leave = table.prompt == "choose leaving" and table.who == seat + 1
            assert must_leave == (len(patrons) > room)
            if must_leave:
                assert table.names == patrons
