"""The events that can happen at a table, and their JSON. A table is stored as a numbered sequence of events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import attrs
import cattrs

UndoPolicy: TypeAlias = Literal["free", "own", "consent", "none"]
Watching: TypeAlias = Literal["none", "silent", "talking"]
Late: TypeAlias = Literal["told", "once", "bot"]
"""The consequence of a time limit: a display, a choice by a bot, or a bot that plays the seat from then on."""
Until: TypeAlias = Literal["options", "others", "gone"]
"""When a standing answer ends: if the options change, if somebody else makes another choice, or once its
option is gone.
"""


@attrs.frozen
class Terms:
    """The decisions of the host when the table was created."""

    undo: UndoPolicy = "own"
    hints: bool = True
    watching: Watching = "silent"
    chat: bool = True
    notes: bool = False
    limit: int = 0
    """How many minutes a person has for a choice; 0 means no limit."""
    late: Late = "told"
    delay: int = 0
    """By how many choices spectators lag behind."""


@attrs.frozen
class Created:
    """A table was created; `rules` is the digest of its rules, `start` the results of chance at the start."""

    game: str
    title: str
    rules: str
    players: int
    options: tuple[tuple[str, str], ...]
    seed: int
    seats: int
    start: tuple[str, ...]
    terms: Terms
    former: str = ""
    """The table of which this table is a rematch."""


@attrs.frozen
class Issued:
    """A seat has a new link; its earlier links are no longer valid. Seat -1 stands for the link for spectators."""

    seat: int


@attrs.frozen
class Opened:
    """A seat is open to the first person who takes it; its link is on the page of the table."""

    seat: int


@attrs.frozen
class Sat:
    """A person has taken a seat, or has a new name."""

    seat: int
    name: str


@attrs.frozen
class BotSat:
    """A bot plays a seat from now on; `stands_in` says that the person of the seat may come back."""

    seat: int
    bot: str
    stands_in: bool = False


@attrs.frozen
class Left:
    """A person has left a seat."""

    seat: int


@attrs.frozen
class Chose:
    """The decision with the number `answers` was answered; `steps` are the chosen option and the
    random results after it, as in records.

    `only` means that there was no other option, so nobody was asked.
    """

    answers: int
    seat: int
    steps: tuple[str, ...]
    only: bool = False


@attrs.frozen
class AskedUndo:
    """A seat asks to go back to `step`; the others may agree."""

    seat: int
    step: int


@attrs.frozen
class Agreed:
    """A seat agrees to take back a choice."""

    seat: int


@attrs.frozen
class Declined:
    """A seat does not agree, or withdraws its own request."""

    seat: int


@attrs.frozen
class TakenBack:
    """The match is at an earlier step again; `seat` asked for this."""

    answers: int
    seat: int
    step: int


@attrs.frozen
class Said:
    """A line of chat from a seat, or from a spectator (-1)."""

    seat: int
    name: str
    text: str


@attrs.frozen
class Noted:
    """A player has written a note about a position for the designer."""

    seat: int
    step: int
    text: str


@attrs.frozen
class Paused:
    """The host has paused the match."""


@attrs.frozen
class Resumed:
    """The match continues."""


@attrs.frozen
class RulesMoved:
    """The table continues under changed rules that leave the match so far unchanged."""

    rules: str


@attrs.frozen
class Stopped:
    """The match has reached a fault in its rules and cannot continue."""

    message: str


@attrs.frozen
class Nudged:
    """A seat reminds another seat that the match waits for it."""

    seat: int
    by: int


@attrs.frozen
class RanOut:
    """The time for the decision with the number `answers` is over."""

    answers: int
    seat: int


@attrs.frozen
class Stood:
    """A seat gives a standing answer, which is chosen whenever possible; `until` names the change that ends it.

    `options` are the options of the decision at which the answer was given.
    """

    seat: int
    option: str
    until: Until
    options: tuple[str, ...]


@attrs.frozen
class StoodDown:
    """The standing answer of a seat has ended."""

    seat: int


@attrs.frozen
class Rematched:
    """The same people play again at another table."""

    table: str


Event: TypeAlias = (
    Created
    | Issued
    | Opened
    | Sat
    | BotSat
    | Left
    | Chose
    | AskedUndo
    | Agreed
    | Declined
    | TakenBack
    | Said
    | Noted
    | Paused
    | Resumed
    | RulesMoved
    | Stopped
    | Nudged
    | RanOut
    | Stood
    | StoodDown
    | Rematched
)

KINDS: Mapping[str, type[Event]] = MappingProxyType(
    {
        "created": Created,
        "issued": Issued,
        "opened": Opened,
        "sat": Sat,
        "bot": BotSat,
        "left": Left,
        "chose": Chose,
        "asked undo": AskedUndo,
        "agreed": Agreed,
        "declined": Declined,
        "taken back": TakenBack,
        "said": Said,
        "noted": Noted,
        "paused": Paused,
        "resumed": Resumed,
        "rules": RulesMoved,
        "stopped": Stopped,
        "nudged": Nudged,
        "ran out": RanOut,
        "stood": Stood,
        "stood down": StoodDown,
        "rematched": Rematched,
    }
)
"""The events, keyed by the words with which they are stored. The words never change, because tables outlive
versions.
"""

_WORDS: dict[type[Any], str] = {kind: word for word, kind in KINDS.items()}
_converter = cattrs.Converter()


class DamagedEventError(Exception):
    """Raised if a stored text is not an event."""


def to_text(event: Event) -> str:
    """Write an event as one line of JSON."""
    data = {"event": _WORDS[type(event)], **_converter.unstructure(event)}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def without_people(text: str) -> str:
    """Return the text of an event without people's names and messages."""
    event = from_text(text)
    match event:
        case Sat():
            return to_text(attrs.evolve(event, name=""))
        case Said():
            return to_text(attrs.evolve(event, name="", text=""))
        case _:
            return text


def from_text(text: str) -> Event:
    """Parse an event from its text."""
    try:
        data = json.loads(text)
        kind = KINDS[data.pop("event")]
        return _converter.structure(data, kind)
    except Exception as failure:  # whatever is wrong with the text, it is not an event
        raise DamagedEventError(f"this is not an event: {text[:80]}") from failure
