"""Find `say` lines that nobody reads because they are inside other steps, after another `say` line,
or in rules that are never offered.

The check works only by names: a rule counts as offered if an option runs the rule, or if the rule
is named as a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TypeAlias

from rulewright.dsl.checks.checked import Checked
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, walk

_Around: TypeAlias = declared.Rule | syntax.OptionArm


def check_said(game: Checked) -> None:
    """Report `say` lines whose words belong to no option."""
    offered = set().union(*(game.memo.of(_offered_rules, each) for each in game.declarations))
    for declaration in game.declarations:
        for said, around in game.memo.of(_say_lines, declaration):
            unread = _why_unread(said, around, offered)
            if unread is not None:
                message, help, fix = unread
                game.problems.warning("unreachable-code", message, said.span, help=help, fix=fix)


def _why_unread(
    said: syntax.Say, around: _Around | None, offered: Set[str]
) -> tuple[str, str, Fix | None] | None:
    """Return why nobody reads the words of a line, together with the help and the suggested change.
    Return None if players read the words.
    """
    words = said.span.text.removeprefix("say").strip()
    if isinstance(around, syntax.OptionArm):
        return (
            "nobody sees these words: an option shows the words after `option`",
            "put them there, and remove this line",
            None,
        )
    first = None
    if around is not None:
        first = next((step for step in around.body if isinstance(step, syntax.Say)), None)
        if said not in around.body:
            return (
                "nobody sees these words: `say` belongs directly below an offered action or rule",
                f"put it below `{around.what} {around.name}`, indented like its first step",
                None,
            )
        if first is not said:
            return (
                "nobody sees these words: an option shows only its first `say`",
                "write all the words in one line, with the parts that differ in braces",
                None,
            )
        if (
            around.what == "action"
            or around.name in offered
            or any(param.source is not None for param in around.params)
        ):
            return None
    return (
        "nobody sees these words: nothing is offered here",
        f"write `log {words}`, which tells all players",
        Fix(said.span, f"log {words}"),
    )


def _say_lines(declaration: object) -> list[tuple[syntax.Say, _Around | None]]:
    """Return the `say` lines of a declaration. Each is paired with the option around it; if there
    is none, with the rule around it; otherwise with None.
    """
    found: dict[int, tuple[syntax.Say, _Around | None]] = {}
    parts = [*walk(declaration)]
    every = [part for part in parts if isinstance(part, syntax.Say)]
    for node_type in (declared.Rule, syntax.OptionArm):
        for around in parts if every else ():
            if isinstance(around, node_type):
                inside = (part for part in walk(around.body) if isinstance(part, syntax.Say))
                found.update({id(said): (said, around) for said in inside})
    return sorted(
        (found.get(id(said), (said, None)) for said in every), key=lambda each: each[0].span.start
    )


def _offered_rules(declaration: object) -> Set[str]:
    """Return the names of rules that a declaration offers or may offer."""
    called = set[int]()
    names = set[str]()
    for part in walk(declaration):
        match part:
            case syntax.ChooseOf(arms=arms):
                names.update(_called_rules(arms))
            case syntax.May(body=body):
                names.update(_called_rules(body))
            case declared.Anytime(action=action):
                names.add(action)
            case syntax.Do(call=call):
                called.add(id(call))
            case syntax.Word(name=name) if id(part) not in called:
                names.add(name)
            case _:
                pass
    return names


def _called_rules(steps: tuple[object, ...]) -> Iterator[str]:
    return (call_name(step.call) for step in steps if isinstance(step, syntax.Do))
