"""Format the differences between two versions of a game, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.loading.changes import Change
    from rulewright.interpreter.testing.affected import Affected

SIGNS = {"added": "+", "gone": "-", "changed": "~"}


def changes_text(
    changes: Sequence[Change], scenarios: Sequence[Affected], records: Sequence[Affected]
) -> str:
    """Format the differences line by line, followed by the clauses, scenarios and records that they affect."""
    if not (changes or scenarios or records):
        return "the rules are the same\n"
    lines = [line for change in changes for line in _change(change)]
    touched = _changed_clauses(changes)
    if touched:
        lines += ["", f"clauses touched: {', '.join(touched)}"]
    if scenarios:
        lines += ["", "scenarios that no longer hold:"]
        for each in scenarios:
            lines.append(f"  {PurePath(each.file).name}:{each.at}: {each.name}")
            lines.append(f"    expected: {each.reason}")
    if records:
        lines += ["", "records that continue differently:"]
        for each in records:
            lines.append(f"  {each.file}: {each.name}: decision {each.at}: {each.reason}")
    return "\n".join(lines) + "\n"


def _change(change: Change) -> Iterator[str]:
    name = f" {change.name}" if change.name else ""
    clauses = (
        f"  [{', '.join(change.clauses)}]" if change.clauses and change.what != "clause" else ""
    )
    yield f"{SIGNS[change.how]} {change.what}{name}{clauses}"
    for detail in change.details:
        yield f"    {detail}"
    for row in change.added:
        yield f"    + row {row}"
    for row in change.gone:
        yield f"    - row {row}"
    for cell in change.cells:
        yield f"    {cell.row}.{cell.column}: {cell.old or 'empty'} -> {cell.new or 'empty'}"


def _changed_clauses(changes: Sequence[Change]) -> list[str]:
    return sorted({clause for change in changes for clause in change.clauses})


def changes_data(
    changes: Sequence[Change], scenarios: Sequence[Affected], records: Sequence[Affected]
) -> dict[str, object]:
    """Return the differences as data for other programs."""
    return {
        "changes": [_change_data(change) for change in changes],
        "clauses": _changed_clauses(changes),
        "scenarios": [
            {"name": one.name, "file": one.file, "line": one.at, "reason": one.reason}
            for one in scenarios
        ],
        "records": [
            {"name": one.name, "file": one.file, "decision": one.at, "reason": one.reason}
            for one in records
        ],
    }


def _change_data(change: Change) -> dict[str, object]:
    place = change.place
    return {
        "what": change.what,
        "name": change.name,
        "how": change.how,
        "file": place.source.name if place is not None else None,
        "line": place.line if place is not None else None,
        "details": list(change.details),
        "added": list(change.added),
        "gone": list(change.gone),
        "cells": [
            {"row": cell.row, "column": cell.column, "old": cell.old, "new": cell.new}
            for cell in change.cells
        ],
        "clauses": list(change.clauses),
    }
