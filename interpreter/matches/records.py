"""Writes and reads records of matches, which name every choice and every result of chance.

A match can be replayed from its record. A file contains one or more records, each a JSON object. A
step is the name of an option. Results of chance stand between the steps as `~roll NAME` and
`~shuffle 3 0 1`. If a match begins from a position in which hidden pieces were exchanged, its
record begins with `~lying 4 7 7 4`. A record identifies its rules by their hash, and ends with a
checksum. All input is validated.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs
import cattrs
from cattrs.errors import ClassValidationError, ForbiddenExtraKeysError
from cattrs.v import transform_error

from rulewright.interpreter.matches.atomic_files import write_whole
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import ChanceResult, State
from rulewright.interpreter.text.errors import BrokenRecordError
from rulewright.interpreter.text.kinds import refuses_wrong_kinds
from rulewright.interpreter.text.names import Words

FORMAT = "rulewright record 1"
MOST_BYTES = 256 * 1024 * 1024
CHANCE = "~"
SHUFFLE = "~shuffle "
ROLL = "~roll "
LYING = "~lying "


@attrs.frozen
class Result:
    """The result of a match: the seats of the winners, and the items of each seat's score."""

    winners: tuple[int, ...]
    scores: tuple[tuple[tuple[str, int], ...], ...]


@attrs.frozen
class Record:
    """A complete match: every choice and every result of chance, by name."""

    format: str
    game: str
    """The name or path with which the game was loaded."""
    title: str
    rules: str
    """The hash of the rules."""
    players: int
    options: tuple[tuple[str, str], ...]
    seed: int
    seats: tuple[str, ...]
    steps: tuple[str, ...]
    result: Result | None
    check: str = ""

    @property
    def is_whole(self) -> bool:
        """Return whether the checksum is right, so that the record was not changed after it was written."""
        return self.check == check_sum(self)

    def to_line(self) -> str:
        """Return the record as JSON on a single line."""
        return json.dumps(_plain(self), ensure_ascii=False, separators=(",", ":"))

    def to_text(self) -> str:
        """Return the record as JSON on several lines, with one step on each line."""
        data = _plain(self)
        lines = [f"  {json.dumps(key)}: {_value_text(value)}" for key, value in data.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


class Recorder:
    """Makes records of one match while it continues. The text of each step is computed once."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._steps: list[tuple[str, ...]] = []

    def record(self, match: Match, seats: Sequence[str] = ()) -> Record:
        """Return the record of a match so far. `seats` names the players."""
        same = 0
        for old, new in zip(self._states, match.states, strict=False):
            if old is not new:
                break
            same += 1
        del self._states[same:], self._steps[same:]
        for before, after in pairwise([*self._states[-1:], *match.states[same:]]):
            self._steps.append(tuple(step_between(before, after)))
        if not same:
            self._steps.insert(0, tuple(first_steps(match.states[0])))
        self._states = list(match.states)
        steps = [step for steps in self._steps for step in steps]
        return record_with(match.game, match.variant, match.seed, seats, steps, match.state)


@refuses_wrong_kinds
def record_of(match: Match, seats: Sequence[str] = ()) -> Record:
    """Return the record of a match so far. `seats` names the players."""
    return Recorder().record(match, seats)


def record_with(
    game: Game, variant: Variant, seed: int, seats: Sequence[str], steps: Sequence[str], end: State
) -> Record:
    """Return the record of a match, given its steps and its last state."""
    result = None
    if end.over:
        result = Result(end.winners, tuple(score.items for score in end.scores))
    nothing = record_of_nothing(game, variant, seats)
    record = attrs.evolve(nothing, seed=seed, steps=tuple(steps), result=result)
    return attrs.evolve(record, check=check_sum(record))


def record_of_nothing(game: Game, variant: Variant, seats: Sequence[str]) -> Record:
    """Return a record that has no steps, result or checksum."""
    return Record(
        FORMAT,
        game.name,
        game.title,
        game.hash,
        variant.players,
        variant.options,
        0,
        tuple(seats),
        (),
        None,
    )


Ending: TypeAlias = tuple[Sequence[int], Sequence[Sequence[tuple[str, int]]]]
"""The winners, and the items of each seat's score."""
_OPEN: Final = "\0"
"""The first character of a placeholder for a part of a record."""


@attrs.frozen
class Framed:
    """Writes records of matches of one variant as lines. The text that all records share is computed once."""

    _line: Sequence[str]
    _summed: Sequence[str]
    """The fixed texts between the placeholders, for the line and for the text that is hashed."""

    @classmethod
    def of(cls, game: Game, variant: Variant, seats: Sequence[str]) -> Framed:
        """Return the writer for matches between the given players."""
        data = _plain(record_of_nothing(game, variant, seats))
        for name in ("seed", "steps", "result", "check"):
            data[name] = _OPEN + name
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        del data["check"]
        summed = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
        return cls(*(re.split(r'"\\u0000(\w+)"', text) for text in (line, summed)))

    def line(self, seed: int, steps: str, ending: Ending | None) -> str:
        """Return the same line as `Record.to_line`, given the steps as JSON text."""
        winners, scores = ("", "") if ending is None else map(_compact, ending)
        parts = {"seed": str(seed), "steps": escape_json(steps), "result": "null", "check": ""}
        if ending is not None:
            parts["result"] = f'{{"scores":{escape_json(scores)},"winners":{winners}}}'
        parts["check"] = f'"{_hash("".join(_fill_in(self._summed, parts)))}"'
        parts["steps"] = steps
        if ending is not None:
            parts["result"] = f'{{"winners":{winners},"scores":{scores}}}'
        return "".join(_fill_in(self._line, parts))


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _fill_in(texts: Sequence[str], parts: dict[str, str]) -> Iterator[str]:
    """Yield the texts, but replace each second text, the name of a part, by the part."""
    for place, text in enumerate(texts):
        yield parts[text] if place % 2 else text


_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def escape_json(text: str) -> str:
    """Escape a JSON text as `json.dumps` does with `ensure_ascii`."""
    if text.isascii():
        return text
    return _BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text)


