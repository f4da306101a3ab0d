"""The messages of the protocol: requests of a client to a host of matches, and their answers.

Each class is one message; its fields are the fields of the JSON object. A test compares `docs/protocol.md`
with this module. Independent of transport and of matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import attrs

Viewer: TypeAlias = int | Literal["everybody", "all"]
"""A seat, counted from 0; `everybody` for the public view; or `all` for a view of everything, which is
allowed only at the end.
"""


# ---- requests ----


@attrs.frozen
class Games:
    """List the games of the host."""


@attrs.frozen
class Create:
    """Begin a match. The host chooses missing values: `players`, an option or the `seed`.

    With a `record`, the match continues where the record ends. If the current rules lead to a different
    match, play continues from the first difference, which `parted` reports.
    """

    game: str
    players: int | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)
    seed: int | None = None
    names: tuple[str, ...] = ()
    """The names of the players; "" stands for the name that the game gives a seat."""
    record: str = ""
    """A record to be replayed as far as the rules allow; it contains the players, the options and the seed."""


@attrs.frozen
class Status:
    """Ask for the open decision: its seat and its number."""

    match: str


@attrs.frozen
class View:
    """Ask for the position as a viewer sees it, place by place."""

    match: str
    viewer: Viewer


@attrs.frozen
class Picture:
    """Ask for the picture of the position as sections of HTML, for one viewer."""

    match: str
    viewer: Viewer


@attrs.frozen
class Scene:
    """Ask for the nodes of a picture of the position, for clients that draw it themselves."""

    match: str
    viewer: Viewer


@attrs.frozen
class Options:
    """Ask for the question of the open decision and, for the seat that decides, its options."""

    match: str
    viewer: Viewer


@attrs.frozen
class Choose:
    """Answer a decision with an option, by the name of the option.

    `decision` is the number of the decision. The number of an earlier decision is refused, unless the same
    choice was made at that decision; in this case the original answer is returned.
    """

    match: str
    decision: int
    option: str


@attrs.frozen
class Bot:
    """Let a bot answer a decision for the seat that decides."""

    match: str
    decision: int
    bot: str


@attrs.frozen
class Undo:
    """Take back the most recent choice made by one of `seats`, or by any seat if none is named.

    With `careful`, a choice that has revealed something is not taken back; the error `has-shown` names
    the revealed things.
    """

    match: str
    decision: int
    seats: tuple[int, ...] = ()
    careful: bool = False


@attrs.frozen
class Events:
    """Ask for the events since a step, including scoring, as far as a viewer may know them."""

    match: str
    viewer: Viewer
    since: int = 0


@attrs.frozen
class Why:
    """Ask why something cannot be chosen, or how a value is computed; without `about`, ask why each refused
    option is refused.
    """

    match: str
    viewer: Viewer
    about: str = ""


@attrs.frozen
class Look:
    """Ask for everything that a viewer may know about a card, a place or a player, by name."""

    match: str
    viewer: Viewer
    at: str


@attrs.frozen
class Score:
    """Ask for the score sheet, with "?" for numbers that depend on something hidden."""

    match: str
    viewer: Viewer


@attrs.frozen
class Hint:
    """Ask a bot for its best option.

    The bot uses only what the seat knows. `effort` is a number of playouts such as `400`, or a time such as `2s`.
    """

    match: str
    viewer: Viewer
    effort: str = ""


@attrs.frozen
class Rules:
    """Ask for the rulebook of a game, or for its sections and passages about the words in `about`.
    Each paragraph is one line."""

    game: str
    about: str = ""


@attrs.frozen
class Record:
    """Ask for the record of a match, in the format of `rulewright replay`."""

    match: str


@attrs.frozen
class Close:
    """End a match, so that the host forgets it."""

    match: str


Request: TypeAlias = (
    Games
    | Create
    | Status
    | View
    | Picture
    | Scene
    | Options
    | Choose
    | Bot
    | Undo
    | Events
    | Why
    | Look
    | Score
    | Hint
    | Rules
    | Record
    | Close
)


# ---- answers ----


@attrs.frozen
class GameInfo:
    """The facts about a game; `options` has the values of each option, the default first."""

    name: str
    title: str
    author: str
    fewest: int
    most: int
    options: tuple[tuple[str, tuple[str, ...]], ...]


@attrs.frozen
class GameList:
    """The games of the host."""

    games: tuple[GameInfo, ...]


@attrs.frozen
class MatchStatus:
    """The status of a match. `player` is the seat that decides, or null at the end.

    `winners` is empty before the end.
    """

    match: str
    game: str
    title: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    decision: int
    step: int
    over: bool
    player: int | None
    winners: tuple[int, ...]
    parted: str = ""
    """In the answer to `create`, the reason why a record could not be replayed to its end."""


@attrs.frozen
class MatchView:
    """The position at a decision, as far as a viewer may know it."""

    match: str
    decision: int
    view: Mapping[str, Any]


@attrs.frozen
class SectionInfo:
    """A part of a picture: its area on the page, and its complete HTML, in an element with this id."""

    id: str
    title: str
    area: str
    html: str


@attrs.frozen
class MatchPicture:
    """The picture of a position. Its buttons send the number of an option; `options` lists the names by
    number.
    """

    match: str
    decision: int
    player: int | None
    sections: tuple[SectionInfo, ...]
    options: tuple[str, ...]


@attrs.frozen
class MatchScene:
    """The nodes of a picture of the position at a decision: areas, boards, spaces, pieces, values, options."""

    match: str
    decision: int
    scene: Mapping[str, Any]


@attrs.frozen
class OptionInfo:
    """An option: its stable name and its words for people."""

    name: str
    text: str


@attrs.frozen
class OptionList:
    """The open decision. Only the seat that decides receives the whole question and the options."""

    match: str
    decision: int
    player: int | None
    prompt: str
    options: tuple[OptionInfo, ...]


@attrs.frozen
class Chosen:
    """A choice was made at the decision `decision`; the next decision has the number `next`."""

    match: str
    decision: int
    option: str
    next: int


@attrs.frozen
class TakenBack:
    """The match is at an earlier step; the open decision has the number `next`."""

    match: str
    step: int
    next: int


@attrs.frozen
class EventInfo:
    """A line of the log from a step; `player` is null if no player caused it."""

    step: int
    player: int | None
    text: str


@attrs.frozen
class EventList:
    """The events from step `since` on, as far as a viewer may know them."""

    match: str
    since: int
    events: tuple[EventInfo, ...]


@attrs.frozen
class Lines:
    """Lines of text for people: the answer to why, look, score, hint and rules."""

    lines: tuple[str, ...]


@attrs.frozen
class RecordText:
    """A record, in one line of JSON."""

    match: str
    record: str


@attrs.frozen
class Closed:
    """The match is closed."""

    match: str


ErrorCode: TypeAlias = Literal[
    "bad-message",
    "no-such-match",
    "no-such-game",
    "broken-game",
    "wrong-variant",
    "no-such-seat",
    "no-such-bot",
    "no-such-option",
    "stale",
    "over",
    "not-yet",
    "nothing-to-undo",
    "has-shown",
    "fault",
    "too-many",
]


@attrs.frozen
class Error:
    """A request that cannot be carried out; nothing has changed. `decision` is the open decision, if it
    matters.
    """

    code: ErrorCode
    message: str
    decision: int | None = None


Answer: TypeAlias = (
    GameList
    | MatchStatus
    | MatchView
    | MatchPicture
    | MatchScene
    | OptionList
    | Chosen
    | TakenBack
    | EventList
    | Lines
    | RecordText
    | Closed
    | Error
)

REQUESTS: Mapping[str, type[Request]] = MappingProxyType(
    {
        "games": Games,
        "create": Create,
        "status": Status,
        "view": View,
        "picture": Picture,
        "scene": Scene,
        "options": Options,
        "choose": Choose,
        "bot": Bot,
        "undo": Undo,
        "events": Events,
        "why": Why,
        "look": Look,
        "score": Score,
        "hint": Hint,
        "rules": Rules,
        "record": Record,
        "close": Close,
    }
)
"""The requests, keyed by the word in their field `ask`."""

ANSWERS: Mapping[str, type[Answer]] = MappingProxyType(
    {
        "games": GameList,
        "status": MatchStatus,
        "view": MatchView,
        "picture": MatchPicture,
        "scene": MatchScene,
        "options": OptionList,
        "chosen": Chosen,
        "taken-back": TakenBack,
        "events": EventList,
        "lines": Lines,
        "record": RecordText,
        "closed": Closed,
        "error": Error,
    }
)
"""The answers, keyed by the word in their field `answer`."""
