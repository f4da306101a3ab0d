"""Unchanged files are not checked again; invalid notes are ignored."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli import notes, verdicts
from rulewright.cli.app import run
from rulewright.cli.exits import Exit
from rulewright.dsl.loading import loading
from tests.cli.kept_notes import content_of, rewrite

GAME = """\
game "Market"
    players 2
    rulebook "market.rules.md"

include "more.game"

piece Good from "goods.csv"
    price: 0..9

zone shop: set of Good

setup
    move all from Good to shop    [MK-1]

play
    each player
        do earn

score of p
    item "coins" = p.coins

winner p by p.total then shared
"""
MORE = """\
player
    state coins: 0..9

rule earn
    add 1 to me.coins
"""
GOODS = "name,price\ntea,1\nrice,2\n"
CLAUSES = "# Market\n\n- **MK-1** All goods lie in the shop.\n"
Damage = Callable[[Path], object]
PARTS = {"market.game": GAME, "more.game": MORE, "goods.csv": GOODS, "market.rules.md": CLAUSES}
ANOTHER = {
    "market.game": GAME.replace("each player\n        do earn", "do nothing"),
    "more.game": MORE.replace("add 1", "ad 1"),
    "goods.csv": GOODS.replace("2", "two"),
    "market.rules.md": CLAUSES.replace("MK-1", "MK-2"),
}


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of four files, checked once, with its own cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "platform", "linux")
    folder = tmp_path / "market"
    folder.mkdir()
    for name, text in PARTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    game = folder / "market.game"
    assert check(game) == (Exit.FINE, True)
    return game


def check(game: Path) -> tuple[int, bool]:
    """The exit code of `check`, and whether it had to read the rules."""
    read = []
    load = loading.load
    with pytest.MonkeyPatch.context() as patch:

        def noting_load(path: Path, **rest: Any) -> loading.Loaded:
            read.append(path)
            return load(path, **rest)

        patch.setattr(loading, "load", noting_load)
        code = run(["check", str(game)])
    return code, bool(read)


def note_of(game: Path) -> Path:
    (note,) = (game.parents[1] / "cache").rglob("*.json")
    return note


def test_unchanged_files_are_not_read_again(market: Path) -> None:
    assert check(market) == (Exit.FINE, False)
    assert check(market) == (Exit.FINE, False)


@pytest.mark.parametrize("name", PARTS)
def test_every_part_counts(market: Path, name: str) -> None:
    part = market.parent / name
    part.write_text(ANOTHER[name], encoding="utf-8")
    assert check(market) == (Exit.PROBLEMS, True)
    assert check(market) == (Exit.PROBLEMS, True), "what is wrong is told each time"
    part.write_text(PARTS[name], encoding="utf-8")
    assert check(market) == (Exit.FINE, False)
    part.unlink()
    assert check(market)[0] != Exit.FINE


def test_files_beside_that_would_be_taken_instead_count(market: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    words = ["check", str(market), "--tables", str(own)]
    assert run(words) == Exit.FINE
    (own / "goods.csv").write_text("name,price\ntea,ten\n", encoding="utf-8")
    assert run(words) == Exit.PROBLEMS
    assert check(market) == (Exit.FINE, False)


def test_a_scenario_knows_its_game(market: Path) -> None:
    scenario = market.with_suffix(".scenario")
    text = 'scenario "earning"\n    player ann, bob\n    play\n    expect ann.coins is 1\n'
    scenario.write_text(text, encoding="utf-8")
    first = run(["check", str(scenario)])
    assert check(scenario) == (first, first != Exit.FINE)
    (market.parent / "more.game").write_text(MORE.replace("coins", "gold"), encoding="utf-8")
    assert check(scenario) == (Exit.PROBLEMS, True)


def test_another_version_of_the_language_checks_again(
    market: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "language", lambda: "another")
    assert check(market) == (Exit.FINE, True)
    assert check(market) == (Exit.FINE, False)


def test_the_language_version_follows_from_its_files() -> None:
    assert notes.language() == notes.language()
    assert len(notes.language()) == 64


def _without(key: str) -> Damage:
    def damage(note: Path) -> None:
        data = content_of(note)
        del data[key]
        rewrite(note, data)

    return damage


def _with(key: str, value: object) -> Damage:
    def damage(note: Path) -> None:
        rewrite(note, {**content_of(note), key: value})

    return damage


def _bytes(data: bytes) -> Damage:
    return lambda note: note.write_bytes(data)


def _truncate(note: Path) -> None:
    note.write_bytes(note.read_bytes()[:-7])


def _change_character(note: Path) -> None:
    text = note.read_text(encoding="utf-8")
    note.write_text(text.replace(".game", ".gamf", 1), encoding="utf-8")


def _folder(note: Path) -> None:
    note.unlink()
    note.mkdir()


def _open_file(note: Path) -> None:
    note.chmod(0o666)


def _open_folder(note: Path) -> None:
    note.parent.chmod(0o777)


def _link(note: Path) -> None:
    elsewhere = note.with_name("elsewhere")
    note.rename(elsewhere)
    note.symlink_to(elsewhere)


DAMAGES = {
    "empty": _bytes(b""),
    "no text": _bytes(bytes(range(256))),
    "cut": _truncate,
    "a list": _bytes(b"[]"),
    "deep": _bytes(b"[" * 100_000),
    "large": _bytes(b" " * 2_000_000 + b"{}"),
    "a character changed": _change_character,
    "no parts": _without("parts"),
    "no language": _without("language"),
    "no parts named": _with("parts", {}),
    "parts of another sort": _with("parts", ["market.game"]),
    "a part that is no file": _with("parts", {"/dev/zero": ["/dev/zero", "0"]}),
    "about another game": _with("about", ["/another.game", ""]),
    "a folder": _folder,
    "others may write the note": _open_file,
    "others may write the folder": _open_folder,
    "a link": _link,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_note_that_is_not_good_is_passed_over(market: Path, damage: Damage) -> None:
    damage(note_of(market))
    assert check(market) == (Exit.FINE, True)


def test_check_works_without_a_writable_cache(
    market: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert check(market) == (Exit.FINE, True)
    assert check(market) == (Exit.FINE, True)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(Path, "home", _homeless)
    assert check(market) == (Exit.FINE, True)


def _homeless() -> Path:
    raise RuntimeError("no home")


def test_old_notes_make_room(market: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "MOST_NOTES", 4)
    folder = note_of(market).parent
    for number in range(6):
        (folder / f"{number}.json").write_text("{}", encoding="utf-8")
        os.utime(folder / f"{number}.json", (number, number))
    market.write_text(GAME + "\n", encoding="utf-8")
    assert check(market) == (Exit.FINE, True)
    assert len(list(folder.iterdir())) == 2
    assert check(market) == (Exit.FINE, False)


def test_many_may_check_at_once(market: Path) -> None:
    words = [sys.executable, "-c", "from rulewright.cli.entry import main; main()", "check"]
    note_of(market).unlink()
    running = [subprocess.Popen([*words, str(market)]) for _ in range(3)]
    assert [each.wait() for each in running] == [0, 0, 0]
    assert [file.suffix for file in note_of(market).parent.iterdir()] == [".json"]
    assert check(market) == (Exit.FINE, False)
