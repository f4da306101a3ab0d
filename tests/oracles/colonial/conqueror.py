"""The Conqueror: colonies and the effects of founding one (CO-093 to CO-100, CO-129 to CO-143, CO-248 to CO-250)."""

from __future__ import annotations

from tests.oracles.colonial.characters import markers_of
from tests.oracles.colonial.decisions import (
    NO,
    NONE,
    YES,
    Flow,
    Option,
    Table,
    numbers,
    seat_name,
    seat_of,
)
from tests.oracles.colonial.position import Position, Removal
from tests.oracles.colonial.tables import SUPPLY_OF_COLONIES


def conqueror_options(position: Position, player: int) -> list[Option]:
    """CO-130 to CO-132; the alternative of Spain is CO-248."""
    if sum(owner == player for owner in position.colonies.values()) >= SUPPLY_OF_COLONIES:
        return []
    possible = [
        t
        for t in position.territories
        if position.strength(t) and t not in position.colonies and position.controls_all(player, t)
    ]
    extremadura = position.can(player, "extremadura")
    return [
        *(("found", t) for t in possible if position.markers(player, t) >= position.strength(t)),
        *(
            ("found_by_extremadura", t)
            for t in possible
            if extremadura and position.missions[t] and position.tables.territories[t].is_american
        ),
    ]


def conqueror(table: Table, player: int) -> Flow[None]:
    position = table.position
    how, where = yield from table.ask(player, lambda: conqueror_options(position, player))
    territory = str(where)
    position.colonies[territory] = player
    position.independent.discard(territory)  # CO-100
    if position.nation(player) is None or position.is_objective(player, territory):  # CO-233
        position.gain_prestige(player, 2 if territory == position.city else 1)  # CO-134, CO-135
    if how == "found_by_extremadura":  # CO-249
        position.unrest[territory] += 1
    yield from _company(table, player, territory)
    yield from _plunder(table, player, territory)
    yield from _oppression(table, player, territory)
    yield from _plantation(table, player, territory)


def _company(table: Table, player: int, territory: str) -> Flow[None]:
    """CO-137."""
    position = table.position
    if position.markers(player, territory) < 2:
        return
    taken = yield from table.ask(
        player, lambda: [*markers_of(position, territory, [player], "company"), NO]
    )
    if taken != NO:
        removal = Removal(position, territory)
        removal.take(str(taken[1]), int(taken[2]) - 1)
        removal.end()
        position.seats[player].fleets += 1


def _plunder(table: Table, player: int, territory: str) -> Flow[None]:
    """CO-138, CO-139."""
    position = table.position
    if (yield from table.ask(player, lambda: [YES, NO])) == NO:
        return
    gold = any(position.kind_of(s).each_space_is_monopoly for s in position.spaces(territory))
    position.seats[player].treasury += position.strength(territory) * (2 if gold else 1)
    position.unrest[territory] += 1


def _oppression(table: Table, player: int, territory: str) -> Flow[None]:
    """CO-140."""
    position = table.position
    if not position.unrest[territory]:
        return
    (number,) = yield from table.ask(player, lambda: numbers(0, min(2, position.unrest[territory])))
    position.unrest[territory] -= int(number)
    position.move_left(player, int(number))


def _plantation(table: Table, player: int, territory: str) -> Flow[None]:
    """CO-141, CO-142."""
    position = table.position
    if all(position.kind_of(s).name != "plantation" for s in position.spaces(territory)):
        return

    def victims() -> list[Option]:
        robbed = (p for p in position.players if p != player and position.seats[p].fleets)
        return [*((seat_name(p),) for p in robbed), NONE]

    black = sum(
        position.kind_of(space).name == "slaves" for space in position.controlled_spaces(player)
    )
    for _ in range(black):
        if victims() == [NONE]:
            return
        taken = yield from table.ask(player, victims)
        if taken == NONE:
            return
        position.seats[seat_of(taken[0])].fleets -= 1
        position.seats[player].fleets += 1
