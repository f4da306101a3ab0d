"""Handles the weights of a game, learned by `rulewright train`: how many points the things of a player are worth.

The things are found in the declarations: numbers that belong to a player, pieces in a player's
zones, and tokens at a player's places. A search adds their value to the lead in points. At each
decision, it learns how well the sum predicts the result (`evaluation`), so bad weights have little
effect.
"""

from __future__ import annotations

import json
import stat
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import prod
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import attrs

from rulewright.dsl.ir import Program
from rulewright.interpreter.bots.patterns import Patterns, put_patterns
from rulewright.interpreter.engines.kernels.tree import Tree
from rulewright.interpreter.matches.atomic_files import write_whole
from rulewright.interpreter.views.compiled_game import CompiledGame

SUFFIX: Final = ".weights.json"
LARGEST: Final = 100_000
"""The maximum size of a file of weights, in bytes."""
MOST: Final = 1_000
"""The maximum absolute value of a weight."""
_FORMAT = 1


@attrs.frozen
class Thing:
    """A kind of thing that each player has in some number.

    `cell` is the cell of the first seat, and `stride` is the distance between the cells of two
    seats.
    """

    name: str
    cell: int
    stride: int


def things_of(program: Program) -> list[Thing]:
    """Return all kinds of things that each player has in some number."""
    return [thing for thing in _things(program) if thing.stride or program.seats == 1]


def _things(program: Program) -> Iterator[Thing]:
    seats = range(program.seats)

    def each(name: str, first: int, stride: int, many: int) -> Iterator[Thing]:
        for place in range(many):
            yield Thing(f"{name}[{place}]" if many > 1 else name, first + place, stride)

    for kept in program.kept:
        if kept.owner == "player" and len(kept.owners) == len(seats) and not kept.list_capacity:
            yield from each(kept.name, kept.base, kept.stride, prod(kept.sizes))
    for zone in program.places:
        if zone.owner == "player" and len(zone.owners) == len(seats) and zone.cell_of < 0:
            first = program.links.count + zone.first
            yield from each(zone.name, first, zone.stride, prod(zone.sizes))
    for token in program.tokens:
        if token.owner == "player" and len(token.owners) == len(seats) and token.cell_of < 0:
            many = prod(token.sizes) * token.colours
            yield from each(token.name, token.base, token.stride, many)


@attrs.frozen
class Weights:
    """The values of things, and of a point, in the same unit."""

    hash: str
    """The hash of the rules that were played."""
    point: int
    things: Mapping[str, int]
    bot: str
    """The bot that played."""
    matches: int
    patterns: Patterns | None = None


class WeightsError(Exception):
    """Raised if a file contains no weights, or weights for other rules. The message says which."""


def path_beside(game: str | Path) -> Path:
    """Return the path of the weights of a game."""
    return Path(game).with_suffix(SUFFIX)


def save(weights: Weights, path: Path) -> None:
    """Write weights to a file."""
    data = {"rulewright_weights": _FORMAT, **attrs.asdict(weights)}
    if weights.patterns is None:
        del data["patterns"]
    write_whole(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read(path: Path, hash: str) -> Weights:
    """Read weights from a file. The weights must be for the rules with the given hash."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):  # reading a pipe or a device may never end
        raise WeightsError(f"`{path.name}` is not a file, so bots do without it")
    if found.st_size > LARGEST:
        raise WeightsError(f"`{path.name}` has more than {LARGEST:,} bytes, so bots do without it")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        weights = _parse(data)
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WeightsError(f"`{path.name}` holds no weights, so bots do without it") from None
    if weights.hash != hash:
        raise WeightsError(
            f"`{path.name}` is for other rules, so bots do without it; `rulewright train` makes it again"
        )
    return weights


def holds_weights(path: Path) -> bool:
    """Return whether a file contains weights, for any rules."""
    if not path.is_file():
        return False
    try:
        _parse(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return False
    return True


def _parse(data: Any) -> Weights:
    if data["rulewright_weights"] != _FORMAT:
        raise ValueError
    things = {str(name): _weight(number) for name, number in data["things"].items()}
    return Weights(
        str(data["hash"]),
        _weight(data["point"]),
        things,
        str(data["bot"]),
        int(data["matches"]),
        Patterns.parse(data["patterns"]) if "patterns" in data else None,
    )


def _weight(number: Any) -> int:
    if not isinstance(number, int) or abs(number) > MOST:
        raise ValueError
    return number


@attrs.frozen
class _Found:
    weights: Weights | None
    note: str


_FOUND: WeakKeyDictionary[CompiledGame, _Found] = WeakKeyDictionary()


def _find_weights(compiled: CompiledGame) -> _Found:
    known = _FOUND.get(compiled)
    if known is None:
        known = _FOUND[compiled] = _look_for(compiled.home)
    return known


def _look_for(home: tuple[str, str] | None) -> _Found:
    if home is None:
        return _Found(None, "")
    path, hash = path_beside(home[0]), home[1]
    try:
        return _Found(read(path, hash), "")
    except FileNotFoundError:
        return _Found(None, "")
    except OSError as why:
        return _Found(None, f"`{path.name}` cannot be read ({why.strerror}), so bots do without it")
    except WeightsError as why:
        return _Found(None, str(why))


def note_of(home: tuple[str, str] | None) -> str:
    """Return the reason why the weights file of a game is not used, or "" if there is no such reason."""
    return _look_for(home).note


_USED: ContextVar[tuple[Weights | None] | None] = ContextVar("_USED", default=None)


@contextmanager
def using(weights: Weights | None) -> Iterator[None]:
    """Make searches use the given weights, or no weights, instead of those in the weights file of the game."""
    before = _USED.set((weights,))
    try:
        yield
    finally:
        _USED.reset(before)


def put_weights(t: Tree, compiled: CompiledGame) -> None:
    """Store the weights of a game in a tree, if the game has weights and they matter."""
    used = _USED.get()
    weights = _find_weights(compiled).weights if used is None else used[0]
    if weights is not None and t.scored:
        put(t, compiled.program, weights)
    if weights is not None and weights.patterns is not None and not t.by_points:
        put_patterns(t, compiled, weights.patterns)


def put(t: Tree, program: Program, weights: Weights) -> None:
    """Store weights in a tree."""
    found = [
        (thing, weight)
        for thing in things_of(program)
        if (weight := weights.things.get(thing.name, 0))
    ]
    t.merits, t.merit_of_point = len(found), weights.point
    t.merit_cell = array("q", (thing.cell for thing, _ in found))
    t.merit_stride = array("q", (thing.stride for thing, _ in found))
    t.merit = array("q", (weight for _, weight in found))
