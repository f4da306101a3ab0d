"""Chromium for tests: Debian's, found by its path. Without one the tests that need it say that they were not run."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REQUIRED = "RULEWRIGHT_BROWSER_REQUIRED"
"""Set by continuous integration: a browser that is missing is a failure then."""


def chromium() -> str | None:
    """The path of a browser; a failure where it must be there and is not."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.environ.get(REQUIRED):
        raise AssertionError("there is no chromium: apt-get install chromium")
    return found
