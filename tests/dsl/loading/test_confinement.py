"""A game reads files of its own folder and below, and nothing of any other file is ever shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.diagnostics.render import render
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.interpreter.matches.game import load_game
from rulewright.interpreter.text.errors import BrokenGameError

SECRET = "root:x:0:0"
PLAYED = """game "Little"
    players 2

play
    log "hello"

score of p
    item "points" = 1

winner p by p.total then shared
"""
FARMS = '\nkind Farm from "{}"\n    food: 0..9\n'
FARM_TABLE = "id,food\nwide,3\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game; beside it are files that the game must not read."""
    (tmp_path / "secret.game").write_text("value secret = 3\n")
    (tmp_path / "secret.csv").write_text(FARM_TABLE)
    (tmp_path / "secret.md").write_text(f"- **AB-001** {SECRET}\n")
    (tmp_path / "passwd").write_text(f"{SECRET}\n")
    (tmp_path / "game").mkdir()
    return tmp_path / "game"


def problems(path: Path, text: str, reach: Reach | None = None) -> tuple[Diagnostic, ...]:
    path.write_text(text)
    found = load(path, reach=reach).check()
    assert not any(SECRET in render(one) for one in found)
    return found


def codes(path: Path, text: str, reach: Reach | None = None) -> set[str]:
    return {one.code for one in problems(path, text, reach)} - {"unused-name"}


def absolute(folder: Path, ending: str) -> str:
    return str(folder.parent / f"secret{ending}")


def above(folder: Path, ending: str) -> str:
    return f"../secret{ending}"


def as_link(folder: Path, ending: str) -> str:
    (folder / f"mine{ending}").symlink_to(f"../secret{ending}")
    return f"mine{ending}"


def in_linked_folder(folder: Path, ending: str) -> str:
    (folder / "inside").symlink_to("..")
    return f"inside/secret{ending}"


WAYS = (absolute, above, as_link, in_linked_folder)


@pytest.mark.parametrize("way", WAYS)
def test_an_include_outside_the_folder_is_refused(
    folder: Path, way: Callable[[Path, str], str]
) -> None:
    text = f'include "{way(folder, ".game")}"\n\n{PLAYED}'
    assert codes(folder / "a.game", text) == {"outside-folder"}
    assert codes(folder / "a.game", text, Reach(allow_outside=True)) == set()


@pytest.mark.parametrize("way", WAYS)
def test_a_table_outside_the_folder_is_refused(
    folder: Path, way: Callable[[Path, str], str]
) -> None:
    text = PLAYED + FARMS.format(way(folder, ".csv"))
    assert codes(folder / "a.game", text) == {"outside-folder"}
    assert "outside-folder" not in codes(folder / "a.game", text, Reach(allow_outside=True))


@pytest.mark.parametrize("way", WAYS)
def test_a_rulebook_outside_the_folder_is_refused(
    folder: Path, way: Callable[[Path, str], str]
) -> None:
    text = PLAYED.replace("players 2", f'players 2\n    rulebook "{way(folder, ".md")}"')
    assert codes(folder / "a.game", text) == {"outside-folder"}
    with pytest.raises(BrokenGameError):
        load_game(folder / "a.game")
    assert SECRET in load_game(folder / "a.game", allow_outside=True).rules_text()


def test_folders_below_are_read(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "map.game").write_text('include "../more.game"\n')
    (folder / "more.game").write_text("value more = 3\n")
    (folder / "parts" / "farms.csv").write_text(FARM_TABLE)
    text = f'include "parts/map.game"\n\n{PLAYED}' + FARMS.format("parts/farms.csv")
    assert codes(folder / "a.game", text) == set()


def test_a_folder_of_tables_is_permission_for_it_alone(folder: Path) -> None:
    tables = folder.parent / "tables"
    tables.mkdir()
    (tables / "farms.csv").write_text(FARM_TABLE)
    reach = Reach(tables)
    assert codes(folder / "a.game", PLAYED + FARMS.format("farms.csv"), reach) == set()
    text = PLAYED + FARMS.format("../secret.csv")
    assert codes(folder / "a.game", text, reach) == {"outside-folder"}
    (tables / "linked.csv").symlink_to("../secret.csv")
    text = PLAYED + FARMS.format("linked.csv")
    assert codes(folder / "a.game", text, reach) == {"outside-folder"}


