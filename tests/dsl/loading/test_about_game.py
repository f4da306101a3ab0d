"""`designer`, `publisher`, `minutes`, `mechanisms`, `weight`: facts for lists, and messages for wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.dsl.about import NOTHING_SAID, AboutGame
from rulewright.dsl.loading.loading import load

GAME = """game "Ferry"
    players 2
{lines}
play
    log "gone"
    end game
"""


def _load(tmp_path: Path, *lines: str) -> tuple[AboutGame, list[str]]:
    file = tmp_path / "ferry.game"
    file.write_text(GAME.replace("{lines}", "".join(f"    {line}\n" for line in lines)))
    loaded = load(file)
    assert loaded.facts is not None
    return loaded.facts.about, [found.message for found in loaded.problems]


def test_facts_are_read(tmp_path: Path) -> None:
    about, problems = _load(
        tmp_path,
        'designer "Ann Bell"',
        'publisher "Ferry Games"',
        "minutes 20..30",
        'mechanisms "auction,  set collection,"',
        "weight heavy",
    )
    assert problems == []
    assert about == AboutGame(
        "Ann Bell", "Ferry Games", (20, 30), ("auction", "set collection"), "heavy"
    )
    assert AboutGame.of_data(json.loads(json.dumps(about.as_data()))) == about


def test_facts_may_be_missing(tmp_path: Path) -> None:
    assert _load(tmp_path) == (NOTHING_SAID, [])
    assert AboutGame.of_data(json.loads(json.dumps(NOTHING_SAID.as_data()))) == NOTHING_SAID


def test_one_number_of_minutes(tmp_path: Path) -> None:
    assert _load(tmp_path, "minutes 45")[0].minutes == (45, 45)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("minutes 0", "`minutes` takes a number or a range, from 1 to 9,999"),
        ("minutes 30..20", "`minutes` takes a number or a range, from 1 to 9,999"),
        ('minutes "an hour"', "`minutes` takes a number or a range, from 1 to 9,999"),
        ("weight lite", "the weight of a game is light, medium or heavy"),
        ('weight "light"', "the weight of a game is light, medium or heavy"),
        ("designer Ann", "`designer` is followed by words in quotes"),
        ("mechanisms auction", "`mechanisms` is followed by words in quotes"),
    ],
)
def test_wrong_facts_are_reported(tmp_path: Path, line: str, message: str) -> None:
    assert _load(tmp_path, line)[1] == [message]


def test_a_fact_is_given_once(tmp_path: Path) -> None:
    file = tmp_path / "ferry.game"
    file.write_text(GAME.replace("{lines}", "    minutes 20\n    minutes 30\n"))
    assert [found.message for found in load(file).check()] == ["`minutes` is set twice"]


def test_the_words_stay_free_for_columns_and_names(tmp_path: Path) -> None:
    file = tmp_path / "ferry.game"
    file.write_text(
        """game "Ferry"
    players 2
kind Boat
    weight: 1..9
    minutes: 1..99
    row raft, 1, 50
value designer = raft.weight + raft.minutes
play
    log "{designer}"
    end game
"""
    )
    loaded = load(file)
    assert loaded.program(2, {}) is not None, loaded.problems
