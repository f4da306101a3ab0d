"""The scores of Age III events, in play and at the end (chapter 38.10)."""

from __future__ import annotations

from tests.oracles.through_the_ages.cards import UNITS, URBAN, looked_up
from tests.oracles.through_the_ages.ratings import (
    culture,
    discontent,
    food_production,
    happiness,
    lab_production,
    mine_production,
    pact_production,
    rank_players,
    science,
    with_workers,
)
from tests.oracles.through_the_ages.state import Player, Table
from tests.oracles.through_the_ages.wonders import technology_levels

WONDERS = (5, 4, 3, 2)


def levels(g: Table, p: Player, *types: str) -> int:
    """The levels of all buildings or units of these types."""
    return sum(card.level * number for card, number in with_workers(g, p) if card.type in types)


def workers(p: Player) -> int:
    """All workers, unused ones too."""
    return p.pool + sum(p.workers.values())


def _food(g: Table, p: Player) -> int:
    return max(0, food_production(g, p) + pact_production(g, p, "food"))


def _resources(g: Table, p: Player) -> int:
    found = mine_production(g, p) + lab_production(g, p)
    return max(0, found + pact_production(g, p, "resources"))


def impact(g: Table, p: Player, name: str) -> int:
    """The culture of one civilization, without events that compare civilizations."""
    match name:
        case "impact_of_agriculture":  # TA-537, TA-538
            food = _food(g, p)
            return food + 4 * (food > looked_up(g.tables.consumption, p.yellow_bank))
        case "impact_of_architecture":
            return levels(g, p, *URBAN)
        case "impact_of_balance":  # TA-540
            return 2 * min(science(g, p), culture(g, p), _food(g, p), _resources(g, p))
        case "impact_of_colonies":
            return 3 * len(p.colonies)
        case "impact_of_competition":
            return levels(g, p, *UNITS, "arena")
        case "impact_of_government":
            return 2 * p.ca_total + p.ma_total
        case "impact_of_happiness":
            return 2 * happiness(g, p) - 2 * discontent(g, p)
        case "impact_of_industry":  # TA-545
            return mine_production(g, p)
        case "impact_of_population":
            return 2 * max(0, workers(p) - discontent(g, p) - 10)
        case "impact_of_progress":
            return 2 * sum(g.card(one).level for one in (p.government, *p.specials))
        case "impact_of_technology":  # TA-550
            level = 2 if g.mode == "shorter" else 3
            return 4 * technology_levels(g, p).count(level)
        case "impact_of_variety":  # TA-551, TA-552
            types = {card.type for card, _ in with_workers(g, p) if card.is_unit or card.is_urban}
            return 2 * (len(types) + len(p.specials))
        case "impact_of_wonders":
            return sum(WONDERS[g.card(one).level] for one in p.wonders)
        case _:
            raise AssertionError(name)


RANKINGS = {"impact_of_science": "science", "impact_of_strength": "strength"}


def score_impact(g: Table, name: str, first: int | None = None) -> None:
    """Everybody scores an event; ties as if `first` were the current player (TA-407)."""
    if name in RANKINGS:  # TA-548, TA-549
        places = g.tables.rankings[len(g.left)]
        for player, score in zip(rank_players(g, RANKINGS[name], first), places, strict=False):
            player.culture += score
        return
    for player in g.left:
        player.culture = max(0, player.culture + impact(g, player, name))  # TA-554
