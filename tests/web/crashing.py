"""A server that kills itself as by `kill -9` at a chosen moment: before a commit, or between commit and answer.

Started as `python -c "...; main(when, number)" serve ...`: it ends at the commit of that number.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from typing import Any

from rulewright.cli.entry import main as run
from rulewright.web.storage import store


def main(when: str, number: int) -> None:
    """Run the command line; end after this many commits."""
    usual = store.Store._run_jobs
    commits = 0

    def run_jobs(self: store.Store, jobs: Sequence[Any]) -> Any:
        nonlocal commits
        commits += 1
        if commits == number and when == "before":
            time.sleep(0.2)  # an answer that does not wait for the commit goes out now
            os.kill(os.getpid(), signal.SIGKILL)
        results = usual(self, jobs)
        if commits == number and when == "between":
            os.kill(os.getpid(), signal.SIGKILL)
        return results

    store.Store._run_jobs = run_jobs  # type: ignore[method-assign]
    run()
