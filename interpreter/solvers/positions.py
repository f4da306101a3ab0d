"""Stores the positions of an open game for solvers: allocates their arrays, and runs kernels natively or in Python."""

from __future__ import annotations

from array import array
from contextlib import suppress
from typing import Final

import attrs

from rulewright.dsl.ir import PLAYER
from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.kernels import alpha_beta, retrograde
from rulewright.interpreter.engines.kernels.positions import Positions
from rulewright.interpreter.engines.kernels.tree import Cells, Done, FullError
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.matches.kernel_game import KernelGame
from rulewright.interpreter.matches.returns import Reward, sides_of
from rulewright.interpreter.text.errors import NoNativeEngineError, WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame

_LEVELS: Final = (
    *("first", "count", "next", "key", "node", "player", "site"),
    *("low", "high", "found", "best", "begun", "least", "largest"),
)
_DEEPEST: Final = 64
_WIDTH: Final = 64
_PYTHON: Final = 1000
_NATIVE: Final = 200_000
"""The number of positions that are examined between two checks for Ctrl-C."""
_ARRAYS: Final = ("fill_places", "turn_round", "spread")
"""The tasks that need no game."""


def refuse(compiled: CompiledGame) -> None:
    """Raise an error for a game that is not open, or not for two players."""
    program = compiled.program
    if len({*sides_of(compiled)}) != 2 or program.seats != 2:
        raise WrongArgumentError("only games for two players have exact values")
    if program.chances or not compiled.viewer.is_open:
        what = "leaves something to chance" if program.chances else "hides something"
        raise WrongArgumentError(f"only open games have exact values, and {program.title} {what}")


@attrs.define(eq=False)
class Work:
    """The positions of a game in arrays, and the object that runs the tasks of the kernels."""

    positions: Positions
    _python: KernelGame
    _native: NativeTrials | None

    @classmethod
    def begin(cls, compiled: CompiledGame, cells: Cells, reward: Reward) -> Work:
        """Begin the work for a game, at the position given by the cells."""
        compiled = fastest(compiled)
        program, engine = compiled.program, compiled.engine
        t = Positions(
            seats=program.seats,
            scored=int(bool(program.score)),
            by_points=int(reward == "points"),
            hides=0,
            certain=1,
            me=cells[PLAYER],
            key=0,
            counter=0,
            size=program.size,
            states=cells[:],
        )
        t.won, t.totals = array("b", bytes(t.seats)), array("q", bytes(8 * t.seats))
        python = KernelGame(compiled)
        python.keep(0, cells[:])
        native = engine if isinstance(engine, NativeTrials) and engine.searches else None
        work = cls(t, python, native)
        work.grow()
        return work

    @property
    def at_once(self) -> int:
        """Return the number of positions that are examined before the caller can stop."""
        return _NATIVE if self._native is not None else _PYTHON

    def do(self, task: str, number: int = 0) -> None:
        """Run a task of the kernels to its end."""
        while not self._run_task(task, number):
            self.grow()

    def _run_task(self, task: str, number: int) -> bool:
        """Run a task. Return whether it is done; if not, an array is full."""
        t = self.positions
        if self._native is not None:
            t.full = 0
            with suppress(NoNativeEngineError):
                done = self._native.trials(t, number, task)
                if done in (Done.ALL, Done.FULL):
                    return done is Done.ALL
            self._native = None
            for level in range(t.depth):  # native code has created their states
                self._python.keep(level, t.states[level * t.size : (level + 1) * t.size])
        kernel = getattr(retrograde, task, None) or getattr(alpha_beta, task)
        try:
            kernel(*[] if task in _ARRAYS else [self._python], t, number)
        except FullError:
            return False
        return True

    def grow(self) -> None:
        """Enlarge the full arrays."""
        t = self.positions
        if t.depth >= t.deepest:
            more = max(_DEEPEST, t.deepest)
            t.deepest += more
            for name in _LEVELS:
                getattr(t, f"level_{name}").frombytes(bytes(8 * more))
            t.states.frombytes(bytes(4 * (t.deepest * t.size - len(t.states))))
        if t.width > len(t.offers) or not t.width:
            t.width = max(_WIDTH, t.width)
            t.offers = array("i", bytes(4 * t.width))
        if t.list_room < t.deepest + 2 * t.width or self._is_listed:
            t.list_room = 2 * max(t.list_room, t.deepest + 2 * t.width)
            t.listed.frombytes(bytes(4 * (t.list_room - len(t.listed))))
        if t.node_room and t.nodes >= t.node_room:
            self.make_nodes(2 * t.node_room)
        if t.edge_room and t.edges >= t.edge_room:
            self.make_edges(2 * t.edge_room)

    def make_nodes(self, room: int) -> None:
        """Allocate memory for `room` positions of a graph."""
        t = self.positions
        more, t.node_room = room - t.node_room, room
        for name in ("key", "player", "worth", "length", "settled"):
            numbers = getattr(t, f"node_{name}")
            numbers.frombytes(bytes(numbers.itemsize * more))
        t.table, t.mask = array("q", bytes(8 * 4 * room)), 4 * room - 1
        self.do("fill_places")

    def make_edges(self, room: int) -> None:
        """Allocate memory for `room` steps between positions of a graph."""
        t = self.positions
        more, t.edge_room = room - t.edge_room, room
        for numbers in (t.edge_from, t.edge_to):
            numbers.frombytes(bytes(4 * more))

    def make_spread(self) -> None:
        """Allocate memory for the tasks that spread values over a whole graph."""
        t = self.positions
        t.into, t.into_first = array("i", bytes(4 * t.edges)), array("q", bytes(8 * (t.nodes + 1)))
        for name in ("distance", "options_left", "waiting"):
            setattr(t, name, array("i", bytes(4 * t.nodes)))

    @property
    def _is_listed(self) -> bool:
        """Return whether the list of options has no room for another level."""
        t = self.positions
        if not t.depth:
            return False
        last = t.level_first[t.depth - 1] + t.level_count[t.depth - 1]
        return last + t.width > t.list_room
