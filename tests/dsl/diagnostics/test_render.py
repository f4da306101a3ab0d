"""The display of problems: each case of `render.md` is a program, a problem in it, and the text shown.

In a program, `«` and `»` enclose the place of the problem, and `‹a:` and `›` the place of the label `a`. `∎` says
that the text ends without a newline. `UPDATE=1 pytest tests/dsl` writes the texts again.
"""

import json
import os
import re
from pathlib import Path

import pytest

from rulewright.dsl.diagnostics.characters import printable, width
from rulewright.dsl.diagnostics.diagnostics import Diagnostic, Label, Severity
from rulewright.dsl.diagnostics.render import render, to_json
from rulewright.dsl.diagnostics.source import Source, Span

PAGE = Path(__file__).with_name("render.md")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
BLOCK = re.compile(r"^```(game|problem|text)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"«|»|‹(\w):|›|∎\n")


def _cases() -> dict[str, str]:
    _, *parts = HEADING.split(PAGE.read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _read_program(name: str, marked: str) -> dict[str, Span]:
    """The marked places of a program by the letter of their label, or none for the problem."""
    text, at = "", 0
    opened: list[tuple[str, int]] = []
    places: dict[str, tuple[int, int]] = {}
    for mark in MARK.finditer(marked):
        text += marked[at : mark.start()]
        at = mark.end()
        if mark[0] == "«" or mark[1]:
            opened.append((mark[1] or "", len(text)))
        elif mark[0] in "»›":
            letter, start = opened.pop()
            places[letter] = (start, len(text))
    source = Source(name, text + marked[at:])
    return {letter: Span(source, start, end) for letter, (start, end) in places.items()}


def _read_case(case: str) -> tuple[Diagnostic, int]:
    places: dict[str, Span] = {}
    written = ""
    for kind, name, text in BLOCK.findall(case):
        if kind == "game":
            places |= _read_program(name, text)
        elif kind == "problem":
            written = text
    head, *lines = written.splitlines()
    title, message = head.split(": ", 1)
    severity, code = title.split(" ")
    notes: list[str] = []
    labels: list[Label] = []
    other = {"at": "", "help": "", "width": "100"}
    for line in lines:
        word, text = line.split(": ", 1)
        if word == "note":
            notes.append(text)
        elif word.startswith("label "):
            labels.append(Label(places[word.removeprefix("label ")], text))
        else:
            other[word] = text
    problem = Diagnostic(
        code,
        message,
        places[""],
        other["at"],
        tuple(labels),
        tuple(notes),
        other["help"],
        Severity(severity),
    )
    return problem, int(other["width"])


def _expected_text(case: str) -> str:
    return "".join(text for kind, _, text in BLOCK.findall(case) if kind == "text")


def _rewrite(name: str, found: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    start = page.index(f"## {name}\n")
    begin = page.index("```text\n", start) + len("```text\n")
    end = page.index("```\n", begin)
    PAGE.write_text(page[:begin] + found + page[end:], encoding="utf-8")


@pytest.mark.parametrize("name", _cases())
def test_a_problem_is_printed_as_expected(name: str) -> None:
    problem, columns = _read_case(_cases()[name])
    found = render(problem, width=columns) + "\n"
    if os.environ.get("UPDATE"):
        _rewrite(name, found)
    assert found == _expected_text(_cases()[name])


@pytest.mark.parametrize("name", _cases())
def test_colours_change_nothing_else(name: str) -> None:
    problem, columns = _read_case(_cases()[name])
    plain = render(problem, width=columns)
    coloured = render(problem, width=columns, colour=True)
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("name", _cases())
def test_every_row_fits(name: str) -> None:
    problem, columns = _read_case(_cases()[name])
    assert max(map(width, render(problem, width=columns).splitlines())) <= columns


@pytest.mark.parametrize("name", _cases())
def test_data_can_be_written_as_json(name: str) -> None:
    problem, _ = _read_case(_cases()[name])
    data = to_json(problem)
    assert json.loads(json.dumps(data)) == data


def test_a_problem_becomes_json() -> None:
    source = Source("deck.game", "zone a\nzone b\n")
    problem = Diagnostic(
        "duplicate-name",
        "there are two",
        Span(source, 7, 13),
        "again",
        (Label(Span(source, 0, 6), "first"),),
        ("a note",),
        "rename one",
    )
    assert to_json(problem) == {
        "code": "duplicate-name",
        "severity": "error",
        "file": "deck.game",
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 7,
        "message": "there are two",
        "text": "again",
        "labels": [
            {
                "file": "deck.game",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 7,
                "text": "first",
            }
        ],
        "notes": ["a note"],
        "help": "rename one",
    }


@pytest.mark.parametrize(
    ("character", "seen"),
    [
        ("\x1b", "␛"),
        ("\x07", "␇"),
        ("\x7f", "\N{REPLACEMENT CHARACTER}"),
        ("\u202e", "\N{REPLACEMENT CHARACTER}"),
        ("\u2028", "\N{REPLACEMENT CHARACTER}"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_no_character_reaches_the_terminal_as_a_command(character: str, seen: str) -> None:
    text = f"a{character}b"
    source = Source(f"{text}.game", text)
    problem = Diagnostic(
        "bad-character",
        text,
        Span(source, 1, 2),
        text,
        (Label(source.end, text),),
        (text,),
        text,
    )
    found = render(problem)
    assert character not in found
    assert found.count(f"a{seen}b") == 7
    assert found.encode("utf-8")


def test_a_newline_in_a_message_begins_a_row() -> None:
    source = Source("a.game", "x")
    problem = Diagnostic("bad-number", "one\ntwo", Span(source, 0, 1), notes=("three\nfour",))
    assert render(problem).splitlines() == [
        "error[bad-number]: one",
        "two",
        " --> a.game:1:1",
        "  |",
        "1 | x",
        "  | ^",
        "  |",
        "  = note: three",
        "          four",
    ]


def test_a_line_of_megabytes_takes_no_time() -> None:
    source = Source("a.game", "xy" * 2_000_000)
    found = render(Diagnostic("line-too-long", "long", Span(source, 3_000_000, 3_000_001), "here"))
    assert len(found) < 500


def test_shown_text_has_no_tabs() -> None:
    assert printable("a\tb") == "a b"
