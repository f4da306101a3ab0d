"""The characters with an action of one or two steps: Ambassador, Financier, Governor, Missionary, Rebel, Scientist
and Viceroy.

Each has a function that gives its first options, and a flow that runs when it is used.
"""

from __future__ import annotations

from tests.oracles.colonial.decisions import (
    DONE,
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
from tests.oracles.colonial.tables import HIGHEST_CITY, TRACKS

# ---- Ambassador (CO-126 to CO-128) -----------------------------------------------------------------


def ambassador(table: Table, player: int) -> Flow[None]:
    position = table.position

    def whom() -> list[Option]:
        return [(seat_name(p),) for p in position.players] + [NONE]

    taken = yield from table.ask(player, whom)
    if taken != NONE:
        position.right(seat_of(taken[0]))  # CO-126

    def where() -> list[Option]:
        return [(t,) for t in position.territories if position.unrest[t]] + [NONE]

    if where() != [NONE]:
        taken = yield from table.ask(player, where)
        if taken != NONE:
            position.unrest[str(taken[0])] -= 1  # CO-127


# ---- Financier (CO-157, CO-158) --------------------------------------------------------------------


def financier(table: Table, player: int) -> Flow[None]:
    position = table.position
    (size,) = yield from table.ask(
        player, lambda: numbers(1, 2 * position.value(player, "economy"))
    )
    position.seats[player].loans.append(int(size))
    position.seats[player].treasury += int(size)


# ---- Governor (CO-163 to CO-168, CO-242 to CO-245, CO-262) -----------------------------------------


def payments(position: Position, player: int) -> list[Option]:
    """CO-164, CO-165."""
    seat = position.seats[player]
    most = min(position.value(player, "economy"), seat.treasury, HIGHEST_CITY)
    return numbers(position.city_value + 1, most)


def governor_options(position: Position, player: int) -> list[Option]:
    """CO-163."""
    if not payments(position, player):
        return []
    return [
        (t,)
        for t in position.territories
        if position.is_discovered(t) and position.markers(player, t) and t != position.city
    ]


def governor(table: Table, player: int) -> Flow[None]:
    position = table.position
    (where,) = yield from table.ask(player, lambda: governor_options(position, player))
    territory = str(where)
    (paid,) = yield from table.ask(player, lambda: payments(position, player))
    historical = position.is_objective(player, territory)  # CO-242
    value = int(paid)
    position.seats[player].treasury -= value
    if historical and value < HIGHEST_CITY:  # CO-243, CO-244
        value += (yield from table.ask(player, lambda: [YES, NO])) == YES
    position.city, position.city_value = territory, value  # CO-166
    owner = position.colonies.get(territory)
    if owner is not None and (historical or position.nation(player) is None):
        position.gain_prestige(owner, 1)  # CO-167, CO-245


# ---- Missionary (CO-184 to CO-186) -----------------------------------------------------------------


def missionary_options(position: Position, player: int) -> list[Option]:
    return [
        ("turn_unrest", t) if position.unrest[t] else ("put_mission", t)
        for t in position.territories
        if position.unrest[t] or position.is_discovered(t)
    ]


def missionary(table: Table, player: int) -> Flow[None]:
    position = table.position
    what, where = yield from table.ask(player, lambda: missionary_options(position, player))
    if what == "turn_unrest":
        position.unrest[str(where)] -= 1
    position.missions[str(where)] += 1


# ---- Rebel (CO-187 to CO-196) ----------------------------------------------------------------------


def rebel_options(position: Position, player: int) -> list[Option]:
    here = position.territories
    return [
        *(("rebellion", t) for t in here if position.unrest[t] and not position.missions[t]),
        *(("incite", t) for t in here if position.is_discovered(t)),
        *(("expel", t) for t in here if position.missions[t]),
    ]


def rebel(table: Table, player: int) -> Flow[None]:
    position = table.position
    what, where = yield from table.ask(player, lambda: rebel_options(position, player))
    territory = str(where)
    if what == "incite":
        position.unrest[territory] += 1
        return
    if what == "expel":
        position.missions[territory] -= 1
        return
    successes = table.roll(position.unrest[territory] * position.strength(territory))  # CO-191
    removal = Removal(position, territory)
    for _ in range(successes):
        there = position.markers_of_all(territory)
        if not there:
            break
        others = [p for p in there if p != player]
        yield from casualty(table, player, removal, others or [player])  # CO-193
    removal.end()


def casualty(table: Table, chooser: int, removal: Removal, victims: list[int]) -> Flow[None]:
    """One marker of some players, chosen exactly (CO-067)."""
    position = table.position
    _, space, height = yield from table.ask(
        chooser, lambda: markers_of(position, removal.territory, victims, "remove")
    )
    removal.take(str(space), int(height) - 1)


def markers_of(position: Position, territory: str, owners: list[int], word: str) -> list[Option]:
    """The markers of some players in a territory, by space and place in the stack."""
    return [
        (word, space, height)
        for space in position.spaces(territory)
        for height, owner in enumerate(position.stacks[space], 1)
        if owner in owners
    ]


# ---- Scientist (CO-197, CO-198, CO-252) ------------------------------------------------------------


def scientist_options(position: Position, player: int) -> list[Option]:
    seat, nation = position.seats[player], position.nation(player)
    found: list[Option] = []
    for track in TRACKS:
        values = position.tables.tracks[track]
        step = seat.steps[track] + 1
        if step == len(values) or values[step] > seat.treasury:
            continue
        if track == "logistics" and nation and values[step] > nation.max_logistics:
            continue
        found.append((track,))
    return found


def scientist(table: Table, player: int) -> Flow[None]:
    position = table.position
    (which,) = yield from table.ask(player, lambda: scientist_options(position, player))
    track = str(which)
    before = {space for space in position.stacks if position.may_control(player, space)}
    position.seats[player].steps[track] += 1
    position.seats[player].treasury -= position.value(player, track)  # CO-079
    position.waiting = {
        space
        for space, stack in position.stacks.items()
        if player in stack and space not in before and position.may_control(player, space)
    }
    while position.waiting:  # CO-077, as in CO-229
        space = min(position.waiting)
        if len(position.waiting) > 1:
            (which,) = yield from table.ask(
                player, lambda: [(s,) for s in position.stacks if s in position.waiting]
            )
            space = str(which)
        position.check_again(player, space)


# ---- Viceroy (CO-225 to CO-229) --------------------------------------------------------------------


def viceroy_options(position: Position, player: int) -> list[Option]:
    """CO-225."""
    return [
        (t,)
        for t in position.territories
        if position.is_discovered(t) and position.may_place(player, t)
    ]


def can_send_viceroy(position: Position, player: int) -> bool:
    return bool(position.seats[player].treasury and viceroy_options(position, player))


def viceroy(table: Table, player: int) -> Flow[None]:
    position = table.position
    (where,) = yield from table.ask(player, lambda: viceroy_options(position, player))
    placed: dict[str, int] = {}
    seat = position.seats[player]

    def spaces() -> list[Option]:
        here = position.spaces(str(where)) if seat.treasury else ()
        return [*((space,) for space in here), DONE]

    for _ in range(position.value(player, "logistics")):  # CO-226
        if not seat.treasury:
            break
        taken = yield from table.ask(player, spaces)
        if taken == DONE:
            break
        seat.treasury -= 1
        placed[str(taken[0])] = placed.get(str(taken[0]), 0) + 1  # CO-227
    while placed:  # CO-229
        space = next(iter(placed))
        if len(placed) > 1:
            (next_one,) = yield from table.ask(
                player,
                lambda: [(s,) for s in position.spaces(str(where)) if s in placed],
            )
            space = str(next_one)
        position.place(player, space, placed.pop(space))
