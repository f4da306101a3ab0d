"""`look` shows a row of a table in words for readers."""

from __future__ import annotations

from pathlib import Path

from rulewright import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.questions import look

ISLANDS = """game "Islands"
    players 2
kind Level = low, high
space Island
    level: Level
    has_port: Flag
    has_mine: Flag
    keeper_fee: 0..9 or nothing
    row aster, low,  yes, no, nothing
    row boreas, high, no,  no, 3
link Way from "ways.csv"
    joins from_island, to_island
    toll: 0..9 or nothing
    is_safe: Flag
kind Wall
    island_a: Island
    island_b: Island
    sort: Sort
    row aster_boreas, aster, boreas, wall
kind Sort = wall, fence
player
    state at: Island = aster
play
    each player
        choose island in Island
        set me.at to island
    end game
score of p
    item "level" = p.at.level.number
winner p by p.total then shared
"""
WAYS = "way,from_island,to_island,toll,is_safe\nw_aster_boreas,aster,boreas,,yes\nbridge,boreas,aster,2,no\n"


def look_lines(word: str, folder: Path) -> list[str]:
    (folder / "islands.game").write_text(ISLANDS)
    (folder / "ways.csv").write_text(WAYS)
    game = load_game(folder / "islands.game")
    return look.lines(Match.begin(game, game.variant(2, {}), 1), word, 0, 78)


def test_look_lists_only_attributes_that_are_set(tmp_path: Path) -> None:
    assert look_lines("aster", tmp_path) == [
        "aster (island)",
        "level low, has port",
        "wall: boreas",
        "way: is safe, to island boreas; bridge (toll 2, from island boreas)",
    ]
    assert look_lines("boreas", tmp_path)[:2] == ["boreas (island)", "level high, keeper fee 3"]
