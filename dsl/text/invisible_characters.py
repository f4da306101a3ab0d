"""Find invisible characters that are harmful in displayed text: control characters and direction marks.

A terminal obeys control characters, and direction marks change the order in which a text is read.
Neither belongs in a game.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span

UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
MOST_REPORTED: Final = 5  # the maximum number of characters that are reported in a text
_CONTROLS: Final = {"\x07": "bell", "\x08": "backspace", "\x1b": "escape", "\x7f": "delete"}


def report_invisible(
    source: Source, problems: Problems, start: int = 0, end: int | None = None
) -> None:
    """Report the first invisible characters of a text or of a part of the text."""
    stop = len(source.text) if end is None else end
    every = [*UNSEEN.finditer(source.text, start, stop)]
    for found in every[:MOST_REPORTED]:
        character = found.group()
        name = unicodedata.name(character, _CONTROLS.get(character, "control character")).lower()
        problems.error(
            "bad-character",
            f"the character U+{ord(character):04X} ({name}) cannot be seen, and changes how a text is shown",
            Span(source, found.start(), found.end()),
            help="remove it: a game has only letters, symbols and spaces",
        )
    if len(every) > MOST_REPORTED:
        following = every[MOST_REPORTED]
        problems.error(
            "bad-character",
            f"from here on there are {len(every) - MOST_REPORTED:,} more characters that cannot be seen",
            Span(source, following.start(), following.end()),
            help="remove them",
        )


def with_visible_symbols(text: str) -> str:
    """Return the text with a visible symbol instead of each invisible character.

    >>> with_visible_symbols("\\x1b[2J")
    '\ufffd[2J'
    """
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)
