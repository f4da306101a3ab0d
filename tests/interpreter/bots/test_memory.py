"""A search that begins with the last one of its match; thinking in the background; the main line."""

from __future__ import annotations

from time import monotonic, sleep

import pytest

from rulewright import load_game
from rulewright.cli.terminal.thinking import pondering
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.tree_search import Effort, decide, think
from rulewright.interpreter.bots.trees import Memory, Trees
from rulewright.interpreter.engines.chance import Generator, key_of
from rulewright.interpreter.engines.kernels.tree import Done
from rulewright.interpreter.engines.native.engine import NativeEngine
from rulewright.interpreter.matches.state import State
from tests.games.variants import game_named


def _start(game: str) -> State:
    return game_named(game).start(2, seed=1, remember=True)


def test_a_later_decision_begins_with_what_is_known() -> None:
    memory, state = Memory(), _start("connect_four")
    first = memory.search(state, Generator.seeded(1), "wins")
    first.look(3000)
    later = state
    for _, text in first.result().line[:2]:
        later = later.take(next(o for o in later.option_ids if _words(later, o) == text))
    assert later.player == state.player
    second = memory.search(later, Generator.seeded(2), "wins")
    assert second is first
    assert second.playouts == 0
    known = sum(count for _, count, _ in second.result().options)
    assert known > 100
    assert {option for option, _, _ in second.result().options} == {*later.option_ids}
    second.look(500)
    assert sum(count for _, count, _ in second.result().options) == known + 500
    assert second.result().best in later.option_ids


def _words(state: State, option: int) -> str:
    return state.compiled.option_text(state.cells, option)


def test_a_bot_thinks_on_while_a_person_thinks() -> None:
    memory, state = Memory(), _start("connect_four")
    nothing = Memory()
    with pondering(nothing, state):
        assert nothing.last is None  # no bot has thought before
    first = memory.search(state, Generator.seeded(1), "wins")
    first.look(2000)
    asked = state.take(first.result().best)
    with pondering(memory, asked):
        end = monotonic() + 60
        while first.playouts < 100 and monotonic() < end:
            sleep(0.01)
    made = first.playouts
    assert memory.last is first
    assert made >= 100
    with pondering(memory, asked):  # after a question of the person
        assert memory.last is first
    answered = asked.take(first.result().best)
    again = memory.search(answered, Generator.seeded(2), "wins")
    assert again is first
    assert sum(count for _, count, _ in again.result().options) > 0


def test_an_unknown_decision_starts_without_memory() -> None:
    memory, state = Memory(), _start("connect_four")
    first = memory.search(state, Generator.seeded(1), "wins")
    first.look(4)
    later = state
    for _ in range(6):
        later = later.take(later.option_ids[0])
    assert memory.search(later, Generator.seeded(2), "wins") is not first
    assert memory.search(state, Generator.seeded(2), "points") is not first


def test_samples_are_not_used_again_where_something_is_hidden() -> None:
    memory, state = Memory(), _start("love_letter")
    first = memory.search(state, Generator.seeded(1), "wins")
    first.look(40)
    assert not first.go_on(state, Generator.seeded(1))
    assert memory.search(state, Generator.seeded(2), "wins") is not first


def test_a_match_with_a_memory_comes_to_its_end() -> None:
    """Proofs are kept: the searching side wins tic-tac-toe or draws it."""
    for seed in range(3):
        memory, state = Memory(), _start("tic_tac_toe")
        generator = Generator.seeded(seed)
        while not state.over:
            if state.player == 0:
                option = decide(state, Effort(playouts=300), generator, memory=memory)
            else:
                option = state.option_ids[generator.below(len(state.option_ids))]
            state = state.take(option)
        assert state.shares[0] >= 0.5


def test_the_main_line_can_be_played() -> None:
    state = _start("connect_four")
    thought = think(state, Effort(playouts=2000), Generator.seeded(3))
    assert 2 <= len(thought.line) <= 5
    for player, text in thought.line:
        assert state.player == player
        state = state.take(next(o for o in state.option_ids if _words(state, o) == text))


def test_nothing_is_said_of_what_is_hidden() -> None:
    state = _start("love_letter")
    assert think(state, Effort(playouts=60), Generator.seeded(3)).line == ()


def _play_steps(game: str, players: int, steps: int) -> State:
    state, generator = game_named(game).start(players, seed=4, remember=True), Generator.seeded(4)
    for _ in range(steps):
        state = state.take(state.option_ids[generator.below(len(state.option_ids))])
    return state


@pytest.mark.parametrize(
    ("game", "players", "steps"), [("connect_four", 2, 3), ("love_letter", 2, 2), ("pig", 2, 3)]
)
def test_two_threads_repeat_and_know_what_each_tree_knows(
    game: str, players: int, steps: int
) -> None:
    """Each thread makes half of the trials, with its own random numbers."""
    state = _play_steps(game, players, steps)
    found = []
    for _ in range(2):
        trees = Trees.of(state, Generator.seeded(1), "wins", 2)
        for many in (1, 2, 97, 300):
            trees.look(many)
        found.append(trees)
    trees, again = found
    assert trees.result() == again.result()
    assert [search.playouts for search in trees.searches] == [201, 199]
    alone = [
        Search(state, Generator.seeded(1), "wins"),
        Search(state, Generator(key_of(Generator.seeded(1).key, 1)), "wins"),
    ]
    for search, made in zip(alone, ((1, 1, 49, 150), (1, 48, 150)), strict=True):
        for many in made:
            search.look(many)
    known = [[*search.options()] for search in alone]
    assert known[0] != known[1]
    counts = {one.option: one.taken for one in known[0]}
    for one in known[1]:
        counts[one.option] = counts.get(one.option, 0) + one.taken
    assert {option: count for option, count, _ in trees.result().options} == counts


def test_one_thread_proves_for_all() -> None:
    """The first player fills a column unless somebody prevents it: both trees know an immediate win."""
    state = load_game("connect_four").start()
    for word in ("drop(1)", "drop(2)") * 3:
        state = state.choose(word)
    thought = think(state, Effort(playouts=1000), Generator.seeded(1), threads=2)
    assert state.compiled.option_name(state.cells, thought.best) == "drop(1)"
    assert thought.value == 1
    assert thought.playouts < 1000


def test_trees_of_two_threads_are_used_again() -> None:
    memory, state = Memory(), _start("connect_four")
    first = memory.search(state, Generator.seeded(1), "wins", 2)
    first.look(4000)
    later = state.take(first.result().best)
    again = memory.search(later, Generator.seeded(2), "wins", 2)
    assert again is first
    known = sum(one.taken for one in again.option_results())
    assert known > 100
    again.look(100)
    assert sum(one.taken for one in again.option_results()) == known + 100


def test_two_threads_share_what_native_code_leaves_to_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only one thread at a time runs Python, because an engine in Python supports one thread."""
    working, most = [0], [0]
    trial = Search._trial

    def counting_trial(search: Search) -> None:
        working[0] += 1
        most[0] = max(most[0], working[0])
        trial(search)
        working[0] -= 1

    monkeypatch.setattr(Search, "_trial", counting_trial)
    monkeypatch.setattr(NativeEngine, "trials", lambda *_: Done.NOT)
    state = _start("love_letter")
    trees = Trees.of(state, Generator.seeded(1), "wins", 2)
    trees.look(60)
    assert trees.playouts == 60
    assert most == [1]
