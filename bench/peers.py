"""Random matches in other programs: OpenSpiel from Python and inside its C++, and handwritten games in C.

Each peer is a function that plays some games, counts the wins and the decisions, and returns the number of games.
Peers that are not installed, or cannot be compiled, are left out.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from ctypes import CDLL, byref, c_int, c_int64, c_uint64
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

FIRST, SECOND, NOBODY = "first", "second", "draw"
WHO = (FIRST, SECOND, NOBODY)
OPEN_SPIEL = "OpenSpiel, Python loop"
ROLLOUTS = "OpenSpiel, its C++ loop"
BY_HAND = "by hand in C"
THEIR_NAMES = {"reversi": "othello"}
"""The names of our games in OpenSpiel that differ."""
SOURCE = Path(__file__).with_name("by_hand.c")
AT_ONCE = 100
"""The number of games that a call of the C program plays."""


@attrs.define
class Tally:
    """The number of victories of each player, and the number of decisions."""

    outcomes: Counter[str] = attrs.field(factory=Counter)
    decisions: int = 0


Peer = Callable[[Tally, int], int]


def peers(game: str) -> Iterator[tuple[str, Peer]]:
    """The peers that have a game, by their names."""
    try:
        pyspiel: Any = import_module("pyspiel")  # the library has no types
    except ImportError:
        pass
    else:
        theirs = pyspiel.load_game(THEIR_NAMES.get(game, game))
        yield OPEN_SPIEL, _loop(theirs)
        yield ROLLOUTS, _rollouts(pyspiel, theirs)
    library = compile_by_hand()
    if library is not None:
        yield BY_HAND, _by_hand(getattr(library, game))


def _loop(game: Any) -> Peer:
    def play(tally: Tally, _: int) -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            tally.decisions += 1
        tally.outcomes[_of_returns(state.returns())] += 1
        return 1

    return play


def _rollouts(pyspiel: Any, game: Any) -> Peer:
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(2)]

    def play(tally: Tally, number: int) -> int:
        state = game.new_initial_state()
        returns = pyspiel.evaluate_bots(state, bots, number)
        tally.outcomes[_of_returns(returns)] += 1
        tally.decisions += state.move_number()
        return 1

    return play


def _of_returns(returns: Any) -> str:
    return NOBODY if returns[0] == returns[1] else FIRST if returns[0] > returns[1] else SECOND


def _by_hand(function: Any) -> Peer:
    function.restype = None
    outcomes, decisions = (c_int64 * len(WHO))(), c_int64()

    def play(tally: Tally, number: int) -> int:
        outcomes[:] = [0] * len(WHO)
        decisions.value = 0
        function(c_uint64(number * 2**32), c_int(AT_ONCE), outcomes, byref(decisions))
        tally.outcomes.update(dict(zip(WHO, outcomes, strict=True)))
        tally.decisions += decisions.value
        return AT_ONCE

    return play


@cache
def compile_by_hand() -> CDLL | None:
    """The games of `by_hand.c`, if there is a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "by_hand.so"
        command = [
            compiler,
            "-O3",
            "-march=native",
            "-shared",
            "-fPIC",
            "-o",
            str(library),
            str(SOURCE),
        ]
        subprocess.run(command, check=True)
        return CDLL(str(library))
