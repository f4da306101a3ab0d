"""What a person means by a line typed during play. Independent of the play beyond its options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, get_args
from unicodedata import normalize

import attrs

from rulewright.dsl.diagnostics.suggest import near_names

CommandWord = Literal[
    "undo", "why", "look", "options", "score", "log", "hint", "rules", "save", "load", "rematch", "quit", "help"
]  # fmt: skip
COMMANDS: tuple[CommandWord, ...] = get_args(CommandWord)
_ALSO: dict[str, CommandWord] = {"exit": "quit", "q": "quit", "?": "help"}
_NUMBER = re.compile(r"(?:[^()]*\()?(-?[0-9]+)\)?")
_ACCENTS = re.compile("[\N{COMBINING GRAVE ACCENT}-\N{COMBINING LATIN SMALL LETTER X}]")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@attrs.frozen
class Chosen:
    """The option at a place in the list; `by_part` where only a part of its name was typed."""

    place: int
    by_part: bool = False


@attrs.frozen
class Several:
    """Options that may be meant, by their places."""

    places: tuple[int, ...]


@attrs.frozen
class Asked:
    """A command with what stands behind it."""

    word: CommandWord
    rest: str


@attrs.frozen
class Unclear:
    """No option and no command; `near` are the words of those that may have been meant."""

    near: tuple[str, ...]


Answer = Chosen | Several | Asked | Unclear


def read_answer(
    line: str, labels: Sequence[str], names: Sequence[str], texts: Sequence[str]
) -> Answer:
    """The label or whole name of an option, then a command, then a part of a name or text.

    A `/` before a command tells it from an option of the same name.
    """
    typed = plain(line)
    meant = line.strip()
    if not meant.startswith("/"):
        places = _whole(typed, meant, labels, names, texts)
        if places:
            return Chosen(places[0]) if len(places) == 1 else Several(places)
    word, _, rest = meant.removeprefix("/").partition(" ")
    command = _command(word.casefold())
    if command is not None:
        return Asked(command, rest.strip())
    if meant.lstrip("-").isdecimal():
        # A number that is not shown is never taken for a part of a name.
        return _among(_places_of(typed, names))
    for places in _by_parts(typed, names, texts):
        if len(places) == 1:
            return Chosen(places[0], by_part=True)
        if places:
            return Several(places)
    known = {plain(name): text for name, text in zip(names, texts, strict=True)}
    known |= {plain(text): text for text in (*texts, *COMMANDS)}
    return Unclear(tuple(dict.fromkeys(known[near] for near in near_names(typed, known))))


def plain(text: str) -> str:
    """A name or text without capitals, accents and signs: `drop(4)` may be typed as `drop 4`, `Zoé` as `zoe`."""
    letters = _ACCENTS.sub("", normalize("NFKD", text.casefold()))
    signs = (sign if sign.isalnum() or sign in "-+?" else " " for sign in letters)
    return " ".join("".join(signs).split())


def about_it(typed: str, names: Sequence[str]) -> list[str]:
    """The options that have these words in their names: `pear` is in `buy(pear)`."""
    words = plain(typed)
    return [name for name in names if words and f" {words} " in f" {plain(name)} "]


def options_with(typed: str, names: Sequence[str], texts: Sequence[str]) -> tuple[int, ...]:
    """The places of the options in whose names or texts these words stand, or words that begin so."""
    return next((places for places in _by_parts(plain(typed), names, texts) if places), ())


def labels_of(names: Sequence[str]) -> list[str]:
    """What is typed for options: their places in the list, unless most of them are numbers.

    Then each of these is called by its own number, as in `drop(4)`, and no number is shown for any
    other option: it has its name or a letter.
    """
    own = [number_of(name) for name in names]
    numbers = [number for number in own if number is not None]
    bare = any(name == number for name, number in zip(names, own, strict=True))
    distinct = len(set(numbers)) == len(numbers)
    if not distinct or not (bare or 2 * len(numbers) > len(names)):
        return [str(place) for place in range(1, len(names) + 1)]
    if bare and all(
        name == number or "(" not in name for name, number in zip(names, own, strict=True)
    ):
        return list(names)
    taken = {plain(name) for name in names}
    return [
        number if number is not None else _letter_for(name, taken)
        for name, number in zip(names, own, strict=True)
    ]


def number_of(name: str) -> str | None:
    """The number that an option is: `4` and `drop(4)` are the number 4."""
    found = _NUMBER.fullmatch(name)
    return found[1] if found else None


def _letter_for(name: str, taken: set[str]) -> str:
    """A letter of the name if one is left, else any, else two."""
    wanted: tuple[str, ...] = (*(sign for sign in plain(name) if sign in _LETTERS), *_LETTERS)
    pairs = (one + other for one in _LETTERS for other in _LETTERS)
    letter = next(letter for letter in (*wanted, *pairs) if letter not in taken)
    taken.add(letter)
    return letter


def _whole(
    typed: str, line: str, labels: Sequence[str], names: Sequence[str], texts: Sequence[str]
) -> tuple[int, ...]:
    for known in (labels, names):
        if line in known:
            return (known.index(line),)
    for known in (labels, names, texts):
        places = tuple(place for place, name in enumerate(known) if typed and plain(name) == typed)
        if places:
            return places
    return ()


def _places_of(number: str, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(place for place, name in enumerate(names) if number_of(name) == number)


def _among(places: tuple[int, ...]) -> Answer:
    if len(places) == 1:
        return Chosen(places[0], by_part=True)
    return Several(places) if places else Unclear(())


def _by_parts(typed: str, names: Sequence[str], texts: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Options with these whole words in their names, then in their texts; then with words that begin so."""
    for end in (" ", ""):
        for known in (names, texts):
            yield tuple(
                place
                for place, name in enumerate(known)
                if typed and f" {typed}{end}" in f" {plain(name)} "
            )


def _command(word: str) -> CommandWord | None:
    if word in _ALSO:
        return _ALSO[word]
    return next((command for command in COMMANDS if command == word), None)
