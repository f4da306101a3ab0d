"""Rich random positions, in which rare situations occur at once.

Makes only possible positions: markers are placed by the rules of control.
"""

from __future__ import annotations

from random import Random

from tests.oracles.colonial.position import Position
from tests.oracles.colonial.tables import LAPSE, SUPPLY_OF_COLONIES, TRACKS


def furnish(position: Position, random: Random) -> None:
    """Changes the position of a match that has just begun."""
    for player in position.players:
        _furnish_seat(position, player, random)
    diplomacy = [random.randint(1, 7) for _ in position.players]
    for territory in position.territories:
        if position.is_discovered(territory) or random.random() < 0.75:
            _furnish_territory(position, territory, random)
    for seat, space in zip(position.seats, diplomacy, strict=True):
        seat.diplomacy = space
    _found_colonies(position, random)
    known = [t for t in position.territories if position.is_discovered(t)]
    if known and random.random() < 0.7:
        position.city, position.city_value = random.choice(known), random.randint(1, 9)
    _discover_america(position, random)


def _furnish_seat(position: Position, player: int, random: Random) -> None:
    seat, nation = position.seats[player], position.nation(player)
    seat.treasury = random.choice((0, 1, 3, 6, 10, 14))
    seat.fleets, seat.squadrons = random.randint(0, 5), random.randint(0, 6)
    seat.goods, seat.prestige = random.randint(0, 4), random.choice((0, 1, 2, 4, 5, 8, 9))
    if position.can(player, "extra_explorer"):
        seat.prestige = min(seat.prestige, LAPSE - 1)  # his cards are in his hand already
    seat.lapsed = seat.prestige >= LAPSE
    seat.loans = [random.randint(1, 5) for _ in range(random.choice((0, 0, 1, 3)))]
    for track in TRACKS:
        values = position.tables.tracks[track]
        most = nation.max_logistics if nation and track == "logistics" else values[-1]
        seat.steps[track] = random.choice([n for n, value in enumerate(values) if value <= most])


def _furnish_territory(position: Position, territory: str, random: Random) -> None:
    position.prestige[territory] = 0
    for _ in range(random.choice((0, 1, 2, 4, 6))):
        space = random.choice(position.spaces(territory))
        position.place(random.choice(position.players), space)
    position.unrest[territory] = random.choice((0, 0, 1, 2))
    position.missions[territory] = random.choice((0, 0, 0, 1))


def _found_colonies(position: Position, random: Random) -> None:
    greatest = random.choice(position.players) if random.random() < 0.25 else -1
    for territory in position.territories:
        owners = list(position.markers_of_all(territory))
        if not position.tables.territories[territory].strength:
            continue
        if greatest in owners or (owners and random.random() < 0.5):
            owner = greatest if greatest in owners else random.choice(owners)
            if list(position.colonies.values()).count(owner) < SUPPLY_OF_COLONIES:
                position.colonies[territory] = owner
        elif position.is_discovered(territory) and random.random() < 0.3:
            position.independent.add(territory)


def _discover_america(position: Position, random: Random) -> None:
    american = (t for t in position.territories if position.tables.territories[t].is_american)
    if position.america and any(map(position.is_discovered, american)):
        position.america, position.america_discovered = 0, True
        position.circumnavigation = random.randint(0, 1)
