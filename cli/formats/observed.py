"""Format the parts of observations and of their encodings, as text and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

import attrs

from rulewright.interpreter.knowledge.encoding import EncodedPart
from rulewright.interpreter.knowledge.observation import Part
from rulewright.interpreter.knowledge.observers import Observer
from rulewright.interpreter.knowledge.visible_cells import HIDDEN, NONE

_WIDTH = 80
_NAMED = 8
"""The maximum number of labels listed for one part."""


def observed_data(observer: Observer) -> dict[str, object]:
    """Return the parts as data for other programs; `rulewright show --help` describes the shape."""
    return {
        "raw": {
            "size": observer.size,
            "hidden": HIDDEN,
            "nothing": NONE,
            "parts": [attrs.asdict(part) for part in observer.parts],
        },
        "encoded": {
            "size": observer.encoded_size,
            "parts": [attrs.asdict(part) for part in observer.encoded_parts],
        },
    }


def observed_text(observer: Observer) -> str:
    """Format the parts as text for people."""
    return "\n".join(
        [
            f"an observation has {observer.size:,} numbers",
            f"hidden is {HIDDEN}, nothing is {NONE} or -1",
            "",
            *_lines(map(_raw_line, observer.parts)),
            "",
            f"for learners it is encoded as {observer.encoded_size:,} numbers from 0 to 1",
            "the player's own things come first, then other seats in turn order",
            "",
            *_lines(map(_encoded_line, observer.encoded_parts)),
        ]
    )


_Line = tuple[int, str, str]


def _raw_line(part: Part) -> _Line:
    kinds = dict.fromkeys(number.text for number in part.numbers)
    many = f"{part.length} numbers, " if part.length > 1 else ""
    return (
        part.start,
        f"{part.name}: {part.what}",
        f"{many}each {'; '.join(kinds)}" if many else "; ".join(kinds),
    )


def _encoded_line(part: EncodedPart) -> _Line:
    labels = list(filter(None, part.labels))
    more = [f"and {len(labels) - _NAMED} more"] if len(labels) > _NAMED + 1 else []
    shown = labels[: _NAMED if more else None]
    shape = " x ".join(map(str, part.shape))
    said = ", ".join([*shown, *more])
    return part.start, f"{part.name}: {part.what}", f"{shape}: {said}" if said else shape


def _lines(parts: Iterable[_Line]) -> Iterator[str]:
    rows: Sequence[_Line] = list(parts)
    width = len(f"{rows[-1][0]:,}")
    indent = " " * (width + 4)
    for start, name, numbers in rows:
        yield from wrap(f"{start:>{width + 2},}  {name}", _WIDTH, subsequent_indent=indent)
        yield from wrap(numbers, _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ")
