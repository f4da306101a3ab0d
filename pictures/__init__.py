"""Pictures of positions as HTML with inline SVG, drawn from the scene that a player sees.

Begin with `rulewright.pictures.page`: it makes sections of HTML from a scene, and puts them together as a page.
`styles()` is the stylesheet for all games, `script()` the small script that zooms boards and joins clicks.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright.pictures.colours import classes

_HERE = Path(__file__).parent


@cache
def styles() -> str:
    """The stylesheet of all pages with pictures: light and dark, phone, print."""
    return f"{(_HERE / 'styles.css').read_text('utf-8')}\n{classes()}\n"


@cache
def print_styles() -> str:
    """The stylesheet that pages to print have besides."""
    return (_HERE / "print.css").read_text("utf-8")


@cache
def script() -> str:
    """The script of pages with pictures, a module: boards zoom and pan, two clicks choose an option of two places.

    Pages work without it. It touches nothing but what stands in `.rw-game`, and does not speak to a server.
    """
    return (_HERE / "table.js").read_text("utf-8")
