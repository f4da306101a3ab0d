"""Reads the proposed text from the words of a help: alternatives of a few lines each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from rulewright.dsl.immutable import frozen

Place: TypeAlias = Literal["instead", "before", "elsewhere"]

_TICKED: Final = re.compile(r"`([^`]+)`")
_WRITE: Final = re.compile(r"\bwrite (?=`)")
_JOINT: Final = re.compile(r"(, or | or |, and below it |, and | and |, then |, )(?=`)")
_FURTHER: Final = re.compile(r"(?P<when> [a-z][^`;:]*), or (?:else |[a-z ]+: )?(?=`)")
"""The text between two alternatives, if the first one says when or where it applies."""
_OTHER_WAYS: Final = (", or ", " or ", ", ")
_PLACEHOLDER: Final = re.compile(r"\.\.\.|(?<![A-Za-z0-9_\"-])[A-Z][A-Z0-9]*(?![A-Za-z0-9_-])")
_SORT: Final = re.compile(r"\b[A-Z][a-z][A-Za-z0-9_]*")
_ELSEWHERE: Final = re.compile(
    r",? (?:in|below|after|where it|with its|with steps|as a line|inside|above|around|somewhere|of its own)\b"
    r"|; then|, and below it a "
)
SPACES: Final = "    "


@frozen
class Written:
    """Lines to write in place of something, before it, or at a place named by the words."""

    lines: tuple[str, ...]
    place: Place = "instead"

    @property
    def whole(self) -> bool:
        """Whether nothing is left to be filled in."""
        return not any(_PLACEHOLDER.search(_SORT.sub("x", line)) for line in self.lines)


def ways(help: str) -> Iterator[Written]:
    """The alternatives in a help text, in order."""
    begun = _WRITE.search(help)
    if begun is None:
        return
    lines: list[str] = []
    deeper = ""
    at, joint = begun.end(), ""
    while (found := _TICKED.match(help, at)) is not None:
        if joint in _OTHER_WAYS and lines:
            yield Written(tuple(lines))
            lines = []
        deeper = SPACES if "below" in joint or (deeper and joint not in _OTHER_WAYS) else ""
        lines.append(deeper + found[1])
        at = found.end()
        following = _JOINT.match(help, at)
        if following is not None:
            joint, at = following[1], following.end()
            continue
        further = _FURTHER.match(help, at)
        if further is None:
            break
        yield Written(tuple(lines), _place(further["when"]))
        lines, deeper, joint, at = [], "", "", further.end()
    if not lines:
        return
    yield Written(tuple(lines), _place(help[at:]))


def _place(words: str) -> Place:
    """The place for a text to write, from the words after it."""
    if words.startswith(" before it"):
        return "before"
    return "elsewhere" if _ELSEWHERE.match(words) else "instead"
