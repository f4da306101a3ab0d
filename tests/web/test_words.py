"""All sentences of the pages are in one table: each is there, each is used, and none is written elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rulewright.web.words import SENTENCES

WEB = Path(__file__).parents[2] / "web"


def calls(name: str, place: int) -> Iterator[tuple[str, ast.expr]]:
    """The argument at a place of all calls of a function."""
    for file in sorted(WEB.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield from ((f"{file.name}:{node.lineno}", each) for each in node.args[place:][:1])


def test_every_sentence_is_used_and_none_is_missing() -> None:
    keys, beginnings = set[str](), set[str]()
    for _, argument in calls("say", 0):
        for node in ast.walk(argument):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.add(node.value)
            if isinstance(node, ast.JoinedStr):
                beginnings.add(str(getattr(node.values[0], "value", "")))
    code = "".join(file.read_text("utf-8") for file in WEB.glob("*/*.py"))
    used = {key for key in SENTENCES if f'"{key}"' in code or key.startswith(tuple(beginnings))}
    assert sorted(set(SENTENCES) - used) == []
    assert sorted(keys - set(SENTENCES) - beginnings) == []


def test_no_failure_has_a_sentence_of_its_own() -> None:
    written = [
        f"{at}: {ast.unparse(text)}"
        for at, text in (*calls("NoPageError", 0), *calls("RefusedError", 1))
        if isinstance(text, (ast.Constant, ast.JoinedStr))
    ]
    assert written == []
