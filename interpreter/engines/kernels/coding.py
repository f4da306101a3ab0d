"""Kernels that encode an observation as numbers from 0 to 1, the form that neural networks take as input.

There is a plan for each player. The rows of a plan say which numbers to encode, and how.
`knowledge/encoding.py` makes the plans. Each number of an observation is looked up in the table of
its *code*, and is encoded as a row of that table.
"""

from __future__ import annotations

from rulewright.interpreter.engines.kernels.sight import HIDDEN, NONE, observe_one
from rulewright.interpreter.engines.kernels.tree import Tree

EACH, SUM, ASKED_NUMBERS, PIECES = 0, 1, 2, 3
"""The kinds of rows: each number separately, the mean of all numbers, numbers of a question, places of pieces."""
WIDTH = 6
"""The length of a row: its kind, and five more numbers."""
CODE = 4
"""The length of a code: the start of its table, its smallest value, its last row, and the width of the rows."""
BEFORE = 2
"""The number of rows before the row of the smallest value. They are for `HIDDEN` and `NONE`."""
OF_KIND = 10
"""The number of entries for a kind of pieces (see `encode_pieces`)."""
OF_CHANNEL = 3
"""The length of a channel: the index for counting equal pieces, the number of pieces that fit in it, and its shape."""
PLAIN, ROW, PILE = 0, 1, 2
"""The shapes of channels."""
NOWHERE = -1
GROWN = -2
"""A number up to this one means that the place is on a growing grid."""
OF_GROWN = 7
"""The length of a zone on a growing grid.

Its first numbers are its first place, the step to the next place, and its first channel. The others
are the start of the used spaces, the step to the next space, the number of spaces, and the number
of channels of each.
"""


def row_of(t: Tree, code: int, number: int) -> int:
    """Return the index at which the row of a number begins in the table of a code."""
    place = CODE * code
    row = 1
    low = t.code[place + 1]
    if number == HIDDEN:
        row = 0
    elif number >= low:
        row = number - low
        if row > t.code[place + 2]:
            row = t.code[place + 2]
        row += BEFORE
    return t.code[place] + row * t.code[place + 3]


def add(t: Tree, place: int, number: float) -> None:
    """Add to a number of the encoding. The sum is limited to 1, in spite of rounding."""
    found = t.coded[place] + number
    if found > 1.0:
        found = 1.0
    t.coded[place] = found


def clear(t: Tree, count: int) -> None:
    """Write `count` zeros."""
    to = t.coded_at
    for number in range(to, to + count):
        t.coded[number] = 0.0
    t.coded_at = to + count


def encode_each(t: Tree, base: int, row: int) -> None:
    """Write the codes of several numbers, one after another."""
    first = t.coding[row + 1]
    count = t.coding[row + 2]
    place = CODE * t.coding[row + 3]
    start = t.code[place]
    low = t.code[place + 1]
    last = t.code[place + 2]
    width = t.code[place + 3]
    to = t.coded_at
    for index in range(first, first + count):
        number = t.seen[base + t.coding_source[index]]
        origin = start + width
        if number >= low:
            number -= low
            if number > last:
                number = last
            origin = start + (number + BEFORE) * width
        elif number == HIDDEN:
            origin = start
        for part in range(width):
            t.coded[to + part] = t.code_value[origin + part]
        to += width
    t.coded_at = to


def encode_sum(t: Tree, base: int, row: int) -> None:
    """Write the mean of the codes of the items of a list. Unused places count as zeros."""
    first = t.coding[row + 1]
    count = t.coding[row + 2]
    code = t.coding[row + 3]
    low = t.code[CODE * code + 1]
    width = t.code[CODE * code + 3]
    to = t.coded_at
    clear(t, width)
    for index in range(first, first + count):
        number = t.seen[base + t.coding_source[index]]
        if number == NONE:
            break
        if number >= low or number == HIDDEN:
            origin = row_of(t, code, number)
            for part in range(width):
                add(t, to + part, t.code_value[origin + part] / count)


def encode_asked(t: Tree, base: int, row: int) -> None:
    """Write the codes of the numbers in the text of the question. The codes depend on the decision."""
    first = t.coding[row + 1]
    count = t.coding[row + 2]
    width = t.coding[row + 3]
    site = t.seen[base + t.coding[row + 4]]
    to = t.coded_at
    clear(t, width)
    if site >= 0:
        for number in range(count):
            code = t.coding_source[first + site * count + number]
            if code >= 0:
                origin = row_of(t, code, t.seen[base + t.coding[row + 5] + number])
                for part in range(t.code[CODE * code + 3]):
                    t.coded[to + part] = t.code_value[origin + part]
                to += t.code[CODE * code + 3]


