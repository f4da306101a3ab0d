"""The cards and lookups of the tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from csv import DictReader
from functools import cache
from pathlib import Path

import attrs

FOLDER = Path(__file__).parents[3] / "games" / "through_the_ages"

FIELDS = ("farm", "mine")
URBAN = ("lab", "temple", "library", "theater", "arena")
UNITS = ("infantry", "cavalry", "artillery", "air_force")

KINDS = {  # table, kind, deck (TA-011, TA-012)
    "farm_mine_technologies": ("technology", "civil"),
    "urban_technologies": ("technology", "civil"),
    "military_unit_technologies": ("technology", "civil"),
    "special_technologies": ("special", "civil"),
    "governments": ("government", "civil"),
    "leaders": ("leader", "civil"),
    "wonders": ("wonder", "civil"),
    "action_cards": ("action", "civil"),
    "events": ("event", "military"),
    "territories": ("territory", "military"),
    "tactics": ("tactic", "military"),
    "military_bonus_cards": ("bonus", "military"),
    "aggressions": ("aggression", "military"),
    "wars": ("war", "military"),
    "pacts": ("pact", "military"),
}


@attrs.frozen(eq=False)
class Card:
    """A row of a table of cards; a column that a table does not have counts as 0."""

    id: str
    name: str
    kind: str
    deck: str
    type: str
    level: int
    copies: Mapping[int, int]
    numbers: Mapping[str, int]
    words: Mapping[str, str]

    def __getitem__(self, column: str) -> int:
        return self.numbers.get(column, 0)

    @property
    def is_technology(self) -> bool:
        """Special technologies and governments are technologies too (TA-013)."""
        return self.kind in ("technology", "special", "government")

    @property
    def is_field(self) -> bool:
        """A farm or a mine."""
        return self.type in FIELDS

    @property
    def is_urban(self) -> bool:
        """A technology of urban buildings."""
        return self.type in URBAN

    @property
    def is_unit(self) -> bool:
        """A technology of military units."""
        return self.kind == "technology" and self.type in UNITS

    @property
    def stages(self) -> tuple[int, ...]:
        """The costs of the stages of a wonder, from left to right."""
        return tuple(int(cost) for cost in self.words["stage_costs"].split())


@attrs.frozen(eq=False)
class Tables:
    """All cards by name, in the order of the tables, and the lookups."""

    cards: Mapping[str, Card]
    food_cost: Mapping[int, int]
    consumption: Mapping[int, int]
    faces_required: Mapping[int, int]
    corruption: Mapping[int, int]
    row_cost: tuple[int, ...]
    cleared: Mapping[int, int]
    seeded_events: Mapping[int, int]
    rankings: Mapping[int, tuple[int, ...]]

    def __getitem__(self, name: str) -> Card:
        return self.cards[name]

    def of(self, kind: str) -> Iterator[Card]:
        """The cards of a kind."""
        return (card for card in self.cards.values() if card.kind == kind)

    def copies(self, deck: str, level: int, players: int) -> list[str]:
        """The cards of a deck for this many players (TA-029 to TA-034)."""
        return [
            card.id
            for card in self.cards.values()
            if card.deck == deck and card.level == level
            for _ in range(card.copies[players])
        ]


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(DictReader(file))


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _cards(folder: Path) -> Iterator[Card]:
    for table, (kind, deck) in KINDS.items():
        for row in rows(folder, table):
            found = {column: _number(text) for column, text in row.items()}
            yield Card(
                id=row["id"],
                name=row["name"],
                kind=kind,
                deck=deck,
                type=row.get("type", kind),
                level=int(row["level"]),
                copies={n: int(row[f"copies_{n}p"]) for n in (2, 3, 4)},
                numbers={c: n for c, n in found.items() if n is not None},
                words=row,
            )


def _lookup(folder: Path, table: str, column: str) -> dict[int, int]:
    """A lookup by tokens in a bank, empty cells as 0."""
    return {
        int(row["tokens_in_bank"].rstrip("+")): int(row[column] or 0) for row in rows(folder, table)
    }


@cache
def read_tables(folder: Path = FOLDER) -> Tables:
    """All tables of a folder."""
    yellow = "yellow_bank_lookup"
    row = rows(folder, "card_row")
    setup = {int(line["players"]): line for line in rows(folder, "setup_by_players")}
    places = ("first", "second", "third", "fourth")
    return Tables(
        cards={card.id: card for card in _cards(folder)},
        food_cost=_lookup(folder, yellow, "food_cost_to_increase_population"),
        consumption=_lookup(folder, yellow, "consumption"),
        faces_required=_lookup(folder, yellow, "happy_faces_required"),
        corruption=_lookup(folder, "blue_bank_lookup", "corruption"),
        row_cost=tuple(int(line["civil_action_cost"]) for line in row),
        cleared={n: int(line["row_spaces_cleared"]) for n, line in setup.items()},
        seeded_events={n: int(line["current_events_seeded"]) for n, line in setup.items()},
        rankings={
            int(line["players"]): tuple(int(line[place] or 0) for place in places)
            for line in rows(folder, "ranking_scores")
            if line["event_id"] == "impact_of_science"
        },
    )


def looked_up(table: Mapping[int, int], tokens: int) -> int:
    """The last line counts for more tokens than there are squares (TA-207)."""
    return table[min(tokens, max(table))]
