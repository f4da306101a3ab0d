"""Turn words and the text between words into items to format: lines, comments between lines, and empty rows.

This module decides to which line a comment belongs.
"""

from __future__ import annotations

import re

from attrs import evolve, field, frozen

from rulewright.dsl.text.lexer import Word
from rulewright.dsl.text.vocabulary import GROUPS


@frozen
class Line:
    """A line of rules: its words, and the comments between and after the words."""

    depth: int
    words: tuple[Word, ...]
    tag: str = ""
    comment: str = ""
    """The comment after the line."""
    opens: bool = False
    """Whether the line has a block."""
    between: dict[int, tuple[str, ...]] = field(factory=dict)
    """The words after which a row must end, and the comments at these places.

    The first comment is in the same row unless it is empty.
    """


@frozen
class Remark:
    """A row with only a comment."""

    depth: int
    text: str


@frozen
class Gap:
    """An empty row."""


Item = Line | Remark | Gap


def lines_of(text: str, words: list[Word]) -> list[Item]:
    """Return all items of a text, from top to bottom."""
    reader = _Reader(text)
    for word in words:
        reader.take(word)
    reader.between(len(text), 0)
    return reader.items


def comments_of(items: list[Item]) -> list[str]:
    """Return all comments, in order. The length of a heading makes no difference."""
    found: list[str] = []
    for item in items:
        if isinstance(item, Remark):
            found.append(item.text)
        elif isinstance(item, Line):
            for place in sorted(item.between):
                found += [comment for comment in item.between[place] if comment]
            found += [item.comment] if item.comment else []
    return [re.sub("-{3,}", "---", comment) for comment in found]


class _Reader:
    """The state of a pass over the words of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Item] = []
        self.line: list[Word] = []
        self.inside: dict[int, tuple[str, ...]] = {}
        self.depth = self.depth_before = 0
        self.columns = [0]  # the columns at which the lines of each open block begin in the text
        self.at = 0  # the end of the last word

    def take(self, word: Word) -> None:
        """Advance by one word."""
        match word.type:
            case "_INDENT":
                self.depth += 1
                last = self.items[-1]
                assert isinstance(last, Line)
                self.items[-1] = evolve(last, opens=True)
            case "_DEDENT":
                self.depth -= 1
            case "_NL":
                self.end_line()
            case _:
                if self.line:
                    self.within(word)
                else:
                    self.between(word.start, self.depth)
                    self.begin_line(word)
                self.line.append(word)
                self.at = word.end

    def begin_line(self, word: Word) -> None:
        row = self.text.rfind("\n", 0, word.start) + 1
        del self.columns[self.depth :]
        self.columns.append(len(self.text[row : word.start].expandtabs(4)))

    def end_line(self) -> None:
        if not self.line:
            return
        tag = self.line.pop() if self.line[-1].type == "TAG" else None
        said = re.compile(r"[ \t]*(#[^\n]*)?").match(self.text, self.at)
        assert said is not None
        self.items.append(
            Line(
                self.depth,
                tuple(self.line),
                re.sub(r",[ ]*", ", ", tag.text) if tag is not None else "",
                _plain(said[1] or ""),
                between=self.inside,
            )
        )
        self.at = said.end()
        self.line, self.inside = [], {}
        self.depth_before = self.depth

    def within(self, word: Word) -> None:
        """Store the comments between two words of a line."""
        before = self.line[-1]
        between = self.text[self.at : word.start]
        if "\n" not in between:
            return
        first, *rows = between.split("\n")
        comments = [_plain(row.strip()) for row in (first, *rows) if row.strip()]
        if comments:
            here = () if first.strip() else ("",)
            self.inside[len(self.line) - 1] = (*here, *comments)
        elif any(group.startswith(f"{before.text} {word.text}") for group in GROUPS):
            self.inside[len(self.line) - 1] = (
                "",
            )  # side by side the two words would be one phrase

    def between(self, end: int, depth: int) -> None:
        """Add the rows up to the place where a line of this depth begins."""
        opens = depth > self.depth_before or not self.items
        deepest = depth if opens else self.depth_before
        gap = False
        rows = self.text[self.at : end].split("\n")
        for row in rows if self.at == 0 else rows[1:]:
            bare = row.strip()
            if not bare:
                gap = True
                continue
            column = len(row[: len(row) - len(row.lstrip())].expandtabs(4))
            while deepest > depth and column < self.columns[deepest]:
                deepest -= 1
            if gap and not opens:
                self.items.append(Gap())
            self.items.append(Remark(deepest, _plain(bare)))
            gap = opens = False
        # the last row is the space before the line, or the text after the last newline
        if end < len(self.text) and not opens and len(rows) > 2 and not rows[-2].strip():
            self.items.append(Gap())


def _plain(comment: str) -> str:
    """Return a comment with a space after its `#`."""
    bare = comment.rstrip()
    return f"# {bare[1:]}" if re.match(r"#[^\s#!]", bare) else bare
