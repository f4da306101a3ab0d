"""Kernels that draw places for hidden pieces, and hash the view of a player.

`possible_state` does the same as `possible_state` of `rulewright.interpreter.knowledge.hidden_pieces`
with a stored state and equal random numbers. `seen_key` is a hash of the observation in
`rulewright.interpreter.knowledge.observation`, so states that look the same have equal hashes. Both
read the tables of `rulewright.interpreter.knowledge.search_tables`.
"""

from __future__ import annotations

from rulewright.dsl.ir import FP, FRAME, PLAYER, SITE, SP
from rulewright.interpreter.engines.chance import MASK
from rulewright.interpreter.engines.kernels.machine import (
    AWAY,
    FOURTH,
    ONE,
    OTHER,
    below,
    cells_key,
    mix_bits,
)
from rulewright.interpreter.engines.kernels.tree import HERE, Tree, copy_cells

EXCHANGES = 4
"""The number of exchanges that are tried per piece and per doubling of the number of pieces."""

ZONE_OF, SLOT_OF, KNOWN, NEXT, PREVIOUS, HEAD, TAIL, COUNT = 0, 1, 2, 3, 4, 5, 6, 7
"""The indices in `links` at which the start of each class of cells is stored."""

PLAIN, IN_SLOT, ON_PIECE, IS_PIECE = 0, 1, 2, 3
"""The kinds of rows of a plan: always seen, in a slot of a growing grid, on a piece, or the place of a piece."""
NOTHING, CELLS, LISTS, SUMS = 0, 1, 2, 3
"""The ways to read a row: nothing, cells as they are, lists with their lengths, or sums."""
ROW = 7
"""The length of a row: owner, way to read, first cell, end of the cells, step, and two more numbers."""


# ---- possible other arrangements -----------------------------------------------------------------


def block_now(t: Tree, base: int) -> int:
    """Return the running simultaneous block, or 0 if there is none."""
    if t.together < 0:
        return 0
    return t.states[base + t.together]


def find_tied(t: Tree, base: int) -> None:
    """Mark the pieces that keep their places, because stored values refer to them or other things are on them."""
    for piece in range(t.pieces):
        t.tied[piece] = 0
    for number in range(t.tie_values):
        piece = t.states[base + t.tie_value[number]]
        if piece >= 0 and piece < t.pieces:
            t.tied[piece] = 1
    for number in range(t.tie_tests):
        if t.states[base + t.tie_test[3 * number + 1]] != t.tie_test[3 * number + 2]:
            t.tied[t.tie_test[3 * number]] = 1


def is_hidden(t: Tree, base: int, piece: int, player: int, block: int) -> int:
    """Return whether a piece may be in another place, given what a player knows."""
    zone = t.states[base + t.links[ZONE_OF] + piece]
    if zone < 0 or t.sees[zone * t.seats + player] != 0 or t.tied[piece] != 0:
        return 0
    if t.apart[block * t.zones + zone] != 0:
        return 1
    return 1 - was_shown(t, base, piece, player)


def was_shown(t: Tree, base: int, piece: int, player: int) -> int:
    """Return whether a player has seen a piece, and nobody has since moved the piece out of sight."""
    if t.links[KNOWN] < 0:
        return 0
    return (t.states[base + t.links[KNOWN] + piece] >> player) & 1


def kind_of(t: Tree, zone: int, block: int) -> int:
    """Return the class of a zone during a block."""
    if t.apart[block * t.zones + zone] != 0:
        return t.apart_class[zone]
    return t.zone_class[zone]


def note_piece(t: Tree, base: int, piece: int, player: int, block: int) -> None:
    """Store the profile of a hidden piece, and the need of its place."""
    zone = t.states[base + t.links[ZONE_OF] + piece]
    may_move = t.may_move[(block * t.seats + player) * t.zones + zone]
    kept = -1
    if t.apart[block * t.zones + zone] != 0 and was_shown(t, base, piece, player) != 0:
        kept = t.owner[zone]
    back = t.back[t.piece_class[piece] * t.zone_classes + kind_of(t, zone, block)]
    t.piece_profile[piece] = profile_of(t, t.piece_class[piece], kept)
    t.piece_need[piece] = need_of(t, back, may_move)


