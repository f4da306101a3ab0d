"""Armies formed by units with a tactic."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from tests.oracles.through_the_ages.cards import Card, Tables


@attrs.frozen
class Forces:
    """The numbers of units of each type of an army, fresh ones and all, and of air forces."""

    fresh: Mapping[str, int]
    every: Mapping[str, int]
    air: int
    infantry_rides: bool  # Genghis Khan (TA-426)


def forces(tables: Tables, tactic: Card, units: Mapping[str, int], infantry_rides: bool) -> Forces:
    """Units two levels or more below the tactic are not fresh (TA-271, TA-272)."""
    fresh = {"infantry": 0, "cavalry": 0, "artillery": 0}
    every = dict(fresh)
    air = 0
    for name, number in units.items():
        card = tables[name]
        if card.type == "air_force":
            air += number
            continue
        every[card.type] += number
        if card.level > tactic.level - 2:
            fresh[card.type] += number
    return Forces(fresh, every, air, infantry_rides)


def _riders(needed: Mapping[str, int], units: Mapping[str, int], number: int) -> int:
    """The number of infantry units that must replace cavalry in this many armies."""
    return max(0, number * needed["cavalry"] - units["cavalry"])


def _fits(found: Forces, needed: Mapping[str, int], normal: int, outdated: int) -> bool:
    """Whether this many armies of both kinds can be formed at the same time (TA-267, TA-270)."""
    some = _riders(needed, found.fresh, normal)
    more = max(some, _riders(needed, found.every, normal + outdated))
    if more and not found.infantry_rides:
        return False
    return all(
        number * needed[kind] + riders * (kind == "infantry") - riders * (kind == "cavalry")
        <= units[kind]
        for number, riders, units in (
            (normal, some, found.fresh),
            (normal + outdated, more, found.every),
        )
        for kind in needed
    )


def tactical_strength(
    tables: Tables, tactic: Card | None, units: Mapping[str, int], infantry_rides: bool = False
) -> int:
    """The best sum of armies (TA-267 to TA-273), each air force doubling one (TA-346, TA-347)."""
    if tactic is None:
        return 0
    needed = {kind: tactic[kind] for kind in ("infantry", "cavalry", "artillery")}
    found = forces(tables, tactic, units, infantry_rides)
    most = sum(found.every.values()) // sum(needed.values())
    best = 0
    for normal in range(most + 1):
        for outdated in range(most - normal + 1):
            if _fits(found, needed, normal, outdated):
                values = [tactic["strength"]] * normal + [tactic["strength_outdated"]] * outdated
                best = max(best, sum(values) + sum(values[: found.air]))
    return best
