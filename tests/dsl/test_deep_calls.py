"""Calls whose frames are in one block of memory return the right results at any depth."""

from __future__ import annotations

import sys

import pytest

from rulewright.dsl.deep_calls import call_deeply


def _depth(left: int, *, more: int = 0) -> int:
    return more if left == 0 else 1 + _depth(left - 1, more=more)


def test_deep_calls_pass_their_arguments() -> None:
    """Deeper than one block of frames allows."""
    assert call_deeply(_depth, 500, more=7) == 507
    assert call_deeply(call_deeply, _depth, 500, more=7) == 507


def test_too_deep_calls_and_faults_are_reported() -> None:
    with pytest.raises(RecursionError):
        call_deeply(_depth, sys.getrecursionlimit())
    with pytest.raises(ZeroDivisionError):
        call_deeply(lambda: 1 // 0)
