"""Suggests names near to a misspelt word.

Independent of the meaning of names; the caller gives those that would be right at the place.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

MOST_NAMES: Final = 3

# Longer words are offered only for another case or order: comparing them letter by letter is slow.
_LONGEST_WORD: Final = 64


def near_names(word: str, names: Iterable[str], limit: int = MOST_NAMES) -> tuple[str, ...]:
    """At most `limit` of the names that are near the word, the nearest first.

    >>> near_names("stach", ["stash", "hand", "stack"])
    ('stack', 'stash')
    >>> near_names("hand_of_cards", ["cards_of_hand"])
    ('cards_of_hand',)
    """
    ranked = sorted(
        (distance, name)
        for name in set(names) - {word}
        if (distance := _distance(word, name)) is not None
    )
    return tuple(name for _, name in ranked[:limit])


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The question that offers the near names, or nothing when none is near.

    >>> did_you_mean("stach", ["stash", "hand", "stack"])
    'did you mean `stack` or `stash`?'
    >>> did_you_mean("stach", ["hand"])
    ''
    """
    near = near_names(word, names)
    if not near:
        return ""
    return f"did you mean {listed_or(near)}?"


def listed_or(names: Sequence[str]) -> str:
    """Names in backticks as a choice.

    >>> listed_or(["a", "b", "c"])
    '`a`, `b` or `c`'
    """
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def listed_and(names: Sequence[str]) -> str:
    """Names in backticks, all of them.

    >>> listed_and(["a", "b", "c"])
    '`a`, `b` and `c`'
    """
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


@lru_cache(maxsize=1 << 15)  # the same word is wrong with many choices of players and options
def _distance(word: str, name: str) -> int | None:
    """How far a name is from a word, or nothing when it is too far to be meant."""
    one, other = word.casefold(), name.casefold()
    if _parts(one) == _parts(other):
        return 0
    longer = max(len(one), len(other))
    if longer > _LONGEST_WORD:
        return None
    most = min(longer // 3, 3)
    if abs(len(one) - len(other)) > most:
        return None
    return _edits(one, other, most)


def _parts(name: str) -> list[str]:
    return sorted(part for part in name.split("_") if part)


def _edits(one: str, other: str, most: int) -> int | None:
    """Letters inserted, left out, replaced or swapped with a neighbour, unless more than `most`.

    The restricted Damerau-Levenshtein distance, row by row.
    """
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, other_letter in enumerate(other, start=1):
            replaced = previous[j - 1] + (letter != other_letter)
            cost = min(previous[j] + 1, row[j - 1] + 1, replaced)
            swapped = i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other_letter
            if swapped:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        # A swap reaches back over one row, so both must be too far for the rest to be.
        if min(row) > most and min(previous) > most:
            return None
        before, previous = previous, row
    return previous[-1] if previous[-1] <= most else None
