"""The table of lines in the page about scenarios has exactly the forms of the grammar."""

from __future__ import annotations

import re
from typing import get_args

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.scenarios import scenario_parser
from rulewright.dsl.tree import scenario_syntax, syntax
from tests.docs.pages import SPEC, fences

PAGE = SPEC / "scenarios.md"
FORMS = set(get_args(scenario_syntax.ScenarioLine)) - {syntax.Broken}


def parse_line(line: str) -> type:
    """The parsed form of a line; `given` alone and a picture need a block below them."""
    block = "\n        . ." if line.endswith("picture of Cell") else ""
    below = "\n        skip" if line == "given" else block
    problems = Problems()
    text = f'scenario "x"\n    {line}{below}\n'
    (scenario,) = scenario_parser.parse_scenarios(Source("x.scenario", text), problems).scenarios
    assert len(problems) == 0, (line, [found.message for found in problems.in_order()])
    assert isinstance(scenario, scenario_syntax.Scenario)
    (found,) = scenario.lines
    return type(found)


def listed_lines() -> list[str]:
    table = PAGE.read_text(encoding="utf-8").partition("| line | what it says |")[2]
    rows = [row for row in table.partition("\n\n")[0].splitlines() if row.startswith("| `")]
    return [line for row in rows for line in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def test_every_form_is_listed_and_can_be_read() -> None:
    lines = listed_lines()
    assert len(lines) > 12
    assert {parse_line(line) for line in lines} == FORMS


def test_every_first_word_has_its_line() -> None:
    """The help for an incomplete line has the words of the table."""
    assert {*scenario_parser.FORMS} <= {line.split()[0] for line in listed_lines()}


def test_every_form_is_tried_on_the_page() -> None:
    tried: set[type] = set()
    for fence in fences(PAGE):
        if fence.word == "scenario":
            file = scenario_parser.parse_scenarios(Source("x.scenario", fence.text), Problems())
            bodies = [*file.beginnings, *file.scenarios]
            tried |= {type(line) for body in bodies for line in getattr(body, "lines", ())}
    assert tried == FORMS
