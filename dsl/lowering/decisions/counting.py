"""Finds bounds on the number of options of a choice, and reports a choice that may have too many options."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis import enough
from rulewright.dsl.lowering.decisions import equivalent_pieces
from rulewright.dsl.lowering.decisions.plans import CAP, ArmPlan, Part
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.paths import count_path, path_of
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, range_of
from rulewright.dsl.tree import syntax


def most_of(w: Writer, of: Type, source: syntax.Expression | None, found: Typed | None) -> int:
    """Return the maximum number of different members of a source."""
    return most_members(
        w, source, found, equivalent_pieces.most_different(w, of) if of.known else 1
    )


def most_members(
    w: Writer, source: syntax.Expression | None, typed: Typed | None, most: int
) -> int:
    """Return the maximum number of members of a source. `most` is the maximum for any source of this type."""
    if isinstance(source, syntax.Word) and source.name == "players":
        return len(w.c.model.seats)
    if typed is None:
        return max(1, most)
    if isinstance(typed.type, types.List):
        most = min(most, typed.type.length)
    elif isinstance(typed.type, types.Zone) and typed.group is not None:
        slots = {"spot": 1, "row": typed.group.slots}.get(typed.group.shape)
        most = most if slots is None else min(most, slots)
    return max(1, most)


def least_of(
    env: Env, w: Writer, one: syntax.Choose | syntax.Binder, where: syntax.Expression | None
) -> int:
    """Return the minimum number of different members that a choice offers."""

    def bounds(e: syntax.Expression) -> tuple[int, int] | None:
        type = recursion.expression(env, e).type
        return (type.low, type.high) if isinstance(type, types.Number) and not type.opt else None

    least = enough.least_members(w.c.model, one, where, bounds, w.c.eliminates)
    may_be_equal = _may_be_equal(env, one.source)
    known = [env.facts.get(count_path(one, where) or "")]
    if where is None and one.type is None and one.stretch is None:
        if isinstance(one.source, syntax.TypeWord):
            least = max(1, least)
        known.append(env.facts.get(f"{path_of(one.source)}.size"))
    counted = max((range_of(fact).low for fact in known if fact is not None), default=0)
    return max(least, min(counted, 1) if may_be_equal else counted)


def _may_be_equal(env: Env, source: syntax.Expression) -> bool:
    """Return whether a source may contain equal members. Equal members become a single option."""
    match source:
        case syntax.TypeWord():
            return False
        case syntax.Query(word="list", body=None, binders=(one,)):
            return _may_be_equal(env, one.source)
        case _:
            return isinstance(recursion.expression(env, source).type, types.List)


def choice_part(w: Writer, name: str, of: Type, source: syntax.Expression, found: Typed) -> Part:
    """Return the chosen name, its source and the maximum number of its values."""
    return Part(name, source.span, most_of(w, of, source, found))


def check_number(w: Writer, plans: Sequence[ArmPlan], span: Span) -> None:
    """Report an error for a choice that may have too many options.

    The error marks the name whose values must be limited.
    """
    total = sum(plan.estimate for plan in plans)
    if total <= CAP:
        return
    plan = max(plans, key=lambda one: one.estimate)
    parts = plan.parts
    message = f"this choice may have up to {total:,} options (at most {CAP:,})"
    if not parts:
        w.c.problems.error("too-many-options", message, span, help=_AFTER)
        return
    several = " and ".join(f"`{part.name}` may be any of {part.most:,}" for part in parts)
    largest = max(parts, key=lambda part: part.most)
    bound = (CAP - total + plan.estimate) * largest.most // plan.estimate
    written = largest.source.text
    mine = written.startswith("me.")
    of, where = (" of p: Player", f"p.{written[3:]}") if mine else ("", written)
    value = f"value some{of} up to {bound} = list(x in {where})"
    name = "me.some" if mine else "some"
    cure = f"say how many there can be: `{value}`, then `{largest.name} in {name}`; or {_AFTER}"
    w.c.problems.error(
        "too-many-options",
        f"{message}: {several}",
        largest.source,
        help=cure
        if bound > 0 and ".." not in written
        else f"let `{largest.name}` have fewer values, or {_AFTER}",
    )


_AFTER = "choose one thing after the other"
