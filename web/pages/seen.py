"""A match as one viewer sees it: the common base of the pages about a match."""

from __future__ import annotations

from functools import lru_cache

import attrs

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.views.view import ALL_SEEING, EVERYBODY
from rulewright.pictures.looks import PLAIN, Looks
from rulewright.web.pages.html import Html
from rulewright.web.pages.layout import button, form
from rulewright.web.tables.course import Course
from rulewright.web.tables.table import Table
from rulewright.web.words import say


@attrs.frozen
class Seen:
    """A match as one viewer sees it: `seat` is -1 for a spectator; `token` is for forms."""

    table: Table
    game: Game
    seat: int
    token: str
    base: str
    """The address of this view, such as `/t/ID/s/0`."""
    hot: bool = False
    looks: Looks = PLAIN
    style: str = ""
    """The address of the stylesheet of the game, or "" if it has none."""
    reminds: bool = True
    """Whether a reminder may be sent now."""

    @property
    def course(self) -> Course:
        """The match, as far as this viewer may follow it."""
        return self.table.course_for(self.game, self.seat)

    @property
    def viewer(self) -> int:
        """The number of the viewer, as `State.view` expects it; after the end of the match everything is
        visible.
        """
        if self.course.state.over:
            return ALL_SEEING
        return self.seat if self.seat >= 0 else EVERYBODY

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.course.state.players


def is_turn(seen: Seen) -> bool:
    """Return whether this viewer must decide now."""
    table = seen.table
    if table.is_waiting or table.is_paused or table.stopped or seen.seat < 0:
        return False
    state = seen.course.state
    return not state.over and state.player == seen.seat


def act(seen: Seen, what: str, label: str) -> Html:
    """Return a button that sends the action `what` of a seat."""
    return _act(seen.base, what, label, seen.token)


@lru_cache(4_096)
def _act(base: str, what: str, label: str, token: str) -> Html:
    return form(f"{base}/{what}", button(label), token=token, class_="inline")


def waiting(table: Table) -> str:
    """Return the sentence about empty seats."""
    return say("waiting-again" if table.has_begun else "waiting")
