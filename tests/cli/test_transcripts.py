"""Runs the transcripts: command lines, typed input (`< `), output, and the exit code if it is not 0.

A line `...` matches any lines, `{...}` matches anything within a line. REWRITE=1 in the environment writes failed
expectations again: review the difference.
"""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.cli.conftest import Command

FOLDER = Path(__file__).parents[1] / "transcripts"
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


@attrs.frozen
class Step:
    """One command line of a transcript."""

    line: str
    typed: tuple[str, ...]
    expected: tuple[str, ...]


def steps_of(text: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, *rest = part.rstrip("\n").split("\n")
        typed = tuple(each[2:] for each in rest if each.startswith("< "))
        expected = tuple(each for each in rest if not each.startswith("< "))
        while expected and not expected[-1]:
            expected = expected[:-1]
        yield Step(line, typed, expected)


def output_lines(command: Command, step: Step) -> list[str]:
    program, *words = shlex.split(step.line)
    assert program == "rulewright", step.line
    ran = command(*words, typed="".join(f"{line}\n" for line in step.typed))
    lines = (ran.out + ran.err).split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if ran.code:
        lines.append(f"[exit {ran.code}]")
    return lines


def pattern(expected: tuple[str, ...]) -> str:
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:.*\n)*")
        else:
            parts.append(r".*".join(map(re.escape, line.split("{...}"))) + r"\n")
    return "".join(parts)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_session_goes_as_its_transcript_says(
    command: Command, path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(
        "XDG_STATE_HOME", str(tmp_path / "state")
    )  # without the matches of other tests
    text = path.read_text(encoding="utf-8")
    head = text.partition("$ ")[0]
    written = []
    for step in steps_of(text):
        lines = output_lines(command, step)
        typed = [f"< {line}" for line in step.typed]
        found = "".join(f"{line}\n" for line in lines)
        if re.fullmatch(pattern(step.expected), found):
            lines = list(step.expected)
        elif not os.environ.get("REWRITE"):
            assert found.splitlines() == list(step.expected), step.line
        written.append("\n".join([f"$ {step.line}", *typed, *lines]))
    if os.environ.get("REWRITE"):
        path.write_text(head + "\n\n".join(written) + "\n", encoding="utf-8")


def test_there_are_transcripts() -> None:
    assert TRANSCRIPTS