def profile_of(t: Tree, kind: int, kept: int) -> int:
    """Return the number of a profile of pieces: their class, and the player with whom they stay."""
    for profile in range(t.profiles):
        if t.profile[2 * profile] == kind and t.profile[2 * profile + 1] == kept:
            return profile
    t.profile[2 * t.profiles] = kind
    t.profile[2 * t.profiles + 1] = kept
    t.profiles += 1
    return t.profiles - 1


def need_of(t: Tree, back: int, may_move: int) -> int:
    """Return the number of a need.

    A need describes places, and consists of the columns that the places show, and the players who
    may be moving pieces in them.
    """
    for need in range(t.needs):
        if t.need[2 * need] == back and t.need[2 * need + 1] == may_move:
            return need
    t.need[2 * t.needs] = back
    t.need[2 * t.needs + 1] = may_move
    t.needs += 1
    return t.needs - 1


def fits(t: Tree, profile: int, need: int) -> int:
    """Return whether a piece with a profile could be in a place with a need."""
    if t.fitting[t.profile[2 * profile] * t.backs + t.need[2 * need]] == 0:
        return 0
    kept = t.profile[2 * profile + 1]
    if kept == -1:
        return 1
    return (t.need[2 * need + 1] >> kept) & 1


def find_groups(t: Tree) -> None:
    """Group the needs that are connected by profiles of pieces. The number of a group is its smallest need."""
    for need in range(t.needs):
        t.group[need] = need
    changed = 1
    while changed != 0:
        changed = 0
        for profile in range(t.profiles):
            least = t.needs
            for need in range(t.needs):
                if t.group[need] < least and fits(t, profile, need) != 0:
                    least = t.group[need]
            for need in range(t.needs):
                if t.group[need] > least and fits(t, profile, need) != 0:
                    t.group[need] = least
                    changed = 1


def all_fit(t: Tree, group: int) -> int:
    """Return whether every piece of a group fits every place of the group."""
    for place in range(t.hidden):
        piece = t.in_order[place]
        if t.group[t.piece_need[piece]] == group:
            for need in range(t.needs):
                if t.group[need] == group and fits(t, t.piece_profile[piece], need) == 0:
                    return 0
    return 1


def find_members(t: Tree, group: int) -> int:
    """Find the pieces of a group. Return their number.

    Write them to `member` in the order of their places, and to `lying` in the order of their
    numbers.
    """
    count = 0
    for place in range(t.hidden):
        piece = t.in_order[place]
        if t.group[t.piece_need[piece]] == group:
            t.member[count] = piece
            count += 1
    found = 0
    for piece in range(t.pieces):
        if t.piece_need[piece] >= 0 and t.group[t.piece_need[piece]] == group:
            t.lying[found] = piece
            found += 1
    return count


def first_free(t: Tree, count: int, need: int) -> int:
    """Return the index in `by_number` of the first piece that has no place yet and fits a need, or -1."""
    for number in range(count):
        if t.at_place[number] < 0 and fits(t, t.piece_profile[t.by_number[number]], need) != 0:
            return number
    return -1


def take_first(t: Tree, count: int) -> None:
    """Write the initial arrangement for exchanges to `lying`, for groups in which not every piece fits every place."""
    for number in range(count):
        t.by_number[number] = t.lying[number]
        t.lying[number] = -1
        t.at_place[number] = -1
    for place in range(count):
        free = first_free(t, count, t.piece_need[t.member[place]])
        if free < 0:
            free = find_way(t, count, place)
        else:
            t.via[free] = place
        while free >= 0:
            to = t.via[free]
            t.at_place[free] = to
            given = t.lying[to]
            t.lying[to] = free
            free = given
    for place in range(count):
        t.lying[place] = t.by_number[t.lying[place]]


