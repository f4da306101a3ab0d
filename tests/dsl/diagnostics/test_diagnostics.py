"""The collector of problems, and the list of codes."""

import re

import pytest

from rulewright.dsl.diagnostics.codes import CODES, Stage
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Label, Problems, Severity
from rulewright.dsl.diagnostics.source import Source, Span

SOURCE = Source("a.game", "zone a\nzone b\n")
FIRST = Span(SOURCE, 0, 6)
SECOND = Span(SOURCE, 7, 13)


def test_an_error_is_kept_with_its_place() -> None:
    problems = Problems()
    label = Label(SECOND, "there")
    problems.error(
        "unknown-name", "message", FIRST, at="here", labels=[label], notes=["why"], help="what"
    )
    assert problems.in_order() == (
        Diagnostic(
            "unknown-name", "message", FIRST, "here", (label,), ("why",), "what", Severity.ERROR
        ),
    )


def test_sorted_by_place_then_severity_then_code() -> None:
    problems = Problems()
    problems.error("wrong-type", "message", SECOND)
    problems.warning("unused-name", "message", FIRST)
    problems.error("unknown-type", "message", FIRST)
    problems.error("unknown-name", "message", FIRST)
    assert [problem.code for problem in problems.in_order()] == [
        "unknown-name",
        "unknown-type",
        "unused-name",
        "wrong-type",
    ]


def test_a_code_at_a_place_is_reported_once() -> None:
    problems = Problems()
    problems.error("unknown-name", "first", FIRST)
    problems.error("unknown-name", "second", FIRST)
    problems.extend([Diagnostic("unknown-name", "elsewhere", SECOND)])
    assert [problem.message for problem in problems.in_order()] == ["first", "elsewhere"]
    assert len(problems) == 2


def test_warnings_are_no_errors() -> None:
    problems = Problems()
    problems.warning("unused-name", "message", FIRST)
    assert not problems.has_errors
    problems.error("unknown-name", "message", FIRST)
    assert problems.has_errors


def test_a_code_that_is_not_listed_is_refused() -> None:
    with pytest.raises(ValueError, match="no-such-code"):
        Problems().error("no-such-code", "message", FIRST)


@pytest.mark.parametrize("name", CODES)
def test_every_code_has_a_name_and_a_title(name: str) -> None:
    code = CODES[name]
    assert code.name == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)
    assert not code.title.endswith(".")


def test_codes_are_listed_once_and_by_stage() -> None:
    stages = [code.stage for code in CODES.values()]
    assert stages == sorted(stages, key=list(Stage).index)
