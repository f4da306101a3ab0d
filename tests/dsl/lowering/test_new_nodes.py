"""The type checker names the places that decide what a node or a type means, as soon as one is added."""

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
TYPE = '''
@frozen
class NewType(Nameless):
    """`new`"""

    word: ClassVar = "new"


Type: TypeAlias = (
    NewType
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
    types = package / "dsl" / "model" / "types.py"
    text = types.read_text(encoding="utf-8")
    text, found = re.subn(r"^Type: TypeAlias = \(\n +", TYPE, text, flags=re.M)
    assert found == 1
    types.write_text(text, encoding="utf-8")
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
        *((f"{place}.py", "NewExpression") for place in ("check_together", "enough", "sorts")),
        ("effects.py", "NewExpression"),
        ("effects.py", "NewStatement"),
        ("nesting.py", "NewStatement"),
        ("steps.py", "NewStatement"),
        *((f"{place}.py", "NewType") for place in ("cells", "core", "model", "operators", "types")),
    }, done.stdout + done.stderr
