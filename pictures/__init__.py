"""Pictures of positions as HTML with inline SVG, drawn from the scene that a player sees.

Start with `rulewright.pictures.page`, which makes sections of HTML from a scene and combines them into a
page. `styles()` is the stylesheet for all games; `script()` is the small script that zooms boards and
combines two clicks into a choice.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path

from rulewright.pictures.colours import classes

FONT = "Atkinson Hyperlegible Next"
FONTS = Path(__file__).parent / "font"
"""The font of all pictures and pages: two weights, as WOFF2 for pages and as TrueType for PNG."""
_WEIGHTS = {400: "400 500", 700: "600 700"}
"""The names of the font's files, with the weights that each file contains."""
_HERE = Path(__file__).parent


@cache
def styles() -> str:
    """Return the stylesheet of all pages with pictures: light and dark, phone, print. It includes the font."""
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
    """Return the additional stylesheet of pages to print."""
    return (_HERE / "print.css").read_text("utf-8")


@cache
def script() -> str:
    """Return the script of pages with pictures, a module: boards zoom and pan, and two clicks choose an
    option about two places.

    Pages work without the script. It changes only elements in `.rw-game`, and contacts no server.
    """
    return (_HERE / "table.js").read_text("utf-8")
