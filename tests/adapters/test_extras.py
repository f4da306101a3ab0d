"""If a library is not installed, the message names the package to install."""

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
    wanted = (
        rf"needs {library}; `pip install '\.\[{adapter}\]'` in the folder of Rulewright installs it"
    )
    with pytest.raises(ImportError, match=wanted):
        importlib.import_module(f"rulewright.adapters.{adapter}")
