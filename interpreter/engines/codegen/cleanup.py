"""Removes unnecessary loops from statements, and unnecessary variables from Python code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.ir import FP
from rulewright.interpreter.engines.analysis.procedures import (
    WRITES,
    reads_of,
    replace_parts,
    slots,
    walk,
)
from rulewright.interpreter.engines.codegen.code import CALLS

VARIABLE = re.compile(r"\bv\d+(?:_\d+)?\b")
FRAME_POINTER = re.compile(r"\bF\b")
HELD = re.compile(r"\b(?:v\d+(?:_\d+)?|w\d+)\b")
"""Matches variables for locals and for values that are computed early."""
TRIED = re.compile(r" *try: w\d+ = ")
ASSIGNED = re.compile(r" *(?:try: )?(v\d+(?:_\d+)?|w\d+) = (.*)")


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


def without_copies(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """Replace each local that is set only once, to a number or to another local, by this number or local."""
    nodes = list(walk(body))
    writes = Counter(node.slot for node in nodes if isinstance(node, WRITES))
    once = {slot for slot, times in writes.items() if times == 1}
    if not any(isinstance(n, ir.SetLocal) and n.slot in once and _is_plain(n.value) for n in nodes):
        return body
    return _without_copies(body, once, reads_of(body))


def _is_plain(value: object) -> bool:
    return isinstance(value, ir.Local) or (
        isinstance(value, ir.Const) and isinstance(value.value, int)
    )


def _without_copies(
    body: tuple[ir.Stmt, ...], once: set[int], reads: Mapping[int, int]
) -> tuple[ir.Stmt, ...]:
    kept: list[ir.Stmt] = []
    rest = body
    while rest:
        statement, *others = rest
        rest = tuple(others)
        after: ir.Stmt = statement
        match statement:
            case ir.SetLocal(slot, value) if slot in once and _is_plain(value):
                is_all = reads_of(rest).get(slot, 0) == reads.get(slot, 0)
                written = slots(walk(rest))[1] if isinstance(value, ir.Local) else ()
                if is_all and not (isinstance(value, ir.Local) and value.slot in written):
                    rest = replace_parts(
                        rest, lambda part: value if part == ir.Local(slot) else None
                    )
                    continue
            case ir.If(condition, then, otherwise):
                then = _without_copies(then, once, reads)
                after = ir.If(condition, then, _without_copies(otherwise, once, reads))
            case ir.ForRange() | ir.ForEach() | ir.While():
                after = evolve(statement, body=_without_copies(statement.body, once, reads))
            case ir.Exit() | ir.Assignment() | ir.Notice() | ir.CallPlain():
                pass
        kept.append(after)
    return tuple(kept)


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


def without_unused(lines: list[str], letters: str = "vw") -> list[str]:
    """Remove variables that are never read, if their values cannot fail."""
    while True:
        counts: dict[str, int] = {}
        for line in lines:
            for name in HELD.findall(line):
                counts[name] = counts.get(name, 0) + 1
        drops: dict[int, str] = {}
        for place, line in enumerate(lines):
            found = ASSIGNED.fullmatch(line)
            if found and found[1][0] in letters and CALLS.search(found[2]) is None:
                counts[found[1]] -= 1
                drops[place] = found[1]
                if TRIED.match(line):  # the next line sets it after a failure
                    counts[found[1]] -= 1
                    drops[place + 1] = found[1]
        unused = {place for place, name in drops.items() if counts[name] == 0}
        if not unused:
            return lines
        kept: list[str] = []
        for place, line in enumerate(lines):
            margin, name, rest = line[: len(line) - len(line.lstrip(" "))], drops.get(place), ""
            tried = TRIED.match(line) or TRIED.match(lines[place - 1])
            if name is not None and not tried:
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
