"""Reads the pages about problem codes: a text with the problem, the output, and the cure.

A page has the sections `Example` and `Cure`. Their blocks are files: `game` is problem.game, `scenario` is
problem.scenario, `file NAME` has its own name, `bytes NAME [TIMES]` is written with escapes and repeated. The cure
consists of the files of the example; its own blocks replace some of them. The block `text` is the output.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "errors"
PAGES = {path.stem: path for path in sorted(FOLDER.glob("*.md")) if path.name != "README.md"}

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NAMES = {"game": "problem.game", "scenario": "problem.scenario"}


@frozen
class Page:
    """A page about a code."""

    title: str
    sections: tuple[str, ...]
    example: dict[str, bytes]
    shown: str
    cure: dict[str, bytes]


def read_page(code: str) -> Page:
    """The page of a code."""
    head, *parts = _SECTION.split(PAGES[code].read_text(encoding="utf-8"))
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    example = _files(sections["Example"])
    shown = "".join(text for kind, _, text in _BLOCK.findall(sections["Example"]) if kind == "text")
    cure = {**example, **_files(sections["Cure"])}
    return Page(head.split("\n")[0], tuple(sections), example, shown, cure)


def write(files: dict[str, bytes], folder: Path) -> Path:
    """Write the files of an example into a folder; returns the file to check."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    is_scenario = _NAMES["scenario"] in files
    return folder / _NAMES["scenario" if is_scenario else "game"]


def rewrite(code: str, shown: str) -> None:
    """Replace the shown text by another."""
    page = PAGES[code].read_text(encoding="utf-8")
    changed = re.sub(
        r"^```text\n.*?^```$", lambda _: f"```text\n{shown}```", page, count=1, flags=re.M | re.S
    )
    PAGES[code].write_text(changed, encoding="utf-8")


def _files(section: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for kind, words, text in _BLOCK.findall(section):
        if kind in _NAMES:
            found[_NAMES[kind]] = text.encode()
        elif kind == "file":
            found[words.strip()] = text.encode()
        elif kind == "bytes":
            name, *times = words.split()
            raw = text.rstrip("\n").encode("ascii").decode("unicode_escape").encode("latin-1")
            found[name] = raw * int(times[0] if times else 1)
    return found
