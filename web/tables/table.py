"""A table as the result of its events, and the commands at it.

A command (choose, take back, sit down ...) returns its events or is refused. Nothing changes before these
events are stored and `take` applies them. So every process that has read the same events has the same
table.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Literal, TypeAlias, assert_never

import attrs

from rulewright.interpreter.bots.levels import is_bot, no_bot
from rulewright.interpreter.matches.game import Game, Variant
from rulewright.interpreter.text.errors import NoSuchOptionError
from rulewright.interpreter.text.faults import RuleFault
from rulewright.web.tables import events
from rulewright.web.tables.course import Course
from rulewright.web.tables.events import Chose, Created, Event
from rulewright.web.words import say

LONGEST_NAME = 20
STAND_IN = "easy"
"""The bot that plays for a person whose time is over."""
NUDGE_AGAIN = 3_600_000
"""The minimum time between two reminders, in milliseconds."""
MOST_STANDING = 50
"""The maximum number of standing answers in a row; without a limit, two of them could alternate forever."""
LONGEST_TEXT = 500
MOST_LINES = 2_000
"""The maximum number of lines of chat of a table; notes have the same limit."""

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
    "too-soon",
]


class RefusedError(Exception):
    """Raised if a command cannot be carried out now; `word` is the reason for programs, the text for people."""

    def __init__(self, word: RefusalWord, message: str) -> None:
        super().__init__(message)
        self.word = word


@attrs.frozen
class Seat:
    """A seat, and its person or bot."""

    who: Who = "nobody"
    name: str = ""
    bot: str = ""
    stands_in: bool = False
    """Whether the bot plays only until the person comes back."""


@attrs.frozen
class UndoRequest:
    """A request of a seat to go back to a step, and the seats that have agreed so far."""

    seat: int
    step: int
    agreed: frozenset[int] = frozenset()


@attrs.frozen
class Standing:
    """A standing answer, the number of its event, and how often it was given."""

    given: events.Stood
    number: int
    times: int = 0

    def holds(self, names: Sequence[str]) -> bool:
        """Return whether the standing answer answers a decision with these options."""
        is_alike = self.given.until != "options" or tuple(names) == self.given.options
        return is_alike and self.given.option in names and self.times < MOST_STANDING


@attrs.frozen
class Remark:
    """A line of chat, with the number of its event."""

    number: int
    seat: int
    name: str
    text: str


@attrs.define
class Table:
    """A table; `number` is the number of its last event, `decision` the number of the open decision."""

    id: str
    created: Created
    rules: str
    seats: list[Seat]
    number: int = 0
    decision: int = 0
    moved_at: int = 0
    """The time of the last event that changed the position, in milliseconds."""
    asked_at: int = 0
    """Since when the match has waited for the player who decides; a pause and an empty seat do not count."""
    is_paused: bool = False
    stopped: str = ""
    undo_request: UndoRequest | None = None
    chat: list[Remark] = attrs.field(factory=list)
    notes: list[events.Noted] = attrs.field(factory=list)
    links: dict[int, int] = attrs.field(factory=dict)
    """How often the link of each seat was made again."""
    nudge: events.Nudged | None = None
    """The last reminder about the open decision."""
    nudged_at: dict[int, int] = attrs.field(factory=dict)
    """When each seat was last reminded."""
    nudge_number: int = 0
    ran_out: int = -1
    """The decision whose time is over."""
    standing: dict[int, Standing] = attrs.field(factory=dict)
    rematch: str = ""
    """The table where the same people play again."""
    _times: dict[int, tuple[int, int]] = attrs.field(factory=dict)
    """For each move, by its event number: when the wait for the move began, and when it came."""
    _moves: list[tuple[int, Chose | events.TakenBack]] = attrs.field(factory=list)
    _course: Course | None = None
    _behind: tuple[int, Course] | None = None
    """The match as spectators see it, at an event number."""

    @classmethod
    def of(cls, id: str, found: Iterable[tuple[int, int, Event]]) -> Table:
        """Return the table that results from these events, each with its number and its time."""
        numbered = iter(found)
        number, at, first = next(numbered)
        if not isinstance(first, Created):
            raise events.DamagedEventError(f"the table {id} does not begin with its creation")
        table = cls(
            id, first, first.rules, [Seat() for _ in range(first.seats)], number, number, at, at
        )
        for number, at, event in numbered:
            table.take(number, at, event)
        return table

    @property
    def variant(self) -> Variant:
        """The number of players and the options of the match."""
        return Variant(self.created.players, self.created.options)

    @property
    def persons(self) -> int:
        """The number of seats for players; some games have further seats."""
        return self.created.players

    @property
    def has_begun(self) -> bool:
        """Whether anybody has chosen anything."""
        return bool(self._moves)

    @property
    def is_waiting(self) -> bool:
        """Whether a seat is still free."""
        return any(seat.who in ("nobody", "open") for seat in self.seats[: self.persons])

    @property
    def names(self) -> list[str]:
        """The names that people have given, with "" for seats without a name."""
        return [seat.name for seat in self.seats]

    def name_of(self, seat: int, game: Game) -> str:
        """Return the name of a seat."""
        if self.seats[seat].name:
            return self.seats[seat].name
        return game.compiled(self.variant).words.players[seat]

    def course(self, game: Game) -> Course:
        """Return the match, which is replayed from the events at its first use."""
        if self._course is None:
            made = self.created
            course = Course.begin(game, self.variant, made.seed, made.start, self.names)
            for number, event in self._moves:
                _move(course, number, event)
            self._course = course
        return self._course

    def course_for(self, game: Game, seat: int) -> Course:
        """Return the match as a seat may see it; -1 is a spectator, who may be some choices behind until
        the end.
        """
        course, delay = self.course(game), self.created.terms.delay
        if seat >= 0 or not delay or course.state.over:
            return course
        if self._behind is None or self._behind[0] != self.number:
            counted = course.step_counts(seat)
            step = bisect_right(counted, max(0, counted[-1] - delay)) - 1
            self._behind = self.number, course.until(step)
        return self._behind[1]

    def forget_course(self) -> None:
        """Drop the states of the match; they are replayed at their next use."""
        self._course = self._behind = None

    @property
    def has_course(self) -> bool:
        """Whether the states of the match are in memory."""
        return self._course is not None

    def thoughts(self) -> list[tuple[int, int, int, int]]:
        """For each choice, return its event number, its seat, when the wait for the choice began, and when
        the choice came.
        """
        return [
            (number, move.seat, *self._times[number])
            for number, move in self._moves
            if isinstance(move, Chose) and not move.only
        ]

    # ---- events ----

    def take(self, number: int, at: int, event: Event) -> None:
        """Apply a stored event."""
        self.number = number
        match event:
            case Created():
                raise events.DamagedEventError(f"the table {self.id} is created twice")
            case Chose() | events.TakenBack():
                self._record_move(number, at, event)
            case events.Issued():
                self.links[event.seat] = self.links.get(event.seat, 0) + 1
            case events.Opened():
                self._seat(event.seat, at, Seat("open"))
            case events.Sat():
                self._seat(event.seat, at, Seat("person", event.name))
            case events.BotSat():
                name = self.seats[event.seat].name if event.stands_in else ""
                self._seat(event.seat, at, Seat("bot", name, event.bot, event.stands_in))
            case events.Left():
                self._seat(event.seat, at, Seat())
            case events.AskedUndo():
                self.undo_request = UndoRequest(event.seat, event.step)
            case events.Agreed():
                if self.undo_request is not None:
                    self.undo_request = attrs.evolve(
                        self.undo_request, agreed=self.undo_request.agreed | {event.seat}
                    )
            case events.Declined():
                self.undo_request = None
            case events.Said():
                self.chat.append(Remark(number, event.seat, event.name, event.text))
            case events.Noted():
                self.notes.append(event)
            case events.Paused() | events.Resumed():
                self.is_paused = isinstance(event, events.Paused)
                self.asked_at = at
            case events.RulesMoved():
                self.rules = event.rules
                self._course = None
            case events.Stopped():
                self.stopped = event.message
            case events.Nudged():
                self.nudge, self.nudge_number = event, number
                self.nudged_at[event.seat] = at
            case events.RanOut():
                self.ran_out = event.answers
            case events.Stood():
                self.standing[event.seat] = Standing(event, number)
            case events.StoodDown():
                self.standing.pop(event.seat, None)
            case events.Rematched():
                self.rematch = event.table
            case _:
                assert_never(event)

    def _record_move(self, number: int, at: int, event: Chose | events.TakenBack) -> None:
        if self._course is not None:
            _move(self._course, number, event)
        self._moves.append((number, event))
        self._times[number] = self.asked_at, at
        self.decision, self.moved_at, self.asked_at = number, at, at
        self.undo_request = self.nudge = None
        if not isinstance(event, Chose):
            self.standing.clear()
            return
        stands = self.standing.pop(event.seat, None)
        if stands is not None and (event.only or stands.given.option == event.steps[0]):
            self.standing[event.seat] = attrs.evolve(stands, times=stands.times + 1)

    def _seat(self, seat: int, at: int, now: Seat) -> None:
        before = self.seats[seat]
        self.seats[seat] = now
        if now.name != before.name:
            self._course = None  # the texts of the match contain names
        if now.who != before.who:
            self.asked_at = at
            self.standing.pop(seat, None)

    # ---- commands ----

    def choose(self, game: Game, seat: int, answers: int, option: str) -> Sequence[Event]:
        """Choose an option of the open decision. The same choice again needs no event."""
        known = self.course(game)
        if answers != known.decision(seat):
            if known.answer(seat, answers) == option:
                return ()
            raise RefusedError("stale", say("refused-stale"))
        course = self._going_on(game)
        if course.state.player != seat:
            raise RefusedError("not-yours", say("refused-turn"))
        try:
            steps = course.after(option)
        except NoSuchOptionError as failure:
            raise RefusedError("no-such-option", str(failure)) from None
        return (Chose(self.decision, seat, steps),)

    def with_only_options(self, game: Game, found: Sequence[Event]) -> Sequence[Event]:
        """Add to a new choice the choices after it for which there is only one option, to store all at once."""
        if not (found and isinstance(found[-1], Chose)):
            return found
        result, last = [*found], self.number + len(found)
        with suppress(RuleFault):  # a fault is noted when the choice before it is stored
            for number, (seat, steps) in enumerate(self.course(game).only_after(), start=last):
                result.append(Chose(number, seat, steps, only=True))
        return result

    def option(self, game: Game, seat: int, answers: int, place: int) -> str:
        """Return the name of an option, given its place in the list of a decision."""
        names = self.course(game).names_at(seat, answers)
        if not 0 <= place < len(names):
            raise RefusedError("stale", say("refused-stale"))
        return names[place]

    def next_by_itself(self, game: Game) -> Event | None:
        """Return an event that nobody requests: the only option, a standing answer, or the end of a
        standing answer.
        """
        seat = self.player(game)
        if seat < 0:
            return None
        course, stands = self.course(game), self.standing.get(seat)
        names = course.state.decision.names
        if course.is_forced:
            return Chose(self.decision, seat, course.after(names[0]), only=True)
        if stands is None:
            return None
        if not stands.holds(names) or self.stands(game, seat) is None:
            return events.StoodDown(seat)
        return Chose(self.decision, seat, course.after(stands.given.option))

    def stands(self, game: Game, seat: int) -> Standing | None:
        """Return the standing answer of a seat, unless others have ended it."""
        found = self.standing.get(seat)
        if found is None or found.given.until != "others":
            return found
        given = found.given.option
        return None if self.course(game).is_otherwise(seat, given, found.number) else found

    def player(self, game: Game) -> int:
        """Return the seat that decides now, or -1 if nobody decides."""
        if self.is_waiting or self.is_paused or self.stopped:
            return -1
        state = self.course(game).state
        return -1 if state.over else state.player

    def bot_to_move(self, game: Game) -> str:
        """Return the bot whose turn it is, or "" if no bot must decide."""
        seat = self.player(game)
        if seat < 0:
            return ""
        is_late = self.ran_out == self.decision and self.created.terms.late == "once"
        return self.seats[seat].bot or (STAND_IN if is_late else "")

    def person(self, game: Game) -> int:
        """Return the seat of the person who decides now, or -1 if no person must decide."""
        seat = self.player(game)
        return seat if seat >= 0 and self.seats[seat].who == "person" else -1

    @property
    def due(self) -> int:
        """When the time for the open decision ends; 0 if there is no limit or the match is not running."""
        limit = self.created.terms.limit
        if not limit or self.is_waiting or self.is_paused or self.stopped:
            return 0
        return self.asked_at + limit * 60_000

    def awaited_since(self, game: Game, seat: int) -> int:
        """Return since when the match has waited for the player who decides, as far as a seat may know this."""
        began = self.course(game).turn_began(seat)
        return self.asked_at if began is None else self._times[began][0]

    def run_out(self, game: Game, now: int) -> Sequence[Event]:
        """Return the consequence of a time limit, if the time is over."""
        seat = self.person(game)
        if seat < 0 or not self.due or now < self.due or self.ran_out == self.decision:
            return ()
        out = events.RanOut(self.decision, seat)
        if self.created.terms.late == "bot":
            return (out, events.BotSat(seat, STAND_IN, stands_in=True))
        return (out,)

    def nudge_by(self, game: Game, by: int, now: int) -> Sequence[Event]:
        """Remind the player who decides that the others are waiting."""
        seat = self.person(game)
        if seat < 0 or seat == by:
            raise RefusedError("not-allowed", say("refused-nobody-to-remind"))
        if not self.may_nudge(game, now):
            raise RefusedError("too-soon", say("refused-too-soon"))
        return (events.Nudged(seat, by),)

    def may_nudge(self, game: Game, now: int) -> bool:
        """Return whether the person who decides was last reminded at least an hour ago, or never."""
        last = self.nudged_at.get(self.person(game))
        return last is None or now >= last + NUDGE_AGAIN

    def stand(
        self, game: Game, seat: int, answers: int, option: str, until: events.Until
    ) -> Sequence[Event]:
        """Choose an option now, and whenever it can be chosen again, until something changes."""
        chosen = self.choose(game, seat, answers, option)
        if not chosen:
            return ()
        names = tuple(self.course(game).state.decision.names)
        return (events.Stood(seat, option, until, names), *chosen)

    def stand_down(self, seat: int) -> Sequence[Event]:
        """End the standing answer of a seat."""
        return (events.StoodDown(seat),) if seat in self.standing else ()

    def undo(self, game: Game, seat: int, hands: frozenset[int]) -> Sequence[Event]:
        """Take back the last choice of a seat, or ask the others to agree.

        `hands` are all seats of the person who asks: people at one device do not ask each other.
        """
        policy = self.created.terms.undo
        if policy == "none":
            raise RefusedError("no-undo", say("refused-never-back"))
        course = self._playing(game)
        hands |= {seat}
        step = course.last_step_of(hands)
        if step is None:
            raise RefusedError("nothing-to-undo", say("refused-nothing-to-undo"))
        if policy == "free" or (policy == "own" and course.is_own_affair(hands, step)):
            return (events.TakenBack(self.decision, seat, step),)
        others = self._others(seat) - hands
        if not others and policy != "consent":
            raise RefusedError("no-undo", say("refused-others-acted"))
        asked = events.AskedUndo(seat, step)
        if not others:  # only bots sit there, and they do not mind
            return (asked, events.TakenBack(self.decision, seat, step))
        return (asked, *(events.Agreed(other) for other in sorted(hands - {seat})))

    def agree(self, game: Game, seat: int) -> Sequence[Event]:
        """Agree that the match goes back; it goes back when all persons agree."""
        request = self._open_request(game)
        others = self._others(request.seat)
        if seat not in others or seat in request.agreed:
            raise RefusedError("nobody-asks", say("refused-not-asked"))
        agreed = events.Agreed(seat)
        if others <= request.agreed | {seat}:
            return (agreed, events.TakenBack(self.decision, request.seat, request.step))
        return (agreed,)

    def decline(self, game: Game, seat: int) -> Sequence[Event]:
        """Decline a request, or withdraw one's own request."""
        self._open_request(game)
        return (events.Declined(seat),)

    def sit(self, game: Game, seat: int, name: str) -> Sequence[Event]:
        """Take a seat under a name."""
        if not 0 <= seat < self.persons:
            raise RefusedError("no-such-seat", say("refused-no-such-seat"))
        if self.seats[seat].who == "bot" and not self.seats[seat].stands_in:
            raise RefusedError("seat-taken", say("refused-bot-sits"))
        clean = self.check_name(game, seat, name)
        if self.seats[seat].who == "person" and self.seats[seat].name == clean:
            return ()
        return (events.Sat(seat, clean),)

    def check_name(self, game: Game, seat: int, name: str) -> str:
        """Return a valid name: short, in one line, and different from all other names."""
        clean = " ".join(name.split())
        if not clean:
            return ""
        if not clean.isprintable() or len(clean) > LONGEST_NAME:
            raise RefusedError("bad-name", say("refused-bad-name", most=LONGEST_NAME))
        taken = {
            self.name_of(other, game).casefold()
            for other in range(len(self.seats))
            if other != seat
        }
        if clean.casefold() in taken:
            raise RefusedError("name-taken", say("refused-name-taken", name=clean))
        return clean

    def leave(self, seat: int) -> Sequence[Event]:
        """Leave a seat, so that somebody else may take it."""
        return (*self._new_link(seat), events.Left(seat))

    def open_seat(self, seat: int) -> Sequence[Event]:
        """Let anybody take a seat."""
        return (*self._new_link(seat), events.Opened(seat))

    def set_bot(self, seat: int, bot: str) -> Sequence[Event]:
        """Let a bot play a seat."""
        if not 0 <= seat < self.persons:
            raise RefusedError("no-such-seat", say("refused-no-such-seat"))
        if not is_bot(bot):
            raise RefusedError("no-such-bot", no_bot(bot))
        return (*self._new_link(seat), events.BotSat(seat, bot))

    def _new_link(self, seat: int) -> Sequence[Event]:
        """Return the event for a new link, if a person has held the seat and so knows the old link."""
        found = self.seats[seat]
        return (events.Issued(seat),) if found.who == "person" or found.stands_in else ()

    def say(self, seat: int, name: str, text: str) -> Sequence[Event]:
        """Return the event for a line of chat."""
        terms = self.created.terms
        if not terms.chat or (seat < 0 and terms.watching != "talking"):
            raise RefusedError("not-allowed", say("refused-no-chat"))
        return (events.Said(seat, name, self._checked_text(text, len(self.chat))),)

    def note(self, seat: int, step: int, text: str) -> Sequence[Event]:
        """Return the event for a note about a position, for the designer."""
        if not self.created.terms.notes:
            raise RefusedError("not-allowed", say("refused-no-notes"))
        return (events.Noted(seat, step, self._checked_text(text, len(self.notes))),)

    def pause(self, *, goes_on: bool) -> Sequence[Event]:
        """Pause the match, or continue it; during a pause no time limit runs."""
        if self.is_paused != goes_on:
            return ()
        return (events.Resumed() if goes_on else events.Paused(),)

    def _checked_text(self, text: str, count: int) -> str:
        clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if not clean or len(clean) > LONGEST_TEXT:
            raise RefusedError("too-long", say("refused-too-long", most=LONGEST_TEXT))
        if count >= MOST_LINES:
            raise RefusedError("too-much", say("refused-too-much"))
        return clean

    def _others(self, seat: int) -> frozenset[int]:
        """Return the other persons; a person with several seats agrees with each of them."""
        return frozenset(
            other
            for other, found in enumerate(self.seats)
            if other != seat and found.who == "person"
        )

    def _open_request(self, game: Game) -> UndoRequest:
        self._playing(game)
        if self.undo_request is None:
            raise RefusedError("nobody-asks", say("refused-nobody-asks"))
        return self.undo_request

    def _playing(self, game: Game) -> Course:
        if self.stopped:
            raise RefusedError("stopped", say("refused-stopped"))
        if self.is_paused:
            raise RefusedError("paused", say("refused-paused"))
        return self.course(game)

    def _going_on(self, game: Game) -> Course:
        if self.is_waiting:
            raise RefusedError("waiting", say("refused-waiting"))
        course = self._playing(game)
        if course.state.over:
            raise RefusedError("over", say("refused-over"))
        return course


def _move(course: Course, number: int, event: Chose | events.TakenBack) -> None:
    if isinstance(event, Chose):
        course.follow(number, event.steps)
    else:
        course.back(event.step)
