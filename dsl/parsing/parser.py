"""Parse words into the syntax tree: the declarations of a file.

Parsing never raises, whatever the text is: an unreadable part is reported once and becomes `Broken` in the
tree.
"""

from __future__ import annotations

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.parsing.parse_driver import nodes_in, parse_words
from rulewright.dsl.parsing.reader import Reader
from rulewright.dsl.text.lexer import Word, lex
from rulewright.dsl.tree import declared


def parse_game(source: Source, problems: Problems) -> declared.GameFile:
    """Parse the declarations of a rules file."""
    return parse_lexed(source, lex(source, problems), problems)


def parse_lexed(source: Source, words: list[Word], problems: Problems) -> declared.GameFile:
    tree = parse_words(source, words, "game_file", problems)
    declarations = tuple(map(Reader(source, problems).read, nodes_in(tree)))
    return declared.GameFile(Span(source, 0, len(source.text)), declarations)
