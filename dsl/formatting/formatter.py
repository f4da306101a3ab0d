"""Format a file in its canonical layout.

The words of the result are compared with the words of the original before the result is returned, so that
the meaning cannot change.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.formatting.lines import comments_of, lines_of
from rulewright.dsl.formatting.margins import text_of
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.scenarios.scenario_words import scenario_words
from rulewright.dsl.text.lexer import Word, lex, types_and_texts

HARMLESS = ("tab-indent",)  # problems that the layout itself corrects


def format_game(source: Source, problems: Problems) -> str | None:
    """Return a rules file in the canonical layout. If it cannot be read, report the problems and return None."""
    return _format(source, problems, scenes=False)


def format_scenarios(source: Source, problems: Problems) -> str | None:
    """Return a scenario file in the canonical layout. If it cannot be read, report the problems and return None."""
    return _format(source, problems, scenes=True)


def _format(source: Source, problems: Problems, *, scenes: bool) -> str | None:
    found = Problems()
    if scenes:
        parse_scenarios(source, found)
    else:
        parse_game(source, found)
    serious = [problem for problem in found.in_order() if problem.code not in HARMLESS]
    if serious:
        problems.extend(found.in_order())
        return None
    words = _words(source, scenes)
    items = lines_of(source.text, words)
    text = text_of(items)
    again = Source(source.name, text)
    words_again = _words(again, scenes)
    if types_and_texts(words) != types_and_texts(words_again):
        raise AssertionError(f"the layout of {source.name} would change what it says")
    if comments_of(items) != comments_of(lines_of(text, words_again)):
        raise AssertionError(f"the layout of {source.name} would change its comments")
    return text


def _words(source: Source, scenes: bool) -> list[Word]:
    return scenario_words(source) if scenes else lex(source, Problems())
