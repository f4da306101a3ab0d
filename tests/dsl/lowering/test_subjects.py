"""The type after `of p:` is the type of `p`; a message explains this to authors who meant the type of the value."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.dsl.loading.loading import load

GAME = """game "Little"
    players 2
value leads of p: {type} = p.{asked} > 1
play
    end game
score of p
    item "points" = 1
winner p by p.total then shared
"""


@pytest.mark.parametrize("type", ["Flag", "0..9"])
def test_the_type_of_the_value_after_its_subject_is_named(tmp_path: Path, type: str) -> None:
    path = tmp_path / "little.game"
    path.write_text(GAME.format(type=type, asked="number"), encoding="utf-8")
    problem = next(each for each in load(path).check() if each.code == "unknown-attribute")
    assert problem.help is not None
    assert problem.help.endswith("write `of p: Player`")


def test_help_for_an_unknown_attribute_names_a_similar_one(tmp_path: Path) -> None:
    path = tmp_path / "little.game"
    path.write_text(GAME.format(type="Player", asked="numbr"), encoding="utf-8")
    problem = next(each for each in load(path).check() if each.code == "unknown-attribute")
    assert problem.help == "did you mean `number`?"
