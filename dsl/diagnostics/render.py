"""Print problems as text for people and as data for other programs.

This module does not find, sort or count problems.
"""

from collections.abc import Iterator
from typing import Final

from rulewright.dsl.diagnostics.characters import printable
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Severity
from rulewright.dsl.diagnostics.excerpts import Mark, Paint, excerpt, last_line, wrap
from rulewright.dsl.diagnostics.source import Source, Span

WIDTH: Final = 100

_RED: Final = "1;31"
_YELLOW: Final = "1;33"
_BLUE: Final = "1;34"
_BOLD: Final = "1"


def render(diagnostic: Diagnostic, *, width: int = WIDTH, colour: bool = False) -> str:
    """Return a problem as a block of lines, the last line without a newline.

    The block contains no part of a source or message that could be a command for a terminal.
    """
    return "\n".join(_rows(diagnostic, max(width, 40), colour))


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """Return a problem as data. Lines and columns count from 1, and the end is after the last character."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        **_place(diagnostic.span),
        "message": diagnostic.message,
        "text": diagnostic.text,
        "labels": [{**_place(label.span), "text": label.text} for label in diagnostic.labels],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "file": span.source.name,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _painter(style: str, colour: bool) -> Paint:
    if not colour:
        return str
    return lambda text: f"\x1b[{style}m{text}\x1b[0m"


def _rows(diagnostic: Diagnostic, width: int, colour: bool) -> Iterator[str]:
    loud = _painter(_RED if diagnostic.severity is Severity.ERROR else _YELLOW, colour)
    frame = _painter(_BLUE, colour)
    strong = _painter(_BOLD, colour)
    yield from _headline(diagnostic, width, loud, strong)

    primary = Mark(diagnostic.span, "^", diagnostic.text, loud)
    labels = sorted(diagnostic.labels, key=lambda label: (label.span, label.text))
    marks = [primary, *(Mark(label.span, "-", label.text, frame) for label in labels)]
    gutter = len(str(max(map(last_line, marks))))
    arrow = "-->"
    for source in _sources(marks):
        here = [mark for mark in marks if mark.span.source is source]
        line, column = source.position(here[0].span.start)
        yield f"{' ' * gutter}{frame(arrow)} {printable(source.name)}:{line}:{column}"
        arrow = ":::"
        if source.text or any(mark.words for mark in here):
            yield frame(" " * gutter + " |")
            yield from excerpt(source, here, gutter, width, frame)

    remarks = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        remarks.append(("help", diagnostic.help))
    if remarks:
        yield frame(" " * gutter + " |")
    for word, text in remarks:
        yield from _remark(word, text, gutter, width, frame, strong)


def _headline(diagnostic: Diagnostic, width: int, loud: Paint, strong: Paint) -> Iterator[str]:
    title = f"{diagnostic.severity.value}[{diagnostic.code}]"
    # The title counts towards the width of the first row, but is painted separately.
    first, *others = wrap(f"{title}: {diagnostic.message}", width)
    yield loud(title) + strong(first.removeprefix(title))
    for other in others:
        yield strong(other)


def _sources(marks: list[Mark]) -> list[Source]:
    """Return the distinct sources of the marks, beginning with the source of the first mark."""
    return list(dict.fromkeys(mark.span.source for mark in marks))


def _remark(
    word: str, text: str, gutter: int, width: int, frame: Paint, strong: Paint
) -> Iterator[str]:
    indent = gutter + len(f" = {word}: ")
    first, *others = wrap(text, width - indent)
    yield f"{' ' * gutter} {frame('=')} {strong(word)}: {first}"
    for other in others:
        yield " " * indent + other
