"""The words of a hint agree with the results of the trials."""

from __future__ import annotations

import pytest

from rulewright import Match, load_game
from rulewright.interpreter.bots.tree_search import Effort, think
from rulewright.interpreter.bots.trees import Thought
from rulewright.interpreter.questions.hint import thought_lines

VERDICTS = {
    ((2000, 0.8), (500, 0.5)): "clearly best by 30 % of a victory",
    ((90_000, 0.55), (90_000, 0.52)): "best, but only by 3 % of a victory",
    ((400, 0.55), (400, 0.54)): "a toss-up between 2",
    ((60, 0.6), (60, 0.52)): "probably best by 8 % of a victory",
    ((1, 1.0), (1, 0.0)): "too few trials to say which is best",
    ((4, 0.5), (4, 0.0)): "too few trials to say which is best",
    ((50, 0.5), (0, 0.0)): "one option looks best",
}


@pytest.mark.parametrize("tried", VERDICTS)
def test_a_verdict_claims_no_more_than_the_trials_show(
    tried: tuple[tuple[int, float], tuple[int, float]],
) -> None:
    game = load_game("connect_four")
    state = Match.begin(game, game.variant(), 1).state
    ids = state.option_ids
    options = tuple((ids[at], count, value) for at, (count, value) in enumerate(tried))
    number = sum(count for _, count, _ in options)
    first, *lines = thought_lines(state, Thought(options, number, rollouts=1))
    assert first == f"{VERDICTS[tried]}, from {number:,} trial games:"
    assert len([line for line in lines if "of a victory expected" in line]) == sum(
        count > 0 for count, _ in tried
    )


def test_certain_results_are_not_estimated() -> None:
    """Player 1 wins at once in column 1."""
    game = load_game("connect_four")
    match = Match.begin(game, game.variant(), 1)
    for column in (1, 2, 1, 2, 1, 2):
        match.choose(f"drop({column})")
    thought = think(match.state, Effort(playouts=400))
    first, best, *_ = thought_lines(match.state, thought)
    assert first == "the result is certain:"
    assert best == "  drop a disc into column 1: wins for certain"
    ids = match.state.option_ids
    found = Thought(
        ((ids[0], 0, 0.5), (ids[1], 9, 0.0), (ids[2], 3, 0.0)), 12, certain=frozenset(ids)
    )
    assert thought_lines(match.state, found)[1:4] == [
        "  drop a disc into column 1: 50 % of a victory for certain",
        "  drop a disc into column 2: loses for certain",
        "  drop a disc into column 3: loses for certain",
    ]


@pytest.mark.parametrize(
    ("count", "value", "interval"),
    [(10, 0.0, "0 % to 28 %"), (10, 0.5, "24 % to 76 %"), (100, 0.9, "83 % to 94 %")],
)
def test_the_interval_is_that_of_wilson(count: int, value: float, interval: str) -> None:
    """The numbers are from published tables of Wilson's interval without a correction."""
    game = load_game("connect_four")
    state = Match.begin(game, game.variant(), 1).state
    lines = thought_lines(state, Thought(((state.option_ids[0], count, value),), count, rollouts=1))
    assert lines[1].endswith(f"({interval})")
