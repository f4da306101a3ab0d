"""The protocol over HTTP: each request has one message in its body, for the seat whose cookie or token it
sends.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.views.view import ALL_SEEING, EVERYBODY
from rulewright.protocol import answers, messages
from rulewright.protocol.messages import Answer, Error
from rulewright.protocol.scene_data import scene_of
from rulewright.protocol.wire import BadMessageError, answer_text, error, plain, read_request
from rulewright.web.serving.hub import Live
from rulewright.web.serving.site import NoPageError, Site
from rulewright.web.tables.events import Event
from rulewright.web.tables.table import RefusedError, Table
from rulewright.web.words import say

_CODES: dict[str, messages.ErrorCode] = {
    "stale": "stale",
    "not-yours": "no-such-seat",
    "over": "over",
    "no-such-option": "no-such-option",
    "nothing-to-undo": "nothing-to-undo",
    "no-undo": "nothing-to-undo",
}


async def answer(site: Site, request: Request) -> Response:
    """Answer one message about a table."""
    live = await site.live(request)
    hands = site.hands(request, live)
    if not (hands.seats or hands.watches or hands.is_host):
        raise NoPageError(say("no-secret"), 403)
    try:
        id, asked = read_request(await request.body())
    except BadMessageError as failure:
        return _json_response(error(failure), 400)
    await site.hub.course_ready(live)
    try:
        found = await _answer(site, live, hands.seats, asked)
    except RefusedError as refusal:
        found = Error(
            _CODES.get(refusal.word, "not-yet"), str(refusal), _decision(live, hands.seats)
        )
    except answers.NoSuchSeatError as failure:
        found = Error("no-such-seat", str(failure))
    return _json_response(answer_text(found, id), 400 if isinstance(found, Error) else 200)


def _json_response(text: str, status: int) -> Response:
    return Response(text, status, media_type="application/json")


async def _answer(
    site: Site, live: Live, seats: tuple[int, ...], asked: messages.Request
) -> Answer:
    table = live.table
    course = table.course_for(live.game, seats[0] if seats else -1)
    state, decision = course.state, _decision(live, seats)
    match asked:
        case messages.Choose():
            seat = state.player if state.player in seats or not seats else seats[0]

            def choose(table: Table, game: Game) -> Sequence[Event]:
                return table.choose(game, seat, asked.decision, asked.option)

            if seat not in seats:
                raise RefusedError("not-yours", say("refused-not-your-seat"))
            await site.hub.run(table.id, choose)
            return messages.Chosen(table.id, asked.decision, asked.option, asked.decision + 1)
        case messages.Undo():
            if not seats:
                raise RefusedError("not-yours", say("refused-not-your-seat"))
            if asked.decision != _decision(live, seats):
                raise RefusedError("stale", say("refused-moved-on"))
            hands = frozenset(seats)
            await site.hub.run(table.id, lambda table, game: table.undo(game, seats[0], hands))
            step = table.course(live.game).step_counts(seats[0])[-1]
            return messages.TakenBack(table.id, step, _decision(live, seats))
        case messages.Status():
            return messages.MatchStatus(
                table.id,
                table.created.game,
                table.created.title,
                state.players,
                dict(table.created.options),
                decision,
                course.step_counts(seats[0] if seats else EVERYBODY)[-1],
                state.over,
                None if state.over else state.player,
                state.winners,
            )
        case messages.Rules():
            return messages.Lines(tuple(answers.rules_lines(live.game, asked.about)))
        case (
            messages.View()
            | messages.Scene()
            | messages.Options()
            | messages.Events()
            | messages.Why()
            | messages.Look()
            | messages.Score()
        ):
            viewer = _viewer(live, seats, asked.viewer)
        case _:
            raise RefusedError("not-allowed", say("refused-no-such-question"))
    if isinstance(asked, messages.View):
        return messages.MatchView(table.id, decision, plain(state.view(viewer)))
    if isinstance(asked, messages.Scene):
        return messages.MatchScene(table.id, decision, scene_of(state, viewer))
    if isinstance(asked, messages.Options):
        player = None if state.over else state.player
        prompt = answers.question(state, viewer)
        return messages.OptionList(
            table.id, decision, player, prompt, answers.options(state, viewer)
        )
    if isinstance(asked, messages.Events):
        lines = (
            messages.EventInfo(line.step, line.player if line.player >= 0 else None, line.text)
            for line in course.log(viewer)
            if line.step >= asked.since and not line.back
        )
        return messages.EventList(table.id, asked.since, tuple(lines))
    if isinstance(asked, messages.Why):
        if state.over:
            raise RefusedError("over", say("refused-no-choice-left"))
        return messages.Lines(tuple(answers.why_lines(state, viewer, asked.about)))
    if isinstance(asked, messages.Look):
        return messages.Lines(tuple(answers.look_lines(course.match, viewer, asked.at)))
    return messages.Lines(tuple(answers.score(state, viewer)))


def _decision(live: Live, seats: tuple[int, ...]) -> int:
    """Return the number of the open decision, as counted by the device's seat that decides, or else by its
    first seat.
    """
    course = live.table.course_for(live.game, seats[0] if seats else EVERYBODY)
    player = course.state.player
    return course.decision(player if player in seats else seats[0] if seats else EVERYBODY)


def _viewer(live: Live, seats: tuple[int, ...], asked: messages.Viewer) -> int:
    """Return the number of a viewer; refuse a seat that is not the device's, and a full view before the end."""
    state = live.table.course(live.game).state
    viewer = answers.viewer_number(state, asked)
    if viewer == ALL_SEEING and not state.over:
        raise RefusedError("not-yours", say("refused-open-later"))
    if viewer not in (EVERYBODY, ALL_SEEING, *seats):
        raise RefusedError("not-yours", say("refused-not-your-seat"))
    return viewer
