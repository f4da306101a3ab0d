"""Turn words into nodes: pass the words to the LALR parser line by line, and continue after a broken line."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias, cast

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.parsing import parse_errors
from rulewright.dsl.parsing.parser_tables import load_parser
from rulewright.dsl.text.lexer import Word

Node = Tree[Token]
Part = Node | Token | None
Driver: TypeAlias = Any  # lark's interactive parser, which has no types
MOST_BROKEN: Final = 100  # the maximum number of broken lines


@lru_cache(maxsize=1)
def lark_parser() -> Lark:
    return load_parser()


def token_of(word: Word) -> Token:
    return Token(word.type, word.text, start_pos=word.start, end_pos=word.end)


def parse_words(source: Source, words: list[Word], start: str, problems: Problems) -> Node:
    """Return the tree of all lines that can be read. Each other line is reported and replaced."""
    driver: Driver = lark_parser().parse_interactive("", start=start)
    at, total, level, reported = 0, len(words), 0, 0
    dropped: list[int] = []  # The levels of misplaced blocks.
    is_empty = False  # Whether a header has no block yet, so that its lines may follow.
    broken: dict[
        int, str
    ] = {}  # For each level, the head of its last line, if this line was broken.
    while at < total:
        word = words[at]
        if word.type == "_INDENT":
            level += 1
            if not _feed(driver, word):
                following = words[at + 1] if at + 1 < total else word
                parse_errors.report_unexpected_block(source, following, problems)
                dropped.append(level)
            at += 1
            continue
        if word.type == "_DEDENT":
            broken.pop(level, None)
            if dropped and dropped[-1] == level:
                dropped.pop()
            elif not _feed(driver, word):
                if driver.accepts() == {"_INDENT"}:
                    parse_errors.report_missing_block(source, words, at, problems)
                _insert_missing(driver, word.start)
                _feed(driver, word)
            level -= 1
            at += 1
            continue
        end = _line_end(words, at)
        line = words[at:end]
        kept = _Backup(driver)
        failed, wanted = _feed_line(driver, words[at : end + 1])
        if failed is None:
            broken.pop(level, None)
            is_empty = False
            at = end + 1
            continue
        driver = kept.restore()
        if wanted == {"_INDENT"} and failed == 0:
            parse_errors.report_missing_block(source, words, at, problems)
            _insert_missing(driver, word.start)
            is_empty = True
            continue
        follows = is_empty and failed == 0
        follows |= failed == 0 and word.type in _FOLLOWERS.get(broken.get(level, ""), ())
        if not follows and not any(part.type == "BAD" for part in line):
            reported += 1
            if reported > MOST_BROKEN:
                parse_errors.report_too_many(source, line, problems)
                break
            inside = _inside(driver)
            reads = partial(_reads, driver, words[end : end + 1])
            parse_errors.report_line(
                source, line, failed, wanted, problems, inside=inside, reads=reads
            )
        broken[level] = word.type
        if _feed(driver, Word("BROKEN", "", word.start, word.start)):
            _feed(driver, Word("_NL", "", word.start, word.start))
            at = end + 1
        else:
            at = _skip(words, at)
    last = words[-1].end if words else 0
    try:
        return cast(Node, driver.feed_eof())
    except UnexpectedInput:
        if driver.accepts() == {"_INDENT"}:
            parse_errors.report_missing_block(source, words, total, problems)
        _insert_missing(driver, last)
    try:
        return cast(Node, driver.feed_eof())
    except UnexpectedInput:
        return Tree(start, [])


UNWRITTEN: Final = frozenset(("_NL", "_INDENT", "_DEDENT", "$END", "BROKEN", "BAD"))
"""The types of tokens that have no text, such as block marks."""


def expected_types(words: list[Word], start: str = "game_file") -> frozenset[str]:
    """Return the types of words that fit after these words, given that the author is still writing the last line.

    A line that cannot be read is ignored.
    """
    driver: Driver = lark_parser().parse_interactive("", start=start)
    at = 0
    while at < len(words):
        word = words[at]
        if word.type in ("_INDENT", "_DEDENT"):
            if not _feed(driver, word):
                _insert_missing(driver, word.start)
                _feed(driver, word)
            at += 1
            continue
        end = at
        while end < len(words) and words[end].type != "_NL":
            end += 1
        kept = _Backup(driver)
        failed, _ = _feed_line(driver, words[at : end + 1])
        if failed is not None:
            driver = kept.restore()
            if end >= len(words):
                return frozenset()
            if driver.accepts() == {"_INDENT"}:
                _insert_missing(driver, word.start)
                continue
            if _feed(driver, Word("BROKEN", "", word.start, word.start)):
                _feed(driver, Word("_NL", "", word.start, word.start))
        at = end + 1
    return frozenset(driver.accepts()) - UNWRITTEN


# lines that continue the previous line: they are not reported if that line was reported
_FOLLOWERS: Final = {
    "IF": ("ELSE", "ELSE_IF"),
    "ELSE_IF": ("ELSE", "ELSE_IF"),
    "IF_POSSIBLE": ("OTHERWISE",),
}


def _feed(driver: Driver, word: Word) -> bool:
    """Pass a word to the parser if it accepts the word. Return whether it does."""
    probe = without_trees(driver)
    try:
        probe.feed_token(token_of(word))
    except UnexpectedInput:
        return False
    driver.feed_token(token_of(word))
    return True


def _feed_line(driver: Driver, words: list[Word]) -> tuple[int | None, set[str]]:
    """Pass a line to the parser. Return the index of the first word that does not fit, and the types that would fit."""
    for at, word in enumerate(words):
        try:
            driver.feed_token(token_of(word))
        except UnexpectedInput:
            return at, set(driver.accepts())
    return None, set()


def _reads(driver: Driver, rest: list[Word], line: Sequence[Word]) -> bool:
    """Return whether the parser could read this line next."""
    probe = without_trees(driver)
    try:
        for word in (*line, *rest):
            probe.feed_token(token_of(word))
    except UnexpectedInput:
        return False
    return True


def without_trees(driver: Driver) -> Driver:
    """Return a copy of the parser; the copy builds no trees, so that the lists of the original parser do not grow."""
    probe = driver.copy(deepcopy_values=False)
    conf = copy(probe.parser_state.parse_conf)
    conf.callbacks = {}
    probe.parser_state.parse_conf = conf
    return probe


def _insert_missing(driver: Driver, place: int) -> None:
    """Insert a missing block, or a missing line of a block."""
    missing = driver.accepts() == {"_INDENT"}
    for kind in ("_INDENT", "BROKEN", "_NL", "_DEDENT") if missing else ("BROKEN", "_NL"):
        _feed(driver, Word(kind, "", place, place))


class _Backup:
    """The state of the parser before a line.

    The parser appends to its lists of lines in place, so their lengths are part of the state.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver.copy(deepcopy_values=False)
        self.lengths = [
            (value.children, len(value.children))
            for value in self.driver.parser_state.value_stack
            if isinstance(value, Tree)
        ]

    def restore(self) -> Driver:
        """Return the parser in its earlier state."""
        for children, length in self.lengths:
            del children[length:]
        return self.driver


