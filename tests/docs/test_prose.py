"""Documents, docstrings, comments and messages are in plain English (`docs/plain-english.md`)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.docs import prose

# The last commit before subjects had a rule.
BEFORE = "8e12d69"


@pytest.mark.parametrize("phrase", prose.phrases(), ids=lambda p: p.pattern)
def test_each_phrase_refuses_its_wrong_example_only(phrase: prose.Phrase) -> None:
    assert phrase.is_in(phrase.wrong)
    assert not any(p.is_in(phrase.right) for p in prose.phrases())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("What it costs is the price.", True),
        ("What does it cost?", False),
        ("Who has two cards loses one.", True),
        ("That is a loss.", False),
        ("That a card is hidden is known.", True),
        ("word " * 31, True),
        ("word " * 30, False),
    ],
)
def test_sentences_are_short_and_direct(text: str, fault: bool) -> None:
    sentence = prose.Sentence("file", 1, text.strip())
    assert bool(list(prose.faults(sentence, prose.phrases()))) == fault


def test_pages_are_cut_into_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words\n\nOne here. Another\none.\n\n```game\nnot read\n```\n- an item\n- a second\n\n| a | b c |\n"
    )
    assert [(s.line, s.text) for s in prose.in_page(page)] == [
        (1, "Two words"),
        (3, "One here."),
        (3, "Another one."),
        (9, "an item"),
        (10, "a second"),
        (12, "a"),
        (12, "b c"),
    ]


def test_comments_of_games_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    file = tmp_path / "small.game"
    file.write_text(
        '# One here. Another\n# one.\n\nsigns "#"  # at the end\n# ---- A heading ----\n'
    )
    assert [(s.line, s.text) for s in prose.in_game(file)] == [
        (1, "One here."),
        (1, "Another one."),
        (4, "at the end"),
    ]


def test_docstrings_are_read_without_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text(
        'def f():\n    """One here.\n\n    Another\n    one.\n\n        code = 1\n\n'
        '    JSON: {a, b: {c d e}}.\n\n    >>> f()\n    4\n    """\n'
    )
    assert [s.text for s in prose.in_module(module)] == ["One here.", "Another one.", "JSON: `x`."]


def test_texts_of_tests_are_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text('x = "some text of a test"\n"""The text."""  # a comment\n')
    assert [s.text for s in prose.in_docstrings(module)] == ["The text.", "a comment"]
    assert "some text of a test" in [s.text for s in prose.in_module(module)]


def test_every_sentence_keeps_the_rules() -> None:
    avoided = prose.phrases()
    found = [
        f"{sentence.file}:{sentence.line}: {fault}"
        for _, sentences in prose.all_prose()
        for sentence in sentences
        for fault in prose.faults(sentence, avoided)
    ]
    assert found == []


def test_decision_pages_have_their_parts_in_order() -> None:
    """A page may hold several decisions, each with all its parts."""
    marks = re.compile(r"^(?:\*\*|## )(Context|Decision|Alternatives|Consequences)\b", re.MULTILINE)
    order = re.compile(r"(Context Decision Alternatives (Consequences )?)+")
    found = {
        page.name: "".join(f"{mark} " for mark in marks.findall(page.read_text(encoding="utf-8")))
        for page in (prose.ROOT / "docs" / "decisions").glob("*.md")
        if page.name != "README.md"
    }
    assert found
    assert {name: parts for name, parts in found.items() if not order.fullmatch(parts)} == {}


@pytest.mark.parametrize("word", prose.retired_words(), ids=lambda p: p.pattern)
def test_each_retired_word_refuses_its_wrong_name_only(word: prose.Phrase) -> None:
    assert word.is_in(prose.words_of(word.wrong))
    assert not any(p.is_in(prose.words_of(word.right)) for p in prose.retired_words())


def test_names_are_cut_into_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "movers.py"
    module.write_text(
        'LONE = 1\nclass OldSlip:\n    """Here nobody is strange."""\ndef test_what_is():\n    ...\n'
    )
    assert [*prose.retired_names(module, prose.retired_words())] == [
        "movers.py:1: `movers` in movers",
        "movers.py:1: `lone` in LONE",
        "movers.py:2: `slips?` in OldSlip",
        "movers.py:4: test_what_is begins with what",
    ]


def test_no_name_has_a_retired_word() -> None:
    words = prose.retired_words()
    found = [
        name for file in prose.modules(prose.NAMED) for name in prose.retired_names(file, words)
    ]
    assert found == []


def test_participles_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    module = tmp_path / "cards.py"
    module.write_text(
        "def _counted(): ...\ndef count_cards(): ...\ndef feed(): ...\ndef counted_cards(): ...\n"
        "class Hand:\n    def kept(self): ...\n    @property\n    def hidden(self): ...\n"
    )
    assert [*prose.participles(module)] == [
        "cards.py:1: _counted is a participle",
        "cards.py:6: kept is a participle",
    ]


def test_no_function_is_named_by_a_participle() -> None:
    found = [name for file in prose.modules(prose.NAMED) for name in prose.participles(file)]
    assert found == []


def test_titles_of_scenarios_have_a_subject() -> None:
    title = re.compile(
        r'^(?:(?:scenario|beginning) "|## )((?:who|what|that) [^"?\n]*)(?:"|$)', re.MULTILINE
    )
    assert title.findall('scenario "who passes is out"\nscenario "what now?"\n## who wins\n') == [
        "who passes is out",
        "who wins",
    ]
    corpus = prose.ROOT / "tests" / "corpus"
    files = [
        *(prose.ROOT / "games").rglob("*.scenario"),
        *(prose.ROOT / "docs").rglob("*.md"),
        *(file for file in corpus.rglob("*") if file.suffix in (".md", ".txt", ".scenario")),
    ]
    assert [
        f"{file.name}: {found}"
        for file in files
        for found in title.findall(file.read_text(encoding="utf-8"))
    ] == []


def test_commit_subjects_are_short() -> None:
    git = ["git", "-C", str(prose.ROOT)]
    known = subprocess.run([*git, "cat-file", "-e", BEFORE], capture_output=True, check=False)
    if known.returncode:
        return  # an archive, or a clone without history
    log = subprocess.run(
        [*git, "log", "--no-merges", "--format=%s", f"{BEFORE}..HEAD"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert [s for s in log.stdout.splitlines() if len(s) > 72] == []
