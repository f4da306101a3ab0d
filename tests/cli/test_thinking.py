"""Bots with a thinking time: how long they think, and their display."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from time import monotonic

import pytest

from rulewright import load_game
from rulewright.cli.exits import Exit
from rulewright.cli.terminal import thinking
from rulewright.interpreter.bots.levels import for_person
from rulewright.interpreter.bots.tree_search import CLOCK, Effort, decide, think
from rulewright.interpreter.bots.trees import Thought, Trees
from rulewright.interpreter.engines.chance import Generator
from tests.cli.conftest import Command


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    """A clock that advances by a hundredth of a second at each reading."""
    ticks = count()
    before = CLOCK.set(lambda: next(ticks) / 100)
    yield
    CLOCK.reset(before)


def test_the_thinking_player_is_shown_with_the_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(thinking, "_AFTER", 0.0)
    seen = ""
    with thinking.show_running("player 2 is thinking"):
        end = monotonic() + 60
        while "\r  player 2 is thinking ... " not in seen and monotonic() < end:
            seen += capsys.readouterr().out
    assert "\r  player 2 is thinking ... 1 s" in seen
    assert capsys.readouterr().out.endswith("\r\x1b[K")


def test_nothing_is_shown_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    state = load_game("connect_four").start()
    option = thinking.bot_choice("easy", "player 1", state, Generator.seeded(1), 0.1)
    assert option in state.option_ids
    assert capsys.readouterr().out == ""


def test_levels_are_times_for_people_and_trials_for_reports() -> None:
    assert [for_person(word) for word in ("easy", "normal", "hard", "random")] == [
        "mcts:0.25s",
        "mcts:1s",
        "mcts:5s",
        "random",
    ]
    assert for_person("easy", 3) == "mcts:3s"


@pytest.mark.parametrize(("reading", "trials"), [(0.001, 4), (0.2, 3), (5.0, 1)])
def test_few_trials_suffice_if_they_take_too_long(reading: float, trials: int) -> None:
    """In some games a single playout in Python takes a second."""
    ticks = count()
    CLOCK.set(lambda: next(ticks) * reading)
    effort = Effort(seconds=0.001)
    assert think(load_game("connect_four").start(), effort).playouts == trials


def test_ctrl_c_takes_the_best_so_far() -> None:
    state, made = load_game("connect_four").start(), count()

    def stop() -> None:
        if next(made) == 3:
            raise KeyboardInterrupt

    effort = Effort(seconds=60)
    option = decide(state, effort, Generator.seeded(1), interruptible=True, watch=stop)
    assert option in state.option_ids
    assert next(made) == 4


def test_ctrl_c_before_the_first_trial_takes_an_option_after_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """While native code is compiled, nothing is known about the options."""
    state, prepared, thoughts = load_game("connect_four").start(), Trees.of, list[Thought]()

    def interrupt(*_: object) -> Trees:
        monkeypatch.setattr(Trees, "of", prepared)
        raise KeyboardInterrupt

    monkeypatch.setattr(Trees, "of", interrupt)
    effort = Effort(seconds=60)
    option = decide(state, effort, Generator.seeded(1), interruptible=True, heard=thoughts.append)
    assert option in state.option_ids
    assert [thought.playouts for thought in thoughts] == [4]


def test_nobody_waits_for_trials_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no other option can overtake the best one in the remaining time, the bot takes it."""
    asked: list[int] = []

    def far_ahead(search: Trees) -> int:
        asked.append(search.playouts)
        return 10**9

    monkeypatch.setattr(Trees, "ahead", far_ahead)
    thought = think(load_game("connect_four").start(), Effort(seconds=60), Generator.seeded(1))
    assert asked == [thought.playouts]
    assert 200 <= thought.playouts < 2000


@pytest.mark.parametrize("word", ["soon", "3", "0s", "-1s", "2h"])
def test_wrong_thinking_times_are_refused(command: Command, word: str) -> None:
    ran = command("play", "connect_four", f"--think={word}")
    assert ran.code == Exit.USAGE
    assert f"'{word}' is not a thinking time: write '3s' or '500ms'" in ran.err


def test_a_play_with_a_time(command: Command) -> None:
    ran = command("play", "four", "--seed", "1", "--think", "20ms", typed="4\nquit\n")
    assert ran.code == Exit.FINE
    assert "player 2: easy" in ran.out


def test_levels_think_for_a_time_in_many_plays_if_asked(command: Command) -> None:
    words = ("simulate", "tic_tac_toe", "--games", "1", "--bot", "1=easy", "--jobs", "1")
    ran = command(*words, "--think", "1ms")
    assert ran.code == 0
    assert "mcts:0.001s" in ran.out
    ran = command("simulate", "tic_tac_toe", "--games", "1", "--bot", "greedy", "--think", "1ms")
    assert ran.code == Exit.USAGE
    assert "'--think' is for bots that think: add '--bot normal'" in ran.err
