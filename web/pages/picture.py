"""The picture of a position, drawn by the package `pictures`: sections with ids, and their layout on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import attrs

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import Scene, scene
from rulewright.pictures.looks import Looks
from rulewright.pictures.page import Section, arrange_sections
from rulewright.pictures.page import sections as drawn
from rulewright.pictures.question import Form
from rulewright.web.pages.html import Html
from rulewright.web.tables.course import Course


class Seen(Protocol):
    """A match as a viewer sees it."""

    @property
    def course(self) -> Course: ...
    @property
    def viewer(self) -> int: ...
    @property
    def seat(self) -> int: ...
    @property
    def looks(self) -> Looks: ...


@attrs.frozen
class Picture:
    """The sections of a picture, by their ids."""

    parts: Mapping[str, Section]


def picture(seen: Seen, form: Form | None, before: State | None) -> Picture:
    """Draw the position as the viewer sees it; without a form nothing can be chosen.

    Changes since the state `before` are marked.
    """
    found: Scene = scene(
        seen.course.state, seen.viewer, before, seen.seat if seen.seat >= 0 else None
    )
    if form is None and not found.is_over:
        found = attrs.evolve(found, decision=None)
    parts = drawn(found, form, seen.looks, is_live=form is not None)
    return Picture({part.id: part for part in parts if part.id != "log"})


def lay_out(found: Picture, game: str, *side: Html) -> Html:
    """Lay out a picture with panels beside it."""
    return Html(arrange_sections(found.parts.values(), game, *side, id="scene"))
