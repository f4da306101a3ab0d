"""Any file gives located problems or a game that can be played, in a few seconds, and never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.text.lexer import lex
from tests.properties.mutants import (
    GAMES,
    OF_GAMES,
    PROBES,
    ROOT,
    RULEBOOKS,
    TABLES,
    WORDS,
    hold,
    problems_of,
    spoil_cells,
)

FILES = [*GAMES, *PROBES]
HEAD = 'game "Little"\n    players 2\n\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for beside in [*TABLES, *RULEBOOKS, *PROBES[0].parent.glob("*.csv")]:
        shutil.copy(beside, tmp_path)
    return tmp_path


def spoil_games(folder: Path, seeds: range) -> None:
    for seed in seeds:
        random = Random(seed)
        file, spoil = random.choice(FILES), random.choice(OF_GAMES)
        path = folder / "spoilt.game"
        path.write_bytes(spoil(random, file.read_bytes()))
        try:
            hold(path, random)
        except BaseException as failure:
            failure.add_note(f"seed {seed}: {spoil.__name__} of {file.name}")
            raise


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.deep) for block in range(1, 6))]
)
def test_spoilt_games_give_located_problems(folder: Path, block: int) -> None:
    spoil_games(folder, range(block * 50, block * 50 + 50))


@pytest.mark.deep
@pytest.mark.parametrize("block", range(10))
def test_many_spoilt_games_give_located_problems(folder: Path, block: int) -> None:
    spoil_games(folder, range(1000 + block * 300, 1000 + block * 300 + 300))


def spoil_tables(folder: Path, seeds: range) -> None:
    for seed in seeds:
        random = Random(seed)
        table = random.choice(TABLES)
        (folder / table.name).write_bytes(spoil_cells(random, table.read_bytes()))
        path = folder / table.with_suffix(".game").name
        shutil.copy(table.with_suffix(".game"), path)
        try:
            hold(path, random)
        except BaseException as failure:
            failure.add_note(f"seed {seed}: {table.name}")
            raise


def test_spoilt_tables_give_located_problems(folder: Path) -> None:
    spoil_tables(folder, range(30))


@pytest.mark.deep
@pytest.mark.parametrize("block", range(4))
def test_many_spoilt_tables_give_located_problems(folder: Path, block: int) -> None:
    spoil_tables(folder, range(1000 + block * 100, 1100 + block * 100))


def cut_games(folder: Path, every: int) -> None:
    path = folder / "cut.game"
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        places = [
            place for word in WORDS.finditer(text) for place in (word.start(), word.end() - 1)
        ]
        for place in places[Random(file.name).randrange(every) :: every]:
            path.write_text(text[:place], encoding="utf-8")
            try:
                problems_of(path)
            except BaseException as failure:
                failure.add_note(f"{file.name} cut at {place}")
                raise


def test_games_cut_short_give_located_problems(folder: Path) -> None:
    cut_games(folder, 397)


@pytest.mark.deep
def test_games_cut_nearly_everywhere(folder: Path) -> None:
    cut_games(folder, 13)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_line_ends_and_marks_make_no_difference(folder: Path, file: Path) -> None:
    data = file.read_bytes()
    path = folder / file.name
    for spoilt in (data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, data.rstrip(b"\n")):
        path.write_bytes(spoilt)
        assert problems_of(path) == ()


def lines(line: str, count: int) -> str:
    return "".join(f"{line}\n" for _ in range(count))


UNUSUAL: dict[str, str | bytes] = {
    "empty": "",
    "one newline": "\n",
    "newlines": "\n" * 1_000_000,
    "remarks": lines("# remark", 200_000),
    "all bytes": bytes(range(256)) * 10,
    "latin-1": 'game "Café"\n'.encode("latin-1"),
    "utf-16": 'game "Little"\n'.encode("utf-16"),
    "tabs": (ROOT / "games" / "pig.game").read_bytes().replace(b"    ", b"\t"),
    "tabs and blanks": (ROOT / "games" / "pig.game").read_bytes().replace(b"    ", b"  \t", 9),
    "10 MB of one line": b"a" * 10_000_000,
    "a long line": b"a" * 9_999,
    "garbage": lines("x y z", 200_000),
    "quotes": '"' * 9_999,
    "tags": "[" * 9_999,
    "braces": f'{HEAD}play\n    log "{"{" * 9_001}"\n',
    "braces in braces": f'{HEAD}play\n    log "{"{(" * 3_000}"\n',
    "many braces": f'{HEAD}play\n    log "{"{1}" * 3_000}"\n',
    "digits": f"{HEAD}value x = {'9' * 9_000}\n",
    "opened": f"{HEAD}value x = {'(' * 9_900}\n",
    "opened, over lines": f"{HEAD}value x = {lines('(', 10_000)}",
    "opened and closed": f"{HEAD}value x = {'(' * 4_000}1{')' * 4_000}\n",
    "closed": f"{HEAD}value x = {')' * 9_900}\n",
    "blocks in blocks": HEAD + "play\n" + "".join(f"{' ' * n}if yes\n" for n in range(1, 2_500)),
    "more blocks than a file holds": "".join(f"{' ' * n}if yes\n" for n in range(10_000)),
    "sums": f"{HEAD}value x = {'1 + ' * 2_400}1\n",
    "sums, over lines": f"{HEAD}value x = 1\n{lines('    + 1', 50_000)}",
    "minus": f"{HEAD}value x = {'-' * 9_000}1\n",
    "not": f"{HEAD}value x = {'not ' * 2_400}yes\n",
    "and": f"{HEAD}value x = {'yes and ' * 1_200}yes\n",
    "dots": f"{HEAD}value x = me{'.left' * 1_900}\n",
    "conditions": f"{HEAD}value x = {'if yes then 1 else ' * 500}1\n",
    "cases": f"{HEAD}play\n    if yes\n        skip\n" + "    else if no\n        skip\n" * 5_000,
    "surely": f"{HEAD}play\n    {'surely ' * 1_400}skip\n",
    "a long list": f"{HEAD}value x = ({'1, ' * 3_000}1)\n",
    "too many lines": f"{HEAD}play\n{lines('    end game', 60_000)}",
    "values in a row": HEAD
    + "".join(f"value a{n} = a{n + 1} + 1\n" for n in range(1_500))
    + 'value a1500 = 1\n\nplay\n    log "{a0}"\n',
    "rules in a row": HEAD
    + "".join(f"rule r{n}\n    do r{n + 1}\n" for n in range(400))
    + 'rule r400\n    log "deep"\n\nplay\n    do r0\n',
    "a large grid": f"{HEAD}space Cell grid 999999 by 999999\n\nplay\n    skip\n",
    "many copies": f"{HEAD}piece Card\n    copies = 999999999\n    row ace\n\nplay\n    skip\n",
    "a large state": f"{HEAD}state s(a: 0..99999, b: 0..99999): 0..5\n\nplay\n    set s(1, 1) to 2\n",
    "a long list kept": f"{HEAD}state s: list of 0..5 up to 999999999\n\nplay\n    set s to empty\n",
    "a large range": f"{HEAD}play\n    roll x in 1..999999999\n",
    "many options": HEAD + "".join(f"option o{n} = yes, no\n" for n in range(60)) + "\nplay\n    skip\n",
    "many players": 'game "Little"\n    players 1..999999999\n\nplay\n    skip\n',
    "strange marks": f'{HEAD}play\n    log "\u202e\u2028\x1b[2J\x07"\n',
    "itself": f'{HEAD}include "strange.game"\n',
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_files_are_refused(folder: Path, name: str) -> None:
    content = UNUSUAL[name]
    path = folder / "strange.game"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = problems_of(path)
    if name not in ("strange marks",):
        assert found
    assert len(found) <= 250


@pytest.mark.parametrize("block", range(3))
def test_words_cover_any_text(block: int) -> None:
    """Words are in order and inside the text, and blocks open as often as they close."""
    for seed in range(block * 40, block * 40 + 40):
        random = Random(seed)
        data = random.choice(OF_GAMES)(random, random.choice(FILES).read_bytes())
        source = Source("spoilt.game", data.decode("utf-8", errors="replace"))
        words = lex(source, Problems())
        starts = [word.start for word in words]
        assert starts == sorted(starts)
        assert all(0 <= word.start <= word.end <= len(source.text) for word in words)
        kinds = [word.type for word in words]
        assert kinds.count("_INDENT") == kinds.count("_DEDENT")
