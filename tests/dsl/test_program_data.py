"""Programs become data and come back unchanged; other data is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Source
from rulewright.dsl.loading.loading import load
from rulewright.dsl.program_data import CLASSES, FIRST, NoProgram, data_of, program_of

ROOT = Path(__file__).parents[2]
GAMES = (
    "games/connect_four.game",
    "games/love_letter.game",
    "tests/corpus/probes/p15_small_go.game",
)
Data = dict[str, Any]


def program_and_sources(name: str) -> tuple[ir.Program, dict[Source, int]]:
    loaded = load(ROOT / name)
    program = loaded.program(*loaded.variants()[0])
    assert program is not None
    sources = {declaration.span.source: 0 for declaration in loaded.declarations}
    sources |= {row.span.source: 0 for kind in program.pieces for row in (kind,) if row.span}
    return program, {source: number for number, source in enumerate(sources)}


@pytest.mark.parametrize("name", GAMES)
def test_a_program_survives_writing_and_reading(name: str) -> None:
    program, sources = program_and_sources(name)
    data = json.loads(json.dumps(data_of(program, sources)))
    found = program_of(data, [*sources])
    assert found == program
    assert [block.span for block in found.blocks] == [block.span for block in program.blocks]
    assert [mark.cited for mark in found.marks] == [mark.cited for mark in program.marks]


@pytest.fixture(scope="module")
def written() -> tuple[Data, list[Source]]:
    program, sources = program_and_sources(GAMES[0])
    return data_of(program, sources), [*sources]


def _row(data: Data, kind: type) -> list[int]:
    number = CLASSES.index(kind) + FIRST
    row: list[int] = next(row for row in data["parts"] if row[0] == number)
    return row


def _word(data: Data, word: object) -> int:
    data["words"].append(word)
    return len(data["words"]) - 1


def _operator(data: Data) -> None:
    _row(data, ir.Binary)[1] = _word(data, "+ __import__('os').getcwd() +")


def _number(data: Data) -> None:
    _row(data, ir.Local)[1] = _word(data, "0) or print('x'")


def _half(data: Data) -> None:
    del data["parts"][len(data["parts"]) // 2 :]


def _whole(data: Data) -> None:
    data["whole"] = -1


def _class(data: Data) -> None:
    data["parts"][-1][0] = 10_000


def _statement(data: Data) -> None:
    _row(data, ir.Binary)[2] = _word(data, None)


def _too_few(data: Data) -> None:
    _row(data, ir.Binary).pop()


def _words(data: Data) -> None:
    data["words"].append([])


def _numbers(data: Data) -> None:
    data["parts"].insert(0, [1, 1.5])


def _nothing(data: Data) -> None:
    data.clear()


SPOILS: list[Callable[[Data], None]] = [
    _operator, _number, _half, _whole, _class, _statement, _too_few, _words, _numbers, _nothing,
]  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILS)
def test_broken_program_data_is_refused(
    spoil: Callable[[Data], None], written: tuple[Data, list[Source]]
) -> None:
    data, sources = json.loads(json.dumps(written[0])), written[1]
    program_of(data, sources)
    spoil(data)
    with pytest.raises(NoProgram):
        program_of(data, sources)
