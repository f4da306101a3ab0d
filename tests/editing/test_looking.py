"""The background looks at no more than `check` does, and learns as much of the text as if all were compiled whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading import loading
from rulewright.dsl.loading.files import Files
from rulewright.dsl.loading.loading import load
from rulewright.dsl.lowering.whole.program import lower_all
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
    lowered: list[World] = []
    usual = lower_all

    def counted(world: World, a: Analysis) -> Compiler:
        lowered.append(world)
        return usual(world, a)

    monkeypatch.setattr(loading, "lower_all", counted)
    assert load(game).check() == ()
    of_check = len(lowered)
    lowered.clear()
    first, last = found_in(game)
    assert (first.first, last.rest) == ((), ())
    assert 0 < len(lowered) == of_check < len(load(game).looked_at())


def test_what_the_text_alone_tells_is_told_first(game: Path) -> None:
    game.write_text(COINS.replace("add 1 to", "let more = 1\n    add 1 to"), encoding="utf-8")
    first, last = found_in(game)
    assert [one.code for one in first.first] == ["unused-name"]
    assert (last.first, last.rest) == (first.first, ())
    # With another choice of options something is wrong: then nobody is told of what is not used, as in `check`.
    text = game.read_text(encoding="utf-8").replace("add 2 to me.coins", "add 2 to me.coinz")
    game.write_text(text, encoding="utf-8")
    first, last = found_in(game)
    assert [one.code for one in first.first] == ["unused-name"]
    assert last.first == ()
    assert [one.code for one in last.rest or ()] == ["unknown-attribute"]
    assert [*map(repr, last.rest or ())] == [*map(repr, load(game).check())]


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
