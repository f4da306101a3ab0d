"""Run work in this process or in several processes; the result is the same."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

PARTS_A_JOB = 8
"""The number of batches for each process; with several, no process waits long for the others."""


class Workers(Protocol):
    """Workers, of which `jobs` run at the same time."""

    @property
    def jobs(self) -> int: ...

    def each(self, do: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        """Yield the results of all parts, in the order of the parts."""
        ...


class _Here:
    """A single worker: the current process."""

    jobs = 1

    def each(self, do: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        return map(do, parts)


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """Yield `jobs` processes of this machine; if `jobs` is 1, yield only the current process."""
    if jobs == 1:
        yield _Here()
        return
    # lazy import: other commands start without it
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # only this process handles an interrupt, and reports the finished work
    quiet = (signal.SIGINT, signal.SIG_IGN)
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=signal.signal, initargs=quiet) as pool:
        yield _Processes(pool, jobs)


class _Processes:
    """Several processes of this machine."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self._pool = pool
        self.jobs = jobs

    def each(self, do: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        try:
            yield from self._pool.map(do, parts)
        except KeyboardInterrupt:
            # lazy import: only an interrupt needs it
            from multiprocessing import active_children

            # unfinished work is abandoned
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise
