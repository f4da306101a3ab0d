"""The picture of a position, from the package `pictures`: one section of a page."""

from __future__ import annotations

from typing import Protocol

from rulewright.interpreter.questions.drawing import plain_position
from rulewright.web.pages.html import Html, tag
from rulewright.web.tables.course import Course

_ACROSS = 100


class Seen(Protocol):
    """A match as a viewer sees it."""

    @property
    def course(self) -> Course: ...
    @property
    def viewer(self) -> int: ...
    @property
    def seat(self) -> int: ...


def picture(seen: Seen) -> Html:
    """The position as the viewer sees it."""
    me = seen.seat if seen.seat >= 0 else None
    text = plain_position(seen.course.state, seen.viewer, me, _ACROSS)
    return tag("div", tag("pre", text, tabindex="0"), id="scene")


def styles() -> str:
    """The stylesheet of pictures."""
    return ""
