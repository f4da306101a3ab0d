"""Through the Ages: scenarios test each symbol, each sentence and each number that is printed on a card.

A symbol in a table is a coverage point for each card (`p.strength more card.strength (colossus)`). So is the
effect, power or trigger that implements a sentence. Anything else, such as a cost, is read in the same way for all
cards: a
scenario names these cards.

It does not test whether the numbers are the printed ones: the tables give their sources.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set

import attrs
import pytest

from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.coverage import Key, Point, points_of
from tests.games.test_reached import reached_by_scenarios, scenarios_of
from tests.games.variants import game_named

FOLDER = shipped_games()["through_the_ages"].parent
TABLES = {
    "action_cards": 33,
    "aggressions": 11,
    "events": 55,
    "farm_mine_technologies": 8,
    "governments": 8,
    "leaders": 24,
    "military_bonus_cards": 3,
    "military_unit_technologies": 10,
    "pacts": 10,
    "special_technologies": 12,
    "tactics": 15,
    "territories": 12,
    "urban_technologies": 16,
    "wars": 3,
    "wonders": 16,
}
"""The tables of cards, and how many cards each has."""
AT_THE_BEGINNING = 6
"""The initial cards of each player; the box has 230 others."""
OF_CARD = re.compile(r" \((\w+)\)$")
SYMBOL = re.compile(r"(?:card|colony|pact)\.(\w+)")
DISCOUNTS = tuple(f"urban_discount_{age}" for age in ("a", "i", "ii", "iii"))
SENTENCES = ("action", "effect", "power", "trigger")


@attrs.frozen
class Card:
    """A row of one of the tables."""

    table: str
    name: str
    row: Mapping[str, str]

    def shows(self, change: str) -> bool:
        """Whether the symbol for this change is printed on this card."""
        if "tactical_strength" in change:
            return True
        symbol = found[1] if (found := SYMBOL.search(change)) else ""
        if "happy_faces" in change:
            symbol = "happy"
        of_sides = symbol.removesuffix("_for")
        sides = (f"{of_sides}_a", f"{of_sides}_b")
        columns = (
            symbol,
            f"permanent_{symbol}",
            *sides,
            *DISCOUNTS[: 4 * (symbol == "discount_on")],
        )
        numbers = [int(self.row[column]) for column in columns if column in self.row]
        if symbol != of_sides:
            numbers = [min(n, 0) if "less" in change else max(n, 0) for n in numbers]
        return any(n != (symbol == "wonder_stages_per_action") for n in numbers)


def cards() -> Iterator[Card]:
    for table in TABLES:
        with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            yield from (Card(table, row["id"], row) for row in csv.DictReader(file))


def unreached_lines(points: Iterable[Point], reached: Set[Key]) -> set[str]:
    """A line for each symbol and each sentence that changes nothing in any scenario."""
    every = {card.name: card for card in cards()}
    symbols: dict[str, bool] = {}
    for point in points:
        if point.word in SENTENCES:
            card = found[1] if (found := OF_CARD.search(point.name)) else ""
            if card not in every or every[card].shows(OF_CARD.sub("", point.name)):
                symbols[point.name] = symbols.get(point.name, False) or point.key in reached
    return {name for name, is_reached in symbols.items() if not is_reached}


def unnamed_cards(texts: Iterable[str]) -> set[str]:
    """Cards that no scenario names."""
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return {card.name for card in cards()} - words


def test_all_cards_are_there() -> None:
    counted = Counter(card.table for card in cards())
    assert counted == TABLES
    assert counted.total() == 230 + AT_THE_BEGINNING


def test_a_scenario_names_each_card() -> None:
    texts = {
        path.name: path.read_text(encoding="utf-8") for path in scenarios_of("through_the_ages")
    }
    assert unnamed_cards(texts.values()) == set()
    del texts["of_technologies.scenario"]
    assert {"multimedia", "communism", "military_theory"} <= unnamed_cards(texts.values())


@pytest.mark.deep
def test_each_symbol_and_each_sentence_does_something() -> None:
    game = game_named("through_the_ages")
    program = game.program(game.variant(3, {"mode": "full", "resigning": "yes"}))
    points = points_of([program]).values()
    files = scenarios_of("through_the_ages")
    reached = reached_by_scenarios(files)
    assert unreached_lines(points, reached) == set()
    some = reached_by_scenarios([file for file in files if file.name == "of_leaders.scenario"])
    missed = unreached_lines(points, some)
    assert "card: p.culture_rating more card.culture (hollywood)" not in missed
    assert "card: p.strength more card.strength (colossus)" in missed
    assert "effect rats" not in missed
    assert "rats" in missed
