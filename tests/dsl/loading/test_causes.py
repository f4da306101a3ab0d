"""Causes are reported without their consequences: a part that is not included, errors in tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.declaring import build_model
from rulewright.dsl.model.model import Model
from rulewright.editing.workspace.checking import Memory
from tests.editing.test_reuse import findings, problems

GAME = """\
game "Harbour"
    players 2
include "cards.game"
include "rules.game"
play
    each player
        do trade(2)
        do load
    end game
score of p
    item "coins" = p.coins
winner p by p.total then shared
"""
PARTS = {
    "cards.game": """\
kind Good = tea, silk
piece Card
    good: Good
    row junk, tea
    row sloop, silk
zone deck: pile of Card
player
    state coins: 0..99
setup
    move all from Card to deck
""",
    "rules.game": """\
rule trade(n: 0..9)
    add n to me.coins
rule load
    if deck.top is not nothing and deck.top.good is tea
        add 1 to me.coins
        move up to 1 from deck to gone
zone gone: pile of Card
""",
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    for name, text in {"harbour.game": GAME, **PARTS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "harbour.game"


def problem_lines(game: Path) -> list[str]:
    return [f"{one.code} {one.span.text}: {one.help}" for one in load(game).check()]


def without(game: Path, part: str) -> None:
    text = game.read_text(encoding="utf-8")
    game.write_text(text.replace(f'include "{part}"\n', ""), encoding="utf-8")


def test_all_parts_are_there(game: Path) -> None:
    assert problem_lines(game) == []


def test_a_part_of_another_game_is_not_meant(game: Path) -> None:
    without(game, "rules.game")
    other = 'game "Other"\n    players 2\ninclude "more.game"\n'
    (game.parent / "other.game").write_text(other, encoding="utf-8")
    (game.parent / "more.game").write_text('include "rules.game"\n', encoding="utf-8")
    assert [one.split(":")[0] for one in problem_lines(game)][:2] == [
        "unknown-action trade(2)",
        "unknown-action load",
    ]
    assert not any("include" in one for one in problem_lines(game))


def test_a_rule_left_out_is_named_as_the_cause(game: Path) -> None:
    without(game, "rules.game")
    assert problem_lines(game) == [
        'unknown-action trade(2): write `include "rules.game"` at the left margin: `trade` is declared there'
    ]


def test_a_declaration_left_out_is_named_as_the_cause(game: Path) -> None:
    without(game, "cards.game")
    assert problem_lines(game) == [
        'unknown-attribute coins: write `include "cards.game"` at the left margin: `coins` is declared there'
    ]


def test_the_suggested_line_fixes_the_mistake(game: Path) -> None:
    without(game, "cards.game")
    without(game, "rules.game")
    for _ in range(2):
        (fix,) = load(game).check()[0].fixes
        text = game.read_text(encoding="utf-8")
        game.write_text(text[: fix.span.start] + fix.text + text[fix.span.end :], encoding="utf-8")
    assert problem_lines(game) == []


def test_beside_a_part_that_is_missing_no_other_choice_is_looked_at(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = game.read_text(encoding="utf-8").replace("play\n", "option long = no, yes\nplay\n")
    text = text.replace("        do load\n", "        if long is yes\n            do load\n")
    game.write_text(text, encoding="utf-8")
    models = counted_models(monkeypatch)
    assert (problem_lines(game), len(models)) == ([], 2)
    without(game, "cards.game")
    models.clear()
    files, memory = Files(), Memory()
    assert len(problem_lines(game)) == 1 == len(models)
    models.clear()
    assert len(problems(files, game, findings(files, game, memory))) == 1 == len(models)


def counted_models(monkeypatch: pytest.MonkeyPatch) -> list[Model]:
    """The variants that are checked from now on."""
    found: list[Model] = []

    def counting_build(*given: Any) -> Model:
        found.append(build_model(*given))
        return found[-1]

    monkeypatch.setattr(loading, "build_model", counting_build)
    return found


def test_a_part_that_is_missed_after_an_edit(game: Path) -> None:
    files, memory = Files(), Memory()
    assert problems(files, game, findings(files, game, memory)) == set()
    whole = game.read_text(encoding="utf-8")
    for part in PARTS:
        for text in (whole.replace(f'include "{part}"\n', ""), whole):
            files.given[game] = text
            again = problems(files, game, findings(files, game, memory))
            assert again == {*map(repr, load(game, files=Files(dict(files.given))).check())}
            assert bool(again) == (text != whole)


def test_only_causes_are_shown(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(game, "rules.game")
    monkeypatch.chdir(game.parent)
    (problem,) = load(Path("harbour.game")).check()
    assert (
        render(problem)
        == """\
