"""Each text that a message says to write is a fix for one click, and solves the problem, for all mistakes in the
corpus.
"""

from __future__ import annotations

import re
import shutil
from itertools import groupby
from pathlib import Path

import pytest
from attrs import define, field

from rulewright.dsl.diagnostics.diagnostics import Diagnostic
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.loading.reuse import Earlier, Lost
from rulewright.dsl.scenarios.scenario_loading import load_scenarios
from rulewright.dsl.text.reading import SCENARIOS
from rulewright.editing.features.fixes import Fix, fixes_of
from tests.docs.errors import read_page, write
from tests.docs.test_errors import OF_FILES, problems
from tests.dsl.checks.test_mistakes import CASE, CASES, FINE, GAMES, HABITS, apply_change

UNTOLD = (
    r"where it is to (?:be offered|happen)",
    r"where the rules mean to",
    r"in a rule, and use",
    r"in `setup`",
    r"in the head of the rule",
    r"with (?:its steps|other words)",
    r"after the rule, or a `note`",
    r"at the end of the line (?:before|of the power|that (?:begins|it is about))",
    r"in games with a line",
    r"or `win p` in a rule",
    r"use it, or remove it",
    r"and below it (?:what|the steps of|a step|`show|`do |`each player from)",
    r"a number is not a zone: write",
    r"and before a move into it",
    r", below `player`",
    r"below an `if` block",
    r"; then `else`",
    r"at the left margin, and its steps below",
    r"`do {",
    r"` there; for one value per player",
    r"for identical ones",
    r"and its steps below it; for the next",
    r"write `(?:all|first)\(x in A",
)
"""Words of help without a fix: only the author knows the place or the whole text."""

WRITES = re.compile(r"\bwrite `|did you mean|(?<!, or )\bremove it\b(?!; `stop`)")
PLACEHOLDER = re.compile(r"\.\.\.|(?<![A-Za-z0-9_-])[A-Z][A-Z0-9]*(?![A-Za-z0-9_-])")


@define
class Edited:
    """A folder with a game that is being edited: each check continues from the last one, as in the editor.

    Many fixes restore the correct text, so the messages about each text are cached."""

    folder: Path
    game: Path
    files: Files = field(factory=Files)
    left: Earlier | None = None
    said: dict[tuple[tuple[Path, str], ...], tuple[Diagnostic, ...]] = field(factory=dict)

    def problems(self, of: Path) -> tuple[Diagnostic, ...]:
        """The messages about a game, or a file of scenarios, with the current texts."""
        texts = tuple(sorted(self.files.given.items()))
        if texts not in self.said:
            self.said[texts] = self._look(of)
        return self.said[texts]

    def write(self, name: str, text: str) -> None:
        self.files.given[self.folder / name] = text

    def _look(self, of: Path) -> tuple[Diagnostic, ...]:
        if of.suffix == SCENARIOS:
            return load_scenarios(self.folder / of, files=self.files).check()
        loaded = load(self.folder / self.game, files=self.files)
        try:
            if self.left is not None:
                loaded.reuse(self.left)
            found = loaded.check()
        except Lost:
            self.left = None
            return self._look(of)
        self.left = loaded.reusable_results() or self.left
        return tuple(loaded.now.problem(problem) for problem in found)


def apply_fix(fix: Fix) -> str:
    text = fix.problem.span.source.text
    for edit in sorted(fix.edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def is_advice(help: str) -> bool:
    """Whether a help contains the whole text to write."""
    texts = re.findall(r"\bwrite `([^`]+)`", help)
    return (
        WRITES.search(help) is not None
        and not any(re.search(words, help) for words in UNTOLD)
        and not any(PLACEHOLDER.search(re.sub(r"\b[A-Z][a-z]\w*", "x", text)) for text in texts)
    )


BLOCKS = 8
EXAMPLES = {found["name"] for found in CASE.finditer(HABITS.read_text(encoding="utf-8"))}
"""Cases whose help shows a form with the names of an example."""
OF_A_FILE = sorted(
    (name for name in CASES if name not in FINE and name not in EXAMPLES),
    key=lambda name: CASES[name]["file"],
)


@pytest.mark.slow
def test_a_twelfth_of_the_fixes_mend_their_mistakes(tmp_path: Path) -> None:
    expect_fixes_to_mend(OF_A_FILE[::12], tmp_path)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(BLOCKS))
