"""Numbers the corners and edges of the cells of a grid as separate spaces."""

from __future__ import annotations

from rulewright.dsl.diagnostics.advice import write
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.model.grids import grid_of, place_name
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.tree import declared


def number_borders(model: Model, d: declared.Border, kind: ThingKind) -> None:
    """Number the corners or edges of the cells of a grid."""
    kind.shape, kind.of = d.elements, d.of
    cells = model.spaces.get(d.of)
    if cells is None or not cells.places or cells.cells is not None or cells.shape == "growing":
        _report_none(model, d, cells)
        kind.rows.append("a1")
        kind.places.append((1, 1))
        kind.cells = grid_of("square", 0, [(1, 1)])
        model.has_lost_rows = True
        return
    other = next(
        (one for one in model.spaces.values() if (one.of, one.shape) == (d.of, d.elements)), None
    )
    if other is not None:
        model.problems.error(
            "duplicate-name",
            f"the {d.elements} of `{d.of}` are already spaces",
            d.of_span,
            labels=(Label(other.span, "declared here"),),
            help=f"use `{other.name}`",
        )
    kind.down, kind.cells = cells.down, cells.grid
    border = cells.grid.border
    corners = border.corners
    width = max(x for x, _ in corners)
    names = [place_name(width, *corner) for corner in corners]
    kind.places.extend(corners if d.elements == "corners" else border.edges)
    if d.elements == "corners":
        kind.rows.extend(names)
    else:
        for start, end in border.relation("edges", "corners"):
            kind.rows.append(f"{names[start]}_{names[end]}")
            kind.texts.append(f"{names[start]}-{names[end]}")


def _report_none(model: Model, d: declared.Border, cells: ThingKind | None) -> None:
    """Report an error for spaces whose corners or edges are declared but do not exist."""
    grids = [name for name, one in model.spaces.items() if one.places and not one.of]
    code = "wrong-type"
    if cells is None:
        code, message = "unknown-type", f"there is no space `{d.of}`"
        help = did_you_mean(d.of, grids) or f"declare it: `space {d.of} grid 5 by 5`"
    elif cells.shape == "growing":
        message = f"`{d.of}` is a growing grid, whose {d.elements} are not spaces"
        help = "give the grid its sizes: `grid 9 by 9`"
    elif cells.of:
        message, help = f"the spaces of `{d.of}` are {cells.shape} themselves", write(cells.of)
    else:
        message = f"`{d.of}` is not a grid with sizes, so its {d.elements} are not known"
        help = f"write its sizes (`space {d.of} grid 5 by 5`), or the {d.elements} as rows"
    model.problems.error(code, message, d.of_span, help=help)
