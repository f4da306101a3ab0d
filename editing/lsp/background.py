"""Check whole games in one thread while the author types; the latest request comes first.

Each game waits until the author pauses. A newer request for a game stops the older check.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, field

from rulewright.dsl.deep_calls import call_deeply

PAUSE = 0.2  # seconds without a keystroke before a game is checked
REST = 0.8  # seconds without a keystroke before the other variants of the game are checked

Steps = Callable[[Callable[[], bool]], Iterator[object]]
"""A function that starts a check and yields its findings; its argument returns whether the check is still
wanted.
"""


@define
class _Task:
    steps: Steps
    asked: float
    is_wanted: bool = True
    running: Iterator[object] | None = None
    has_found: bool = False


@define
class Background:
    """The thread and its tasks."""

    deliver: Callable[[Path, object, bool], None]
    """Called by the thread with the findings of a game, and at the end of the check with None and True."""
    _tasks: dict[Path, _Task] = field(factory=dict)
    _changed: threading.Condition = field(factory=threading.Condition)
    _closed: bool = False
    _thread: threading.Thread | None = None

    def ask(self, game: Path, steps: Steps) -> None:
        """Check a game again, and cancel its running check."""
        with self._changed:
            before = self._tasks.pop(game, None)
            if before is not None:
                before.is_wanted = False
            self._tasks[game] = _Task(steps, time.monotonic())
            if self._thread is None:
                self._thread = threading.Thread(
                    target=call_deeply, args=(self._run,), daemon=True, name="look"
                )
                self._thread.start()
            self._changed.notify()

    def drop(self, game: Path) -> None:
        """Cancel the checks of a game."""
        with self._changed:
            before = self._tasks.pop(game, None)
            if before is not None:
                before.is_wanted = False

    def close(self) -> None:
        """Stop as soon as possible."""
        with self._changed:
            self._closed = True
            for task in self._tasks.values():
                task.is_wanted = False
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while (chosen := self._next()) is not None:
            game, task = chosen
            if task.running is None:
                task.running = task.steps(lambda task=task: task.is_wanted)  # type: ignore[misc]
            try:
                found = next(task.running, self)
            except Exception as failure:  # the other games must still be checked
                task.running, found = iter(()), failure
            if found is not self:
                if found is not None:
                    task.has_found = True
                    if task.is_wanted:
                        self.deliver(game, found, False)
                continue
            with self._changed:
                if self._tasks.get(game) is task:
                    del self._tasks[game]
            if task.is_wanted:
                self.deliver(game, None, True)
                # Programs have many reference cycles; while nobody types there is time to collect old ones.
                gc.collect()

    def _next(self) -> tuple[Path, _Task] | None:
        """Return the next task: tasks without findings come first, and of these the latest request."""
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                fresh = {game for game, task in self._tasks.items() if not task.has_found}
                waits = {
                    game: self._tasks[game].asked + (PAUSE if fresh else REST) - now
                    for game in fresh or self._tasks
                }
                ready = [game for game, wait in waits.items() if wait <= 0]
                if ready:
                    game = max(ready, key=lambda game: self._tasks[game].asked)
                    return game, self._tasks[game]
                self._changed.wait(min(waits.values(), default=None))
            return None
