"""Excludes games without a row in `games/rights.csv` from the wheel and from the archive of the sources."""

import csv
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

GAMES = "rulewright.games"


class ListedGames(build_py):
    """Finds the files of packages; of the games, only those that may be shipped."""

    def find_data_files(self, package: str, src_dir: str) -> list[str]:
        found = super().find_data_files(package, src_dir)
        if package != GAMES:
            return found
        folder = Path(src_dir)
        with (folder / "rights.csv").open(encoding="utf-8") as table:
            listed = {row["game"] for row in csv.DictReader(table)}
        owners = {file: _owner(Path(file).relative_to(folder)) for file in found}
        games = {owner for file, owner in owners.items() if Path(file).name == f"{owner}.game"}
        return [file for file in found if owners[file] not in games - listed]


def _owner(file: Path) -> str:
    """The game of a file such as `chess.game`, `library/chess.css` or `chess/cards.csv`."""
    top = file.parts[file.parts[0] == "library"]
    return top.partition(".")[0]


setup(cmdclass={"build_py": ListedGames})
