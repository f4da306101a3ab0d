"""Show on a terminal which bot thinks, and for how long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic

from rulewright.interpreter.bots.levels import bot_named, effort_named, for_person
from rulewright.interpreter.bots.tree_search import decide, get_ready
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame

_AFTER = 0.6
"""After so many seconds it is said that a bot thinks."""


def chosen(kind: str, name: str, state: State, generator: Generator, seconds: float) -> int:
    """The option that a bot chooses; Ctrl-C ends its search, and what is best by then is taken."""
    word = for_person(kind, seconds)
    effort = effort_named(word)
    if effort is None or len(state.option_ids) == 1:
        return bot_named(word)(state, generator)
    with shown(f"{name} is thinking") as watch:
        return decide(state, effort, generator, interruptible=True, watch=watch)


@contextmanager
def shown(what: str) -> Iterator[Callable[[], None]]:
    """Show on a terminal that something goes on, with the seconds it has taken; it is to be called meanwhile."""
    begun, last, is_seen = monotonic(), -1, sys.stdout.isatty()

    def watch() -> None:
        nonlocal last
        passed = monotonic() - begun
        if is_seen and passed >= _AFTER and int(passed) != last:
            last = int(passed)
            sys.stdout.write(f"\r  {what} ... {max(1, last)} s")
            sys.stdout.flush()

    try:
        yield watch
    finally:
        if last >= 0:
            sys.stdout.write("\r\x1b[K")
            sys.stdout.flush()


def prepare(compiled: CompiledGame) -> None:
    """Make native code for the bots while the person reads."""
    Thread(target=get_ready, args=(compiled,)).start()