def test_all_fixes_mend_their_mistakes(tmp_path: Path, block: int) -> None:
    each = -(-len(OF_A_FILE) // BLOCKS)
    expect_fixes_to_mend(OF_A_FILE[block * each :][:each], tmp_path)


def expect_fixes_to_mend(names: list[str], tmp_path: Path) -> None:
    """Each mistake is an edit of a correct file, as in the editor."""
    without: list[str] = []
    useless: list[str] = []
    reported = 0
    for file, of_file in groupby(names, key=lambda name: Path(CASES[name]["file"])):
        folder = tmp_path / file.name
        folder.mkdir()
        for beside in GAMES.glob(f"{file.stem}.*"):
            shutil.copy(beside, folder)
        edited = Edited(folder, file.with_suffix(".game"))
        right = (folder / file).read_text(encoding="utf-8")
        edited.write(file.name, right)
        assert edited.problems(file) == ()
        for name in of_file:
            edited.write(file.name, apply_change(right, CASES[name]["change"]))
            for problem in edited.problems(file):
                source = problem.span.source
                place = Path(source.name).name
                offered = [*fixes_of(problem)]
                reported += is_advice(problem.help)
                if is_advice(problem.help) and not offered:
                    without.append(f"{name}: {problem.help}")
                for fix in offered:
                    edited.write(place, apply_fix(fix))
                    after = [
                        (one.code, one.message, one.span.text) for one in edited.problems(file)
                    ]
                    edited.write(place, source.text)
                    if (problem.code, problem.message, problem.span.text) in after:
                        useless.append(f"{name}: {fix.title}")
    assert without == []
    assert useless == []
    assert reported > 35


SMALL = """\
game "Small"
    players 2
piece Stone
    row flint
kind Nut = hazel, pine
player
    state n: 0..9
    state nut: Nut or nothing = nothing
    zone bag: pile of Stone
zone heap: pile of Stone
setup
    move all from Stone to heap
action take
    add (1 + 2) to me.n
    set me.nut to hazel
play
    each player
        do take
        move all from heap to me.bag
    end game
winner p by p.n, (if p.nut is pine then 1 else 0) then shared
"""
MISTAKES = {
    "a bracket that is never closed": ("(1 + 2) to", "(1 + 2 to", "    add (1 + 2 to me.n)"),
    "a bracket that was never opened": ("(1 + 2) to", "1 + 2) to", "    add 1 + 2 to me.n"),
    "no line for the players": ("    players 2\n", "", "    players 2..4"),
    "a line that may be two things": (
        "        do take\n",
        "        choose one of\n            choose take\n",
        "            do take",
    ),
    "a zone of what is no piece": ("pile of Stone", "pile of Nut", "    state bag: Nut or nothing"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_lines_that_a_fix_writes(tmp_path: Path, name: str) -> None:
    old, new, *lines = MISTAKES[name]
    path = tmp_path / "small.game"
    assert load(_save(path, SMALL)).check() == ()
    found = load(_save(path, SMALL.replace(old, new, 1))).check()
    offered = [fix for problem in found for fix in fixes_of(problem)]
    written = [apply_fix(fix).split("\n") for fix in offered]
    assert [any(line in text for text in written) for line in lines] == [True] * len(lines)


def test_the_name_of_a_list_of_clauses_that_is_misspelt(tmp_path: Path) -> None:
    _save(tmp_path / "small.rules.md", "- **SM-001** There are two players.\n")
    named = SMALL.replace("players 2", 'players 2\n    rulebook "smal.rules.md"', 1)
    found = load(_save(tmp_path / "small.game", named)).check()
    assert [one.help for one in found] == ["did you mean `small.rules.md`?"]
    (fix,) = fixes_of(found[0])
    assert 'rulebook "small.rules.md"' in apply_fix(fix)


def _save(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("code", OF_FILES)
def test_advice_of_error_pages_is_offered_as_a_fix(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = problems(write(read_page(code).example, Path()))
    assert [
        problem.help for problem in found if is_advice(problem.help) and not [*fixes_of(problem)]
    ] == []
