"""The worker of the playground, without a browser: the same messages in CPython."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from rulewright.cli.commands.hosting.serve import load_rules, rule_texts
from rulewright.dsl.diagnostics.capping import MOST
from rulewright.interpreter.engines.codegen.python import Compiled
from rulewright.playground.bundle import bundle
from rulewright.playground.folder import Folder
from rulewright.playground.site import example_of
from rulewright.playground.worker import Worker
from tests.games.variants import LARGE, SHIPPED

GAME = """game "Ten"
    players 2

state count = 0

phase play repeat
    turns
        choose one of
            add

action add(n: Number from 1 to 3)
    say "add {n}"
    count += n
    if count >= 10
        end game

winner p by 0
"""

Ask = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    worker = Worker(tmp_path / "game", run)

    def ask_worker(what: str, **fields: object) -> Any:
        return json.loads(worker.answer(json.dumps({"ask": what, **fields})))

    return ask_worker


def open_game(ask: Ask, name: str) -> str:
    game = load_rules(name)
    example = example_of(game, rule_texts(game))
    found = ask("open", files=dict(example.files), main=example.main)
    assert found["answer"] == "open", found
    return example.main


def test_problems_have_places_and_fixes(ask: Ask) -> None:
    main = open_game(ask, "tic_tac_toe")
    assert ask("problems") == {"answer": "problems", "found": []}
    text = load_rules("tic_tac_toe").facts.path
    assert text is not None
    wrong = Path(text).read_text("utf-8").replace("c.sign is p.sign", "c.sing is p.sign")
    assert ask("write", file=main, text=wrong)["answer"] == "write"
    (problem,) = ask("problems")["found"]
    assert wrong[problem["from"] : problem["to"]].endswith("sing")
    assert problem["file"] == main
    (fix,) = ask("fixes", file=main, start=problem["from"], end=problem["to"])["found"]
    (edit,) = fix["edits"]
    assert edit["text"] == "sign"


def test_very_many_problems_are_counted(ask: Ask) -> None:
    lines = "".join(f"    set x{number} to 1\n" for number in range(450))
    ask("open", files={"x.game": f'game "A"\n    players 2\nplay\n{lines}'}, main="x.game")
    found = ask("problems")["found"]
    assert len(found) == MOST
    assert "251 more problems" in found[-1]["message"]


def test_problems_of_scenarios_come_in_further_steps(ask: Ask) -> None:
    open_game(ask, "connect_four")
    file = "connect_four.scenario"
    scenario = 'scenario "One"\n    player ann, bob\n    ann plays dorp(1)\n'
    ask("write", file=file, text=scenario)
    assert ask("problems")["found"] == []
    steps = []
    while (found := ask("more_problems")["found"]) is not None:
        steps.append(found)
    (problem,) = steps[-1]
    assert problem["file"] == file
    assert problem["severity"] == "error"
    ask("problems")
    ask("write", file=file, text=scenario)
    assert ask("more_problems")["found"] is None  # the check was of an older text


def test_a_step_ends_when_its_address_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.playground.folder.OFTEN", 0)
    addresses: list[str] = []

    def is_there(address: str) -> bool:
        addresses.append(address)
        return len(addresses) < 2

    folder = Folder(tmp_path / "game", is_there)
    game = load_rules("love_letter")
    example = example_of(game, rule_texts(game))
    folder.open(example.files, example.main)
    rules = example.files[example.main]
    assert folder.problems() == []
    assert len([*iter(lambda: folder.more_problems("blob:one"), None)]) < 3
    assert addresses == ["blob:one"] * 2
    folder.write(example.main, f"{rules}\nvalue wrong = nothing_known\n")
    (problem,) = folder.problems()
    assert problem["code"] == "unknown-name"
    folder.write(example.main, rules)
    assert folder.problems() == []


def test_places_are_counted_as_a_browser_counts(ask: Ask) -> None:
    text = 'game "𝔄"\n    players 2\n\nstate a = b\n'
    ask("open", files={"x.game": text}, main="x.game")
    found = ask("problems")["found"]
    units = text.encode("utf-16-le")
    parts = [units[2 * one["from"] : 2 * one["to"]].decode("utf-16-le") for one in found]
    assert parts == ["a"], found


def test_questions_of_an_editor(ask: Ask) -> None:
    main = open_game(ask, "tic_tac_toe")
    ask("problems")
    text = Path(str(load_rules("tic_tac_toe").facts.path)).read_text("utf-8")
    at = text.index("makes_a_row", text.index("mark where")) + 1
    assert ask("definition", file=main, at=at)["found"]["from"] == text.index("makes_a_row of")
    assert "makes_a_row" in ask("hover", file=main, at=at)["found"]["text"]
    offers = ask("complete", file=main, at=at)["found"]["offers"]
    assert any(one["text"] == "makes_a_row" for one in offers)
    assert ask("outline", file=main)["found"][0]["name"] == "Tic-tac-toe"
    edits = ask("rename", file=main, at=at, name="wins")["found"]
    assert len(edits) == text.count("makes_a_row")
    assert ask("colours", file=main)["found"][0][2] == "comment"


def test_a_match_goes_on_after_an_edit(ask: Ask) -> None:
    main = open_game(ask, "connect_four")
    match = ask("create", game="game", seed=1)["match"]
    for decision, column in enumerate((3, 3, 4)):
        option = ask("picture", match=match, viewer=decision % 2)["options"][column]
        assert ask("choose", match=match, decision=decision, option=option)["answer"] == "chosen"
    record = ask("record", match=match)["record"]
    text = Path(str(load_rules("connect_four").facts.path)).read_text("utf-8")
    ask("write", file=main, text=text.replace("4 in a row", "four in a row") + "\n# more\n")
    again = ask("create", game="game", record=record)
    assert (again["step"], again["parted"]) == (3, "")
    fewer = text.replace("drop(column in 1..columns)", "drop(column in 1..4)")
    assert fewer != text
    ask("write", file=main, text=fewer)
    shorter = ask("create", game="game", record=record)
    assert shorter["step"] == 2
    assert "drop(5)" in shorter["parted"]


def test_commands_run_in_the_folder(ask: Ask) -> None:
    open_game(ask, "tic_tac_toe")
    assert ask("run", command="check --plays 0")["found"]["code"] == 0
    assert "Tic-tac-toe: 5 games" in ask("run", command="simulate --games 5")["found"]["out"]
    assert ask("run", command="perft --depth 2")["found"]["out"].split()[-1] == "72"
    for bad in ("serve", "", "play", '"'):
        assert ask("run", command=bad)["answer"] == "error"


def test_files_come_and_go_as_a_zip(ask: Ask) -> None:
    main = open_game(ask, "love_letter")
    files = ask("unpack", data=ask("pack")["found"])["found"]
    assert main in files and "love_letter.scenario" in files
    assert ask("write", file="more/x.csv", text="a\n")["answer"] == "write"
    assert ask("remove", file="more/x.csv")["answer"] == "remove"


@pytest.mark.parametrize(
    "name", ["../x.game", "/x.game", "x.py", "", "a/b/c/d/e.csv", ".x.game", "a\0.game"]
)
def test_no_file_lies_elsewhere(ask: Ask, name: str) -> None:
    open_game(ask, "tic_tac_toe")
    assert ask("write", file=name, text="")["answer"] == "error"
    assert ask("open", files={name: GAME}, main=name)["answer"] == "error"


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"ask": 3}', '{"ask": "no"}', '{"ask": "open"}', "\ud800"]
)
def test_bad_messages_are_answered(tmp_path: Path, text: str) -> None:
    assert json.loads(Worker(tmp_path / "g", run).answer(text))["answer"] == "error"


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_game_makes_some_moves(ask: Ask, name: str) -> None:
    open_game(ask, name)
    about = ask("about")["found"]
    assert about["title"] and not about["problems"]
    status = ask("create", game="game", seed=2)
    match = status["match"]
    for _ in range(6 if name in LARGE else 20):
        status = ask("status", match=match)
        if status["over"]:
            break
        picture = ask("picture", match=match, viewer=status["player"])
        assert picture["options"] and picture["sections"][0]["id"] == "question"
        option = picture["options"][len(picture["options"]) // 2]
        answer = ask("choose", match=match, decision=status["decision"], option=option)
        assert answer["answer"] == "chosen", answer


QUICK = ("love_letter", "ginkgopolis")
AHEAD = [
    pytest.param(name, marks=pytest.mark.slow if name in QUICK else pytest.mark.deep)
    for name in SHIPPED
]


@pytest.mark.parametrize("name", AHEAD)
def test_after_thinking_no_decision_writes_functions(
    ask: Ask, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_game(ask, name)
    match = ask("create", game="game", seed=2)["match"]
    status: dict[str, Any] = {}

    def moves(count: int) -> None:
        for _ in range(count):
            status.update(ask("status", match=match))
            picture = ask("picture", match=match, viewer=status["player"] or 0)
            if status["over"]:
                return
            options = picture["options"]
            option = options[status["step"] % len(options)]
            ask("choose", match=match, decision=status["decision"], option=option)

    def thinks() -> None:
        while ask("prepare", match=match)["found"]:
            pass

    moves(1)
    thinks()
    written: list[str] = []
    was_written = Compiled._write_function

    def is_written(self: Compiled, name: str, write: Callable[[], str]) -> Callable[..., Any]:
        written.append(f"{self.title} {name}")
        return was_written(self, name, write)

    monkeypatch.setattr(Compiled, "_write_function", is_written)
    moves(20)
    assert written == []


def test_steps_while_a_person_thinks_are_short(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    open_game(ask, "tic_tac_toe")
    monkeypatch.setattr("rulewright.playground.host.SHORT", -1)  # each ends at once
    match = ask("create", game="game")["match"]
    assert [ask("prepare", match=match)["found"] for _ in range(3)] == [True] * 3
    monkeypatch.setattr("rulewright.playground.host.SHORT", 1000)
    assert ask("prepare", match=match)["found"] is False
    assert ask("prepare", match="m9")["message"] == "there is no match `m9`"


@pytest.mark.slow
def test_the_bundle_has_all_that_the_language_reads() -> None:
    root = Path(__file__).parents[2]
    read = (path for path in (root / "dsl").rglob("*") if path.suffix in (".json", ".lark", ".txt"))
    packed = zipfile.ZipFile(io.BytesIO(bundle())).namelist()
    assert {f"rulewright/{path.relative_to(root).as_posix()}" for path in read} <= {*packed}
