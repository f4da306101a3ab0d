"""All sentences of the pages are in one table: each exists, each is used, and none is written elsewhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulewright.web.words import SENTENCES

ROOT = Path(__file__).parents[2]
FILES = [file for top in ("web", "pictures") for file in sorted((ROOT / top).rglob("*.py"))]
SHOWN = ("aria_label", "title", "placeholder", "alt")
"""Attributes whose text is shown or spoken."""
NO_WORDS = re.compile(r"(&\w+;|[^A-Za-z])*", re.ASCII)


TEXTS = (("tag", 1, 99), ("chosen", 1, 99), ("inner", 0, 99), ("fold", 1, 2), ("label", 0, 1))
"""Functions that make elements, and which of their arguments are content."""


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(file.read_text("utf-8")))]


def calls(name: str, place: int = 0) -> Iterator[tuple[str, ast.Call]]:
    """All calls of a function with an argument at this place, with their lines."""
    for file in FILES:
        for node in nodes_of(file):
            called = isinstance(node, ast.Call) and node.func
            if called and ast.unparse(called) in (name, f"pen.{name}"):
                assert isinstance(node, ast.Call)
                if len(node.args) > place:
                    yield f"{file.name}:{node.lineno}", node


def own_texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression has of its own, without those in calls, conditions and indices."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from own_texts(part)
        case ast.FormattedValue(value=part) | ast.Starred(value=part):
            yield from own_texts(part)
        case ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, right=second):
            yield from (*own_texts(first), *own_texts(second))
        case ast.BoolOp(values=parts):
            for part in parts:
                yield from own_texts(part)
        case ast.GeneratorExp(elt=part) | ast.ListComp(elt=part):
            yield from own_texts(part)
        case _:  # all others: calls, names and operators have no text of their own
            pass


def test_every_sentence_is_used_and_none_is_missing() -> None:
    keys, beginnings = set[str](), set[str]()
    for _, call in calls("say"):
        for node in ast.walk(call.args[0]):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                keys.add(node.value)
            if isinstance(node, ast.JoinedStr):
                beginnings.add(str(getattr(node.values[0], "value", "")))
    code = "".join(file.read_text("utf-8") for file in FILES if file.name != "words.py")
    used = {key for key in SENTENCES if f'"{key}"' in code or key.startswith(tuple(beginnings))}
    assert sorted(set(SENTENCES) - used) == []
    assert sorted(keys - set(SENTENCES) - beginnings) == []


def test_no_failure_has_a_sentence_of_its_own() -> None:
    found = [
        f"{at}: {ast.unparse(call)}"
        for name, place in (("NoPageError", 0), ("RefusedError", 1))
        for at, call in calls(name, place)
        if [*own_texts(call.args[place])]
    ]
    assert found == []


def test_no_element_has_words_of_its_own() -> None:
    found = [
        f"{at}: {text!r}"
        for name, first, last in TEXTS
        for at, call in calls(name)
        for part in (
            *call.args[first:last],
            *(key.value for key in call.keywords if key.arg in SHOWN),
        )
        for text in own_texts(part)
        if not NO_WORDS.fullmatch(text)
    ]
    assert found == []


def test_scripts_have_no_words_of_their_own() -> None:
    scripts = [ROOT / "pictures" / "table.js", *(ROOT / "web" / "static").glob("*.js")]
    assert len(scripts) > 1
    for script in scripts:
        code = re.sub(r"^ *//.*|// .*$", "", script.read_text("utf-8"), flags=re.MULTILINE)
        assert (
            re.findall(r"""(?:textContent|ariaLabel|title|alert\(): *["'`][^"'`]*[A-Za-z]""", code)
            == []
        )
        assert re.findall(r"""["'`][^"'`\n]*[a-z]{2} [a-z]{2}[^"'`\n[]*["'`]""", code) == []
