"""Work done in this process, or shared out over several; the result does not depend on that."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.cli.lab.work import Done, Work, parts, perform
from rulewright.cli.progress import Progress

PARTS_A_JOB = 8
"""Into how many parts the work of a process is cut, so that none waits long for the others."""


def do_all(work: Work, jobs: int) -> Done:
    """All of it."""
    with Progress(work.games, "games") as progress:
        if jobs == 1:
            return perform(work, progress.tick)
        results = _apart(work, jobs)
        done = next(results)
        progress.tick(done.tally.plays + done.tally.unfinished)
        for more in results:
            progress.tick(more.tally.plays + more.tally.unfinished)
            done.join(more)
        return done


def _apart(work: Work, jobs: int) -> Iterator[Done]:
    # late: only who runs it waits for it
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(perform, parts(work, jobs * PARTS_A_JOB))
