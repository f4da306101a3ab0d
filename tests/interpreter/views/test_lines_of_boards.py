"""Lines of boards are in the order of their source, also if a thing has one of several lines."""

from __future__ import annotations

from pathlib import Path

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of

TEXT = """game "Town"
    players 2
piece House
    row mill
    row inn
    row barn
    state owner_of: Player or nothing = nothing
zone street: set of House
setup
    move all from House to street
board "Houses"
    show "{h} of {h.owner_of}" for h in House where h.owner_of is not nothing
    show "{h} is free" for h in House where h.owner_of is nothing
    show "{p} waits" for p in players
    show "{h} again" for h in House
play
    each player
        surely choose house in street where house.owner_of is nothing
        set house.owner_of to me
score of p
    item "none" = 0
winner p by p.total then shared
"""


def test_lines_keep_their_places(tmp_path: Path) -> None:
    path = tmp_path / "town.game"
    path.write_text(TEXT)
    state = game_of("town", load(path)).start(seed=1)
    (board,) = state.compiled.program.boards

    def lines() -> tuple[str, ...]:
        return state.compiled.board_lines(state.cells, board, 0)

    rest = ("player 1 waits", "player 2 waits", "mill again", "inn again", "barn again")
    assert lines() == ("mill is free", "inn is free", "barn is free", *rest)
    state = state.choose("inn")
    assert lines() == ("mill is free", "inn of player 1", "barn is free", *rest)
