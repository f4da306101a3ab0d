"""Find actions that no decision offers and rules that no step calls, in any configuration.

A rule in a `possible(...)` counts as used, and so do all rules that it calls. If not all
variants are compiled, every rule that is called anywhere in the text counts as reached.
"""

from __future__ import annotations

from collections.abc import Set

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk


def check_reached(game: Checked) -> None:
    """Report actions and rules that no match can reach."""
    reached: set[str] = set()
    for compiled in game.compiled:
        reached.update(key for key, body in compiled.analysis.bodies.items() if body.reached)
        for anytime, _ in compiled.analysis.anytimes:
            reached.add(f"rule {anytime.action}")
    if not game.all_compiled:
        reached.update(f"rule {name}" for name in _called_names(game))
    reached.update(f"rule {name}" for name in _tested_rules(game))
    for declaration in game.declarations:
        if not isinstance(declaration, declared.Rule) or f"rule {declaration.name}" in reached:
            continue
        name, place = declaration.name, declaration.name_span
        if declaration.what == "action":
            game.problems.warning(
                "unreachable-action",
                f"no decision offers the action `{name}`",
                place,
                help=f"write `do {name}` where it is to be offered, or remove it",
            )
        else:
            game.problems.warning(
                "unreachable-rule",
                f"nothing calls the rule `{name}`",
                place,
                help=f"write `do {name}` where it is to happen, or remove it",
            )


def _tested_rules(game: Checked) -> set[str]:
    """Return the rules in each `possible(...)`, and the rules that they call."""
    rules = {d.name: d for d in game.declarations if isinstance(d, declared.Rule)}
    asked = set[str]().union(
        *(game.memo.of(_tested_actions_in, each) for each in game.declarations)
    )
    found: set[str] = set()
    while asked:
        name = asked.pop()
        rule = rules.get(name)
        if rule is not None and rule.what == "rule" and name not in found:
            found.add(name)
            asked |= game.memo.of(_called_names_in, rule)
    return found


def _tested_actions_in(declaration: object) -> Set[str]:
    asked = [part.action for part in walk(declaration) if isinstance(part, syntax.Possible)]
    return {part.name for part in asked if isinstance(part, syntax.Word | syntax.Call)}


def _called_names(game: Checked) -> set[str]:
    """Return the names of everything that any declaration calls or may call."""
    return set().union(*(game.memo.of(_called_names_in, each) for each in game.declarations))


def _called_names_in(declaration: object) -> Set[str]:
    parts = [*walk(declaration)]
    names = {part.name for part in parts if isinstance(part, syntax.Word | syntax.Call)}
    return names | {part.action for part in parts if isinstance(part, declared.Anytime)}
