"""Highlighting agrees with the lexer about every word of all shipped files and of the documents."""

import json
import re
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from editors.grammar import FOLDER, main, rules_grammar, scenarios_grammar
from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.scenarios.scenario_words import scenario_words
from rulewright.dsl.text.lexer import BLOCKS, Word, lex
from tests.editors.textmate import Grammar

ROOT = Path(__file__).parents[2]
RULES = Grammar(rules_grammar())
SCENES = Grammar(scenarios_grammar(), {"source.rulewright": rules_grammar()})
NAMES = ("NAME", "TYPE", "NUMBER")
WORDS_OF_THE_LANGUAGE = re.compile(r"keyword|support\.function|constant\.language|storage")
_BLOCK = re.compile(
    r"^```(game|frame|fragment|file \S+|scenario)\n(.*?)^```", re.MULTILINE | re.DOTALL
)


def shipped_files(end: str) -> list[Path]:
    with as_file(files("rulewright.games")) as games:
        return sorted(games.rglob(f"*{end}"))


def disagreements(grammar: Grammar, source: Source, words: list[Word]) -> Iterator[str]:
    scopes = grammar.scopes(source.text)
    for word in words:
        if word.type in (*BLOCKS, "BAD") or not word.text[:1].isalnum():
            continue
        found = scopes[word.start]
        is_keyword = word.type not in (*NAMES, "TAG", "TEXT")
        if is_keyword == bool(WORDS_OF_THE_LANGUAGE.match(found)):
            continue
        line = source.line_text(source.position(word.start)[0]).strip()
        yield f"{word.text} ({word.type}) is `{found}` in: {line}"


@pytest.mark.parametrize("path", shipped_files(".game"), ids=lambda path: "-".join(path.parts[-3:]))
def test_every_word_of_the_shipped_rules(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert [*disagreements(RULES, source, lex(source, Problems()))] == []


@pytest.mark.parametrize(
    "path", shipped_files(".scenario"), ids=lambda path: "-".join(path.parts[-3:])
)
def test_every_word_of_the_shipped_scenarios(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert [*disagreements(SCENES, source, scenario_words(source))] == []


@pytest.mark.parametrize(
    "page",
    [*(ROOT / "docs" / "spec").glob("*.md"), ROOT / "docs" / "tutorial.md", ROOT / "README.md"],
    ids=lambda page: f"{page.parent.name}-{page.stem}",
)
def test_every_word_of_the_documents(page: Path) -> None:
    found: list[str] = []
    for kind, text in _BLOCK.findall(page.read_text(encoding="utf-8")):
        source = Source(page.name, text)
        if kind == "scenario":
            found += disagreements(SCENES, source, scenario_words(source))
        elif "..." not in text:
            found += disagreements(RULES, source, lex(source, Problems()))
    assert found == []


def test_the_grammars_are_made_from_the_word_lists() -> None:
    assert main(["--check"]) == 0
    for name in ("rulewright", "rulewright-scenario"):
        json.loads((FOLDER / f"{name}.tmLanguage.json").read_text(encoding="utf-8"))
