"""No code handles some classes of a closed union and silently ignores the others."""

from __future__ import annotations

from typing import get_args

import attrs
import pytest

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.procedures import PARTS
from tests.dsl.closed_unions import defaults_in, silent_defaults

MODULE = """\
from rulewright.dsl import ir
from rulewright.dsl.tree import syntax

def f(s):
    {start}:
        {first}:
            return 1
        {default}:{comment}
            return {result}
"""
EACH = "for s in walk(tree):\n     match s"
OTHERS = "  # all others: nothing"


@pytest.mark.slow
def test_no_default_is_silent() -> None:
    assert [str(place) for place in silent_defaults()] == []


@pytest.mark.parametrize(
    ("start", "first", "default", "is_found"),
    [
        ("match s", "case syntax.If() | syntax.Do()", "case _", True),
        ("match s", "case ir.Logic() | ir.At()", "case _", True),
        ("match s", "case syntax.If()", "case _", False),
        ("match s", "case syntax.If(cases=[]) | syntax.Do(effect=True)", "case _", False),
        ("match s", "case syntax.If() | syntax.Do() if s.tags", "case _", False),
        ("match s", "case syntax.If() | syntax.Do()", "case syntax.May()", False),
        (EACH, "case syntax.If() | syntax.Do()", "case _", False),
        ("if s", "if isinstance(s, syntax.If)", "elif isinstance(s, syntax.Do)", True),
        ("if s", "if isinstance(s, syntax.If)", "if isinstance(s, syntax.Do)", True),
        ("if s", "if isinstance(s, syntax.If | syntax.Do)", "else", False),
    ],
)
def test_of_finding_them(start: str, first: str, default: str, is_found: bool) -> None:
    def finds_default(comment: str = "", result: str = "2") -> bool:
        text = MODULE.format(
            start=start, first=first, default=default, comment=comment, result=result
        )
        return bool([*defaults_in(text, "a.py")])

    assert finds_default() is is_found
    assert not finds_default(comment=OTHERS)
    assert not finds_default(result="assert_never(s)") or default.startswith(("if", "elif"))


def test_the_parts_of_nodes_are_those_that_their_fields_say() -> None:
    for node in (*get_args(ir.Expr), *get_args(ir.Stmt), *get_args(ir.Terminator)):
        fields = {
            one.name
            for one in attrs.fields(node)
            if "Expr" in str(one.type) or "Stmt" in str(one.type)
        }
        assert {*PARTS.get(node, ())} == fields, node
