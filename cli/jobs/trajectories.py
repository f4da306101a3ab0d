"""Write trajectories of matches for learners: a row for each decision, in one Parquet file.

Recorded matches are replayed, so the result does not depend on the players, the process or the engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright.cli.jobs.exporting import (
    PARQUET,
    parquet_file,
    refuse_to_replace,
    refuse_without_pyarrow,
)

if TYPE_CHECKING:
    from rulewright.cli.jobs.runs import Run
    from rulewright.interpreter.matches.game import Game, Variant
    from rulewright.interpreter.matches.records import Record

COLUMNS = {
    "setting": "number",
    "match": "number",
    "seed": "number",
    "decision": "number",
    "seat": "number",
    "observation": "numbers",
    "legal_actions": "numbers",
    "action": "number",
    "reward": "real",
    "points": "real",
    "last": "number",
}
"""The columns of a row and their types.

In a match that ended, `last` is 1 at the last decision of each seat. This row has the reward and the points
of the seat; both are 0 in earlier rows.
"""
_AT_ONCE = 2000
"""The number of rows to write at a time."""

Row = tuple[Any, ...]


def refuse_trajectories(path: Path) -> None:
    """Report problems with the file before any match is played."""
    if path.suffix != PARQUET:
        raise click.BadParameter(
            f"'{path}' does not end with {PARQUET}", param_hint="'--trajectories'"
        )
    refuse_without_pyarrow(path)
    refuse_to_replace(path, "--trajectories")


def write_trajectories(path: Path, game: Game, runs: Sequence[Run]) -> None:
    """Write the decisions of all matches of these runs."""
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.records import parse_records

    settings = [run.about.variant for run in runs]
    about = {
        "game": game.title,
        "rules": game.hash,
        "settings": json.dumps([_setting(game, one) for one in settings], ensure_ascii=False),
    }
    with parquet_file(path, COLUMNS, about) as write:
        rows: list[Row] = []
        match = 0
        for number, run in enumerate(runs, 1):
            for line in run.lines:
                for record in parse_records(line, "a recorded match"):
                    rows += _rows(game, record, number, match)
                    match += 1
                if len(rows) >= _AT_ONCE:
                    write(rows)
                    rows = []
        write(rows)


def _setting(game: Game, variant: Variant) -> dict[str, Any]:
    """Describe the numbers of a variant in words, so that observations and actions can be decoded."""
    # lazy import: other commands start without it
    from rulewright.interpreter.knowledge.observers import observer_of
    from rulewright.interpreter.matches.actions import Actions

    compiled = game.compiled(variant)
    return {
        "players": variant.players,
        "options": dict(variant.options),
        "actions": len(Actions(compiled)),
        "observation": [
            [part.name, part.start, part.length] for part in observer_of(compiled).parts
        ],
    }


def _rows(game: Game, record: Record, setting: int, match: int) -> Iterator[Row]:
    # lazy import: other commands start without it
    from rulewright.interpreter.matches.actions import Actions
    from rulewright.interpreter.matches.replay import replay

    states = replay(record, game).states
    end = states[-1]
    rewards, points = end.returns("wins"), end.returns("points")
    deciding = [state.player for state in states[:-1]]
    last = {seat: number for number, seat in enumerate(deciding)} if end.over else {}
    actions = Actions(end.compiled)
    for number, (before, after) in enumerate(pairwise(states)):
        seat = before.player
        is_last = last.get(seat) == number
        yield (
            setting,
            match,
            record.seed,
            number,
            seat,
            before.observe(seat).tolist(),
            actions.offered(before),
            actions.number(before, after.choice),
            rewards[seat] if is_last else 0.0,
            points[seat] if is_last else 0.0,
            int(is_last),
        )
