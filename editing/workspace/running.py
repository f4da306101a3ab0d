"""Run scenarios with the texts in the editor."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulewright.dsl.diagnostics.diagnostics import Severity
from rulewright.dsl.loading.files import Files
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.testing.scenarios import Failure, run_scenarios


@frozen
class Run:
    """The result of one scenario: the line at which it failed, and the reason in words."""

    name: str
    passed: bool
    line: int | None = None
    words: str = ""

    def data(self) -> dict[str, object]:
        """Return the result for other programs."""
        return {"name": self.name, "passed": self.passed, "line": self.line, "words": self.words}


def run(path: Path, name: str, files: Files) -> list[Run]:
    """Run the scenario with this name or, if the name is empty, all scenarios of a file, in the order of
    the lines.
    """
    loaded = load_scenarios(path, files=files, shipped=shipped_games)
    results = [
        result
        for program in loaded.programs
        for result in run_scenarios(
            program.of(tuple(scene for scene in program.scenes if name in ("", scene.text))),
            "python",
        )
    ]
    return [
        Run(result.scene.text, True)
        if result.failure is None
        else Run(result.scene.text, False, result.failure.span.line, _words(result.failure))
        for result in sorted(results, key=lambda result: result.scene.span)
    ]


def why_not(path: Path, files: Files) -> str:
    """Return the first problem that prevents the scenarios of a file from running."""
    problems = load_scenarios(path, files=files, shipped=shipped_games).check()
    wrong = [problem for problem in problems if problem.severity is Severity.ERROR]
    if not wrong:
        return "the file no longer has a scenario with this name"
    return f"{Path(wrong[0].span.source.name).name}, line {wrong[0].span.line}: {wrong[0].message}"


def _words(failure: Failure) -> str:
    found = "\n".join(failure.found)
    step = " ".join(failure.span.text.split())
    return f"line {failure.span.line}: {step}\nexpected: {failure.expected}\nfound: {found}"
