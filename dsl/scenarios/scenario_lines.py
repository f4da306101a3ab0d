"""Split a scenario file into lines, so that a mistake affects only one line. Each line includes the
deeper lines below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from rulewright.dsl.diagnostics.diagnostics import Fix, Problems
from rulewright.dsl.diagnostics.source import Source, Span

_GOES_ON: Final = re.compile(r"(?:and|or|where|by|then|with|because)(?!\w)|[+*/-][ \t]")


@frozen
class Line:
    """A line together with its block, from `start` to `end`. In `text`, comments are replaced by spaces."""

    source: Source
    start: int
    end: int
    indent: int
    text: str

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """Return a part of the line, without trailing spaces."""
        stop = len(self.text) if end is None else end
        stop = start + len(self.text[start:stop].rstrip())
        return Span(self.source, self.start + start, self.start + stop)

    @property
    def head(self) -> Span:
        """The first row of the line."""
        return self.span(0, (self.text + "\n").index("\n"))


def lines_of(source: Source, start: int, end: int, problems: Problems) -> Iterator[Line]:
    """Yield the lines of a part of the text. Each line includes the deeper lines below it."""
    text = _without_comments(source.text[start:end])
    rows: list[
        tuple[int, int, int]
    ] = []  # for each row that is not empty: its beginning, its first word, its indent
    at = 0
    for row in text.split("\n"):
        bare = row.strip()
        if bare:
            blank = row[: len(row) - len(row.lstrip())]
            if "\t" in blank:
                tabs = Span(source, start + at, start + at + len(blank))
                problems.error(
                    "tab-indent",
                    "a tab is used where spaces belong",
                    tabs,
                    help="indent with 4 spaces",
                    fix=Fix(tabs, blank.expandtabs(4), "indent with spaces"),
                )
            rows.append((at, at + len(blank), len(blank.expandtabs(4))))
        at += len(row) + 1
    opened = -1
    for place, (offset, words, indent) in enumerate(rows):
        if opened < 0:
            opened = place
            continue
        first = rows[opened][2]
        if indent > first:
            continue
        if indent == first and _GOES_ON.match(text, words):
            continue
        yield _line_of(source, text, start, rows[opened], offset)
        opened = place
    if opened >= 0:
        yield _line_of(source, text, start, rows[opened], len(text))


def _line_of(source: Source, text: str, start: int, row: tuple[int, int, int], end: int) -> Line:
    _, first, indent = row
    bare = text[first:end].rstrip()
    return Line(source, start + first, start + first + len(bare), indent, bare)


def _without_comments(text: str) -> str:
    """Replace the comments in a text by spaces."""
    return re.sub(r'("[^"\n]*")|#[^\n]*', lambda m: m.group(1) or " " * len(m.group()), text)


def rows_of(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the non-empty rows below a line, each together with its offset."""
    for row in text[start:].split("\n"):
        bare = row.strip()
        if bare:
            yield start + len(row) - len(row.lstrip()), bare
        start += len(row) + 1
