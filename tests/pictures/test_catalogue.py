"""The page of `rulewright look` and the file of `rulewright print`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.cli.app import app
from rulewright.cli.look_server import Looking
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.views.scene_faces import faces_of
from rulewright.pictures.beside import beside
from rulewright.pictures.catalogue import look_page, print_page
from rulewright.pictures.rights import rights, unofficial
from tests.pictures.pages import Page


def test_look_shows_every_card_with_its_copies() -> None:
    game = load_game("love_letter")
    page = Page(look_page(game, "love_letter", beside(game, "love_letter")))
    for face, copies in faces_of(game.compiled(game.variant(None))).every_piece():
        assert page.having(data_piece=face.kind, data_row=face.row)
        if copies > 1:
            assert any(f"{copies} copies" in each.text for each in page.elements)


def test_print_has_every_card_as_often_as_the_box() -> None:
    game = load_game("love_letter")
    page = Page(print_page(game, "love_letter", beside(game, "love_letter"), "a4"))
    cut = [each for each in page.elements if "rw-cut" in (each.get("class") or "").split()]
    assert len(cut) == 16
    assert len(page.having(data_row="guard")) == 5
    assert not [each for each in page.elements if each.name in ("script", "button", "form")]


@pytest.mark.parametrize(("paper", "size"), [("a4", "size: A4"), ("letter", "size: letter")])
def test_print_is_for_both_papers(paper: str, size: str, tmp_path: Path) -> None:
    file = tmp_path / "it.html"
    done = CliRunner().invoke(app, ["print", "reversi", "-o", str(file), "--paper", paper])
    assert (done.exit_code, done.output) == (0, f"wrote {file}\n")
    assert size in file.read_text("utf-8")


def test_look_writes_a_page_and_says_what_is_wrong_beside_the_game(tmp_path: Path) -> None:
    (tmp_path / "t.game").write_text(shipped_games()["tic_tac_toe"].read_text("utf-8"))
    (tmp_path / "t.css").write_text("[data-space=Cel] { color: red }")
    file = tmp_path / "it.html"
    done = CliRunner().invoke(app, ["look", str(tmp_path / "t.game"), "-o", str(file)])
    assert done.exit_code == 0
    assert "t.css:1: the game has no `data-space` `Cel`; did you mean `Cell`?" in done.output
    assert "did you mean" in Page(file.read_text("utf-8")).having(role="alert")[0].text


def test_the_page_is_another_after_a_save(tmp_path: Path) -> None:
    path = tmp_path / "t.game"
    path.write_text(shipped_games()["tic_tac_toe"].read_text("utf-8"))
    looking = Looking(str(path), lambda: load_game(path))
    assert "rw-game" in looking.current_page()
    assert looking.stamp() in looking.current_page(), "a save after the page was made is noticed"
    before = looking.stamp()
    (tmp_path / "t.css").write_text("p { color: red }")
    assert looking.stamp() != before
    path.write_text("game nonsense")
    assert "Rules with errors" in looking.current_page()


def test_a_page_about_broken_rules_is_another_when_they_are_repaired(tmp_path: Path) -> None:
    path = tmp_path / "t.game"
    path.write_text("game nonsense")
    looking = Looking(str(path), lambda: load_game(path))
    broken, before = looking.current_page(), looking.stamp()
    assert "Rules with errors" in broken and before in broken
    path.write_text(shipped_games()["tic_tac_toe"].read_text("utf-8"))
    assert looking.stamp() != before


def test_every_shipped_game_says_whose_it_is() -> None:
    assert set(rights()) == set(shipped_games())
    assert unofficial("ginkgopolis") == (
        "Unofficial. Ginkgopolis is by Xavier Georges, published by Pearl Games, who have no part in this."
    )
    assert unofficial("reversi") == ""


def test_the_page_about_rights_names_every_game() -> None:
    page = (Path(__file__).parents[2] / "docs" / "rights.md").read_text("utf-8")
    for right in rights().values():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{right.game}` "))
        assert all(part in row for part in (right.author, right.publisher, right.texts))


def test_pages_of_published_games_say_that_they_are_unofficial() -> None:
    game = load_game("love_letter")
    found = beside(game, "love_letter")
    for page in (
        look_page(game, "love_letter", found),
        print_page(game, "love_letter", found, "a4"),
    ):
        assert unofficial("love_letter") in page


def test_the_table_of_rights_is_a_table() -> None:
    text = (shipped_games()["reversi"].parent / "rights.csv").read_text("utf-8")
    assert {len(row) for row in csv.reader(text.splitlines())} == {5}
