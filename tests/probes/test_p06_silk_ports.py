"""Ordered stacks that are repaired at once, at a price that depends on the cause; victory at any moment."""

from __future__ import annotations

import random

import attrs
import pytest

from tests.probes.table import Table, sit_down

DUES = {"canton": 2, "goa": 1, "hormuz": 1, "malacca": 0, "aden": 0}
MARKERS = 8


def stack(table: Table, port: str) -> str:
    """The owners of the markers of a port, from the bottom."""
    return "".join(str(marker // MARKERS + 1) for marker in table.ids("stack", port))


def start() -> Table:
    return sit_down("p06_silk_ports")


def test_markers_lie_in_the_order_in_which_they_came_while_nobody_else_has_more() -> None:
    table = start().play("settle(aden)", "settle(aden)", "settle(aden)", "settle(aden)")
    assert stack(table, "aden") == "1212"
    assert table.log_lines == []
    assert table.value_of("good_will", "player 1") == table.value_of("good_will", "player 2") == 3


def test_taking_over_by_placing_costs_good_will() -> None:
    table = start().play("settle(aden)", "settle(aden)", "settle(aden)", "settle(aden)", "wait")
    table = table.play("settle(aden)")
    # all three markers of the new controller move to the bottom, in their order
    assert stack(table, "aden") == "22211"
    assert table.ids("stack", "aden") == (8, 9, 10, 0, 1)
    assert table.log_lines == ["player 2 controls aden"]
    assert table.value_of("good_will", "player 2") == 2
    assert table.value_of("good_will", "player 1") == 3


def test_taking_over_because_others_lose_markers_costs_nothing() -> None:
    table = start().play("settle(aden)", "wait", "settle(aden)", "settle(aden)", "wait")
    table = table.play("settle(aden)", "wait")
    assert stack(table, "aden") == "1122"
    table = table.play("expel(aden)")
    assert stack(table, "aden") == "221"
    assert table.log_lines == ["player 2 controls aden"]
    assert table.value_of("good_will", "player 2") == 3
    assert table.value_of("coins", "player 2") == 4 + 4 - 3


def test_a_port_that_nobody_controls_is_taken_without_a_price() -> None:
    table = start().play("settle(goa)")
    assert table.value("controller", "goa") == 0
    assert table.value_of("good_will", "player 1") == 3


def test_taking_over_a_port_needs_good_will() -> None:
    table = start()
    mine, theirs = "settle(aden)", "settle(aden)"
    # in aden the control changes back and forth; player 2 takes it over three times
    for first, second in (
        (mine, theirs),
        ("wait", theirs),
        (mine, "wait"),
        (mine, theirs),
        ("wait", theirs),
        (mine, "wait"),
        (mine, theirs),
        ("wait", theirs),
    ):
        table = table.play(first, second)
    assert stack(table, "aden") == "2" * 6 + "1" * 5
    assert table.value_of("good_will", "player 2") == 0
    # one marker each in malacca; a second one of player 2 would take it over
    table = table.play("settle(malacca)", "settle(malacca)", "wait")
    assert "settle(malacca)" not in table.names
    assert table.why("settle(malacca)") == "this takes 1 good will, and there are 0"
    assert "settle(aden)" in table.names


def majority(owners: str) -> str | None:
    counts = {owner: owners.count(owner) for owner in owners}
    best = [owner for owner, count in counts.items() if count == max(counts.values())]
    return best[0] if len(best) == 1 else None


def test_the_fourth_port_wins_in_the_middle_of_the_action() -> None:
    table = start().play("settle(aden)", "wait", "settle(malacca)", "wait", "settle(goa)", "wait")
    assert not table.state.over
    table = table.play("settle(hormuz)")
    assert table.state.over
    assert table.log_lines == ["player 1 rules the coast"]
    assert table.state.winners == (0,)


def test_debt_keeps_from_winning_until_it_is_repaid() -> None:
    table = start().play("borrow", "wait")
    for port in ("aden", "malacca", "goa", "hormuz"):
        table = table.play(f"settle({port})", "wait")
    assert not table.state.over
    assert table.value("ports", 0) == 4
    table = table.play("repay(5)", "wait")
    assert not table.state.over
    assert table.value_of("debt", "player 1") == 1
    table = table.play("repay(1)")
    assert table.log_lines == ["player 1 rules the coast"]
    assert table.state.winners == (0,)


def test_one_may_win_by_what_another_does() -> None:
    """Expelling the lowest marker gives a third player the port, and the game."""
    table = sit_down("p06_silk_ports", 3)
    # player 3 alone controls three ports; in aden: 1 1 3 3 from the bottom, so player 1 controls it
    for choices in (
        ("settle(aden)", "wait", "wait"),
        ("settle(aden)", "wait", "settle(aden)"),
        ("wait", "wait", "settle(aden)"),
        ("wait", "wait", "settle(malacca)"),
        ("wait", "wait", "settle(goa)"),
        ("wait", "wait", "settle(hormuz)"),
    ):
        table = table.play(*choices)
    assert stack(table, "aden") == "1133"
    assert table.value("ports", 2) == 3
    table = table.play("wait", "expel(aden)")
    assert table.log_lines == ["player 3 controls aden", "player 3 rules the coast"]
    assert table.state.over
    assert table.state.winners == (2,)
    assert table.value_of("good_will", "player 3") == 3


# ---- Beside rules written a second time --------------------------------------------------------------


@attrs.define
class Coast:
    """The same game in Python."""

    players: int
    stacks: dict[str, str] = attrs.field(factory=lambda: dict.fromkeys(DUES, ""))
    will: list[int] = attrs.field(init=False)
    coins: list[int] = attrs.field(init=False)
    debt: list[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.will, self.coins, self.debt = (
            [3] * self.players,
            [4] * self.players,
            [0] * self.players,
        )

    def ports(self, me: int) -> int:
        return sum(bool(owners) and owners[0] == str(me + 1) for owners in self.stacks.values())

    def winners(self) -> tuple[int, ...]:
        return tuple(p for p in range(self.players) if self.ports(p) >= 4 and not self.debt[p])

    def put_right(self, port: str) -> None:
        owners = self.stacks[port]
        best = majority(owners)
        if best is not None and owners[0] != best:
            self.stacks[port] = best * owners.count(best) + owners.replace(best, "")

    def play(self, me: int, name: str) -> None:
        self.coins[me] += 1
        word, _, rest = name.rstrip(")").partition("(")
        if word == "settle":
            before = self.stacks[rest][:1]
            self.coins[me] -= DUES[rest]
            self.stacks[rest] += str(me + 1)
            self.put_right(rest)
            takes_over = before and before != str(me + 1) and self.stacks[rest][0] == str(me + 1)
            if takes_over and not self.winners():  # the game may be over before the price is paid
                self.will[me] -= 1
        elif word == "expel":
            self.coins[me] -= 3
            self.stacks[rest] = self.stacks[rest][1:]
            self.put_right(rest)
        elif word == "borrow":
            self.coins[me] += 5
            self.debt[me] += 6
        elif word == "repay":
            self.coins[me] -= int(rest)
            self.debt[me] -= int(rest)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_stacks_beside_the_same_rules_in_python(players: int, seed: int) -> None:
    generator = random.Random(seed)
    table, coast, turns = sit_down("p06_silk_ports", players), Coast(players), 0
    while not table.state.over:
        names = [name for name in table.names if name.startswith(("settle", "expel"))]
        name = generator.choice(names or table.names)
        coast.play(table.who - 1, name)
        turns += 1
        table = table.play(name)
        assert {port: stack(table, port) for port in DUES} == coast.stacks
        for seat in range(players):
            player = f"player {seat + 1}"
            assert table.value_of("good_will", player) == coast.will[seat]
            assert table.value_of("debt", player) == coast.debt[seat]
            owed = int(table.who == seat + 1)  # the coin for the turn that has just begun
            assert table.value_of("coins", player) == coast.coins[seat] + owed
        if coast.winners():
            assert table.state.winners == coast.winners()
            return
    assert turns == 10 * players
