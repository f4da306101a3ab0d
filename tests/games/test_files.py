"""Every file beside the games is read by one of them."""

from __future__ import annotations

from pathlib import Path

import rulewright.games
from rulewright.dsl.loading.loading import load
from rulewright.interpreter.matches.library import shipped_games
from tests.games.variants import TEMPLATES


def test_every_table_and_every_part_of_a_game_is_read() -> None:
    (games,) = map(Path, rulewright.games.__path__)
    read = {
        part.resolve()
        for path in (*shipped_games().values(), *TEMPLATES.glob("*/*.game"))
        for part in load(path).parts
    }
    lying = {path.resolve() for end in ("csv", "game") for path in games.rglob(f"*.{end}")}
    of_pictures = {path for path in lying if path.name.endswith(".places.csv")}
    of_lists = {(games / name).resolve() for name in ("groups.csv", "rights.csv")}
    assert lying - read == {*of_pictures, *of_lists}
    for places in of_pictures:
        assert places.with_name(places.name.replace(".places.csv", ".game")) in read
