"""Time to check and compile a program, as it grows."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time

from bench.generated import long_fair
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.engines.engines import make_engine
from rulewright.interpreter.matches.game import game_of, playout

SIZES = (500, 2000, 8000)


def growth(sizes: Sequence[int] = SIZES) -> list[dict[str, object]]:
    """For each size: the seconds for each stage, and the growth of the whole time relative to the growth of the
    length.

    `growth` is 1 if twice as many lines take twice as long.
    """
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), min(sizes))  # so that all modules are loaded
        rows = [_measure(Path(folder), size) for size in sizes]
    first = rows[0]
    for row in rows:
        longer = row["lines"] / first["lines"]
        row["growth"] = round(row["seconds"] / first["seconds"] / longer, 2)
    return [dict(row) for row in rows]


def _measure(folder: Path, size: int) -> dict[str, float]:
    text = long_fair(size)
    path = folder / f"long_fair_{size}.game"
    path.write_text(text, encoding="utf-8")
    times = [process_time()]
    loaded = load(path)
    times.append(process_time())
    problems = loaded.check()
    times.append(process_time())
    assert not problems, problems[0]
    game = game_of("long fair", loaded)
    program = game.program(game.variant())
    make_engine(program, "python")
    times.append(process_time())
    assert playout(game.compiled(game.variant()), 0).over
    read, check, generate = (b - a for a, b in pairwise(times))
    lines = text.count("\n")
    return {
        "lines": lines,
        "cells": program.size,
        "read": round(read, 3),
        "check": round(check, 3),
        "generate": round(generate, 3),
        "seconds": round(read + check + generate, 3),
        "milliseconds_a_line": round(1000 * (read + check + generate) / lines, 3),
    }
