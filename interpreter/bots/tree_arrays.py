"""Allocates and enlarges the arrays of a tree."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache

from rulewright.interpreter.engines.engine import NativeTrials
from rulewright.interpreter.engines.kernels import search as kernel
from rulewright.interpreter.engines.kernels.tree import DEEP, STATES, TIMES, Done, Tree

_NODES = 2048
_EDGES = 16384
_WIDTH = 256
_TOUCHED = 8192
_LOGS = 512
"""How many logarithms are stored at first. Native code stores more later."""
_MOST_LOGS = 65536


def furnish(t: Tree, sides: Sequence[str], asides: Sequence[int], size: int) -> None:
    """Allocate the arrays of an empty tree."""
    numbers = {side: number for number, side in enumerate(dict.fromkeys(sides))}
    t.sides = array("q", (numbers[side] for side in sides))
    t.aside, t.asides = array("q", asides), len(asides) // 3
    t.states = array("i", bytes(4 * size * STATES))
    for name in ("side_totals", "totals", "leads", "now"):
        setattr(t, name, array("q", bytes(8 * t.seats)))
    for name in ("result", "gains", "parts"):
        setattr(t, name, array("d", bytes(8 * t.seats)))
    for name in ("usual", "usual_lead"):
        setattr(t, name, array("d", bytes(8 * t.seats * TIMES)))
    t.won = array("b", bytes(t.seats))
    t.met, t.is_met = array("q", bytes(8 * t.seats * TIMES)), array("q", bytes(8 * TIMES))
    t.slope = array("d", bytes(8 * TIMES))
    t.best_worth = array("d", bytes(8 * (DEEP + 1)))
    t.best_row = array("q", bytes(8 * DEEP * (DEEP + 1)))
    t.best_length = array("q", bytes(8 * (DEEP + 1)))
    if t.careful:
        for name in ("end_tries", "end_wins", "noted_ends"):
            setattr(t, name, array("q", bytes(8 * kernel.END_SLOTS)))
    t.driven = array("Q", bytes(8 * 12))
    t.logs, t.logs_known = _logs()[:], _LOGS
    for name in ("path_node", "path_edge", "path_player"):
        setattr(t, name, array("q", bytes(8 * (kernel.LONGEST + 1))))
    _more_width(t, _WIDTH, _TOUCHED)
    _more_nodes(t, _NODES)
    _more_edges(t, _EDGES)


@cache
def _logs() -> array[float]:
    t = Tree(1, 0, 0, 0, 0, 0, 0, 0)
    t.logs = array("d", bytes(8 * _LOGS))
    kernel.fill_logs(t, _LOGS)
    return t.logs


def grow(t: Tree, native: NativeTrials | None = None) -> None:
    """Enlarge the full arrays of a tree."""
    is_room = t.nodes < t.node_room and t.edges < t.edge_room
    if t.nodes >= t.node_room:
        _more_nodes(t, 2 * t.node_room)
        if native is None or native.trials(t, 0, "fill_table") is not Done.ALL:
            kernel.fill_table(t, 0)
        if native is not None and t.logs_known < min(t.nodes, _MOST_LOGS):
            t.logs = array("d", bytes(8 * _MOST_LOGS))
            t.logs_known = 0
            native.trials(t, _MOST_LOGS, "fill_logs")
    if t.edges >= t.edge_room:
        _more_edges(t, 2 * t.edge_room)
    if is_room:
        _more_width(t, 2 * t.width, 2 * t.touched_room)


def _more_nodes(t: Tree, room: int) -> None:
    more = room - t.node_room
    for name in ("node_key", "node_taken", "node_gained", "node_first", "node_last", "node_edges"):
        getattr(t, name).frombytes(bytes(8 * more))
    t.node_room, t.mask = room, 4 * room - 1
    t.table = array("q", bytes(8 * 4 * room))


def _more_edges(t: Tree, room: int) -> None:
    more = room - t.edge_room
    for name in ("option", "next", "there", "taken", "gained", "better"):
        getattr(t, f"edge_{name}").frombytes(bytes(8 * more))
    for flags in (t.edge_aside, t.edge_certain):
        flags.frombytes(bytes(more))
    t.certainty.frombytes(bytes(8 * more * t.seats))
    t.edge_room = room


def _more_width(t: Tree, width: int, touched: int) -> None:
    t.width, t.touched_room = width, touched
    t.offers = array("i", bytes(4 * width))
    t.listed = array("i", bytes(4 * width * (DEEP + 1)))
    t.here, t.fresh, t.row_length = (array("q", bytes(8 * width)) for _ in range(3))
    t.rows = array("q", bytes(8 * width * DEEP))
    t.touched_edges = array("q", bytes(8 * touched))
