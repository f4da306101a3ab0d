"""Plural names, in the singular after the number 1."""

from __future__ import annotations

import pytest

from rulewright.dsl.text.plurals import singular


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("coins", "coin"),
        ("civil actions", "civil action"),
        ("victories", "victory"),
        ("torches", "torch"),
        ("bonuses", "bonus"),
        ("houses", "house"),
        ("moves", "move"),
        ("keys", "key"),
        ("lives", "life"),
    ],
)
def test_plurals_of_names_are_understood(name: str, one: str) -> None:
    assert singular(name) == one


@pytest.mark.parametrize(
    "name",
    ["gold", "good will", "brass", "gas", "status", "crisis", "chaos", "series", "politics", ""],
)
def test_singular_names_stay(name: str) -> None:
    assert singular(name) == name
