"""Checks the arguments that a program passes to games and states. A wrong argument raises a `WrongArgumentError`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from operator import index

from rulewright.interpreter.text.errors import WrongArgumentError, with_near


def whole(value: object, what: str, low: int | None = None, high: int | None = None) -> int:
    """Check that a value is an integer within bounds, and return the value. Error messages call the value `what`.

    >>> whole(3, "seed")
    3
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # type: ignore[arg-type]  # `index` rejects all other types
    except TypeError:
        raise WrongArgumentError(f"{what} is a whole number, not {_value_text(value)}") from None
    is_low = low is not None and number < low
    if is_low or (high is not None and number > high):
        raise WrongArgumentError(f"{what} is {_bounds(low, high)}, not {_value_text(number)}")
    return number


def seat(value: object, seats: int, *others: int) -> int:
    """Check that a value is the number of a seat, or one of the numbers in `others`, and return the value."""
    if value in others and not isinstance(value, float):
        return whole(value, "a player")
    return whole(value, "a player", 0, seats - 1)


def many(seeds: object) -> None:
    """Raise an error if the argument is not an iterable of seeds. The seeds in a collection are checked too."""
    if not isinstance(seeds, Iterable) or isinstance(seeds, str | bytes):
        raise WrongArgumentError(f"seeds are several whole numbers, not {_value_text(seeds)}")
    if isinstance(seeds, list | tuple | Set | Mapping):
        for seed in seeds:
            if seed.__class__ is not int:
                whole(seed, "a seed")


def one_of(word: object, words: Collection[str], what: str) -> None:
    """Raise an error for a word that is not one of the known words."""
    if not isinstance(word, str) or word not in words:
        said = f"{what} is {' or '.join(map(repr, words))}, not {_value_text(word)}"
        raise WrongArgumentError(with_near(said, word, words) if isinstance(word, str) else said)


def _bounds(low: int | None, high: int | None) -> str:
    if high is None:
        return f"{low:,} or more"
    return f"{high:,} or less" if low is None else f"{low:,} to {high:,}"


def _value_text(value: object) -> str:
    """Return the text of a value for a message, shortened if it is long."""
    said = repr(value)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."


_LONGEST = 40
