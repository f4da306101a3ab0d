"""The Sovereign: wars in years, on land and at sea (CO-199 to CO-219, CO-254, CO-255)."""

from __future__ import annotations

from tests.oracles.colonial.characters import casualty
from tests.oracles.colonial.decisions import NO, YES, Flow, Option, Table, seat_name, seat_of
from tests.oracles.colonial.position import Position, Removal
from tests.oracles.colonial.tables import MOST_DICE_IN_BATTLE

IMPROVE: Option = ("improve_relations",)
SURRENDER: Option = ("surrender",)
FIGHT_ON: Option = ("fight_on",)


def sovereign_options(position: Position, player: int) -> list[Option]:
    """CO-109, CO-110, CO-199."""
    here = position.seats[player].diplomacy
    enemies = (p for p in position.players if p != player and position.seats[p].diplomacy <= here)
    found: list[Option] = [("war", seat_name(p)) for p in enemies]
    return [*found, IMPROVE] if position.can(player, "sovereign_diplomacy") else found


def sovereign(table: Table, player: int) -> Flow[None]:
    position = table.position
    taken = yield from table.ask(player, lambda: sovereign_options(position, player))
    if taken == IMPROVE:
        position.right(player)  # CO-255
        return
    position.move_left(player)  # CO-200
    enemy = seat_of(taken[1])
    while not (yield from _year(table, player, enemy)):  # CO-217
        pass


def shared_territories(position: Position, one: int, other: int) -> list[str]:
    return [
        t for t in position.territories if position.markers(one, t) and position.markers(other, t)
    ]


def _year(table: Table, attacker: int, defender: int) -> Flow[bool]:
    """Whether the war is over after it (CO-201)."""
    yield from _land(table, attacker, defender)
    yield from _sea(table, attacker, defender)
    return (yield from _peace(table, attacker, defender))


def _land(table: Table, attacker: int, defender: int) -> Flow[None]:
    """CO-202, CO-204."""
    fields = shared_territories(table.position, attacker, defender)
    while fields:
        field = fields[0]
        if len(fields) > 1:
            (where,) = yield from table.ask(attacker, lambda: [(t,) for t in fields])
            field = str(where)
        fields.remove(field)
        yield from _battle(table, attacker, defender, field)


def _battle(table: Table, attacker: int, defender: int, field: str) -> Flow[None]:
    """CO-203, CO-205, CO-206."""
    position = table.position
    strengths = [position.markers(p, field) for p in (attacker, defender)]
    by_attacker, by_defender = (table.roll(min(n, MOST_DICE_IN_BATTLE)) for n in strengths)
    removal = Removal(position, field)
    for _ in range(min(by_attacker, strengths[1])):
        yield from casualty(table, attacker, removal, [defender])
    for _ in range(min(by_defender, strengths[0])):
        yield from casualty(table, defender, removal, [attacker])
    removal.end()


def _sea(table: Table, attacker: int, defender: int) -> Flow[None]:
    """CO-203, CO-207, CO-208, CO-254."""
    position = table.position
    dice = [min(position.seats[p].squadrons, MOST_DICE_IN_BATTLE) for p in (attacker, defender)]
    hits = [table.roll(n) for n in dice]
    for side, player in enumerate((attacker, defender)):
        if not (dice[side] and position.can(player, "naval_reroll")):
            continue
        if (yield from table.ask(player, lambda: [YES, NO])) == YES:
            hits[side] = table.roll(dice[side])
    for player, number in ((defender, hits[0]), (attacker, hits[1])):
        seat = position.seats[player]
        sunk = min(number, seat.squadrons)
        seat.squadrons -= sunk
        seat.fleets -= min(number - sunk, seat.fleets)


def _peace(table: Table, attacker: int, defender: int) -> Flow[bool]:
    """CO-209 to CO-218."""
    position = table.position
    on_land = bool(shared_territories(position, attacker, defender))
    at_sea = [p for p in (attacker, defender) if position.seats[p].squadrons]
    if not at_sea and not on_land:  # CO-215
        return True
    if len(at_sea) == 1:  # CO-211, CO-214
        winner = at_sea[0]
        position.give_prestige(defender if winner == attacker else attacker, winner)
        return True
    for player, other in ((defender, attacker), (attacker, defender)):  # CO-209, CO-210
        if (yield from table.ask(player, lambda: [SURRENDER, FIGHT_ON])) == SURRENDER:
            position.give_prestige(player, other)
            return True
    return False
