"""How long commands take in a new process, including Python itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parents[1]
START = "from rulewright.cli.entry import main; main()"
COLD: dict[tuple[str, ...], float | None] = {
    ("--help",): 0.15,
    ("list",): None,
    ("check", "games/connect_four.game"): 0.5,
    ("check", "games/connect_four.game", "--plays", "0"): None,
    ("check", "ginkgopolis"): 2.0,
    ("check", "ginkgopolis", "--plays", "0"): None,
    ("check", "games/ginkgopolis"): None,
}
"""The commands that run with an empty cache, and their longest times."""
WARM: dict[tuple[str, ...], float | None] = {("check", "ginkgopolis"): 0.3}


def commands(times: int) -> list[dict[str, object]]:
    """For each command, the median over this many processes; `pass` shows the time of Python alone."""
    rows = [_row("(python alone)", [sys.executable, "-c", "pass"], times, None, is_warm=True)]
    for is_warm, aims in ((False, COLD), (True, WARM)):
        for words, aim in aims.items():
            command = [sys.executable, "-c", START, *words]
            name = " ".join(("rulewright", *words))
            rows.append(_row(f"{name} (again)" if is_warm else name, command, times, aim, is_warm))
    return rows


def _row(
    name: str, command: list[str], times: int, aim: float | None, is_warm: bool
) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as cache:
        if is_warm or times > 1:
            _seconds(command, cache)  # so that the files are in the cache of the system
        spent = [_seconds(command, cache if is_warm else None) for _ in range(times)]
    clock = [wall for wall, _ in spent]
    return {
        "command": name,
        "seconds": round(median(clock), 3),
        "best": round(min(clock), 3),
        "cpu_seconds": round(min(own for _, own in spent), 3),
        "aim": aim,
    }


def _seconds(command: list[str], cache: str | None) -> tuple[float, float]:
    """Wall-clock time and CPU time, with this cache or an empty one."""
    with tempfile.TemporaryDirectory() as empty:
        begun, before = perf_counter(), os.times()
        environment = {**os.environ, "XDG_CACHE_HOME": cache or empty}
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT, env=environment)
        after = os.times()
        own = after.children_user + after.children_system
        own -= before.children_user + before.children_system
        return perf_counter() - begun, own
