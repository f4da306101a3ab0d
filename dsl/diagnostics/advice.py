"""Represent help as a value: words, and the text changes that these words describe.

The words are printed from the changes, and never parsed back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import frozen


@frozen
class Change:
    """A text to write. It replaces `place` if given, otherwise the `part` of the problem if given,
    and otherwise the whole place of the problem.
    """

    text: str
    place: Span | None = None
    part: str = ""

    def where(self, problem: Span) -> Span:
        """Return the place that the text replaces."""
        if self.place is not None:
            return self.place
        at = problem.text.find(self.part) if self.part else -1
        if at < 0:
            return problem
        return Span(problem.source, problem.start + at, problem.start + at + len(self.part))

    def indented_text(self, problem: Span) -> str:
        """Return the text. Its second and later lines receive the indentation of the line where it is written."""
        place = self.where(problem)
        line = place.source.line_text(place.line)
        return self.text.replace("\n", "\n" + line[: len(line) - len(line.lstrip())])


@frozen
class Advice:
    """Words that say what to do, and the changes from which the author can choose."""

    words: str = ""
    changes: tuple[Change, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)

    def at(self, place: Span) -> Advice:
        """Return this advice with its changes applied at a place. Changes that already have a place
        or a part keep it.
        """
        moved = (one if one.part or one.place else Change(one.text, place) for one in self.changes)
        return Advice(self.words, tuple(moved))

    def __add__(self, other: Help) -> Advice:
        """Return this advice, followed by other help."""
        more = advice(other)
        return Advice(self.words + more.words, self.changes + more.changes)

    def __radd__(self, other: str) -> Advice:
        return Advice(other + self.words, self.changes)


Help: TypeAlias = Advice | str
"""The help for a problem. A text is help without changes."""


def advice(help: Help) -> Advice:
    """Return help as an `Advice`. A text becomes advice without changes."""
    return help if isinstance(help, Advice) else Advice(help)


_CLAUSES: Final = re.compile(r"[ \t]+\[[A-Z0-9., -]+\][ \t]*$")
_TYPE: Final = re.compile(r"\b[A-Z][a-z][A-Za-z0-9_]*")
_PLACEHOLDER: Final = re.compile(r"\.\.\.|(?<![\w\"-])[A-Z][A-Z0-9]*(?![\w-])")


def form(text: str, at: Span | None = None) -> Advice:
    """Return a text to write, with each of its lines in backticks. Deeper lines are indented by 4 spaces.

    If the author must fill in a part of the text, such as `...` or `ZONE`, the advice has no change.
    """
    lines = text.split("\n")
    deep = [line.startswith(" ") for line in lines]
    words = f"`{lines[0].strip()}`"
    for n in range(1, len(lines)):
        joint = (
            ", and below it" if deep[n] > deep[n - 1] else " and" if n == len(lines) - 1 else ","
        )
        words += f"{joint} `{lines[n].strip()}`"
    is_whole = _PLACEHOLDER.search(_TYPE.sub("x", text)) is None
    return Advice(words, (Change(text, at),) if is_whole else ())


def write(text: str, at: Span | None = None) -> Advice:
    """Return advice to write a text."""
    return "write " + form(text, at)


def line_of(span: Span) -> Span:
    """Return the words of the line that contains a place, without its clauses and its comment."""
    start = span.source.line_start(span.line)
    line = span.source.line_text(span.line).split("  #")[0]
    bare = _CLAUSES.sub("", line).rstrip()
    return Span(span.source, start + len(line) - len(line.lstrip()), start + len(bare))


def whole_lines(span: Span) -> Span:
    """Return the whole lines that contain a place, including the newline of the last line."""
    source = span.source
    end = min(source.line_end(span.end_line) + 1, len(source.text))
    return Span(source, source.line_start(span.line), end)


def block_of(span: Span) -> Span:
    """Return the whole lines that contain a place, including the more indented lines below them."""
    source, last = span.source, span.end_line
    first = source.line_text(span.line)
    deeper = first[: len(first) - len(first.lstrip())] + " "
    while last < source.line_count and source.line_text(last + 1).startswith(deeper):
        last += 1
    end = min(source.line_end(last) + 1, len(source.text))
    return Span(source, source.line_start(span.line), end)


def one_of(texts: Sequence[str]) -> Advice:
    """Return advice that lets the author choose one of several texts."""
    *others, last = texts
    said = Advice()
    for n, text in enumerate(others):
        said += (", " if n else "") + form(text)
    return said + (" or " if others else "") + form(last)


def remove(words: str = "remove it", place: Span | None = None) -> Advice:
    """Return advice to remove the text at a place."""
    return Advice(words, (Change("", place),))
