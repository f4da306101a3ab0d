"""Tests the files that `make dist` built, in a fresh environment: `python -m tests.packaging.release dist`.

Installs the files, runs the first commands of a newcomer, then installs each extra.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMANDS = (
    "list",
    "check tic_tac_toe",
    "play ginkgopolis --players 3 --seed 7 --seat 1=greedy --seat 2=greedy --seat 3=random",
    "new mygame",
    "check mygame/mygame.game",
    "test mygame",
    "simulate love_letter --games 20 --engine native",
    "explain secret-leak",
    "export love_letter --out page",
    "site playground tic_tac_toe pig",
)


def main(dist: Path) -> int:
    """Test the files; returns the exit code."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    version = project["version"]
    wheel = dist / f"rulewright-{version}-py3-none-any.whl"
    browser = dist / f"rulewright_browser-{version}-py3-none-any.whl"
    same_contents(wheel, dist / f"rulewright-{version}.tar.gz")
    assert (dist / f"rulewright-{version}.vsix").is_file()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        venv.create(work / "venv", with_pip=True)
        bin = work / "venv" / ("Scripts" if os.name == "nt" else "bin")

        def run(*words: str | Path) -> None:
            sys.stdout.write(f"{' '.join(map(str, words[1:]))[:150]}\n")
            sys.stdout.flush()
            done = subprocess.run(
                [*map(str, words)], cwd=work, capture_output=True, text=True, check=False
            )
            if done.returncode:
                sys.exit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}")

        def install(*words: str | Path) -> None:
            run(bin / "python", "-m", "pip", "--disable-pip-version-check", "install", *words)

        install(browser, f"{wheel}[browser,native]")
        for command in COMMANDS:
            run(bin / "rulewright", *command.split())
        for extra in project["optional-dependencies"]:
            install(f"{wheel}[{extra}]")
        run(bin / "rulewright", "check", "tic_tac_toe")
    return 0


def same_contents(wheel: Path, sources: Path) -> None:
    """An installation from the sources must equal the content of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    with tarfile.open(sources) as archive_of_sources:
        names = {name.partition("/")[2] for name in archive_of_sources.getnames()}
    missing = {
        name for name in held if name not in names and name.removeprefix("rulewright/") not in names
    }
    assert not missing, sorted(missing)[:20]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
