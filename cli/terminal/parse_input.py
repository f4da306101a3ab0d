"""Parse a line that a person types during play, given only the options of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import attrs

from rulewright.dsl.diagnostics.suggest import near_names
from rulewright.interpreter.text.typed import by_parts, number_of, plain

CommandWord = Literal[
    "undo", "why", "look", "options", "score", "log", "hint", "rules", "save", "load", "rematch", "quit", "help"
]  # fmt: skip
COMMANDS: tuple[CommandWord, ...] = get_args(CommandWord)
_ALSO: dict[str, CommandWord] = {"exit": "quit", "q": "quit", "?": "help"}


@attrs.frozen
class Chosen:
    """The option at a place in the list; `by_part` is true if only a part of its name was typed."""

    place: int
    by_part: bool = False


@attrs.frozen
class Several:
    """The places of several options that may be meant."""

    places: tuple[int, ...]


@attrs.frozen
class Command:
    """A command and its arguments."""

    word: CommandWord
    rest: str


@attrs.frozen
class Unclear:
    """A line that is neither an option nor a command; `near` has the texts of options that may have been
    meant.
    """

    near: tuple[str, ...]


Answer = Chosen | Several | Command | Unclear


def read_answer(
    line: str, labels: Sequence[str], names: Sequence[str], texts: Sequence[str]
) -> Answer:
    """Match the line against labels and whole names of options, then commands, then parts of names and
    texts.

    A `/` before a command distinguishes the command from an option with the same name.
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
        return Command(command, rest.strip())
    if meant.lstrip("-").isdecimal():
        # A number that is not on the screen is never taken for a part of a name.
        return _among(_places_of(typed, names))
    for places in by_parts(typed, names, texts):
        if len(places) == 1:
            return Chosen(places[0], by_part=True)
        if places:
            return Several(places)
    known = {plain(name): text for name, text in zip(names, texts, strict=True)}
    known |= {plain(text): text for text in (*texts, *COMMANDS)}
    return Unclear(tuple(dict.fromkeys(known[near] for near in near_names(typed, known))))


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


def _command(word: str) -> CommandWord | None:
    if word in _ALSO:
        return _ALSO[word]
    return next((command for command in COMMANDS if command == word), None)
