"""Kernels that compute observations of many states for `Observer` of `rulewright.interpreter.knowledge.observers`.

There is a plan for each block and player. The rows of a plan list the cells to read.
`knowledge/observers.py` makes the plans. If numbers in the text of an open question do not come
directly from cells, an engine must add them.
"""

from __future__ import annotations

from rulewright.dsl.ir import BOUND, FP, FRAME, OVER, PLAYER, SITE
from rulewright.interpreter.engines.kernels.hidden import (
    COUNT,
    KNOWN,
    PREVIOUS,
    SLOT_OF,
    ZONE_OF,
)
from rulewright.interpreter.engines.kernels.tree import Tree, copy_cells

HIDDEN = -2147483648
NONE = -2147483647
HEAD = 4
ASKED = 8

FILL, COPY, LISTED, ADDED, GROWING, ON_PIECES, PIECES = 0, 1, 2, 3, 4, 5, 6
"""The kinds of rows: a repeated number, cells, lists, sums, used spaces, cells on pieces, or places of pieces."""
WIDTH = 6
"""The length of a row: its kind, and five more numbers."""
CONSTANT, LOCAL, CELL, TABLE, PLUS, MINUS, TIMES, REST, SAID, LIST, LEFT = range(11)
"""The kinds of steps that compute the numbers of a question with a stack (`knowledge.question_numbers`).

A step pushes a number, a local, a cell given by its address, or a row of a table, or joins the last
two numbers on the stack. `SAID` writes the result, `LIST` writes a list of the frame, and `LEFT`
leaves the question to an engine.
"""
OF_ZONE = 6
"""The length of a zone in a plan: code, cell of its space, width, and flags for its order,
visibility and shown pieces."""


def write(t: Tree, number: int) -> None:
    """Append a number to the observation."""
    t.seen[t.seen_at] = number
    t.seen_at += 1


def write_head(t: Tree, base: int, player: int) -> int:
    """Write the part of the open question that the player may know. Return 1 if the numbers in its
    text are left out, otherwise 0."""
    site = t.watched[base + SITE]
    decides = t.watched[base + PLAYER]
    left = 0
    write(t, player)
    end = t.seen_at + HEAD - 1 + ASKED
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
            if site >= 0 and decides == player:
                left = write_asked(t, base, site, end)
    while t.seen_at < end:
        write(t, NONE)
    return left


def write_asked(t: Tree, base: int, site: int, end: int) -> int:
    """Write the numbers in the text of a question, up to `end`. Return 1 if the numbers are left to
    an engine, otherwise 0."""
    frame = base + t.watched[base + FP] + FRAME
    top = 0
    for number in range(t.sight_question[site], t.sight_question[site + 1]):
        what = t.sight_asked[2 * number]
        place = t.sight_asked[2 * number + 1]
        if what == LEFT:
            return 1
        if what == SAID:
            top = 0
            if t.seen_at < end:
                write(t, t.sight_stack[0])
        elif what == LIST:
            for item in range(t.watched[frame + place]):
                if t.seen_at < end:
                    write(t, t.watched[frame + place + 1 + item])
        else:
            top = compute(t, base, what, place, top)
            if top < 0:
                return 1
    return 0


def compute(t: Tree, base: int, what: int, place: int, top: int) -> int:
    """Run a step with the stack of a question. Return the new height of the stack, or -1 if an
    engine must report the fault."""
    if what == CONSTANT:
        t.sight_stack[top] = place
        return top + 1
    if what == LOCAL:
        t.sight_stack[top] = t.watched[base + t.watched[base + FP] + FRAME + place]
        return top + 1
    last = t.sight_stack[top - 1]
    if what == CELL:
        if last + place < 0 or last + place >= t.size:
            return -1
        t.sight_stack[top - 1] = t.watched[base + place + last]
        return top
    if what == TABLE:
        if last < 0 or last >= t.sight_asked[place]:
            return -1
        t.sight_stack[top - 1] = t.sight_asked[place + 1 + last]
        return top
    if what == PLUS:
        t.sight_stack[top - 2] = t.sight_stack[top - 2] + last
    elif what == MINUS:
        t.sight_stack[top - 2] = t.sight_stack[top - 2] - last
    elif what == TIMES:
        t.sight_stack[top - 2] = t.sight_stack[top - 2] * last
    elif last <= 0 or t.sight_stack[top - 2] < 0:
        return -1
    else:
        t.sight_stack[top - 2] = t.sight_stack[top - 2] % last
    return top - 1


