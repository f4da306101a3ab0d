"""The canonical layout of each text in `layout.md`. UPDATE=1 writes the results again."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.formatting.formatter import format_game, format_scenarios

PAGE = Path(__file__).with_name("layout.md")
CASE = re.compile(
    r"^## ([^\n]+)\n.*?^```(game|scenario)\n(.*?)^```\n\n```layout\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CASES = {found[1]: found for found in CASE.finditer(PAGE.read_text("utf-8"))}


@pytest.mark.parametrize("title", CASES)
def test_a_file_is_laid_out_as_expected(title: str) -> None:
    found, problems = CASES[title], Problems()
    form = format_scenarios if found[2] == "scenario" else format_game
    shown = form(Source("t.game", found[3]), problems)
    assert shown is not None, [f"{p.span.line}: {p.message}" for p in problems.in_order()]
    if os.environ.get("UPDATE"):
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(
            page.replace(found[0], found[0][: found.start(4) - found.start()] + shown + "```")
        )
        return
    assert shown == found[4]
    assert form(Source("t.game", shown), problems) == shown
