"""Code lenses: clickable lines above scenarios, rules and clauses that run scenarios or list tests and
citations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from rulewright.dsl.checks.clauses import citations
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.tree import declared, scenario_syntax, syntax
from rulewright.editing.workspace.project import Snapshot

RUN = "rulewright.runScenario"
TESTS = "rulewright.showTests"


@frozen
class Lens:
    """A line above a place: its text, and the command that a click runs."""

    span: Span
    text: str
    command: str
    arguments: tuple[str, ...]
    places: tuple[Span, ...] = ()


def lenses(snapshot: Snapshot, path: Path) -> Iterator[Lens]:
    """Yield the lines above places of a file."""
    scenarios = snapshot.scenarios.get(path)
    if scenarios is not None:
        yield from _runs(path, scenarios)
    elif path.suffix == ".game":
        tests = _by_clause(snapshot)
        for d in snapshot.declarations_in(path):
            yield from _test_lens(d, tests)
    else:
        yield from _clauses(snapshot, path)


def _runs(path: Path, tree: scenario_syntax.ScenarioFile) -> Iterator[Lens]:
    written = [s for s in tree.scenarios if not isinstance(s, syntax.Broken)]
    if len(written) > 1:
        start = Span(tree.span.source, 0, 0)
        yield Lens(start, f"run all {len(written)} scenarios", RUN, (str(path), ""))
    for scenario in written:
        yield Lens(scenario.span, "run this scenario", RUN, (str(path), scenario.text))


def _test_lens(d: declared.Declaration, tests: Mapping[str, Sequence[Span]]) -> Iterator[Lens]:
    ids = clause_ids(getattr(d, "tags", ()))
    if not ids or isinstance(d, declared.Note):
        return
    found = tuple(dict.fromkeys(span for id in ids for span in tests.get(id, ())))
    yield Lens(d.span, f"tested by {_count_text(len(found), 'scenario')}", TESTS, ids, found)


def _clauses(snapshot: Snapshot, path: Path) -> Iterator[Lens]:
    facts = snapshot.loaded.facts
    if facts is None or facts.rulebook != path:
        return
    by_id: dict[str, list[Span]] = {}
    for citation in citations(snapshot.loaded.declarations):
        by_id.setdefault(citation.id, []).append(citation.span)
    tests = _by_clause(snapshot)
    for clause in snapshot.clauses:
        rules, tested = by_id.get(clause.id, []), tests.get(clause.id, [])
        words = f"{_count_text(len(rules), 'rule')}, {_count_text(len(tested), 'scenario')}"
        yield Lens(clause.span, words, TESTS, (clause.id,), (*rules, *tested))


def _by_clause(snapshot: Snapshot) -> dict[str, list[Span]]:
    """Map each clause to the scenarios that cite it."""
    tests: dict[str, list[Span]] = {}
    for tree in snapshot.scenarios.values():
        for scenario in tree.scenarios:
            if not isinstance(scenario, syntax.Broken):
                for id in clause_ids(scenario.tags):
                    tests.setdefault(id, []).append(scenario.span)
    return tests


def _count_text(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
