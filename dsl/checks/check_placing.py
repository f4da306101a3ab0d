"""Find kinds of piece that are never placed. No reachable step names such a kind or one of its rows."""

from __future__ import annotations

from collections.abc import Set

from rulewright.dsl.checks.checked import Checked, Compiled
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def check_placing(game: Checked) -> None:
    """Report kinds of piece that are never placed in any configuration."""
    if not game.compiled:
        return
    absent: set[str] | None = None
    for compiled in game.compiled:
        if absent is not None and not absent:
            break
        here = {name for name, kind in compiled.model.pieces.items() if kind.count}
        here -= _kinds_named(game, compiled)
        absent = here if absent is None else absent & here
    for declaration in game.declarations:
        if isinstance(declaration, declared.Record) and declaration.name in (absent or ()):
            line = _how_to_place(game, declaration.name)
            game.problems.warning(
                "piece-not-placed",
                f"nothing puts any `{declaration.name}` anywhere",
                declaration.name_span,
                help=f"write `{line}` in `setup`",
                fix=_add_to_setup(game, line) if not line.endswith("ZONE") else None,
            )


def _how_to_place(game: Checked, piece: str) -> str:
    """Return the line to add. It moves all pieces of a kind to the first zone of the table that can contain them."""
    zones = [d for d in game.declarations if isinstance(d, declared.Zone) and not d.params]
    found = [z.name for z in zones if z.type.of == piece and z.type.shape in ("pile", "set")]
    return f"move all from {piece} to {found[0] if found else 'ZONE'}"


def _add_to_setup(game: Checked, line: str) -> Fix | None:
    """Return the change that adds a line at the beginning of `setup`, or None if there is no `setup`."""
    bodies = [
        d.body for d in game.declarations if isinstance(d, declared.Section) and d.what == "setup"
    ]
    first = bodies[0][0].span if bodies and bodies[0] else None
    return Fix(first.before, f"{line}\n{' ' * (first.column - 1)}") if first is not None else None


def _kinds_named(game: Checked, compiled: Compiled) -> set[str]:
    """Return the kinds of piece that the rules name."""
    model = compiled.model
    found: set[str] = set()
    rows = {row: name for name, kind in model.pieces.items() for row in kind.rows}
    bodies = [body.node for body in compiled.analysis.bodies.values() if body.reached]
    values = [*model.values.values(), *model.subject_values.values(), *model.powers]
    for node in (*bodies, *values):
        kind_names, words = game.memo.of(_names_in, node)
        for name in kind_names:
            found |= _members(model, name)
        found.update(rows[name] for name in words & rows.keys())
    return found


def _names_in(node: object) -> tuple[Set[str], Set[str]]:
    """Return the names of types in a node, and the set of all other names in the node."""
    kind_names: set[str] = set()
    words: set[str] = set()
    for part in walk(node):
        match part:
            case syntax.TypeWord() | syntax.Lookup():
                kind_names.add(part.name)
            case syntax.Word() | syntax.Call():
                words.add(part.name)
            case _:
                pass
    return kind_names, words


def _members(model: Model, name: str) -> set[str]:
    union = model.unions.get(name)
    return {name} if union is None else {name, *union.names}
