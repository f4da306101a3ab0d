"""Draw boards of words as HTML: a title, lines, notes."""

from __future__ import annotations

from rulewright.interpreter.views.scene import Sheet
from rulewright.pictures.markup import Markup, inner, tag
from rulewright.pictures.pen import Pen


def sheet(pen: Pen, board: Sheet) -> Markup:
    """Draw the lines of a board of words, with new lines marked. Return an empty text if there are no lines."""
    if not board.lines:
        return Markup("")
    lines = [
        tag("li", line, class_="rw-changed" if line in board.changed else None)
        for line in board.lines
    ]
    return inner(
        tag("h3", board.title) if board.title else None,
        tag("ul", *lines, class_="rw-lines"),
        *(tag("p", note, class_="rw-note") for note in board.notes),
    )
