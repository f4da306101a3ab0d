"""The cost of a copy of a state."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from timeit import Timer

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.library import shipped_games

AIM = 0.3


def copies(seconds: float, games: Sequence[str] = ()) -> list[dict[str, object]]:
    """For each of these games, or each shipped game: the size of a state, and the microseconds for a copy of it."""
    names = games or [*shipped_games()]
    return [_row(name, seconds / len(names)) for name in names]


def _row(name: str, seconds: float) -> dict[str, object]:
    cells = load_game(name).start().cells
    timer = Timer("cells[:]", globals={"cells": cells}, timer=process_time)
    number, turns = 2000, 7
    timer.timeit(number)
    number = max(1, int(seconds / turns / max(timer.timeit(number) / number, 1e-9)))
    spent = min(timer.timeit(number) / number for _ in range(turns))
    return {
        "game": name,
        "cells": len(cells),
        "microseconds": round(spent * 1e6, 3),
        "aim": AIM,
    }
