"""The background checks no more than `check`, and learns as much about the text as if all variants were compiled
whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.emit.core import Compiler
from rulewright.dsl.lowering.whole.program import lower_all
from rulewright.dsl.model.model import Model
from rulewright.dsl.scenarios import scenario_parser
from rulewright.dsl.scenarios.scenario_lines import Line, lines_of
from rulewright.editing.features.completion import complete
from rulewright.editing.workspace.checking import Found, look
from tests.dsl.loading.test_combinations import COINS
from tests.editing.opened import Opened


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "coins.game"
    path.write_text(COINS, encoding="utf-8")
    return path


def found_in(game: Path) -> list[Found]:
    return [found for found in look(game, (), Files(), lambda: True) if found is not None]


def test_parts_shared_by_variants_are_compiled_once(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[Model] = []
    usual = lower_all

    def counting_lower(model: Model, a: Analysis) -> Compiler:
        lowered.append(model)
        return usual(model, a)

    monkeypatch.setattr(loading, "lower_all", counting_lower)
    assert load(game).check() == ()
    of_check = len(lowered)
    lowered.clear()
    first, last = found_in(game)
    assert (first.first, last.rest) == ((), ())
    assert 0 < len(lowered) == of_check < len(load(game).checked_variants())


def test_syntax_errors_are_reported_first(game: Path) -> None:
    game.write_text(COINS.replace("add 1 to", "let more = 1\n    add 1 to"), encoding="utf-8")
    first, last = found_in(game)
    assert [one.code for one in first.first] == ["unused-name"]
    assert (last.first, last.rest) == (first.first, ())
    # Another variant has an error: then unused names are not reported, as in `check`.
    text = game.read_text(encoding="utf-8").replace("add 2 to me.coins", "add 2 to me.coinz")
    game.write_text(text, encoding="utf-8")
    first, last = found_in(game)
    assert [one.code for one in first.first] == ["unused-name"]
    assert last.first == ()
    assert [one.code for one in last.rest or ()] == ["unknown-attribute"]
    assert [*map(repr, last.rest or ())] == [*map(repr, load(game).check())]


def test_all_that_is_known_of_the_text(game: Path) -> None:
    whole = load(game)
    for players, options in whole.checked_variants():
        whole.problems_of(players, options)
    known = whole.known
    found = found_in(game)[-1].facts
    assert {(span.start, span.end, what.name) for span, what in found.referents.items()} == {
        (span.start, span.end, what.name) for span, what in known.referents.items()
    }
    assert {(span.start, span.end): type for span, type in found.types.items()} == {
        (span.start, span.end): type for span, type in known.types.items()
    }


CARDS = """game "Cards"
    players 2
piece Card from "cards.csv"
    worth: 1..3
zone deck: pile of Card
state best: Card
value rank of c: Card = c.worth
setup
    move all from Card to deck
play
    for each c in deck
        set best to c
    move ace to deck
    log "{best.rank}"
winner p by p.number
"""
TABLE = "name,worth\nace,1\nking,2\n"


def check_until_interrupted(opened: Opened, text: str) -> None:
    """Check a text until its first problems are reported; then nobody waits for the rest."""
    opened.write("cards.game", text)
    project, wanted = opened.project("cards.game"), True
    first = next(
        look(project.path, [], opened.open_games.files.copy(), lambda: wanted, project.memory)
    )
    assert first is not None
    project.settle(first)
    wanted = False


def test_scenarios_are_parsed_only_after_they_are_edited(
    cards: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = 'scenario "the best card"\n    expect best is ace\n'
    cards.write("cards.scenario", scenario)
    cards.settle("cards.scenario")
    parsed: list[str] = []

    def counting_lines(source: Source, *rest: Any) -> Iterator[Line]:
        parsed.append(source.name)
        return lines_of(source, *rest)

    monkeypatch.setattr(scenario_parser, "lines_of", counting_lines)
    cards.write("cards.game", f"{CARDS}# Best is the last.\n")
    cards.settle("cards.game")
    assert parsed == []
    cards.write("cards.scenario", f"{scenario}    expect over\n")
    cards.settle("cards.game")
    assert len(parsed) == 2  # the file and the one scenario in it


@pytest.fixture
def cards(tmp_path: Path) -> Opened:
    opened = Opened(tmp_path)
    opened.write("cards.game", CARDS)
    opened.write("cards.csv", TABLE)
    opened.settle("cards.game")
    return opened


def test_an_interrupted_check_does_not_disturb_the_next(cards: Opened) -> None:
    check_until_interrupted(cards, CARDS.replace('log "', 'log "best: '))
    cards.write("cards.csv", TABLE.replace("ace", "one"))
    cards.settle("cards.game")
    assert cards.problems("cards.game") == cards.check_saved("cards.game")
    assert len(cards.problems("cards.game")) == 1


def test_answers_ask_what_nobody_looks_at_any_more(cards: Opened) -> None:
    check_until_interrupted(cards, CARDS.replace("{best.rank}", "{best.}"))
    found = complete(*cards.at("cards.game", 'log "{best.|}"'))
    assert found is not None
    assert [offer.text for offer in found.offers[:2]] == ["worth", "rank"]
