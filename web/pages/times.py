"""Format times on pages."""

from __future__ import annotations

from datetime import UTC, datetime

from rulewright.web.pages.html import Html, tag
from rulewright.web.words import say


def moment(at: int) -> Html:
    """Return a time; a script converts it to the time zone of the device."""
    then = datetime.fromtimestamp(at / 1000, UTC)
    return tag("time", time_text(at), datetime=then.strftime("%Y-%m-%dT%H:%M:%SZ"))


def time_text(at: int) -> str:
    """Format a time for people."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def length_text(milliseconds: int) -> str:
    """Format a duration for people, in its two largest units."""
    seconds = max(0, milliseconds) // 1000
    for size, unit, smaller in ((86_400, 86_400, 3_600), (3_600, 3_600, 60), (60, 60, 1)):
        if seconds >= size:
            words = _UNITS[unit], _UNITS[smaller]
            return f"{seconds // unit} {say(words[0])} {seconds % unit // smaller} {say(words[1])}"
    return f"{seconds} {say('s')}"


_UNITS = {86_400: "d", 3_600: "h", 60: "min", 1: "s"}
