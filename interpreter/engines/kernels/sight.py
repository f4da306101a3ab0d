"""Kernels that fill observations of many states: `Observer` of `rulewright.interpreter.knowledge.observation`.

There is a plan for each block and player, whose rows say what is read. `knowledge/many_observations.py` makes them. The
numbers in the words of an open question are left out: an engine works them out.
"""

from __future__ import annotations

from rulewright.dsl.ir import BOUND, OVER, PLAYER, SITE
from rulewright.interpreter.engines.kernels.hidden import (
    COUNT,
    KNOWN,
    PREVIOUS,
    SLOT_OF,
    ZONE_OF,
)
from rulewright.interpreter.engines.kernels.tree import Tree

HIDDEN = -2147483648
NONE = -2147483647
HEAD = 4
ASKED = 8

FILL, COPY, LISTED, ADDED, GROWING, ON_PIECES, PIECES = 0, 1, 2, 3, 4, 5, 6
"""The kinds of rows: a repeated number, cells, lists, sums, spaces in use, on pieces, where pieces lie."""
WIDTH = 6
"""How many numbers a row has: its kind, and five more."""
OF_ZONE = 6
"""How many numbers a zone has for a plan: code, cell of its space, width, whether order counts, sees, shows."""


def write(t: Tree, number: int) -> None:
    """Add a number to the observation."""
    t.seen[t.seen_at] = number
    t.seen_at += 1


def write_head(t: Tree, base: int, player: int) -> None:
    """Write the open question, as far as the player may know it."""
    site = t.watched[base + SITE]
    decides = t.watched[base + PLAYER]
    write(t, player)
    if t.watched[base + BOUND] != 0:
        write(t, 0)
        write(t, NONE)
        write(t, NONE)
    else:
        write(t, t.watched[base + OVER])
        is_hidden = 0
        if site >= 0 and decides != player:
            is_hidden = t.site_own[site]
        if is_hidden != 0:
            write(t, HIDDEN)
            write(t, HIDDEN)
        else:
            write(t, decides)
            write(t, site)
    for _number in range(ASKED):
        write(t, NONE)


def write_plain(t: Tree, base: int, row: int) -> None:
    """Read a row that stands for itself."""
    what = t.sight[row]
    first = t.sight[row + 1]
    last = t.sight[row + 2]
    step = t.sight[row + 3]
    if what == FILL:
        for _number in range(first):
            write(t, HIDDEN)
    elif what == COPY:
        for cell in range(first, last):
            write(t, t.watched[base + cell])
    else:
        place = first
        while place < last:
            if what == LISTED:
                count = t.watched[base + place]
                for item in range(count + 1):
                    write(t, t.watched[base + place + item])
                for _number in range(step - 1 - count):
                    write(t, NONE)
            else:
                total = 0
                for item in range(step):
                    total += t.watched[base + place + item]
                write(t, total)
                for _number in range(step - 1):
                    write(t, HIDDEN)
            place += step


def write_growing(t: Tree, base: int, row: int) -> None:
    """Read the spaces that are in use, in their order."""
    first = t.sight[row + 1]
    count = t.sight[row + 2]
    width = t.sight[row + 3]
    rows = t.sight[row + 4]
    end = t.seen_at + (width + 1) * count
    last = -1
    slot = 0
    while slot >= 0:
        slot = -1
        best = 0
        for other in range(count):
            space = t.watched[base + first + other]
            if space > last and (slot < 0 or space < best):
                slot = other
                best = space
        if slot >= 0:
            last = best
            write(t, best)
            write_plain(t, base, WIDTH * (rows + slot))
    while t.seen_at < end:
        write(t, NONE)


def is_less(t: Tree, one: int, other: int, width: int) -> int:
    """Whether some numbers of the observation come before others."""
    for place in range(width):
        if t.seen[one + place] != t.seen[other + place]:
            if t.seen[one + place] < t.seen[other + place]:
                return 1
            return 0
    return 0


def sort_in(t: Tree, begin: int, width: int) -> None:
    """Bring the last of some rows of the observation to its place among them; they begin somewhere."""
    here = t.seen_at - width
    while here > begin and is_less(t, here, here - width, width) != 0:
        for place in range(width):
            kept = t.seen[here + place]
            t.seen[here + place] = t.seen[here - width + place]
            t.seen[here - width + place] = kept
        here -= width


def is_seen(t: Tree, base: int, piece: int, player: int, plan: int) -> int:
    """Whether a player knows where a piece lies."""
    zone = t.watched[base + t.links[ZONE_OF] + piece]
    if zone < 0:
        return 1
    here = OF_ZONE * (plan * t.zones + zone)
    if t.sight_zone[here + 4] != 0:
        return 1
    if t.sight_zone[here + 5] == 0 or t.links[KNOWN] < 0:
        return 0
    return (t.watched[base + t.links[KNOWN] + piece] >> player) & 1


def write_place(t: Tree, base: int, piece: int, plan: int) -> None:
    """The code of the zone of a known piece, and its place there where order counts."""
    zone = t.watched[base + t.links[ZONE_OF] + piece]
    if zone < 0:
        write(t, NONE)
        write(t, 0)
        return
    here = OF_ZONE * (plan * t.zones + zone)
    code = t.sight_zone[here]
    if t.sight_zone[here + 1] >= 0:
        code += t.watched[base + t.sight_zone[here + 1]] * t.sight_zone[here + 2]
    write(t, code)
    if t.sight_zone[here + 3] == 0:
        write(t, 0)
    elif t.is_row[zone] != 0:
        write(t, t.watched[base + t.links[SLOT_OF] + piece])
    elif t.watched[base + t.links[COUNT] + zone] == 1:
        write(t, 1)
    else:
        height = 1
        below_it = t.watched[base + t.links[PREVIOUS] + piece]
        while below_it >= 0 and height < t.pieces:
            height += 1
            below_it = t.watched[base + t.links[PREVIOUS] + below_it]
        write(t, height)


def write_pieces(t: Tree, base: int, row: int, player: int, plan: int) -> None:
    """Read pieces in groups of equal copies: each copy has a row, and the rows of a group are sorted."""
    first = t.sight[row + 1]
    groups = t.sight[row + 2]
    width = t.sight[row + 3]
    rows = t.sight[row + 4]
    place = t.sight[row + 5]
    for _group in range(groups):
        size = t.sight_group[place]
        place += 1
        begin = t.seen_at
        for number in range(size):
            position = t.sight_group[place + number]
            if is_seen(t, base, t.sight_group[first + position], player, plan) == 0:
                for _number in range(width):
                    write(t, HIDDEN)
            elif t.sight[row] == PIECES:
                write_place(t, base, t.sight_group[first + position], plan)
            else:
                write_plain(t, base, WIDTH * (rows + position))
            sort_in(t, begin, width)
        place += size


def observe_one(t: Tree, number: int) -> None:
    """Fill the observation of a state."""
    base = number * t.size
    player = t.watchers[number]
    block = 0
    if t.together >= 0:
        block = t.watched[base + t.together]
    plan = block * t.seats + player
    t.seen_at = number * t.seen_size
    write_head(t, base, player)
    for line in range(t.sights[plan], t.sights[plan + 1]):
        row = WIDTH * line
        what = t.sight[row]
        if what == GROWING:
            write_growing(t, base, row)
        elif what < ON_PIECES:
            write_plain(t, base, row)
        else:
            write_pieces(t, base, row, player, plan)


def observe(t: Tree, count: int) -> int:
    """Fill the observations of many states, each for one of the players."""
    for number in range(count):
        observe_one(t, number)
    return 0
