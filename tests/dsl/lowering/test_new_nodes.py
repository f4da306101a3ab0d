"""When a node or a type is added, the type checker names the places that must handle it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NODES = [
    ("dsl/tree/syntax.py", "Expression", "Expression(Node)", ""),
    ("dsl/tree/syntax.py", "Expression", "Operation(Operation)", ""),
    ("dsl/tree/syntax.py", "Statement", "Statement(Tagged)", ""),
    ("dsl/tree/declared.py", "Declaration", "Declaration(syntax.Tagged)", ""),
    ("dsl/tree/declared.py", "Declaration", "Trigger(Trigger)", ""),
    ("dsl/tree/scenario_syntax.py", "ScenarioLine", "ScenarioLine(syntax.Node)", ""),
    ("dsl/model/types.py", "Type", "Type(Nameless)", '    word: ClassVar = "new"\n'),
    ("dsl/ir.py", "Expr", "Expr", "    new: int\n"),
    ("dsl/ir.py", "Stmt", "Stmt", "    new: int\n"),
    ("dsl/ir.py", "Terminator", "Terminator", "    new: int\n"),
]
"""The unions, each with a class to add, and its fields."""
PLACES = {
    "Type": "cells core model operators positions types",
    "Expression": (
        "check_together constants declaring effects enough equivalent_pieces folding nesting "
        "paths paying possible precondition_steps reading reveals scenario_lowering kind_names unmet "
        "writing written"
    ),
    "Operation": "check_together constants effects enough kind_names",
    "Statement": "effects nesting steps",
    "Declaration": "causes changes declaring",
    "Trigger": "changes declaring",
    "ScenarioLine": "scenario_lowering",
    "Expr": "code expressions ir_text ranges reference representation",
    "Stmt": ("cleanup forced_choice ir_text procedures ranges reference statements tabulate"),
    "Terminator": "blocks endings flow ranges reference",
}
"""The modules that the type checker names for each class."""


@pytest.mark.deep
def test_type_checker_names_the_places(tmp_path: Path) -> None:
    package = tmp_path / "rulewright"
    for room in ("dsl", "interpreter"):
        shutil.copytree(ROOT / room, package / room, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text("", encoding="utf-8")
    for path, union, head, fields in NODES:
        text = (package / path).read_text(encoding="utf-8")
        node = f'@frozen\nclass New{head}:\n    """`new`"""\n\n{fields}\n\n'
        name = f"New{head.partition('(')[0]}"
        text, found = re.subn(
            rf"^{union}(: TypeAlias)? = (\(\n)?",
            rf"{node}{union}\1 = \2{name} | ",
            text,
            flags=re.M,
        )
        assert found == 1
        (package / path).write_text(text, encoding="utf-8")
    checker = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    packages = ["-p", "rulewright.dsl", "-p", "rulewright.interpreter"]
    done = subprocess.run(
        [*checker, "--cache-dir", str(tmp_path / "cache"), *packages],
        cwd=tmp_path,
        env={"MYPYPATH": str(tmp_path), "PATH": ""},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    named: dict[str, set[str]] = {}
    for place, said in re.findall(r"^(\S+)\.py:\d+: error: (.*)", done.stdout, re.M):
        for node in re.findall(r"New(\w+)", said):
            named.setdefault(node, set()).add(Path(place).stem)
    wanted = {node: {*places.split()} for node, places in PLACES.items()}
    assert named == wanted, done.stdout + done.stderr
