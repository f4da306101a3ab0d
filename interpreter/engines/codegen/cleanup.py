"""Removes unnecessary loops from statements, and unnecessary variables from Python code."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.dsl import ir
from rulewright.dsl.ir import FP
from rulewright.interpreter.engines.codegen.code import CALLS

VARIABLE = re.compile(r"\bv\d+(?:_\d+)?\b")
FRAME_POINTER = re.compile(r"\bF\b")
HELD = re.compile(r"\b(?:v\d+(?:_\d+)?|w\d+)\b")
"""Matches variables for locals and for values that are computed early."""
ASSIGNED = re.compile(r" *(v\d+(?:_\d+)?|w\d+) = (.*)")


def without_leaving(body: Sequence[ir.Stmt]) -> tuple[ir.Stmt, ...] | None:
    """Convert the body of a loop with a single iteration to statements without a loop.

    Returns None if the body must leave the loop early. If the body has no Break, the result is also
    correct for each iteration of a longer loop.
    """
    for place, statement in enumerate(body):
        if isinstance(statement, (ir.Break, ir.Continue)):
            return tuple(body[:place])
        if not isinstance(statement, ir.If) or not leaves_by((statement,), ir.Break, ir.Continue):
            continue
        rest = tuple(body[place + 1 :])
        then, otherwise = statement.then, statement.otherwise
        if _never_ends(then):
            otherwise += rest
        elif _never_ends(otherwise):
            then += rest
        else:
            return None
        left, right = without_leaving(then), without_leaving(otherwise)
        if left is None or right is None:
            return None
        return (*body[:place], ir.If(statement.condition, left, right))
    return tuple(body)


def leaves_by(body: Sequence[ir.Stmt], *ways: type[ir.Break | ir.Continue | ir.Return]) -> bool:
    """Return whether statements contain one of the given ways to leave the surrounding loop or the
    current iteration."""
    return any(
        isinstance(s, ways)
        or (isinstance(s, ir.If) and (leaves_by(s.then, *ways) or leaves_by(s.otherwise, *ways)))
        for s in body
    )


def _never_ends(body: Sequence[ir.Stmt]) -> bool:
    """Return whether the end of statements cannot be reached."""
    match body[-1] if body else None:
        case ir.Break() | ir.Continue() | ir.Return() | ir.Fail() | ir.Fault():
            return True
        case ir.If(_, then, otherwise):
            return _never_ends(then) and _never_ends(otherwise)
        case ir.Loop() | ir.Assignment() | ir.Notice() | ir.CallPlain() | None:
            return False


def without_unused(lines: list[str]) -> list[str]:
    """Remove variables that are never read, if their values cannot fail."""
    while True:
        counts: dict[str, int] = {}
        for line in lines:
            for name in HELD.findall(line):
                counts[name] = counts.get(name, 0) + 1
        drops: dict[int, str] = {}
        for place, line in enumerate(lines):
            found = ASSIGNED.fullmatch(line)
            if found and CALLS.search(found[2]) is None:
                counts[found[1]] -= 1
                drops[place] = found[1]
        unused = {place for place, name in drops.items() if counts[name] == 0}
        if not unused:
            return lines
        kept: list[str] = []
        for place, line in enumerate(lines):
            margin, name, rest = line[: len(line) - len(line.lstrip(" "))], drops.get(place), ""
            if name is not None:
                rest = line[len(margin) + len(name) + 3 :]
            if place not in unused:
                kept.append(line)
            elif " = " in rest:
                kept.append(margin + rest)
            elif kept and kept[-1].endswith(":") and not _goes_on(lines, place, unused):
                kept.append(margin + "pass")
        lines = kept


def _goes_on(lines: list[str], place: int, unused: set[int]) -> bool:
    """Return whether the next line that stays belongs to the same suite as a line."""
    margin = len(lines[place]) - len(lines[place].lstrip(" "))
    following = next((n for n in range(place + 1, len(lines)) if n not in unused), None)
    return following is not None and lines[following].startswith(" " * margin)


def function(head: str, lines: list[str]) -> str:
    """Return the code of a function, given its head and the lines of its body."""
    lines = without_unused(lines)
    if any(FRAME_POINTER.search(line) for line in lines):
        lines.insert(0, f" F = S[{FP}]")
    return "\n".join([f"def {head}:", *(lines or [" pass"]), ""])
