"""Format the clause ledger as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import shorten, wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.dsl.diagnostics.source import Span
    from rulewright.interpreter.testing.ledger import Entry, Ledger

_WIDTH = 80


def ledger_data(
    title: str, rulebook: str, ledger: Ledger, problems: Iterable[Diagnostic]
) -> dict[str, object]:
    """Return the ledger as data for other programs; `rulewright ledger --help` describes the shape."""
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.render import to_json

    return {
        "game": title,
        "rulebook": rulebook,
        "games": ledger.plays,
        "settings": ledger.variants,
        "clauses": [
            {
                "id": entry.clause.id,
                "text": entry.clause.text,
                "line": entry.clause.span.line,
                "implemented": [
                    {"file": span.source.name, "line": span.line} for span in entry.rules
                ],
                "waived": list(entry.reasons),
                "tests": [
                    {"file": test.span.source.name, "line": test.span.line, "name": test.name}
                    for test in entry.tests
                ],
                "fired": entry.fired,
            }
            for entry in ledger.entries
        ],
        "totals": {
            "clauses": len(ledger.entries),
            "implemented": sum(bool(entry.rules) for entry in ledger.entries),
            "waived": sum(entry.is_waived for entry in ledger.entries),
            "missing": sum(entry.is_missing for entry in ledger.entries),
            "untested": sum(entry.is_untested for entry in ledger.entries),
            "never_fired": sum(entry.fired == 0 for entry in ledger.entries),
        },
        "problems": [to_json(problem) for problem in problems],
    }


def ledger_text(title: str, ledger: Ledger) -> str:
    """Format a paragraph for each clause; the missing clauses are listed at the end."""
    lines = [line for entry in ledger.entries for line in _entry(entry, ledger.plays)]
    entries = ledger.entries
    waived = sum(entry.is_waived for entry in entries)
    implemented = sum(bool(entry.rules) for entry in entries)
    missing = [entry for entry in entries if entry.is_missing]
    counts = f"{implemented} implemented, {waived} waived, {len(missing)} missing"
    lines += ["", f"{title}: {_clauses(len(entries))}, {counts}"]
    lines += _clause_lines("missing", missing)
    lines += _clause_lines(
        "tested by no scenario", [entry for entry in entries if entry.is_untested]
    )
    if ledger.plays:
        games = "1 game" if ledger.plays == 1 else f"{ledger.plays:,} games"
        never = [entry for entry in entries if entry.fired == 0]
        variants = "1 variant" if ledger.variants == 1 else f"{ledger.variants} variants"
        lines += _clause_lines(f"never fired in {games} of {variants}", never)
    return "\n".join(lines).removeprefix("\n")


def _clauses(count: int) -> str:
    return "1 clause" if count == 1 else f"{count} clauses"


def _entry(entry: Entry, plays: int) -> Iterator[str]:
    head = f"{entry.clause.id}  {entry.clause.text}".strip()
    yield shorten(head, _WIDTH, placeholder=" ...")
    facts: list[str] = []
    if entry.rules:
        facts.append(_places(entry.rules))
    facts.extend(f"waived: {reason}" for reason in entry.reasons)
    if entry.is_missing:
        facts.append("MISSING: no rule, and no note that says why")
    if entry.fired is not None and plays:
        facts.append(f"fired in {entry.fired:,} of {plays:,} games")
    facts.extend(f"tested: {test.name}" for test in entry.tests)
    for fact in facts:
        yield from wrap(fact, _WIDTH, initial_indent="    ", subsequent_indent="      ")


def _places(spans: Sequence[Span]) -> str:
    return "at " + "; ".join(
        f"{Path(file).name}:{', '.join(str(line) for line in sorted({span.line for span in group}))}"
        for file, group in groupby(spans, key=lambda span: span.source.name)
    )


def _clause_lines(what: str, entries: Sequence[Entry]) -> list[str]:
    if not entries:
        return []
    ids = ", ".join(entry.clause.id for entry in entries)
    return wrap(
        f"{what} ({len(entries)}): {ids}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False
    )
