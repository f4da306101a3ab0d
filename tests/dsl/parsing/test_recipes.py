"""The recipes of the reader: each node of the grammar has one, and it fits the class of the node."""

from __future__ import annotations

import inspect

import pytest

from rulewright.dsl.parsing.parse_driver import lark_parser
from rulewright.dsl.parsing.recipes import RECIPES

INSIDE = {"case", "label"}
"""Nodes that are read by the node around them."""


def nodes() -> set[str]:
    """The names of the nodes that the parser makes."""
    found = {str(rule.alias or rule.origin.name) for rule in lark_parser().rules}
    return {
        name for name in found if not name.startswith(("_", "game_file")) and "broken" not in name
    }


def test_each_node_of_the_grammar_has_a_recipe() -> None:
    only_wrapped = {str(rule.origin.name) for rule in lark_parser().rules if rule.options.expand1}
    assert nodes() - only_wrapped - INSIDE <= RECIPES.keys()
    assert RECIPES.keys() <= nodes()


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_has_the_fields_of_its_class(name: str) -> None:
    made, fields = RECIPES[name]
    if made is None:
        assert len(fields.split()) == 1
        return
    parameters = [*inspect.signature(made).parameters.values()][1:]
    needed = [p for p in parameters if p.default is p.empty]
    assert len(needed) <= len(fields.split()) <= len(parameters)
