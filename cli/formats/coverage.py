"""Format the parts of a game that play has reached, as text and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import shorten, wrap
from typing import TYPE_CHECKING

from rulewright.interpreter.testing.witness import label

if TYPE_CHECKING:
    from rulewright.interpreter.matches.game import Variant
    from rulewright.interpreter.testing.coverage import Key, Point, Reached

_WIDTH = 80
_NUMBERS = 20  # the width of the columns `times` and `games`


def coverage_data(
    title: str,
    seed: int,
    shares: Sequence[tuple[Variant, int]],
    points: Mapping[Key, Point],
    reached: Reached,
) -> dict[str, object]:
    """Return the coverage as data for other programs; `rulewright simulate --help` describes the shape."""
    return {
        "game": title,
        "seed": seed,
        "games": reached.plays,
        "unfinished": reached.unfinished,
        "settings": [
            {"players": variant.players, "options": dict(variant.options), "games": plays}
            for variant, plays in shares
        ],
        "points": [
            {
                "what": point.word,
                "name": point.name,
                "file": point.file,
                "line": point.line,
                "clauses": list(point.clauses),
                "times": reached.times.get(key, 0),
                "games": reached.in_plays.get(key, 0),
            }
            for key, point in points.items()
        ],
        "never": sum(key not in reached.times for key in points),
    }


def coverage_text(
    title: str,
    shares: Sequence[tuple[Variant, int]],
    points: Mapping[Key, Point],
    reached: Reached,
) -> str:
    """List the parts that were reached, file by file, and then the parts that were not."""
    games = "1 game" if reached.plays == 1 else f"{reached.plays:,} games"
    variants = "1 variant" if len(shares) == 1 else f"{len(shares)} variants"
    lines = [f"{title}: {games}, {variants}"]
    if reached.unfinished:
        lines.append(f"given up because they did not end: {reached.unfinished:,}")
    met = [(key, point) for key, point in points.items() if key in reached.times]
    for file, group in _by_file(met):
        lines += ["", f"{file:<{_WIDTH - _NUMBERS}}{'times':>11}{'games':>9}"]
        for key, point in group:
            words = _line(point, _WIDTH - _NUMBERS)
            lines.append(
                f"{words:<{_WIDTH - _NUMBERS}}{reached.times[key]:>11,}{reached.in_plays[key]:>9,}"
            )
    never = [(key, point) for key, point in points.items() if key not in reached.times]
    lines += ["", *_kinds("reached", (point for _, point in met))]
    lines += _kinds("never", (point for _, point in never))
    for file, group in _by_file(never):
        lines += ["", file, *(_line(point, _WIDTH) for _, point in group)]
    return "\n".join(lines)


def _by_file(
    points: Iterable[tuple[Key, Point]],
) -> Iterator[tuple[str, Iterator[tuple[Key, Point]]]]:
    for file, group in groupby(points, key=lambda each: each[1].file):
        yield Path(file).name or "the rules of the language", group


def _line(point: Point, width: int) -> str:
    return f"{point.line:>5}  {shorten(label(point), width - 8, placeholder=' ...')}"


def _kinds(what: str, points: Iterable[Point]) -> list[str]:
    counts = Counter(point.word for point in points)
    kinds = ", ".join(f"{word} {count}" for word, count in sorted(counts.items()))
    said = f"{sum(counts.values())} ({kinds})" if counts else "nothing"
    return wrap(f"{what}: {said}", _WIDTH, subsequent_indent="  ")
