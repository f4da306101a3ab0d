"""Find the words of a text around a place."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.text.lexer import BLOCKS, Word, lex

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORD_BEFORE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TAG = re.compile(r"([A-Z]{2,}-[A-Z0-9]+)")


@lru_cache(maxsize=16)
def words_of(source: Source) -> tuple[tuple[Word, ...], tuple[int, ...]]:
    """Return the words of a rules file, without block marks, and the offset at which each begins."""
    words = tuple(word for word in lex(source, Problems()) if word.type not in (*BLOCKS, "BAD"))
    return words, tuple(word.start for word in words)


def word_at(source: Source, offset: int) -> Word | None:
    """Return the word of a rules file at a place or directly before it, or None."""
    words, starts = words_of(source)
    at = bisect_right(starts, offset) - 1
    found = [word for word in words[max(0, at - 1) : at + 1] if word.start <= offset <= word.end]
    return found[-1] if found else None


def name_at(source: Source, offset: int) -> Span | None:
    """Return the name that contains a place or ends there, or None."""
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    line = source.text[start : end if end >= 0 else len(source.text)]
    for found in _NAME.finditer(line):
        if start + found.start() <= offset <= start + found.end():
            return Span(source, start + found.start(), start + found.end())
    return None


def name_start_at(source: Source, offset: int) -> Span:
    """Return the part of a name that is directly before a place; it may be empty."""
    start = source.text.rfind("\n", 0, offset) + 1
    found = _WORD_BEFORE.search(source.text[start:offset])
    return Span(source, start + found.start() if found is not None else offset, offset)


def clause_at(source: Source, offset: int) -> Span | None:
    """Return the id of a clause at a place, or None."""
    start = source.text.rfind("\n", 0, offset) + 1
    end = source.text.find("\n", offset)
    line = source.text[start : end if end >= 0 else len(source.text)]
    for found in _TAG.finditer(line):
        if start + found.start() <= offset <= start + found.end():
            return Span(source, start + found.start(), start + found.end())
    return None


def line_before(source: Source, offset: int) -> str:
    """Return the part of the line before a place."""
    return source.text[source.text.rfind("\n", 0, offset) + 1 : offset]


def comment_above(source: Source, offset: int) -> str:
    """Return the comment lines directly above the line of a place."""
    line = source.position(offset)[0] - 1
    found: list[str] = []
    while line >= 1 and (text := source.line_text(line).strip()).startswith("#"):
        words = text.lstrip("#").strip()
        if words.startswith("--"):
            break
        found.append(words)
        line -= 1
    return " ".join(reversed(found))
