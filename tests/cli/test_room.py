"""Problems are printed as wide as the terminal, but not too wide for reading."""

from __future__ import annotations

import io
import sys

import pytest

from rulewright.cli.output import show_problems
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.parsing.parser import parse_game


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "columns", "most"),
    [(Terminal, 60, 60), (Terminal, 80, 80), (Terminal, 200, 100), (io.StringIO, 60, 100)],
)
def test_rows_fit_into_the_terminal(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO], columns: int, most: int
) -> None:
    problems, out = Problems(), stream()
    parse_game(Source("coins.game", "foo bar\n"), problems)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    show_problems(problems.in_order())
    longest = max(map(len, out.getvalue().splitlines()))
    assert most - 20 < longest <= most
