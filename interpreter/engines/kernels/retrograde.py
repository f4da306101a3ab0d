"""Kernels that find the values of all positions of a game, from its ends back to its beginning.

They run as Python and as native code. `explore` walks through the game depth first and records each
position once, with the steps between positions. It may stop after any position and continue later.
Then `turn_round` lists the predecessors of each position, and `spread` settles values from the
ends.
"""

from __future__ import annotations

from rulewright.dsl.ir import OVER, PLAYER
from rulewright.interpreter.engines.kernels.machine import cells_key
from rulewright.interpreter.engines.kernels.positions import (
    OpenGame,
    Positions,
    list_options,
    worth_of_end,
)
from rulewright.interpreter.engines.kernels.tree import FullError


def open_graph(game: OpenGame, t: Positions, nothing: int) -> int:
    """Begin with the sample."""
    game.load(t, 0)
    t.depth = 0
    t.nodes = 0
    t.edges = 0
    return node_here(game, t)


def explore(game: OpenGame, t: Positions, many: int) -> int:
    """Record `many` further positions. When no levels are left, all positions are known."""
    game.load(t, 0)
    return walk_on(game, t, t.nodes + many)


def walk_on(game: OpenGame, t: Positions, limit: int) -> int:
    """Record positions until `limit` positions are known."""
    while t.depth > 0 and t.nodes < limit:
        level = t.depth - 1
        if t.level_next[level] >= t.level_count[level]:
            t.depth = level
            continue
        if t.edges >= t.edge_room:
            raise FullError
        origin = t.level_node[level]
        game.load(t, level)
        game.advance(t, t.listed[t.level_first[level] + t.level_next[level]])
        node = node_here(game, t)
        t.level_next[level] += 1
        t.edge_from[t.edges] = origin
        t.edge_to[t.edges] = node
        t.edges += 1
    return 0


def place_of(t: Positions, key: int) -> int:
    """Return the index of a position in the hash table, or of the empty entry where it belongs."""
    place = key & t.mask
    while t.table[place] != 0 and t.node_key[t.table[place] - 1] != key:
        place = (place + 1) & t.mask
    return place


def node_here(game: OpenGame, t: Positions) -> int:
    """Return the number of the working state. A new state gets a level unless it is an end."""
    key = cells_key(t)
    place = place_of(t, key)
    if t.table[place] != 0:
        return t.table[place] - 1
    if t.nodes >= t.node_room:
        raise FullError
    node = t.nodes
    if t.work[OVER] != 0:
        t.node_player[node] = -1
        t.node_worth[node] = worth_of_end(game, t)
    else:
        list_options(game, t)
        level = t.depth
        game.save(t, level)
        t.level_node[level] = node
        t.depth = level + 1
        t.node_player[node] = t.work[PLAYER]
        t.node_worth[node] = 0
    t.node_length[node] = -1
    t.node_settled[node] = 0
    t.node_key[node] = key
    t.table[place] = node + 1
    t.nodes = node + 1
    return node


def fill_places(t: Positions, nothing: int) -> int:
    """Insert all positions into a new hash table."""
    for node in range(t.nodes):
        t.table[place_of(t, t.node_key[node])] = node + 1
    return 0


def turn_round(t: Positions, nothing: int) -> int:
    """List the predecessors of each position."""
    for node in range(t.nodes + 1):
        t.into_first[node] = 0
    for edge in range(t.edges):
        t.into_first[t.edge_to[edge]] += 1
    total = 0
    for node in range(t.nodes + 1):
        total += t.into_first[node]
        t.into_first[node] = total
    for edge in range(t.edges):
        to = t.edge_to[edge]
        t.into_first[to] -= 1
        t.into[t.into_first[to]] = t.edge_from[edge]
    return 0


def spread(t: Positions, worth: int) -> int:
    """Settle the positions whose value to the first seat is at least `worth` or, if `worth` is
    below 0, at most `worth`.

    The first seat forces a value above 0, and the second seat a value below 0. With a value of 0,
    all remaining positions are settled, by the number of decisions to an end with the value 0.
    """
    for node in range(t.nodes):
        t.distance[node] = -1
        t.options_left[node] = 0
    for edge in range(t.edges):
        t.options_left[t.edge_from[edge]] += 1
    seat = 0
    if worth < 0:
        seat = 1
    found = 0
    for node in range(t.nodes):
        if t.node_player[node] < 0 and is_beyond(t.node_worth[node], worth) != 0:
            t.distance[node] = 0
            t.waiting[found] = node
            found += 1
    place = 0
    while place < found:
        after = t.waiting[place]
        place += 1
        for at in range(t.into_first[after], t.into_first[after + 1]):
            node = t.into[at]
            if t.distance[node] < 0 and (worth != 0 or t.node_settled[node] == 0):
                t.options_left[node] -= 1
                if worth == 0 or t.node_player[node] == seat or t.options_left[node] == 0:
                    t.distance[node] = t.distance[after] + 1
                    t.waiting[found] = node
                    found += 1
    return settle_found(t, found, worth)


def is_beyond(worth: int, other: int) -> int:
    """Return whether a value is at least as far from 0 as another value, on the same side."""
    if other > 0 and worth >= other:
        return 1
    if other < 0 and worth <= other:
        return 1
    if other == 0 and worth == 0:
        return 1
    return 0


def settle_found(t: Positions, found: int, worth: int) -> int:
    """Settle those positions in `waiting` that are not yet settled."""
    for place in range(found):
        node = t.waiting[place]
        if t.node_settled[node] == 0:
            t.node_settled[node] = 1
            t.node_worth[node] = worth
            t.node_length[node] = t.distance[node]
    return 0
