"""What a person means by a line typed during play. Refuses to know the play beyond its options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import attrs

from rulewright.dsl.problems.suggest import near_names

CommandWord = Literal["undo", "why", "rules", "look", "save", "load", "quit", "help"]
COMMANDS: tuple[CommandWord, ...] = get_args(CommandWord)
_ALSO: dict[str, CommandWord] = {"exit": "quit", "q": "quit", "?": "help"}


@attrs.frozen
class Chosen:
    """The option at a place in the list."""

    place: int


@attrs.frozen
class Asked:
    """A command with what stands behind it."""

    word: CommandWord
    rest: str


@attrs.frozen
class Unclear:
    """No option and no command; `near` are names that may have been meant."""

    near: tuple[str, ...]


Answer = Chosen | Asked | Unclear


def read_answer(
    line: str, labels: Sequence[str], names: Sequence[str], texts: Sequence[str]
) -> Answer:
    """The whole name or label of an option, then a command, then the beginning of a name or text.

    A `/` before a command tells it from an option of the same name.
    """
    typed = plain(line)
    meant = line.strip()
    place = _whole(typed, meant, labels, names, texts)
    if place is not None and not meant.startswith("/"):
        return Chosen(place)
    word, _, rest = meant.removeprefix("/").partition(" ")
    command = _command(word.casefold())
    if command is not None:
        return Asked(command, rest.strip())
    begun = [
        place
        for place in range(len(names))
        if typed and any(plain(known[place]).startswith(typed) for known in (names, texts))
    ]
    if len(begun) == 1:
        return Chosen(begun[0])
    if begun:
        return Unclear(tuple(names[place] for place in begun))
    known: dict[str, str] = {plain(name): name for name in (*COMMANDS, *names)}
    return Unclear(tuple(known[near] for near in near_names(typed, known)))


def plain(text: str) -> str:
    """A name or text without capitals and signs: `drop(4)` may be typed as `drop 4`."""
    signs = (sign if sign.isalnum() or sign in "-+?" else " " for sign in text.casefold())
    return " ".join("".join(signs).split())


def about_it(typed: str, names: Sequence[str]) -> list[str]:
    """The options that have these words in their names: `pear` is in `buy(pear)`."""
    words = plain(typed)
    return [name for name in names if words and f" {words} " in f" {plain(name)} "]


def _whole(
    typed: str, line: str, labels: Sequence[str], names: Sequence[str], texts: Sequence[str]
) -> int | None:
    for known in (labels, names):
        if line in known:
            return known.index(line)
    for known in (names, texts):
        plains = [plain(name) for name in known]
        if typed and plains.count(typed) == 1:
            return plains.index(typed)
    return None


def _command(word: str) -> CommandWord | None:
    if word in _ALSO:
        return _ALSO[word]
    return next((command for command in COMMANDS if command == word), None)
