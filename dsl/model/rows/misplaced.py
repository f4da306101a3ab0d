"""Reports misplaced lines below a record, and missing parts of a link.

The module is independent of rows.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax

_HOLDS: Final = ("piece", "space", "link")
"""Records whose rows have states and zones."""


def _below(d: declared.Record, line: str) -> Fix:
    """Return the fix that inserts a line directly below the head of a record."""
    source = d.name_span.source
    end = source.line_end(d.name_span.line)
    return Fix(Span(source, end, end), f"\n    {line}")


def report_misplaced(model: Model, d: declared.Record, spaces: Set[str]) -> None:
    """Report an error for each line that this type of record cannot have, and for a link that joins
    nothing.
    """
    found: list[tuple[Span, str, str]] = []
    what = {"kind": "a value of a kind", "table": "a row of a table", "space": "a space"}
    own = what.get(d.what, f"a {d.what}")
    other = f"`space {d.name}`" if d.joins is None else f"`link {d.name}`"
    if d.joins is not None and d.what != "link":
        found.append((d.joins.span, f"{own} cannot join spaces", f"write `link {d.name}` above"))
    elif d.what not in _HOLDS:
        lines: list[declared.State | declared.Zone] = [*d.states, *d.zones]
        for line in lines:
            is_state = isinstance(line, declared.State)
            kept = f"state {line.name}" if is_state else f"zone {line.name}"
            fault = f"{own} cannot have a state" if is_state else f"{own} cannot have a zone"
            instead = f"write {other} above"
            if d.what == "kind" and is_state:
                instead += f", or at the left margin `{kept}(x: {d.name}): TYPE`"
            found.append((line.span, fault, instead))
    if d.copies is not None and d.what != "piece":
        found.append((d.copies.span, f"{own} has no copies", f"write `piece {d.name}` above"))
    if d.border is not None:
        fault = f"the {d.border.elements} of a grid are numbered automatically, without rows"
        help = "keep values of each in a state: `state NAME: TYPE`"
        found += [(row.span, fault, help) for row in d.rows]
        found += [(column.span, fault, help) for column in d.columns]
    for place, message, help in found[:1]:
        model.problems.error("unexpected-word", message, place, help=help)
    if d.what == "link" and d.joins is None:
        ends = [
            c.name
            for c in d.columns
            if isinstance(c.type, syntax.NamedType) and c.type.name in spaces
        ]
        written = ", ".join(ends[:2]) if len(ends) > 1 else "ONE, OTHER"
        model.problems.error(
            "table-missing-column",
            f"the ends of the link `{d.name}` are missing",
            d.name_span,
            help=f"write `joins {written}` below it, with the two columns that hold its ends",
            fix=_below(d, f"joins {written}") if len(ends) > 1 else None,
        )
    if d.what == "link" and d.joins is not None and not spaces:
        model.problems.error(
            "unknown-type",
            f"there are no spaces that `{d.name}` could join",
            d.joins.span,
            help="declare them: `space PLACE`, and a `row` below it for each",
        )
    columns = {c.name: c for c in d.columns}
    if d.what == "piece" and d.copies is None and "copies" in columns:
        copies_span = columns["copies"].span
        model.problems.error(
            "unexpected-word",
            "a column does not set the number of copies of a row",
            columns["copies"].span,
            help="write `copies = copies` below it",
            fix=Fix(copies_span, f"{columns['copies'].span.text}\n    copies = copies"),
        )
