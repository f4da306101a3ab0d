"""Convert places of texts to positions of the protocol: lines from 0, columns in the client's unit."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types

from rulewright.dsl.diagnostics.source import Source, Span

Encoding = str


def _width(sign: str, encoding: Encoding) -> int:
    if encoding == types.PositionEncodingKind.Utf32:
        return 1
    if encoding == types.PositionEncodingKind.Utf8:
        return len(sign.encode("utf-8", "surrogatepass"))
    return 2 if ord(sign) > 0xFFFF else 1


def offset_of(source: Source, position: types.Position, encoding: Encoding) -> int:
    """Return the offset of a position; a position after the end of a line or of the text means this end."""
    line = position.line + 1
    if line > source.line_count:
        return len(source.text)
    start, text = source.line_start(line), source.line_text(line)
    if text.isascii():
        return start + min(position.character, len(text))
    left = position.character
    for at, sign in enumerate(text):
        left -= _width(sign, encoding)
        if left < 0:
            return start + at
    return start + len(text)


def position_of(source: Source, offset: int, encoding: Encoding) -> types.Position:
    """Return the position of an offset in a text."""
    line, column = source.position(offset)
    before = source.text[offset - column + 1 : offset]
    if before.isascii():
        return types.Position(line - 1, len(before))
    return types.Position(line - 1, sum(_width(sign, encoding) for sign in before))


def range_of(span: Span, encoding: Encoding) -> types.Range:
    """Return the range of a part of a text."""
    return types.Range(
        position_of(span.source, span.start, encoding), position_of(span.source, span.end, encoding)
    )


def with_plain_newlines(text: str) -> str:
    """Return a text with normalised line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def apply_changes(
    text: str, changes: Iterable[types.TextDocumentContentChangeEvent], encoding: Encoding
) -> str:
    """Return a text after changes.

    The library changes its own copy, but also counts line breaks that do not end a line in an editor, such
    as a form feed.
    """
    for change in changes:
        new = with_plain_newlines(change.text)
        if isinstance(change, types.TextDocumentContentChangePartial):
            source = Source("", text)
            start = offset_of(source, change.range.start, encoding)
            new = text[:start] + new + text[offset_of(source, change.range.end, encoding) :]
        text = new
    return text
