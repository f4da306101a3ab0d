"""Choose the combinations of players and options to check: all combinations, or enough for every
pair of choices to occur.

The functions here need only the number of values of each choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import prod

MOST_SETTINGS = 64
"""The maximum number of combinations of a game for which all of them are checked."""
MOST_LINES = 100_000
"""The limit for long games: the maximum total number of lines in all checked combinations."""
FEWEST_SETTINGS = 8
MOST_OPTIONS = 100
MOST_VALUES = 30
"""The maximum number of options of a game, and the maximum number of values of an option. These
limits keep the number of pairs small.
"""

Row = tuple[int, ...]
Pair = tuple[int, int, int, int]
"""A pair of values: a factor and its value, followed by a later factor and its value."""


def most_settings(lines: int) -> int:
    """For a game with this number of lines, return the maximum number of combinations up to which all are checked.

    >>> most_settings(100), most_settings(3_000), most_settings(40_000)
    (64, 33, 8)
    """
    return min(MOST_SETTINGS, max(FEWEST_SETTINGS, MOST_LINES // max(1, lines)))


def rows_of(sizes: Sequence[int], most: int = MOST_SETTINGS) -> list[Row]:
    """Return rows that contain, for each factor, one value in the range 0..size-1.

    The result contains all rows, or enough rows for every pair of values to occur in at least one
    row. The first row is all zeros. The same sizes give the same rows.
    """
    if prod(sizes) <= most:
        return list(product(*map(range, sizes)))
    # Invariant: the pairs are in the order in which they are used.
    missing: dict[Pair, None] = {
        (one, a, other, b): None
        for one, other in combinations(range(len(sizes)), 2)
        for a, b in product(range(sizes[one]), range(sizes[other]))
    }
    left = Counter(value for one, a, other, b in missing for value in ((one, a), (other, b)))
    row: Row = (0,) * len(sizes)
    rows: list[Row] = [row]
    while True:
        for one, other in combinations(range(len(sizes)), 2):
            pair = (one, row[one], other, row[other])
            if pair in missing:
                del missing[pair]
                left.subtract((pair[:2], pair[2:]))
        if not missing:
            return sorted(rows)
        row = _row(sizes, missing, left)
        rows.append(row)


def _row(sizes: Sequence[int], missing: dict[Pair, None], left: Counter[tuple[int, int]]) -> Row:
    """Return a row that contains the first missing pair.

    Each other factor in turn gets the value that adds the most missing pairs. If several values add
    equally many, the factor gets the value that is in the most missing pairs overall.
    """
    one, a, other, b = next(iter(missing))
    chosen = {one: a, other: b}
    for factor, size in enumerate(sizes):
        if factor not in chosen:
            met = [
                sum(_pair(factor, value, known, its) in missing for known, its in chosen.items())
                for value in range(size)
            ]
            chosen[factor] = max(range(size), key=lambda v: (met[v], left[factor, v], -v))
    return tuple(chosen[factor] for factor in range(len(sizes)))


def _pair(one: int, a: int, other: int, b: int) -> Pair:
    return (one, a, other, b) if one < other else (other, b, one, a)
