"""Writes Python code for plain procedures and for the enumerators of sites. This module does not depend on blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from rulewright.dsl import ir
from rulewright.interpreter.engines.analysis.flow import Flow
from rulewright.interpreter.engines.analysis.procedures import Knowledge
from rulewright.interpreter.engines.codegen.cleanup import VARIABLE, function
from rulewright.interpreter.engines.codegen.code import Flags, Shared
from rulewright.interpreter.engines.codegen.expressions import Writer
from rulewright.interpreter.engines.codegen.frames import frame_of
from rulewright.interpreter.engines.codegen.scopes import Host
from rulewright.interpreter.engines.codegen.statements import (
    ENDINGS,
    EXTRA,
    LETTERS,
    Statements,
    Variant,
)

AGAIN = 3
"""The minimum number of uses of a question for it to be computed only once."""
QUESTION = re.compile(r" *if (.+):")
OTHER = re.compile(r"[a-z]\w*\(|:=|\b[tw]\d")
"""Matches code that prevents a test in advance: calls, and variables that the expression sets."""


@define(eq=False)
class Module:
    """The functions that are compiled together, and their shared parts."""

    flow: Flow
    flags: Flags
    shared: Shared = field(factory=Shared)

    @property
    def knowledge(self) -> Knowledge:
        """Return the analysis of the procedures."""
        return self.flow.knowledge


def plain_function(module: Module, number: int, variant: Variant = "") -> str:
    """Write the function of a plain procedure, or of its variant that enumerators call."""
    knowledge = module.knowledge
    procedure = knowledge.program.plain[number]
    scope = Host(set(range(procedure.parameters)), knowledge.facts(number).growing)
    ending = ENDINGS[variant] if variant in ("any", "has") else "return None"
    writer = Writer(knowledge, module.flags, module.shared, scope)
    writer.pure = not knowledge.reaches(number, ir.Store)
    statements = Statements(writer, variant, ending)
    names = ["S" + EXTRA[variant], *(f"v{n}" for n in range(procedure.parameters))]
    for slot in sorted(scope.growing):
        if slot < procedure.parameters:
            writer.line(f"v{slot} = [*v{slot}]")
    if statements.procedure(procedure.body):
        writer.line(ending if variant else "return 0")
    lines = statements.all_lines(procedure.parameters)
    return function(f"{LETTERS[variant]}{number}({', '.join(names)})", lines)


def site_function(
    module: Module, number: int, variant: Variant, *, is_given: bool = False, is_sure: bool = False
) -> str:
    """Write the function of a site that runs the enumerator of the site.

    With `is_given`, the function takes the arguments of the site, otherwise it computes them. With
    `is_sure`, it runs the procedure that offers only options that need no search.
    """
    knowledge = module.knowledge
    site = knowledge.program.sites[number]
    enumerator = site.sure if is_sure and site.sure is not None else site.enumerator
    procedure = knowledge.program.plain[enumerator]
    parameters = range(procedure.parameters)
    scope = Host(set(parameters), knowledge.facts(enumerator).growing)
    writer = Writer(knowledge, module.flags, module.shared, scope)
    writer.pure = True
    statements = Statements(writer, variant, ENDINGS[variant])
    if is_given:
        lines = [f" v{slot} = [*v{slot}]" for slot in parameters if slot in scope.growing]
    else:
        lines = _arguments(module, site, scope)
    if variant in ("list", "reasons"):
        lines.append(" A = []")
    if variant == "reasons":
        lines.append(" R = {}")
    if statements.procedure(procedure.body):
        writer.line(ENDINGS[variant])
    if is_given:
        _ask_once(statements)
    lines += statements.all_lines(procedure.parameters)
    if is_given:
        names = ["S", *(f"v{slot}" for slot in parameters)]
        return function(f"gs{number}({', '.join(names)})", lines)
    extra = ", O" if variant == "has" else ""
    letter = "k" if is_sure else LETTERS[variant]
    return function(f"{letter}s{number}(S{extra})", lines)


def _ask_once(statements: Statements) -> None:
    """Rewrite a function to compute repeated expressions once, at its start.

    The expressions must depend only on parameters and the state.
    """
    lines = statements.w.lines
    asked = Counter(found[1] for line in lines if (found := QUESTION.fullmatch(line)))
    known = {f"v{slot}" for slot in statements.stable}
    once: dict[str, str] = {}
    for question, times in asked.items():
        names = set(VARIABLE.findall(question))
        if times >= AGAIN and names <= known and not OTHER.search(question):
            once[question] = statements.w.at_first(question)
    for place, line in enumerate(lines):
        found = QUESTION.fullmatch(line)
        if found and found[1] in once:
            lines[place] = f"{line[: found.start(1)]}{once[found[1]]}:"


def _arguments(module: Module, site: ir.Site, scope: Host) -> list[str]:
    frame = frame_of(module.flow, site.procedure, module.flags.lists)
    outside = Writer(module.knowledge, module.flags, module.shared, frame)
    lines = []
    for slot, argument in enumerate(site.arguments):
        text = outside.text(argument)
        lines.append(f" v{slot} = {f'[*({text})]' if slot in scope.growing else text}")
    return lines


def outside_function(
    module: Module, name: str, procedure: int, expressions: Sequence[ir.Expr]
) -> str:
    """Write a function that evaluates expressions in a frame, for callers outside the engine."""
    frame = frame_of(module.flow, procedure, module.flags.lists)
    writer = Writer(module.knowledge, module.flags, module.shared, frame)
    return function(f"{name}(S)", [f" return {writer.frozen(expressions)}"])
