"""Long lines folded between words: names with a hyphen stay whole."""

from __future__ import annotations

import textwrap


def wrap(
    text: str, width: int, *, initial_indent: str = "", subsequent_indent: str = ""
) -> list[str]:
    """The lines of a text.

    >>> wrap("the Bio-urban planner", 10)
    ['the', 'Bio-urban', 'planner']
    """
    return textwrap.wrap(
        text,
        width,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_on_hyphens=False,
    )
