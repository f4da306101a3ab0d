"""Draw positions as environments show them: as text, or as an array of pixels."""

from __future__ import annotations

from typing import Any

from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.scene import scene
from rulewright.interpreter.views.view import as_text
from rulewright.pictures import raster
from rulewright.pictures.svg import alone


def render_state(state: State, viewer: int, mode: str | None) -> Any:
    """Draw a position as a viewer sees it.

    The mode `ansi` returns text, `rgb_array` returns an array of pixels, and None draws nothing.
    """
    if mode is None:
        return None
    if mode == "ansi":
        return as_text(state.view(viewer))
    import numpy as np  # noqa: PLC0415  # environments have numpy installed, and servers do not need it

    width, height, found = raster.pixels(alone.position(scene(state, viewer)).svg())
    return np.frombuffer(found, np.uint8).reshape(height, width, 3)
