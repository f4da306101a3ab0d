"""Modules above 600 lines and functions above 60 lines are exactly those that a page lists with a reason."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.packaging.test_layout import ROOT, TOP

PAGE = ROOT / "docs" / "decisions" / "long-code.md"
NAME = re.compile(r"`([^`]+)`")


def _lengths(path: Path) -> Iterator[tuple[str, float]]:
    """A module and its functions with their lengths, as multiples of the limit."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    yield name, text.count("\n") / 600
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{name}: {node.name}", (node.end_lineno - node.lineno + 1) / 60


def _listed_code() -> Iterator[str]:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("- "):
            module, *functions = NAME.findall(line)
            yield from [f"{module}: {function}" for function in functions] or [module]


def test_long_code_is_listed_with_a_reason() -> None:
    paths = [path for top in TOP for path in (ROOT / top).rglob("*.py")]
    lengths = [one for path in paths for one in _lengths(path)]
    listed = set(_listed_code())
    assert {name for name, length in lengths if length > 1} - listed == set(), PAGE
    assert listed - {name for name, length in lengths if length > 5 / 6} == set(), PAGE
