"""Functions from outside guide a search."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulewright import Effort, Generator, State, load_game, think
from rulewright.interpreter.text.errors import WrongArgumentError


def test_a_value_takes_the_place_of_rollouts() -> None:
    """The last option leads where the first player wins, all others where the second does."""
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