def first_steps(start: State) -> Iterator[str]:
    """Yield the steps that record the results of chance before the first decision."""
    if start.terms.lying:
        yield LYING + " ".join(f"{piece} {other}" for piece, other in start.terms.lying)
    yield from _chance_steps(start.compiled.words, start.drawn)


def step_between(before: State, after: State) -> Iterator[str]:
    """Yield the choice that leads from one state to the next, and the results of chance after the choice."""
    yield before.compiled.option_name(before.cells, after.choice)
    yield from _chance_steps(after.compiled.words, after.drawn)


def _chance_steps(words: Words, drawn: Sequence[ChanceResult]) -> Iterator[str]:
    shuffled: list[str] = []
    for one in drawn:
        if words.program.chances[one.site].purpose == "shuffle":
            shuffled.append(str(one.result))
            continue
        if shuffled:
            yield SHUFFLE + " ".join(shuffled)
            shuffled = []
        yield ROLL + words.result(one.site, one.value)
    if shuffled:
        yield SHUFFLE + " ".join(shuffled)


def check_sum(record: Record) -> str:
    """Return a short checksum of all other fields of a record."""
    data = _plain(record)
    del data["check"]
    return _hash(json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":")))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = _converter.unstructure(record)
    data["options"] = dict(record.options)
    return data


def _value_text(value: object) -> str:
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        return "[\n" + ",\n".join(f"    {_value_text(item)}" for item in value) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)


def save(path: Path, text: str) -> None:
    """Write a file completely or not at all. Until the new content is stored safely, the file keeps its old content."""
    refuse_to_overwrite(path.resolve())
    write_whole(path, text)


def refuse_to_overwrite(path: Path) -> None:
    """Raise an error if an existing file is not a record, or if its folder does not exist."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    try:
        with path.open("rb") as file:
            start = file.read(200).lstrip()
    except FileNotFoundError:
        return
    if start and not (start.startswith(b"{") and b"rulewright record" in start):
        raise BrokenRecordError(f"`{path}` exists already and is not a record; choose another name")


@refuses_wrong_kinds
def load_records(path: str | Path) -> list[Record]:
    """Read the records in a file. A broken record raises a `BrokenRecordError` with its position."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as failure:
        raise BrokenRecordError(f"`{path}` cannot be read: {failure.strerror}") from None
    except ValueError as failure:  # a file name with a zero byte
        raise BrokenRecordError(f"{str(path)!r} cannot be read: {failure}") from None
    if len(data) > MOST_BYTES:
        raise BrokenRecordError(f"`{path}` is larger than a file of records may be")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        raise BrokenRecordError(
            f"{path}: this is not a record: byte {failure.start + 1} is not UTF-8 text"
        ) from None
    return parse_records(text, str(path))


@refuses_wrong_kinds
def parse_records(text: str, name: str) -> list[Record]:
    """Parse the records in a text. Error messages begin with `name`."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    found = []
    at = _after_spaces(text, 0)
    if at == len(text):
        raise BrokenRecordError(f"{name}: the file is empty: it has no record")
    while at < len(text):
        try:
            data, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as failure:
            raise BrokenRecordError(_broken_json(text, name, failure)) from None
        except (ValueError, RecursionError):
            raise BrokenRecordError(f"{_place(text, name, at)}: this is not a record") from None
        found.append(_structure(data, _place(text, name, at)))
        at = _after_spaces(text, end)
    return found


def _no_constant(word: str) -> None:
    raise ValueError(word)


def _after_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _broken_json(text: str, name: str, failure: json.JSONDecodeError) -> str:
    cut = failure.pos >= len(text.rstrip()) or failure.msg.startswith("Unterminated string")
    if cut and text.lstrip().startswith("{"):
        return f"{_place(text, name, len(text.rstrip()))}: the record is cut short"
    return f"{_place(text, name, failure.pos)}: this is not a record"


def _place(text: str, name: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return f"{name}:{line}:{column}"


def _structure(data: object, place: str) -> Record:
    if not isinstance(data, dict) or "format" not in data:
        raise BrokenRecordError(f"{place}: this is not a record of a match")
    if data["format"] != FORMAT:
        raise BrokenRecordError(
            f"{place}: the format is {str(data['format'])[:40]!r}, but this version reads {FORMAT!r}"
        )
    options = data.get("options")
    data["options"] = list(options.items()) if isinstance(options, dict) else None
    try:
        return _converter.structure(data, Record)
    except ClassValidationError as failure:
        first = transform_error(failure, path="record", format_exception=_words_of)[0]
        raise BrokenRecordError(f"{place}: {first}") from None


def _words_of(failure: BaseException, kind: type | None) -> str:
    if isinstance(failure, KeyError):
        return "a part is missing: the record is cut short or was edited"
    if isinstance(failure, ForbiddenExtraKeysError):
        return f"`{min(failure.extra_fields)[:40]}` does not belong here: the record was edited"
    if isinstance(failure, _NotThatError):
        return str(failure)
    return "a part does not belong there: the record was edited"


class _NotThatError(ValueError):
    """Raised if a value in a file does not have the expected type."""


def _whole(value: object, _: object) -> int:
    if type(value) is not int or abs(value) >= 2**63:
        raise _NotThatError("a whole number belongs here")
    return value


def _words(value: object, _: object) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise _NotThatError("a text in one line belongs here")
    return value


def _make_converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _words)
    return converter


_converter = _make_converter()
