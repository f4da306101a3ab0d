"""`simulate --trajectories` writes each decision of each match in the form that a learner needs."""

from __future__ import annotations

import json
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rulewright import Actions, load_game
from rulewright.cli.exits import Exit
from tests.cli.conftest import Command

WORDS = ("simulate", "kuhn_poker", "--games", "8", "--engine", "python", "--seed", "3")


def _table(path: str) -> Any:
    parquet: Any = import_module("pyarrow.parquet")
    return parquet.read_table(path)


def test_each_decision_is_a_row(command: Command) -> None:
    for _ in range(2):  # a second time: our own file is overwritten
        assert command(*WORDS, "--trajectories", "t.parquet").code == Exit.FINE
    table = _table("t.parquet")
    matches: dict[int, list[Any]] = defaultdict(list)
    for row in table.to_pylist():
        matches[row["match"]].append(row)
    game = load_game("kuhn_poker")
    assert [rows[0]["seed"] for rows in matches.values()] == [*range(3, 11)]
    for rows in matches.values():
        state = game.start(seed=rows[0]["seed"])
        actions = Actions(state.compiled)
        for number, row in enumerate(rows):
            assert (row["decision"], row["seat"]) == (number, state.player)
            assert row["observation"] == list(state.observe(state.player))
            assert row["legal_actions"] == actions.offered(state)
            state = actions.take(state, row["action"])
        assert state.over
        for seat in range(2):
            mine = [row for row in rows if row["seat"] == seat]
            assert [row["last"] for row in mine] == [0] * (len(mine) - 1) + [1]
            assert mine[-1]["reward"] == state.returns()[seat]
            assert mine[-1]["points"] == state.returns("points")[seat]
            assert not any(row["reward"] or row["points"] for row in mine[:-1])
    about = table.schema.metadata
    assert about[b"rules"].decode() == game.hash
    setting = json.loads(about[b"settings"])[0]
    start = game.start()
    assert (setting["players"], setting["actions"]) == (2, len(Actions(start.compiled)))
    assert sum(part[2] for part in setting["observation"]) == len(start.observe(0))
    assert not list(Path().glob(".*.part"))


def test_recorded_matches_give_the_same_rows(command: Command) -> None:
    assert command(*WORDS, "--log", "r.jsonl", "--trajectories", "a.parquet").code == Exit.FINE
    again = command("simulate", "kuhn_poker", "--records", "r.jsonl", "--trajectories", "b.parquet")
    assert again.code == Exit.FINE
    assert _table("a.parquet").to_pylist() == _table("b.parquet").to_pylist()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--trajectories", "t.csv"), "'t.csv' does not end with .parquet"),
        (("--trajectories", "mine.parquet"), "exists already and was not made by this command"),
        (("--trajectories", "nowhere/t.parquet"), "there is no folder"),
        (("--trajectories", "t.parquet", "--coverage"), "cannot be combined with '--coverage'"),
    ],
)
def test_wrong_files_are_refused(command: Command, words: tuple[str, ...], said: str) -> None:
    Path("mine.parquet").write_bytes(b"mine")
    ran = command(*WORDS, *words)
    assert ran.code == Exit.USAGE
    assert said in ran.err
    assert Path("mine.parquet").read_bytes() == b"mine"
