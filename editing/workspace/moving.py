"""Move facts and problems of a text to a later text, without finding new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.model.facts import Facts
from rulewright.editing.workspace.shifts import Shift, shift

Current = Mapping[str, Source]
"""The current texts, by the names of their files."""


class Moves:
    """Maps places of older texts to current places; each pair of texts is compared only once."""

    def __init__(self, current: Current) -> None:
        self.current = current
        self._shifts: dict[Source, Shift | None] = {}

    def place(self, span: Span) -> Span | None:
        """Return the current place, or None if a character in the place has changed or the file no longer
        exists.
        """
        now = self.current.get(span.source.name)
        if now is span.source:
            return span
        if span.source not in self._shifts:
            self._shifts[span.source] = None if now is None else shift(span.source, now)
        moved = self._shifts[span.source]
        return None if moved is None else moved.span(span)


def current_facts(facts: Facts, current: Current) -> Facts:
    """Return the facts about the places that still exist."""
    moves = Moves(current)
    found = Facts()
    for span, known in facts.referents.items():
        at = moves.place(span)
        if at is None:
            continue
        if known.declared is None or known.declared is span:
            declared = known.declared and at
        else:
            declared = moves.place(known.declared)
            if declared is None:
                continue
        found.referents[at] = (
            known if declared is known.declared else attrs.evolve(known, declared=declared)
        )
    for span, type in facts.types.items():
        at = moves.place(span)
        if at is not None:
            found.types[at] = type
    return found


def together(newer: Facts, older: Facts) -> Facts:
    """Merge two sets of facts; the newer facts take precedence."""
    return Facts({**older.referents, **newer.referents}, {**older.types, **newer.types})


def current_problems(problems: Iterable[Diagnostic], current: Current) -> Iterator[Diagnostic]:
    """Yield the problems whose places still exist."""
    moves = Moves(current)
    for problem in problems:
        at = moves.place(problem.span)
        if at is None:
            continue
        labels = tuple(
            attrs.evolve(label, span=place)
            for label in problem.labels
            if (place := moves.place(label.span)) is not None
        )
        fixes = tuple(
            attrs.evolve(fix, span=place)
            for fix in problem.fixes
            if (place := moves.place(fix.span)) is not None
        )
        yield attrs.evolve(problem, span=at, labels=labels, fixes=fixes)
