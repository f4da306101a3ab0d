"""What is said where a library is not installed."""

from __future__ import annotations


def missing(what: str, extra: str, wrong: ImportError) -> ImportError:
    """Says which extra brings what could not be imported."""
    text = f"{what} needs {wrong.name or wrong}; `pip install '.[{extra}]'` in the folder of Rulewright brings it"
    return ImportError(text, name=wrong.name)