error[unknown-action]: there is no rule or action `trade`
 --> harbour.game:6:12
  |
6 |         do trade(2)
  |            ^^^^^^^^
  |
  = help: write `include "rules.game"` at the left margin: `trade` is declared there"""
    )


def test_another_form_of_a_part_is_not_meant(game: Path) -> None:
    (game.parent / "rules_old.game").write_text(f"{PARTS['rules.game']}rule haggle\n    skip\n")
    game.write_text(GAME.replace("do load", "do haggle"), encoding="utf-8")
    (line,) = problem_lines(game)
    assert line.startswith("unknown-action haggle: write `rule haggle`")


def test_another_game_beside_it_is_no_part(game: Path) -> None:
    (game.parent / "other.game").write_text('game "Other"\n    players 2\nrule haggle\n    skip\n')
    game.write_text(GAME.replace("do load", "do haggle"), encoding="utf-8")
    assert problem_lines(game)[0].startswith("unknown-action haggle: write `rule haggle`")


def test_while_it_is_edited(game: Path) -> None:
    """A check that continues from an earlier one reports the same as a fresh check."""
    files, memory = Files(), Memory()
    whole = game.read_text(encoding="utf-8")
    for text in (whole, whole.replace('include "rules.game"\n', ""), whole):
        files.given[game] = text
        looks = findings(files, game, memory)
        fresh = findings(Files({game: text}), game, None)
        assert problems(files, game, looks) == problems(Files({game: text}), game, fresh)


DECK = """\
game "Deck"
    players 2
piece Card
    number: 0..3
    row ace, {ace}
    row king, 2
zone deck: pile of Card
invariant "five in all" = sum(c in Card: c.number) is {all}
setup
    move all from Card to deck
play
    end game
score of p
    item "cards" = deck.size
winner p by p.total then shared
"""


@pytest.mark.parametrize(
    ("ace", "all", "codes"),
    [
        (3, 5, []),
        (2, 5, ["invariant-broken"]),
        (4, 5, ["table-bad-cell"]),
        (3, 6, ["invariant-broken"]),
    ],
)
def test_printed_texts_are_checked_after_the_tables(
    tmp_path: Path, ace: int, all: int, codes: list[str]
) -> None:
    path = tmp_path / "deck.game"
    path.write_text(DECK.format(ace=ace, all=all), encoding="utf-8")
    assert [problem.code for problem in load(path).check()] == codes


def test_the_names_of_rows_are_no_other_column(tmp_path: Path) -> None:
    (tmp_path / "cards.csv").write_text("id,number\nace,3\n", encoding="utf-8")
    path = tmp_path / "deck.game"
    rows = "piece Card\n    number: 0..3\n    row ace, {ace}\n    row king, 2\n"
    table = 'piece Card from "cards.csv"\n    number: 0..3\n    color: 0..2\n'
    path.write_text(DECK.replace(rows, table).format(all=3), encoding="utf-8")
    (problem,) = load(path).check()
    assert problem.code == "table-missing-column"
    assert problem.help == (
        "write a column `color` into the file, or `state color: 0..2` for values that change in play"
    )
