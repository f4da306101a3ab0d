"""Takes turns between things that are compared, so that a busy machine slows all of them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

import attrs

TURNS = 7


@attrs.define
class Run:
    """What one contestant has done in its turns; `play` does one piece of work and counts it."""

    play: Callable[[int], int]
    done: int = 0
    count: int = 0
    seconds: float = 0.0
    rates: list[float] = attrs.field(factory=list)

    def turn(self, seconds: float, *, counts: bool = True) -> None:
        """Work for so long, at least once."""
        done = count = 0
        begun = perf_counter()
        while True:
            count += self.play(self.done + done)
            done += 1
            spent = perf_counter() - begun
            if spent >= seconds:
                break
        if counts:
            self.done += done
            self.count += count
            self.seconds += spent
            self.rates.append(done / spent)

    @property
    def per_second(self) -> float:
        """Pieces of work in a second: the median of the turns."""
        return median(self.rates)

    @property
    def counted_per_second(self) -> float:
        """What the pieces of work have counted, in a second."""
        return self.per_second * self.count / self.done


def take_turns(
    contestants: Mapping[str, Callable[[int], int]], seconds: float, turns: int = TURNS
) -> dict[str, Run]:
    """Let each work `seconds` in all, in turns, after a turn to get warm."""
    runs = {name: Run(play) for name, play in contestants.items()}
    for run in runs.values():
        run.turn(seconds / turns, counts=False)
    for _ in range(turns):
        for run in runs.values():
            run.turn(seconds / turns)
    return runs


def ratio(of: Run, to: Run) -> float:
    """How many times as fast one is as another: the median over the turns they took side by side."""
    return median(a / b for a, b in zip(of.rates, to.rates, strict=True))
