"""How long commands take in a new process, Python itself included."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

GAME = Path(__file__).parents[1] / "games" / "connect_four.game"
START = "from rulewright.cli.app import main; main()"
AIMS = {
    ("--help",): 0.15,
    ("check", "games/connect_four.game"): 0.5,
    ("list",): None,
}


def commands(times: int) -> list[dict[str, object]]:
    """For each command: the median over so many processes; `pass` shows what Python alone takes."""
    rows = [_row("(python alone)", [sys.executable, "-c", "pass"], times, None)]
    for words, aim in AIMS.items():
        command = [sys.executable, "-c", START, *words]
        rows.append(_row(" ".join(("rulewright", *words)), command, times, aim))
    return rows


def _row(name: str, command: list[str], times: int, aim: float | None) -> dict[str, object]:
    _seconds(command)  # so that the files have been read once
    spent = [_seconds(command) for _ in range(times)]
    return {
        "command": name,
        "seconds": round(median(spent), 3),
        "best": round(min(spent), 3),
        "aim": aim,
    }


def _seconds(command: list[str]) -> float:
    begun = perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=GAME.parents[1])
    return perf_counter() - begun
