"""Every problem says what to write: no code reports one without help."""

from __future__ import annotations

import ast
from pathlib import Path

DSL = Path(__file__).parents[3] / "dsl"
REPORTS = ("error", "warning")


def test_every_message_has_a_cure() -> None:
    bare = []
    for path in sorted(DSL.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if node.func.attr in REPORTS and ast.unparse(node.func.value).endswith("problems"):
                said = {word.arg for word in node.keywords}
                if not said & {"help", "at"}:
                    bare.append(f"{path.relative_to(DSL)}:{node.lineno}")
    assert not bare
