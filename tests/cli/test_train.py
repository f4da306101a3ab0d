"""The command `train` writes weights, or says why it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulewright import load_game
from rulewright.interpreter.bots.search import Search
from rulewright.interpreter.bots.weights import path_beside
from rulewright.interpreter.engines.chance import Generator
from tests.cli.conftest import Command
from tests.interpreter.bots.test_patterns import TAKE
from tests.interpreter.bots.test_weights import HARVEST


def test_the_command_writes_weights_that_bots_find(tmp_path: Path, command: Command) -> None:
    file = str(tmp_path / "harvest.game")
    Path(file).write_text(HARVEST, encoding="utf-8")
    ran = command("train", file, "--bot", "random", "--games", "60", "--tries", "0")
    assert ran.code == 0, ran.err
    path = path_beside(file)
    assert ran.out.splitlines()[-1] == f"written to {path}"
    assert "(from 60 matches)" in ran.out.splitlines()[0]
    assert "\n  seeds: w" in ran.out
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["matches"] == 60
    state = load_game(file).start()
    assert Search(state, Generator.seeded(1)).tree.merits == len(data["things"])
    ran = command("simulate", file, "--bot", "mcts:2", "--games", "1")
    assert "weights" not in ran.err
    path.write_text("mine", encoding="utf-8")
    said = "`harvest.weights.json` holds no weights, so bots do without it\n"
    assert said in command("simulate", file, "--bot", "mcts:2", "--games", "1").err
    assert said in command("play", file, "--seat", "2=mcts:2", typed="").out
    assert said not in command("play", file, "--seat", "2=greedy", typed="").out
    ran = command("train", file, "--bot", "random", "--games", "20")
    assert ran.code == 2
    assert "holds something other than weights, so it is kept" in ran.err
    assert path.read_text(encoding="utf-8") == "mine"


def test_the_command_learns_patterns_on_a_board(tmp_path: Path, command: Command) -> None:
    file = str(tmp_path / "take.game")
    Path(file).write_text(TAKE, encoding="utf-8")
    ran = command("train", file, "--games", "250", "--tries", "0")
    path = path_beside(file)
    assert ran.out.splitlines() == [
        "6 spaces in a pattern, learned from 250 matches",
        f"written to {path}",
    ]
    state = load_game(file).start()
    assert Search(state, Generator.seeded(1)).tree.patterns
    assert "weights" not in command("simulate", file, "--bot", "mcts:2", "--games", "1").err
    out = command("train", file, "--games", "100", "--tries", "2").out
    assert "of 2 matches against mcts:20 without" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess",), "Chess has no points, and weights are learned beside points"),
        (("kalah",), "the players of Kalah have nothing of their own to be weighed"),
        (("harvest.game", "--games", "3"), "too few matches: at least 12 are needed"),
    ],
)
def test_the_command_says_why_there_is_nothing_to_learn(
    arguments: tuple[str, ...], said: str, command: Command
) -> None:
    Path("harvest.game").write_text(HARVEST, encoding="utf-8")
    ran = command("train", *arguments, "--bot", "random")
    assert (ran.code, ran.out.strip()) == (0, said)
    assert command("train", "kalah", "--bot", "nobody").code == 2


def test_weights_are_tried_in_matches(tmp_path: Path, command: Command) -> None:
    """Weights are written only if a bot wins more often with them."""
    file = str(tmp_path / "harvest.game")
    Path(file).write_text(HARVEST, encoding="utf-8")
    out = command("train", file, "--bot", "random", "--games", "60", "--tries", "8").out
    found = re.search(
        r"with them mcts:20 wins (\d+)% of 8 matches against mcts:20 without "
        r"\(\d+% to \d+%; 50% is fair\)\n",
        out,
    )
    assert found is not None
    assert path_beside(file).exists() == (int(found[1]) > 50)
    assert ("nothing is written" in out) == (int(found[1]) <= 50)