def find_way(t: Tree, count: int, place: int) -> int:
    """Find a piece that has no place yet, but can get one if other pieces move. If there is none, return -1.

    Write to `via` the place to which each piece must move. The last of these moves is to `place`.
    """
    for number in range(count):
        t.via[number] = -1
    t.asked_place[0] = place
    asked = 1
    one = 0
    while one < asked:
        here = t.asked_place[one]
        need = t.piece_need[t.member[here]]
        for number in range(count):
            if t.via[number] < 0 and fits(t, t.piece_profile[t.by_number[number]], need) != 0:
                t.via[number] = here
                if t.at_place[number] < 0:
                    return number
                t.asked_place[asked] = t.at_place[number]
                asked += 1
        one += 1
    return -1


def may_exchange(t: Tree, one: int, other: int) -> int:
    """Return whether the pieces in two places of a group may change places."""
    need_one = t.piece_need[t.member[one]]
    need_other = t.piece_need[t.member[other]]
    if need_one == need_other:
        return 1
    if fits(t, t.piece_profile[t.lying[one]], need_other) == 0:
        return 0
    return fits(t, t.piece_profile[t.lying[other]], need_one)


def mix(t: Tree, group: int) -> None:
    """Exchange the pieces of a group at random. For each piece, write the new piece in its place to `swapped`."""
    count = find_members(t, group)
    if all_fit(t, group) != 0:
        place = count - 1
        while place > 0:
            other = below(t, place + 1)
            kept = t.lying[place]
            t.lying[place] = t.lying[other]
            t.lying[other] = kept
            place -= 1
    else:
        take_first(t, count)
        bits = 0
        while (count >> bits) > 0:
            bits += 1
        for _ in range(EXCHANGES * bits):
            for one in range(count):
                other = below(t, count)
                if may_exchange(t, one, other) != 0:
                    kept = t.lying[one]
                    t.lying[one] = t.lying[other]
                    t.lying[other] = kept
    for place in range(count):
        t.swapped[t.member[place]] = t.lying[place]


def after_swap(t: Tree, piece: int) -> int:
    """Return the piece that is now in the place of a piece. The number -1 stays -1."""
    if piece < 0:
        return piece
    return t.swapped[piece]


def swap(t: Tree, base: int, player: int) -> None:
    """Exchange pieces according to `swapped`. The knowledge of `player` moves with the pieces."""
    for kind in range(PREVIOUS + 1):
        first = t.links[kind]
        if first >= 0:
            for piece in range(t.pieces):
                t.old[piece] = t.states[base + first + piece]
            for piece in range(t.pieces):
                value = t.old[piece]
                if kind >= NEXT:
                    value = after_swap(t, value)
                if kind == KNOWN:
                    own = (t.old[t.swapped[piece]] >> player) & 1
                    value += (own - ((value >> player) & 1)) << player
                t.states[base + first + t.swapped[piece]] = value
    for kind in range(HEAD, TAIL + 1):
        for zone in range(t.zones):
            place = base + t.links[kind] + zone
            t.states[place] = after_swap(t, t.states[place])
    for number in range(t.row_places):
        place = base + t.row_place[number]
        t.states[place] = after_swap(t, t.states[place])
    for zone in range(t.zones):
        if t.is_set[zone] != 0 and t.states[base + t.links[COUNT] + zone] > 1:
            profile_set(t, base, zone)


def profile_set(t: Tree, base: int, zone: int) -> None:
    """Link the pieces of a set in the order of their numbers."""
    count = 0
    piece = t.states[base + t.links[HEAD] + zone]
    while piece >= 0 and count < t.pieces:
        place = count
        while place > 0 and t.member[place - 1] > piece:
            t.member[place] = t.member[place - 1]
            place -= 1
        t.member[place] = piece
        count += 1
        piece = t.states[base + t.links[NEXT] + piece]
    if count == 0:
        return
    t.states[base + t.links[HEAD] + zone] = t.member[0]
    t.states[base + t.links[TAIL] + zone] = t.member[count - 1]
    for place in range(count):
        before = -1
        after = -1
        if place > 0:
            before = t.member[place - 1]
        if place + 1 < count:
            after = t.member[place + 1]
        t.states[base + t.links[PREVIOUS] + t.member[place]] = before
        t.states[base + t.links[NEXT] + t.member[place]] = after


