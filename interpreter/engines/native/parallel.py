"""Makes copies of the native code of a program. The copies play in parallel, and each has its own memory.

The GIL is released while a copy plays.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from threading import Event
from typing import Final, NamedTuple

from attrs import define, field

from rulewright.dsl.ir import Program
from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.batch_stepping import not_allowed
from rulewright.interpreter.engines.chance import MASK
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.engines.kernels import driven as driving
from rulewright.interpreter.engines.kernels.tree import Done, Tree
from rulewright.interpreter.engines.native import game_calls, results, steps
from rulewright.interpreter.engines.native.copies import Copy, copy_of
from rulewright.interpreter.engines.native.direct import direct_without_gil
from rulewright.interpreter.engines.native.kernel_groups import EXACT, SEARCH
from rulewright.interpreter.engines.native.memory import OFFERS
from rulewright.interpreter.engines.native.module import FAILED, IMPOSSIBLE
from rulewright.interpreter.engines.native.sights import address_of
from rulewright.interpreter.engines.results import Results

AT_ONCE: Final = 16384
"""The number of choices that are made before Python can interrupt the playouts."""
STEPS_AT_ONCE: Final = 1024
"""The number of matches that make a step before Python can interrupt them."""
IN_A_PART: Final = 2**16
"""The approximate number of choices in all matches of a batch."""
MOST_IN_A_PART: Final = 2**13
FIRST_PART: Final = 32
"""The number of playouts in the first batch. The first batch shows how long playouts take."""


_PLAYING: Final = ("rulewright_results", "rulewright_first_refused", "rulewright_steps")


@define(eq=False)
class Lane:
    """A copy of native code, its memory, and its counters."""

    program: Program
    code: bytes
    _copy: Copy = field(init=False)
    _results: Callable[[int, int], int] = field(init=False)
    _first_refused: Callable[[int], int] = field(init=False)
    _steps: Callable[[int], int] = field(init=False)
    _driven: array[int] = field(init=False)
    _counts: array[int] = field(init=False)
    _options: array[int] = field(init=False)
    _stacks: array[int] = field(init=False)

    @classmethod
    def of(cls, program: Program, code: bytes, stride: int) -> Lane:
        """Make another copy of object code."""
        lane = cls(program, code)
        lane._copy = copy_of(code, stride, _PLAYING)
        addresses = lane._copy.addresses
        lane._results = direct_without_gil(addresses["rulewright_results"], "pp")
        lane._first_refused = direct_without_gil(addresses["rulewright_first_refused"], "p")
        lane._steps = direct_without_gil(addresses["rulewright_steps"], "p")
        lane._counts = array("i", bytes(4 * AT_ONCE))
        lane._options = array("q", bytes(8 * (OFFERS + 1)))
        lane._stacks = array("i", bytes(4 * results.STACK * results.ENDS_MET))
        lane._driven = array("Q", bytes(8 * results.DRIVEN_BY))
        return lane

    def play(
        self, cells: Cells, seeds: array[int], longest: int, stopped: Event
    ) -> tuple[Results, list[int]]:
        """Play the matches with the given seeds. Return the results, and the indices of the matches
        that another engine must play."""
        found = Results.of(self.program, len(seeds))
        driven = self._driven
        numbers = {
            results.SEEDS: _address(seeds),
            results.COUNT: len(seeds),
            results.NEXT: 0,
            results.OPEN: 0,
            results.LONGEST: longest,
            results.BUDGET: AT_ONCE,
            results.OVERS: _address(found.over),
            results.LENGTHS: _address(found.lengths),
            results.WON: _address(found.won),
            results.TOTALS: _address(found.totals),
            results.POINTS: _address(found.points),
            results.ENDS: _address(found.ends),
            results.OPTIONS: _address(self._options),
            results.MOST_OPTIONS: 0,
            results.STACKS: _address(self._stacks),
            results.MET: 0,
            results.DRIVING + driving.COUNTS: _address(self._counts),
        }
        for place, number in numbers.items():
            driven[place] = number
        where = _address(cells), _address(driven)
        begun = -1
        counted: Counter[int] = Counter()  # for the match that was begun but not finished
        try:
            while True:
                done = self._results(*where)
                now = driven[results.NEXT] if driven[results.OPEN] else -1
                if begun >= 0 and now != begun:
                    if found.over[begun] == 1:
                        found.add_options(counted)
                    counted = Counter()
                if now >= 0:
                    counted.update(self._counts[: driven[results.DRIVING + driving.MADE]])
                begun = now
                if done or stopped.is_set():
                    break
            self._tell(found)
        finally:
            most = driven[results.MOST_OPTIONS]
            self._options[: most + 1] = array("q", bytes(8 * (most + 1)))
        return found, [*_places(found.over.tobytes(), results.LEFT_OVER)]

    def wrong(self, slots: Slots) -> int:
        """Return the first match that cannot make the requested step. If all matches can make their
        steps, return the number of matches."""
        driven = _driving(slots, 0, slots.count)
        return self._first_refused(_address(driven))

    def step(self, slots: Slots, first: int, last: int, restart: bool) -> None:
        """Advance the matches from `first` to before `last` by one step. Steps left to another engine are marked."""
        driven = _driving(slots, first, last, restart)
        where = _address(driven)
        for here in range(first, last, STEPS_AT_ONCE):
            driven[steps.FIRST] = here
            driven[steps.LAST] = min(here + STEPS_AT_ONCE, last)
            self._steps(where)

    def _tell(self, found: Results) -> None:
        most = self._driven[results.MOST_OPTIONS]
        times = self._options[: most + 1]
        found.add_options({count: number for count, number in enumerate(times) if number})
        for end in range(self._driven[results.MET]):
            length, *blocks = self._stacks[end * results.STACK : (end + 1) * results.STACK]
            found.stacks.append(tuple(blocks[:length]))


@define(eq=False)
class SearchLane:
    """A copy of native code that runs the trials of a search. It releases the GIL."""

    _copy: Copy
    _functions: tuple[int, ...]
    _why: Callable[[], int]

    @classmethod
    def of(cls, code: bytes, stride: int) -> SearchLane:
        """Make another copy of object code."""
        copy = copy_of(code, stride, (game_calls.WHY, *game_calls.NAMES))
        functions = tuple(copy.addresses[name] for name in game_calls.NAMES)
        return cls(copy, functions, direct_without_gil(copy.addresses[game_calls.WHY], ""))

    def run(self, t: Tree, most: int, task: str) -> Done:
        """Run a task of the search."""
        group = EXACT if task in EXACT.tasks else SEARCH
        if group.run(task, t, most, game=self._functions) != FAILED:
            return Done.ALL
        if t.full:
            return Done.FULL
        return Done.IMPOSSIBLE if self._why() == IMPOSSIBLE else Done.NOT


@define(eq=False)
class Lanes:
    """A pool of idle copies of native code."""

    program: Program
    code: bytes
    stride: int
    _idle: deque[Lane] = field(init=False, factory=deque)
    _pool: ThreadPoolExecutor = field(init=False, factory=ThreadPoolExecutor)
    _searching: deque[SearchLane] = field(init=False, factory=deque)

    def get_ready(self) -> None:
        """Compile the kernels, and make a copy for a search."""
        _ = SEARCH.functions
        if not self._searching:
            self._searching.append(SearchLane.of(self.code, self.stride))

    def search(self, t: Tree, most: int, task: str) -> Done:
        """Run a task of a search with an idle copy."""
        try:
            lane = self._searching.pop()
        except IndexError:
            lane = SearchLane.of(self.code, self.stride)
        try:
            return lane.run(t, most, task)
        finally:
            self._searching.append(lane)

    def play(
        self, cells: Cells, seeds: array[int], longest: int, stopped: Event
    ) -> tuple[Results, list[int]]:
        """Play the matches with the given seeds on any idle copy, as `Lane.play` does."""
        with self._one() as lane:
            return lane.play(cells, seeds, longest, stopped)

    def step_all(self, slots: Slots, restart: bool) -> None:
        """Advance all matches by one step, if every match can make its step. Matches left to
        another engine are marked."""
        with self._one() as lane:
            wrong = slots.count if restart else lane.wrong(slots)
        if wrong < slots.count:
            raise not_allowed(slots, wrong)
        size = -(-slots.count // slots.jobs)
        first, *more = range(0, slots.count, size)
        others = [self._pool.submit(self._step, slots, here, size, restart) for here in more]
        try:
            self._step(slots, first, size, restart)
        finally:
            wait(others)
        for other in others:
            other.result()

    def _step(self, slots: Slots, first: int, size: int, restart: bool) -> None:
        with self._one() as lane:
            lane.step(slots, first, min(first + size, slots.count), restart)

    @contextmanager
    def _one(self) -> Iterator[Lane]:
        try:
            lane = self._idle.pop()
        except IndexError:
            lane = Lane.of(self.program, self.code, self.stride)
        try:
            yield lane
        finally:
            self._idle.append(lane)


class Part(NamedTuple):
    """A batch of playouts: the seeds, their results, the matches left to another engine, and the
    number of choices made."""

    seeds: array[int]
    found: Results
    left: list[int]
    choices: int


def parts(
    lanes: Callable[[], Lanes], cells: Cells, seeds: Iterable[int], longest: int, jobs: int
) -> Iterator[Part]:
    """Yield the results of matches, in batches and in order. At most `jobs` lanes play at the same time.

    `lanes` is called for each batch, because better compiled code may have become available.
    """
    start = cells[:]
    stopped = Event()

    def do(given: array[int]) -> Part:
        found, left = lanes().play(start, given, longest, stopped)
        return Part(given, found, left, sum(found.lengths))

    cut = _Cut(iter(seeds))
    if jobs == 1:
        while given := cut.next():
            part = do(given)
            cut.measure(part)
            yield part
        return
    waiting: deque[Future[Part]] = deque()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(waiting) < 2 * jobs and (given := cut.next()):
                    waiting.append(pool.submit(do, given))
                if not waiting:
                    return
                part = waiting.popleft().result()
                cut.measure(part)
                yield part
        finally:
            stopped.set()
            pool.shutdown(cancel_futures=True)


@define(eq=False)
class _Cut:
    """Divides seeds into batches that take about equally long."""

    seeds: Iterator[int]
    plays: int = 0
    choices: int = 0

    def next(self) -> array[int]:
        """Return the seeds of the next batch. If no seeds are left, return an empty array."""
        many = FIRST_PART
        if self.plays:
            many = min(MOST_IN_A_PART, max(1, IN_A_PART * self.plays // max(1, self.choices)))
        given = [*islice(self.seeds, many)]
        try:
            return array("Q", given)
        except OverflowError:
            return array("Q", (seed & MASK for seed in given))

    def measure(self, part: Part) -> None:
        """Record the lengths of the matches of a batch."""
        self.plays += len(part.found)
        self.choices += part.choices


def _driving(slots: Slots, first: int, last: int, restart: bool = False) -> array[int]:
    """Return the parameters for a step of the matches from `first` to before `last`."""
    numbers = {
        steps.FIRST: first,
        steps.LAST: last,
        steps.COUNT: slots.count,
        steps.START: _address(slots.start),
        steps.CELLS: address_of(slots.cells),
        steps.SEEDS: _address(slots.seeds),
        steps.KEYS: _address(slots.keys),
        steps.COUNTERS: _address(slots.counters),
        steps.ACTIONS: _address(slots.actions),
        steps.MASKS: _address(slots.masks) if slots.has_masks else 0,
        steps.PLAYERS: _address(slots.players),
        steps.OVERS: _address(slots.over),
        steps.WON: _address(slots.won),
        steps.TOTALS: _address(slots.totals),
        steps.LENGTHS: _address(slots.lengths),
        steps.LEFT: _address(slots.left),
        steps.REWARDS: _address(slots.rewards),
        steps.WORTH: _address(slots.worth) if slots.worth else 0,
        steps.APART: int(slots.apart),
        steps.MARKED: _address(slots.marked),
        steps.RESTART: int(restart),
        steps.LISTED: _address(slots.listed) if slots.has_lists else 0,
        steps.ROOM: slots.room,
        steps.DIFFERING: _address(slots.differing),
    }
    return array("Q", (numbers[place] for place in range(steps.DRIVEN_BY)))


def _address(numbers: array[int] | array[float]) -> int:
    return numbers.buffer_info()[0]


def _places(marks: bytes, mark: int) -> Iterator[int]:
    place = marks.find(mark)
    while place >= 0:
        yield place
        place = marks.find(mark, place + 1)
