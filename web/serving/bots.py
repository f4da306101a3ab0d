"""Run bots and hints in other processes at low priority, so that no page waits for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from time import monotonic

import attrs

from rulewright.dsl.deep_calls import call_deeply
from rulewright.interpreter.bots.levels import bot_named, for_person
from rulewright.interpreter.bots.tree_search import CLOCK
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.protocol import answers
from rulewright.web.tables.course import Course
from rulewright.web.tables.kept_rules import load_kept

LEVELS = ("easy", "normal", "hard")
"""The bots on a page that search."""
_LOW = 10  # the priority, as the command `nice` counts it
_MOST_KEPT = 50


@attrs.frozen
class Position:
    """A match in the form that is sent to another process: the place of its rules, and its steps.

    Answers call the seats by their `names`.
    """

    table: str
    names: tuple[str, ...]
    path: str
    variant: Variant
    seed: int
    start: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]


class StoppingError(Exception):
    """Raised if the server is stopping, so bots no longer think."""


@attrs.define
class Bots:
    """A pool of processes; a process that dies is replaced."""

    jobs: int
    _is_closed: bool = attrs.field(init=False, default=False)
    _pool: ProcessPoolExecutor | None = None

    async def get_ready(self, position: Position) -> None:
        """Compile what the bots of a match need, so that the first choice does not wait for it."""
        await self._run(_get_ready, position)

    async def choose(self, position: Position, bot: str) -> str:
        """Return the option that a bot chooses."""
        found = await self._run(_choose, position, bot)
        assert isinstance(found, str)
        return found

    async def hint(self, position: Position, seat: int, effort: str) -> list[str]:
        """Return the best options that a bot finds if it knows no more than a seat."""
        found = await self._run(_hint, position, seat, effort)
        assert isinstance(found, list)
        return found

    async def _run(self, work: Callable[..., object], *arguments: object) -> object:
        for left in (1, 0):
            if self._is_closed:
                raise StoppingError
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self.jobs, mp_context=get_context("spawn"), initializer=_begin
                )
            try:
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._pool, work, *arguments)
            except BrokenProcessPool:
                self._pool = None
                if not left:
                    raise
        raise AssertionError("one of the two attempts returns or raises")

    def close(self) -> None:
        """End the processes at once, even if they are computing."""
        self._is_closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in active_children():
                process.terminate()
            pool.shutdown()


# ---- in the other process ----

_games: dict[str, Game] = {}
_courses: dict[tuple[str, tuple[str, ...]], Course] = {}


def _begin() -> None:
    os.nice(_LOW)
    CLOCK.set(monotonic)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """End this process when its server has ended or was killed, because nobody would ever use it again."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _get_ready(position: Position) -> None:
    get_ready(_course(position).state.compiled)


def _choose(position: Position, bot: str) -> str:
    course = _course(position)
    state = course.state
    id = bot_named(for_person(bot))(state, bot_generator(position.seed, course.step))
    return state.compiled.option_name(state.cells, id)


def _hint(position: Position, seat: int, effort: str) -> list[str]:
    return answers.hint(_course(position).state, seat, effort)


def _course(position: Position) -> Course:
    """Return the match, continued from a cached earlier state if there is one."""
    key = position.table, position.names
    known = _courses.pop(key, None)
    if known is None or tuple(known.steps) != position.steps[: known.step]:
        game, start = _game(position), position.start
        known = Course.begin(game, position.variant, position.seed, start, position.names)
    for steps in position.steps[known.step :]:
        known.follow(0, steps)
    _courses[key] = known
    for old in [*_courses][:-_MOST_KEPT]:
        del _courses[old]
    return known


def _game(position: Position) -> Game:
    found = _games.get(position.path)
    if found is None:
        found = _games[position.path] = call_deeply(load_kept, position.path)
    return found


def steps_of(course: Course) -> Sequence[tuple[str, ...]]:
    """Return the steps of a match, without those that were taken back."""
    return tuple(course.steps)
