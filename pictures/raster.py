"""Convert SVG in our font to PNG and pixels, with vl-convert (extra `report`). No other module uses
vl-convert.
"""

from __future__ import annotations

import zlib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from rulewright.pictures import FONTS


class NoRasterError(RuntimeError):
    """Raised if the library that makes pixels is not installed."""


def png(svg: str, scale: float = 1.0) -> bytes:
    """Return a picture as PNG."""
    if find_spec("vl_convert") is None:
        raise NoRasterError(
            "pixels need vl-convert; `pip install '.[report]'` in the folder of Rulewright installs it"
        )
    found: bytes = _library().svg_to_png(svg, scale=scale)
    return found


@cache
def _library() -> Any:
    """Return the library, with our font registered."""
    library = import_module("vl_convert")
    library.register_font_directory(str(FONTS))
    return library


def pixels(svg: str, scale: float = 1.0) -> tuple[int, int, bytes]:
    """Return a picture as its width, its height and its pixels row by row, three bytes each: red, green,
    blue.
    """
    data = png(svg, scale)
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    raw = zlib.decompress(b"".join(_chunks(data)))
    return width, height, _rgb(raw, width, height)


def _chunks(data: bytes) -> list[bytes]:
    """Return the compressed parts of the image in a PNG file."""
    found, at = [], 8
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IDAT":
            found.append(data[at + 8 : at + 8 + size])
        at += size + 12
    return found


def _rgb(raw: bytes, width: int, height: int) -> bytes:
    """Undo the filters (PNG, section 9) of rows with four bytes per pixel, and drop the fourth byte."""
    step, found = width * 4, bytearray(width * height * 3)
    above = bytearray(step)
    for number in range(height):
        start = number * (step + 1)
        row = bytearray(raw[start + 1 : start + 1 + step])
        _unfilter(raw[start], row, above)
        begin, end = number * width * 3, (number + 1) * width * 3
        for colour in range(3):
            found[begin + colour : end : 3] = row[colour::4]
        above = row
    return bytes(found)


def _unfilter(filter_type: int, row: bytearray, above: bytearray) -> None:
    if filter_type == 0:
        return
    if filter_type == 1:  # the usual filter
        for colour in range(4):
            row[colour::4] = bytes(total & 255 for total in accumulate(row[colour::4]))
        return
    for at in range(len(row)):
        left = row[at - 4] if at >= 4 else 0
        corner = above[at - 4] if at >= 4 else 0
        match filter_type:
            case 2:
                near = above[at]
            case 3:
                near = (left + above[at]) // 2
            case _:
                near = _nearest(left, above[at], corner)
        row[at] = (row[at] + near) & 255


def _nearest(left: int, above: int, corner: int) -> int:
    """Return the neighbour that is nearest to left + above - corner."""
    guess = left + above - corner
    return min(
        (abs(guess - left), 0, left),
        (abs(guess - above), 1, above),
        (abs(guess - corner), 2, corner),
    )[2]
