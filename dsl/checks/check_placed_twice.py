"""Find setups that put all pieces of a kind in one place, and then put all of these pieces in another place.

Only steps that certainly run are considered: steps inside an `if` or a `repeat` are skipped.
"""

from __future__ import annotations

from rulewright.dsl.checks.checked import Checked, Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import syntax


def check_placed_twice(game: Checked) -> None:
    """Report each kind of piece that a setup places twice; report each kind only once."""
    reported: set[Span] = set()
    for compiled in game.compiled:
        placed: dict[str, syntax.Statement] = {}
        for body in compiled.analysis.bodies.values():
            if not body.key.startswith("setup"):
                continue
            for s in body.statements:
                kinds = _kinds_placed(compiled, s)
                again = next((kind for kind in kinds if kind in placed), None)
                if again is not None and s.span not in reported:
                    reported.add(s.span)
                    game.problems.warning(
                        "placed-twice",
                        f"all of `{again}` already have a place",
                        s.span,
                        labels=(Label(placed[again].span, "put there here"),),
                        help="remove one of the two, or say which pieces go where",
                    )
                for kind in kinds:
                    placed.setdefault(kind, s)


def _kinds_placed(compiled: Compiled, s: syntax.Statement) -> tuple[str, ...]:
    """Return the kinds of piece of which a step places all pieces."""
    match s:
        case syntax.Surely():
            return _kinds_placed(compiled, s.step)
        case syntax.Move(how="all", source=syntax.TypeWord(name=name)):
            return _kinds_in(compiled, name)
        case syntax.ForEach(binder=binder, where=None) if isinstance(
            binder.source, syntax.TypeWord
        ):
            for step in s.body:
                match step:
                    case syntax.Move(amount=syntax.Word(name=moved)) if moved == binder.name:
                        return _kinds_in(compiled, binder.source.name)
                    case _:
                        pass
    return ()


def _kinds_in(compiled: Compiled, name: str) -> tuple[str, ...]:
    """Return the kinds of piece that a name includes."""
    model = compiled.model
    members = model.unions[name].names if name in model.unions else (name,)
    return tuple(member for member in members if member in model.pieces)
