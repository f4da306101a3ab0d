"""Report the progress of long work on standard error: the task, the finished part, and the time.

A terminal shows one line that changes; a file gets a new line now and then. Quick work shows nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Final, TypeVar

T = TypeVar("T")

PATIENCE: Final = 0.8  # seconds before the first line
_EVERY: Final = 0.2  # seconds between two updates of a terminal
_RARER: Final = 2  # the factor by which the time between two lines of a file grows
HAS_THREADS: Final = sys.platform != "emscripten"
"""Whether Python has threads. It has none in a browser, where a line is written when a part is finished."""


def pace(seconds: float, done: int, total: int, since: float = 0.0) -> str:
    """Format the number of tasks finished per second, and the time that the remaining tasks will take.

    `since` is the time since the last task was finished. It is subtracted from the remaining time.

    >>> pace(4, 10, 100), pace(120, 3, 60), pace(2, 50_000, 90_000_000)
    (', 2.5 a second, 36 s left', ', 0.025 a second, 38 min left', ', 25,000 a second, 60 min left')
    """
    rate = done / seconds
    left = max(0.0, (total - done) / rate - since)
    words = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
    if left >= 7200:
        words = f"{left / 3600:.1f} h"
    often = f"{rate:,.0f}" if rate >= 100 else f"{rate:.2g}"
    return f", {often} a second, {words} left"


class Progress:
    """A line about the progress of a number of tasks, shown until the progress is closed."""

    def __init__(self, total: int, what: str, doing: str = "") -> None:
        self._total = total
        self._what = what
        self._doing = f"{doing}: " if doing else ""
        self._done = 0
        self._decisions = 0
        self._started = self._last = monotonic()
        self._is_shown = False
        self._over = Event()
        self._wait = PATIENCE
        self._due = self._started + PATIENCE
        self._thread = Thread(target=self._watch, daemon=True, name="progress")

    def tick(self, steps: int = 1, decisions: int = 0) -> None:
        """Count `steps` more tasks as done; `decisions` were made in these tasks."""
        self._done += steps
        self._decisions += decisions
        self._last = monotonic()
        if not HAS_THREADS and monotonic() >= self._due:
            self._show(is_terminal=False)
            self._due = monotonic() + self._wait

    @property
    def line(self) -> str:
        """The line that describes the current progress."""
        share = self._done * 100 // max(1, self._total)
        decisions = f", {self._decisions:,} decisions" if self._decisions else ""
        now = monotonic()
        seconds = now - self._started
        line = (
            f"{self._doing}{self._done:,} of {self._total:,} {self._what}{decisions} "
            f"({share} %), {int(seconds)} s"
        )
        if not self._done or self._last - self._started < 1:
            return line
        return line + pace(self._last - self._started, self._done, self._total, now - self._last)

    def _watch(self) -> None:
        is_terminal = sys.stderr.isatty()
        while not self._over.wait(self._wait):
            self._show(is_terminal)

    def _show(self, is_terminal: bool) -> None:
        self._is_shown = True
        line = self.line
        if is_terminal:
            if len(line) >= get_terminal_size().columns:
                line = line.removeprefix(self._doing)
            sys.stderr.write(f"\r{line}\x1b[K")
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        self._wait = _EVERY if is_terminal else max(1.0, self._wait * _RARER)

    def __enter__(self) -> Progress:
        if HAS_THREADS:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if HAS_THREADS:
            self._thread.join()
        if self._is_shown and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def track(things: Sequence[T], what: str, doing: str) -> Iterator[T]:
    """Yield the given things one after another, and report the progress."""
    with Progress(len(things), what, doing) as progress:
        for thing in things:
            yield thing
            progress.tick()
