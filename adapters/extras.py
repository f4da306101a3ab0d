"""Build the message about a library that is not installed."""

from __future__ import annotations


def missing(what: str, extra: str, wrong: ImportError) -> ImportError:
    """Return the error that names the extra to install."""
    text = f"{what} needs {wrong.name or wrong}; `pip install '.[{extra}]'` in the folder of Rulewright installs it"
    return ImportError(text, name=wrong.name)
