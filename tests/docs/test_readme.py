"""The examples of the README are true: its game, its commands, its Python."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from rulewright.cli.app import modules
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.game import game_of, playout
from tests.docs.pages import ROOT, examples, fences
from tests.docs.test_spec import problem_texts, write_example

README = ROOT / "README.md"


def test_the_game_of_the_readme_plays(tmp_path: Path) -> None:
    (example,) = examples(README)
    loaded = load(write_example(example, tmp_path))
    assert loaded.check() == (), problem_texts(loaded.check())
    game = game_of("readme", loaded)
    for players in (2, 3, 4):
        for seed in range(3):
            assert playout(game.compiled(game.variant(players), "reference"), seed, 500).over


def test_the_python_of_the_readme_runs() -> None:
    (code,) = (fence.text for fence in fences(README) if fence.word == "python")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "tokens of affection" in done.stdout


def test_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines = [line for f in fences(README) if f.word == "sh" for line in f.text.splitlines()]
    for line in lines:
        if line.startswith("make "):
            assert f"\n{line.split()[1]}: " in makefile


def test_commands_are_there() -> None:
    used = set(re.findall(r"(?<!from )rulewright ([a-z]+) ", README.read_text(encoding="utf-8")))
    assert used
    assert used <= {*modules()}


def test_the_terminal_looks_as_shown() -> None:
    (shot,) = (fence.text for fence in fences(README) if fence.word == "text")
    call = ["play", "connect_four", "--seat", "2=random", "--seed", "5"]
    done = subprocess.run(
        [sys.executable, "-c", "from rulewright.cli.entry import main; main()", *call],
        input="4\n4\n3\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert shot in done.stdout
