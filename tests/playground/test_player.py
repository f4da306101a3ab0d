"""The worker of a page that only plays, without a browser."""

from __future__ import annotations

import importlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.interpreter.matches.game import Game, game_of, load_game
from rulewright.playground import left_out
from rulewright.playground.bundle import bundle, for_compiling, for_playing, pack
from rulewright.playground.compiled_rules import CompiledRules, compiled_game, is_whole
from rulewright.playground.player import Player
from rulewright.playground.site import example_of, player_of

pytestmark = pytest.mark.slow
Ask = Callable[..., Any]


def player(folder: Path, name: str) -> Ask:
    game = load_rules(name)
    example = player_of(game, example_of(game, rule_texts(game)))
    made = Player(folder, example.compiled.get, lambda native: None)

    def ask(what: str, **fields: object) -> Any:
        return json.loads(made.answer(json.dumps({"ask": what, **fields})))

    assert ask("open", files=dict(example.files), main=example.main)["answer"] == "open"
    return ask


@pytest.mark.parametrize("name", ["love_letter", "kiln", "goofspiel"])
def test_a_compiled_game_is_played(tmp_path: Path, name: str) -> None:
    ask = player(tmp_path, name)
    about = ask("about")["found"]
    assert about["title"] == load_rules(name).title
    status = ask("create", game="game", seed=3)
    for _ in range(8):
        picture = ask("picture", match=status["match"], viewer=status["player"])
        answer = ask(
            "choose",
            match=status["match"],
            decision=status["decision"],
            option=picture["options"][0],
        )
        assert answer["answer"] == "chosen", answer
        status = ask("status", match=status["match"])
    assert ask("rules", game="game")["lines"]
    record = ask("record", match=status["match"])["record"]
    assert ask("create", game="game", record=record)["parted"] == ""


def both_forms(folder: Path, name: str) -> tuple[Game, Game]:
    """A game, and the same game from its compiled form, which must not read the text."""
    game = load_game(name)
    example = example_of(game, rule_texts(game))
    for file, text in example.files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, "utf-8", newline="")

    def text_is_read() -> Any:
        raise AssertionError("the text is read")

    rules = CompiledRules(folder, compiled_game(game, example.files).get, text_is_read)
    return game, game_of(name, rules)


@pytest.mark.parametrize("name", ["klondike", "morris"])
def test_all_variants_of_a_compiled_game_are_there(tmp_path: Path, name: str) -> None:
    game, made = both_forms(tmp_path, name)
    assert is_whole(game)
    assert made.hash == game.hash
    assert made.facts.options == game.facts.options
    assert made.rules.variants() == game.rules.variants()
    for players, options in game.rules.variants():
        variant = made.variant(players, options)
        assert variant == game.variant(players, options)
        assert made.program(variant).players == players
        assert made.playout(1, players, options).cells == game.playout(1, players, options).cells


def test_a_variant_that_was_not_compiled_is_read_from_the_text(tmp_path: Path) -> None:
    game = load_game("liars_dice")
    assert not is_whole(game)
    ask = player(tmp_path, "liars_dice")
    name, values = game.facts.options[0]
    created = ask("create", game="game", players=2, options={name: values[-1]})
    assert created["answer"] == "status", created
    wrong = ask("create", game="game", players=99)
    assert wrong["code"] == "wrong-variant"


PLAYED = """
import json, sys
from pathlib import Path

class Refused:
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if parts[0] in ("click", "lark") or parts[1:2] in (["cli"], ["docs"], ["editing"], ["web"]):
            raise AssertionError(name)

sys.meta_path.insert(0, Refused())
from rulewright.playground.player import Player
given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
find = {name: text.encode() for name, text in given["compiled"].items()}.get
player = Player(Path(sys.argv[2]), find, lambda name: None)
def ask(**fields):
    found = json.loads(player.answer(json.dumps(fields)))
    assert found["answer"] != "error", found
    return found
ask(ask="open", files=given["files"], main=given["main"])
ask(ask="about")
match = ask(ask="create", game="game", seed=1)["match"]
for _ in range(4):
    status = ask(ask="status", match=match)
    options = ask(ask="picture", match=match, viewer=status["player"])["options"]
    ask(ask="choose", match=match, decision=status["decision"], option=options[0])
ask(ask="hint", match=match, viewer=0, effort="1")
"""


def test_playing_needs_neither_compiler_nor_command_line(tmp_path: Path) -> None:
    game = load_rules("love_letter")
    example = player_of(game, example_of(game, rule_texts(game)))
    compiled = {name: data.decode() for name, data in example.compiled.items()}
    given = {"files": dict(example.files), "main": example.main, "compiled": compiled}
    (tmp_path / "given.json").write_text(json.dumps(given), "utf-8")
    words = [sys.executable, "-c", PLAYED, str(tmp_path / "given.json"), str(tmp_path / "game")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


READ = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from rulewright.playground.player import Player
given = json.loads(Path(sys.argv[2]).read_text("utf-8"))
player = Player(Path(sys.argv[3]), {"about.json": given["about"].encode()}.get, lambda name: None)
def ask(**fields):
    found = json.loads(player.answer(json.dumps(fields)))
    assert found["answer"] != "error", found
    return found
ask(ask="open", files=given["files"], main=given["main"])
match = ask(ask="create", game="game", players=2, options=given["options"], seed=1)["match"]
assert ask(ask="picture", match=match, viewer=0)["sections"]
"""


def test_a_variant_that_was_not_compiled_needs_only_the_compiler(tmp_path: Path) -> None:
    game = load_rules("liars_dice")
    example = example_of(game, rule_texts(game))
    name, values = game.facts.options[0]
    given = {
        "files": dict(example.files),
        "main": example.main,
        "about": compiled_game(game, example.files)["about.json"].decode(),
        "options": {name: values[-1]},
    }
    (tmp_path / "given.json").write_text(json.dumps(given), "utf-8")
    sources = bundle()
    with zipfile.ZipFile(io.BytesIO(sources)) as archive:
        archive.extractall(tmp_path / "library", for_playing(sources) | for_compiling(sources))
    places = (tmp_path / name for name in ("library", "given.json", "game"))
    words = [sys.executable, "-I", "-S", "-c", READ, *map(str, places)]  # only those modules
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_module_that_was_left_out_is_fetched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def file_named(name: str) -> bytes:
        asked.append(name)
        return pack({"left_out_example/__init__.py": b"", "left_out_example/one.py": b"x = 1\n"})

    monkeypatch.setattr(left_out, "file_named", file_named)
    monkeypatch.setattr(left_out, "LIBRARY", tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    finder = left_out.LeftOut(frozenset(["left_out_example"]))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, finder])
    assert importlib.import_module("left_out_example.one").x == 1
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("left_out_example.two")
    assert asked == ["runtime/compiler.pack"]
