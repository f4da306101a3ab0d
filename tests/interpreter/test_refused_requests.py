"""Invalid arguments raise a `RequestError`, on every engine, and change no state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright import (
    Actions,
    Effort,
    Generator,
    Match,
    bot_named,
    load_game,
    load_position,
    load_records,
    observer_of,
    parse_records,
    record_of,
    replay,
    replay_as_far,
    results_from,
    think,
)
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.matches.game import Game, rollouts
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.text.errors import RequestError

LITTLE = """game "Little"
    players 2..3

option length = 1, 2

player
    state points: 0..9

play
    each player
        choose n in 1..3
        add n to me.points
        if me.points > length
            roll die in 1..2
            add die to me.points

score of p
    item "points" = p.points

winner p by p.total then shared
"""
ODD: list[Any] = [None, "x", 1.0, -1, 99, 10**30, [1]]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("little") / "little.game"
    path.write_text(LITTLE, encoding="utf-8")
    return load_game(path)


@pytest.fixture(params=engine_names())
def engine(request: pytest.FixtureRequest) -> EngineName:
    found: EngineName = request.param
    return found


def refusal(asked: Callable[[], object]) -> str:
    with pytest.raises(RequestError) as found:
        asked()
    said = str(found.value)
    assert said and len(said) < 200 and "\n" not in said
    return said


def refused_by(state: State, asked: Callable[[Any], object], *odd: Any) -> None:
    before = state.to_bytes()
    for value in odd or ODD:
        refusal(lambda value=value: asked(value))  # type: ignore[misc]
    assert state.to_bytes() == before


def test_options_that_are_not_offered(game: Game, engine: EngineName) -> None:
    state = game.start(engine=engine)
    refused_by(state, state.take, 3, True, *ODD)
    refused_by(state, state.choose, 3, "4", b"1", None, ["1"])
    refused_by(state, state.decision.option, None, 3)
    refused_by(state, state.decision.why, None, 3)
    refused_by(state, state.decision.clauses, None, 3)
    refused_by(state, state.why_value, None, 3)
    assert refusal(lambda: state.take(3)) == "there is no option number 3 here, but 0, 1, 2"


def test_nothing_is_chosen_after_the_end(game: Game, engine: EngineName) -> None:
    over = game.playout(engine=engine)
    assert over.over
    said = "the game is over: there is nothing to choose"
    assert refusal(lambda: over.choose("1")) == said
    assert refusal(lambda: over.take(0)) == said
    assert refusal(lambda: over.decision.options) == said
    assert refusal(lambda: over.decision.prompt) == said
    assert refusal(lambda: over.option_ids) == said


def test_wrong_seats_are_refused(game: Game) -> None:
    state = game.start(remember=True)
    for asked in (state.view, state.observe, state.sample, state.information):
        refused_by(state, asked, 2, *(odd for odd in ODD if odd != -1))
    for asked in (state.observe, state.sample, state.information):
        refused_by(state, asked, -1)


def test_how_a_match_begins(game: Game) -> None:
    for players in (3.0, "2", True, 1, 4, 10**30, [2]):
        refusal(lambda players=players: game.start(players=players))  # type: ignore[misc]
    refusal(lambda: game.start(chance="x"))  # type: ignore[arg-type]
    refusal(lambda: game.start(engine="x"))  # type: ignore[arg-type]
    refusal(lambda: game.start(seed="x"))  # type: ignore[arg-type]
    refusal(lambda: game.start(seed=1.5))  # type: ignore[arg-type]
    refusal(lambda: game.start(options=["length"]))  # type: ignore[arg-type]
    refusal(lambda: game.start(options={"length": "3"}))
    assert game.start(options={"length": 2}).compiled.program.options  # type: ignore[dict-item]


def test_wrong_lengths_and_jobs_are_refused(game: Game, engine: EngineName) -> None:
    for longest in (-1, 1.5, "x", 10**30):
        asked: Any = longest
        refusal(lambda asked=asked: game.playout(engine=engine, longest=asked))  # type: ignore[misc]
        refusal(lambda asked=asked: game.playouts(range(2), engine=engine, longest=asked))  # type: ignore[misc]
        refusal(lambda asked=asked: game.results(range(2), engine=engine, longest=asked))  # type: ignore[misc]
        refusal(lambda asked=asked: rollouts(game.start(engine=engine), range(2), asked))  # type: ignore[misc]
    for jobs in (0, -1, 1.0):
        asked = jobs
        refusal(lambda asked=asked: game.results(range(2), engine=engine, jobs=asked))  # type: ignore[misc]
    for seeds in (None, "12", ["a"], [1.5]):
        asked = seeds
        refusal(lambda asked=asked: game.results(asked, engine=engine))  # type: ignore[misc]


def test_wrong_actions_of_vectors_are_refused(game: Game, engine: EngineName) -> None:
    for given in ({"count": 0}, {"count": -1}, {"count": 1.0}, {"jobs": 0}, {"seed": "x"}):
        asked: dict[str, Any] = {"count": 1, "engine": engine, **given}
        refusal(lambda asked=asked: game.vector(**asked))  # type: ignore[misc]
    refusal(lambda: game.vector(1, reward="x"))  # type: ignore[arg-type]
    vector = game.vector(2, engine=engine)
    before = bytes(vector.masks), vector.state(0).to_bytes()
    for actions in ([10**30, 0], [-1, 0], [0, 99], ["x", 0], [0], None, [0.0, 0], [None, 0]):
        refused_by(vector.state(0), vector.step, actions)
    for slot in (2, -1, "x"):
        refused_by(vector.state(0), vector.state, slot)
    assert (bytes(vector.masks), vector.state(0).to_bytes()) == before
    vector.step([0, 1])


def test_wrong_names_and_options_are_refused(game: Game, tmp_path: Path) -> None:
    options: Any = "long"
    refusal(lambda: game.for_random_play(options))
    for name in (None, 3, "", "a\0b", "/dev/null", tmp_path):
        asked: Any = name
        refusal(lambda asked=asked: load_game(asked))  # type: ignore[misc]
    for data in (b"", b"x", "x", None):
        asked = data
        refusal(lambda asked=asked: game.state(asked))  # type: ignore[misc]


def test_paths_may_be_texts(game: Game, tmp_path: Path) -> None:
    match = Match.begin(game, game.variant(), 1)
    record = record_of(match)
    path = tmp_path / "one.play"
    path.write_text(record.to_text(), encoding="utf-8")
    assert load_records(str(path)) == load_records(path) == [record]
    assert "cannot be read" in refusal(lambda: load_records("a\0b"))
    loaded = load_game(game.name, tables=str(tmp_path))
    assert loaded.title == "Little"


def test_every_function_refuses_arguments_of_the_wrong_kind(game: Game) -> None:
    variant = game.variant()
    state, match = game.start(remember=True), Match.begin(game, variant, 1)
    match.take(0)
    record, actions, observer = (
        record_of(match),
        Actions(state.compiled),
        observer_of(state.compiled),
    )
    results, generator = game.results(range(2)), Generator.seeded(1)

    def even(_: State) -> list[float]:
        return [1, 1, 1]

    calls: list[tuple[Callable[..., object], list[object]]] = [
        (load_game, ["tic_tac_toe"]),
        (load_position, ["x"]),
        (load_records, ["x"]),
        (parse_records, [record.to_text(), "a record"]),
        (record_of, [match, ()]),
        (replay, [record, game]),
        (lambda to: replay(record, game, to=to), [1]),
        (lambda engine: replay(record, game, engine=engine), ["python"]),
        (lambda compiled: replay(record, game, compiled=compiled), [state.compiled]),
        (replay_as_far, [record, game]),
        (rollouts, [state, range(2)]),
        (results_from, [state, range(2)]),
        (observer_of, [state.compiled]),
        (bot_named, ["greedy"]),
        (think, [state, Effort(2)]),
        (lambda seen: think(state, Effort(2), seen, policy=even), [generator]),
        (lambda threads: think(state, Effort(2), threads=threads), [1]),
        (lambda policy: think(state, Effort(2), policy=policy), [even]),
        (lambda value: think(state, Effort(2), value=value), [lambda state: [1, 1]]),
        (Generator.seeded, [1]),
        (generator.below, [6]),
        (Actions, [state.compiled]),
        (actions.number, [state, 0]),
        (actions.option, [state, 0]),
        (actions.offered, [state]),
        (actions.mask, [state]),
        (actions.take, [state, 0]),
        (actions.words, [0]),
        (actions.since, [actions.saved()]),
        (observer.observe, [state.cells, 0]),
        (observer.observe_many, [state.cells, [0]]),
        (observer.encode, [state.cells, 0, "uint8"]),
        (observer.encode_many, [state.cells, [0], "uint8"]),
        (results.wins, [0]),
        (game.program, [variant]),
        (lambda engine: game.playout(engine=engine), ["python"]),
        (lambda tables: load_game("tic_tac_toe", tables=tables), ["x"]),
        (Match.begin, [game, variant, 1]),
        (match.since_last_decision, [0]),
        (match.events_by_step, [0, 0]),
    ]
    tested = {function for function, _ in calls}
    functions = [
        getattr(rulewright, name) for name in rulewright.__all__ if name != "shipped_games"
    ]
    assert {one for one in functions if isfunction(one)} <= tested
    odd: list[object] = [None, b"x", 1.5, -7, 10**30, {"a": 1}, [None]]
    nothing_of_use = object()
    for function, right in calls:
        for place in range(len(right)):
            if (function, place) != (parse_records, 1):  # a name is only displayed
                refusal(partial(function, *_with_value(right, place, nothing_of_use)))
            for value in odd:
                with suppress(RequestError):
                    function(*_with_value(right, place, value))


def _with_value(values: list[object], place: int, value: object) -> list[object]:
    return [*values[:place], value, *values[place + 1 :]]


def test_observations_are_of_seats_and_states_that_there_are(
    game: Game, engine: EngineName
) -> None:
    state = game.start(engine=engine)
    observer = observer_of(state.compiled)
    for player in (2, -1, 10**30):
        assert "a player is 0 to 1" in refusal(partial(observer.observe, state.cells, player))
    for cells in (state.cells[1:], state.cells[:0], state.cells + state.cells):
        assert "cells" in refusal(partial(observer.encode, cells, 0))


def test_errors_of_functions_from_outside_are_not_hidden(game: Game) -> None:
    def broken(state: State) -> list[float]:
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        think(game.start(), Effort(2), policy=broken)
