"""The table of hints: each row of it has a case in the corpus, of which it gives the line to write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from rulewright.dsl.parsing.hints import Hint, hints
from rulewright.dsl.parsing.rewriting import mended
from rulewright.dsl.parsing.sketched import sketched
from rulewright.dsl.scenarios.scene_slips import mended_line, mended_step
from rulewright.dsl.text.reading import SCENARIOS
from tests.dsl.checks.test_mistakes import CASES, GAMES, changed

Reads = Callable[[str], bool]
SECTIONS = ("lines", "parts", "scenario lines", "scenario steps")
LINE = re.compile(r"\s*\d+ \| (.*)")


def told() -> Iterator[tuple[str, str, str, set[str]]]:
    """Of each message that says what to write: the text, the line, and the pieces to write."""
    texts = {game.name: game.read_text(encoding="utf-8") for game in GAMES.iterdir()}
    for case in CASES.values():
        line, help = LINE.search(case["text"]), case["text"].partition("= help: ")[2]
        if line is not None and "write `" in help:
            pieces = " ".join(help.split()).replace("`, and below it `", "` and `").split("`")
            text = changed(texts[case["file"]], case["change"])
            yield case["file"], text, line[1].split(" # ")[0].strip(), set(pieces)


def ways(file: str, text: str, line: str, reads: Reads) -> Iterator[str]:
    """The lines to write, as each part of the reader would look for them."""
    yield mended(line, sketched(text), reads)
    if file.endswith(SCENARIOS):
        yield mended_line(line, "ann", reads)
        yield mended_step(line, reads)


def test_each_hint_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Hint] = []
    filled = Hint.filled

    def noted(hint: Hint, found: re.Match[str]) -> str:
        tried.append(hint)
        return filled(hint, found)

    monkeypatch.setattr(Hint, "filled", noted)
    parts = set(hints("parts"))
    used: set[Hint] = set()
    for file, text, line, pieces in told():
        tried.clear()
        for way in ways(file, text, line, pieces.__contains__):
            if way and tried:
                used |= {tried[-1], *parts.intersection(tried)}
            tried.clear()
    for section in SECTIONS:
        assert [hint.written.pattern for hint in hints(section) if hint not in used] == []
