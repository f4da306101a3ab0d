"""Implements the random number generator of chance. The generator mixes a counter by splitmix64,
and is the same in every engine.

The random word number `n` of a key is the upper 32 bits of `mix(key + (n + 1) * STEP)`. So a
generator is just two numbers, and can jump directly to any word.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from operator import length_hint

from attrs import define, field

from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds

STEP = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF
WORD = 0xFFFFFFFF


def mix(number: int) -> int:
    """Apply the finishing function of splitmix64.

    >>> hex(mix(STEP))
    '0xe220a8397b1dcdaf'
    """
    number &= MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def key_of(seed: int, stream: int = 0) -> int:
    """Return the key for a seed. Streams of the same seed (dice, each bot) are independent of each other.

    >>> key_of(7) != key_of(8) != key_of(7, stream=1)
    True
    """
    return mix(mix(seed) + stream * STEP)


def draw(key: int, counter: int, bound: int) -> tuple[int, int]:
    """Draw a number from 0 to `bound - 1`, with equal probabilities. Return the number and the new counter.

    >>> draw(0, 0, 6)
    (5, 1)
    """
    if not 1 <= bound <= WORD:
        raise WrongArgumentError(f"no number below {bound} can be drawn")
    while True:
        counter += 1
        # The upper half of this is the upper half of `mix(key + counter * STEP)`.
        number = (key + counter * STEP) & MASK
        number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
        product = ((number ^ (number >> 31)) >> 32) * bound
        low = product & WORD
        # The lowest `(2**32 - bound) % bound` of the 2**32 words are always rejected.
        if low >= bound or low >= (WORD + 1 - bound) % bound:
            return product >> 32, counter


@define
class Generator:
    """A generator of random numbers: a key, and the number of words drawn from the generator so far."""

    key: int
    counter: int = 0

    @classmethod
    @refuses_wrong_kinds
    def seeded(cls, seed: int, stream: int = 0) -> Generator:
        """Return the generator for a seed."""
        return cls(key_of(seed, stream))

    def below(self, bound: int) -> int:
        """Draw a number from 0 to `bound - 1`, with equal probabilities.

        >>> [Generator(0).below(6), Generator(0, counter=1).below(6)]
        [5, 2]
        """
        try:
            result, self.counter = draw(self.key, self.counter, bound)
        except TypeError as failure:
            raise WrongArgumentError(f"a bound is a whole number, not {bound!r:.40}") from failure
        return result


# ---- many words at once --------------------------------------------------------------------------

LANE = 128
"""The number of bits of each word in a number that contains many words, including space for products."""
FEW, MANY = 32, 256
"""The number of words that are computed in the first batch, and the maximum number in later batches."""


@define(eq=False)
class Words:
    """The words of a key after a counter, `stride` apart. `take` returns the next word.

    >>> words = Words(0, 0)
    >>> [words.take() * 6 >> 32 for _ in range(2)], words.counter
    ([5, 2], 2)
    """

    key: int
    start: int
    stride: int = 1
    limit: int | None = None
    """The number of words after which `take` raises `StopIteration`."""
    take: Callable[[], int] = field(init=False)
    taken: int = field(init=False, default=0)
    """The number of words in the lists before the last list."""
    _last: Iterator[int] = field(init=False, factory=lambda: iter(()))
    _size: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.take = chain.from_iterable(self._lists()).__next__

    @property
    def counter(self) -> int:
        """Return the counter after the words taken so far."""
        return self.start + self.stride * (self.taken + self._size - length_hint(self._last))

    def _lists(self) -> Iterator[Iterator[int]]:
        count = FEW
        while self.limit is None or self.taken + self._size < self.limit:
            self.taken += self._size
            self._size = count if self.limit is None else min(count, self.limit - self.taken)
            first = self.start + self.stride * self.taken
            found = words(self.key, first, self.stride, count)[: self._size]
            self._last = iter(found)
            yield self._last
            count = MANY


def words(key: int, counter: int, stride: int, count: int) -> list[int]:
    """Return `count` words of a key: the upper halves of `mix(key + (counter + 1 + n * stride) * STEP)`.

    All words are computed at once, in the lanes of one long number.

    >>> words(0, 0, 1, 2) == [mix(STEP) >> 32, mix(2 * STEP) >> 32]
    True
    """
    ones, whole, steps = _lanes(stride, count)
    lanes = (((key + (counter + 1) * STEP) & MASK) * ones + steps) & whole
    lanes = (((lanes ^ (lanes >> 30)) & whole) * 0xBF58476D1CE4E5B9) & whole
    lanes = (((lanes ^ (lanes >> 27)) & whole) * 0x94D049BB133111EB) & whole
    found = array("I", (lanes ^ (lanes >> 31)).to_bytes(count * LANE // 8, sys.byteorder))
    return found[1::4].tolist() if sys.byteorder == "little" else found[-2::-4].tolist()


@cache
def _lanes(stride: int, count: int) -> tuple[int, int, int]:
    """Return three numbers whose lanes contain 1, all bits of a word, and the distance of the word
    from the first word."""
    places = range(count)
    ones = sum(1 << LANE * n for n in places)
    steps = sum((n * stride * STEP & MASK) << LANE * n for n in places)
    return ones, MASK * ones, steps
