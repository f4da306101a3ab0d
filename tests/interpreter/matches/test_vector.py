"""Matches that step together equal matches that states play one by one."""

from __future__ import annotations

from array import array
from pathlib import Path
from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import load_game
from rulewright.dsl import ir
from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.engine import Engine
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.engines.native import memory
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.matches.game import first_state
from rulewright.interpreter.matches.vector import Vector
from rulewright.interpreter.text.faults import InternalError, RuleFault
from tests.interpreter.random_programs import random_program

COUNT = 5
SHORT = ("connect_four", "kuhn_poker")
"""Games that end several times during the steps of a test."""
WIDTH = 40
"""This many options of a decision of a random program have numbers."""
ARRAYS = [
    "cells",
    "seeds",
    "keys",
    "counters",
    "masks",
    "players",
    "over",
    "won",
    "totals",
    "rewards",
    "lengths",
]


def random_actions(vector: Vector, random: Random) -> list[int]:
    """For each match, one of its legal actions."""
    many = len(vector.actions)
    found = []
    for slot in range(vector.count):
        mask = vector.masks[slot * many : (slot + 1) * many]
        found.append(random.choice([n for n in range(many) if mask[n]] or [many + 7]))
    return found


@pytest.mark.parametrize("engine", engine_names())
@pytest.mark.parametrize(
    "name", ["connect_four", "pig", "love_letter", "kuhn_poker", "breakthrough"]
)
def test_steps_are_those_of_states(name: str, engine: EngineName) -> None:
    game, random = load_game(name), Random(3)
    vector = game.vector(COUNT, seed=40, engine=engine)
    seats, many = vector.compiled.program.seats, len(vector.actions)
    seeds = [40 + slot for slot in range(COUNT)]
    states = [first_state(vector.compiled, seed) for seed in seeds]
    for _ in range(75):
        for slot, state in enumerate(states):
            assert vector.state(slot) == state
            assert bytes(vector.masks[slot * many : (slot + 1) * many]) == vector.actions.mask(
                state
            )
            assert vector.players[slot] == state.player
            assert vector.over[slot] == state.over
            mine = slice(slot * seats, (slot + 1) * seats)
            assert vector.rewards[mine].tolist() == state.returns()
            totals = [*state.scores.totals] if state.over else [0] * seats
            assert vector.totals[mine].tolist() == totals
            assert [seat for seat in range(seats) if vector.won[mine][seat]] == [*state.winners]
        actions = random_actions(vector, random)
        vector.step(actions)
        for slot, action in enumerate(actions):
            if states[slot].over:
                seeds[slot] += COUNT
                states[slot] = first_state(vector.compiled, seeds[slot])
            else:
                states[slot] = vector.actions.take(states[slot], action)
    assert [*vector.seeds] == seeds
    assert (max(seeds) > 50) == (name in SHORT)


