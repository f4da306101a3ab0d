"""The greedy bot takes options that score, also for its side, and passes only if it must."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.simple import choose_at_random, choose_greedily
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.matches.state import State

TWO_STEPS = """game "Two steps"
    players 2

player
    state points: 0..99

play
    repeat 3 times
        each player
            choose one of
                option "take"
                    add 3 to me.points
                option "prepare"
                    choose one of
                        option "waste"
                        option "cash"
                            add 5 to me.points
                option "pass"

score of p
    item "points" = p.points

winner p by p.total
"""

SOWN = """game "Sown"
    players 2

player
    state seeds: 0..9 = 3
    state points: 0..99

play
    repeat 3 times
        each player
            choose one of
                option "pass"
                option "sow" where me.seeds > 0
                    lose 1 from me.seeds
                    add 1 to me.points
                    lose 1 from me.points
                option "rest"
    each player
        add 3 - me.seeds to me.points

score of p
    item "points" = p.points

winner p by p.total
"""

HELPED = """game "Helped"
    players 4

kind Pair = odd, even
side of p: Pair = if mod(p.number, 2) is 1 then odd else even

player
    state points: 0..99

play
    each player
        choose one of
            option "for me"
                add 1 to me.points
            option "for my partner"
                add 2 to me.left.left.points
            option "for a rival"
                add 3 to me.left.points

score of p
    item "points" = p.points
"""


GENEROUS = """game "Generous"
    players 2

player
    state coins: 0..9 = 5
    state points: 0..99

play
    repeat 3 times
        each player
            do a_turn
rule a_turn
    choose one of
        option "rest"
        option "wait"
action give(receiver in players where receiver is not me)
    pay 1 from me.coins
    add 1 to receiver.coins
action trade
    needs me.coins > 6 else "you have {me.coins} coins"
    pay 3 from me.coins
    add 1 to me.points
anytime give during a_turn
anytime trade during a_turn

score of p
    item "points" = p.points

winner p by p.total
"""


def _start(path: Path, text: str) -> State:
    path.write_text(text, encoding="utf-8")
    return load_game(path).start(seed=1)


def _greedy_choice(state: State, seed: int = 0) -> str:
    return state.compiled.option_name(state.cells, choose_greedily(state, Generator.seeded(seed)))


@pytest.mark.parametrize("seed", range(5))
def test_a_move_of_two_decisions_is_one_move(tmp_path: Path, seed: int) -> None:
    state = _start(tmp_path / "two.game", TWO_STEPS)
    assert _greedy_choice(state, seed) == "prepare"
    assert _greedy_choice(state.choose("prepare"), seed) == "cash"


def test_later_points_decide_if_nothing_scores_now(tmp_path: Path) -> None:
    """Sown seeds score only at the end; a player who passes and rests has none."""
    state = _start(tmp_path / "sown.game", SOWN)
    for _ in range(4):
        state = state.choose("rest")
    chosen = [_greedy_choice(state, seed) for seed in range(8)]
    assert chosen.count("sow") >= 7


@pytest.mark.parametrize("seed", range(8))
def test_free_actions_are_taken_only_if_they_gain_something(tmp_path: Path, seed: int) -> None:
    state = _start(tmp_path / "generous.game", GENEROUS)
    assert state.decision.names == ["rest", "wait", "give(seat_2)"]
    assert _greedy_choice(state, seed) in ("rest", "wait")
    state = state.choose("rest").choose("give(seat_1)").choose("give(seat_1)").choose("rest")
    assert _greedy_choice(state, seed) == "trade"


@pytest.mark.parametrize("seed", range(3))
def test_partners_are_helped(tmp_path: Path, seed: int) -> None:
    assert _greedy_choice(_start(tmp_path / "helped.game", HELPED), seed) == "for_my_partner"


def test_immediate_points_are_never_given_up() -> None:
    """In Reversi a move is one decision, and the bot takes the move with the greatest lead after it."""
    state, made = load_game("reversi").start(), 0
    while not state.over:
        if made % 2 and len(state.option_ids) > 1:
            leads = {}
            for option in state.option_ids:
                scores = [score.total for score in state.take(option).scores]
                leads[option] = scores[state.player] - scores[1 - state.player]
            chosen = choose_greedily(state, bot_generator(1, made))
            assert leads[chosen] == max(leads.values())
            state = state.take(chosen)
        else:
            state = state.take(choose_at_random(state, bot_generator(1, made)))
        made += 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_nobody_passes_in_the_first_round_of_endeavor_with_discs_left(seed: int) -> None:
    """Activating a building takes more decisions than passing, and scores when the disc is in a city."""
    state, made, passed = load_game("endeavor").start(3, seed=seed), 0, 0
    while "pass" in state.decision.names or made < 6:
        names = state.decision.names
        chosen = choose_greedily(state, bot_generator(seed, made))
        could = any(name.startswith("activate") for name in names)
        passed += could and state.compiled.option_name(state.cells, chosen) == "pass"
        state = state.take(chosen)
        made += 1
        if made > 25:
            break
    assert passed == 0
