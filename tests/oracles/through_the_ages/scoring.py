"""Final scoring (chapters 31, 37 and 39)."""

from __future__ import annotations

from tests.oracles.through_the_ages.impacts import score_impact
from tests.oracles.through_the_ages.ratings import (
    food_production,
    happiness,
    lab_production,
    mine_production,
    science,
    strength,
)
from tests.oracles.through_the_ages.state import Player, Table


def first_game_items(g: Table, p: Player) -> dict[str, int]:
    """The list of the first game (TA-329 to TA-336)."""
    technologies = [g.card(name).level for name in (*p.workers, *p.specials)]
    return {
        "technologies": sum(technologies) + 2 * g.card(p.government).level,
        "science": science(g, p),
        "strength": strength(g, p),
        "happiness": happiness(g, p),
        "production": food_production(g, p) + mine_production(g, p),
        "colonies": 3 * len(p.colonies),
        "wonders": 6 * sum(g.card(name).level == 2 for name in p.wonders),
    }


def final_scoring(g: Table) -> None:
    """The scores after the last round, and the winners."""
    match g.mode:
        case "first_game":
            for p in g.left:
                p.culture += sum(first_game_items(g, p).values())
        case "shorter":  # TA-599
            for p in g.left:
                p.culture += 6 * sum(g.card(name).level == 2 for name in p.wonders)
            kept = [name for p in g.left for name in p.end_events]
            for name in (*g.common_events, *g.shuffle("kept events", kept)):
                score_impact(g, name, g.starter)
        case _:
            # From the top: the last prepared event is the highest (TA-405, TA-406, TA-410).
            for name in (*g.current_events, *reversed(g.future_events)):
                if g.card(name).level == 3:
                    score_impact(g, name, g.starter)
    for p in g.left:
        p.culture += lab_production(g, p)  # TA-409, TA-449
    most = max(p.culture for p in g.left)
    g.winners = [p.seat for p in g.left if p.culture == most]  # TA-338, TA-411
