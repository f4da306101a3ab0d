"""A shortened list of problems says that it is shortened, and how many are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.capping import cap_problems
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.loading import load

A, B = Source("a.game", "x" * 99), Source("b.game", "x" * 99)
HEAD = 'game "A"\n    players 2\n'
TAIL = 'score of p\n    item "points" = 1\nwinner p by p.total then shared\n'


def problem(source: Source, at: int, *, warns: bool = False) -> Diagnostic:
    severity = Severity.WARNING if warns else Severity.ERROR
    return Diagnostic("unused-name", f"p{at}", Span(source, at, at + 1), severity=severity)


def test_a_short_list_stays_as_it_is() -> None:
    found = [problem(A, 1), problem(A, 2), problem(B, 1)]
    assert cap_problems(found, 2) == found


def test_the_rest_of_each_file_is_counted_at_its_first() -> None:
    found = [problem(A, at) for at in range(7)] + [problem(B, at) for at in range(3)]
    shown = cap_problems(found, 3)
    assert shown[:2] == found[:2] and shown[3:] == found[7:]
    assert shown[2].span == found[2].span
    assert "5 more problems" in shown[2].message


def test_errors_are_kept_before_warnings() -> None:
    found = [problem(A, at, warns=at < 5) for at in range(7)]
    shown = cap_problems(found, 4)
    assert [one.span.start for one in shown] == [0, 5, 6, 1]
    assert shown[-1].severity is Severity.WARNING


@pytest.mark.parametrize(
    ("text", "last"),
    [
        pytest.param(
            HEAD + "§ & % a\n" * 300,
            "too much of this file cannot be read; the rest is not checked",
            id="many lines with signs",
        ),
        pytest.param(
            f"{HEAD}play\n    log " + "3abc " * 300 + f"\n{TAIL}",
            "too much of this file cannot be read; further problems in this line are not shown",
            id="one line with signs",
        ),
        pytest.param(
            HEAD + "# \u202e\n" * 30,
            "from here on there are 25 more characters that cannot be seen",
            id="signs that cannot be seen",
        ),
        pytest.param(
            HEAD + 'state n: 0..20\nplay\n    log "{by(n: 3 then 4)}"\n' + TAIL,
            "this table has no line for 0, 1, 2, 4, 5, and for others",
            id="values without a line",
        ),
    ],
)
def test_the_last_message_counts_the_omitted_problems(tmp_path: Path, text: str, last: str) -> None:
    path = tmp_path / "a.game"
    path.write_text(text, encoding="utf-8")
    assert last in [one.message for one in load(path).check()]
