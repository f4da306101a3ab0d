"""Stylesheets, places and art beside a game: confined to the game, checked by its names, all optional."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.beside import beside
from rulewright.pictures.confine import restrict_to_game
from rulewright.pictures.page import arrange_sections, sections
from tests.games.variants import game_named
from tests.pictures.pages import LARGE, Page, state_after

GAME = """\
game "Roads"
    players 2
    by "nobody"

piece Card
    cost: 0..9
    row copper, 1
    row silver, 2

space Town
    row north
    row south

space Road
    start: Town
    goal: Town
    row way, north, south

zone market: set of Card

setup
    move all from Card to market

play
    each player
        choose one of
            option "go on"
"""
NAMES = {"data-zone": frozenset(("hand", "deck")), "data-piece": frozenset(("Card",))}
AREA = '.rw-game[data-game="x"]'


def _game(folder: Path, **files: str) -> Game:
    (folder / "roads.game").write_text(GAME)
    for name, text in files.items():
        path = folder / f"roads.{name.replace('_', '.')}"
        path.write_text(text)
    return load_game(folder / "roads.game")


def test_selectors_are_put_into_the_area_of_the_game() -> None:
    css, problems = restrict_to_game(
        "body { margin: 0 } h1, [data-zone=hand] > b:hover { color: red !important }", "x", NAMES
    )
    assert not problems
    assert css.splitlines() == [
        f"{AREA} {{ margin: 0 }}",
        f"{AREA} h1, {AREA} [data-zone=hand] > b:hover {{ color: red !important }}",
    ]


def test_queries_are_kept_with_rules_in_the_area() -> None:
    css, problems = restrict_to_game("@media (max-width: 9rem) { p { color: red } }", "x", NAMES)
    assert not problems
    assert css == f"@media (max-width: 9rem) {{\n{AREA} p {{ color: red }}\n}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('@import "a.css";', "`@import` is not allowed here"),
        ("@font-face { src: url(x) }", "`@font-face` is not allowed here"),
        ("p { background: url(https://example.org/a.png) }", "addresses are not allowed"),
        ('p { background: url("a.png") }', "addresses are not allowed"),
        ('p { background: image-set("a.png" 1x) }', "addresses are not allowed"),
        ("p { --x: var(--y, url(a.png)) }", "addresses are not allowed"),
        ("p { position: fixed }", "would leave the game's area"),
        ("p { behavior: none }", "`behavior` is not allowed"),
        ("p { q { color: red } }", "only declarations"),
        ('[data-zone="hnad"] { color: red }', "no `data-zone` `hnad`; did you mean `hand`?"),
        (":is([data-piece=Crad]) { color: red }", "no `data-piece` `Crad`; did you mean `Card`?"),
        ("[data-zon=hand] { color: red }", "no attribute `data-zon`; did you mean `data-zone`?"),
        ("} p { color: red }", "this is not CSS"),
    ],
)
def test_forbidden_styles_are_removed_and_located(text: str, message: str) -> None:
    css, problems = restrict_to_game(f"\n{text}", "x", NAMES, "x.css")
    assert message in str(problems[0])
    assert str(problems[0]).startswith("x.css:2: ")
    assert "url" not in css
    assert "fixed" not in css


def test_places_put_spaces_where_they_are_said_to_be(tmp_path: Path) -> None:
    game = _game(tmp_path, places_csv="row,x,y\nnorth,0,0\nsouth,0,3\n")
    found = beside(game, "roads")
    assert found.looks.places == {"Town": {"north": (0.0, 0.0), "south": (0.0, 3.0)}}
    html = arrange_sections(sections(scene(game.start(), 0), looks=found.looks))
    page = Page(html)
    (north,) = page.having(data_row="north")
    (south,) = page.having(data_row="south")
    assert html.index(str(north.get("data-row"))) < html.index(str(south.get("data-row")))
    boxes = [each for each in page.elements if each.name == "rect"]
    tops = [float(each.get("y") or "") for each in boxes]
    lefts = [float(each.get("x") or "") for each in boxes]
    assert tops[0] < tops[1]
    assert lefts[0] == lefts[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("row,x\n", "roads.places.csv:1: the columns `row`, `x` and `y` are needed; no y"),
        (
            "row,x,y\nnroth,0,0\n",
            "roads.places.csv:2: there is no space `nroth`; did you mean `north`?",
        ),
        ("row,x,y\nnorth,a,0\n", "`a` and `0` are not two numbers"),
        ("row,x,y\nnorth,nan,0\n", "a place is less than"),
        (
            "space,row,x,y\nTwon,north,0,0\n",
            "there is no kind of space `Twon`; did you mean `Town`?",
        ),
    ],
)
def test_places_are_checked(tmp_path: Path, text: str, message: str) -> None:
    (problem,) = beside(_game(tmp_path, places_csv=text), "roads").problems
    assert message in str(problem)


def test_art_is_shown_as_an_image_and_never_as_part_of_the_page(tmp_path: Path) -> None:
    game = _game(tmp_path)
    art = tmp_path / "roads.art"
    (art / "Card").mkdir(parents=True)
    (art / "copper.svg").write_text(
        "<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>"
    )
    (art / "Card" / "silver.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (art / "slver.svg").write_text("<svg/>")
    found = beside(game, "roads")
    assert [str(each) for each in found.problems] == [
        "roads.art/slver.svg:1: there is no row `slver`; did you mean `silver`?"
    ]
    html = arrange_sections(sections(scene(game.start(), 0), looks=found.looks))
    images = [each for each in Page(html).elements if each.name == "img"]
    assert [(each.get("src") or "")[:26] for each in images] == ["data:image/svg+xml;base64,"] * 2
    assert "<script" not in html
    named = beside(game, "roads", lambda path: f"/art/{path.name}").looks
    assert named.picture("Card", "copper") == "/art/copper.svg"


def test_art_from_outside_its_folder_is_refused(tmp_path: Path) -> None:
    game = _game(tmp_path)
    (tmp_path / "roads.art").mkdir()
    (tmp_path / "secret.svg").write_text("<svg/>")
    (tmp_path / "roads.art" / "copper.svg").symlink_to(tmp_path / "secret.svg")
    found = beside(game, "roads")
    assert "must be directly in the folder" in str(found.problems[0])
    assert not found.looks.art


def test_a_game_without_looks_has_none(tmp_path: Path) -> None:
    found = beside(_game(tmp_path), "roads")
    assert (found.css, found.problems, dict(found.looks.art)) == ("", (), {})


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LARGE, "kalah"])
def test_the_looks_of_shipped_games_name_nothing_that_is_not_there(name: str) -> None:
    path = shipped_games()[name]
    assert path.with_suffix(".css").is_file() or path.with_name(f"{name}.places.csv").is_file()
    assert beside(game_named(name), name).problems == ()


def test_words_after_the_clauses_of_a_card_are_on_it() -> None:
    game = load_game("love_letter")
    state = state_after(game, 0)
    html = arrange_sections(sections(scene(state, 0), looks=beside(game, "love_letter").looks))
    words = [each.text for each in Page(html).elements if each.get("class") == "rw-words"]
    assert words
    assert all(len(text) > 20 for text in words)
