"""A server that kills itself as by `kill -9` at a chosen moment: before a commit, or between commit and answer.

Started as `python -c "...; main(when, number)" serve ...`: it ends at the commit of that number.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import Any

from rulewright.cli.entry import main as run
from rulewright.web.storage import store


def main(when: str, number: int) -> None:
    """Run the command line; end after this many commits."""
    usual = store.Store._write_all
    commits = 0

    def write(self: store.Store, jobs: Sequence[Any]) -> None:
        nonlocal commits
        commits += 1
        if commits == number and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if commits == number and when == "between":
            told = [job.done for job in jobs]
            jobs = [store._Job(job.work, type(job.done)()) for job in jobs]
            usual(self, jobs)
            assert told, "what was stored is told to nobody"
            os.kill(os.getpid(), signal.SIGKILL)
        usual(self, jobs)

    store.Store._write_all = write  # type: ignore[method-assign]
    run()
