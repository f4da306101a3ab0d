"""Standalone SVG pictures are well formed, complete and without a stylesheet; and their pixels are right."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.dsl.model.grids import grid_of
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.views.scene import scene
from rulewright.pictures import raster
from rulewright.pictures.page import sections
from rulewright.pictures.svg import alone
from tests.pictures.pages import LARGE, SMALL, state_after

GAMES = (*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE))


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_one_svg_with_attributes_only(name: str) -> None:
    state = state_after(name, 3)
    shown = scene(state, 0)
    svg = alone.position(shown).svg()
    root = ElementTree.fromstring(svg)
    assert not re.search(r"style=|<style|<button|foreignObject|href=", svg)
    names = {each.tag.partition("}")[2] for each in root.iter()}
    assert {"svg", "rect", "text"} <= names
    printed = " ".join(root.itertext())
    for player in shown.players:
        if player.has.zones and any(zone.count != 0 for zone in player.has.zones):
            assert player.name in printed


def test_a_card_shows_its_title_its_columns_and_its_words() -> None:
    state = state_after("love_letter", 0)
    shown = scene(state, state.player)
    hand = next(zone for zone in shown.players[state.player].has.zones if zone.pieces)
    face = hand.pieces[0].face
    assert face is not None
    svg = alone.card(face, 3, "Many words stand here.").svg()
    printed = " ".join(ElementTree.fromstring(svg).itertext())
    assert face.title in printed
    assert "Many words" in printed
    assert "\N{MULTIPLICATION SIGN}3" in printed


def test_a_pile_shows_its_top_and_how_many_lie_there() -> None:
    shown = scene(state_after("love_letter", 0), 0)
    deck = next(zone for zone in shown.table.zones if zone.name == "deck")
    assert f"\N{MULTIPLICATION SIGN}{deck.count}" in alone.pile(deck).svg()


def test_a_card_that_lies_hidden_stays_hidden() -> None:
    state = state_after("love_letter", 2)
    svg = alone.position(scene(state, 0)).svg()
    for seed in range(3):
        assert alone.position(scene(state.sample(0, seed), 0)).svg() == svg


def test_pixels_are_those_of_the_picture() -> None:
    parts = '<rect width="3" height="2" fill="#ffffff"/><rect x="1" width="1" height="2" fill="#ff8000"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2">{parts}</svg>'
    white, orange = b"\xff\xff\xff", b"\xff\x80\x00"
    assert raster.pixels(svg) == (3, 2, (white + orange + white) * 2)


@pytest.mark.parametrize("filter_type", range(5))
def test_filters_of_rows_are_taken_away(filter_type: int) -> None:
    above, row = bytearray(range(40, 52)), bytearray(range(3, 255, 21))
    filtered = bytearray(12)
    for at in range(12):
        left = row[at - 4] if at >= 4 else 0
        corner = above[at - 4] if at >= 4 else 0
        guess = left + above[at] - corner
        near = sorted((left, above[at], corner), key=lambda one, g=guess: abs(g - one))[0]  # type: ignore[misc]  # bound
        taken = (0, left, above[at], (left + above[at]) // 2, near)[filter_type]
        filtered[at] = (row[at] - taken) & 255
    raster._unfilter(filter_type, filtered, above)
    assert filtered == row


def test_a_piece_alone_in_a_cell_has_the_sign_that_the_rules_show() -> None:
    svg = alone.board(scene(state_after("chess", 0), 0), 0).svg()
    words = [
        each.text or "" for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("tspan")
    ]
    back = "KQRRBBNN"
    assert sorted(word for word in words if word.lower() in "kqrbnp") == sorted(
        [*back, *back.lower(), *8 * "P", *8 * "p", "b"]  # and the name of a column
    )
    assert not [word for word in words if "pawn" in word]


@pytest.mark.parametrize("shape", ["hex 3 by 3", "rhombus 3 by 3", "hexagon 2"])
@pytest.mark.parametrize("counted", ["", " from top"])
def test_hexagons_beside_each_other_touch(tmp_path: Path, shape: str, counted: str) -> None:
    path = tmp_path / "hexes.game"
    path.write_text(
        f'game "Hexes"\n    players 2\nspace Cell grid {shape}{counted}\n    state owner: Player or nothing\n'
        "play\n    each player\n        surely choose cell in Cell where cell.owner is nothing\n"
        '        set cell.owner to me\nscore of p\n    item "seat" = p.number\nwinner p by p.total\n',
        encoding="utf-8",
    )
    state = load_game(path).start(players=2, seed=1)
    root = ElementTree.fromstring(alone.board(scene(state, 0), 0).svg())
    drawn = [
        {tuple(map(float, point.split(","))) for point in each.attrib["points"].split()}
        for each in root.iter("{http://www.w3.org/2000/svg}polygon")
    ]
    kind = state.compiled.program.spaces[0]
    neighbors = grid_of(kind.shape, 0, kind.places, kind.down).neighbors
    for cell, beside in enumerate(neighbors):
        for other in range(len(drawn)):
            near = {
                (x, y)
                for x, y in drawn[cell]
                for a, b in drawn[other]
                if abs(x - a) + abs(y - b) < 1
            }
            assert len(near) == (6 if other == cell else 2 if other in beside else 0)


CORNERS = """game "Corners"
    players 2
space Cell grid SHAPE
space Post at corners of Cell
    state owner: Player or nothing
space Wall at edges of Cell
    state owner: Player or nothing
play
    each player
        surely choose post in Post where post.owner is nothing and post.cells is not empty
        set post.owner to me
        surely choose wall in post.edges
        set wall.owner to me
score of p
    item "seat" = p.number
winner p by p.total
"""


@pytest.mark.parametrize("shape", ["3 by 2", "hex 3 by 3 from top", "rhombus 3 by 3", "hexagon 2"])
def test_corners_and_edges_lie_on_the_cells_and_can_be_chosen_there(
    tmp_path: Path, shape: str
) -> None:
    path = tmp_path / "corners.game"
    path.write_text(CORNERS.replace("SHAPE", shape), encoding="utf-8")
    state = load_game(path).start(players=2, seed=1)
    for _ in ("post", "wall"):
        boards = [part for part in sections(scene(state, 0)) if part.id.startswith("board-")]
        assert len(boards) == 1
        assert boards[0].html.count("<foreignObject") == len(state.decision.options)
        state = state.choose(state.decision.options[0].name)
    root = ElementTree.fromstring(alone.position(scene(state, 0)).svg())
    svg = "{http://www.w3.org/2000/svg}"
    dots = [
        (float(each.get("cx", "")), float(each.get("cy", ""))) for each in root.iter(f"{svg}circle")
    ]
    posts, walls = state.compiled.program.spaces[1:]
    assert len(dots) >= posts.count
    for each in root.iter(f"{svg}polygon"):
        for point in each.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert any(abs(x - a) + abs(y - b) < 1 for a, b in dots)
    ways = [each for each in root.iter(f"{svg}g") if each.get("class", "").startswith("rw-way")]
    assert len(ways) == walls.count
