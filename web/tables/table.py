"""A table as its events have left it, and what somebody may do at it.

A wish (choose, take back, sit down ...) gives the events that it leads to, or is refused; nothing changes before
these are stored and taken in by `take`. So every process that has read the same events has the same table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, assert_never

import attrs

from rulewright.interpreter.bots.levels import is_bot
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.text.errors import NoSuchOptionError
from rulewright.web.tables import events
from rulewright.web.tables.course import Course
from rulewright.web.tables.events import Chose, Created, Event

LONGEST_NAME = 20
LONGEST_TEXT = 500
MOST_LINES = 2_000
"""So many lines of chat and notes a table may have each."""

Who: TypeAlias = Literal["nobody", "open", "person", "bot"]
RefusalWord: TypeAlias = Literal[
    "stale",
    "not-yours",
    "over",
    "waiting",
    "paused",
    "stopped",
    "no-such-option",
    "no-undo",
    "nothing-to-undo",
    "nobody-asks",
    "bad-name",
    "name-taken",
    "seat-taken",
    "no-such-seat",
    "no-such-bot",
    "not-allowed",
    "too-long",
    "too-much",
]


class RefusedError(Exception):
    """A wish that cannot be met now; `word` says why, the text says it to a person."""

    def __init__(self, word: RefusalWord, message: str) -> None:
        super().__init__(message)
        self.word = word


@attrs.frozen
class Seat:
    """Who sits at a seat."""

    who: Who = "nobody"
    name: str = ""
    bot: str = ""


@attrs.frozen
class Wish:
    """A seat wishes to go back to a step, and these agree so far."""

    seat: int
    step: int
    agreed: frozenset[int] = frozenset()


@attrs.frozen
class Remark:
    """A line of chat with the event it came by."""

    number: int
    seat: int
    name: str
    text: str


@attrs.define
class Table:
    """A table; `number` is that of its last event, `decision` that of the open decision."""

    id: str
    created: Created
    rules: str
    seats: list[Seat]
    number: int = 0
    decision: int = 0
    moved_at: int = 0
    """When the last event was that changed the position, in milliseconds."""
    is_paused: bool = False
    stopped: str = ""
    wish: Wish | None = None
    chat: list[Remark] = attrs.field(factory=list)
    notes: list[events.Noted] = attrs.field(factory=list)
    links: dict[int, int] = attrs.field(factory=dict)
    """How often the link of a seat was made again."""
    _answered: dict[int, tuple[int, str]] = attrs.field(factory=dict)
    _moves: list[tuple[int, Chose | events.TakenBack]] = attrs.field(factory=list)
    _course: Course | None = None

    @classmethod
    def of(cls, id: str, found: Iterable[tuple[int, int, Event]]) -> Table:
        """The table of these events, each with its number and its time."""
        numbered = iter(found)
        number, at, first = next(numbered)
        if not isinstance(first, Created):
            raise events.DamagedEventError(f"the table {id} does not begin with its creation")
        table = cls(
            id, first, first.rules, [Seat() for _ in range(first.seats)], number, number, at
        )
        for number, at, event in numbered:
            table.take(number, at, event)
        return table

    @property
    def variant(self) -> Variant:
        """For how many players and with which options it is played."""
        return Variant(self.created.players, self.created.options)

    @property
    def persons(self) -> int:
        """How many seats there are that players hold; of some games there are more."""
        return self.created.players

    @property
    def is_waiting(self) -> bool:
        """Whether a seat is still free."""
        return any(seat.who in ("nobody", "open") for seat in self.seats[: self.persons])

    @property
    def names(self) -> list[str]:
        """The names that persons have given, "" where there is none."""
        return [seat.name for seat in self.seats]

    def name_of(self, seat: int, game: Game) -> str:
        """What a seat is called."""
        if self.seats[seat].name:
            return self.seats[seat].name
        return game.compiled(self.variant).words.players[seat]

    def course(self, game: Game) -> Course:
        """The match, played from the events when it is first asked for."""
        if self._course is None:
            made = self.created
            course = Course.begin(game, self.variant, made.seed, made.start, self.names)
            for number, event in self._moves:
                _move(course, number, event)
            self._course = course
        return self._course

    def forget_course(self) -> None:
        """Let go of the states of the match; they come back when they are asked for."""
        self._course = None

    @property
    def has_course(self) -> bool:
        """Whether the states of the match are in memory."""
        return self._course is not None

    # ---- events ----

    def take(self, number: int, at: int, event: Event) -> None:
        """Take in an event that is stored."""
        self.number = number
        match event:
            case Created():
                raise events.DamagedEventError(f"the table {self.id} is created twice")
            case Chose() | events.TakenBack():
                if self._course is not None:
                    _move(self._course, number, event)
                if isinstance(event, Chose):
                    self._answered[event.answers] = event.seat, event.steps[0]
                self._moves.append((number, event))
                self.decision, self.moved_at, self.wish = number, at, None
            case events.Issued():
                self.links[event.seat] = self.links.get(event.seat, 0) + 1
            case events.Opened():
                self._seat(event.seat, who="open", name="", bot="")
            case events.Sat():
                self._seat(event.seat, who="person", name=event.name, bot="")
            case events.BotSat():
                self._seat(event.seat, who="bot", name="", bot=event.bot)
            case events.Left():
                self._seat(event.seat, who="nobody", name="", bot="")
            case events.AskedUndo():
                self.wish = Wish(event.seat, event.step)
            case events.Agreed():
                if self.wish is not None:
                    self.wish = attrs.evolve(self.wish, agreed=self.wish.agreed | {event.seat})
            case events.Declined():
                self.wish = None
            case events.Said():
                self.chat.append(Remark(number, event.seat, event.name, event.text))
            case events.Noted():
                self.notes.append(event)
            case events.Paused() | events.Resumed():
                self.is_paused = isinstance(event, events.Paused)
            case events.RulesMoved():
                self.rules = event.rules
                self._course = None
            case events.Stopped():
                self.stopped = event.message
            case _:
                assert_never(event)

    def _seat(self, seat: int, **changes: str) -> None:
        before = self.seats[seat]
        self.seats[seat] = attrs.evolve(before, **changes)  # type: ignore[arg-type]  # words of Who
        if self.seats[seat].name != before.name:
            self._course = None  # names stand in the words of the match

    # ---- wishes ----

    def choose(self, game: Game, seat: int, answers: int, option: str) -> Sequence[Event]:
        """An option for the open decision. The same choice again needs no event: it was answered already."""
        if answers != self.decision:
            if self._answered.get(answers) == (seat, option):
                return ()
            raise RefusedError(
                "stale", "the match has moved on: look at it again before you choose"
            )
        course = self._going_on(game)
        if course.state.player != seat:
            raise RefusedError("not-yours", "it is not your turn")
        try:
            steps = course.after(option)
        except NoSuchOptionError as failure:
            raise RefusedError("no-such-option", str(failure)) from None
        return (Chose(answers, seat, steps),)

    def option(self, game: Game, answers: int, place: int) -> str:
        """The name of an option of a decision by its place in the list."""
        course = self.course(game)
        names = course.names_at(self.next_of(answers) if answers != self.decision else None)
        if not 0 <= place < len(names):
            raise RefusedError(
                "stale", "the match has moved on: look at it again before you choose"
            )
        return names[place]

    def next_of(self, answers: int) -> int:
        """The number of the event that answered a decision: that of the decision behind it."""
        found = (number for number, move in self._moves if move.answers == answers)
        return next(found, self.decision)

    def next_forced(self, game: Game) -> Chose | None:
        """The only thing that can be done now, where there is but one."""
        if self.is_waiting or self.is_paused or self.stopped:
            return None
        course = self.course(game)
        if course.state.over or not course.is_forced:
            return None
        option = course.state.decision.names[0]
        return Chose(self.decision, course.state.player, course.after(option), only=True)

    def player(self, game: Game) -> int:
        """The seat that decides now, -1 where nobody does."""
        if self.is_waiting or self.is_paused or self.stopped:
            return -1
        state = self.course(game).state
        return -1 if state.over else state.player

    def bot_to_move(self, game: Game) -> str:
        """The bot whose turn it is, "" where it is nobody's or a person's."""
        if self.is_waiting or self.is_paused or self.stopped:
            return ""
        state = self.course(game).state
        return "" if state.over else self.seats[state.player].bot

    def undo(self, game: Game, seat: int, hands: frozenset[int]) -> Sequence[Event]:
        """Take back the last choice of a seat, or ask the others for it.

        `hands` are all seats of whoever wishes it: persons at one device do not ask each other.
        """
        policy = self.created.terms.undo
        if policy == "none":
            raise RefusedError("no-undo", "nothing is taken back at this table")
        course = self._playing(game)
        hands |= {seat}
        step = course.last_step_of(hands)
        if step is None:
            raise RefusedError("nothing-to-undo", "there is no choice of yours to take back")
        if policy == "free" or (policy == "own" and _is_own_affair(course, hands, step)):
            return (events.TakenBack(self.decision, seat, step),)
        others = self._others(seat) - hands
        if not others and policy != "consent":
            raise RefusedError("no-undo", "others have acted or something was revealed since")
        asked = events.AskedUndo(seat, step)
        if not others:  # only bots sit there, and they do not mind
            return (asked, events.TakenBack(self.decision, seat, step))
        return (asked, *(events.Agreed(other) for other in sorted(hands - {seat})))

    def agree(self, game: Game, seat: int) -> Sequence[Event]:
        """Agree that the match goes back; it does when all persons agree."""
        wish = self._wish(game)
        others = self._others(wish.seat)
        if seat not in others or seat in wish.agreed:
            raise RefusedError("nobody-asks", "nobody asks you for this")
        agreed = events.Agreed(seat)
        if others <= wish.agreed | {seat}:
            return (agreed, events.TakenBack(self.decision, wish.seat, wish.step))
        return (agreed,)

    def decline(self, game: Game, seat: int) -> Sequence[Event]:
        """Do not agree, or take the own question back."""
        self._wish(game)
        return (events.Declined(seat),)

    def sit(self, game: Game, seat: int, name: str) -> Sequence[Event]:
        """Take a seat, under a name."""
        if not 0 <= seat < self.persons:
            raise RefusedError("no-such-seat", "there is no such seat")
        if self.seats[seat].who == "bot":
            raise RefusedError("seat-taken", "a bot plays this seat")
        clean = self.checked_name(game, seat, name)
        if self.seats[seat].who == "person" and self.seats[seat].name == clean:
            return ()
        return (events.Sat(seat, clean),)

    def checked_name(self, game: Game, seat: int, name: str) -> str:
        """A name as it may be: short, in one line, and nobody else's."""
        clean = " ".join(name.split())
        if not clean:
            return ""
        if not clean.isprintable() or len(clean) > LONGEST_NAME:
            raise RefusedError("bad-name", f"a name has 1 to {LONGEST_NAME} letters in one line")
        taken = {
            self.name_of(other, game).casefold()
            for other in range(len(self.seats))
            if other != seat
        }
        if clean.casefold() in taken:
            raise RefusedError("name-taken", f"somebody else is called {clean}")
        return clean

    def leave(self, seat: int) -> Sequence[Event]:
        """Leave a seat; somebody else may take it then."""
        return (events.Left(seat),)

    def set_bot(self, seat: int, bot: str) -> Sequence[Event]:
        """Let a bot play a seat."""
        if not 0 <= seat < self.persons:
            raise RefusedError("no-such-seat", "there is no such seat")
        if not is_bot(bot):
            raise RefusedError("no-such-bot", f"there is no bot `{bot[:20]}`")
        return (events.BotSat(seat, bot),)

    def say(self, seat: int, name: str, text: str) -> Sequence[Event]:
        """A line of chat."""
        terms = self.created.terms
        if not terms.chat or (seat < 0 and terms.watching != "talking"):
            raise RefusedError("not-allowed", "nobody talks at this table")
        return (events.Said(seat, name, self._checked_text(text, len(self.chat))),)

    def note(self, seat: int, step: int, text: str) -> Sequence[Event]:
        """A note about a position for the designer."""
        if not self.created.terms.notes:
            raise RefusedError("not-allowed", "no notes are taken at this table")
        return (events.Noted(seat, step, self._checked_text(text, len(self.notes))),)

    def pause(self, *, goes_on: bool) -> Sequence[Event]:
        """Stop the match for a while, or go on with it."""
        if self.is_paused != goes_on:
            return ()
        return (events.Resumed() if goes_on else events.Paused(),)

    def _checked_text(self, text: str, count: int) -> str:
        clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not clean or len(clean) > LONGEST_TEXT:
            raise RefusedError("too-long", f"a line has 1 to {LONGEST_TEXT} letters")
        if count >= MOST_LINES:
            raise RefusedError("too-much", "there is no room for more")
        return clean

    def _others(self, seat: int) -> frozenset[int]:
        """The other persons: who holds several seats agrees with each of them."""
        return frozenset(
            other
            for other, found in enumerate(self.seats)
            if other != seat and found.who == "person"
        )

    def _wish(self, game: Game) -> Wish:
        self._playing(game)
        if self.wish is None:
            raise RefusedError("nobody-asks", "nobody asks to take anything back")
        return self.wish

    def _playing(self, game: Game) -> Course:
        if self.stopped:
            raise RefusedError("stopped", "the match was stopped by a fault of its rules")
        if self.is_paused:
            raise RefusedError("paused", "the match is paused")
        return self.course(game)

    def _going_on(self, game: Game) -> Course:
        if self.is_waiting:
            raise RefusedError("waiting", "not all seats are taken yet")
        course = self._playing(game)
        if course.state.over:
            raise RefusedError("over", "the match is over")
        return course


def _move(course: Course, number: int, event: Chose | events.TakenBack) -> None:
    if isinstance(event, Chose):
        course.follow(number, event.steps)
    else:
        course.back(event.step)


def _is_own_affair(course: Course, hands: frozenset[int], step: int) -> bool:
    """Whether nobody else has acted since a step, and nothing was revealed."""
    return hands.issuperset(course.deciders(step)) and not course.was_revealed(step)
