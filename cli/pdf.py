"""Convert a page to PDF with WeasyPrint or with Chromium, whichever is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_LONGEST = 120


def browser() -> str | None:
    """Return the path of a Chromium, or None if none is installed."""
    return next((path for name in _BROWSERS if (path := shutil.which(name)) is not None), None)


def pdf_of(page: Path, output: Path) -> str | None:
    """Write a PDF of a page; return the name of the program that converted it, or None if no program is
    installed.
    """
    if find_spec("weasyprint") is not None:
        import_module("weasyprint").HTML(filename=str(page)).write_pdf(str(output))
        return "WeasyPrint"
    chromium = browser()
    if chromium is None:
        return None
    with tempfile.TemporaryDirectory() as profile:
        line = [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={output.resolve()}",
            page.resolve().as_uri(),
        ]
        done = subprocess.run(line, capture_output=True, timeout=_LONGEST, check=False)
    return "Chromium" if done.returncode == 0 and output.is_file() else None
