"""Laws of the canonical layout: it keeps the meaning, it is stable, and it depends on words alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.formatting.breaks import WIDTH
from rulewright.dsl.formatting.formatter import format_game, format_scenarios
from rulewright.dsl.formatting.lines import comments_of, lines_of
from rulewright.dsl.loading.confinement import Reach
from rulewright.dsl.loading.loading import load
from rulewright.dsl.parsing.parser import parse_game
from rulewright.dsl.scenarios.scenario_parser import parse_scenarios
from rulewright.dsl.scenarios.scenario_words import scenario_words
from rulewright.dsl.text.lexer import Word, lex
from rulewright.dsl.text.reading import decode
from tests.docs.pages import ROOT, Fence, fences
from tests.properties.layouts import another_layout
from tests.properties.mutants import spoil_lines, spoil_words


def relative_path(path: Path) -> str:
    return str(path.relative_to(ROOT))


SHIPPED = sorted((ROOT / "games").rglob("*.game")) + sorted((ROOT / "games").rglob("*.scenario"))
FILES = SHIPPED + sorted((ROOT / "tests" / "corpus" / "probes").glob("*.game"))
# the pages of errors show faulty texts
PAGES = [
    ROOT / "README.md",
    *sorted(p for f in ("", "spec") for p in (ROOT / "docs" / f).glob("*.md")),
]
EXAMPLES = [f for page in PAGES for f in fences(page) if f.word in ("game", "frame", "scenario")]


def is_scenario(path: Path) -> bool:
    return path.suffix == ".scenario"


def format_text(name: str, data: bytes, scenes: bool) -> str | None:
    reading = decode(name, data)
    if not reading.usable:
        return None
    form = format_scenarios if scenes else format_game
    return form(reading.source, Problems())


def words_of(text: str, scenes: bool) -> list[Word]:
    source = Source("x", text)
    return scenario_words(source) if scenes else lex(source, Problems())


def tree_of(text: str, scenes: bool) -> object:
    source = Source("x", text)
    return without_places(
        parse_scenarios(source, Problems()) if scenes else parse_game(source, Problems())
    )


def without_places(node: object) -> object:
    if isinstance(node, tuple):
        return tuple(map(without_places, node))
    names = [field.name for field in getattr(node, "__attrs_attrs__", ())]
    if not names or isinstance(node, Span):
        return None if isinstance(node, Span) else node
    return type(node).__name__, *(without_places(getattr(node, name)) for name in names)


def without_spaces(node: object) -> str:
    return re.sub(r"line\d+", "line", "".join(re.split(r"\s|\\t|\\n", repr(without_places(node)))))


def hold(text: str, result: str, scenes: bool) -> None:
    """The laws of a text and its formatted form."""
    assert format_text("x", result.encode(), scenes) == result
    assert tree_of(result, scenes) == tree_of(text, scenes)
    said, says = (comments_of(lines_of(t, words_of(t, scenes))) for t in (text, result))
    assert says == said
    assert said == [] or "#" in result
    for row in result.split("\n"):
        assert row == row.rstrip()
        assert "\t" not in row.partition('"')[0].partition("#")[0]
    assert "\n\n\n" not in result
    assert not result.startswith("\n")
    assert result.endswith("\n") != (result == "")
    assert not result.endswith("\n\n")


@pytest.mark.parametrize("path", FILES, ids=relative_path)
def test_files_are_in_their_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(path.name, path.read_bytes(), is_scenario(path)) == text, (
        "run rulewright fmt"
    )


@pytest.mark.parametrize("fence", EXAMPLES, ids=lambda fence: f"{fence.page}:{fence.line}")
def test_examples_are_in_their_layout(fence: Fence) -> None:
    found = format_text("x", fence.text.encode(), fence.word == "scenario")
    if found is None:
        assert fence.word == "frame"  # which may not be a separate file
    else:
        assert found == fence.text


def lay_out_otherwise(path: Path, seed: int) -> None:
    scenes = is_scenario(path)
    canonical = format_text(path.name, path.read_bytes(), scenes)
    assert canonical is not None
    other = another_layout(canonical, words_of(canonical, scenes), Random(seed))
    assert format_text(path.name, other.encode(), scenes) == canonical, f"seed {seed}"
    hold(decode("x", other.encode()).source.text, canonical, scenes)


def test_tabs_are_blanks_in_scenarios() -> None:
    text = 'scenario "x"\n    player ann, bob\n    expect ann is asked\n    ann plays buy\n'
    assert tree_of(text.replace("ann is asked", "ann\tis\tasked"), True) == tree_of(text, True)
    assert tree_of(text.replace("ann plays", "ann\tplays"), True) == tree_of(text, True)


@pytest.mark.parametrize("path", FILES[::12], ids=relative_path)
def test_another_layout_of_the_same_words(path: Path) -> None:
    lay_out_otherwise(path, 1)


@pytest.mark.deep
@pytest.mark.parametrize("path", FILES, ids=relative_path)
def test_many_layouts_of_the_same_words(path: Path) -> None:
    for seed in range(1, 40):
        lay_out_otherwise(path, seed)


def spoil(seeds: range) -> int:
    """Damaged files that can be read keep their meaning. How many could."""
    count = 0
    for seed in seeds:
        random = Random(seed)
        path = random.choice(FILES)
        data = random.choice((spoil_words, spoil_lines))(random, path.read_bytes())
        scenes = is_scenario(path)
        result = format_text(path.name, data, scenes)
        if result is not None:
            count += 1
            try:
                hold(decode("x", data).source.text, result, scenes)
            except BaseException as failure:
                failure.add_note(f"seed {seed}: {path.name}")
                raise
    return count


def test_layout_keeps_the_meaning_of_spoilt_files() -> None:
    assert spoil(range(60)) > 5


@pytest.mark.deep
@pytest.mark.parametrize("block", range(10))
def test_layout_keeps_the_meaning_of_many_spoilt_files(block: int) -> None:
    assert spoil(range(1000 + block * 400, 1400 + block * 400)) > 50


@pytest.mark.parametrize("name", ["love_letter", "night_market"])
def test_the_program_is_the_same(name: str, tmp_path: Path) -> None:
    path = ROOT / "games" / f"{name}.game"
    text = path.read_text(encoding="utf-8")
    other = tmp_path / path.name
    other.write_text(another_layout(text, words_of(text, False), Random(5)), encoding="utf-8")
    shutil.copy(path.with_suffix(".rules.md"), tmp_path)
    one, two = load(path), load(other, reach=Reach(path.parent))
    assert two.hash == one.hash
    players, options = one.variants()[0]
    programs = [loaded.program(players, options) for loaded in (one, two)]
    assert programs[0] is not None
    # some names in a program are parts of the text, or contain a line number
    assert without_spaces(programs[1]) == without_spaces(programs[0])


def test_other_words_have_another_hash(tmp_path: Path) -> None:
    hashes = set()
    for word in ("one", "two", '"one"'):
        path = tmp_path / "x.game"
        path.write_text(f'game "X"\n    players 2\n\nplay\n    log "a"\n    win {word}\n')
        hashes.add(load(path).hash)
    assert len(hashes) == 3


def test_long_lines_are_laid_out() -> None:
    names = ", ".join(f"name_{n}" for n in range(1000))
    calls = ", ".join(f"a({n}, (b))" for n in range(500))
    text = f"kind Thing = {names}\nlet x = ({calls})\n"
    for line in text.splitlines(keepends=True):
        rules = line if line.startswith("kind") else f"setup\n    {line}"
        broken = rules.replace(", ", ",\n        ")  # a row must not be too long to be read
        result = format_text("x", broken.encode(), False)
        assert result is not None
        assert max(map(len, result.split("\n"))) <= WIDTH
        assert "".join(result.split()) == "".join(rules.split())
