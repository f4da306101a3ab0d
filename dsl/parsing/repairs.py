"""Repair a line with a missing or superfluous word: try each change until the line can be read.

This module is independent of the parser: it receives the words that would fit, and a test of whether a line
can be read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.dsl.text.lexer import Word
from rulewright.dsl.text.names import as_name
from rulewright.dsl.text.vocabulary import RESERVED

Reads = Callable[[Sequence[Word]], bool]
"""Returns whether a line can be read at its place."""

_MISSING: Final[dict[str, str]] = {
    "COMMA": ",",
    "EQ": "=",
    "COLON": ":",
    "TO": "to",
    "IN": "in",
    "FROM": "from",
    "BY": "by",
    "OF": "of",
    "TIMES": "times",
    "ELSE": "else",
}
"""Words that authors often leave out, keyed by their terminals in the grammar."""

_TOO_MANY: Final = frozenset(
    "a an the then that which do does be has have are only just exactly also now please return "  # noqa: SIM905 - read as one line
    "in to of is from for each all player :".split(" ")
)
"""Words that people write where the language has no word."""

_TYPES: Final = {word: type for word, type in RESERVED.items() if word.isalpha()}
_WORDS: Final = {type: word for word, type in _TYPES.items()}
"""Words of the language that an author may have misspelt inside a line."""

_LISTS: Final = frozenset(("ROW", "KIND", "OPTION", "DIE", "POSITION", "JOINS"))
"""Lines that are lists, so that the missing word is a comma."""
_MEANT: Final[dict[str, tuple[str, ...]]] = {
    "COLON": ("EQ", "IN"),
    "EQ": ("COLON", "TO", "COMMA"),
    "COMMA": ("AND",),
    "AND": ("COMMA",),
    "TO": ("EQ",),
    "OF": ("IN", "FROM"),
    "FROM": ("IN",),
    "WITH": ("FROM",),
    "THEN": ("COMMA",),
}
"""For each terminal, the terminals that people confuse with it."""
_ARTICLES: Final = ("the", "a", "an")
_CLOSE: Final = frozenset(("COMMA", "COLON"))


def repair_line(line: Sequence[Word], at: int, wanted: set[str], reads: Reads) -> str:
    """Return the line that can be read after one word is inserted, removed or replaced. Return ""
    if there is not exactly one such line.
    """
    found: dict[str, str] = {}
    for type, text in _MISSING.items():
        if type in wanted and at < len(line):
            start = line[at].start
            more = [*line[:at], Word(type, text, start, start), *line[at:]]
            if reads(more):
                found[type] = _join_words(more)
    article = at - 1 if 0 < at <= len(line) and line[at - 1].text in _ARTICLES else at
    if 0 < article < len(line) and line[article].text in _ARTICLES:
        less = [*line[:article], *line[article + 1 :]]
        if reads(less):
            return _join_words(less)
    if line[0].type in _LISTS and "COMMA" in found:
        return found["COMMA"]
    if found:
        return next(iter(found.values())) if len(found) == 1 else ""
    for meant in _MEANT.get(line[at].type, ()) if at < len(line) else ():
        place = line[at]
        other = [
            *line[:at],
            Word(meant, _MISSING.get(meant, meant.lower()), place.start, place.start),
            *line[at + 1 :],
        ]
        if meant in wanted and reads(other):
            return _join_words(other)
    if at < len(line) and line[at].type in ("TEXT", "TYPE"):
        unquoted = _name_words(line, at, reads)
        if unquoted:
            return unquoted
    if at < len(line) and line[at].type == "NAME":
        place = line[at]
        for word in near_names(place.text, [_WORDS[type] for type in wanted if type in _WORDS]):
            other = [
                *line[:at],
                Word(_TYPES[word], word, place.start, place.start),
                *line[at + 1 :],
            ]
            if reads(other):
                return _join_words(other)
    for n in (at, at - 1):
        if 0 < n < len(line) and line[n].text in _TOO_MANY:
            less = [*line[:n], *line[n + 1 :]]
            if reads(less):
                return _join_words(less)
    return ""


def _name_words(line: Sequence[Word], at: int, reads: Reads) -> str:
    """Return the line in which each text or type from index `at` on becomes a name. Return "" if
    this line cannot be read.
    """
    named = [
        Word(*_as_name(word), word.start, word.end) if n >= at else word
        for n, word in enumerate(line)
    ]
    return _join_words(named) if reads(named) else ""


def _as_name(word: Word) -> tuple[str, str]:
    """Turn a text or a capitalised word into a name or a number. Return the type and text of the result."""
    if word.type not in ("TEXT", "TYPE"):
        return word.type, word.text
    name = as_name(word.text)
    if name.isdigit():
        return "NUMBER", name
    return (_TYPES.get(name, "NAME"), name) if name[:1].isalpha() else (word.type, word.text)


def _join_words(words: Sequence[Word]) -> str:
    """Join words with the spaces of the text. An inserted word has a space on both sides."""
    shown, before = "", None
    for word in words:
        is_new = word.start == word.end
        was_new = before is not None and before.start == before.end
        if before is None or (is_new and word.type in _CLOSE):
            gap = ""
        elif is_new or was_new:
            gap = " "
        else:
            gap = " " if before.end < word.start else ""
        shown += gap + word.text
        before = word
    return shown
