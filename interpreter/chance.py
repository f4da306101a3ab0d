"""The generator behind chance: a counter mixed by splitmix64, the same in every engine.

The result number `n` of a key is `mix(key + (n + 1) * STEP)`, of which the upper 32 bits are used.
So a generator is two numbers, and it can be moved to any place at once. Refuses to know what is
drawn, and where seeds come from.
"""

from __future__ import annotations

from attrs import define

STEP = 0x9E3779B97F4A7C15
MASK = 0xFFFFFFFFFFFFFFFF
WORD = 0xFFFFFFFF


def mix(number: int) -> int:
    """The finishing function of splitmix64.

    >>> hex(mix(STEP))
    '0xe220a8397b1dcdaf'
    """
    number &= MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def key_of(seed: int, stream: int = 0) -> int:
    """The key for a seed; streams of one seed (dice, each bot) do not depend on each other.

    >>> key_of(7) != key_of(8) != key_of(7, stream=1)
    True
    """
    return mix(mix(seed) + stream * STEP)


def draw(key: int, counter: int, bound: int) -> tuple[int, int]:
    """A number from 0 to `bound - 1`, each equally likely, and the counter after it.

    >>> draw(0, 0, 6)
    (5, 1)
    """
    if not 1 <= bound <= WORD:
        raise ValueError(f"no number below {bound} can be drawn")
    while True:
        counter += 1
        # The upper half of `mix(key + counter * STEP)`.
        number = (key + counter * STEP) & MASK
        number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
        product = ((number ^ (number >> 31)) >> 32) * bound
        low = product & WORD
        # Invariant: of the 2**32 words the `(2**32 - bound) % bound` at the low end are refused.
        if low >= bound or low >= (WORD + 1 - bound) % bound:
            return product >> 32, counter


@define
class Generator:
    """A key and how many words have been drawn from it; set `counter` to jump."""

    key: int
    counter: int = 0

    @classmethod
    def seeded(cls, seed: int, stream: int = 0) -> Generator:
        """The generator for a seed."""
        return cls(key_of(seed, stream))

    def below(self, bound: int) -> int:
        """A number from 0 to `bound - 1`, each equally likely.

        >>> [Generator(0).below(6), Generator(0, counter=1).below(6)]
        [5, 2]
        """
        result, self.counter = draw(self.key, self.counter, bound)
        return result
