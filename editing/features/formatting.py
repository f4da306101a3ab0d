"""Format a file, and return the result as edits."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.formatting.formatter import format_game, format_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.editing.features.edits import Edit


def format_edits(source: Source, path: Path) -> list[Edit]:
    """Return the edits that format a file, or none if the file cannot be read."""
    form = format_scenarios if path.suffix == SCENARIOS else format_game
    after = form(source, Problems())
    return list(_changes(source, after)) if after is not None else []


def _changes(source: Source, after: str) -> Iterator[Edit]:
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield Edit(Span(source, starts[a], starts[b]), "".join(new[c:d]))
