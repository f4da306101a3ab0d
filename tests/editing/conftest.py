"""A shipped game, copied and opened."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from tests.editing.opened import Opened

NIGHT_MARKET = (
    "night_market.game",
    "night_market.csv",
    "night_market.rules.md",
    "night_market.scenario",
)


def copy_shipped(folder: Path, *names: str) -> Path:
    """A folder with some shipped files."""
    with as_file(files("rulewright.games")) as games:
        for name in names:
            if (games / name).is_dir():
                shutil.copytree(games / name, folder / name)
            else:
                shutil.copy(games / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Night Market with its table, its clauses and its scenarios; tests must not change it."""
    opened = Opened(copy_shipped(tmp_path_factory.mktemp("market"), *NIGHT_MARKET))
    opened.open("night_market.game")
    opened.open("night_market.scenario")
    return opened
