"""The words of scenario lines are names wherever the grammar has no such word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.parsing.parse_line import parse_line
from rulewright.dsl.scenarios.scenario_lines import lines_of
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.scenarios.scenario_words import scenario_words, words_of
from rulewright.dsl.text.vocabulary import SCENARIOS
from rulewright.dsl.tree import scenario_syntax, syntax

LINES = {
    "expect log is 3": "EXPECT NAME IS NUMBER",
    'expect log "three"': "EXPECT LOG TEXT",
    "expect view.size is 2": "EXPECT NAME DOT NAME IS NUMBER",
    "expect view": "EXPECT NAME",
    "expect no is fair": "EXPECT NO IS NAME",
    'expect no view of ann "hidden"': "EXPECT NO VIEW OF NAME TEXT",
    "expect option is 3": "EXPECT NAME IS NUMBER",
    'expect option 3 "three"': "EXPECT OPTION NUMBER TEXT",
    "expect asked is 2": "EXPECT NAME IS NUMBER",
    "expect ann is asked": "EXPECT NAME IS_ASKED",
    "expect because is 1": "EXPECT NAME IS NUMBER",
    "chance plays wait": "NAME PLAYS NAME",
    "chance gives 3": "CHANCE GIVES NUMBER",
    "refused because plays sees": "REFUSED NAME PLAYS NAME",
    "ann sees sees is 3": "NAME SEES NAME IS NUMBER",
    "ann plays play(before)": "NAME PLAYS NAME LPAR NAME RPAR",
    "offered exactly exactly, given": "OFFERED EXACTLY NAME COMMA NAME",
}


@pytest.mark.parametrize("text", LINES)
def test_each_word_has_the_type_that_fits(text: str) -> None:
    (line,) = lines_of(Source("t", text), 0, len(text), Problems())
    parsed = parse_line(words_of(line, Problems()), "scenario_line")
    assert parsed.tree is not None
    assert " ".join(word.type for word in parsed.words) == LINES[text]


RESERVED = ("is", "from", "of", "no")  # everywhere


@pytest.mark.parametrize("word", [w for w in SCENARIOS if " " not in w and w not in RESERVED])
def test_each_word_can_be_the_name_of_an_option(word: str) -> None:
    text = f'scenario "x"\n    player ann, bob\n    ann plays {word}\n    expect {word}.size is 2\n'
    problems = Problems()
    (scenario,) = parse_scenarios(Source("x.scenario", text), problems).scenarios
    assert len(problems) == 0
    assert isinstance(scenario, scenario_syntax.Scenario)
    _, plays, expects = scenario.lines
    assert isinstance(plays, scenario_syntax.Plays)
    assert isinstance(expects, scenario_syntax.Expect)


def test_a_mistake_stays_in_its_line() -> None:
    text = 'scenario "x"\n    player ann, bob\n    ann plays (\n    bob plays wait\n'
    problems = Problems()
    (scenario,) = parse_scenarios(Source("x.scenario", text), problems).scenarios
    assert [problem.span.line for problem in problems.in_order()] == [3]
    assert isinstance(scenario, scenario_syntax.Scenario)
    assert isinstance(scenario.lines[2], scenario_syntax.Plays)


def test_a_line_plays_no_more_than_a_million_steps() -> None:
    text = 'scenario "x"\n    player ann, bob\n    play 1000000 steps\n'
    problems = Problems()
    parse_scenarios(Source("x.scenario", text), problems)
    assert [(p.code, p.help) for p in problems.in_order()] == [
        ("bad-number", "a line plays at most 999,999 steps")
    ]


OTHERS = (
    "ann",
    "is",
    "3",
    "(",
    ")",
    ",",
    ".",
    '"t"',
    "Cell",
    "and",
    "if",
    "count(",
    "by(",
    ":",
    "-",
)


@given(st.lists(st.sampled_from((*SCENARIOS, *OTHERS, "\n        ")), min_size=1, max_size=8))
def test_any_words_are_parsed_or_reported(words: list[str]) -> None:
    source = Source("x.scenario", f'scenario "x"\n    {" ".join(words).strip() or "given"}\n')
    problems = Problems()
    (scenario,) = parse_scenarios(source, problems).scenarios
    assert isinstance(scenario, scenario_syntax.Scenario)
    is_broken = any(isinstance(line, syntax.Broken) for line in scenario.lines)
    assert is_broken <= problems.has_errors
    scenario_words(source)


def test_an_option_can_be_missing_before_its_reason() -> None:
    text = 'scenario "x"\n    player ann, bob\n    refused ann plays because "words"\n'
    problems = Problems()
    parse_scenarios(Source("x.scenario", text), problems)
    assert [problem.span.line for problem in problems.in_order()] == [3]


def test_a_picture_without_rows_gets_the_form_of_a_picture() -> None:
    text = 'scenario "x"\n    player ann, bob\n    expect picture of Cell\n'
    problems = Problems()
    parse_scenarios(Source("x.scenario", text), problems)
    (problem,) = problems.in_order()
    assert problem.message == "this line of `picture` is not complete"
