"""Reads the fenced blocks of a page and makes runnable games of them; runs nothing.

The word after the fence gives the kind of a block:

- `game`: a complete game without problems.
- `game-error CODE ...`: a game with exactly these problems, in the order of their places.
- `frame [NAME]`: a game with a line `...`, in which the later fragments are inserted.
- `fragment [NAME]`: lines that replace `...`; the result is a game without errors.
- `fragment-error [NAME] CODE ...`: the same with exactly these problems.
- `file PATH`: a file beside the later games.
- `scenario`: scenarios that hold for the game or the fragment before it.

This module does not run blocks with other words (`text`, `sh`, `python`).
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "docs" / "spec"

_FENCE = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"^( *)\.\.\.\n", re.MULTILINE)


@frozen
class Fence:
    """A fenced block of a page."""

    page: str
    line: int
    word: str
    info: tuple[str, ...]
    text: str


@frozen
class Example:
    """An example to run: a game with its expected problems, and the files beside it."""

    page: str
    line: int
    game: str
    problems: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    scenarios: str = ""
    whole: bool = True

    @property
    def name(self) -> str:
        """The page and the line, as a name."""
        return f"{self.page}:{self.line}"


def fences(page: Path) -> list[Fence]:
    """All fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Fence(
            str(page.relative_to(ROOT)),
            text.count("\n", 0, found.start()) + 1,
            found[1],
            tuple(found[2].split()),
            found[3],
        )
        for found in _FENCE.finditer(text)
    ]


def examples(page: Path) -> list[Example]:
    """All examples of a page that can be run."""
    found: list[Example] = []
    frames: dict[str, str] = {}
    files: dict[str, str] = {}
    for fence in fences(page):
        beside = tuple(files.items())
        match fence.word:
            case "game" | "game-error":
                problems = fence.info if fence.word == "game-error" else ()
                found.append(Example(fence.page, fence.line, fence.text, problems, beside))
            case "frame":
                frames[" ".join(fence.info)] = fence.text
            case "fragment" | "fragment-error":
                named = bool(fence.info) and fence.info[0] in frames
                frame = frames[fence.info[0] if named else ""]
                game = fill_frame(frame, fence.text)
                found.append(
                    Example(fence.page, fence.line, game, fence.info[named:], beside, whole=False)
                )
            case "file":
                files[fence.info[0]] = fence.text
            case "scenario":
                game = next(e.game for e in reversed(found) if not e.problems)
                found.append(Example(fence.page, fence.line, game, (), beside, fence.text))
            case _:
                pass
    return found


def fill_frame(frame: str, fragment: str) -> str:
    """The frame with the fragment in place of the dots, with their indentation."""

    def indent(place: re.Match[str]) -> str:
        lines = fragment.splitlines(keepends=True)
        return "".join(place[1] + line if line.strip() else line for line in lines)

    return _PLACE.sub(indent, frame, count=1)
