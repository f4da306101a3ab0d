"""The effects of completing a wonder (TA-137, TA-344, TA-469 to TA-472)."""

from __future__ import annotations

from tests.oracles.through_the_ages.cards import UNITS, URBAN
from tests.oracles.through_the_ages.ratings import (
    building_culture,
    buildings,
    lab_bonus,
    settle_totals,
    with_workers,
)
from tests.oracles.through_the_ages.state import Player, Table


def technology_levels(g: Table, p: Player) -> list[int]:
    """The levels of all technologies in play (TA-013, TA-014)."""
    return [g.card(name).level for name in (*p.workers, *p.specials, p.government)]


def completion_score(g: Table, p: Player, name: str) -> int:
    """The culture that an Age III wonder scores at once."""
    match name:
        case "fast_food_chains":  # TA-469
            return buildings(g, p, *URBAN, *UNITS) + 2 * buildings(g, p, "farm", "mine")
        case "first_space_flight":  # TA-470
            return sum(technology_levels(g, p))
        case "hollywood":  # TA-471
            return 2 * building_culture(g, p, "theater", "library")
        case "internet":  # TA-472
            urban = [(card, number) for card, number in with_workers(g, p) if card.is_urban]
            found = sum((card["science"] + card["strength"]) * number for card, number in urban)
            if p.leader == "sid_meier":
                found -= buildings(g, p, "lab")
            return found + lab_bonus(g, p) + building_culture(g, p, *URBAN)
        case _:
            return 0


def complete(g: Table, p: Player) -> None:
    """Tokens return, the card is upright, its effects start (TA-137)."""
    assert p.unfinished is not None
    name = p.unfinished
    p.blue_bank += p.stages
    p.unfinished, p.stages = None, 0
    p.wonders.append(name)
    p.blue_bank += g.card(name)["blue_tokens"]
    settle_totals(g, p)
    p.culture += completion_score(g, p, name)
