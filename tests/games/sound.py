"""Laws for every state of every game: consistency for the engine, and the invariants of the rules."""

from __future__ import annotations

from rulewright.interpreter.matches.audit import audit
from rulewright.interpreter.matches.state import State


def assert_sound(state: State) -> None:
    """Pieces, tokens and values are in order, and the invariants of the rules hold."""
    assert list(audit(state.compiled, state.cells)) == []
    assert broken_invariants(state) == []


def broken_invariants(state: State) -> list[str]:
    """Invariants of the rules that do not hold in this state."""
    compiled, cells = state.compiled, state.cells
    return [
        words for words, holds in compiled.program.invariants if not compiled.number(cells, holds)
    ]
