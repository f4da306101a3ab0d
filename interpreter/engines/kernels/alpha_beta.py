"""Finds exact values by alpha-beta search with a table. This is a kernel, which runs as Python and as native code.

A search may stop after any decision and continue later. At each decision, the best option of an
earlier search comes first, then those that were often the best elsewhere. Options that end the
game, or that have a value in the table, are examined before all others.
"""

from __future__ import annotations

from rulewright.dsl.ir import OVER, PLAYER, SITE
from rulewright.interpreter.engines.kernels.machine import cells_key
from rulewright.interpreter.engines.kernels.positions import (
    INFINITE,
    OpenGame,
    Positions,
    list_options,
    worth_of_end,
)

KINDS = 4096
"""The number of kinds of options. For each kind, a counter contains how often its options were the best."""


def open_search(game: OpenGame, t: Positions, low: int) -> int:
    """Begin to test whether the value of the sample is above a number."""
    game.load(t, 0)
    t.depth = 0
    return enter_position(game, t, low, low + 1)


def search_on(game: OpenGame, t: Positions, many: int) -> int:
    """Continue a search for `many` decisions. The search is over when no levels are left."""
    game.load(t, 0)
    return walk(game, t, t.searched + many)


def walk(game: OpenGame, t: Positions, limit: int) -> int:
    """Search until `limit` decisions have been examined in total."""
    while t.depth > 0 and t.searched < limit:
        level = t.depth - 1
        if t.level_next[level] >= t.level_count[level] or t.level_low[level] >= t.level_high[level]:
            close_level(t, level)
            if t.depth > 0:
                take_worth(t, level - 1)
            continue
        game.load(t, level)
        game.advance(t, t.listed[t.level_first[level] + t.level_next[level]])
        if enter_position(game, t, t.level_low[level], t.level_high[level]) != 0:
            take_worth(t, level)
    return 0


def take_worth(t: Positions, level: int) -> int:
    """Update a level with the value of the option that was just examined."""
    option = t.listed[t.level_first[level] + t.level_next[level]]
    t.level_next[level] += 1
    note_worth(t, level, option, t.got)
    if t.level_low[level] >= t.level_high[level]:
        like(t, level, option)
    return 0


def note_worth(t: Positions, level: int, option: int, worth: int) -> int:
    """Improve the bounds of a level, given the value of an option."""
    if t.level_player[level] == 0:
        if worth > t.level_found[level]:
            t.level_found[level] = worth
            t.level_best[level] = option
        if worth > t.level_low[level]:
            t.level_low[level] = worth
    else:
        if worth < t.level_found[level]:
            t.level_found[level] = worth
            t.level_best[level] = option
        if worth < t.level_high[level]:
            t.level_high[level] = worth
    return 0


def find_known(t: Positions, key: int) -> int:
    """Return the index of a position in the table, or -1 if the table does not contain it."""
    place = key & t.mask
    if t.known_key[place] == key:
        return place
    if t.known_key[place ^ 1] == key:
        return place ^ 1
    return -1


def key_here(t: Positions) -> int:
    """Return the hash of the working state. The hash is never 0, because 0 marks empty entries of the table."""
    key = cells_key(t)
    if key == 0:
        key = 1
    return key


def enter_position(game: OpenGame, t: Positions, low: int, high: int) -> int:
    """Examine the working state.

    Return 1 if its value (or a bound beyond `low` or `high`) is in `got`, or 0 if the state gets a
    new level.
    """
    if t.work[OVER] != 0:
        t.got = worth_of_end(game, t)
        return 1
    key = key_here(t)
    place = find_known(t, key)
    least = -INFINITE
    largest = INFINITE
    if t.by_points == 0:
        least = -1
        largest = 1
    best = -1
    if place >= 0:
        least = t.known_least[place]
        largest = t.known_largest[place]
        best = t.known_best[place]
        if least >= high or least == largest:
            t.got = least
            return 1
        if largest <= low:
            t.got = largest
            return 1
    level = t.depth
    count = list_options(game, t)
    game.save(t, level)
    t.level_key[level] = key
    t.level_player[level] = t.work[PLAYER]
    t.level_site[level] = t.work[SITE]
    t.level_low[level] = low
    t.level_high[level] = high
    t.level_least[level] = least
    t.level_largest[level] = largest
    if t.work[PLAYER] == 0:
        t.level_found[level] = -INFINITE
    else:
        t.level_found[level] = INFINITE
    t.level_best[level] = -1
    t.level_begun[level] = t.searched
    t.searched += 1
    t.depth = level + 1
    if count > 1:
        put_in_order(t, level, best)
        look_ahead(game, t, level, count)
    return 0


