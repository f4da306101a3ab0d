"""The protocol: all shipped games are played through its lines; messages can be read back; errors are explained."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from random import Random

import pytest

from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import parse_records
from rulewright.interpreter.matches.replay import replay
from rulewright.interpreter.matches.state import State
from rulewright.protocol import messages
from rulewright.protocol.service import Hosted, Service
from rulewright.protocol.stdio import answer_line, serve
from rulewright.protocol.wire import answer_text, read_answer, read_request, request_text
from tests.games.variants import LARGE, LIBRARY, SHIPPED, game_named

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
QUESTIONS = 15
STEPS = 40  # of a large game; small ones are over before
FIRST_STEPS = 10


def _service() -> Service:
    return Service(game_named, lambda: (*SHIPPED, *LIBRARY))


def _say(service: Service, request: messages.Request) -> messages.Answer:
    """Ask in text, and read the answer from text."""
    text = request_text(request, "it")
    assert read_request(text) == ("it", request)
    line = answer_line(service, text)
    id, answer = read_answer(line)
    assert id == "it"
    assert answer_text(answer, "it") == line
    return answer


def _status(service: Service, match: str) -> messages.MatchStatus:
    found = _say(service, messages.Status(match))
    assert isinstance(found, messages.MatchStatus)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        *((name, STEPS) for name in SHIPPED if name not in LARGE),
        ("endeavor", FIRST_STEPS),
        *(pytest.param(name, STEPS, marks=pytest.mark.deep) for name in (*LARGE, *LIBRARY)),
    ],
)
def test_all_games_are_played_through_it(name: str, steps: int) -> None:
    service, random = _service(), Random(name)
    created = _say(service, messages.Create(name, seed=5))
    assert isinstance(created, messages.MatchStatus)
    game = game_named(name)
    variant = game.variant(len(created.players), dict(created.options))
    beside = Match.begin(game, variant, 5)
    match = created.match
    for _ in range(steps):
        status = _status(service, match)
        assert (status.over, status.step) == (beside.state.over, beside.decisions)
        if status.over:
            assert status.winners == beside.state.winners
            break
        seat = status.player
        assert seat is not None and seat == beside.state.player
        for viewer in range(len(status.players)):
            asked = _say(service, messages.Options(match, viewer))
            assert isinstance(asked, messages.OptionList)
            names = [option.name for option in asked.options]
            assert names == (beside.state.decision.names if viewer == seat else [])
            view = _say(service, messages.View(match, viewer))
            assert isinstance(view, messages.MatchView) and view.view["viewer"] == viewer
            found = _say(service, messages.Scene(match, viewer))
            assert isinstance(found, messages.MatchScene)
            offered = found.scene.get("decision", {}).get("options", [])
            assert [option["name"] for option in offered] == names
        option = random.choice(beside.state.decision.names)
        if status.step % QUESTIONS == 0:
            _say(service, messages.Score(match, seat))
            _say(service, messages.Look(match, seat, option))
            assert isinstance(_say(service, messages.Why(match, seat, option)), messages.Lines)
        chosen = _say(service, messages.Choose(match, status.decision, option))
        assert chosen == messages.Chosen(match, status.decision, option, status.decision + 1)
        assert _say(service, messages.Choose(match, status.decision, option)) == chosen
        beside.choose(option)
    shown = _say(service, messages.Events(match, 0))
    assert isinstance(shown, messages.EventList) and shown.events
    record = _say(service, messages.Record(match))
    assert isinstance(record, messages.RecordText)
    assert replay(parse_records(record.record, name)[0], game).state == beside.state


def test_bots_play_to_the_end() -> None:
    service = _service()
    _say(service, messages.Create("love_letter", players=3, seed=1))
    while not (status := _status(service, "m1")).over:
        _say(service, messages.Bot("m1", status.decision, "random"))
    assert status.winners and status.player is None
    refused = _say(service, messages.Bot("m1", status.decision, "random"))
    assert isinstance(refused, messages.Error) and refused.code == "over"


def test_a_choice_from_before_an_undo_is_stale() -> None:
    service = _service()
    _say(service, messages.Create("connect_four", seed=0))
    _say(service, messages.Choose("m1", 0, "drop(1)"))
    assert _say(service, messages.Undo("m1", 1)) == messages.TakenBack("m1", 0, 2)
    late = _say(service, messages.Choose("m1", 1, "drop(2)"))
    assert late == messages.Error("stale", "decision 1 is not open: the open one is 2", 2)
    # the first choice gets the same answer again, and does not count a second time
    assert _say(service, messages.Choose("m1", 0, "drop(1)")) == messages.Chosen(
        "m1", 0, "drop(1)", 1
    )
    assert _status(service, "m1").step == 0


def test_a_careful_undo_names_what_a_choice_has_shown() -> None:
    service = _service()
    _say(service, messages.Create("pig", seed=0))
    rolled = _say(service, messages.Choose("m1", 0, "roll"))
    assert isinstance(rolled, messages.Chosen)
    refused = _say(service, messages.Undo("m1", rolled.next, careful=True))
    assert isinstance(refused, messages.Error) and refused.code == "has-shown"
    assert refused.message.startswith("this choice has already revealed: ")
    assert _status(service, "m1").step > 0
    taken = _say(service, messages.Undo("m1", rolled.next))
    assert isinstance(taken, messages.TakenBack) and taken.step == 0
    _say(service, messages.Create("connect_four", seed=0))
    _say(service, messages.Choose("m2", 0, "drop(1)"))
    assert _say(service, messages.Undo("m2", 1, careful=True)) == messages.TakenBack("m2", 0, 2)


@pytest.mark.parametrize("name", ["love_letter", "ginkgopolis", "night_market"])
def test_answers_to_a_seat_depend_on_what_it_may_know(name: str) -> None:
    """The same requests about the true position and about one that looks the same to the seat."""
    game = game_named(name)
    differences = 0
    for seed in range(3):
        state = game.start(seed=seed, remember=True)
        random = Random(seed)
        for _ in range(12):
            if state.over:
                break
            state = state.choose(random.choice(state.decision.names))
        for seat in range(len(state.players)):
            other = state.sample(seat, seed)
            for viewer in (seat, "all"):
                found = [_answers(game.hash, one, viewer) for one in (state, other)]
                if viewer == "all":
                    differences += found[0] != found[1]
                else:
                    assert found[0] == found[1]
    assert differences, "who sees everything sees a difference: the test can fail"


def _answers(name: str, state: State, viewer: messages.Viewer) -> list[str]:
    service = _service()
    game = load_game("connect_four")  # only the state is compared
    service._matches["m1"] = Hosted("m1", name, Match(game, game.variant(), 0, [state]))
    asked: list[messages.Request] = [
        messages.Status("m1"),
        messages.View("m1", viewer),
        messages.Scene("m1", viewer),
        messages.Options("m1", viewer),
        messages.Score("m1", viewer),
        messages.Why("m1", viewer),
        *(messages.Look("m1", viewer, name) for name in state.players),
    ]
    return [answer_text(_without_log(service.answer(one))) for one in asked]


def _without_log(answer: messages.Answer) -> messages.Answer:
    """Without the lines of the last step: a sample does not know them."""
    if not isinstance(answer, messages.MatchScene):
        return answer
    nodes = {name: node for name, node in answer.scene.items() if name != "log"}
    return messages.MatchScene(answer.match, answer.decision, nodes)


def test_each_paragraph_of_a_rulebook_is_one_line() -> None:
    assert _say(_service(), messages.Rules("pig", "total turn")) == messages.Lines(
        (
            "Pig: the rules",
            "==============",
            "- PG-002 Each roll from 2 to 6 adds to the total of the turn.",
            "- PG-003 A roll of 1 ends the turn, and the total of the turn is lost.",
            "- PG-004 When you hold, your turn ends, and the total of the turn is added to your points.",
        )
    )
    found = _say(_service(), messages.Rules("chess"))
    assert isinstance(found, messages.Lines)
    assert max(map(len, found.lines)) > 200


def test_hint_does_not_look_at_the_true_position(monkeypatch: pytest.MonkeyPatch) -> None:
    service = _service()
    _say(service, messages.Create("love_letter", seed=2))
    seen: list[State] = []

    def fake_hint(state: State, _rest: str, _seed: int) -> list[str]:
        seen.append(state)
        return ["a hint"]

    monkeypatch.setattr("rulewright.protocol.answers.hint_lines", fake_hint)
    found = _say(service, messages.Hint("m1", 0, "10"))
    assert found == messages.Lines(("a hint",))
    assert seen and seen != [service._matches["m1"].match.state]


def test_the_dialogue_of_the_page_is_real() -> None:
    found = re.search(r"<!-- dialogue -->\n```\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found is not None
    lines = found[1].splitlines()
    out = io.StringIO()
    serve(_service(), [line[2:] for line in lines if line.startswith("> ")], out)
    assert out.getvalue().splitlines() == [line[2:] for line in lines if line.startswith("< ")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this is not JSON at character 1"),
        ("[1]", 'a message is a JSON object, as in {"ask": "games"}'),
        ('{"ask": NaN}', "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ('{"match": "m1"}', "the field `ask` is missing: it names the message"),
        ('{"ask": "chose"}', "there is no request `chose`; did you mean `choose` or `close`?"),
        ('{"ask": "status"}', "status.match: the field `match` is missing"),
        (
            '{"ask": "games", "all": 1}',
            "games: there is no field `all`",
        ),
        (
            '{"ask": "view", "match": "m1", "viewer": "x"}',
            "view.viewer: a viewer is a seat from 0, or `everybody`, or `all`",
        ),
        (
            '{"ask": "view", "match": "m1", "viewer": true}',
            "view.viewer: a viewer is a seat from 0, or `everybody`, or `all`",
        ),
        (
            '{"ask": "choose", "match": "m1", "decision": "1", "option": "a"}',
            "choose.decision: a whole number belongs here",
        ),
        (
            '{"ask": "create", "game": "pig", "options": {"a": 1}}',
            "create.options['a']: a text belongs here",
        ),
        ('{"ask": "games", "id": 1.5}', "`id` is a text or a whole number"),
        (
            f'{{"ask": "{"x" * 1_000_000}"}}',
            "a message has at most 1,000,000 bytes, but this one has 1,000,011",
        ),
    ],
)
def test_a_bad_message_gets_an_explanation(text: str, said: str) -> None:
    answer = json.loads(answer_line(_service(), text))
    assert answer == {"answer": "error", "code": "bad-message", "message": said, "decision": None}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (messages.Create("conect_four"), "no-such-game"),
        (messages.Create("connect_four", players=3), "wrong-variant"),
        (messages.Create("connect_four", options={"a": "b"}), "wrong-variant"),
        (messages.Create("connect_four", names=("a", "b", "c")), "no-such-seat"),
        (messages.Create("connect_four", names=("a\nb",)), "bad-message"),
        (messages.Create("connect_four", seed=-1), "bad-message"),
        (messages.Status("m9"), "no-such-match"),
        (messages.View("m1", 2), "no-such-seat"),
        (messages.Choose("m1", 0, "drop(8)"), "no-such-option"),
        (messages.Choose("m1", 4, "drop(1)"), "stale"),
        (messages.Bot("m1", 0, "gredy"), "no-such-bot"),
        (messages.Hint("m1", 0, "5h"), "bad-message"),
        (messages.Hint("m1", 0, "500s"), "bad-message"),
        (messages.Undo("m1", 0), "nothing-to-undo"),
        (messages.Undo("m1", 0, (7,)), "no-such-seat"),
    ],
)
def test_a_request_that_cannot_be_met_changes_nothing(
    request_: messages.Request, code: messages.ErrorCode
) -> None:
    service = _service()
    before = _say(service, messages.Create("connect_four", seed=0))
    answer = _say(service, request_)
    assert isinstance(answer, messages.Error) and answer.code == code
    assert _say(service, messages.Status("m1")) == before