def rank_of(t: Tree, base: int, first: int, stride: int, count: int, space: int) -> int:
    """Return the index of a space among the used spaces. The used spaces are sorted."""
    low = 0
    high = count
    while low < high:
        middle = (low + high) // 2
        other = t.seen[base + first + middle * stride]
        if other < 0 or other >= space:
            high = middle
        else:
            low = middle + 1
    return low


def channel_of(t: Tree, base: int, kind: int, place: int) -> int:
    """Return the channel of a place that contains a piece, or -1 if the place has no channel."""
    found = t.coding_place[t.coding_kind[kind + 5] + place]
    if found > GROWN:
        return found
    grown = t.coding_kind[kind + 9] + OF_GROWN * (GROWN - found)
    space = (place - t.coding_place[grown]) // t.coding_place[grown + 1]
    rank = rank_of(
        t,
        base,
        t.coding_place[grown + 3],
        t.coding_place[grown + 4],
        t.coding_place[grown + 5],
        space,
    )
    return t.coding_place[grown + 2] + rank * t.coding_place[grown + 6]


def add_piece(
    t: Tree, begin: int, kind: int, group: int, counted: int, channel: int, weight: float
) -> None:
    """Add a piece to a channel: to the count of its equal copies, and to the totals of all pieces."""
    here = t.coding_kind[kind + 4] + OF_CHANNEL * channel
    columns = t.coding_kind[kind + 2]
    share = weight / t.coding_place[here + 1]
    all_of = begin + t.coding_kind[kind + 7] + channel * (columns + 1)
    table = t.coding_kind[kind + 3] + t.coding_source[group + 1] * columns
    add(t, counted + t.coding_place[here], weight / t.coding_source[group])
    add(t, all_of, share)
    for column in range(columns):
        add(t, all_of + 1 + column, share * t.code_value[table + column])


def encode_pieces(t: Tree, base: int, row: int) -> None:
    """Write the places of the pieces of a kind.

    For each group of equal pieces, this is the number of hidden pieces, then the number of pieces
    in each channel. For each channel, it is then the number of pieces in it, and the sums of their
    columns. The entries of a kind are: count, groups, columns, table of the columns, channels,
    places, width of a group, where channels begin, groups, and zones on growing grids. The entries
    of a group are the number of its pieces, and its place in the encoding.
    """
    kind = OF_KIND * t.coding[row + 2]
    at = base + t.coding[row + 1]
    begin = t.coded_at
    clear(t, t.coding[row + 3])
    for number in range(t.coding_kind[kind + 1]):
        group = t.coding_kind[kind + 8] + 2 * number
        counted = begin + t.coding_source[group + 1] * t.coding_kind[kind + 6]
        for _number in range(t.coding_source[group]):
            place = t.seen[at]
            height = t.seen[at + 1]
            at += 2
            if place == HIDDEN:
                add(t, counted, 1.0 / t.coding_source[group])
            elif place >= 0:
                channel = channel_of(t, base, kind, place)
                if channel >= 0:
                    shape = t.coding_place[t.coding_kind[kind + 4] + OF_CHANNEL * channel + 2]
                    if shape == ROW and height > 0:
                        channel += height - 1
                    add_piece(t, begin, kind, group, counted, channel, 1.0)
                    if shape == PILE:
                        weight = float(height) / t.coding_kind[kind]
                        add_piece(t, begin, kind, group, counted, channel + 1, weight)


def encode_one(t: Tree, base: int, player: int) -> None:
    """Write the encoding of an observation that begins at index `base` in `seen`."""
    for line in range(t.codings[player], t.codings[player + 1]):
        row = WIDTH * line
        what = t.coding[row]
        if what == EACH:
            encode_each(t, base, row)
        elif what == SUM:
            encode_sum(t, base, row)
        elif what == ASKED_NUMBERS:
            encode_asked(t, base, row)
        else:
            encode_pieces(t, base, row)


def encode(t: Tree, count: int) -> int:
    """Write the encodings of many observations. The observations are stored one after another in `seen`."""
    for number in range(count):
        write_code(t, number, number * t.seen_size)
    return 0


def observe_and_encode(t: Tree, count: int) -> int:
    """Observe and encode many states, without storing the observations. Return the number of states
    that were left out."""
    left = 0
    for number in range(count):
        if observe_one(t, number, 0) != 0:
            t.left_out[left] = number
            left += 1
        else:
            write_code(t, number, 0)
    return left


def write_code(t: Tree, number: int, base: int) -> None:
    """Write the encoding of an observation to its place, as floats or as integers up to 255."""
    player = t.watchers[number]
    if t.in_bytes == 0:
        t.coded_at = number * t.coded_size
        encode_one(t, base, player)
    else:
        t.coded_at = 0
        encode_one(t, base, player)
        to = number * t.coded_size
        for place in range(t.coded_size):
            t.coded_bytes[to + place] = nearest_integer(t.coded[place] * 255.0)


def nearest_integer(number: float) -> int:
    """Round a non-negative number to the nearest integer."""
    return int(number + 0.5)
