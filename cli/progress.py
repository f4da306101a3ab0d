"""How far something long has come: on standard error, only on a terminal, only after a second."""

from __future__ import annotations

import sys
from time import monotonic

_PATIENCE = 1.0
_EVERY = 0.1


class Progress:
    """A line that is written over and over until it is closed."""

    def __init__(self, total: int, what: str) -> None:
        self._total = total
        self._what = what
        self._done = 0
        self._started = monotonic()
        self._shown = 0.0
        self._is_open = sys.stderr.isatty()

    def tick(self, steps: int = 1) -> None:
        """So many more are done."""
        self._done += steps
        now = monotonic()
        if not self._is_open or now - self._started < _PATIENCE or now - self._shown < _EVERY:
            return
        self._shown = now
        share = self._done * 100 // max(1, self._total)
        sys.stderr.write(f"\r{self._done} of {self._total} {self._what} ({share} %)\x1b[K")
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
