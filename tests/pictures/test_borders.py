"""Pictures of corners, edges and hexagons, and of pieces and tokens in the colours that the rules give them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import scene
from rulewright.pictures.page import arrange_sections, sections

WALLS = """
game "Walls"
    players 2
space Cell grid {shape}
space Wall at edges of Cell
    state is_built: Flag
play
    repeat 3 times
        each player
            surely do build
action build(wall in Wall where not wall.is_built)
    set wall.is_built to yes
"""


@pytest.fixture
def begun(tmp_path: Path) -> Callable[[str], State]:
    def start(text: str) -> State:
        path = tmp_path / "test.game"
        path.write_text(text, "utf-8")
        return load_game(path).start()

    return start


def picture(state: State) -> str:
    return arrange_sections(sections(scene(state, 0, None)), "test")


def test_an_edge_is_a_plain_line_and_joints_are_dots(begun: Callable[[str], State]) -> None:
    before = begun(WALLS.format(shape="2 by 1"))
    assert picture(before).count('class="rw-joint"') == 6
    assert picture(before).count('stroke-width="1.5"></line>') == 7
    after = before.choose(before.decision.options[0])
    assert picture(after).count('stroke-width="1.5"></line>') == 6
    assert picture(after).count('stroke-width="5"></line>') == 1
    assert ">is built</text>" not in picture(after)


def names(html: str) -> list[str]:
    return re.findall(r">([a-z0-9]+)</tspan>", html)


def test_names_of_corners_are_beside_those_of_squares(begun: Callable[[str], State]) -> None:
    assert sorted(names(picture(begun(WALLS.format(shape="2 by 1"))))) == sorted("abc12ab1")


def test_hexagons_have_names_of_columns_and_rows(begun: Callable[[str], State]) -> None:
    text = 'game "Hexes"\n    players 2\nspace Cell grid rhombus 3 by 2\nplay\n    end game\n'
    assert sorted(names(picture(begun(text)))) == sorted("abc12")


def test_a_piece_has_the_colour_of_the_player_whose_sign_it_shows(
    begun: Callable[[str], State],
) -> None:
    text = """
game "Turncoats"
    players 2
kind Rank
    row king
    signs king "K"
piece Man
    row north_man
    row south_man
    state side: Player
space Cell grid 2 by 1
    zone man: spot of Man
board Cell
    show "{king.sign(sure(cell.man.top).side)}" where cell.man is not empty
setup
    for each p in players
        let man = if p.number is 1 then north_man else south_man
        set man.side to p
        move man to Cell(p.number, 1).man
play
    repeat 2 times
        each player
            choose one of
                option "wait"
"""
    html = picture(begun(text))
    assert 'fill="#0a6ebd"' in html
    assert 'fill="#d55e00"' in html


def test_tokens_have_the_colour_of_their_place(begun: Callable[[str], State]) -> None:
    text = """
game "Dyes"
    players 2
kind Dye = red, plum, pear
token dye
zone store(d: Dye): tokens of dye = 2
play
    end game
"""
    html = picture(begun(text))
    colours = re.findall(r'class="rw-dot (rw-(?:c|hue)-[a-z0-9]+)"', html)
    assert colours[0] == "rw-c-red"
    assert len(set(colours[:3])) == 3
    assert 'data-index="plum"' in html
