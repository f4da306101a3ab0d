"""Run matches in memory, driven by messages: a request goes in, an answer comes out. Independent of
transport.

The sender of messages is trusted with all seats. A server that gives seats to people must set the viewer of
each request itself, and must not let a client choose another viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from secrets import randbelow
from time import monotonic
from typing import assert_never

import attrs

from rulewright.interpreter.bots.levels import bot_named, for_person
from rulewright.interpreter.bots.tree_search import CLOCK
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import Record, Recorder, parse_records
from rulewright.interpreter.matches.replay import replay_as_far
from rulewright.interpreter.text.errors import (
    BrokenGameError,
    NoSuchGameError,
    NoSuchOptionError,
    RequestError,
    UnknownBotError,
    WrongVariantError,
)
from rulewright.interpreter.text.faults import RuleFault
from rulewright.interpreter.views.scene import scene
from rulewright.interpreter.views.view import ALL_SEEING
from rulewright.pictures.beside import beside
from rulewright.pictures.looks import Looks
from rulewright.pictures.page import sections
from rulewright.protocol import answers, messages
from rulewright.protocol.answers import BadEffortError, NoSuchSeatError
from rulewright.protocol.messages import Answer, Error, Request
from rulewright.protocol.scene_data import scene_of
from rulewright.protocol.wire import plain

MOST_MATCHES = 1_000
SEEDS = 1_000_000
_LONGEST_NAME = 20


class RefusedError(Exception):
    """Raised if a request cannot be carried out; `error` is the answer, which gives the reason."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


@attrs.define
class Hosted:
    """A match with all steps ever made in it. Each step has a number that is never reused.

    For each step, `done` has the option that answered a decision, or None for an undo.
    """

    id: str
    name: str
    match: Match
    done: list[str | None] = attrs.field(factory=list)
    recorder: Recorder = attrs.field(factory=Recorder)

    @property
    def decision(self) -> int:
        """The number of the open decision."""
        return len(self.done)


