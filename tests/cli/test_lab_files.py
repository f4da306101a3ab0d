"""The output files of `simulate`: tables in three formats, and a report for a browser."""

from __future__ import annotations

import csv
import json
import os
import re
import sqlite3
from html.parser import HTMLParser
from importlib import import_module
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.exits import Exit
from rulewright.interpreter.statistics import recording
from rulewright.interpreter.statistics.tables import COLUMNS
from tests.cli.conftest import Command

GAMES = 12
WORDS = ("simulate", "night_market", "--games", str(GAMES))


def _csv(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_tables_add_up_with_the_report(command: Command) -> None:
    ran = command(*WORDS, "--out", "plays.csv", "--format", "json")
    assert ran.code == Exit.FINE
    data = json.loads(ran.out)
    games, seats = _csv("plays.csv"), _csv("plays.seats.csv")
    decisions, cards = _csv("plays.decisions.csv"), _csv("plays.cards.csv")
    assert [row["seed"] for row in games] == [str(seed) for seed in range(GAMES)]
    assert len(seats) == 2 * GAMES
    assert len(decisions) == sum(int(row["decisions"]) for row in games)
    assert sum(int(row["decisions"]) for row in seats) == len(decisions)
    assert data["length"]["mean"] == pytest.approx(len(decisions) / GAMES, abs=1e-6)
    for seat in (1, 2):
        points = [int(row["points"]) for row in seats if row["seat"] == str(seat)]
        mean = data["scores"][-1]["seats"][seat - 1]["mean"]
        assert mean == pytest.approx(sum(points) / GAMES, abs=1e-6)
        won = sum(row["won"] == "1" for row in seats if row["seat"] == str(seat))
        assert won == data["seats"][seat - 1]["wins"] + data["seats"][seat - 1]["shared"]
    for use in data["uses"]:
        mine = [row for row in cards if (row["sort"], row["name"]) == (use["sort"], use["name"])]
        assert sum(int(row["taken"]) for row in mine) == use["times_taken"], use["name"]
        assert sum(int(row["offered"]) for row in mine) == use["times_offered"]
        assert len({row["seed"] for row in mine if row["had"] == "1"}) == use["held"]
    for name, found in (("games", games), ("decisions", decisions), ("cards", cards)):
        assert list(found[0]) == [column.name for column in COLUMNS[name]]


@pytest.mark.slow
def test_all_forms_hold_the_same(command: Command) -> None:
    for path in ("a.csv", "a.sqlite", "a.parquet"):
        # a second time: our own file is overwritten
        for _ in range(2):
            assert command(*WORDS, "--out", path).code == Exit.FINE
    database = sqlite3.connect("a.sqlite")
    parquet: Any = import_module("pyarrow.parquet")
    for name in COLUMNS:
        part = "" if name == "games" else f".{name}"
        from_csv = [tuple(row.values()) for row in _csv(f"a{part}.csv")]
        found = database.execute(f"SELECT * FROM {name}").fetchall()
        assert _as_text(found) == from_csv
        table = parquet.read_table(f"a{part}.parquet").to_pylist()
        assert _as_text(tuple(row.values()) for row in table) == from_csv
    database.close()
    assert not list(Path().glob(".*"))


def _as_text(rows: Any) -> list[tuple[str, ...]]:
    return [tuple("" if cell is None else str(cell) for cell in row) for row in rows]


def test_settings_stand_in_one_table(command: Command) -> None:
    ran = command("simulate", "pig", "--players", "2,3", "--games", "3", "--out", "p.csv")
    assert ran.code == Exit.FINE
    assert [row["setting"] for row in _csv("p.csv")] == ["1"] * 3 + ["2"] * 3
    assert len(_csv("p.seats.csv")) == 3 * 2 + 3 * 3


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("plays.txt", "does not end with .csv, .sqlite or .parquet"),
        ("stalls.csv", "exists already and was not made by this command"),
        ("nowhere/plays.csv", "there is no folder"),
    ],
)
def test_wrong_output_files_are_refused(command: Command, path: str, said: str) -> None:
    Path("stalls.csv").write_text("name,price\n", encoding="utf-8")
    ran = command(*WORDS, "--out", path)
    assert ran.code == Exit.USAGE
    assert said in ran.err
    assert Path("stalls.csv").read_text(encoding="utf-8") == "name,price\n"


def test_all_variants_side_by_side(command: Command) -> None:
    ran = command("simulate", "pig", "--games", "5", "--all-variants")
    lines = [line for line in ran.out.splitlines() if re.match(r"\d+ players", line)]
    assert len(lines) > 2
    data = json.loads(
        command("simulate", "pig", "--games", "2", "--all-variants", "--format", "json").out
    )
    assert len(data["runs"]) == len(lines)


class _Page(HTMLParser):
    """Checks that every opened element is closed, and collects the text."""

    VOID = frozenset(("meta", "link", "br", "img", "hr"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.heads: list[str] = []
        self.drawings: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.add(found.get("id") or "")
        if tag == "a":
            self.links.add(found.get("href") or "")
        if tag == "svg":
            self.drawings.append(found.get("aria-label") or "")
        if tag == "th":
            assert found.get("scope") in ("col", "row")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.heads.append(data)


@pytest.mark.parametrize("option", ["--report=out.html", "--log=out.log"])
def test_a_full_disk_names_the_file(
    command: Command, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = command("simulate", "tic_tac_toe", "--games", "2", option)
    name = option.partition("=")[2]
    assert ran.err.splitlines()[-1] == f"`{name}`: No space left on device"
    assert ran.code == Exit.USAGE
    assert not [*Path().iterdir()]


FORK = """game "Fork"
    players 2
play
    each player
        choose one of
            option "left"
                log "{me} goes left"
            option "right"
                log "{me} goes right"
"""


def test_the_rules_of_a_report_are_those_of_its_matches(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if bots cannot repeat their choices, because they think for a set time."""
    Path("fork.game").write_text(FORK, encoding="utf-8")
    taken = chain([0, 0], repeat(1))  # the first match goes left, all later ones go right
    monkeypatch.setattr(recording, "bot_named", lambda _: lambda *_: next(taken))
    ran = command("simulate", "fork.game", "--games", "1", "--report", "out.html")
    assert ran.code == Exit.FINE, ran.err
    never = Path("out.html").read_text(encoding="utf-8").partition("never reached")[2]
    assert ("left" in never, "right" in never) == (False, True)


@pytest.mark.slow
def test_a_report_is_written_to_its_file(command: Command) -> None:
    ran = command(*WORDS, "--report", "out.html")
    assert ran.code == Exit.FINE
    text = Path("out.html").read_text(encoding="utf-8")
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.heads == [
        "Who wins",
        "Points",
        "Length",
        "Course of the games",
        "How games end",
        "Cards, tiles and other rows",
        "Actions and options",
        "What never happened",
        "Rules and clauses",
    ]
    assert len(page.drawings) == 10
    assert all(page.drawings)
    assert {link.removeprefix("#") for link in page.links} <= page.ids
    # it opens without a network, and nothing runs in it
    assert set(re.findall(r"https?://[^/\"]+", text)) <= {"http://www.w3.org"}
    assert "<script" not in text
    assert "Night Market: what 12 games say" in text
    # a clause of the rulebook, and how often it was reached
    assert "Clauses of the rulebook" in text
    Path("page.html").write_text("<p>mine</p>", encoding="utf-8")
    assert command(*WORDS, "--report", "page.html").code == Exit.USAGE
    assert command(*WORDS, "--report", "page.txt").code == Exit.USAGE