def _inside(driver: Driver) -> str:
    choices = set(driver.accepts())
    if "ITEM" in choices:
        return "score"
    if "LET" in choices:
        return "rule"
    if "GAME" in choices:
        return "file"
    if "RULEBOOK" in choices:
        return "game"
    if "COPIES" in choices:
        return "record"
    if "MODIFY" in choices:
        return "power"
    return ""


def _line_end(words: list[Word], at: int) -> int:
    while at < len(words) and words[at].type != "_NL":
        at += 1
    return at


def _skip(words: list[Word], at: int) -> int:
    """Return the index after a line and its block."""
    at = _line_end(words, at) + 1
    if at < len(words) and words[at].type == "_INDENT":
        depth = 0
        while at < len(words):
            depth += {"_INDENT": 1, "_DEDENT": -1}.get(words[at].type, 0)
            at += 1
            if depth == 0:
                break
    return min(at, len(words))


def nodes_in(node: Node) -> list[Node]:
    """Return the nodes inside a node, without the words between them."""
    return [child for child in node.children if isinstance(child, Tree)]


def keyword(token: Part | str) -> Any:
    """Return a word of the language, or several words separated by spaces, as in the syntax tree.

    The grammar allows no other words, but the types of the words in the tree do not show this.
    """
    return " ".join(str(token).split())
