"""The generator behind chance: known values, jumps, fair bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.interpreter.engines.chance import (
    MASK,
    STEP,
    WORD,
    Generator,
    Words,
    draw,
    key_of,
    mix,
    words,
)


def test_the_generator_gives_its_published_values() -> None:
    # The first results of splitmix64 with seed 1234567, as published with its source.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [mix(1234567 + n * STEP) for n in (1, 2, 3)] == expected


def test_a_generator_can_jump() -> None:
    walking, jumping = Generator.seeded(5), Generator.seeded(5, stream=0)
    drawn = [walking.below(1000) for _ in range(50)]
    jumping.counter = 20
    assert [jumping.below(1000) for _ in range(30)] == drawn[20:]


@given(st.integers(0, MASK), st.integers(0, 2**40), st.integers(1, WORD))
def test_numbers_are_below_the_bound(key: int, counter: int, bound: int) -> None:
    number, after = draw(key, counter, bound)
    assert 0 <= number < bound
    assert after > counter


@given(st.integers(0, MASK), st.integers(0, 2**40), st.sampled_from([1, 2, 2**24]))
def test_many_words_at_once(key: int, counter: int, stride: int) -> None:
    expected = [mix(key + (counter + 1 + n * stride) * STEP) >> 32 for n in range(40)]
    assert words(key, counter, stride, 40) == expected
    taking = Words(key, counter, stride, 39)
    assert [taking.take() for _ in range(33)] == expected[:33]
    assert taking.counter == counter + 33 * stride
    assert [taking.take() for _ in range(6)] == expected[33:39]
    with pytest.raises(StopIteration):
        taking.take()
    assert taking.counter == counter + 39 * stride


def test_words_that_would_favour_numbers_are_refused() -> None:
    bound = 3 * 2**30  # a quarter of all words is refused
    counter, taken = 0, 1000
    for _ in range(taken):
        _, counter = draw(key_of(1), counter, bound)
    assert 1.2 < counter / taken < 1.5


def test_all_numbers_come_equally_often() -> None:
    generator = Generator.seeded(11)
    counts = [0] * 6
    for _ in range(6000):
        counts[generator.below(6)] += 1
    assert all(900 < count < 1100 for count in counts)


@pytest.mark.parametrize("bound", [0, -1, 2**32])
def test_bounds_out_of_range(bound: int) -> None:
    with pytest.raises(ValueError, match="can be drawn"):
        draw(0, 0, bound)


def test_streams_of_a_seed_differ() -> None:
    keys = {key_of(seed, stream) for seed in range(50) for stream in range(50)}
    assert len(keys) == 2500