def take_zone(t: Tree, base: int, zone: int, block: int, own: int) -> None:
    """Append the hidden pieces of a zone to `in_order`. The pieces of a row are not linked, but are in its cells.

    The pieces of a set have no order. They are sorted by the knowledge of all players except the
    one with the bit `own`, and by the columns that the set shows.
    """
    first = t.hidden
    for number in range(t.row_start[zone], t.row_start[zone + 1]):
        piece = t.states[base + t.row_place[number]]
        if piece >= 0 and t.piece_need[piece] >= 0:
            t.in_order[t.hidden] = piece
            t.hidden += 1
    piece = t.states[base + t.links[HEAD] + zone]
    while piece >= 0:
        if t.piece_need[piece] >= 0:
            rank = 0
            if t.is_set[zone] != 0:
                if t.links[KNOWN] >= 0:
                    known = t.states[base + t.links[KNOWN] + piece]
                    rank = (known - (known & own)) << 24
                rank += t.back[t.piece_class[piece] * t.zone_classes + kind_of(t, zone, block)]
            place = t.hidden
            while place > first and t.rank[place - 1] > rank:
                t.in_order[place] = t.in_order[place - 1]
                t.rank[place] = t.rank[place - 1]
                place -= 1
            t.in_order[place] = piece
            t.rank[place] = rank
            t.hidden += 1
        piece = t.states[base + t.links[NEXT] + piece]


def find_unknown(t: Tree, base: int, player: int) -> None:
    """Find the pieces that a player does not know, and the groups in which they may change places."""
    block = block_now(t, base)
    t.profiles = 0
    t.needs = 0
    t.hidden = 0
    if t.pieces == 0:
        return
    find_tied(t, base)
    for piece in range(t.pieces):
        t.swapped[piece] = piece
        t.piece_need[piece] = is_hidden(t, base, piece, player, block) - 1
    plan = block * t.seats + player
    for number in range(t.zone_orders[plan], t.zone_orders[plan + 1]):
        take_zone(t, base, t.zone_order[number], block, 1 << player)
    for place in range(t.hidden):
        note_piece(t, base, t.in_order[place], player, block)
    if t.hidden != 0:
        find_groups(t)


def exchange(t: Tree) -> None:
    """Exchange the pieces of all groups."""
    for need in range(t.needs):
        if t.group[need] == need:
            mix(t, need)


def copy_state(t: Tree, state: int, origin: int) -> None:
    """Copy one stored state to another. In both states, the cells beyond the stack are 0."""
    used = t.states[origin * t.size + SP]
    if t.states[state * t.size + SP] > used:
        used = t.states[state * t.size + SP]
    copy_cells(t.states, state * t.size, t.states, origin * t.size, used)


def possible_state(t: Tree, state: int, player: int) -> int:
    """Store as `state` a random state that looks the same to a player as the working state."""
    copy_state(t, state, HERE)
    find_unknown(t, state * t.size, player)
    if t.hidden != 0:
        exchange(t)
        swap(t, state * t.size, player)
    return 0


# ---- the view of a player ------------------------------------------------------------------------


def hash_row(t: Tree, row: int) -> int:
    """Return a hash of the cells that a row of a plan reads."""
    what = t.plan[row + 1]
    if what == NOTHING:
        return 0
    place = t.plan[row + 2]
    last = t.plan[row + 3]
    found = OTHER
    while place < last:
        if what == CELLS:
            found = ((found ^ (t.work[place] + AWAY)) * ONE) & MASK
            place += 1
        elif what == LISTS:
            for item in range(t.work[place] + 1):
                found = ((found ^ (t.work[place + item] + AWAY)) * ONE) & MASK
            place += t.plan[row + 4]
        else:
            total = 0
            for item in range(t.plan[row + 4]):
                total += t.work[place + item]
            found = ((found ^ (total + AWAY)) * ONE) & MASK
            place += t.plan[row + 4]
    return mix_bits(found)


