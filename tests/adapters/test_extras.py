"""Where a library is not installed, the message says what to install."""

from __future__ import annotations

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("adapter", "library"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")],
)
def test_it_says_what_brings_a_library(
    monkeypatch: pytest.MonkeyPatch, adapter: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"rulewright.adapters.{adapter}", raising=False)
    with pytest.raises(
        ImportError, match=rf"needs {library}; `pip install 'rulewright\[{adapter}\]'` brings it"
    ):
        importlib.import_module(f"rulewright.adapters.{adapter}")
