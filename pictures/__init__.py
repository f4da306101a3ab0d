"""Pictures of positions as HTML with inline SVG, drawn from the scene that a player sees.

Start with `rulewright.pictures.page`: it makes sections of HTML from a scene and combines them into a page.
`styles()` is the stylesheet for all games, `script()` the small script that zooms boards and joins clicks.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path

from rulewright.pictures.colours import classes

FONT = "Atkinson Hyperlegible Next"
FONTS = Path(__file__).parent / "font"
"""The font of all pictures and pages: two weights, for pages as WOFF2 and for PNG as TrueType."""
_WEIGHTS = {400: "400 500", 700: "600 700"}
"""The files of the font, by name, with the weights that each contains."""
_HERE = Path(__file__).parent


@cache
def styles() -> str:
    """The stylesheet of all pages with pictures: light and dark, phone, print. It includes the font."""
    return (
        f"{''.join(map(_face, _WEIGHTS))}{(_HERE / 'styles.css').read_text('utf-8')}\n{classes()}\n"
    )


def _face(name: int) -> str:
    data = b64encode((FONTS / f"atkinson-{name}.woff2").read_bytes()).decode()
    return (
        f'@font-face {{ font-family: "{FONT}"; font-weight: {_WEIGHTS[name]}; font-display: swap; '
        f'src: url("data:font/woff2;base64,{data}") format("woff2"); }}\n'
    )


@cache
def print_styles() -> str:
    """The additional stylesheet of pages to print."""
    return (_HERE / "print.css").read_text("utf-8")


@cache
def script() -> str:
    """The script of pages with pictures, a module: boards zoom and pan, two clicks choose an option of two places.

    Pages work without it. It changes only elements in `.rw-game`, and contacts no server.
    """
    return (_HERE / "table.js").read_text("utf-8")
