"""Runs random playouts and batches one step after another, for engines without a faster way."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence

from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.batch_stepping import step_all
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import Cells, Engine
from rulewright.interpreter.engines.playouts import at_random, results_at_random
from rulewright.interpreter.engines.results import Results


class StepByStep:
    """The methods of an engine that follow from its other methods."""

    __slots__ = ()

    def take_option(
        self: Engine, cells: Cells, offered: list[int], choice: int
    ) -> tuple[Cells, list[int] | None] | None:
        """Implement `Engine.take_option`."""
        if choice.__class__ is not int or choice not in offered:
            return None
        after = cells[:]
        return after, self.advance(after, choice)

    def at_random(
        self: Engine,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """Implement `Engine.at_random`."""
        at_random(self, cells, chance, bots, longest, counts)

    @property
    def notes(self) -> bool:
        """Implement `Engine.notes`."""
        return False

    def noted_at_random(
        self, cells: Cells, seed: int, longest: int, names: Sequence[Cells | None]
    ) -> array[int] | None:
        """Implement `Engine.noted_at_random`."""
        return None

    def results_at_random(
        self: Engine, cells: Cells, seeds: Iterable[int], longest: int, jobs: int = 1
    ) -> Iterator[Results]:
        """Implement `Engine.results_at_random` by playing one match after another."""
        return results_at_random(self, cells, seeds, longest)

    def step_all(self: Engine, slots: Slots, restart: bool = False) -> None:
        """Implement `Engine.step_all`."""
        step_all(self, slots, restart)
