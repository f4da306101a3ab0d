"""Show lines of a source as rows of text, with marks under given places.

This module is independent of problems. It receives places, each with words and the character that
underlines the place.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import attrs

from rulewright.dsl.diagnostics.characters import glyph, printable, width
from rulewright.dsl.diagnostics.source import Source, Span

Paint = Callable[[str], str]
"""Adds colour to a text, or does nothing."""

_CUT: Final = "..."
_WHOLE_LINES: Final = 3  # a place on several lines is shown by its first and last line
_NARROW: Final = 24  # words with less room than this after their mark are written below the mark


@attrs.frozen
class Mark:
    """A place to underline."""

    span: Span
    sign: str
    words: str
    paint: Paint


@attrs.frozen
class _Stroke:
    """The part of a mark that is on one line, from character `start` to character `end`. Words follow the
    last part.
    """

    line: int
    start: int
    end: int
    mark: Mark
    words: str


@attrs.frozen
class _Window:
    """The shown part of a line: `columns[i]` is the column of character `first + i`."""

    text: str
    first: int
    columns: tuple[int, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.columns) - 1

    def column(self, character: int) -> int:
        return self.columns[min(character, self.last) - self.first]


def last_line(mark: Mark) -> int:
    """Return the last line that is shown for a mark."""
    # A place that ends with a newline ends on the line of this newline.
    end = max(mark.span.start, mark.span.end - 1)
    return mark.span.source.position(end)[0]


def excerpt(
    source: Source, marks: Sequence[Mark], gutter: int, columns: int, frame: Paint
) -> Iterator[str]:
    """Yield the lines of a source with all marks on them. Marks on the same line keep their order.

    `gutter` is the width of the line numbers, `columns` the width of a whole row.
    """
    room = columns - gutter - 3
    strokes = [stroke for mark in marks for stroke in _strokes(mark)]
    previous = 0
    for line in _shown_lines(source, strokes):
        if previous and line > previous + 1:
            yield frame(_CUT)
        previous = line
        here = [stroke for stroke in strokes if stroke.line == line]
        number = frame(f"{line:>{gutter}} |")
        yield from _line_rows(
            source.line_text(line), here, number, frame(" " * gutter + " |"), room
        )


def wrap(text: str, columns: int) -> list[str]:
    """Split a text without harmful characters into rows of at most this many columns. Longer words are shortened."""
    return [row for line in text.split("\n") for row in _wrap_line(printable(line), columns)]


def _strokes(mark: Mark) -> Iterator[_Stroke]:
    source, first, last = mark.span.source, mark.span.line, last_line(mark)
    lines = range(first, last + 1)
    for line in lines if len(lines) <= _WHOLE_LINES else (first, last):
        text, begin = source.line_text(line), source.line_start(line)
        end = min(mark.span.end - begin, len(text))
        if line == first:
            start = mark.span.start - begin
        elif not text.strip():
            start = 0
        else:
            start = min(len(text) - len(text.lstrip()), end)
        if line != last:
            end = max(start, len(text.rstrip()))
        words = mark.words if line == last else ""
        if line in (first, last) or end > start:
            yield _Stroke(line, start, end, mark, words)


def _shown_lines(source: Source, strokes: Sequence[_Stroke]) -> list[int]:
    """Return the lines that contain marks, and also each single line between two such lines."""
    marked = {stroke.line for stroke in strokes}
    marked |= {above for line in marked if (above := _line_above_blank(source, line))}
    marked |= {line + 1 for line in marked if line + 2 in marked}
    return sorted(marked)


def _line_above_blank(source: Source, line: int) -> int:
    """Return the line above a blank line, or 0 if the line is not blank. A blank line alone would
    not show where it is.
    """
    if source.line_text(line).strip():
        return 0
    return line - 1


def _line_rows(
    text: str, strokes: Sequence[_Stroke], number: str, margin: str, room: int
) -> Iterator[str]:
    if not strokes:
        yield f"{number} {_window(text, 0, 0, room).text}".rstrip()
        return
    rest = list(strokes)
    while rest:
        window = _window(text, rest[0].start, rest[0].end, room)
        yield f"{number} {window.text}".rstrip()
        inside = [stroke for stroke in rest if window.first <= stroke.start <= window.last]
        rest = [stroke for stroke in rest if stroke not in inside]
        for stroke in inside:
            for row in _stroke_rows(stroke, window, room):
                yield f"{margin} {row}"


def _stroke_rows(stroke: _Stroke, window: _Window, room: int) -> Iterator[str]:
    # An accent at the end of a full row is in the column before it.
    start = min(window.column(stroke.start), room - 1)
    line = stroke.mark.sign * max(1, window.column(stroke.end) - start)
    paint = stroke.mark.paint
    if not stroke.words:
        yield " " * start + paint(line)
        return
    beside = start + len(line) + 1
    length = width(printable(stroke.words))
    if room - beside >= min(_NARROW, length):
        first, *others = wrap(stroke.words, room - beside)
        yield " " * start + paint(f"{line} {first}")
        below = beside
    else:
        yield " " * start + paint(line)
        below = max(0, min(start, room - min(length, 2 * _NARROW)))
        others = wrap(stroke.words, room - below)
    for other in others:
        yield " " * below + paint(other)


def _window(text: str, start: int, end: int, room: int) -> _Window:
    """Return as much of a line as fits, around the characters from `start` to `end`."""
    # Except for accents, each character takes at least one column, so farther characters need not be
    # measured.
    begin = max(0, start - room)
    part = text[begin : start + room + 1]
    glyphs, columns = _glyphs_and_columns(part)
    needed = columns[-1] + (
        start == len(text)
    )  # a mark after the last character has its own column
    if len(part) == len(text) and needed <= room:
        return _Window("".join(glyphs), 0, tuple(columns))
    return _cut_window(glyphs, columns, begin, len(text), start, end, room)


def _cut_window(
    glyphs: Sequence[str],
    columns: Sequence[int],
    begin: int,
    length: int,
    start: int,
    end: int,
    room: int,
) -> _Window:
    space = max(1, room - 2 * len(_CUT))
    marked = columns[start - begin]
    size = min(columns[min(end - begin, len(glyphs))] - marked, space)
    left = max(0, min(marked - (space - size) // 2, columns[-1] - space))
    low = bisect_left(columns, left)
    high = max(low, bisect_right(columns, columns[low] + space) - 1)
    before = _CUT if begin + low > 0 else ""
    after = _CUT if begin + high < length else ""
    return _Window(
        before + "".join(glyphs[low:high]) + after,
        begin + low,
        tuple(column - columns[low] + len(before) for column in columns[low : high + 1]),
    )


def _glyphs_and_columns(text: str) -> tuple[list[str], list[int]]:
    """Return the glyph of each character, and the columns of all characters and of the end of the text."""
    glyphs: list[str] = []
    columns = [0]
    for character in text:
        glyphs.append(glyph(character, columns[-1]))
        columns.append(columns[-1] + width(glyphs[-1]))
    return glyphs, columns


def _wrap_line(text: str, columns: int) -> Iterator[str]:
    row = ""
    for word in text.split(" "):
        piece = _shorten(word, columns)
        if row and width(row) + 1 + width(piece) > columns:
            yield row
            row = piece
        else:
            row = f"{row} {piece}" if row else piece
    yield row


def _shorten(word: str, columns: int) -> str:
    if width(word) <= columns:
        return word
    head, tail = word[: columns // 2], word[-(columns // 4) :]
    while head and width(head) > columns // 2:
        head = head[:-1]
    while tail and width(tail) > columns // 4:
        tail = tail[1:]
    return head + _CUT + tail
