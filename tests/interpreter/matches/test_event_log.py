"""Events that grow step by step, and packed states, equal those that are made at once."""

from __future__ import annotations

import gc
import tracemalloc
from array import array
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Match, State, load_game
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.records import record_of
from rulewright.interpreter.matches.replay import replay
from tests.interpreter.leaking import SECRET_PARTS

GAMES = {"love_letter": 3, "kuhn_poker": 2, "pig": 2, "night_market": 2}


def _match(game: str, seed: int) -> Match:
    loaded = load_game(game)
    return Match.begin(loaded, loaded.variant(GAMES.get(game)), seed)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), moves=st.lists(st.integers(-1, 30), max_size=20))
def test_events_are_those_of_a_new_log(game: str, seed: int, moves: list[int]) -> None:
    match = _match(game, seed)
    viewers = range(-2, len(match.state.players))
    for move in moves:
        if move < 0 or match.state.over:
            match.undo()
        else:
            ids = match.state.option_ids
            match.take(ids[move % len(ids)])
        new = attrs.evolve(match)
        for viewer in viewers:
            assert match.since_last_decision(viewer) == new.since_last_decision(viewer)
            assert match.last_events(viewer) == new.last_events(viewer)
            assert match.all_events(viewer) == new.all_events(viewer)
            assert match.events_by_step(viewer) == new.events_by_step(viewer)


def test_others_do_not_count_the_parts_of_a_simultaneous_choice(tmp_path: Path) -> None:
    path = tmp_path / "parts.game"
    path.write_text(SECRET_PARTS, encoding="utf-8")
    game, logged = load_game(path), []
    for parts in range(3):
        match = Match.begin(game, game.variant(3), 1)
        for _ in range(parts):
            match.take(match.state.option_ids[0])
        while match.state.player == 0:
            match.take(match.state.option_ids[-1])
        steps = [step for step in match.events_by_step(1)[1:] if step]
        logged.append((match.all_events(1), match.since_last_decision(1), steps))
    assert logged[0] == logged[1] == logged[2]
    assert [event.text for event in logged[0][0]] == ["chooses unwanted"]


@pytest.mark.parametrize("game", ["love_letter", "night_market"])
def test_packed_states_are_equal_to_whole_ones(game: str) -> None:
    match = _match(game, 3)
    generator = Generator.seeded(3)
    whole: list[array[int]] = [match.state.cells[:]]
    while not match.state.over and match.decisions < 60:
        ids = match.state.option_ids
        whole.append(match.take(ids[generator.below(len(ids))]).cells[:])
    assert [state.cells for state in match.states] == whole
    assert [state.cells for state in match.state.past] == whole[:-1]
    for number, state in enumerate(match.states[1:], 1):
        assert state._before == whole[number - 1]
    again = replay(record_of(match), match.game)
    assert again.states == match.states
    assert match.states[10].take(match.states[11].choice).cells == whole[11]


def test_many_packed_states_are_asked_in_turn() -> None:
    match = _match("pig", 1)
    while match.decisions < 40 and not match.state.over:
        match.take(match.state.option_ids[0])
    first = [state.cells[:] for state in match.states]
    for _ in range(3):
        for state, cells in zip(match.states, first, strict=True):
            assert state.cells == cells
    with pytest.raises(AttributeError, match="no attribute 'cell'"):
        _ = match.state.cell  # type: ignore[attr-defined]


def test_the_public_view_is_made_once() -> None:
    state = _match("night_market", 5).state
    assert state.public_view is state.public_view
    viewer = state.compiled.viewer
    for player in range(-2, len(state.players)):
        assert state.view(player) == viewer.view(state.cells, player)


def test_views_and_words_depend_on_nothing_hidden() -> None:
    state: State = load_game("love_letter").start(players=4, seed=2, remember=True)
    for number in range(12):
        player = number % 4
        other = state.sample(player, seed=number)
        one, two = (repr(each.view(player)) for each in (state, other))
        assert one == two
        state = state.take(state.option_ids[number % len(state.option_ids)])
        if state.over:
            break


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"),
    [("ginkgopolis", 4), pytest.param("through_the_ages", 3, marks=pytest.mark.deep)],
)
def test_a_finished_match_takes_little_memory(name: str, players: int) -> None:
    game = load_game(name)
    variant = game.variant(players)

    def play_match() -> Match:
        match, generator = Match.begin(game, variant, 1), Generator.seeded(1)
        while not match.state.over:
            ids = match.state.option_ids
            match.take(ids[generator.below(len(ids))])
            for seat in range(players):
                match.since_last_decision(seat)
        return match

    play_match()  # objects that are made once per game
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        match = play_match()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 1e6
        assert match.decisions > 100
    finally:
        tracemalloc.stop()
