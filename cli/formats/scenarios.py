"""Format results of scenarios as text and as data; no scenario is run here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.dsl.diagnostics.diagnostics import Diagnostic
    from rulewright.interpreter.testing.scenarios import Failure, Result


def results_text(results: Sequence[Result], unread: int) -> str:
    """List the failures, and count the scenarios that passed and failed; `unread` scenarios count as failed."""
    failed = [result for result in results if not result.passed]
    lines = [line for result in failed for line in _failure_lines(result)]
    lines.append(f"{len(results) - len(failed)} passed, {len(failed) + unread} failed")
    return "\n".join(lines) + "\n"


def _failure_lines(result: Result) -> Iterator[str]:
    failure = result.failure
    assert failure is not None
    yield f"failed: {result.scene.text}"
    yield f"  {failure.span.source.name}:{failure.span.line}: {_step(failure)}"
    yield f"    expected: {failure.expected}"
    first, *others = failure.found
    yield f"    found:    {first}"
    for other in others:
        yield f"              {other}"
    if failure.steps:
        yield "    the last steps:"
        for step in failure.steps:
            yield f"      {step}"
    yield ""


def _step(failure: Failure) -> str:
    return " ".join(failure.span.text.split())


def results_data(results: Sequence[Result], problems: Iterable[Diagnostic]) -> dict[str, object]:
    """Return the results as data for other programs."""
    # lazy import: other commands start without it
    from rulewright.dsl.diagnostics.render import to_json

    return {
        "passed": sum(result.passed for result in results),
        "failed": sum(not result.passed for result in results),
        "scenarios": [_result_data(result) for result in results],
        "problems": [to_json(problem) for problem in problems],
    }


def _result_data(result: Result) -> dict[str, object]:
    scene, failure = result.scene, result.failure
    return {
        "file": scene.span.source.name,
        "line": scene.span.line,
        "name": scene.text,
        "clauses": list(scene.clauses),
        "passed": result.passed,
        "failure": None
        if failure is None
        else {
            "line": failure.span.line,
            "step": _step(failure),
            "expected": failure.expected,
            "found": list(failure.found),
            "steps": [step.strip() for step in failure.steps],
        },
    }
