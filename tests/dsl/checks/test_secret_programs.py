"""Small programs that show a secret are refused at the line that shows it; those that show none are accepted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.loading.loading import load
from rulewright.dsl.model.facts import TypesOnly
from rulewright.dsl.tree import syntax

PAGE = Path(__file__).parents[2] / "corpus" / "secrets.md"
TEXT = PAGE.read_text(encoding="utf-8")
FRAME = re.search(r"^```frame\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(
    r"^## (?P<name>[^\n]+)\n\n```program\n(?P<rules>.*?)^```\n\n```text\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
PROGRAMS = {found["name"]: found for found in PROGRAM.finditer(TEXT)}
CODES = {"secret-leak", "unused-name"}
ACCEPTED = TEXT.index("\n# Accepted\n")
REFUSED = {name for name, case in PROGRAMS.items() if case.start() < ACCEPTED}


def sections(text: str) -> Iterator[list[str]]:
    """The sections of a text, each with its first line."""
    part: list[str] = []
    for line in text.splitlines():
        if part and not line.startswith(" "):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def program(rules: str) -> str:
    """The frame with the sections of a program."""
    assert FRAME is not None
    own = {part[0]: part[1:] for part in sections(rules)}
    own_of_frame = {"turn", *(part[0] for part in sections(FRAME[1]))}
    lines: list[str] = []
    for first, *rest in sections(FRAME[1]):
        if first == "play":
            declared = [name for name in own if name not in own_of_frame]
            lines += [line for name in declared for line in (name, *own.pop(name))]
        replaced = own.pop(first, None)
        if replaced is not None and first == "play":
            lines += [first, *replaced]
            continue
        more = own.pop(f"{first} more", [])
        turn = [f"        {line}" for line in own.pop("turn", [])] if first == "play" else []
        kept = rest if replaced is None else replaced
        at = kept.index("            choose one of") if turn else len(kept)
        lines += [first, *kept[:at], *turn, *kept[at:], *more]
    assert not own, own
    return "\n".join(lines) + "\n"


def leak_messages(rules: str, folder: Path) -> str:
    """The line and the message of each `secret-leak` of a program."""
    path = folder / "secrets.game"
    text = program(rules)
    path.write_text(text, encoding="utf-8")
    found = load(path, known=TypesOnly()).check()  # as `rulewright check` loads it
    assert {each.code for each in found} <= CODES, found
    lines = text.splitlines()
    leaks = [each for each in found if each.code == "secret-leak"]
    return "".join(f"{lines[each.span.line - 1].strip()}\n    {each.message}\n" for each in leaks)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_secret_is_reported_where_the_page_says(name: str, tmp_path: Path) -> None:
    found = leak_messages(PROGRAMS[name]["rules"], tmp_path)
    if os.environ.get("UPDATE"):
        page = PAGE.read_text(encoding="utf-8")
        case = next(each for each in PROGRAM.finditer(page) if each["name"] == name)
        start, end = case.span("text")
        PAGE.write_text(page[:start] + found + page[end:], encoding="utf-8")
        return
    assert found == PROGRAMS[name]["text"]


@pytest.mark.parametrize("name", sorted(REFUSED)[::12])
def test_a_change_that_is_offered_mends_the_program(name: str, tmp_path: Path) -> None:
    path = tmp_path / "secrets.game"
    text = program(PROGRAMS[name]["rules"])
    path.write_text(text, encoding="utf-8")
    leak = next(
        each for each in load(path, known=TypesOnly()).check() if each.code == "secret-leak"
    )
    mends = [not leak.fixes]
    for fix in leak.fixes:
        path.write_text(text[: fix.span.start] + fix.text + text[fix.span.end :], encoding="utf-8")
        left = load(path, known=TypesOnly()).check()
        assert {each.code for each in left} <= {*CODES, "unreachable-action"}, left
        mends.append(_way(leak) not in map(_way, left))
    assert any(mends)


def _way(problem: Diagnostic) -> tuple[object, ...]:
    """The subject of a problem: a line may reveal a secret by several conditions, and an edit corrects one of them."""
    return problem.message, problem.span.line, *(label.span.line for label in problem.labels)


def test_no_program_is_on_the_wrong_side() -> None:
    silent = {name for name in REFUSED if not PROGRAMS[name]["text"]}
    assert not silent, sorted(silent)
    assert not [name for name in PROGRAMS.keys() - REFUSED if PROGRAMS[name]["text"]]


PROOF = Path(__file__).parents[3] / "docs" / "decisions" / "knowledge.md"
WORDS = {
    syntax.LetDo: "`let x = do`",
    syntax.SetTo: "`set`",
    syntax.Amount: "`add`",
    syntax.ChooseOf: "`choose one of`",
    syntax.IfPossible: "`if possible`",
    syntax.ForEach: "`for each`",
    syntax.EachPlayer: "`each player`",
    syntax.AsPlayer: "`as`",
    syntax.AtOnce: "`at once`",
    syntax.Simple: "`end game`",
    syntax.Broken: "broken lines",
    syntax.Number: "number",
    syntax.Text: "text",
    syntax.Word: "name",
    syntax.Fixed: "fixed word",
    syntax.TypeWord: "name of a type",
    syntax.Call: "call",
    syntax.Lookup: "cell of a table",
    syntax.Dot: "name after a dot",
    syntax.Unary: "`not`",
    syntax.Binary: "`+` and other signs",
    syntax.IfElse: "`if ... then ... else`",
    syntax.By: "`by(...)`",
    syntax.ListOf: "list",
    syntax.Possible: "`possible(...)`",
    syntax.Query: "query",
}
"""The names of kinds of steps and expressions on the page of the proof, if they differ from the class names."""


@pytest.mark.parametrize("kind", [*get_args(syntax.Statement), *get_args(syntax.Expression)])
def test_the_proof_says_what_each_step_and_expression_shows(kind: type) -> None:
    text = PROOF.read_text(encoding="utf-8")
    first = "step" if kind in get_args(syntax.Statement) else "expression"
    table = text.split(f"\n| {first} | ")[1].split("\n\n")[0]
    heads = [line.split(" | ")[0] for line in table.splitlines()[2:]]
    word = WORDS.get(kind, f"`{kind.__name__.lower()}`")
    assert any(word in head for head in heads), word


SEVERAL_USES = """turn
    let held = sum(c in me.hand: c.rank)
    set told to held
    log "{held}"
    if held > 3
        log "much"
"""


def test_one_edit_at_a_let_opens_all_its_uses(tmp_path: Path) -> None:
    path = tmp_path / "secrets.game"
    text = program(SEVERAL_USES)
    path.write_text(text, encoding="utf-8")
    leak = next(
        each for each in load(path, known=TypesOnly()).check() if each.code == "secret-leak"
    )
    assert "`let held = openly(sum(c in me.hand: c.rank))`" in leak.help
    (fix,) = leak.fixes
    path.write_text(text[: fix.span.start] + fix.text + text[fix.span.end :], encoding="utf-8")
    assert {each.code for each in load(path, known=TypesOnly()).check()} == {"unused-name"}