def test_the_message_names_the_way_out(folder: Path) -> None:
    (found,) = problems(folder / "a.game", f'include "../secret.game"\n{PLAYED}')
    assert found.message == "`../secret.game` lies outside the folder of the game"
    assert "--allow-outside" in found.help
    as_link(folder, ".game")
    (found,) = problems(folder / "a.game", f'include "mine.game"\n{PLAYED}')
    assert found.message == "`mine.game` is a link to a file outside the folder of the game"


SCENARIO = '\nscenario "nothing happens"\n    player ann, bob\n'


def test_the_game_of_a_scenario(folder: Path) -> None:
    (folder / "a.game").write_text(PLAYED)
    inside = folder / "tests"
    inside.mkdir()
    (folder.parent / "b.game").write_text(PLAYED)

    def wrong(place: Path, named: str, reach: Reach | None = None) -> set[str]:
        place.write_text(f'game "{named}"\n{SCENARIO}')
        return {one.code for one in load_scenarios(place, reach=reach).problems}

    assert wrong(inside / "one.scenario", "../a.game") == set()
    assert wrong(folder / "one.scenario", "a.game") == set()
    assert wrong(inside / "one.scenario", "../../b.game") == {"outside-folder"}
    assert wrong(inside / "one.scenario", "../../b.game", Reach(allow_outside=True)) == set()
    assert wrong(inside / "one.scenario", str(folder / "a.game")) == {"outside-folder"}


def test_scenarios_include_only_files_of_their_folder(folder: Path) -> None:
    (folder / "a.game").write_text(PLAYED)
    (folder / "tests").mkdir()
    for place in (folder.parent, folder):
        (place / "begin.scenario").write_text('beginning "start"\n    player ann, bob\n')
    path = folder / "tests" / "one.scenario"

    def wrong(named: str) -> set[str]:
        path.write_text(f'game "../a.game"\ninclude "{named}"\n{SCENARIO}')
        return {one.code for one in load_scenarios(path).problems}

    assert wrong("../begin.scenario") == set()
    assert wrong("../../begin.scenario") == {"outside-folder"}


@pytest.mark.parametrize("reach", [Reach(), Reach(allow_outside=True)])
def test_files_that_are_no_game_text(folder: Path, reach: Reach) -> None:
    (folder / "passwd").write_text(f"{SECRET}\n")
    (folder / "linked.game").symlink_to("passwd")
    (folder / "linked.csv").symlink_to("passwd")
    for name in ("passwd", "linked.game"):
        found = problems(folder / "a.game", f'include "{name}"\n{PLAYED}', reach)
        assert [one.code for one in found] == ["no-such-include"]
    for name in ("passwd", "linked.csv"):
        found = problems(folder / "a.game", PLAYED + FARMS.format(name), reach)
        assert [one.code for one in found] == ["unknown-file"]
    text = PLAYED.replace("players 2", 'players 2\n    rulebook "passwd"')
    assert codes(folder / "a.game", text, reach) == {"unknown-file"}
    for name in ("passwd", "linked.game"):
        found = load(folder / name, reach=reach).check()
        assert [one.code for one in found] == ["unknown-file"]
        assert SECRET not in "".join(map(render, found))


@pytest.mark.parametrize("named", ["", ".", "..", "pipe.game", "circle.game", "/dev/zero"])
def test_odd_files_are_refused_at_once(folder: Path, named: str) -> None:
    os.mkfifo(folder / "pipe.game")
    (folder / "circle.game").symlink_to("circle.game")
    found = problems(folder / "a.game", f'include "{named}"\n{PLAYED}')
    assert len(found) == 1 and found[0].code in {"no-such-include", "outside-folder"}
    if named:
        found = problems(folder / "a.game", PLAYED + FARMS.format(named.replace(".game", ".csv")))
        assert len(found) == 1 and found[0].code in {"unknown-file", "outside-folder"}


def test_a_link_in_a_circle_is_no_game(folder: Path) -> None:
    path = folder / "circle.game"
    path.symlink_to("circle.game")
    (found,) = load(path).check()
    assert found.code == "unknown-file"


def test_nothing_outside_the_open_folder(folder: Path) -> None:
    files = Files(within=(folder / "tests",))
    (folder / "tests").mkdir()
    (folder / "a.game").write_text(PLAYED)
    path = folder / "tests" / "one.scenario"
    path.write_text(f'game "../a.game"\n{SCENARIO}')
    (found,) = load_scenarios(path, files=files).problems
    assert found.message == "`../a.game` lies outside the folder that is open in the editor"
    files.given[folder / "a.game"] = PLAYED
    files.given[folder / "tests" / ".." / "a.game"] = PLAYED
    assert load_scenarios(path, files=files).problems == ()