def block_of_work(t: Tree) -> int:
    """Return the simultaneous block that is running in the working state, or 0 if there is none."""
    if t.together < 0:
        return 0
    return t.work[t.together]


def knows(t: Tree, piece: int, player: int, block: int) -> int:
    """Return whether a player knows the place of a piece."""
    zone = t.work[t.links[ZONE_OF] + piece]
    if zone < 0 or t.sees[zone * t.seats + player] != 0:
        return 1
    if t.apart[block * t.zones + zone] != 0 or t.links[KNOWN] < 0:
        return 0
    return (t.work[t.links[KNOWN] + piece] >> player) & 1


def place_of(t: Tree, piece: int, player: int) -> int:
    """Return a number for the zone of a known piece, and for its place in the zone if that is visible."""
    zone = t.work[t.links[ZONE_OF] + piece]
    if zone < 0:
        return 1
    code = zone
    if t.grown[2 * zone] >= 0:
        code = t.zones + t.grown[2 * zone + 1] + (t.work[t.grown[2 * zone]] << 20)
    if t.sees[zone * t.seats + player] == 0 or t.is_set[zone] != 0:
        return code << 16
    if t.is_row[zone] != 0:
        return (code << 16) + t.work[t.links[SLOT_OF] + piece]
    height = 1
    below_it = t.work[t.links[PREVIOUS] + piece]
    while below_it >= 0 and height < t.pieces:
        height += 1
        below_it = t.work[t.links[PREVIOUS] + below_it]
    return (code << 16) + height


def asked_key(t: Tree) -> int:
    """Return a hash of the arguments of the open question."""
    found = FOURTH
    frame = t.work[FP] + FRAME
    site = t.work[SITE]
    for number in range(t.question[site], t.question[site + 1]):
        place = t.asked[2 * number]
        if t.asked[2 * number + 1] == 0:
            found = ((found ^ (t.work[place] + AWAY)) * ONE) & MASK
        elif t.asked[2 * number + 1] == 1:
            found = ((found ^ (t.work[frame + place] + AWAY)) * ONE) & MASK
        else:
            for item in range(t.work[frame + place] + 1):
                found = ((found ^ (t.work[frame + place + item] + AWAY)) * ONE) & MASK
    return mix_bits(found)


def seen_key(t: Tree, player: int) -> int:
    """Return a hash of the view of a player, including the open question."""
    return sight_key(
        t, player, mix_bits((t.work[SITE] * t.seats + t.work[PLAYER] + 1) ^ asked_key(t))
    )


def sight_key(t: Tree, player: int, found: int) -> int:
    """Return a hash of the view of a player without the open question, mix_bits with the number `found`."""
    block = block_of_work(t)
    plan = block * t.seats + player
    for number in range(t.plans[plan], t.plans[plan + 1]):
        row = number * ROW
        kind = t.plan[row]
        if kind == PLAIN:
            found = mix_bits((found + hash_row(t, row)) & MASK)
        elif kind == IN_SLOT:
            space = t.work[t.plan[row + 5]]
            if space >= 0:
                here = (hash_row(t, row) ^ (t.plan[row + 6] << 32) ^ space) & MASK
                found = (found + mix_bits(here)) & MASK
        elif kind == ON_PIECE:
            here = 0
            if knows(t, t.plan[row + 5], player, block) != 0:
                here = hash_row(t, row)
            found = (found + mix_bits((here + (t.plan[row + 6] << 32)) & MASK)) & MASK
        else:
            here = 3
            if knows(t, t.plan[row + 5], player, block) != 0:
                here = place_of(t, t.plan[row + 5], player)
            here = mix_bits(here)
            found = (found + mix_bits((here ^ (t.plan[row + 6] << 32)) & MASK)) & MASK
    return found


def place_key(t: Tree, player: int) -> int:
    """Return a hash of the view of the deciding player, or of the whole state if nothing is hidden."""
    if t.hides != 0:
        return seen_key(t, player)
    return cells_key(t)
