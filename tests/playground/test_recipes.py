"""Every recipe of the cookbook opens in the playground: its link has the game and the scenario, and a match begins."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from docs.site.build import page
from rulewright.cli.app import run
from rulewright.playground.folder import Folder
from rulewright.playground.worker import Worker
from tests.docs.recipes import PAGES, recipes

pytestmark = pytest.mark.slow
_LINK = re.compile(r'href="\.\./playground/index\.html#game=([\w-]+)"')


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_each_recipe_opens_and_begins(path: Path, tmp_path: Path) -> None:
    built = page(path.read_text("utf-8"), "../", Folder(tmp_path / "colours"))
    opened = [unpack(link) for link in _LINK.findall(built)]
    written = [
        {"example.game": game.game, "example.scenario": scenario.scenarios}
        for game, scenario in (recipe.games for recipe in recipes(path) if recipe.games)
    ]
    assert [one["files"] for one in opened] == written
    worker = Worker(tmp_path / "game", run)
    for link in opened:
        assert answer(worker, "open", **link)["answer"] == "open"
        match = answer(worker, "create", game="game", seed=1)["match"]
        status = answer(worker, "status", match=match)
        picture = answer(worker, "picture", match=match, viewer=status["player"])
        assert picture["options"], link["files"]["example.game"]


def unpack(link: str) -> dict[str, Any]:
    """The files in the fragment of a link, as the page reads them."""
    data = base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))
    found: dict[str, Any] = json.loads(zlib.decompress(data, -15))
    return found


def answer(worker: Worker, what: str, **fields: object) -> dict[str, Any]:
    """The answer to the page."""
    found: dict[str, Any] = json.loads(worker.answer(json.dumps({"ask": what, **fields})))
    return found
