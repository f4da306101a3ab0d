"""Semantic tokens: the kind of each name in a file, so that editors colour names by meaning.

Editors without a grammar of the language get tokens for all other words, too. Independent of colours.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.scenarios.scenario_words import scenario_words
from rulewright.dsl.text.lexer import BLOCKS, Word
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.editing.features.words_at import words_of
from rulewright.editing.workspace.project import Snapshot, is_rules

KIND_WORDS: Final = {
    "action": "function",
    "built-in": "macro",
    "column": "property",
    "effect": "event",
    "local": "parameter",
    "option": "enum",
    "part": "property",
    "row": "enumMember",
    "rule": "method",
    "seat": "enumMember",
    "state": "variable",
    "table": "struct",
    "tokens": "enumMember",
    "type": "class",
    "value": "decorator",
    "zone": "namespace",
}
"""The kinds of names, in the terms of the Language Server Protocol."""
COMMENT: Final = "comment"
KEYWORD: Final = "keyword"
NUMBER: Final = "number"
TEXT: Final = "string"
KINDS: Final = (*dict.fromkeys(KIND_WORDS.values()), COMMENT, KEYWORD, NUMBER, TEXT)
_COMMENT = re.compile(r"#[^\n]*")
_OUTSIDE = re.compile(r"((?:^|(?<=\}))[^{}\n]*)")
MODIFIERS: Final = ("declaration", "defaultLibrary")


@frozen
class Token:
    """A range in one line: its start, end, type and modifiers."""

    start: int
    end: int
    kind: str
    modifiers: tuple[str, ...] = ()


def name_tokens(snapshot: Snapshot, path: Path) -> list[Token]:
    """Return tokens for the names of a file, in order and without overlaps."""
    return list(_apart(sorted(set(_all(snapshot, path)), key=_place)))


def all_tokens(snapshot: Snapshot, path: Path) -> list[Token]:
    """Return tokens for the names of a file and, between the names, for its words, texts, numbers and
    comments.
    """
    source = snapshot.sources.get(path)
    names = name_tokens(snapshot, path)
    if source is None or not is_rules(path):
        return names
    starts = [one.start for one in names]

    def is_free(one: Token) -> bool:
        """Return whether a word is not inside a name, which may be spelt like a word of the language."""
        before = bisect_left(starts, one.end) - 1
        return before < 0 or names[before].end <= one.start

    written = _word_tokens(source, is_scenario=path.suffix == SCENARIOS)
    return sorted([*names, *filter(is_free, written)], key=_place)


def _word_tokens(source: Source, *, is_scenario: bool) -> Iterator[Token]:
    words = scenario_words(source) if is_scenario else words_of(source)[0]
    end = 0
    for word in words:
        if word.type in (*BLOCKS, "BAD"):
            continue
        yield from _comments(source.text, end, word.start)
        end = word.end
        if word.type == "TEXT":
            yield from _between_braces(word)
        elif word.type in ("NUMBER", "TAG"):
            yield Token(word.start, end, NUMBER if word.type == "NUMBER" else COMMENT)
        elif (
            word.type not in ("NAME", "TYPE")
            and word.text[0].isalpha()
            and "\n" not in source.text[word.start : end]
        ):
            yield Token(word.start, end, KEYWORD)
    yield from _comments(source.text, end, len(source.text))


def _comments(text: str, start: int, end: int) -> Iterator[Token]:
    """Yield tokens for the comments between two words."""
    for found in _COMMENT.finditer(text, start, end):
        yield Token(found.start(), found.end(), COMMENT)


def _between_braces(word: Word) -> Iterator[Token]:
    """Yield tokens for a text without the expressions in it."""
    for found in _OUTSIDE.finditer(word.text):
        start, end = word.start + found.start(1), word.start + found.end(1)
        if start < end:
            yield Token(start, end, TEXT)


def _all(snapshot: Snapshot, path: Path) -> Iterator[Token]:
    source = snapshot.sources.get(path)
    for span, known in snapshot.facts.referents.items():
        if span.source is source and span.start < span.end and "\n" not in span.text:
            modifiers = ("declaration",) if known.declared == span else ()
            if known.kind == "built-in":
                modifiers = ("defaultLibrary",)
            yield Token(span.start, span.end, KIND_WORDS[known.kind], modifiers)
    for symbol in snapshot.symbols:
        if symbol.span.source is source:
            yield Token(
                symbol.span.start, symbol.span.end, KIND_WORDS[symbol.kind], ("declaration",)
            )


def _place(one: Token) -> tuple[int, int, int]:
    return one.start, one.end, -len(one.modifiers)


def _apart(found: list[Token]) -> Iterator[Token]:
    """Drop overlaps: of two tokens that overlap, only the first is kept."""
    end = -1
    for one in found:
        if one.start >= end:
            yield one
            end = one.end
