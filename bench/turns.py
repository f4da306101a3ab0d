"""Measures several candidates in turns, so that a busy machine slows all of them alike.

It measures the CPU time of this process, not wall-clock time. Turns are short and many: some of them are undisturbed
by other programs, and the best ones show the times of a quiet machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import process_time

import attrs

TURN = 0.05


@attrs.define
class Run:
    """The work of one candidate in its turns; `play` does one piece of work and counts it."""

    play: Callable[[int], int]
    done: int = 0
    count: int = 0
    rates: list[float] = attrs.field(factory=list)

    def turn(self, seconds: float, *, counts: bool = True) -> None:
        """Work for this long, at least once."""
        done = count = 0
        begun = process_time()
        while True:
            count += self.play(self.done + done)
            done += 1
            spent = process_time() - begun
            if spent >= seconds:
                break
        if counts:
            self.done += done
            self.count += count
            self.rates.append(count / spent)

    @property
    def counted_per_second(self) -> float:
        """The count per second: the median over the turns."""
        return median(self.rates)

    @property
    def per_second(self) -> float:
        """Pieces of work in a second."""
        return self.counted_per_second * self.done / self.count


def take_turns(
    contestants: Mapping[str, Callable[[int], int]], seconds: float, turn: float = TURN
) -> dict[str, Run]:
    """Let each candidate work for `seconds` in total, in turns, after one turn to warm up."""
    runs = {name: Run(play) for name, play in contestants.items()}
    turn = min(turn, seconds)
    for run in runs.values():
        run.turn(turn, counts=False)
    for _ in range(max(3, round(seconds / turn))):
        for run in runs.values():
            run.turn(turn)
    return runs


def ratio(of: Run, to: Run) -> float:
    """The speed of one candidate relative to another: the median over pairs of turns."""
    return median(a / b for a, b in zip(of.rates, to.rates, strict=True))


def best_ratio(of: Run, to: Run) -> float:
    """The speed of one candidate relative to another, by the best turn of each."""
    return max(of.rates) / max(to.rates)
