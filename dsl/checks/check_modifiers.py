"""Find powers that set one value to different amounts at the same time although no rule says which amount applies.

Also find powers that read the value that they change. Two powers in the same spot exclude each
other. If a power has a condition, the check assumes that the condition excludes the other power.
"""

from __future__ import annotations

from itertools import combinations

from attrs import frozen

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, walk


def check_modifiers(compiled: Compiled) -> None:
    """Report an error for each pair of unconditional `is` modifiers of one value, even if both are
    on cards of one type.
    """
    by_value: dict[str, list[_Setting]] = {}
    for power in compiled.model.powers:
        for line in power.lines:
            if isinstance(line, declared.Modify):
                _check_cycle(compiled, line)
                for change in line.changes:
                    if change.word == "is" and line.where is None and power.where is None:
                        name = call_name(line.value)
                        setting = _Setting(power, change, line.value)
                        by_value.setdefault(name, []).append(setting)
    for name, settings in by_value.items():
        for setting in settings:
            of_a_sort = setting.power.type is not None
            alone = _is_spot(compiled, setting.power.place)
            if of_a_sort and not alone and not isinstance(setting.change.amount, _SAME):
                _report_tie(compiled, name, setting.change.span, ())
        for one, other in combinations(settings, 2):
            if not _are_exclusive(compiled, one, other):
                labels = (Label(one.change.span, "the other one"),)
                _report_tie(compiled, name, other.change.span, labels)


def _check_cycle(compiled: Compiled, line: declared.Modify) -> None:
    """Report an error for a value that a power both reads and changes, because the value would depend on itself."""
    said = line.value.span.text
    for part in (*line.changes, line.where):
        for node in walk(part):
            if isinstance(node, syntax.Word | syntax.Call | syntax.Dot) and node.span.text == said:
                compiled.problems.error(
                    "cyclic-value",
                    f"`{said}` is needed to compute `{said}`",
                    node.span,
                    labels=(Label(line.value.span, "changed here"),),
                    help="keep its input in a `state`, or compute it without this value",
                )
                return


_SAME = (syntax.Number, syntax.Fixed)


@frozen
class _Setting:
    """A power that sets a value."""

    power: declared.Power
    change: syntax.Change
    value: syntax.Expression


def _are_exclusive(compiled: Compiled, one: _Setting, other: _Setting) -> bool:
    """Return whether two settings never conflict.

    They never conflict if they set the same amount, apply to different rows, or are in the same spot.
    """
    if one.change.amount.span.text == other.change.amount.span.text:
        return isinstance(one.change.amount, _SAME)
    rows = compiled.model.row_names
    for a, b in zip(_arguments(one.value), _arguments(other.value), strict=False):
        if a.name != b.name and a.name in rows and b.name in rows:
            return True
    same_place = call_name(one.power.place) == call_name(other.power.place)
    return same_place and _is_spot(compiled, one.power.place)


def _arguments(value: syntax.Expression) -> list[syntax.Word]:
    """Return the names in the brackets of a value. Each is a row for which the value is set, or a
    new name that stands for any row.
    """
    found = value.arguments if isinstance(value, syntax.Dot | syntax.Call) else ()
    return [part for part in found or () if isinstance(part, syntax.Word)]


def _is_spot(compiled: Compiled, place: syntax.Expression) -> bool:
    model, name = compiled.model, call_name(place)
    zones = [*model.zones.values(), *model.player_zones.values()]
    for kind in [*model.pieces.values(), *model.spaces.values()]:
        zones += kind.zones
    shapes = {zone.type.shape for zone in zones if zone.name == name}
    return shapes == {"spot"}


def _report_tie(compiled: Compiled, name: str, span: Span, labels: tuple[Label, ...]) -> None:
    compiled.problems.error(
        "silent-tie",
        f"two powers may set `{name}` at the same time, and no rule decides between them",
        span,
        labels=labels,
        help="say with `where` when this one applies, or use `at least`, `at most`, `more` or `less`",
    )
