"""The entry point of the command `rulewright`, which imports almost nothing before it can handle Ctrl-C."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130
USAGE = 2


def main() -> None:
    """Run the command line of this process, and end the process with its exit code."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # for as long as the process runs
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # the same
    try:
        sys.exit(_code())
    except KeyboardInterrupt:
        _end()


def _code() -> int:
    if sys.stdout is None:
        sys.stderr.write("standard output is closed, so nothing can be shown\n")
        return USAGE
    # lazy import: loading these modules takes longer than a person needs to press Ctrl-C
    import gc
    import signal
    from importlib import import_module

    # While Python loads modules, it may replace the exception of Ctrl-C by another one, or drop it.
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    from rulewright.dsl.deep_calls import call_deeply

    run = import_module("rulewright.cli.app").run
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, usual)
    code: int = call_deeply(run, sys.argv[1:])
    gc.freeze()  # the process ends here, so the objects of a large game need no garbage collection
    return code


def _end(*_: object) -> None:
    """End the process at once."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
