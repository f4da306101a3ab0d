"""Parse the words of one line. The grammar determines which words belong to the language and which are names.

So the words of scenarios, such as `sees` or `chance`, are not reserved anywhere.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from attrs import frozen
from lark.exceptions import UnexpectedInput

from rulewright.dsl.parsing.parse_driver import (
    Driver,
    Node,
    lark_parser,
    token_of,
    without_trees,
)
from rulewright.dsl.parsing.reader import first_word
from rulewright.dsl.text.lexer import Word
from rulewright.dsl.text.vocabulary import HEADS, SCENARIOS

_PHRASES: Final = {
    first: sorted((p.split() for p in SCENARIOS if p.split()[0] == first), key=len, reverse=True)
    for first in {phrase.split()[0] for phrase in SCENARIOS}
}
"""The words of scenarios, keyed by their first words, the longest first."""
_HEADS: Final = frozenset(HEADS.values())


@frozen
class Parsed:
    """The words of a line with their types, and the tree of the line.

    `failed` is the index of the first word that does not fit. `begun` is the first index where an
    expression can begin.
    """

    words: tuple[Word, ...]
    tree: Node | None
    failed: int = -1
    begun: int = -1


def parse_line(words: list[Word], start: str) -> Parsed:
    driver: Driver = lark_parser().parse_interactive("", start=start)
    typed: list[Word] = []
    at, begun = 0, -1
    while at < len(words):
        choices = driver.choices()
        if begun < 0 and "LPAR" in choices:
            begun = len(typed)
        word, following = _choose_type(driver, choices, words, at)
        if begun == len(typed) and (word.type not in choices or word.text == "by"):
            word = first_word(words[at:])
        try:
            driver.feed_token(token_of(word))
        except UnexpectedInput:
            return Parsed((*typed, *words[at:]), None, len(typed), begun)
        typed.append(word)
        at = following
    try:
        return Parsed(tuple(typed), driver.feed_eof(), begun=begun)
    except UnexpectedInput:
        return Parsed(tuple(typed), None, len(typed), begun)


def _choose_type(
    driver: Driver, choices: Container[str], words: list[Word], at: int
) -> tuple[Word, int]:
    """Return the word at an index with its type, and the index of the next word.

    A word that could also be a name is a name only if the next word fits after a name but not after the keyword.
    """
    word = words[at]
    for phrase in _PHRASES.get(word.text, ()):
        end, type = at + len(phrase), SCENARIOS[" ".join(phrase)]
        if type in choices and phrase == [each.text for each in words[at:end]]:
            found = Word(type, " ".join(phrase), word.start, words[end - 1].end)
            name = Word("NAME", word.text, word.start, word.end)
            if (
                "NAME" not in choices
                or _fits(driver, found, words, end)
                or not _fits(driver, name, words, at + 1)
            ):
                return found, end
    if word.type in _HEADS and word.type not in choices and "NAME" in choices:
        word = Word("NAME", word.text, word.start, word.end)
    return word, at + 1


def _fits(driver: Driver, word: Word, words: list[Word], at: int) -> bool:
    """Return whether the next word fits after this word."""
    probe = without_trees(driver)
    try:
        probe.feed_token(token_of(word))
    except UnexpectedInput:
        return False
    choices = probe.choices()
    if at >= len(words):
        return "$END" in choices
    following, _ = _choose_type(probe, choices, words, at)
    return following.type in choices