class Service:
    """Answers requests. `load` finds a game by name, and `listed` returns the games that clients can list."""

    def __init__(
        self, load: Callable[[str], Game], listed: Callable[[], tuple[str, ...]] = tuple
    ) -> None:
        self._load = load
        self._listed = listed
        self._games: dict[str, Game] = {}
        self._looks: dict[str, Looks] = {}
        self._matches: dict[str, Hosted] = {}
        self._begun = 0

    def forget(self, name: str) -> None:
        """Read a game again at its next use. Open matches keep the rules with which they began."""
        self._games.pop(name, None)
        self._looks.pop(name, None)

    def engine(self, id: str) -> Engine:
        """Return the engine of a match."""
        return self._find_match(id).match.state.compiled.engine

    def answer(self, request: Request) -> Answer:
        """Answer a request. A refused request changes nothing."""
        try:
            return self._answer(request)
        except RefusedError as refusal:
            return refusal.error
        except NoSuchSeatError as failure:
            return Error("no-such-seat", str(failure))
        except BadEffortError as failure:
            return Error("bad-message", str(failure))
        except NoSuchOptionError as failure:
            return Error("no-such-option", str(failure))
        except NoSuchGameError as failure:
            return Error("no-such-game", str(failure))
        except BrokenGameError as failure:
            first = failure.problems[0].message if failure.problems else ""
            left = len(failure.problems) - 1
            more = (
                f" (and {left:,} more {'problem' if left == 1 else 'problems'})" if left > 0 else ""
            )
            return Error("broken-game", f"{failure}: {first}{more}" if first else str(failure))
        except WrongVariantError as failure:
            return Error("wrong-variant", str(failure))
        except UnknownBotError as failure:
            return Error("no-such-bot", str(failure))
        except RequestError as failure:
            return Error("bad-message", str(failure))
        except RuleFault as failure:
            return Error("fault", f"fault in play: {failure.message}")

    def _answer(self, request: Request) -> Answer:
        match request:
            case messages.Games():
                games = (answers.game_info(name, self._game(name)) for name in self._listed())
                return messages.GameList(tuple(games))
            case messages.Create():
                return self._create(request)
            case messages.Rules():
                return _lines(answers.rules_lines(self._game(request.game), request.about))
            case messages.Choose() | messages.Bot():
                return self._choose(request)
            case messages.Undo():
                return self._undo(request)
            case messages.Close():
                del self._matches[self._find_match(request.match).id]
                return messages.Closed(request.match)
            case messages.Record():
                hosted = self._find_match(request.match)
                record = hosted.recorder.record(hosted.match)
                return messages.RecordText(hosted.id, record.to_line())
            case messages.Status():
                return _status(self._find_match(request.match))
            case _:
                return self._answer_question(request)

    def _answer_question(
        self,
        request: messages.View
        | messages.Picture
        | messages.Scene
        | messages.Options
        | messages.Events
        | messages.Why
        | messages.Look
        | messages.Score
        | messages.Hint,
    ) -> Answer:
        """Answer a viewer's question about a match."""
        hosted = self._find_match(request.match)
        match, state = hosted.match, hosted.match.state
        viewer = answers.viewer_number(state, request.viewer)
        match request:
            case messages.View():
                view: Mapping[str, object] = plain(state.view(viewer))
                return messages.MatchView(hosted.id, hosted.decision, view)
            case messages.Picture():
                return self._picture(hosted, viewer)
            case messages.Scene():
                return messages.MatchScene(hosted.id, hosted.decision, scene_of(state, viewer))
            case messages.Options():
                player = None if state.over else state.player
                prompt = answers.question(state, viewer)
                offered = answers.options(state, viewer)
                return messages.OptionList(hosted.id, hosted.decision, player, prompt, offered)
            case messages.Events():
                found = tuple(answers.events(match, viewer, request.since))
                return messages.EventList(hosted.id, request.since, found)
            case messages.Why():
                if state.over:
                    raise RefusedError(Error("over", "nothing can be chosen any more"))
                return _lines(answers.why_lines(state, viewer, request.about))
            case messages.Look():
                return _lines(answers.look_lines(match, viewer, request.at))
            case messages.Score():
                return _lines(answers.score(state, viewer))
            case messages.Hint():
                if state.over:
                    raise RefusedError(Error("over", "nothing can be chosen any more"))
                return _lines(answers.hint(state, viewer, request.effort))
            case _:
                assert_never(request)

    def _picture(self, hosted: Hosted, viewer: int) -> messages.MatchPicture:
        match, state = hosted.match, hosted.match.state
        if hosted.name not in self._looks:
            self._looks[hosted.name] = beside(match.game, hosted.name).looks
        seen = ALL_SEEING if state.over else viewer
        before = match.states[-2] if len(match.states) > 1 else None
        found = scene(state, seen, before, viewer if viewer >= 0 else None)
        decides = answers.may_decide(state, viewer)
        drawn = sections(found, looks=self._looks[hosted.name], is_live=decides)
        return messages.MatchPicture(
            hosted.id,
            hosted.decision,
            None if state.over else state.player,
            tuple(messages.SectionInfo(s.id, s.title, s.area, s.html) for s in drawn),
            tuple(state.decision.names) if decides else (),
        )

    def _game(self, name: str) -> Game:
        found = self._games.get(name)
        if found is None:
            found = self._games[name] = self._load(name)
        return found

    def _find_match(self, id: str) -> Hosted:
        found = self._matches.get(id)
        if found is None:
            raise RefusedError(Error("no-such-match", f"there is no match `{id[:40]}`"))
        return found

    def _create(self, request: messages.Create) -> Answer:
        if len(self._matches) >= MOST_MATCHES:
            said = f"there are {MOST_MATCHES:,} matches already: close one first"
            raise RefusedError(Error("too-many", said))
        game = self._game(request.game)
        record = _one_record(request.record) if request.record else None
        if record is not None:
            variant = game.variant(record.players, dict(record.options))
        else:
            variant = game.variant(request.players, dict(request.options))
        compiled = game.compiled(variant)
        seats = len(compiled.words.players)
        if len(request.names) > seats:
            raise NoSuchSeatError(
                f"{len(request.names)} names are given, but there are {seats} seats"
            )
        for name in request.names:
            if name and not (name.strip() and name.isprintable() and len(name) <= _LONGEST_NAME):
                said = f"a name has 1 to {_LONGEST_NAME} letters in one line"
                raise RefusedError(Error("bad-message", said))
        called = {seat: name for seat, name in enumerate(request.names) if name}
        seed = randbelow(SEEDS) if request.seed is None else request.seed
        if seed < 0:
            raise RefusedError(Error("bad-message", "a seed is a whole number from 0"))
        named, parted = compiled.with_names(called), ""
        if record is None:
            match = Match.begin(game, variant, seed, named)
        else:
            match, difference = replay_as_far(record, game, compiled=named)
            parted = "" if difference is None else str(difference)
        self._begun += 1
        id = f"m{self._begun}"
        self._matches[id] = hosted = Hosted(id, request.game, match, [None] * match.decisions)
        return _status(hosted, parted)

    def _choose(self, request: messages.Choose | messages.Bot) -> Answer:
        hosted = self._find_match(request.match)
        at, done = request.decision, hosted.done
        if at != hosted.decision:
            again = request.option if isinstance(request, messages.Choose) else ""
            if again and 0 <= at < len(done) and done[at] == again:
                return messages.Chosen(hosted.id, at, again, at + 1)
            raise RefusedError(_stale(hosted, at))
        state = hosted.match.state
        if state.over:
            raise RefusedError(Error("over", "the match is over"))
        if isinstance(request, messages.Bot):
            CLOCK.set(monotonic)
            choose = bot_named(for_person(request.bot))
            id = choose(state, bot_generator(hosted.match.seed, hosted.match.decisions))
            name = state.compiled.option_name(state.cells, id)
            hosted.match.take(id)
        else:
            name = request.option
            hosted.match.choose(name)
        done.append(name)
        return messages.Chosen(hosted.id, at, name, hosted.decision)

    def _undo(self, request: messages.Undo) -> Answer:
        hosted = self._find_match(request.match)
        if request.decision != hosted.decision:
            raise RefusedError(_stale(hosted, request.decision))
        for seat in request.seats:
            answers.viewer_number(hosted.match.state, seat)
        warning = hosted.match.undo_warning(request.seats or None) if request.careful else ""
        if warning:
            raise RefusedError(Error("has-shown", warning))
        if not hosted.match.undo(request.seats or None):
            raise RefusedError(Error("nothing-to-undo", "there is nothing to take back"))
        hosted.done.append(None)
        return messages.TakenBack(hosted.id, hosted.match.decisions, hosted.decision)


def _lines(lines: list[str]) -> messages.Lines:
    return messages.Lines(tuple(lines))


def _stale(hosted: Hosted, at: int) -> Error:
    said = f"decision {at} is not open: the open one is {hosted.decision}"
    return Error("stale", said, hosted.decision)


def _one_record(text: str) -> Record:
    records = parse_records(text, "record")
    if len(records) != 1:
        raise RefusedError(
            Error("bad-message", f"one record is needed, but these are {len(records)}")
        )
    return records[0]


def _status(hosted: Hosted, parted: str = "") -> messages.MatchStatus:
    match, state = hosted.match, hosted.match.state
    return messages.MatchStatus(
        hosted.id,
        hosted.name,
        match.game.title,
        state.players,
        dict(match.variant.options),
        hosted.decision,
        match.decisions,
        state.over,
        None if state.over else state.player,
        state.winners,
        parted,
    )
