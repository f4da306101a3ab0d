"""The lists of changes that were drawn and judged, a table for each game beside this file."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

import attrs

from tests.mutants.changes import Change, Sort
from tests.mutants.judging import Judge

SEED: Final = 43
NUMBER: Final = 300
FOLDER: Final = Path(__file__).parent
HEAD: Final = ("file", "line", "sort", "old", "new", "before", "verdict", "by", "reason")

SAME: Final = "the same in 500 playouts"
DIFFERENT: Final = "playouts differ"
"""The default reasons for surviving changes, until somebody writes why a change is harmless."""
_SORTS: Final[dict[str, Sort]] = {sort: sort for sort in get_args(Sort)}


@attrs.frozen
class Mutant:
    """A change with its verdict (`noticed`, `survives` or `harmless`), and the scenario or the reason."""

    change: Change
    verdict: str
    by: str
    reason: str


def list_of(game: str) -> Path:
    """The table of a game."""
    return FOLDER / f"{game}.csv"


def write_list(judge: Judge, mutants: Sequence[Mutant]) -> None:
    """Write the table: for each change the changed words, and how often they occur earlier in the file."""
    with list_of(judge.game).open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(HEAD)
        for one in mutants:
            change = one.change
            text = judge.text(change.file)
            old, new = text[change.start : change.end], change.new
            before = text[: change.start].count(old)
            row = (Path(change.file).name, change.line, change.sort, old, new, before)
            rows.writerow((*row, one.verdict, one.by, one.reason))


def read_list(judge: Judge) -> list[Mutant]:
    """The table, without the changes of lines that are no longer there."""
    path = list_of(judge.game)
    if not path.exists():
        return []
    every = {(Path(d.span.source.name).name): d.span.source for d in judge.loaded.declarations}
    found: list[Mutant] = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source = every.get(row["file"])
            start = -1
            if source is not None:
                for _ in range(int(row["before"]) + 1):
                    start = source.text.find(row["old"], start + 1)
                    if start < 0:
                        break
            if source is None or start < 0:
                continue
            change = Change(
                source.name,
                start,
                start + len(row["old"]),
                row["new"],
                _SORTS[row["sort"]],
                source.text.count("\n", 0, start) + 1,
            )
            change = judge.every.get(change, change)
            found.append(Mutant(change, row["verdict"], row["by"], row["reason"]))
    return found
