"""`leaks` finds the secrets that small programs show, and none in those that show none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of
from rulewright.interpreter.testing.leak_search import Findings, search
from tests.interpreter.testing.secret_programs import DISCLOSING, SAFE

NOT_FOUND = {"trigger_total"}
"""Nobody can reach the nine points that would reveal it: four for each decision, and a secret of at most four."""
SOME = (
    "add_owner_of_card",
    "board_note",
    "cap2_possible",
    "eliminate_let",
    "others_mark_zone",
    "piece_state_option",
    "show_then_change",
    "sort_open_holder",
)
SOME_SAFE = ("guess_openly", "peek_deck", "reveal_bids_openly", "trick")


def leaks(folder: Path, text: str, games: int) -> Findings:
    path = folder / "secrets.game"
    path.write_text(text, encoding="utf-8")
    game = game_of("secrets.game", load(path, is_unproved=True))
    also = [game.variant(3)] if game.facts.high == 3 else []
    return search(game, game.variant(), range(games), 20, most=10_000, also=also)


def test_the_page_has_all_programs() -> None:
    assert (len(DISCLOSING), len(SAFE)) == (95, 29)


@pytest.mark.parametrize("name", SOME)
def test_a_secret_is_found_at_its_line(name: str, tmp_path: Path) -> None:
    found = leaks(tmp_path, DISCLOSING[name], 12).found
    assert found
    assert all(pair.leak.span is not None for pair, _ in found.values())


@pytest.mark.parametrize("name", SOME_SAFE)
def test_nothing_is_found_where_nothing_is_disclosed(name: str, tmp_path: Path) -> None:
    findings = leaks(tmp_path, SAFE[name], 6)
    assert not findings.found
    assert findings.pairs > 20


def test_a_known_card_that_chance_takes_is_no_leak(tmp_path: Path) -> None:
    """Later in this match a player forgets the place of the stolen card; then it may have been another card."""
    path = tmp_path / "steal.game"
    path.write_text(SAFE["steal_blind"], encoding="utf-8")
    game = game_of("steal.game", load(path))
    findings = search(game, game.variant(3), [95], 20)
    assert not findings.found
    assert findings.pairs == 20


@pytest.mark.deep
@pytest.mark.parametrize("name", sorted(DISCLOSING.keys() - NOT_FOUND))
def test_each_secret_is_found(name: str, tmp_path: Path) -> None:
    found = leaks(tmp_path, DISCLOSING[name], 100).found
    assert found
    assert all(pair.leak.span is not None for pair, _ in found.values())


@pytest.mark.deep
@pytest.mark.parametrize("name", SAFE)
def test_no_leak_is_found_where_nothing_is_logged(name: str, tmp_path: Path) -> None:
    assert not leaks(tmp_path, SAFE[name], 100).found
