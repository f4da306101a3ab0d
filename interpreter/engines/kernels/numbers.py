"""Kernels for the logarithm and the exponential function that use only additions, multiplications and divisions.

So their results are identical to the last bit in Python, in native code and on all machines.
"""

from __future__ import annotations

LOG_TWO = 0.6931471805599453


def logarithm(number: float) -> float:
    """Return the natural logarithm of a positive number.

    >>> logarithm(1.0), round(logarithm(1000.0), 12)
    (0.0, 6.907755278982)
    """
    halved = 0.0
    while number > 1.4142135623730951:
        number = number * 0.5
        halved += 1.0
    while number < 0.7071067811865476:
        number = number * 2.0
        halved -= 1.0
    part = (number - 1.0) / (number + 1.0)
    square = part * part
    total = 0.0
    odd = 25.0
    while odd > 0.0:
        total = total * square + 1.0 / odd
        odd -= 2.0
    return halved * LOG_TWO + 2.0 * part * total


def exponential(number: float) -> float:
    """Return the exponential of a number. Numbers above 700 are treated as 700.

    >>> exponential(0.0), round(exponential(1.0), 12), round(exponential(-2.5), 12)
    (1.0, 2.718281828459, 0.082084998624)
    """
    if number > 700.0:
        number = 700.0
    if number < -700.0:
        return 0.0
    halved = 0
    while number > 0.5 or number < -0.5:
        number = number * 0.5
        halved += 1
    total = 1.0
    term = 18.0
    while term > 0.0:
        total = 1.0 + total * number / term
        term -= 1.0
    while halved > 0:
        total = total * total
        halved -= 1
    return total
