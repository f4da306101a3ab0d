"""The commands that write pages: their output, and the requests that they refuse."""

from __future__ import annotations

import gzip
import io
import json
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.cli.exits import Exit
from rulewright.dsl.program_data import fingerprint
from rulewright.interpreter.matches import library
from rulewright.interpreter.matches.game import load_game
from rulewright.playground.bundle import COMPILED, best_bundle, bundle, digest, for_playing, pack
from rulewright.playground.left_out import unpack
from tests.cli.conftest import Command, command

__all__ = ["command"]
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


def test_site_writes_files_for_a_server(command: Command) -> None:
    ran = command("site", "out", "tic_tac_toe", "pig", "--no-native")
    assert (ran.code, ran.err) == (Exit.FINE, "")
    assert "python3 -m http.server --bind 127.0.0.1 --directory out" in ran.out
    listed = json.loads(Path("out/games.json").read_text("utf-8"))
    assert [one["name"] for one in listed["games"]] == ["tic_tac_toe", "pig"]
    assert listed["only"] == ""
    kept = Path("out/offline.js").read_text("utf-8")
    assert all(f'"{name}"' in kept for name in ("index.html", "games/pig.json.gz"))
    assert command("site", "out", "pig", "--no-native").code == Exit.FINE, "it is written again"


def test_a_game_without_a_row_about_its_rights_is_neither_listed_nor_on_the_site(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row for row in library.table("rights") if row["game"] in ("kalah", "pig", "reversi")]
    rows.remove(next(row for row in rows if row["game"] == "kalah"))
    monkeypatch.setattr(library, "table", {"rights": rows, "groups": library.table("groups")}.get)
    assert [line.split()[0] for line in command("list").out.splitlines()] == ["pig", "reversi"]
    assert command("site", "out", "--no-native").code == Exit.FINE
    listed = json.loads(Path("out/games.json").read_text("utf-8"))["games"]
    names = [one["name"] for one in listed if not one["name"].startswith("template-")]
    assert names == ["pig", "reversi"]


def test_export_writes_one_game_with_its_native_code(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = command("export", "tic_tac_toe", "--out", "out")
    assert (ran.code, ran.err) == (Exit.FINE, "compiling Tic-tac-toe, 2 players\n")
    assert json.loads(Path("out/games.json").read_text("utf-8"))["only"] == "tic_tac_toe"
    names = native_names()
    assert [name for name in names if len(name) < 64] == ["search", "sights", "solving"]
    game = load_game("tic_tac_toe")
    assert fingerprint(game.program(game.variant())) in names
    kept = Path("out/offline.js").read_text("utf-8")
    for name in names:
        module = gzip.decompress(Path(f"out/native/{name}.wasm.gz").read_bytes())
        assert module.startswith(b"\0asm")
    assert "native/" not in kept, "it is kept when it is used"
    assert not Path("out/runtime/editor.js").exists()
    monkeypatch.setattr("rulewright.playground.native.engine_names", lambda: ("python",))
    ran = command("export", "tic_tac_toe", "--out", "out")
    assert "pip install '.[native]'" in ran.err
    assert native_names() == []


def native_names() -> list[str]:
    """The names of the native code that the worker of a page knows."""
    files = json.loads(Path("out/worker.json").read_text("utf-8"))["files"]
    return [
        name.removeprefix("native/").removesuffix(".wasm")
        for name in files
        if name.startswith("native/")
    ]


SMALL = 7_200_000


def test_a_page_that_plays_a_small_game_is_small(command: Command) -> None:
    assert command("export", "love_letter", "--no-native", "--out", "out").code == Exit.FINE
    text = Path("out/offline.js").read_text("utf-8")
    kept = json.loads(text[text.index("FILES = ") + 8 : text.index(";\nself.")])
    assert "runtime/player.pack.gz" in kept
    assert not {"runtime/compiler.pack.gz", "runtime/python_stdlib.zip.gz"} & {*kept}
    assert not Path("out/runtime/all.pack.gz").exists()
    assert sum(Path("out", name).stat().st_size for name in kept if name != "./") < SMALL


def test_a_page_that_plays_has_no_compiler() -> None:
    tops = {name.split("/")[0] for name in for_playing(bundle())}
    assert not tops & {"click", "lark"}
    folders = {"/".join(name.split("/")[1:3]) for name in for_playing(bundle())}
    assert not folders & {"cli", "docs", "dsl/lowering", "dsl/parsing", "editing/features"}


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5}\.py)?", fullmatch=True), st.binary()))
def test_a_pack_is_unpacked(parts: dict[str, bytes]) -> None:
    files = {
        name: data
        for name, data in parts.items()
        if not any(x.startswith(f"{name}/") for x in parts)
    }
    with tempfile.TemporaryDirectory() as folder:
        unpack(pack(files), Path(folder))
        assert {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in Path(folder).rglob("*")
            if path.is_file()
        } == files


def test_export_writes_one_file(command: Command) -> None:
    words = ("export", "pig", "--single", "--no-native", "--out", "pig.html")
    assert command(*words).code == Exit.FINE
    page = Path("pig.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert 'src="' not in page
    refused = command(*words)
    assert refused.code == Exit.USAGE
    assert "'pig.html' exists: choose another file, or --force" in refused.err
    assert Path("pig.html").read_text("utf-8") == page
    assert command(*words, "--force").code == Exit.FINE
    Path("folder").mkdir()
    assert command("export", "pig", "--single", "--out", "folder", "--force").code == Exit.USAGE


def test_other_files_stay_as_they_are(command: Command) -> None:
    Path("mine").mkdir()
    Path("mine/index.html").write_text("mine", encoding="utf-8")
    for words in (("site", "mine", "pig"), ("export", "pig", "--out", "mine")):
        ran = command(*words)
        assert ran.code == Exit.USAGE
        assert "there are other files in 'mine'" in ran.err
    assert Path("mine/index.html").read_text("utf-8") == "mine"


def test_the_files_for_browsers_are_an_extra(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.playground.site.RUNTIME", "no_such_package")
    for line in (("site", "out", "pig"), ("export", "pig", "--out", "out")):
        ran = command(*line)
        assert ran.code == Exit.USAGE
        assert "pip install '.[browser]'" in ran.err
        assert "compiling" not in ran.err, "this is said before a game is compiled"
        assert not Path("out").exists()


def test_the_bundle_has_all_data_of_the_language() -> None:
    with zipfile.ZipFile(io.BytesIO(bundle())) as archive:
        names = set(archive.namelist())
    assert not any(name.endswith(".pyc") for name in names)
    for folder in ("dsl", "interpreter", "cli", "protocol"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        assert {
            f"rulewright/{path.relative_to(ROOT).as_posix()}"
            for path in files
            if "__pycache__" not in path.parts
        } <= names


def test_compiled_modules_are_taken_only_beside_their_sources() -> None:
    sources = bundle()
    same = {COMPILED: b"compiled", f"{COMPILED}.sha256": digest(sources).encode()}
    assert best_bundle(same, sources) == b"compiled"
    assert best_bundle({**same, f"{COMPILED}.sha256": b"of others"}, sources) == sources
    assert best_bundle({}, sources) == sources
    with zipfile.ZipFile(io.BytesIO(sources)) as archive:
        changed = io.BytesIO()
        with zipfile.ZipFile(changed, "w") as other:
            for name in archive.namelist():
                data = archive.read(name)
                other.writestr(name, data + b"#" if name == "rulewright/dsl/ir.py" else data)
    assert digest(changed.getvalue()) != digest(sources)
