"""The table of hints: each row has a case in the corpus, in which it gives the line to write."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from rulewright.dsl.immutable import frozen
from rulewright.dsl.parsing.hints import ARROW, Hint, hints, parse_help
from rulewright.dsl.parsing.rewriting import rewrite_line
from rulewright.dsl.parsing.sketched import sketch
from rulewright.dsl.scenarios.scenario_hints import repaired_line, repaired_step
from rulewright.dsl.text.reading import SCENARIOS
from tests.dsl.checks.test_mistakes import CASES, GAMES, apply_change

SAID = re.compile(r"(?:error|warning)\[[\w-]+\]: (.*)\n +--> (\S+?):(\d+):")
TEXTS = {game.name: game.read_text(encoding="utf-8") for game in GAMES.iterdir()}


@frozen
class Case:
    """A message of the corpus with help: the text at its place, and the line without its comment."""

    file: str
    text: str
    line: str
    message: str
    help: str

    @property
    def pieces(self) -> set[str]:
        """The lines to write."""
        return set(self.help.split("`"))


def message_cases() -> Iterator[Case]:
    """The messages of the corpus."""
    for case in CASES.values():
        said, help = SAID.search(case["text"]), case["text"].partition("= help: ")[2]
        if said is not None and said[2] == case["file"] and help:
            text = apply_change(TEXTS[case["file"]], case["change"])
            line = text.splitlines()[int(said[3]) - 1].split(" # ")[0].strip()
            yield Case(case["file"], text, line, said[1], " ".join(help.split()))


def ways(case: Case) -> Iterator[str]:
    """The suggested lines, in the form in which each part of the reader searches for them."""
    reads = case.pieces.__contains__
    yield rewrite_line(case.line, sketch(case.text), reads)
    if case.file.endswith(SCENARIOS):
        yield repaired_line(case.line, "ann", reads)
        yield repaired_step(case.line, reads)


def test_each_form_to_write_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Hint] = []
    filled = Hint.fill

    def noting_fill(hint: Hint, found: re.Match[str]) -> str:
        tried.append(hint)
        return filled(hint, found)

    monkeypatch.setattr(Hint, "fill", noting_fill)
    parts = set(hints("parts"))
    used: set[Hint] = set()
    for case in message_cases():
        tried.clear()
        for way in ways(case):
            if way and tried:
                used |= {tried[-1], *parts.intersection(tried)}
            tried.clear()
    for section in ("lines", "parts", "scenario lines", "scenario steps"):
        assert [hint.written.pattern for hint in hints(section) if hint not in used] == []


INSIDE = ("file", "game", "record", "rule", "power", "score", "block", "possible")


@pytest.mark.parametrize("section", ["slips", "long lines", "first words"])
def test_each_hint_has_a_case(section: str) -> None:
    left = list(hints(section))
    for case in message_cases():
        lines = [f"{inside}: {case.line}" for inside in INSIDE]
        for line in lines if section == "first words" else [case.line]:
            for hint in [*left]:
                said = [hint.fill(found).split(ARROW) for found in hint.written.finditer(line)]
                if (case.message, case.help) in [
                    (what, parse_help(help).words) for what, help in said
                ]:
                    left.remove(hint)
    assert [hint.written.pattern for hint in left] == []


@pytest.mark.parametrize("section", ["habits", "conditions"])
def test_each_habit_has_a_case(section: str) -> None:
    cases = [*message_cases()]
    for hint in hints(section):
        said = [(hint.written.fullmatch(case.line), case.help) for case in cases]
        assert any(found and parse_help(hint.fill(found)).words == help for found, help in said), (
            hint.write
        )
