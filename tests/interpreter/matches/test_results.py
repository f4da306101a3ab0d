"""Results of many playouts in flat arrays: equal to the definition, with every engine and any number of jobs."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rulewright import load_game
from rulewright.interpreter.engines import playouts
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.engine import returns
from rulewright.interpreter.engines.engines import EngineName, engine_for, engine_names
from rulewright.interpreter.engines.native import parallel
from rulewright.interpreter.engines.native import results as native_results
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.engines.native.module import Module
from rulewright.interpreter.engines.native.statements import plain_function
from rulewright.interpreter.engines.reference import Reference
from rulewright.interpreter.engines.results import NOT_OVER, Results
from rulewright.interpreter.matches.game import Game, results_from, rollouts
from rulewright.interpreter.statistics.endings import Endings
from rulewright.interpreter.text.errors import SlowPathWarning
from tests.interpreter.games import breakthrough, connect_four, market
from tests.interpreter.lockstep import all_results


def check(results: Results, game: Game, engine: EngineName = "python") -> None:
    """For each playout, the results of its final state."""
    counts: Counter[int] = Counter()
    compiled = game.compiled(game.variant(), engine)
    seats, items = results.seats, len(results.items)
    endings = Endings(compiled.program)
    for play, end in enumerate(game.playouts(range(len(results)), engine=engine)):
        assert results.over[play] == 1
        won = results.won[play * seats : (play + 1) * seats]
        assert [seat for seat in range(seats) if won[seat]] == sorted(end.winners)
        assert results.totals[play * seats : (play + 1) * seats].tolist() == [*end.scores.totals]
        points = [each for score in end.scores for _, each in score.items]
        first = play * seats * items
        assert results.points[first : first + seats * items].tolist() == points
        stack = results.stacks[results.ends[play]]
        assert stack == returns(end.cells)
        assert endings.of_stack(stack) == endings.of_end(end.cells)
        of_match: list[int] = []
        cells = compiled.begin()
        chance, bots = Generator(key_of(play)), playouts.bot_generator(play, 0)
        compiled.engine.at_random(cells, chance, bots, None, of_match)
        assert results.lengths[play] == len(of_match)
        counts.update(of_match)
    assert results.options == counts


@pytest.mark.parametrize("engine", engine_names())
@pytest.mark.parametrize("name", ["connect_four", "pig", "love_letter"])
def test_results_are_those_of_the_ends(name: str, engine: EngineName) -> None:
    game = load_game(name)
    results = game.results(range(5), engine=engine)
    assert len(results) == 5
    assert results.engine == engine
    check(results, game)


@pytest.mark.parametrize("program", [connect_four, breakthrough, market])
def test_results_are_those_of_the_definition(program: type) -> None:
    slow = Reference(program())
    start = slow.start()
    slow.run(start)
    engines = NativeEngine(slow.program, 0), NativeEngine(slow.program, 2)
    for longest in (0, 5, 1000):
        expected = all_results(slow, start, range(5), longest)
        for engine in engines:
            assert all_results(engine, start, range(5), longest) == expected
            assert all_results(engine, start, range(5), longest, jobs=3) == expected


@pytest.mark.skipif("native" not in engine_names(), reason="there is no llvmlite")
@pytest.mark.parametrize("name", ["night_market", "love_letter"])
def test_winners_follow_from_counted_totals(name: str) -> None:
    game = load_game(name)
    module = Module(game.compiled(game.variant(), "python").program)
    text = plain_function(module, module.total)
    assert "@TOTALS" in text
    check(game.results(range(20), engine="native"), game)


def test_plays_that_go_on_for_long_are_played_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("connect_four")
    monkeypatch.setattr(parallel, "AT_ONCE", 7)
    compiled = game.compiled(game.variant(), "native")
    fresh = NativeEngine(compiled.program, 0)
    found = all_results(fresh, compiled.begin(), range(20), 20)
    assert found == game.results(range(20), engine="python", longest=20)
    assert {*found.over} == {0, 1}


def test_python_finishes_matches_that_native_code_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(native_results, "STACK", 1)  # room only for the end of `play`
    game = load_game("connect_four")
    program = game.program(game.variant())
    engine = NativeEngine(program, 0)
    found = all_results(engine, game.compiled(game.variant()).begin(), range(30), 1000, jobs=2)
    assert engine.handed_over > 0
    assert found == game.results(range(30), engine="python")


def test_plays_go_on_from_a_state() -> None:
    for engine in engine_names():
        state = load_game("connect_four").start(engine=engine).choose("drop(4)")
        results = results_from(state, range(9))
        for play, end in enumerate(rollouts(state, range(9))):
            assert [*end.winners] == [seat for seat in (0, 1) if results.won[2 * play + seat]]


def test_plays_are_given_up() -> None:
    results = load_game("connect_four").results(range(3), longest=4)
    assert [*results.over] == [0, 0, 0]
    assert [*results.lengths] == [4, 4, 4]
    assert [*results.ends] == [NOT_OVER] * 3
    assert results.unfinished == 3
    assert not any(results.won)
    assert results.options == {}


@pytest.mark.parametrize("engine", engine_names())
def test_results_of_no_matches_are_empty(engine: EngineName) -> None:
    results = load_game("pig").results([], engine=engine)
    assert len(results) == 0
    assert results.wins(0) == 0


def test_wrong_arguments_are_refused() -> None:
    game = load_game("pig")
    with pytest.raises(ValueError, match="0 to 2,147,483,647, not -1"):
        game.results([1], longest=-1)
    with pytest.raises(ValueError, match="the number of jobs is 1 or more, not 0"):
        game.results([1], jobs=0)


def test_progress_is_reported_and_parts_are_in_order() -> None:
    game, logged = load_game("connect_four"), list[int]()
    whole = game.results(range(5000), engine="native", progress=logged.append)
    assert logged == sorted(logged)
    assert len(logged) > 2
    assert logged[-1] == 5000
    again = Results.of(game.program(game.variant()))
    for part in game.results_in_parts(iter(range(5000)), engine="native", jobs=2):
        again.extend(part)
    assert whole == again


def test_dropping_the_iterator_stops_the_playouts() -> None:
    parts = load_game("connect_four").results_in_parts(range(10**9), engine="native", jobs=2)
    assert len(next(parts)) > 0
    before = threading.active_count()
    assert isinstance(parts, Iterator)
    del parts
    gc.collect()
    assert threading.active_count() < before


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_the_plays(jobs: int) -> None:
    game = load_game("connect_four")
    seen: list[int] = []

    def interrupt(done: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)
        assert len(seen) <= 3, "the signal is lost"

    # Earlier code in this process may have stored another one there.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            game.results(range(10**9), engine="native", jobs=jobs, progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(seen) == 3


def test_parts_take_no_more_room_however_many_there_are() -> None:
    game = load_game("connect_four")
    parts = game.results_in_parts(iter(range(10**9)), engine="native")
    for _ in range(5):
        next(parts)
    tracemalloc.start()
    try:
        for _ in range(5):
            next(parts)
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(30):
            next(parts)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 5_000


def test_arrays_are_read_without_a_copy() -> None:
    results = load_game("connect_four").results(range(10))
    np = pytest.importorskip("numpy")
    won = np.asarray(results.won).reshape(-1, results.seats)
    assert won.shape == (10, 2)
    assert won.base is not None
    results.won[3] ^= 1
    assert won[1, 1] == results.won[3]


def test_the_engine_is_taken_that_is_done_soonest() -> None:
    game = load_game("connect_four")
    program = game.program(game.variant())
    asked: list[int] = []

    def options() -> int:
        asked.append(144)
        return asked[-1]

    assert engine_for(program, 5, options) == "python"
    assert engine_for(program, 10_000, options) == engine_names()[-1] == "native"
    assert not asked
    assert engine_for(program, 900, options) == "python"
    assert engine_for(program, 1_400, options) == "native"
    assert engine_for(program, 900, lambda: 1_000) == "native"
    assert game.results(range(5)).engine == "python"
    assert game.results(seed for seed in range(5)).engine == "native"


@pytest.mark.parametrize("engine", engine_names())
def test_threads_do_not_disturb_each_other(engine: EngineName) -> None:
    """Several playouts at the same time have the same results as single ones."""
    game, usual = load_game("love_letter"), sys.getswitchinterval()
    game.playout(0, engine=engine)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            together = [*threads.map(lambda seed: game.playout(seed, engine=engine), range(12))]
    finally:
        sys.setswitchinterval(usual)
    assert together == [game.playout(seed, engine=engine) for seed in range(12)]


@pytest.mark.skipif("native" not in engine_names(), reason="there is no faster engine")
def test_a_slow_way_to_many_results_says_so() -> None:
    game = load_game("tic_tac_toe")
    slow, fast = (game.start(engine=engine) for engine in ("python", "native"))
    with pytest.warns(SlowPathWarning, match="these 1,000 playouts run in the engine `python`"):
        found = results_from(slow, range(1000))
    assert found.won == results_from(fast, range(1000)).won
    with pytest.warns(SlowPathWarning, match=r'`start\(engine="native"\)` gives a state'):
        rollouts(slow, range(1000))
    results_from(slow, range(999))
