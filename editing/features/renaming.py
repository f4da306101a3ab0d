"""Rename a symbol in all its files, unless the new name would change the meaning of a text."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model.facts import Referent
from rulewright.dsl.text.names import as_name, snake
from rulewright.dsl.text.vocabulary import RESERVED
from rulewright.editing.features.edits import Edit
from rulewright.editing.features.symbol_at import (
    VERBS,
    Named,
    headers,
    locals_before,
    named_at,
    own_name,
    references_to,
)
from rulewright.editing.workspace.project import Snapshot

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_TYPE = re.compile(r"[A-Z][A-Za-z0-9_]*")
_RENAMED = ("built-in", "part")
_KNOWN = ("me", "players", "player_count")


@frozen
class Refused:
    """The refusal of a new name for a symbol, with the reason."""

    reason: str


def place_to_rename(snapshot: Snapshot, path: Path, offset: int) -> Span | None:
    """Return the place of the name at an offset, if the name can be renamed, otherwise None."""
    named = named_at(snapshot, path, offset)
    if named is None or named.declared is None or named.referent.kind in _RENAMED:
        return None
    return named.span if _style(named.span.text, named.referent.name) is not None else None


def rename(snapshot: Snapshot, path: Path, offset: int, new: str) -> list[Edit] | Refused:
    """Return the changes that rename a symbol everywhere, or a refusal."""
    named = named_at(snapshot, path, offset)
    if named is not None and named.referent.kind in _RENAMED:
        return Refused(f"`{named.referent.name}` is built into the language")
    if named is None or named.declared is None:
        return Refused("there is no name here that the game declares")
    wrong = _wrong_name(snapshot, path, named, new)
    if wrong:
        return Refused(wrong)
    edits: list[Edit] = []
    kept = {span for column, span in headers(snapshot, named.referent) if column.header}
    if named.span in kept:
        return Refused("the rules use another name for this")
    for span in references_to(snapshot, named.referent):
        if span in kept:
            continue
        style = _style(span.text, named.referent.name)
        if style is None and _is_a_cell(snapshot, span, named.referent):
            continue
        if style is None:
            return Refused(
                f"`{span.text}` in {Path(span.source.name).name}, line {span.line}, is another form of it"
            )
        edits.append(Edit(span, _in_style(style, new)))
    return list(dict.fromkeys(edits))


def _is_a_cell(snapshot: Snapshot, span: Span, referent: Referent) -> bool:
    """Return whether a name refers to a space of a grid, whose name is its position."""
    known = snapshot.facts.referents.get(span)
    return (
        known is not None
        and known.kind == "row"
        and known.declared == referent.declared
        and known.name not in (referent.name, snake(referent.name))
    )


def _wrong_name(snapshot: Snapshot, path: Path, named: Named, new: str) -> str:
    """Return the fault of a new name as a sentence, or an empty text if it has none."""
    is_type = named.referent.name[:1].isupper()
    if (_TYPE if is_type else _NAME).fullmatch(new) is None:
        wanted = (
            "begins with a capital letter" if is_type else "is written in small letters and `_`"
        )
        return f"this name {wanted}"
    if new in RESERVED or new in _KNOWN:
        return f"`{new}` is a word of the language"
    if named.referent.kind == "local":
        taken = {name for name, _ in locals_before(snapshot, path, len(named.span.source.text))}
        taken |= {s.name for s in snapshot.symbols if not s.of and s.kind not in VERBS}
    else:
        is_verb = named.referent.kind in VERBS
        own = named.declared and own_name(snapshot, named.declared, named.referent.name)
        mine = next((s.of for s in snapshot.symbols if s.span == own), "")
        taken = {
            s.name
            for s in snapshot.symbols
            if (s.kind in VERBS) == is_verb and (s.of == mine or not (s.of and mine))
        }
    return f"there is a `{new}` already" if new in taken else ""


def _style(text: str, name: str) -> str | None:
    """Return the form of a name in a text: the name itself, or words in a table; None if the text is
    something else.
    """
    if text == name:
        return "name"
    bare = text.strip().strip('"')
    if as_name(bare) != name:
        return None
    words = bare.split()
    if all(word[:1].isupper() or not word[:1].isalpha() for word in words):
        return "Each Word"
    return "First word" if bare[:1].isupper() else "words"


def _in_style(style: str, new: str) -> str:
    words = new.split("_")
    match style:
        case "Each Word":
            return " ".join(word.capitalize() for word in words)
        case "First word":
            return " ".join(words).capitalize()
        case "words":
            return " ".join(words)
        case _:
            return new
