"""`rulewright new`: its games pass `check` and `test` and can be played at once; nothing is overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli import starting
from rulewright.cli.commands.new import TEMPLATES
from tests.cli.conftest import Command
from tests.games import variants


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_templates_are_the_folders() -> None:
    assert sorted(TEMPLATES) == sorted(path.name for path in variants.TEMPLATES.iterdir())


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("name", ["old_orchard", "x", "parts/pig"])
def test_new_game_is_fine(command: Command, template: str, name: str) -> None:
    Path("parts").mkdir()
    ran = command("new", name, "--template", template)
    assert (ran.code, ran.err) == (0, "")
    stem = Path(name).name
    rules = Path(name) / f"{stem}.game"
    assert {f"{stem}.game", f"{stem}.scenario", f"{stem}.rules.md"} <= set(contents(Path(name)))
    assert f"rulewright play {rules}\n" in ran.out
    assert f'game "{stem.replace("_", " ").title()}"\n'.encode() in contents(Path(name))[rules.name]
    assert command("check", str(rules), f"{name}/{stem}.scenario").out == ""
    assert command("fmt", "--check", name).code == 0
    tested = command("test", f"{name}/{stem}.scenario")
    assert (tested.code, tested.out.endswith(" passed, 0 failed\n")) == (0, True)


@pytest.mark.parametrize(
    ("template", "engine"),
    [
        *((template, "python") for template in TEMPLATES),
        *(pytest.param(template, "reference", marks=pytest.mark.deep) for template in TEMPLATES),
    ],
)
def test_new_game_is_simulated(command: Command, template: str, engine: str) -> None:
    command("new", "orchard", "--template", template)
    words = ("simulate", "orchard", "--games", "20", "--seed", "3", "--engine", engine)
    ran = command(*words, "--format", "json")
    found = json.loads(ran.out)
    assert (ran.code, found["games"]) == (0, 20)


@pytest.mark.parametrize(
    "source", ["chess", "night_market", pytest.param("ginkgopolis", marks=pytest.mark.deep)]
)
def test_a_game_begins_with_another(command: Command, source: str) -> None:
    ran = command("new", "orchard", "--from", source)
    assert (ran.code, ran.err) == (0, "")
    scenarios = sorted(map(str, Path("orchard").glob("*.scenario")))
    assert command("check", "orchard/orchard.game", *scenarios).out == ""
    assert Path("orchard/orchard.game").read_text("utf-8").count('\ngame "Orchard"') == 1
    if source == "night_market":
        assert command("test", *scenarios).out.endswith(" passed, 0 failed\n")
    assert f"  rulewright play {Path('orchard/orchard.game')}\n" in ran.out


def test_a_game_begins_with_a_file(command: Command) -> None:
    command("new", "orchard")
    assert command("new", "garden", "--from", "orchard/orchard.game").code == 0
    assert command("test", "garden/garden.scenario").out.endswith(" passed, 0 failed\n")


def test_a_game_does_not_begin_with_two(command: Command) -> None:
    ran = command("new", "orchard", "--from", "chess", "--template", "dice")
    assert ran.code == 2 and "not with both" in ran.err
    ran = command("new", "orchard", "--from", "ches")
    assert ran.code != 0 and "chess" in ran.err
    assert not Path("orchard").exists()


@pytest.mark.parametrize("template", TEMPLATES)
def test_new_game_is_played(command: Command, template: str) -> None:
    command("new", "orchard", "--template", template)
    ran = command("play", "orchard", "--seed", "2", typed="1\n" * 60)
    assert ran.code == 0
    assert "The game is over" in ran.out


def test_names_of_the_template_are_gone(command: Command) -> None:
    for template in TEMPLATES:
        old = (variants.TEMPLATES / template / f"{template}.game").read_text(encoding="utf-8")
        title = old.partition('game "')[2].partition('"')[0]
        clause = old.partition("[")[2][:3]
        command("new", template * 2, "--template", template)
        for data in contents(Path(template * 2)).values():
            assert title.encode() not in data
            assert clause.encode() not in data


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Night Market", "`night_market` would do"),
        ("NightMarket.game", "`night_market` would do"),
        ("9lives", "begins with a letter"),
        ("", "begins with a letter"),
        ("..", "begins with a letter"),
        ("a__b", "`a_b` would do"),
        ("no_folder/market", "there is no folder `no_folder`"),
        ("a" * 300, "at most 60 letters"),
        ("x\x00y", "`x_y` would do"),
        ("taken", "is there already"),
        ("file", "is there already"),
        ("file/market", "there is no folder `file`"),
    ],
)
def test_bad_names_of_games_are_refused(command: Command, name: str, said: str) -> None:
    Path("taken").mkdir()
    Path("file").write_text("mine", encoding="utf-8")
    ran = command("new", name)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert contents(Path("taken")) == {}
    assert Path("file").read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["file", "taken"]


def test_an_unknown_template_is_refused_with_near_names(command: Command) -> None:
    ran = command("new", "market", "--template", "bored")
    assert ran.code == 2
    assert "board" in ran.err
    assert not Path("market").exists()


def test_half_a_game_is_taken_away(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_text

    def full(path: Path, *words: object, **options: object) -> int:
        if path.suffix == ".scenario":
            raise OSError(28, "No space left on device")
        return write(path, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "write_text", full)
    ran = command("new", "market")
    assert ran.code == 2
    assert ran.err == "`market/market.scenario`: No space left on device\n"
    assert not Path("market").exists()


@pytest.mark.parametrize(
    ("name", "letters"), [("night_market", "NM"), ("orchard", "OR"), ("x", "XX"), ("a2_b", "AB")]
)
def test_letters_of_clauses_come_from_the_name(name: str, letters: str) -> None:
    assert starting.letters(name) == letters
