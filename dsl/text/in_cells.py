"""Suggest new content for a cell whose content does not fit its column.

This module is independent of rows and files. It reports no problems.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.diagnostics.foreign_words import COUNTED
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.text.names import as_name

FEW: Final = 8
"""The maximum number of names that are listed if no name is similar."""

_NO_CELL: Final = frozenset(
    ("", "any", "na", "n_a", "none", "null", "nil", "no", "not_any", "free", "empty", "undefined")
)
"""Words that people write for an empty cell."""
_SEVERAL: Final = re.compile(r" *(?:[,;/|+&]| or | and ) *")
_DECIMALS: Final = re.compile(r"[+-]?\d+[.,]\d+")


def number_to_write(text: str, low: int, high: int, number: int | None) -> Help:
    """Return help for a cell that should contain a number. `number` is the content, or None if the
    content is not a number.
    """
    span = f"from {low} to {high}"
    if number is not None and low == high:
        return write(str(low)) + ": the column holds nothing else; or a wider range for the column"
    if number is not None:
        return f"write a number {span}, or a wider range for the column"
    if text.startswith("#") or (text.startswith("=") and len(text) > 1):
        return f"write the number itself, {span}: this is a formula, or an error in one"
    if _DECIMALS.fullmatch(text):
        return f"write a whole number {span}"
    found = re.findall(r"\d+", text)
    alone = int(found[0]) if len(found) == 1 and len(found[0]) < 10 else None
    if alone is None and text.casefold() in COUNTED:
        alone = int(COUNTED[text.casefold()])
    if alone is not None and low <= alone <= high and "-" not in text:
        return write(str(alone)) + ": a cell of this column holds the number alone"
    return f"write a number {span}"


def thing_to_write(
    text: str, names: Sequence[str], column: str, type_name: str, nothing: Help, *, is_list: bool
) -> Help:
    """Return help for a cell that should contain one of the names. `nothing` is the help for a cell
    that may be empty.
    """
    parts = [as_name(part) for part in _SEVERAL.split(text.strip("()"))]
    if not is_list and len(parts) > 1 and all(part in names for part in parts):
        several = f"list of {type_name} up to {len(parts)}"
        return f"write one of them; where there may be several, declare the column as `{column}: {several}`"
    if nothing and as_name(text) in _NO_CELL:
        return nothing
    last = as_name(text.rpartition(".")[2])
    if last in names:
        return write(last)
    near = did_you_mean(as_name(text), list(names))
    if near or not names:
        return near
    if len(names) == 1 and not nothing:
        return write(names[0]) + f", or add `{as_name(text)}` where `{type_name}` is declared"
    others = ", or another of them" if len(names) > FEW else ""
    listed = "write " + one_of(names[:FEW]) + others
    return listed + "; " + nothing + " where there is none" if nothing else listed
