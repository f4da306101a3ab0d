"""Define texts and places in texts. Every problem and every node of a syntax tree has such a place.

This module is independent of files, of encodings and of the language.
"""

import re
from array import array
from bisect import bisect_right
from functools import cached_property

import attrs

from rulewright.dsl.immutable import frozen


@frozen(eq=False)
class Source:
    """A text and the name under which it is shown to the user. A source is equal only to itself.

    Invariant: lines end in a newline alone, and no byte order mark begins the text (see
    `rulewright.dsl.text.reading`).
    """

    name: str
    text: str = attrs.field(repr=False)

    @cached_property
    def line_starts(self) -> "array[int]":
        """The offset of the first character of each line."""
        # A text may consist only of newlines, so memory matters: an array takes a tenth of the
        # memory of a tuple.
        starts = array("I", (0,))
        starts.extend(newline.end() for newline in re.finditer("\n", self.text))
        return starts

    @property
    def line_count(self) -> int:
        """The number of lines; an empty line after a final newline is counted."""
        return len(self.line_starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1; columns count characters."""
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"offset {offset} is outside {self.name}")
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_start(self, line: int) -> int:
        """Return the offset of the first character of a line."""
        if not 1 <= line <= self.line_count:
            raise ValueError(f"{self.name} has no line {line}")
        return self.line_starts[line - 1]

    def line_end(self, line: int) -> int:
        """Return the offset directly after the last character of a line, without its newline."""
        if line == self.line_count:
            return len(self.text)
        return self.line_start(line + 1) - 1

    def line_text(self, line: int) -> str:
        """Return a line without its newline."""
        return self.text[self.line_start(line) : self.line_end(line)]

    @property
    def end(self) -> "Span":
        """The empty place after the last character."""
        return Span(self, len(self.text), len(self.text))


def _name_of(source: Source) -> str:
    return source.name


@frozen(order=True, repr=False)
class Span:
    """A part of a source, from `start` up to but not including `end`. A span may be empty.

    Spans are ordered by name of the source, then start, then end.
    """

    source: Source = attrs.field(order=_name_of)
    start: int
    end: int

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.start <= self.end <= len(self.source.text):
            raise ValueError(f"no such place in {self.source.name}: {self.start}..{self.end}")

    def __repr__(self) -> str:
        return f"Span({self.source.name}:{self.line}:{self.column} {self.start}..{self.end})"

    @property
    def line(self) -> int:
        """The line of the first character, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column of the first character, from 1."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place directly after the last character."""
        return self.source.position(self.end)[0]

    @property
    def end_column(self) -> int:
        """The column of the place directly after the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    @property
    def before(self) -> "Span":
        """The empty place before the first character."""
        return Span(self.source, self.start, self.start)

    def join(self, other: "Span") -> "Span":
        """Return the smallest span that contains both spans. Both must be in the same source."""
        if self.source is not other.source:
            raise ValueError(f"{self!r} and {other!r} lie in different sources")
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))
