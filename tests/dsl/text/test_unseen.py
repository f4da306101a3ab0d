"""Invisible characters are refused in every text of a game."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.invisible_characters import UNSEEN, with_visible_symbols
from rulewright.dsl.text.lexer import lex

HARMFUL = ["\x1b", "\x07", "\x9b", "\x7f", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028"]
GAME = """game "Little{title}"
    players 2
    rulebook "little.md"

piece Card from "cards.csv"
    food: 0..9

zone box: set of Card

setup
    move all from Card to box

play
    each player
        choose one of
            option "go{option}"
                log "on {{me}}{log}" # a remark{remark}

score of p
    item "points" = 1

winner p by p.total then shared

winner p by p.total then shared
"""
SAFE = dict.fromkeys(("title", "option", "log", "remark"), "")


def codes(folder: Path) -> set[str]:
    found = load(folder / "little.game").check()
    shown = "".join(map(render, found))
    assert not UNSEEN.search(shown)
    return {one.code for one in found} - {"unused-name", "uncited-clause"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "little.game").write_text(GAME.format(**SAFE), encoding="utf-8")
    (tmp_path / "cards.csv").write_text("id,food,text\nace,1,one\n", encoding="utf-8")
    (tmp_path / "little.md").write_text("- **AB-001** go on\n", encoding="utf-8")
    assert codes(tmp_path) == set()
    return tmp_path


@pytest.mark.parametrize("character", HARMFUL)
@pytest.mark.parametrize("place", SAFE)
def test_characters_without_a_shape_are_refused_in_games(
    folder: Path, character: str, place: str
) -> None:
    text = GAME.format(**{**SAFE, place: character})
    (folder / "little.game").write_text(text, encoding="utf-8")
    assert "bad-character" in codes(folder)


@pytest.mark.parametrize("character", HARMFUL)
def test_in_a_table_a_rulebook_and_a_scenario(folder: Path, character: str) -> None:
    (folder / "cards.csv").write_text(f"id,food,text\nace,1,on{character}e\n", encoding="utf-8")
    assert codes(folder) == {"bad-character"}
    (folder / "cards.csv").write_text("id,food,text\nace,1,one\n", encoding="utf-8")
    (folder / "little.md").write_text(f"- **AB-001** go on{character}\n", encoding="utf-8")
    assert codes(folder) == {"bad-character"}
    path = folder / "little.scenario"
    path.write_text(f'scenario "a{character}"\n    player ann, bob\n', encoding="utf-8")
    assert "bad-character" in {one.code for one in load_scenarios(path).problems}


@given(st.text())
def test_a_shown_text_has_none(text: str) -> None:
    assert not UNSEEN.search(with_visible_symbols(text))
    problems = Problems()
    lex(Source("a.game", text), problems)
    assert bool(UNSEEN.search(text)) <= problems.has_errors


def test_common_signs_are_no_harm(folder: Path) -> None:
    for sign in ("é", "銀", "😀", "👩‍🌾", "→", "\t"):
        assert not UNSEEN.search(sign)
