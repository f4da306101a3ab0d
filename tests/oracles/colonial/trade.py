"""The Merchant and the Trader: goods to the market and treasures from it (CO-170 to CO-183, CO-220 to CO-224)."""

from __future__ import annotations

from tests.oracles.colonial.decisions import (
    DONE,
    Flow,
    Option,
    Table,
    numbers,
    seat_name,
    seat_of,
)
from tests.oracles.colonial.position import Position
from tests.oracles.colonial.tables import ABOLITION

AGREE: Option = ("agree",)
REFUSE: Option = ("refuse",)


def _ask_owner(table: Table, player: int, owner: int) -> Flow[bool]:
    """An offer of treasures and the answer to it (CO-125)."""
    position = table.position
    offered = 0
    if position.seats[player].treasury:
        (number,) = yield from table.ask(
            player, lambda: numbers(0, position.seats[player].treasury)
        )
        offered = int(number)
    if (yield from table.ask(owner, lambda: [AGREE, REFUSE])) == REFUSE:
        return False
    table.give(player, owner, offered)
    return True


# ---- Merchant --------------------------------------------------------------------------------------


def closed_spaces(position: Position) -> set[str]:
    """The spaces of a booming city that is independent (CO-182)."""
    return set(position.spaces(position.city)) if position.city in position.independent else set()


def can_ship(position: Position, player: int) -> bool:
    shut = closed_spaces(position)
    return bool(position.seats[player].fleets) and any(
        position.controller(space) is not None for space in position.stacks if space not in shut
    )


def merchant(table: Table, player: int) -> Flow[None]:
    position = table.position
    seat = position.seats[player]
    gone = closed_spaces(position)
    shipped: list[str] = []

    def ship(space: str) -> None:
        """CO-171 to CO-173."""
        owner = position.controller(space)
        assert owner is not None
        seat.goods += 1
        if owner != player:
            position.seats[owner].treasury += 1
        shipped.append(space)
        gone.add(space)

    def ready(spaces: list[str]) -> list[Option]:
        if len(shipped) >= seat.fleets:  # CO-170, CO-180
            return []
        return [
            ("ship", space)
            for space in spaces
            if space not in gone and position.controller(space) is not None
        ]

    first = list(position.spaces(position.city)) if position.city else []
    if ready(first) and position.unrest[position.city]:  # CO-178, CO-181
        successes = table.roll(position.unrest[position.city])
        if successes:
            seat.fleets -= 1
            gone.update(first)
        if successes >= 2:  # CO-179
            position.city_value = max(1, position.city_value - 1)
    while ready(first):  # CO-175 to CO-177
        _, space = yield from table.ask(player, lambda: ready(first))
        ship(str(space))
    everywhere = list(position.stacks)
    while ready(everywhere):
        taken = yield from table.ask(player, lambda: [*ready(everywhere), DONE])
        if taken == DONE:  # CO-183
            break
        space = str(taken[1])
        owner = position.controller(space)
        assert owner is not None
        if owner == player or (yield from _ask_owner(table, player, owner)):  # CO-174
            ship(space)
        gone.add(space)
    if is_abolished(position) and any(position.kind_of(s).name == "slaves" for s in shipped):
        position.move_left(player)  # CO-084, CO-085


def is_abolished(position: Position) -> bool:
    """CO-084."""
    return any(position.value(player, "economy") == ABOLITION for player in position.players)


# ---- Trader ----------------------------------------------------------------------------------------


def capacity(position: Position, player: int) -> int:
    """CO-095, CO-220."""
    colonies = (t for t, owner in position.colonies.items() if owner == player)
    return position.value(player, "economy") + sum(map(position.strength, colonies))


def trader(table: Table, player: int) -> Flow[None]:
    position = table.position
    left = capacity(position, player)
    refused: set[int] = set()

    def owners() -> list[Option]:
        return [
            ("goods_of", seat_name(p))
            for p in position.players
            if position.seats[p].goods and p not in refused
        ]

    while left and owners():
        taken = yield from table.ask(player, lambda: [*owners(), DONE])
        if taken == DONE:  # CO-224
            break
        owner = seat_of(taken[1])
        most = min(left, position.seats[owner].goods)
        (count,) = yield from table.ask(player, lambda most=most: numbers(1, most))  # type: ignore[misc]  # bound now
        if owner != player and not (yield from _ask_owner(table, player, owner)):  # CO-223
            refused.add(owner)
            continue
        left -= int(count)
        position.seats[owner].goods -= int(count)
        position.seats[owner].treasury += int(count)  # CO-221, CO-222
        if owner != player:
            position.seats[player].treasury += int(count)
