"""The wheel holds exactly the packages with their data, the pages about problems and the specification, and works
without sources. Games without a row in `games/rights.csv` are not in it.
"""

import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from rulewright.interpreter.matches.library import shipped_games

ROOT = Path(__file__).parents[2]
TOP = (
    "adapters",
    "cli",
    "docs/errors",
    "docs/spec",
    "dsl",
    "editing",
    "games",
    "interpreter",
    "pictures",
    "playground",
    "protocol",
    "web",
)
OWN = ("rulewright/__init__.py", "rulewright/py.typed")
OFFLINE = ("--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check")

LEFT_OUT = ("colonial", "night_market", "dyers")
"""Games whose rows are removed: in an own folder, with files beside others, and in the library."""

IMPORT_EVERYTHING = """
import importlib, pkgutil
from importlib.resources import files
import rulewright, rulewright.docs.errors, rulewright.docs.spec
for package in (rulewright.docs.errors, rulewright.docs.spec):
    assert len(list(files(package).glob("*.md"))) > 15
for module in pkgutil.walk_packages(rulewright.__path__, "rulewright."):
    print(importlib.import_module(module.name).__file__)
"""
LIST = "import rulewright; print(*rulewright.shipped_games())"

pytestmark = pytest.mark.slow


def _is_shipped(file: Path) -> bool:
    parts = file.relative_to(ROOT).parts
    return file.is_file() and not any(part.startswith((".", "__pycache__")) for part in parts)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy, because a build leaves files beside the sources, and those of an earlier build would
    # get in.
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in TOP:
        ignore = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignore)
    (source / "rulewright").mkdir()
    for name in OWN:
        shutil.copy(ROOT / name, source / name)
    rights = source / "games" / "rights.csv"
    rows = rights.read_text("utf-8").splitlines(keepends=True)
    rights.write_text(
        "".join(row for row in rows if row.partition(",")[0] not in LEFT_OUT), "utf-8"
    )
    target = tmp_path_factory.mktemp("wheel")
    arguments = ("wheel", *OFFLINE, "--wheel-dir", str(target), str(source))
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True, capture_output=True)
    (built,) = target.glob("*.whl")
    return built


def _is_left_out(file: Path) -> bool:
    names = [part.partition(".")[0] for part in file.relative_to(ROOT).parts]
    return names[0] == "games" and not set(LEFT_OUT).isdisjoint(names)


def test_the_wheel_holds_all_files_but_those_of_excluded_games(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {*OWN} | {
        "rulewright/" + file.relative_to(ROOT).as_posix()
        for top in TOP
        for file in (ROOT / top).rglob("*")
        if _is_shipped(file) and not _is_left_out(file)
    }
    assert sum(_is_left_out(file) for file in (ROOT / "games").rglob("*.*")) > 10


def test_every_module_loads_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # A path in a `.pth` file adds the libraries, but not the editable installation.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    python = tmp_path / "venv" / "bin" / "python"

    def run(code: str) -> str:
        command = [str(python), "-c", code]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=tmp_path
        ).stdout

    lines = run(IMPORT_EVERYTHING).splitlines()
    assert all(Path(line).is_relative_to(packages) for line in lines)
    assert set(run(LIST).split()) == set(shipped_games()) - set(LEFT_OUT)
