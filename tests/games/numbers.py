"""The numbers of `numbers.toml`, and the oracles by the names of the games."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

Numbers = dict[str, Any]  # a table of the file: names, numbers and lists of numbers


def numbers(what: str) -> dict[str, Numbers]:
    """The tables of one kind, by game."""
    text = Path(__file__).with_name("numbers.toml").read_text(encoding="utf-8")
    return {table["game"]: table for table in tomllib.loads(text)[what]}


def oracle(game: str) -> ModuleType:
    """The oracle of a game."""
    return import_module(f"tests.oracles.{game}")