def kind_of(player: int, site: int, option: int) -> int:
    """Return the kind of an option."""
    return player * KINDS + ((option + site * 61) & (KINDS - 1))


def put_in_order(t: Positions, level: int, best: int) -> int:
    """Sort the options of a level: the best option first, then those that were often the best."""
    first = t.level_first[level]
    player = t.level_player[level]
    site = t.level_site[level]
    for number in range(1, t.level_count[level]):
        option = t.listed[first + number]
        liking = t.liked[kind_of(player, site, option)]
        if option == best:
            liking = INFINITE
        place = number
        while place > 0:
            other = t.listed[first + place - 1]
            if other == best or t.liked[kind_of(player, site, other)] >= liking:
                break
            t.listed[first + place] = other
            place -= 1
        t.listed[first + place] = option
    return 0


def look_ahead(game: OpenGame, t: Positions, level: int, count: int) -> int:
    """Use the values of options that are known without a search, and keep only the other options in the list."""
    first = t.level_first[level]
    kept = 0
    for number in range(count):
        option = t.listed[first + number]
        game.load(t, level)
        game.advance(t, option)
        is_known = 0
        if t.work[OVER] != 0:
            is_known = 1
            t.got = worth_of_end(game, t)
        else:
            place = find_known(t, key_here(t))
            if place >= 0:
                if t.known_least[place] >= t.level_high[level]:
                    is_known = 1
                    t.got = t.known_least[place]
                elif t.known_largest[place] <= t.level_low[level]:
                    is_known = 1
                    t.got = t.known_largest[place]
                elif t.known_least[place] == t.known_largest[place]:
                    is_known = 1
                    t.got = t.known_least[place]
        if is_known != 0:
            note_worth(t, level, option, t.got)
            if t.level_low[level] >= t.level_high[level]:
                like(t, level, option)
                break
        else:
            t.listed[first + kept] = option
            kept += 1
    t.level_count[level] = kept
    return 0


def like(t: Positions, level: int, option: int) -> int:
    """Count an option that turned out to be the best at a decision."""
    t.liked[kind_of(t.level_player[level], t.level_site[level], option)] += 1
    return 0


def close_level(t: Positions, level: int) -> int:
    """Store the value of the last level, or its bounds, and write the value to `got`."""
    found = t.level_found[level]
    t.got = found
    t.depth = level
    least = t.level_least[level]
    largest = t.level_largest[level]
    if t.level_low[level] < t.level_high[level]:
        # All options were examined, and none was beyond the bounds on its side.
        if t.level_player[level] == 0:
            largest = found
        else:
            least = found
    elif t.level_player[level] == 0:
        least = found
    else:
        largest = found
    store_known(t, level, least, largest)
    return 0


def store_known(t: Positions, level: int, least: int, largest: int) -> int:
    """Store bounds in the table. They replace an entry that took less effort, or else the second entry of the row."""
    key = t.level_key[level]
    effort = t.searched - t.level_begun[level]
    place = find_known(t, key)
    if place < 0:
        place = key & t.mask
        if t.known_key[place] != 0 and t.known_effort[place] > effort:
            place = place ^ 1
        t.nodes += 1
    t.known_key[place] = key
    t.known_least[place] = least
    t.known_largest[place] = largest
    t.known_best[place] = t.level_best[level]
    t.known_effort[place] = effort
    return 0
