"""Show on a terminal which bot is thinking, and for how long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from os import cpu_count
from threading import Event, Thread
from time import monotonic

from rulewright.interpreter.bots.levels import bot_named, effort_named, for_person
from rulewright.interpreter.bots.tree_search import decide
from rulewright.interpreter.bots.trees import Memory, Thought
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.matches.fastest import get_ready
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.views.compiled_game import CompiledGame

THREADS = min(2, cpu_count() or 1)
"""The number of threads that think while a person waits; a bot with a fixed number of trials uses one
thread.
"""
_AFTER = 0.6
"""After this many seconds a message says that a bot is thinking."""
_AT_ONCE = 32
"""The number of trials between two checks for the person's answer."""
_MOST_NODES = 500_000
"""The maximum size of a tree with which a bot continues to think."""


def bot_choice(
    kind: str,
    name: str,
    state: State,
    generator: Generator,
    seconds: float,
    memory: Memory | None = None,
    heard: Callable[[Thought], None] | None = None,
) -> int:
    """Return the option that a bot chooses; Ctrl-C ends its search and takes the best option so far.

    A bot with a thinking time starts from the results of its last decision, which are in `memory`.
    """
    word = for_person(kind, seconds)
    effort = effort_named(word)
    with show_running(f"{name} is thinking"):
        if effort is None or len(state.option_ids) == 1:
            return bot_named(word)(state, generator)
        known = memory if effort.seconds else None
        threads = THREADS if effort.seconds else 1
        return decide(
            state, effort, generator, interruptible=True, memory=known, threads=threads, heard=heard
        )


@contextmanager
def pondering(memory: Memory, state: State) -> Iterator[None]:
    """Let the last bot continue to think, on one core, while a person decides."""
    last = memory.last
    if last is None or state.over or state.at_chance or not last.first.can_ponder:
        yield
        return
    search = memory.search(state, Generator.seeded(0), last.reward, len(last.searches)).first

    def think_on(over: Event) -> None:
        while not over.is_set() and not search.settled and search.tree.nodes < _MOST_NODES:
            search.look(_AT_ONCE)

    with _beside(think_on):
        yield


@contextmanager
def show_running(what: str) -> Iterator[None]:
    """Show on a terminal that something is running, and for how many seconds."""
    if not sys.stdout.isatty():
        yield
        return
    with _beside(partial(_show, what)):
        yield


@contextmanager
def _beside(work: Callable[[Event], None]) -> Iterator[None]:
    """Run `work` in a thread until the context ends; the event then asks the thread to end."""
    over = Event()
    thread = Thread(target=work, args=(over,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _show(what: str, over: Event) -> None:
    begun, wait = monotonic(), _AFTER
    while not over.wait(wait):
        sys.stdout.write(f"\r  {what} ... {max(1, round(monotonic() - begun))} s")
        sys.stdout.flush()
        wait = 1.0
    if wait > _AFTER:
        sys.stdout.write("\r\x1b[K")
        sys.stdout.flush()


def prepare(compiled: CompiledGame) -> None:
    """Compile native code for the bots while the person reads."""
    Thread(target=get_ready, args=(compiled,)).start()
