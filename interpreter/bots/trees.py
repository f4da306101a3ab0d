"""Runs a search in one tree, or in several trees that grow at the same time in threads, and merges their results.

Each tree has its own random numbers and runs a fixed share of the trials. So in a search by number
of trials, the same seed gives the same result, whatever the order of threads. The GIL is released
while native code runs trials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import attrs

from rulewright.interpreter.bots.search import Search, Tried
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.kernels.search import PLAYOUTS
from rulewright.interpreter.matches.returns import Reward
from rulewright.interpreter.matches.state import State


@attrs.frozen
class Thought:
    """The result of a search."""

    options: tuple[tuple[int, int, float], ...]
    """For each option: its number, its visits and its value. The best option is first."""
    playouts: int
    line: tuple[tuple[int, str], ...] = ()
    """The main line: for each decision, the player and the text of the option that was tried most often."""
    rollouts: int = PLAYOUTS
    """The number of random playouts in each trial."""
    certain: frozenset[int] = frozenset()
    """The options whose results are certain."""

    @property
    def best(self) -> int:
        """Return the number of the best option."""
        return self.options[0][0]

    @property
    def confidence(self) -> float:
        """Return the proportion of the visits that went to the best option."""
        return self.options[0][1] / max(1, sum(count for _, count, _ in self.options))

    @property
    def value(self) -> float:
        """Return the value of the best option.

        By wins, 0 means lost and 1 means won. By points, the value is the expected lead.
        """
        return self.options[0][2]


class Trees:
    """The trees of one decision."""

    def __init__(self, searches: Sequence[Search]) -> None:
        self.searches = tuple(searches)
        self._threads: ThreadPoolExecutor | None = None
        if len(self.searches) > 1:  # browsers have no threads
            self._threads = ThreadPoolExecutor(
                len(self.searches) - 1
            )  # the threads end when the trees are deleted

    @classmethod
    def of(cls, state: State, generator: Generator, reward: Reward, many: int) -> Trees:
        """Make `many` trees. The first tree uses the given generator."""
        turn = Lock()
        return cls(
            [
                Search(state, each, reward, turn=turn)
                for each in (generator, *(_apart(generator, tree) for tree in range(1, many)))
            ]
        )

    @property
    def first(self) -> Search:
        """Return the first tree."""
        return self.searches[0]

    @property
    def reward(self) -> Reward:
        """Return the aim of the search."""
        return self.first.reward

    @property
    def playouts(self) -> int:
        """Return the number of trials so far."""
        return sum(each.playouts for each in self.searches)

    @property
    def decisions(self) -> int:
        """Return the number of decisions made in random playouts."""
        return sum(each.decisions for each in self.searches)

    @property
    def settled(self) -> bool:
        """Return whether further trials would not change the result."""
        return any(each.settled for each in self.searches)

    def hurry(self, passed: Callable[[], float]) -> None:
        """Call `Search.hurry` for all trees."""
        for each in self.searches:
            each.hurry(passed)

    def look(self, many: int = 1) -> None:
        """Run `many` trials, divided evenly among the trees. The trees run at the same time."""
        if self._threads is None:
            self.first.look(many)
            return
        count = len(self.searches)
        shares = [many // count + (tree < many % count) for tree in range(count)]
        others = [
            self._threads.submit(each.look, share)
            for each, share in zip(self.searches[1:], shares[1:], strict=True)
            if share
        ]
        try:
            self.first.look(shares[0])
        finally:
            for other in others:
                other.result()

    def option_results(self) -> list[Tried]:
        """Return the options of the decision, with the results of all trees."""
        found: dict[int, Tried] = {}
        for search in self.searches:
            for one in search.options():
                known = found.get(one.option)
                found[one.option] = known.join(one) if known else one
        return [*found.values()]

    def ahead(self) -> int:
        """Return how many more trials the most tried option has than the next option."""
        *_, second, most = sorted([0, 0, *(one.taken for one in self.option_results())])
        return most - second

    def result(self) -> Thought:
        """Return the result so far."""
        tried = sorted(self.option_results(), key=_rank, reverse=True)
        options = tuple((one.option, one.taken, _value(one)) for one in tried)
        line = tuple(self.first.line(options[0][0]))
        certain = frozenset(one.option for one in tried if one.certain is not None)
        return Thought(options, self.playouts, line, self.first.tree.rollouts, certain)

    def go_on(self, state: State, generator: Generator) -> bool:
        """Call `Search.go_on` for all trees. Return whether all of them can continue."""
        return all(
            search.go_on(state, _apart(generator, tree) if tree else generator)
            for tree, search in enumerate(self.searches)
        )


def _apart(generator: Generator, tree: int) -> Generator:
    return Generator(key_of(generator.key, tree), generator.counter)


def _value(one: Tried) -> float:
    if one.certain is not None:
        return one.certain
    return one.gained / one.taken if one.taken else 0.0


def _rank(one: Tried) -> tuple[float, int, float]:
    """Rank an option. A certain win is first, and a certain loss is last; the others are ranked by number of trials."""
    value = _value(one)
    if one.certain is None:
        return 0.0, one.taken, value
    return 1.0 if value == 1.0 else value - 1, one.taken, value


class Memory:
    """The last search of a match, for bots with a time limit.

    Without a memory, a search by number of trials is reproducible.
    """

    def __init__(self) -> None:
        self._last: Trees | None = None

    @property
    def last(self) -> Trees | None:
        """Return the last search of any seat. If there was no search, return None."""
        return self._last

    def search(self, state: State, generator: Generator, reward: Reward, threads: int = 1) -> Trees:
        """Return a search for a decision. It begins with the results of the last search if these can be reused."""
        before = self._last
        if before is not None and before.reward == reward and before.go_on(state, generator):
            return before
        self._last = Trees.of(state, generator, reward, threads)
        return self._last
