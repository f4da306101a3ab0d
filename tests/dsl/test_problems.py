"""Each code of a problem: the smallest program that has it, and the text shown (see `problems.md`)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from rulewright.dsl.codes import CODES, Stage
from rulewright.dsl.loading import load
from rulewright.dsl.reading import MAX_BYTES, MAX_LINE
from rulewright.dsl.render import render

PAGE = Path(__file__).parents[1] / "corpus" / "problems.md"
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```(game|file|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

BYTES = {
    "not-utf8": b'game "Caf\xe9"\n',
    "binary-file": b"game\x00\n",
    "file-too-large": b" " * (MAX_BYTES + 1),
    "line-too-long": b"#" * (MAX_LINE + 1),
    "tab-indent": b'game "Little"\n\tplayers 2\n',
}


def _cases() -> dict[str, str]:
    _, *parts = HEADING.split(PAGE.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _shown(case: str, folder: Path) -> tuple[str, set[str]]:
    for kind, name, text in BLOCK.findall(case):
        if kind in ("game", "file"):
            (folder / (name or "problem.game")).write_text(text, encoding="utf-8")
    found = load(folder / "problem.game").check()
    return "".join(render(problem) + "\n" for problem in found), {p.code for p in found}


def _rewrite(code: str, shown: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    start = page.index(f"## {code}\n")
    begin = page.index("```text\n", start) + len("```text\n")
    end = page.index("```\n", begin) if page[begin : begin + 3] != "```" else begin
    PAGE.write_text(page[:begin] + shown + page[end:], encoding="utf-8")


@pytest.mark.parametrize("code", _cases())
def test_text(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case = _cases()[code]
    shown, codes = _shown(case, tmp_path)
    if os.environ.get("UPDATE"):
        _rewrite(code, shown)
        case = _cases()[code]
    assert codes == {code}, shown
    assert shown == "".join(text for kind, _, text in BLOCK.findall(case) if kind == "text")


@pytest.mark.parametrize("code", BYTES)
def test_bytes(code: str, tmp_path: Path) -> None:
    path = tmp_path / "problem.game"
    path.write_bytes(BYTES[code])
    assert code in {problem.code for problem in load(path).check()}


def test_every_code_has_its_program() -> None:
    scenarios = {code.name for code in CODES.values() if code.stage is Stage.SCENARIO}
    assert {*_cases(), *BYTES} == set(CODES) - scenarios
