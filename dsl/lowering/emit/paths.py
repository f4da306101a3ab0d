"""Computes facts that depend only on the text of a node: the path of an expression, and the clauses of tags."""

from __future__ import annotations

import re

from rulewright.dsl.tree import syntax


def clause_ids(tags: syntax.Tags) -> tuple[str, ...]:
    """Return the clauses that tags cite, including all clauses of each range."""
    ids: list[str] = []
    for tag in tags:
        if tag.last is None:
            ids.append(tag.first)
            continue
        head, _, low = tag.first.rpartition("-")
        _, _, high = tag.last.rpartition("-")
        if low.isdigit() and high.isdigit() and int(low) <= int(high) < int(low) + 1000:
            ids.extend(f"{head}-{n:0{len(low)}d}" for n in range(int(low), int(high) + 1))
        else:
            ids.extend((tag.first, tag.last))
    return tuple(ids)


def path_of(e: syntax.Expression | None) -> str | None:
    """Return the key under which facts about an expression are stored, such as `me.hand.size`.

    Return None if the expression contains an operation, such as a sum.
    """
    match e:
        case syntax.Word():
            return e.name
        case syntax.Fixed():
            return e.word
        case syntax.Number():
            return str(e.value)
        case syntax.Dot():
            subject = path_of(e.subject)
            if subject is None:
                return None
            if not e.arguments:
                return f"{subject}.{e.name}"
            parts = [path_of(a) for a in e.arguments]
            if any(p is None for p in parts):
                return None
            return f"{subject}.{e.name}({','.join(p for p in parts if p)})"
        case syntax.Lookup() | syntax.Call():
            parts = [path_of(a) for a in e.arguments]
            if any(p is None for p in parts):
                return None
            return f"{e.name}({','.join(p for p in parts if p)})"
        case syntax.WrittenValue() | syntax.Operation() | None:
            return None


def count_path(
    binder: syntax.Binder | syntax.Choose, where: syntax.Expression | None
) -> str | None:
    """Return the key for the number of members of a source that meet a condition.

    Counts that differ only in the local name of the members have equal keys. Return None if the
    count may change although none of the named things changes.
    """
    if binder.stretch is not None or "known_to" in _text(where):
        return None
    type_words = "" if binder.type is None else f": {binder.type.name}"
    condition = re.sub(rf"(?<![\w.]){re.escape(binder.name)}\b", "_", _text(where))
    return f"count(_{type_words} in {_text(binder.source)} where {condition}).{_LIES}"


_LIES = "place"
"""The last name in the path of a count. Every move changes this name, because the counted things may have moved."""


def _text(e: syntax.Expression | None) -> str:
    return "" if e is None else " ".join(e.span.text.split())
