"""Repeated positions: published counts, and the law that the memory counts exactly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.testing.perft import perft
from rulewright.interpreter.text.faults import RuleFault
from tests.games.variants import game_named
from tests.probes.table import Table

WAYS = {"2": 9, "3": 907}
"""Sequences of positions of Go on a line of this many points, as published by Tromp and Farnebäck."""


@pytest.mark.parametrize("width", WAYS)
def test_ways_through_go_are_counted(width: str) -> None:
    start = game_named("p16_ways_through_go").start(options={"width": width})
    assert 1 + sum(perft(start, 14)) == WAYS[width]


SWAPS = """\
game "Swaps"
    players 2
piece Pebble per player
    copies = 2
    row pebble
space Box
    row left_box
    row right_box
    zone inside: set of Pebble
    state mark: 0..2 or nothing
position boxes up to 60 = list(b in Box: b.mark), left_box.inside, list(p in players: p.note)
player
    state note: -1..1
setup
    for each p in Pebble
        if p.copy is 1
            move p to left_box.inside
        else
            move p to right_box.inside
play
    repeat 60 times
        each player
            keep boxes
            choose one of
                option "swap"
                    roll one in left_box.inside
                    surely roll other in right_box.inside
                    move one to right_box.inside
                    move other to left_box.inside
                option "mark"
                    roll m in 0..2
                    set left_box.mark to m
                option "note"
                    roll n in -1..1
                    set me.note to n
value memory of p: Player = boxes.times
score of p
    item "nothing" = 0
winner p by p.total
"""


@pytest.mark.parametrize("seed", range(5))
def test_the_memory_counts_as_exact_books_do(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "swaps.game"
    path.write_text(SWAPS, encoding="utf-8")
    state = load_game(path).start(seed=seed)
    books: Counter[object] = Counter()
    repeated = 0
    while not state.over and sum(books.values()) < 80:
        books[_looks(state)] += 1
        assert Table(state).value("memory", 0) == books[_looks(state)]
        repeated += books[_looks(state)] > 1
        names = state.decision.names
        state = state.choose(names[(seed + len(books) * 7 + sum(books.values())) % len(names)])
    assert repeated > 5


def _note(state: State, turns: int) -> State:
    for _ in range(turns):
        state = state.choose("note")
    return state


def _looks(state: State) -> object:
    """The part of the position that counts, taken from the view."""
    view = state.view(0)
    values = tuple((str(value.place), value.text) for value in view.values)
    zones = tuple(tuple(sorted((p.text, p.whose) for p in zone.pieces)) for zone in view.zones)
    return values, zones


def test_a_memory_that_is_full_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "swaps.game"
    path.write_text(SWAPS.replace("up to 60", "up to 1"), encoding="utf-8")
    state = load_game(path).start(seed=1)
    with pytest.raises(RuleFault, match="`boxes` keeps up to 1 position, and"):
        _note(state, 20)