def fill(t: Tree, count: int, number: int) -> None:
    """Append a number `count` times."""
    at = t.seen_at
    for place in range(at, at + count):
        t.seen[place] = number
    t.seen_at = at + count


def write_plain(t: Tree, base: int, row: int) -> None:
    """Append the values for a row of the plan that needs no other rows."""
    what = t.sight[row]
    first = t.sight[row + 1]
    last = t.sight[row + 2]
    step = t.sight[row + 3]
    if what == FILL:
        fill(t, first, HIDDEN)
    elif what == COPY:
        copy_cells(t.seen, t.seen_at, t.watched, base + first, last - first)
        t.seen_at += last - first
    else:
        place = first
        while place < last:
            if what == LISTED:
                count = t.watched[base + place]
                copy_cells(t.seen, t.seen_at, t.watched, base + place, count + 1)
                t.seen_at += count + 1
                fill(t, step - 1 - count, NONE)
            else:
                total = 0
                for item in range(step):
                    total += t.watched[base + place + item]
                write(t, total)
                fill(t, step - 1, HIDDEN)
            place += step


def write_growing(t: Tree, base: int, row: int) -> None:
    """Append the used spaces of a growing grid, in order."""
    first = base + t.sight[row + 1]
    count = t.sight[row + 2]
    width = t.sight[row + 3]
    rows = t.sight[row + 4]
    end = t.seen_at + (width + 1) * count
    used = 0
    for slot in range(count):
        space = t.watched[first + slot]
        if space >= 0:
            place = used
            while place > 0 and t.watched[first + t.sight_slot[place - 1]] > space:
                t.sight_slot[place] = t.sight_slot[place - 1]
                place -= 1
            t.sight_slot[place] = slot
            used += 1
    for place in range(used):
        write(t, t.watched[first + t.sight_slot[place]])
        write_plain(t, base, WIDTH * (rows + t.sight_slot[place]))
    fill(t, end - t.seen_at, NONE)


def is_less(t: Tree, one: int, other: int, width: int) -> int:
    """Return whether one row of the observation is sorted before another row."""
    for place in range(width):
        if t.seen[one + place] != t.seen[other + place]:
            if t.seen[one + place] < t.seen[other + place]:
                return 1
            return 0
    return 0


def profile_in(t: Tree, begin: int, width: int) -> None:
    """Insert the last row of the observation into the sorted rows before it. The sorted rows start at `begin`."""
    here = t.seen_at - width
    if width == 2:
        first = t.seen[here]
        second = t.seen[here + 1]
        while here > begin and (
            t.seen[here - 2] > first or (t.seen[here - 2] == first and t.seen[here - 1] > second)
        ):
            t.seen[here] = t.seen[here - 2]
            t.seen[here + 1] = t.seen[here - 1]
            here -= 2
        t.seen[here] = first
        t.seen[here + 1] = second
        return
    while here > begin and is_less(t, here, here - width, width) != 0:
        for place in range(width):
            kept = t.seen[here + place]
            t.seen[here + place] = t.seen[here - width + place]
            t.seen[here - width + place] = kept
        here -= width


def is_seen(t: Tree, base: int, piece: int, player: int, plan: int) -> int:
    """Return whether a player knows the place of a piece."""
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
    """Write the code of the zone of a known piece, and its place in the zone if the order of pieces is shown."""
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
    """Append the places of pieces in groups of equal copies. Each copy has a row, and the rows of a
    group are sorted."""
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
            profile_in(t, begin, width)
        place += size


def observe_one(t: Tree, number: int, at: int) -> int:
    """Compute the observation of a state. Return 1 if the numbers of its question are left out, otherwise 0."""
    base = number * t.size
    player = t.watchers[number]
    block = 0
    if t.together >= 0:
        block = t.watched[base + t.together]
    plan = block * t.seats + player
    t.seen_at = at
    left = write_head(t, base, player)
    for line in range(t.sights[plan], t.sights[plan + 1]):
        row = WIDTH * line
        what = t.sight[row]
        if what == GROWING:
            write_growing(t, base, row)
        elif what < ON_PIECES:
            write_plain(t, base, row)
        else:
            write_pieces(t, base, row, player, plan)
    return left


def observe(t: Tree, count: int) -> int:
    """Compute the observations of many states, each by one player. Return the number of states in `left_out`."""
    left = 0
    for number in range(count):
        if observe_one(t, number, number * t.seen_size) != 0:
            t.left_out[left] = number
            left += 1
    return left
