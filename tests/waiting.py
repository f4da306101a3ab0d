"""Waiting for what others do, with a limit that a busy machine does not exceed; servers in threads that always end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread

PATIENCE = 240.0
"""Seconds that anything may take: a machine that runs tests is busy."""


def until(found: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, f"nothing happens within {PATIENCE} seconds"
        time.sleep(0.05)


@contextmanager
def serving(server: BaseServer) -> Iterator[None]:
    """Answer requests in a thread."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
