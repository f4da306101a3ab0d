"""The Explorer: discoveries, America, Australia, the circumnavigation (CO-111 to CO-122, CO-144 to CO-156)."""

from __future__ import annotations

from tests.oracles.colonial.decisions import NO, YES, Flow, Option, Table
from tests.oracles.colonial.position import Position
from tests.oracles.colonial.tables import (
    BEFORE_AMERICA,
    CIRCUMNAVIGATION,
    MOST_DICE_OF_EXPLORERS,
)

NOBODY: Option = ("nobody",)


def explorer_options(position: Position, player: int) -> list[Option]:
    """CO-144."""
    return [(t,) for t in position.territories if not position.is_discovered(t)]


def needed_roll(position: Position, player: int, territory: str) -> int:
    """CO-145."""
    printed = position.tables.territories[territory]
    assert printed.difficulty is not None
    near = any(position.markers(player, t) for t in printed.neighbours if t in position.prestige)
    far = BEFORE_AMERICA if printed.is_american and not position.america_discovered else 0
    return printed.difficulty - position.value(player, "seafaring") - near + far


def explorer(table: Table, player: int) -> Flow[None]:
    (where,) = yield from table.ask(player, lambda: explorer_options(table.position, player))
    if (yield from _discovers(table, player, str(where))):
        yield from _settle(table, player, str(where))
    yield from _circumnavigate(table, player)  # CO-114, CO-117


def _discovers(table: Table, player: int, territory: str) -> Flow[bool]:
    """Whether the territory is discovered at the end."""
    position = table.position
    if not _succeeds(table, player, territory):
        return False
    if position.is_discovered(territory):
        return True
    again = yield from table.ask(player, lambda: [YES, NO])  # CO-153
    return again == YES and _succeeds(table, player, territory)  # CO-154, CO-155


def _succeeds(table: Table, player: int, territory: str) -> bool:
    """One attempt, and its gain (CO-147)."""
    position = table.position
    if table.roll(MOST_DICE_OF_EXPLORERS) < needed_roll(position, player, territory):
        return False
    printed = position.tables.territories[territory]
    position.prestige[territory] -= 1
    position.gain_prestige(player, 1)
    if printed.diplomacy_bonus:  # CO-148
        position.right(player)
    if printed.is_american and not position.america_discovered:  # CO-112, CO-113
        position.circumnavigation += position.america - 1
        position.america = 0
        position.america_discovered = True
        position.america_since = position.turn, position.round
        position.gain_prestige(player, 1)
    return True


def _settle(table: Table, player: int, territory: str) -> Flow[None]:
    """Step 2 (CO-149 to CO-152)."""
    position = table.position
    seat = position.seats[player]

    def ways() -> list[Option]:
        spaces = position.spaces(territory) if position.may_place(player, territory) else ()
        return [
            *(("trading_post", space) for space in spaces if seat.fleets),
            *(("conquistadors", space) for space in spaces if seat.treasury),
            NOBODY,
        ]

    if ways() == [NOBODY]:
        return
    taken = yield from table.ask(player, ways)
    if taken == NOBODY:
        return
    if taken[0] == "trading_post":
        seat.fleets -= 1
    else:
        seat.treasury -= 1
        position.unrest[territory] += 1
    position.place(player, str(taken[1]))


def _circumnavigate(table: Table, player: int) -> Flow[None]:
    position = table.position
    seat = position.seats[player]
    later = position.america_discovered and (position.turn, position.round) > position.america_since
    if not (later and position.circumnavigation and seat.treasury):  # CO-115, CO-118
        return
    taken = yield from table.ask(player, lambda: [YES, NO] if seat.treasury else [NO])
    if taken == NO:
        return
    seat.treasury -= 1
    continents = {
        printed.continent
        for t in position.territories
        if (printed := position.tables.territories[t]).counts_for_circumnavigation
        and position.markers(player, t)
    }
    required = CIRCUMNAVIGATION - position.value(player, "seafaring") - len(continents)  # CO-119
    if table.roll(MOST_DICE_OF_EXPLORERS) >= required:  # CO-121
        won, position.circumnavigation = position.circumnavigation, 0
        position.gain_prestige(player, won)
