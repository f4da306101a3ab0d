"""Find rules that call themselves in a game without a depth limit, and score items that depend on
themselves.

The check follows all possible calls: rules and actions by name, any effect after `do effect of`, and any
action that a variable may contain. It also follows hooks before, after or instead of these bodies, but not
`whenever`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.calling import Calls
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def check_recursion(compiled: Compiled) -> None:
    """Report an error for each cycle of rules, at the first rule of the cycle, and for each score
    item that depends on itself.
    """
    _check_score(compiled)
    analysis = compiled.analysis
    if "depth" in compiled.model.settings:
        return
    calls = analysis.endless_calls()
    reported: set[str] = set()
    for key in calls:
        circle = _shortest_cycle(calls, key)
        if not circle or reported.intersection(circle):
            continue
        reported.update(circle)
        through = "" if len(circle) == 1 else f" through {_body_text(analysis, circle[1])}"
        compiled.problems.error(
            "cyclic-rule",
            f"{_body_text(analysis, key)} calls itself{through}, without a limit of depth",
            _place(analysis.bodies[key]),
            labels=(Label(calls[circle[-1]][key], "called again here"),),
            help="write `depth 10` below the `game` line, or use a loop",
            fix=_add_depth(compiled.model.game_span),
        )


def _add_depth(game: Span | None) -> Fix | None:
    """Return the change that adds a depth limit below the `game` line, or None if there is no such line."""
    return Fix(Span(game.source, game.end, game.end), "\n    depth 10") if game else None


def _check_score(compiled: Compiled) -> None:
    model = compiled.model
    items = {
        as_name(item.text): item
        for score in model.scores
        for item in score.items
        if model.is_on(item.only_if)
    }
    needed = {
        name: _items_in(compiled, (item.value,), tuple(items)) for name, item in items.items()
    }
    for name, item in items.items():
        found = dict(needed[name])
        todo = list(found)
        for other in todo:
            for further in needed.get(other, {}):
                if further not in found:
                    found[further] = found[other]
                    todo.append(further)
        if name in found:
            compiled.problems.error(
                "cyclic-value",
                f'`item "{item.text}"` is needed to compute itself',
                found[name],
                labels=(Label(item.span, "declared here"),),
                help="add up the sources of points here; `p.total` is the sum of all items",
            )
            return


def _items_in(compiled: Compiled, parts: Sequence[object], items: Sequence[str]) -> dict[str, Span]:
    """Return the score items that an expression reads directly or through values. Map each item to
    the first place where it is read.
    """
    model, analysis = compiled.model, compiled.analysis
    found: dict[str, Span] = {}
    met: set[str] = set()
    todo: list[tuple[object, Span | None]] = [(part, None) for part in parts]
    for part, begun in todo:
        for node in walk(part):
            if not isinstance(node, syntax.Word | syntax.Call | syntax.Dot):
                continue
            at = begun or node.span
            if isinstance(node, syntax.Dot) and node.name == "total":
                found |= {item: at for item in items if item not in found}
            elif isinstance(node, syntax.Dot) and node.name == "item" and node.arguments:
                found.setdefault(as_name(node.arguments[0].span.text.strip('"')), at)
            elif node.name not in met:
                met.add(node.name)
                values = list(model.subject_values.get(node.name, ()))
                values += [model.values[node.name]] if node.name in model.values else []
                todo += [((value.value, value.bounds), at) for value in values]
                todo += [(changed, at) for _, changed in analysis.modifier_parts.get(node.name, ())]
    return found


def _body_text(analysis: Analysis, key: str) -> str:
    match analysis.bodies[key].node:
        case declared.Rule(name=name):
            return f"`{name}`"
        case declared.Effect(name=name):
            return f"the effect `{name}`"
        case declared.OnAction(when=when, pattern=pattern):
            return f"`{when} {pattern.name}`"
        case declared.Section() | declared.OnMove() | declared.Whenever():
            return f"`{key}`"


def _place(body: Body) -> Span:
    match body.node:
        case declared.Rule(name_span=span) | declared.Effect(name_span=span):
            return span
        case declared.OnAction(pattern=pattern):
            return pattern.span
        case declared.Section() | declared.OnMove() | declared.Whenever() as node:
            raise TypeError(f"{node} is called by nothing")


def _shortest_cycle(calls: Calls, start: str) -> list[str]:
    """Return the shortest cycle from a rule back to itself, or an empty list if there is no cycle."""
    before: dict[str, str] = {}
    todo = [start]
    for name in todo:
        for called in calls[name]:
            if called == start:
                way = [name]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
            if called not in before:
                before[called] = name
                todo.append(called)
    return []
