"""The background looks at no more than `check` does, and learns as much of the text as if all were compiled whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.ir import Program
from rulewright.dsl.loading import loading
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.whole.program import compile_world
from rulewright.dsl.lowering.workshop.analysis import Analysis
from rulewright.dsl.lowering.workshop.core import Compiler
from rulewright.dsl.world.world import World
from rulewright.editing.desk.checking import Found, look
from tests.dsl.loading.test_settings import COINS


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "coins.game"
    path.write_text(COINS, encoding="utf-8")
    return path


def found_in(game: Path) -> list[Found]:
    return [found for found in look(game, (), Files(), lambda: True) if found is not None]


def test_what_settings_share_is_compiled_once(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[World] = []
    usual = compile_world

    def counted(world: World, *, a: Analysis) -> tuple[Program, Compiler]:
        compiled.append(world)
        return usual(world, a=a)

    monkeypatch.setattr(loading, "compile_world", counted)
    assert load(game).check() == ()
    of_check = len(compiled)
    compiled.clear()
    first, last = found_in(game)
    assert (first.first, last.rest) == ((), ())
    assert len(compiled) == of_check < len(load(game).looked_at())


def test_all_that_is_known_of_the_text(game: Path) -> None:
    whole = load(game)
    for players, options in whole.looked_at():
        whole.problems_of(players, options)
    known = whole.known
    found = found_in(game)[-1].facts
    assert {(span.start, span.end, what.name) for span, what in found.referents.items()} == {
        (span.start, span.end, what.name) for span, what in known.referents.items()
    }
    assert {(span.start, span.end): type for span, type in found.types.items()} == {
        (span.start, span.end): type for span, type in known.types.items()
    }
