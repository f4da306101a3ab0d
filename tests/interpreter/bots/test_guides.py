"""Functions of the caller guide a search."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright import Effort, Generator, State, load_game, think
from rulewright.interpreter.text.errors import WrongArgumentError


def test_a_value_takes_the_place_of_rollouts() -> None:
    """After the last option the first player wins, after all others the second player."""
    root = load_game("tic_tac_toe").start()
    wanted = root.take(root.option_ids[-1])
    mark = next(at for at, cell in enumerate(wanted.cells[10:], 10) if cell != root.cells[at])
    seen: list[State] = []

    def value(state: State) -> list[float]:
        seen.append(state)
        return [1.0, 0.0] if state.cells[mark] == wanted.cells[mark] else [0.0, 1.0]

    effort = Effort(playouts=80)
    thought = think(root, effort, Generator.seeded(1), value=value)
    assert thought.best == root.option_ids[-1]
    assert thought.value > 0.7
    assert 40 < len(seen) <= 80
    assert thought == think(root, effort, Generator.seeded(1), value=value)


@pytest.mark.parametrize("wanted", [0, 3, 6])
def test_a_policy_says_what_is_tried_first(wanted: int) -> None:
    root = load_game("connect_four").start()

    def policy(state: State) -> list[int]:
        count = len(state.option_ids)
        return [int(at == min(wanted, count - 1)) for at in range(count)]

    thought = think(root, Effort(playouts=12), Generator.seeded(1), policy=policy)
    assert thought.best == root.option_ids[wanted]


def test_guessed_states_are_shown_and_never_the_true_one_alone() -> None:
    root = load_game("love_letter").start(seed=3, remember=True)
    hands = set[tuple[int, ...]]()

    def value(state: State) -> list[float]:
        hands.add(tuple(state.cells))
        return [0.5] * len(state.players)

    think(root, Effort(playouts=60), Generator.seeded(1), value=value)
    assert len(hands) > 10


@pytest.mark.parametrize(
    ("policy", "value", "message"),
    [
        ([1.0], None, "a policy gives a number for each option: 7, not 1"),
        ([0.0] * 7, None, "a policy gives numbers from 0, of which one at least is more"),
        ([-1.0] + [1.0] * 6, None, "a policy gives numbers from 0, of which one at least is more"),
        (None, [1.0], "a value gives a number for each seat: 2, not 1"),
        (dict.fromkeys(range(7), 1.0), None, "a policy gives a list of numbers, not "),
    ],
)
def test_wrong_numbers_are_refused(
    policy: Sequence[float] | None, value: Sequence[float] | None, message: str
) -> None:
    root = load_game("connect_four").start()
    with pytest.raises(WrongArgumentError, match=message):
        think(
            root,
            Effort(playouts=20),
            Generator.seeded(1),
            policy=None if policy is None else lambda _: policy,
            value=None if value is None else lambda _: value,
        )


def _all_equal(states: Sequence[State]) -> list[tuple[None, list[float]]]:
    return [(None, [0.5] * len(state.players)) for state in states]


@pytest.mark.parametrize("batch", [1, 5, 32])
def test_an_evaluator_gets_many_states_at_a_time(batch: int) -> None:
    """After the last option the first player wins, after all others the second player."""
    root = load_game("tic_tac_toe").start()
    wanted = root.take(root.option_ids[-1])
    mark = next(at for at, cell in enumerate(wanted.cells[10:], 10) if cell != root.cells[at])
    sizes: list[int] = []

    def evaluate(states: Sequence[State]) -> list[tuple[None, list[float]]]:
        sizes.append(len(states))
        won = (state.cells[mark] == wanted.cells[mark] for state in states)
        return [(None, [1.0, 0.0] if each else [0.0, 1.0]) for each in won]

    budget = Effort(playouts=80)
    thought = think(root, budget, Generator.seeded(1), evaluate=evaluate, batch=batch)
    assert thought.best == root.option_ids[-1]
    assert thought.value > 0.9
    assert thought.playouts == 80
    assert max(sizes) == batch
    assert sum(sizes) <= 81  # the options of the root are requested as well
    assert len(sizes) <= 80 // batch + 6
    again = think(root, budget, Generator.seeded(1), evaluate=evaluate, batch=batch)
    assert again == thought
    assert sum(taken for _, taken, _ in thought.options) == 80


@pytest.mark.parametrize("batch", [1, 8])
@pytest.mark.parametrize("wanted", [0, 3, 6])
def test_an_evaluator_says_what_is_tried_first(wanted: int, batch: int) -> None:
    root = load_game("connect_four").start()

    def evaluate(states: Sequence[State]) -> list[tuple[list[float], list[float]]]:
        counts = [len(state.option_ids) for state in states]
        return [
            ([float(at == min(wanted, count - 1)) for at in range(count)], [0.5, 0.5])
            for count in counts
        ]

    thought = think(root, Effort(playouts=12), evaluate=evaluate, batch=batch)
    assert thought.best == root.option_ids[wanted]


def test_trials_that_wait_look_at_different_positions() -> None:
    """A batch of equal positions would be useless."""
    root = load_game("connect_four").start()
    batches: list[int] = []

    def evaluate(states: Sequence[State]) -> list[tuple[None, list[float]]]:
        if len(states) > 1:
            batches.append(len({bytes(state.cells) for state in states}))
        return _all_equal(states)

    think(root, Effort(playouts=64), evaluate=evaluate, batch=16)
    assert batches[0] == 7  # at most as many as the options at first
    assert sum(batches) > 40


def test_wins_are_proved_even_with_an_evaluator() -> None:
    state = load_game("connect_four").start()
    for word in ("drop(1)", "drop(2)") * 3:
        state = state.choose(word)
    thought = think(state, Effort(playouts=500), evaluate=_all_equal)
    assert state.compiled.option_name(state.cells, thought.best) == "drop(1)"
    assert thought.value == 1
    assert thought.playouts < 100


def test_an_evaluator_is_shown_guessed_states_of_several_samples() -> None:
    root = load_game("love_letter").start(seed=3, remember=True)
    most = 0

    def evaluate(states: Sequence[State]) -> list[tuple[None, list[float]]]:
        nonlocal most
        most = max(most, len({tuple(state.cells) for state in states}))
        return _all_equal(states)

    thought = think(root, Effort(playouts=60), evaluate=evaluate, batch=30)
    assert thought.playouts == 60
    assert most > 6  # more than the trials of one sample


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([], "an evaluator gives a policy and a value for each state: 1, not 0"),
        ([([1.0], [0.5, 0.5])], "a policy gives a number for each option: 7, not 1"),
        ([(None, [0.5])], "a value gives a number for each seat: 2, not 1"),
    ],
)
def test_wrong_answers_of_an_evaluator_are_refused(
    answer: list[tuple[list[float] | None, list[float]]], message: str
) -> None:
    root = load_game("connect_four").start()
    with pytest.raises(WrongArgumentError, match=message):
        think(root, Effort(playouts=20), evaluate=lambda _: answer)
