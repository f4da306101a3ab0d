"""Shorten the list of problems of each file for editors and JSON output, and say how many are left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity

MOST: Final = 200
"""The maximum number of problems of a file that an editor receives."""


def cap_problems(problems: Iterable[Diagnostic], most: int = MOST) -> list[Diagnostic]:
    """Return the problems in order, but at most `most` of each file; errors take precedence.

    If some are left out, a further problem says how many, at the place of the first one left out.
    """
    by_file: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        by_file.setdefault(problem.span.source.name, []).append(problem)
    return [shown for found in by_file.values() for shown in _cap_file(found, most)]


def _cap_file(found: list[Diagnostic], most: int) -> list[Diagnostic]:
    if len(found) <= most:
        return found
    is_warning = [problem.severity is Severity.WARNING for problem in found]
    kept = {*sorted(range(len(found)), key=lambda n: (is_warning[n], n))[: most - 1]}
    left = [problem for n, problem in enumerate(found) if n not in kept]
    first = next((p for p in left if p.severity is Severity.ERROR), left[0])
    more = attrs.evolve(
        first,
        message=f"this file has {len(left):,} more problems from here on, which are not shown",
        text="",
        labels=(),
        notes=(),
        help=f"fix some of the {most - 1:,} problems above first; `rulewright check --all` shows each",
        fixes=(),
    )
    return [*(problem for n, problem in enumerate(found) if n in kept), more]
