"""Players who stand on spaces, very wide boards, rings of spaces and high piles."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.page import arrange_sections, sections
from rulewright.pictures.svg.layout import crossings, places
from tests.pictures.pages import Page

WALK = """
game "Walk"
    players 2
space Cell grid {shape}
    state is_wet: Flag
{board}
player
    state place: Cell or nothing
    {more}
play
    repeat 3 times
        each player
            surely do walk
action walk(cell in Cell)
    set me.place to cell
"""
SIGNS = """
value walker of c: Cell = first(p in players where p.place is c)
board Cell
    show "{cell.walker.number}>" where cell.walker is not nothing
    show "."
"""
PILE = """
game "Pile"
    players 1
piece Card
    copies = {count}
    row one
zone pile: pile of Card
setup
    move all from Card to pile
play
    each player
        choose one of
            option "wait"
            option "go"
"""


@pytest.fixture
def begun(tmp_path: Path) -> Callable[[str], State]:
    def start(text: str) -> State:
        path = tmp_path / "test.game"
        path.write_text(text, "utf-8")
        return load_game(path).start(remember=True)

    return start


def draw(state: State) -> str:
    return arrange_sections(sections(scene(state, 0, state.previous)))


def discs(html: str) -> Mapping[str, list[str]]:
    """The signs of the discs in each cell."""
    found = {}
    for cell in re.findall(
        r'<g class="rw-cell.*?data-row="\w+">.*?(?=<g class="rw-cell|</svg>)', html
    ):
        row = re.search(r'data-row="(\w+)"', cell)
        signs = re.findall(r'class="rw-disc".*?<tspan[^>]*>(.*?)</tspan>', cell)
        if row and signs:
            found[row[1]] = signs
    return found


def walk(state: State, *cells: str) -> State:
    for cell in cells:
        (option,) = (each for each in state.decision.options if each.text.endswith(cell))
        state = state.take(option.id)
    return state


def test_players_are_drawn_where_their_only_space_is(begun: Callable[[str], State]) -> None:
    text = WALK.format(shape="3 by 2", board="", more="")
    assert discs(draw(begun(text))) == {}
    assert discs(draw(walk(begun(text), "a1", "c2"))) == {"a1": ["1"], "c2": ["2"]}
    assert discs(draw(walk(begun(text), "b1", "b1"))) == {"b1": ["1", "2"]}


def test_a_player_with_two_spaces_of_a_kind_stands_nowhere(begun: Callable[[str], State]) -> None:
    text = WALK.format(shape="3 by 2", board="", more="state home: Cell or nothing")
    assert discs(draw(walk(begun(text), "a1"))) == {}


def test_letters_of_a_cell_are_the_sign_of_the_player_there(begun: Callable[[str], State]) -> None:
    text = WALK.format(shape="3 by 2", board=SIGNS, more="")
    assert discs(draw(walk(begun(text), "a1", "c2"))) == {"a1": ["1&gt;"], "c2": ["2&gt;"]}


def test_players_on_a_space_with_a_value_are_in_its_corners(begun: Callable[[str], State]) -> None:
    text = WALK.format(shape="3 by 2", board="", more="").replace("is_wet: Flag", "depth: 0..9")
    html = draw(walk(begun(f"{text}    set cell.depth to 5\n"), "b1", "b1"))
    assert discs(html) == {"b1": ["1", "2"]}
    assert len(re.findall(">5<", html)) == 1, "the value is still shown"
    first, second = re.findall(r'class="rw-disc"[^>]*><circle cx="([^"]*)" cy="[^"]*" r="9"', html)
    assert float(second) - float(first) > 30


def test_a_picture_follows_a_player_although_the_board_is_the_same(
    begun: Callable[[str], State],
) -> None:
    text = WALK.format(shape="3 by 2", board="", more="")
    first = walk(begun(text), "a1")
    draw(first)
    assert discs(draw(walk(first, "b2", "c1"))) == {"b2": ["2"], "c1": ["1"]}


@pytest.mark.parametrize(("shape", "is_high"), [("6 by 2", False), ("7 by 2", True)])
def test_cells_of_very_wide_boards_are_high(
    shape: str, is_high: bool, begun: Callable[[str], State]
) -> None:
    html = draw(begun(WALK.format(shape=shape, board="", more="")))
    boxes = re.findall(r'<rect x="[^"]*" y="[^"]*" width="60" height="(\d+)"', html)
    assert len(boxes) > 10
    assert {int(height) > 60 for height in boxes} == {is_high}


@pytest.mark.parametrize("count", range(6, 20))
def test_a_ring_is_a_frame_of_neighbours(count: int) -> None:
    order = [at * 5 % count if count % 5 else at for at in range(count)]
    edges = tuple((min(a, b), max(a, b)) for a, b in [*pairwise(order), (order[-1], order[0])])
    points = places(count, edges)
    assert len(set(points)) == count
    assert crossings(points, edges) == 0
    long = [
        (a, b)
        for a, b in edges
        if hypot(*(p - q for p, q in zip(points[a], points[b], strict=True))) > 1
    ]
    assert len(long) == count % 2, "an odd ring has a corner without a node"


@pytest.mark.parametrize(("count", "columns"), [(8, 1), (9, 2), (17, 3)])
def test_a_high_pile_is_laid_in_columns(
    count: int, columns: int, begun: Callable[[str], State]
) -> None:
    text = PILE.format(count=count)
    page = Page(draw(begun(text)))
    (pile,) = page.having(data_zone="pile")
    fan = [each for each in page.elements if each.get("class") == "rw-fan"]
    assert len(fan) == (columns > 1)
    assert len([each for each in page.elements if each.get("class") == "rw-pieces"]) == columns
    assert pile.text.count("one") == count
