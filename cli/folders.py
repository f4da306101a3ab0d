"""The folders in which a user's programs keep things."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_folder(variable: str, usual: str, on_mac: str) -> Path:
    """The folder of ours in the one that a variable of the system names, or that is usual there."""
    if sys.platform == "win32":
        given, usual = os.environ.get("LOCALAPPDATA"), "AppData/Local"
    elif sys.platform == "darwin":
        given, usual = None, on_mac
    else:
        given = os.environ.get(variable)
    root = Path(given) if given and Path(given).is_absolute() else Path.home() / usual
    return root / "rulewright"
