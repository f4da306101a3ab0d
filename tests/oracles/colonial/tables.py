"""The figures of Colonial from the tables beside the game."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import attrs

SHIPPED = Path(__file__).parents[3] / "games" / "colonial"
TRACKS = ("economy", "seafaring", "navy", "logistics")
SUPPLY_OF_COLONIES = 7  # CO-006
RIGHT_END = 7  # CO-106
GOAL = 10  # CO-014
LAPSE = 6  # CO-247
ABOLITION = 10  # CO-084
MOST_DICE_OF_EXPLORERS = 10  # CO-119, CO-144
MOST_DICE_IN_BATTLE = 5  # CO-203
CIRCUMNAVIGATION = 6  # CO-119
BEFORE_AMERICA = 2  # CO-111
HIGHEST_CITY = 10  # CO-166


@attrs.frozen
class Territory:
    """A territory as it is printed; one without difficulty is discovered from the start."""

    name: str
    continent: str
    is_american: bool
    counts_for_circumnavigation: bool
    prestige: int
    diplomacy_bonus: bool
    difficulty: int | None
    strength: int
    spaces: tuple[str, ...]
    neighbours: frozenset[str]


@attrs.frozen
class Space:
    """A resource space."""

    name: str
    territory: str
    kind: str


@attrs.frozen
class Kind:
    """A type of resource: only the colour of the border matters (CO-013)."""

    name: str
    each_space_is_monopoly: bool
    economy_needed: int


@attrs.frozen
class Nation:
    """A nation card."""

    name: str
    extra_card: str
    twice: frozenset[str]
    max_logistics: int
    abilities: frozenset[str]
    lapsing: frozenset[str]
    objectives: frozenset[str]


@attrs.frozen
class Tables:
    """All that is printed."""

    territories: dict[str, Territory]
    spaces: dict[str, Space]
    kinds: dict[str, Kind]
    nations: dict[str, Nation]
    cards: dict[str, tuple[str, str]]
    tracks: dict[str, tuple[int, ...]]
    setup: dict[int, dict[str, int]]
    america_prestige: int


@cache
def tables(folder: Path = SHIPPED) -> Tables:
    """The tables of a folder."""

    def rows(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    spaces = {
        row["space_id"]: Space(row["space_id"], row["territory_id"], row["type_id"])
        for row in rows("resources")
    }
    stats = {(row["territory_id"], row["stat"]): row["value"] for row in rows("territory_stats")}
    links = {(row["territory_a"], row["territory_b"]) for row in rows("adjacency")}
    links |= {(b, a) for a, b in links}  # CO-008
    territories = {}
    for row in rows("territories"):
        name = row["territory_id"]
        difficulty = stats[name, "difficulty"]
        territories[name] = Territory(
            name,
            row["continent"],
            row["is_american"] == "yes",
            row["counts_for_circumnavigation"] == "yes",
            int(row["prestige_at_setup"]),
            row["diplomacy_bonus_on_discovery"] == "1",
            int(difficulty) if difficulty else None,
            int(stats[name, "native_strength"]),
            tuple(space.name for space in spaces.values() if space.territory == name),
            frozenset(b for a, b in links if a == name),
        )
    abilities = rows("nation_abilities")
    objectives = rows("nation_objectives")
    nations = {
        row["nation_id"]: Nation(
            row["nation_id"],
            row["extra_card"],
            frozenset(row["characters_usable_twice"].split(";")),
            int(row["max_logistics"]),
            frozenset(a["ability_id"] for a in abilities if a["nation_id"] == row["nation_id"]),
            frozenset(
                a["ability_id"]
                for a in abilities
                if a["nation_id"] == row["nation_id"] and a["lapses_at_6_prestige"] == "yes"
            ),
            frozenset(o["territory_id"] for o in objectives if o["nation_id"] == row["nation_id"]),
        )
        for row in rows("nations")
    }
    steps = rows("progress_tracks")
    special = {row["space_id"]: int(row["prestige_at_setup"]) for row in rows("special_spaces")}
    numbers = (
        "treasury",
        "merchant_fleets",
        "squadrons",
        "diplomacy_position",
        "first_player_discards",
        *(f"{track}_step" for track in TRACKS),
    )
    return Tables(
        territories,
        spaces,
        {
            row["type_id"]: Kind(
                row["type_id"],
                row["each_space_is_monopoly"] == "yes",
                int(row["economy_needed_to_control"]),
            )
            for row in rows("resource_types")
        },
        nations,
        {
            row["card_id"]: (row["character_1"], row["character_2"])
            for row in rows("character_cards")
        },
        {
            track: tuple(int(row["value"]) for row in steps if row["track_id"] == track)
            for track in TRACKS
        },
        {int(row["players"]): {name: int(row[name]) for name in numbers} for row in rows("setup")},
        special["discovery_of_america"],
    )