@given(st.randoms(use_true_random=False), st.booleans(), st.booleans(), st.integers(0, 2**70))
@settings(max_examples=settings().max_examples // 4)
def test_engines_take_the_same_steps(random: Random, fails: bool, by_wins: bool, seed: int) -> None:
    plain = random_program(random, fails)
    arms = (ir.Arm(0, "", ((0, 0, WIDTH),)),)
    sites = tuple(attrs.evolve(site, arms=arms) for site in plain.sites)
    program = attrs.evolve(plain, sites=sites)
    engines: list[Engine] = [Reference(program), NativeEngine(program, 0)]
    try:
        start = engines[0].start()
        engines[0].run(start)
    except RuleFault:
        return
    worth = array("d", range(2**program.seats * program.seats)) if by_wins else array("d")
    both = [Slots(program, start, 3, worth, seed % 2 == 1) for _ in engines]
    actions = [0, 0, 0]
    for number in range(6):
        faults = []
        for engine, slots in zip(engines, both, strict=True):
            slots.actions[:] = array("i", actions)
            if not number:
                slots.seeds[:] = array("Q", [(seed + n) % 2**64 for n in range(3)])
            try:
                engine.step_all(slots, restart=not number)
            except (
                RuleFault,
                InternalError,
            ) as fault:  # `main` may end without `end game`
                faults.append(type(fault))
        assert len(faults) in (0, 2)
        if faults:
            return
        for name in ARRAYS:
            assert getattr(both[0], name) == getattr(both[1], name), name
        many, masks = both[0].starts[-1], both[0].masks
        actions = [next((n for n in range(many) if masks[slot * many + n]), 0) for slot in range(3)]


def test_python_takes_steps_that_native_code_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here it has no room for the options of a decision."""
    monkeypatch.setattr(memory, "OFFERS", 3)
    game = load_game("connect_four")
    plain = game.vector(3, engine="python")
    engine = NativeEngine(plain.compiled.program, 0)
    fast = Vector.of(attrs.evolve(plain.compiled, engine=engine), 3)
    for _ in range(20):
        for name in ("masks", "players", "over", "won", "totals", "rewards", "lengths"):
            assert getattr(fast, name) == getattr(plain, name)
        actions = random_actions(plain, Random(2))
        fast.step(actions)
        plain.step(actions)
    assert engine.handed_over > 0


@pytest.mark.slow
@pytest.mark.skipif("native" not in engine_names(), reason="only native code tracks blocks")
@pytest.mark.parametrize(
    ("name", "offers"),
    [
        pytest.param("endeavor", memory.OFFERS, marks=pytest.mark.deep),
        ("endeavor", 60),
        pytest.param("ginkgopolis", 300, marks=pytest.mark.deep),
    ],
)
def test_matches_with_long_states_do_not_mix(
    name: str, offers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Native code copies only the blocks that differ, although other requests, other engines and new matches come
    between."""
    monkeypatch.setattr(memory, "OFFERS", offers)
    game = load_game(name)
    variant = game.variant(None, game.for_random_play())
    compiled = game.compiled(variant, "python")
    engine = NativeEngine(compiled.program, 0)
    vector = Vector.of(attrs.evolve(compiled, engine=engine), 3, 1, legal="lists")
    other = game.compiled(variant, "native")
    states = [first_state(other, 1 + slot) for slot in range(3)]
    for number in range(80):
        actions = vector.draw(number)
        for slot, action in enumerate(actions):
            states[slot] = vector.actions.take(states[slot], action)
        vector.step(actions)
        if number % 7 == 3:
            list(engine.results_at_random(compiled.begin(), [number], 50))
        for slot, state in enumerate(states):
            assert vector._slots.state(slot) == state.cells
            if state.over:
                return
    assert (engine.handed_over > 0) == (offers != memory.OFFERS)


@pytest.mark.parametrize("engine", engine_names())
def test_nothing_is_done_where_one_play_cannot_do_it(engine: EngineName) -> None:
    vector = load_game("connect_four").vector(3, engine=engine)
    before = [vector.state(slot) for slot in range(3)]
    for wrong in (7, -1, -2):
        with pytest.raises(ValueError, match=f"play 1 cannot do action {wrong} now"):
            vector.step([3, wrong, 3])
    with pytest.raises(ValueError, match="3 actions are needed, one for each match"):
        vector.step([3, 3])
    assert [vector.state(slot) for slot in range(3)] == before
    vector.step([3, 4, 3])
    assert [*vector.lengths] == [1, 1, 1]


WIDE = """game "Wide"
    players 2

state last: 0..399

play
    repeat 12 times
        each player
            surely choose next in 0..399 where last < 200 or next < 400 - last
            set last to next
"""


def test_of_many_actions_few_are_set(tmp_path: Path) -> None:
    """All of 400 actions are legal, or fewer than 200, or very few."""
    path = tmp_path / "wide.game"
    path.write_text(WIDE, encoding="utf-8")
    game, random = load_game(path), Random(5)
    both = [game.vector(3, engine=engine) for engine in ("python", engine_names()[-1])]
    met = set[int]()
    for _ in range(80):
        assert both[0].masks == both[1].masks
        met.update(sum(both[0].masks[slot * 400 : (slot + 1) * 400]) for slot in range(3))
        actions = random_actions(both[0], random)
        for vector in both:
            vector.step(actions)
    assert max(met) == 400
    assert {0} < {many for many in met if many < 64}


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_in_several_jobs_the_steps_are_the_same(jobs: int) -> None:
    one, other = (load_game("kuhn_poker").vector(5, jobs=many) for many in (1, jobs))
    for _ in range(20):
        assert one.masks == other.masks
        assert one.rewards == other.rewards
        assert one.seeds == other.seeds
        actions = random_actions(one, Random(1))
        one.step(actions)
        other.step(actions)


def test_a_vector_is_not_empty() -> None:
    with pytest.raises(ValueError, match="the number of matches is 1 to 2,147,483,647, not 0"):
        load_game("connect_four").vector(0)
    with pytest.raises(ValueError, match="the number of jobs is 1 or more, not 0"):
        load_game("connect_four").vector(1, jobs=0)


def test_arrays_of_numpy_come_and_go() -> None:
    np = pytest.importorskip("numpy")
    vector = load_game("connect_four").vector(64)
    masks = np.asarray(vector.masks).reshape(64, -1)
    rewards = np.asarray(vector.rewards).reshape(64, -1)
    ended = 0
    for kind in (np.int32, np.int64) * 30:
        vector.step(masks.argmax(axis=1).astype(kind))
        over = np.asarray(vector.over) == 1
        ended += over.sum()
        assert not masks[over].any()
        assert (masks[~over].any(axis=1)).all()
        assert (rewards[~over] == 0).all()
    assert ended > 0


def test_points_are_rewards_too() -> None:
    vector, random = load_game("leduc_poker").vector(4, reward="points"), Random(1)
    paid = 0
    for _ in range(60):
        vector.step(random_actions(vector, random))
        for slot in range(4):
            if vector.over[slot]:
                paid += 1
                expected = vector.state(slot).returns("points")
                assert vector.rewards[slot * 2 : slot * 2 + 2].tolist() == expected
    assert paid > 0


def test_vector_observations_equal_those_of_states() -> None:
    vector = load_game("kuhn_poker").vector(3)
    seen = vector.observe()
    size = len(seen) // 3
    for slot in range(3):
        state = vector.state(slot)
        assert seen[slot * size : (slot + 1) * size] == state.observe(state.player)


@pytest.mark.parametrize("engine", engine_names())
@pytest.mark.parametrize("name", ["connect_four", "love_letter"])
def test_lists_name_the_actions_of_the_masks(name: str, engine: EngineName) -> None:
    """Matches with lists of actions equal those with masks; each draw is legal, and depends on its seed."""
    game = load_game(name)
    vectors = [
        game.vector(COUNT, seed=4, engine=engine, legal=legal)
        for legal in ("masks", "both", "lists")
    ]
    masked, both, listed = vectors
    many, met = len(both.actions), set[bytes]()
    for number in range(40):
        offsets, numbers = listed.legal()
        assert both.legal() == (offsets, numbers)
        assert offsets[0] == 0 and offsets[-1] == len(numbers)
        for slot in range(COUNT):
            mask = both.masks[slot * many : (slot + 1) * many]
            legal = [*numbers[offsets[slot] : offsets[slot + 1]]]
            assert sorted(legal) == [n for n in range(many) if mask[n]]
            state = listed.state(slot)
            assert legal == listed.actions.offered(state)
        drawn = listed.draw(number)
        assert drawn == both.draw(number)
        met.add(drawn.tobytes())
        for vector in vectors:
            vector.step(drawn)
        assert masked.masks == both.masks
        for each in ("cells", "seeds", "rewards", "over", "lengths"):
            assert getattr(masked._slots, each) == getattr(listed._slots, each)
    assert len(met) > 20


@pytest.mark.parametrize("engine", engine_names())
def test_a_list_refuses_what_is_not_in_it(engine: EngineName) -> None:
    vector = load_game("tic_tac_toe").vector(2, engine=engine, legal="lists")
    vector.step([4, 0])
    with pytest.raises(ValueError, match="play 0 cannot do action 4 now"):
        vector.step([4, 1])
    with pytest.raises(ValueError, match="play 1 cannot do action 9 now"):
        vector.step([0, 9])
    with pytest.raises(ValueError, match="this vector has lists of legal actions, not masks"):
        vector.masks  # noqa: B018  # asked for, to see that it is refused
    with pytest.raises(ValueError, match="lists of legal actions need `legal="):
        load_game("tic_tac_toe").vector(1, engine=engine).legal()


@pytest.mark.parametrize("engine", engine_names())
def test_lists_grow(engine: EngineName) -> None:
    """A game with more legal actions than lists have room for at first."""
    vector = load_game("breakthrough").vector(2, engine=engine, legal="both")
    vector._slots.room, vector._slots.listed = 3, array("i", bytes(4 * 8))
    vector.reset(1)
    offsets, numbers = vector.legal()
    assert (list(offsets), vector._slots.room) == ([0, 22, 44], 44)
    vector.step(vector.draw(1))
    assert len(vector.legal()[1]) == sum(vector.masks) > 30
    assert sorted(numbers[:22]) == sorted(numbers[22:])


def test_resets_without_a_seed_differ() -> None:
    vector = load_game("love_letter").vector(2, seed=5)
    first = [*vector.seeds]
    vector.reset()
    assert not {*first} & {*vector.seeds}
    vector.reset(5)
    assert [*vector.seeds] == first
