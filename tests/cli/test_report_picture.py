"""Reports in a real browser: the pictures are present and have the right colours.

Run by `make deep`; needs Chromium. `KEEP=FOLDER` in the environment keeps the pictures for inspection.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import zlib
from collections import Counter
from pathlib import Path

import pytest

from rulewright.cli.report.charts import COLOURS
from tests.cli.conftest import Command

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTH, HEIGHT = 1000, 3200


def _picture(page: Path, picture: Path) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert browser is not None, f"this test needs one of {', '.join(BROWSERS)}"
    subprocess.run(
        [
            browser,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--window-size={WIDTH},{HEIGHT}",
            f"--screenshot={picture}",
            page.resolve().as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    if "KEEP" in os.environ:
        shutil.copy(picture, Path(os.environ["KEEP"]) / picture.name)


def _colours(path: Path) -> Counter[tuple[int, int, int]]:
    """The number of pixels of each colour in a PNG with eight bits per channel."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    at, packed, width, channels = 8, b"", 0, 3
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, _, depth, colour = struct.unpack_from(">IIBB", body)
            assert (width, depth) == (WIDTH, 8)
            channels = {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    lines = zlib.decompress(packed)
    step = width * channels + 1
    above = bytes(step - 1)
    found: Counter[tuple[int, int, int]] = Counter()
    for start in range(0, len(lines), step):
        above = _unfilter(lines[start], lines[start + 1 : start + step], above, channels)
        pixels = [iter(above[place::channels]) for place in range(3)]
        found.update(zip(*pixels, strict=True))
    return found


def _unfilter(filter_type: int, line: bytes, above: bytes, channels: int) -> bytes:
    """A line of pixels without its filter, as defined by the PNG standard."""
    found = bytearray(line)
    for place, value in enumerate(line):
        left = found[place - channels] if place >= channels else 0
        up = above[place]
        corner = above[place - channels] if place >= channels else 0
        match filter_type:
            case 1:
                guess = left
            case 2:
                guess = up
            case 3:
                guess = (left + up) // 2
            case 4:
                far = left + up - corner
                guess = min((left, up, corner), key=lambda each: abs(far - each))
            case _:
                guess = 0
        found[place] = (value + guess) % 256
    return bytes(found)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("game", "games"), [("night_market", 60), ("ginkgopolis", 40)], ids=["small", "large"]
)
def test_a_report_in_a_browser(command: Command, game: str, games: int) -> None:
    ran = command("simulate", game, "--games", str(games), "--report", "out.html")
    assert ran.code == 0
    picture = Path(f"{game}.png")
    _picture(Path("out.html"), picture)
    colours = _colours(picture)
    area = WIDTH * HEIGHT
    assert colours[255, 255, 255] > area / 2
    # bars of distributions and of losers
    for name in COLOURS[:2]:
        colour = tuple(int(name[at : at + 2], 16) for at in (1, 3, 5))
        assert colours[colour] > area / 1000, name  # type: ignore[index]  # three parts
    assert len(colours) > 100
