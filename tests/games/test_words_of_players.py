"""Texts for players of the large games use words of the rules, and no words that occur only in the rules file.

It does not test sentences: a word counts as a word of the game if its rulebook, its tables or its texts have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from rulewright.cli.terminal.screen import position
from rulewright.interpreter.matches.game import Variant
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import play_on
from tests.games.variants import LARGE, LONG, game_named, some_variants

WORD = re.compile(r"[A-Za-z_]{2,}")  # letters alone name the columns of a grid
TEXT = re.compile(r'"([^"]*)"')
BRACES = re.compile(r"\{[^}]*\}")
EVERY = 20
"""The number of decisions between two checks of the position."""


@cache
def words_of(game: str) -> frozenset[str]:
    """The words of the clauses, the tables and the texts in the rules of a game."""
    found = {"score", "you"}
    for path in shipped_games()[game].parent.iterdir():
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".game":
            text = " ".join(BRACES.sub(" ", t).replace("(", "") for t in TEXT.findall(text))
        elif path.suffix not in (".md", ".csv"):
            continue
        found |= {word.lower() for word in WORD.findall(text.replace("_", " "))}
    return frozenset(found)


def shown_texts(state: State, *, drawn: bool) -> Iterator[str]:
    """The log lines before a state, its question and options, and the position."""
    for line in state.log:
        yield line.text
    if state.over:
        return
    decision = state.decision
    yield decision.prompt
    for option in decision.options:
        yield option.text
    if drawn:
        yield position(state, state.player)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(g, marks=pytest.mark.deep if g in LONG else pytest.mark.slow)
        for g in sorted(LARGE)
    ],
)
def test_players_read_words_of_the_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    check_words(game, next(some_variants(game_named(game))))


@pytest.mark.deep
@pytest.mark.parametrize("game", sorted(LARGE))
def test_players_read_words_of_the_game_in_other_variants(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    for variant in islice(some_variants(game_named(game)), 1, None):
        check_words(game, variant)


def check_words(game: str, variant: Variant) -> None:
    rules = game_named(game)
    match = Match.begin(rules, variant, 1)
    play_on(match, ["random"] * rules.compiled(variant).program.seats)
    known = words_of(game)
    unknown = {
        word: text
        for number, state in enumerate(match.states)
        if not state.at_chance
        for text in shown_texts(state, drawn=number % EVERY == 0)
        for word in WORD.findall(text)
        if "_" in word or word.lower() not in known
    }
    assert unknown == {}


@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=[pytest.mark.deep] if g in LONG else []) for g in sorted(LARGE)],
)
def test_no_flag_of_the_rules_is_listed(game: str) -> None:
    rules = game_named(game)
    program = rules.program(next(some_variants(rules)))
    spoken = {name for board in program.boards for name in board.spoken}
    flags = {
        kept.name
        for kept in program.kept
        if kept.listed and program.domains[kept.domain].names == ("no", "yes")
    }
    assert flags - spoken == set()
