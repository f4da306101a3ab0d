"""Turn the changes that a diagnostic carries into fixes: edits with titles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.editing.features.edits import Edit
from rulewright.editing.workspace.project import Snapshot


@frozen
class Fix:
    """A change that fixes a problem, and its title."""

    title: str
    edits: tuple[Edit, ...]
    problem: Diagnostic
    is_sure: bool = True


def fixes(snapshot: Snapshot, path: Path, start: int, end: int) -> Iterator[Fix]:
    """Yield the changes that fix the problems between two places of a file."""
    source = snapshot.sources.get(path)
    if source is None:
        return
    for problem in snapshot.problems:
        if (
            problem.span.source is source
            and problem.span.start <= end
            and problem.span.end >= start
        ):
            yield from fixes_of(problem)


def fixes_of(problem: Diagnostic) -> Iterator[Fix]:
    """Yield the changes that fix one problem."""
    is_sure = len(problem.fixes) == 1
    for fix in problem.fixes:
        own = Edit(fix.span, fix.text)
        yield Fix(fix.title or _title(fix.text), (own,), problem, is_sure and fix.is_sure)


def _title(text: str) -> str:
    shown = "`, `".join(" ".join(line.split()) for line in text.strip().split("\n"))
    return f"write `{shown}`" if shown else "remove it"
