"""Find the folders for a user's data and caches."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def user_folder(variable: str, usual: str, on_mac: str) -> Path:
    """Return our folder inside the folder that an environment variable names, or inside the system's
    default folder.
    """
    if sys.platform == "win32":
        given, usual = os.environ.get("LOCALAPPDATA"), "AppData/Local"
    elif sys.platform == "darwin":
        given, usual = None, on_mac
    else:
        given = os.environ.get(variable)
    root = Path(given) if given and Path(given).is_absolute() else Path.home() / usual
    return root / "rulewright"
