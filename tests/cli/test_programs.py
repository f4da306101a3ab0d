"""A game is compiled when it is first played; invalid notes about it are ignored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli.app import run
from rulewright.cli.exits import Exit
from rulewright.dsl.loading import loading
from tests.cli.kept_notes import content_of, rewrite

GAME = """\
game "Walk"
    players 2..3
    never far is yes and player_count is 3

include "steps.game"

option far = no, yes

piece Stone from "stones.csv"
    weight: 0..9

zone bag: set of Stone

setup
    move all from Stone to bag

play
    repeat while not is_over
        each player
            surely do walk

score of p
    item "steps" = p.steps

winner p by p.total then shared
"""
STEPS = """\
player
    state steps: 0..99

value is_over = any(p in players: p.steps >= (if far is yes then 9 else 6))

action walk(n in 1..3)
    say "walk {n}"
    add n to me.steps
    log "{me} walks {n} with {bag.size} stones"
"""
STONES = "name,weight\nflint,1\nchalk,2\n"
PARTS = {"walk.game": GAME, "steps.game": STEPS, "stones.csv": STONES}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The games that have been read."""
    found: list[Path] = []
    load = loading.load

    def noting_load(path: Path, **rest: object) -> loading.Loaded:
        found.append(path)
        return load(path, **rest)  # type: ignore[arg-type]  # as it is called

    monkeypatch.setattr(loading, "load", noting_load)
    return found


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[Path]) -> Path:
    """A game of three files, played once, with its own cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.platform", "linux")
    for name, text in PARTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert plays(tmp_path / "walk.game")
    assert len(reads) == 1
    reads.clear()
    return tmp_path / "walk.game"


def plays(game: Path, *options: str) -> bool:
    return run(["perft", str(game), "--depth", "2", *options]) == Exit.FINE


def notes(walk: Path) -> list[Path]:
    return sorted((walk.parent / "cache/rulewright/programs").iterdir())


def test_the_second_time_it_is_not_read(walk: Path, reads: list[Path]) -> None:
    assert plays(walk)
    assert reads == []
    assert len(notes(walk)) == 2


def test_another_setting_is_compiled_once(walk: Path, reads: list[Path]) -> None:
    for _ in range(2):
        assert plays(walk, "--set", "far=yes")
    assert len(reads) == 1
    assert len(notes(walk)) == 3


def test_unplayable_variants_are_refused_without_reading_the_game(
    walk: Path, reads: list[Path]
) -> None:
    for _ in range(2):
        assert not plays(walk, "--players", "3", "--set", "far=yes")
    assert len(reads) == 1


@pytest.mark.parametrize("part", PARTS)
def test_changed_files_are_read_again(walk: Path, reads: list[Path], part: str) -> None:
    with (walk.parent / part).open("a", encoding="utf-8") as file:
        file.write("\n")
    for _ in range(2):
        assert plays(walk)
    assert len(reads) == 1


def _truncate(note: Path) -> None:
    note.write_bytes(note.read_bytes()[:-20])


def _empty(note: Path) -> None:
    note.write_bytes(b"")


def _list(note: Path) -> None:
    note.write_text("[]", encoding="utf-8")


def _other_language(note: Path) -> None:
    rewrite(note, {**content_of(note), "language": "another", "of": "another"})


def _make_writable(note: Path) -> None:
    note.chmod(0o666)


def _no_program(note: Path) -> None:
    rewrite(note, {**content_of(note), "program": {"words": []}, "facts": {"words": []}})


def _another_number(note: Path) -> None:
    text = note.read_text(encoding="utf-8")
    digit = next(at for at in range(len(text) - 1, -1, -1) if text[at].isdigit())
    note.write_text(text[:digit] + str(9 - int(text[digit])) + text[digit + 1 :], encoding="utf-8")


@pytest.mark.parametrize(
    "spoil",
    [
        _truncate,
        _empty,
        _list,
        _other_language,
        _make_writable,
        _no_program,
        _another_number,
        Path.unlink,
    ],
)
def test_a_note_that_is_not_good_is_passed_over(
    walk: Path,
    reads: list[Path],
    spoil: Callable[[Path], object],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(2):
        spoil(notes(walk)[number])
        reads.clear()
        assert plays(walk)
        assert len(reads) == 1
    assert capsys.readouterr().err == ""


def test_games_run_without_a_writable_cache(
    walk: Path, reads: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (walk.parent / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(walk.parent / "file"))
    assert plays(walk)
    assert len(reads) == 1


def test_a_broken_game_is_refused_each_time(walk: Path, reads: list[Path]) -> None:
    walk.write_text(GAME.replace("do walk", "do run"), encoding="utf-8")
    for _ in range(2):
        assert not plays(walk)
    assert len(reads) == 2
