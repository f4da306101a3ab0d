"""Clauses after a reason: a run of them is shortened to its ends."""

import pytest

from rulewright.interpreter.text.tags import tags


@pytest.mark.parametrize(
    ("clauses", "shown"),
    [
        ((), ""),
        (("TA-072",), " [TA-072]"),
        (("TA-072", "TA-073"), " [TA-072, TA-073]"),
        (("TA-065", "TA-066", "TA-067"), " [TA-065..TA-067]"),
        (("TA-009", "TA-010", "TA-011", "TA-099"), " [TA-009..TA-011, TA-099]"),
        (("A-1", "B-2", "B-3"), " [A-1, B-2, B-3]"),
        (("setup", "start", "play"), " [setup, start, play]"),
        (("A-9", "A-10", "A-11", "A-12"), " [A-9, A-10..A-12]"),
    ],
)
def test_rows_of_tables_have_tags(clauses: tuple[str, ...], shown: str) -> None:
    assert tags(clauses) == shown
