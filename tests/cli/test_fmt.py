"""`rulewright fmt`: the files that it writes, its messages, and the files that it leaves unchanged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Command

UNTIDY = 'game   "Pebbles"\n  players 2 # both\nplay\n  win  first( p in players by p.number)\n'
TIDY = 'game "Pebbles"\n    players 2  # both\nplay\n    win first(p in players by p.number)\n'
BROKEN = 'game "Pebbles"\n    players\nplay\n    wins\n'
SCENARIO = 'scenario   "it is over" \n\n  expect game_over\n'
TIDY_SCENARIO = 'scenario "it is over"\n    expect game_over\n'


def test_it_writes_what_is_untidy(command: Command) -> None:
    Path("a.game").write_text(UNTIDY)
    Path("b.scenario").write_text(SCENARIO)
    ran = command("fmt", "a.game", "b.scenario")
    assert (ran.code, ran.out, ran.err) == (0, "formatted a.game\nformatted b.scenario\n", "")
    assert Path("a.game").read_text() == TIDY
    assert Path("b.scenario").read_text() == TIDY_SCENARIO
    again = command("fmt", "a.game", "b.scenario")
    assert (again.code, again.out, again.err) == (0, "", "")


def test_a_tidy_file_is_not_written(command: Command) -> None:
    file = Path("a.game")
    file.write_text(TIDY)
    os.utime(file, (1, 1))
    assert command("fmt", "a.game").code == 0
    assert file.stat().st_mtime == 1


def test_check_names_files_and_writes_nothing(command: Command) -> None:
    Path("a.game").write_text(UNTIDY)
    Path("b.game").write_text(TIDY)
    ran = command("fmt", "--check", "a.game", "b.game")
    assert (ran.code, ran.out, ran.err) == (1, "a.game\n", "")
    assert Path("a.game").read_text() == UNTIDY
    assert command("fmt", "--check", "b.game").code == 0


def test_diff_shows_and_writes_nothing(command: Command) -> None:
    Path("a.game").write_text(UNTIDY.rstrip("\n"))
    ran = command("fmt", "--diff", "a.game")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "--- a.game",
        "+++ a.game (formatted)",
        "@@ -1,4 +1,4 @@",
        '-game   "Pebbles"',
        "-  players 2 # both",
        '+game "Pebbles"',
        "+    players 2  # both",
        " play",
        "-  win  first( p in players by p.number)",
        "\\ No newline at end of file",
        "+    win first(p in players by p.number)",
    ]
    assert Path("a.game").read_text() == UNTIDY.rstrip("\n")


def test_a_file_that_cannot_be_read_is_left_and_the_others_are_written(command: Command) -> None:
    Path("a.game").write_text(BROKEN)
    Path("b.game").write_text(UNTIDY)
    Path("c.game").write_bytes(b"game\0")
    ran = command("fmt", "a.game", "b.game", "c.game")
    assert ran.code == 1
    assert ran.out == "formatted b.game\n"
    assert "error[unexpected-end]" in ran.err
    assert "--> a.game:2:5" in ran.err
    assert "error[binary-file]" in ran.err
    assert Path("a.game").read_text() == BROKEN
    assert Path("c.game").read_bytes() == b"game\0"


def test_fmt_formats_games_with_problems(command: Command) -> None:
    Path("a.game").write_text(UNTIDY.replace("p.number", "p.height"))
    assert command("check", "a.game").code == 1
    assert command("fmt", "a.game").code == 0


def test_fmt_goes_through_folders(command: Command) -> None:
    for name in ("b.game", "inner/a.game", ".venv/c.game", "inner/x.scenario"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(SCENARIO if name.endswith("scenario") else UNTIDY)
    Path("inner/table.csv").write_text("a ,b\n")
    ran = command("fmt", "--check", ".", "b.game")
    assert ran.out.splitlines() == ["b.game", "inner/a.game", "inner/x.scenario"]
    assert command("fmt", "inner").out.splitlines() == [
        "formatted inner/a.game",
        "formatted inner/x.scenario",
    ]
    assert Path("inner/table.csv").read_text() == "a ,b\n"


@pytest.mark.parametrize(
    "data",
    [
        TIDY.replace("\n", "\r\n").encode(),
        TIDY.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TIDY.encode(),
        TIDY.replace("    ", "\t").encode(),
        TIDY.rstrip("\n").encode(),
        f"\n\n{TIDY}\n\n".encode(),
    ],
)
def test_line_ends_marks_and_tabs(command: Command, data: bytes) -> None:
    Path("a.game").write_bytes(data)
    assert command("fmt", "--check", "a.game").code == 1
    assert command("fmt", "a.game").code == 0
    assert Path("a.game").read_bytes() == TIDY.encode()


def test_links_and_modes_stay(command: Command) -> None:
    Path("a.game").write_text(UNTIDY)
    Path("a.game").chmod(0o640)
    Path("link.game").symlink_to("a.game")
    assert command("fmt", "link.game").code == 0
    assert Path("link.game").is_symlink()
    assert Path("a.game").read_text() == TIDY
    assert Path("a.game").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in Path().iterdir()) == ["a.game", "link.game"]


def test_a_file_that_may_not_be_written(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.game").write_text(UNTIDY)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    ran = command("fmt", "a.game")
    assert (ran.code, ran.err) == (2, "`a.game`: Permission denied\n")
    assert Path("a.game").read_text() == UNTIDY


def test_fmt_refuses_wrong_usage(command: Command) -> None:
    Path("a.csv").write_text("a,b\n")
    assert command("fmt").code == 2
    assert command("fmt", "no_such.game").code == 2
    ran = command("fmt", "a.csv")
    assert ran.code == 2
    assert "the name ends in .game or .scenario" in ran.err


def test_an_empty_file_stays_empty(command: Command) -> None:
    Path("a.game").write_text("\n  \n")
    assert command("fmt", "a.game").code == 0
    assert Path("a.game").read_text() == ""
