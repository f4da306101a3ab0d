"""Draw distributions as small bars of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.interpreter.statistics.distribution import Spread

_MOST = 10
_WIDTH = 40


def bars(spread: Spread, most: int = _MOST) -> list[str]:
    """Draw at most `most` bins of equal width, each as one line with its number of values.

    If all values are equal, nothing is drawn.
    """
    if spread.low == spread.high:
        return []
    found = spread.bars(most)
    names = [f"{low}" if low == high else f"{low} .. {high}" for low, high, _ in found]
    width = max(map(len, names), default=0)
    top = max((count for _, _, count in found), default=0)
    return [
        f"  {name:>{width}}  {bar(count, top):<{_WIDTH}}  {count:,}"
        for name, (_, _, count) in zip(names, found, strict=True)
    ]


def bar(count: float, top: float, width: int = _WIDTH) -> str:
    """Draw a bar whose length is proportional to `count`; every count above 0 has at least one mark."""
    length = round(width * count / top) if top else 0
    return "#" * (max(1, length) if count else 0)
