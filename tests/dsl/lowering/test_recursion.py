"""Every node that a text can have has exactly one construct, and no other construct is registered."""

from typing import get_args

import pytest

from rulewright.dsl.lowering.emit.recursion import EXPRESSIONS, STATEMENTS, lowers, writes
from rulewright.dsl.lowering.whole.constructs import CONSTRUCTS
from rulewright.dsl.tree import syntax


def test_every_expression_has_one_construct() -> None:
    assert {*EXPRESSIONS} == {*get_args(syntax.Expression)}


def test_every_statement_has_one_construct() -> None:
    assert {*STATEMENTS} == {*get_args(syntax.Statement)}


def test_no_node_has_two() -> None:
    with pytest.raises(ValueError, match="Word is lowered twice"):
        lowers(syntax.Word)(EXPRESSIONS[syntax.Word])
    with pytest.raises(ValueError, match="Move is written twice"):
        writes(syntax.Move)(STATEMENTS[syntax.Move])


def test_all_constructs_are_loaded_in_one_place() -> None:
    known = {module.__name__ for module in CONSTRUCTS}
    assert {work.__module__ for work in (*EXPRESSIONS.values(), *STATEMENTS.values())} <= known
