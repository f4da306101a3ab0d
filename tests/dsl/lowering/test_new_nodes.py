"""The type checker names the places that decide what a node means, as soon as a node is added to the tree."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NODE = '''
@frozen
class {name}:
    """`new`"""

    span: Span
    tags: Tags


{union} = (
    {name}
    | '''


@pytest.mark.deep
def test_type_checker_names_the_places(tmp_path: Path) -> None:
    package = tmp_path / "rulewright"
    shutil.copytree(ROOT / "dsl", package / "dsl", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text("", encoding="utf-8")
    tree = package / "dsl" / "tree" / "syntax.py"
    text = tree.read_text(encoding="utf-8")
    for union in ("Expression", "Statement"):
        text, found = re.subn(
            rf"^{union} = \(\n +", NODE.format(name=f"New{union}", union=union), text, flags=re.M
        )
        assert found == 1
    tree.write_text(text, encoding="utf-8")
    checker = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*checker, "--cache-dir", str(tmp_path / "cache"), "-p", "rulewright.dsl"],
        cwd=tmp_path,
        env={"MYPYPATH": str(tmp_path), "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    named = {
        (Path(place).name, node)
        for place, node in re.findall(r"^(\S+\.py):\d+: error: .*\"(New\w+)\"", done.stdout, re.M)
    }
    assert named == {
        ("effects.py", "NewExpression"),
        ("effects.py", "NewStatement"),
        ("nesting.py", "NewStatement"),
    }, done.stdout + done.stderr
