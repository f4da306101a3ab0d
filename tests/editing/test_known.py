"""The referents of names are known again after an edit is undone, even if lines were unreadable in between."""

from __future__ import annotations

import random
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.source import Span
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.edits import edit_text, edited_kinds, edited_lists, edited_rows, edited_table
from tests.editing.opened import Opened

GAME, TABLE = "night_market.game", "night_market.csv"
TEXTS = {
    name: (files("rulewright.games") / name).read_text(encoding="utf-8") for name in (GAME, TABLE)
}
Names = dict[tuple[str, int], tuple[str, str, object]]


def names(opened: Opened) -> Names:
    """The referent of each name and its place, by the file and place of the name.

    If a local name stands for another name, every check records the referent that was met first."""

    def place(span: Span) -> tuple[str, int]:
        return Path(span.source.name).name, span.start

    return {
        place(span): (one.kind, one.name, one.declared and place(one.declared))
        for span, one in opened.project(GAME).facts.referents.items()
        if one.kind != "local" or one.name == span.text
    }


def open_game(folder: Path, texts: Mapping[str, str]) -> Opened:
    folder.mkdir(exist_ok=True)
    opened = Opened(copy_shipped(folder, *NIGHT_MARKET))
    for name, text in texts.items():
        opened.write(name, text)
    opened.settle(GAME)
    return opened


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (GAME, None, ""),
        (GAME, None, "game"),
        (GAME, "kind Good", "kind (Good"),
        (GAME, "kind Good", "kin Good"),
        (GAME, "piece Stall", "piece Stall ="),
        (GAME, "rule fill_the_street", "rule 3"),
        (GAME, "zone street", "zone street street"),
        (GAME, "player\n", "players\n"),
        (GAME, "\n", " "),
        (TABLE, None, ""),
        (TABLE, "good", "god"),
    ],
)
def test_an_edit_that_is_taken_back(tmp_path: Path, file: str, old: str | None, new: str) -> None:
    opened = open_game(tmp_path, TEXTS)
    before = names(opened)
    opened.write(file, new if old is None else TEXTS[file].replace(old, new))
    opened.settle(GAME)
    opened.write(file, TEXTS[file])
    opened.settle(GAME)
    assert before.items() <= names(opened).items()


def many_edits(folder: Path, number: int, chance: random.Random) -> None:
    texts = {**TEXTS}
    opened = open_game(folder, texts)
    hands = {GAME: (edit_text, edited_lists, edited_kinds), TABLE: (edited_rows, edited_table)}
    for step in range(number):
        file = chance.choice((GAME, GAME, TABLE))
        text = chance.choice(hands[file])(texts[file], chance)
        opened.write(file, text)
        if chance.random() < 0.8:
            opened.settle(GAME)
        if chance.random() < 0.7:
            opened.write(file, texts[file])
        else:
            texts[file] = text
        opened.settle(GAME)
        if opened.check_saved(GAME):
            texts[file] = TEXTS[file]
            opened.write(file, texts[file])  # of a wrong part no facts are recorded
        else:
            assert names(open_game(folder / f"{step}", texts)).items() <= names(opened).items(), (
                step
            )


@pytest.mark.parametrize("seed", range(2))
def test_an_edited_file_is_checked_as_a_fresh_one(tmp_path: Path, seed: int) -> None:
    many_edits(tmp_path, 10, random.Random(seed))


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 32))
def test_many_edits_are_checked_as_fresh_files(tmp_path: Path, seed: int) -> None:
    many_edits(tmp_path, 40, random.Random(seed))
