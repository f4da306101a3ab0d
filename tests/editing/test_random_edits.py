"""After any edit the problems are those of a fresh `check`; truncated files get answers; memory does not grow."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from rulewright.editing.features.code_lenses import lenses
from rulewright.editing.features.completion import complete
from rulewright.editing.features.fixes import fixes
from rulewright.editing.features.folding import folds
from rulewright.editing.features.hover import hover
from rulewright.editing.features.inlay_hints import hints
from rulewright.editing.features.outline import outline
from rulewright.editing.features.semantic_tokens import name_tokens
from rulewright.editing.features.symbol_at import definition, references
from tests.editing.client import editing
from tests.editing.conftest import NIGHT_MARKET, copy_shipped
from tests.editing.edits import edit_facts, edit_text
from tests.editing.opened import Opened

GAMES = {
    "market": (NIGHT_MARKET, ("night_market.game", "night_market.csv", "night_market.scenario")),
    "foxglove": (
        ("foxglove.game", "foxglove.rules.md", "foxglove.scenario"),
        ("foxglove.game", "foxglove.rules.md"),
    ),
    "four": (
        ("connect_four.game", "connect_four.scenario"),
        ("connect_four.game", "connect_four.scenario"),
    ),
}


def ask_everything(opened: Opened, name: str, offset: int) -> None:
    """All requests about a place; a table that its game no longer names belongs to no game."""
    if opened.open_games.project(opened.folder / name) is None:
        return
    place = opened.at(name, offset)
    snapshot, path, _ = place
    source = snapshot.sources.get(path)
    if source is None:
        return
    for answer in (hover, complete, definition, references):
        answer(*place)
    outline(snapshot, path)
    name_tokens(snapshot, path)
    list(folds(source, path))
    list(lenses(snapshot, path))
    list(hints(snapshot, path, 0, len(source.text)))
    list(fixes(snapshot, path, max(0, offset - 100), offset))


Edit: TypeAlias = Callable[[str, random.Random], str]


def many_edits(folder: Path, game: str, number: int, seed: int, edit: Edit = edit_text) -> None:
    files, changed = GAMES[game]
    opened, chance = Opened(copy_shipped(folder, *files)), random.Random(seed)
    texts = {name: opened.open(name) for name in changed}
    for step in range(number):
        name = chance.choice(changed)
        text = edit(texts[name], chance)
        opened.write(name, text)
        ask_everything(opened, name, chance.randrange(len(text) + 1))
        opened.settle(changed[0])
        assert opened.problems(changed[0]) == opened.check_saved(changed[0]), (seed, step, name)
        ask_everything(opened, name, chance.randrange(len(text) + 1))
        if chance.random() < 0.6:  # somebody presses undo
            opened.write(name, texts[name])
        elif chance.random() < 0.2:
            texts[name] = text


@pytest.mark.parametrize("game", GAMES)
def test_problems_are_those_of_a_fresh_check(tmp_path: Path, game: str) -> None:
    many_edits(tmp_path, game, 4, seed=1)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("game", GAMES)
def test_problems_after_five_hundred_edits(tmp_path: Path, game: str, seed: int) -> None:
    many_edits(tmp_path, game, 17, seed)


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        pytest.param(game, seed, marks=() if seed == 1 else pytest.mark.deep)
        for game in ("market", "foxglove")
        for seed in range(1, 8)
    ],
)
def test_after_edits_of_facts_that_are_reused_problems_are_those_of_a_fresh_check(
    tmp_path: Path, game: str, seed: int
) -> None:
    many_edits(tmp_path, game, 4 if seed == 1 else 20, seed, edit_facts)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["night_market.game", "night_market.csv", "night_market.scenario"])
def test_files_cut_off_at_every_tenth_byte(tmp_path: Path, name: str) -> None:
    opened = Opened(copy_shipped(tmp_path, *NIGHT_MARKET))
    opened.open("night_market.game")
    data = (tmp_path / name).read_bytes()
    for end in range(0, len(data), 10):
        text = data[:end].decode("utf-8", "ignore")
        opened.write(name, text)
        ask_everything(opened, name, len(text))
        ask_everything(opened, name, len(text) // 2)


@pytest.mark.deep
def test_the_largest_game_cut_off(tmp_path: Path) -> None:
    opened = Opened(copy_shipped(tmp_path, "through_the_ages"))
    folder = tmp_path / "through_the_ages"
    opened.open("through_the_ages/through_the_ages.game")
    for file in sorted(folder.glob("*.game")):
        name, data = f"through_the_ages/{file.name}", file.read_bytes()
        for end in range(0, len(data), max(10, len(data) // 40)):
            text = data[:end].decode("utf-8", "ignore")
            opened.write(name, text)
            ask_everything(opened, name, len(text))
        opened.write(name, data.decode())


@pytest.mark.deep
def test_memory_does_not_grow_with_edits(tmp_path: Path) -> None:
    files, _ = GAMES["market"]
    opened, chance = Opened(copy_shipped(tmp_path, *files)), random.Random(5)
    text = opened.open("night_market.game")

    def edits(number: int) -> int:
        for step in range(number):
            opened.write("night_market.game", edit_text(text, chance))
            ask_everything(opened, "night_market.game", chance.randrange(len(text)))
            if step % 5 == 0:
                opened.settle("night_market.game")
        opened.write("night_market.game", text)
        opened.settle("night_market.game")
        gc.collect()
        return len(gc.get_objects())

    first = edits(80)  # these fill the caches
    assert edits(240) < first * 1.02


@pytest.mark.deep
def test_edits_over_the_wire(tmp_path: Path) -> None:
    folder, chance = copy_shipped(tmp_path, *NIGHT_MARKET), random.Random(9)
    opened = Opened(folder)
    name = "night_market.game"

    async def session() -> None:
        async with editing(folder) as client:
            text = client.text(name)
            await client.open(name)
            for _ in range(40):
                new = edit_text(text, chance)
                client.type(name, new)
                await client.wait_until_checked()
                opened.write(name, new)
                wanted = {line.split(" ")[1] for line in opened.check_saved(name)}
                assert {line.split(" ")[1] for line in client.problem_lines()} == wanted
            assert client.messages == []

    asyncio.run(session())
