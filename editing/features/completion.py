"""Complete the text at a place with words of the language and names in scope, those of the expected type
first.

The grammar decides which words fit, and the model which names exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from attrs import evolve, frozen

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.model import types
from rulewright.dsl.model.model import DIRECTIONS, Model
from rulewright.dsl.model.types import PLAYER, Type, describe, fits, overlaps
from rulewright.dsl.parsing.parse_driver import expected_types
from rulewright.dsl.text.lexer import Word, lex
from rulewright.dsl.text.vocabulary import GROUPS, HEADS, LOCAL, QUERIES, RESERVED
from rulewright.dsl.tree import declared
from rulewright.editing.features import reference
from rulewright.editing.features.completion_items import (
    Offer,
    ReferentKind,
    of_column,
    of_names,
    of_rows,
)
from rulewright.editing.features.in_scenarios import beginnings, people, scenario_choices
from rulewright.editing.features.symbol_at import (
    cell_at,
    declaration_around,
    locals_before,
    record_of,
    type_named,
)
from rulewright.editing.features.words_at import line_before, name_start_at
from rulewright.editing.workspace.project import Snapshot

_DUMMY: Final = "zzz"
_NAMES: Final = frozenset(("NAME", "TYPE"))
_EXPRESSION: Final = frozenset(
    ("NUMBER", "NOTHING", "YES")
)  # the words with which a declaration may begin
_IN_A_LINE: Final = frozenset(
    (
        "AND",
        "BY_QUERY",
        "IN",
        "IS",
        "LPAR",
        "NAME",
        "NOT",
        "NOTHING",
        "NUMBER",
        "OR",
        "POSSIBLE",
        "QUERY",
        "TYPE",
        "YES",
    )
)
"""Terminals of words that may occur in an expression."""
_IN_TAG = re.compile(r"\[[^\]\n\"]*\Z")
_IN_FILE = re.compile(r'(?:\b(include|from|rulebook|game)[ \t]+)"[^"\n]*\Z')
_IN_BRACES = re.compile(r'"[^"]*\{([^"{}]*)\Z')
_AN_EXPRESSION: Final = "value zzz = "
_DOT = re.compile(r"\.[ \t]*\Z")
_DOTTED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\([^()]*\))?\.[ \t]*\Z")
_CALLED = re.compile(r"([a-z_][a-z0-9_]*)\Z")
_TYPE_NAMES: Final = ("Player", "Flag", "Direction", "Action")

Words: TypeAlias = dict[str, tuple[str, ...]]


def _by_type() -> Words:
    """Return the words of the language, keyed by the terminals of the grammar."""
    found: dict[str, list[str]] = {}
    for words in (HEADS, RESERVED, GROUPS):
        for text, type in words.items():
            found.setdefault(type, []).append(text)
    for text, (type, _, _) in LOCAL.items():
        found.setdefault(type, []).append(text)
    found["QUERY"] = list(QUERIES)
    found["POSSIBLE"], found["BY_QUERY"] = ["possible"], ["by"]
    return {type: tuple(dict.fromkeys(texts)) for type, texts in found.items()}


WORDS: Final = _by_type()


@frozen
class Choices:
    """The completions, and the part of a word that they replace."""

    begun: Span
    offers: tuple[Offer, ...]


def complete(snapshot: Snapshot, path: Path, offset: int) -> Choices | None:
    """Return the completions at a place, or None if there is nothing to complete."""
    source = snapshot.sources.get(path)
    if source is None or not 0 <= offset <= len(source.text):
        return None
    begun = name_start_at(source, offset)
    before = line_before(source, begun.start)
    if path.suffix == ".csv":
        offers: Iterable[Offer] = _in_a_table(snapshot, path, offset)
    elif path.suffix == ".md":
        return None
    elif _IN_TAG.search(line_before(source, offset)):
        begun, offers = _in_brackets(snapshot, source, offset)
    elif (quoted := _IN_FILE.search(line_before(source, offset))) is not None:
        begun = Span(source, source.text.rindex('"', 0, offset) + 1, offset)
        is_beginning = path.suffix == ".scenario" and quoted[1] == "from"
        offers = beginnings(snapshot, path) if is_beginning else _files(snapshot, path, quoted[1])
    elif path.suffix == ".scenario":
        own = scenario_choices(snapshot, path, source, begun, before)
        offers = own if own is not None else _in_rules(snapshot, path, source, begun)
    else:
        offers = _in_rules(snapshot, path, source, begun)
    return Choices(begun, tuple(_once(offers)))


def _once(offers: Iterable[Offer]) -> Iterator[Offer]:
    seen: set[tuple[str, ReferentKind]] = set()
    for offer in offers:
        if (offer.text, offer.kind) not in seen:
            seen.add((offer.text, offer.kind))
            yield offer


# ---- files, clauses, tables -------------------------------------------------------------------------


def _in_brackets(snapshot: Snapshot, source: Source, offset: int) -> tuple[Span, Iterator[Offer]]:
    start = offset
    while start and (source.text[start - 1].isalnum() or source.text[start - 1] == "-"):
        start -= 1
    offers = (
        Offer(clause.id, "clause", clause.text, order=number)
        for number, clause in enumerate(snapshot.clauses)
    )
    return Span(source, start, offset), offers


def _files(snapshot: Snapshot, path: Path, word: str) -> Iterator[Offer]:
    ends = {"include": ".game", "from": ".csv", "rulebook": ".md", "game": ".game"}
    folder = snapshot.game.parent
    if word == "game" and path.suffix == ".game":
        return
    try:
        names = sorted(file.name for file in folder.iterdir() if file.suffix == ends[word])
    except OSError:
        return
    yield from (Offer(name, "file") for name in names if name != path.name)


def _in_a_table(snapshot: Snapshot, path: Path, offset: int) -> Iterator[Offer]:
    record, found, model = (
        record_of(snapshot, path),
        cell_at(snapshot, path, offset),
        snapshot.model,
    )
    if record is None or found is None or model is None:
        return
    name, span, _ = found
    if span.line == 1:
        yield from (of_column(column) for column in record.columns)
        return
    column = next((c for c in record.columns if (c.header or c.name) == name), None)
    type = model.type_of(column.type) if column is not None else None
    if type is not None and type.is_thing:
        yield from of_names(model, type)
    elif type is not None and isinstance(type, types.Flag):
        yield from (Offer(word, "word") for word in ("yes", "no"))


# ---- rules ------------------------------------------------------------------------------------------


def _in_rules(snapshot: Snapshot, path: Path, source: Source, begun: Span) -> Iterator[Offer]:
    before = source.text[: begun.start]
    if _DOT.search(before):
        yield from _parts(snapshot, source, begun)
        return
    kinds = _IN_A_LINE if path.suffix == ".scenario" else _kinds(source, begun)
    wanted = _expected_type(snapshot, path, source, begun)
    if kinds & _NAMES:
        is_type = "NAME" not in kinds
        yield from _names(snapshot, path, source, begun, wanted, kinds, only_types=is_type)
    for sort in sorted(kinds):
        for text in WORDS.get(sort, ()):
            yield Offer(text, "word", order=600 if kinds & _NAMES else 100)
    if "QUERY" in kinds:
        for name in reference.functions():
            yield Offer(name, "function", order=500)


def _kinds(source: Source, begun: Span) -> frozenset[str]:
    """Return the terminals that the grammar accepts at a place."""
    inside = _IN_BRACES.search(line_before(source, begun.start))
    if inside is not None:
        text = _AN_EXPRESSION + inside[1] + _DUMMY
    else:
        text = source.text[declaration_start(source, begun.start) : begun.start] + _DUMMY
    words = lex(Source(source.name, text), Problems())
    at = max(
        (n for n, word in enumerate(words) if word.end == len(text) and word.text == _DUMMY),
        default=-1,
    )
    if at < 0:  # the place is inside a text, a comment or a bracket with clauses
        return frozenset()
    return expected_types(list(_plain(words[:at])))


def _plain(words: list[Word]) -> Iterator[Word]:
    return (word for word in words if word.type != "BAD")


def declaration_start(source: Source, offset: int) -> int:
    """Return the start of the declaration around a place: the last line before the place that begins in
    column 1.
    """
    at = source.text.rfind("\n", 0, offset) + 1
    while at > 0 and (source.text[at : at + 1] in " \t\n#" or at == len(source.text)):
        at = source.text.rfind("\n", 0, at - 1) + 1
    return at


def _names(
    snapshot: Snapshot,
    path: Path,
    source: Source,
    begun: Span,
    wanted: Type | None,
    kinds: frozenset[str],
    *,
    only_types: bool,
) -> Iterator[Offer]:
    model = snapshot.model
    previous = _word_before(source, begun.start)
    if not only_types and previous in ("do", "before", "after", "instead of", "during", "may"):
        yield from _verbs(snapshot)
        return
    if previous == "power":
        yield from _rows(snapshot, model)
        return
    if "TYPE" in kinds and "LIST_OF" in kinds:
        yield from _types(snapshot, model, 50)
        yield from _numbers(snapshot)  # the types of which ranges consist
        return
    if "TYPE" in kinds:
        # A scenario names single things, and hardly ever a whole type.
        late = 480 if path.suffix == ".scenario" else 300
        yield from _types(snapshot, model, 100 if only_types else late)
    if only_types or _names_something_new(kinds):
        return
    around = declaration_around(snapshot, path, begun.start)
    for number, (name, span) in enumerate(locals_before(snapshot, path, begun.start)):
        type = snapshot.facts.types.get(span)
        yield Offer(name, "local", _type_text(type), order=_order(10, type, wanted) + number / 1000)
    if isinstance(around, declared.Record):
        yield from (evolve(of_column(c), order=50) for c in around.columns)
    if not _EXPRESSION & kinds and kinds & {"NAME"} and "LPAR" not in kinds:
        yield from _things(snapshot, model, wanted)
        return
    player = PLAYER
    for name in people(snapshot, path, begun.start):
        yield Offer(name, "seat", "a player of this scenario", order=_order(5, player, wanted))
    own = 210 if path.suffix == ".scenario" else 20
    yield Offer("me", "local", "a player", order=_order(own, player, wanted))
    yield Offer("players", "function", "all players, in turn order", order=520)
    yield Offer("player_count", "function", "the number of players", order=520)
    yield from _things(snapshot, model, wanted)


def _names_something_new(kinds: frozenset[str]) -> bool:
    """Return whether only a new name fits at the place."""
    return kinds <= _NAMES


def _things(snapshot: Snapshot, model: Model | None, wanted: Type | None) -> Iterator[Offer]:
    if wanted is not None and wanted.is_thing and model is not None:
        yield from (evolve(offer, order=30) for offer in of_names(model, wanted))
    for symbol in snapshot.symbols:
        if symbol.of and symbol.kind != "row":
            continue
        if symbol.kind in ("state", "zone", "value", "option", "seat", "tokens"):
            type = snapshot.facts.types.get(symbol.span)
            yield Offer(symbol.name, symbol.kind, _type_text(type), order=_order(200, type, wanted))
    if model is None or wanted is None or not wanted.known:
        yield from _rows(snapshot, model)
    if model is not None and (wanted is None or not wanted.known):
        yield from (Offer(name, "row", "a direction", order=450) for name in DIRECTIONS)


def _rows(snapshot: Snapshot, model: Model | None) -> Iterator[Offer]:
    if model is None:
        for symbol in snapshot.symbols:
            if symbol.kind == "row":
                yield Offer(symbol.name, "row", symbol.of, order=400)
        return
    yield from of_rows(model, order=400)


def _numbers(snapshot: Snapshot) -> Iterator[Offer]:
    for d in snapshot.loaded.declarations:
        if isinstance(d, declared.Value) and not (d.subject or d.params):
            yield Offer(d.name, "value", _type_text(snapshot.facts.types.get(d.name_span)), 200)
    yield Offer("player_count", "function", "the number of players", order=220)


def _order(order: float, type: Type | None, wanted: Type | None) -> float:
    """Return the rank of a completion: completions of a fitting type come first."""
    if type is None or wanted is None:
        return order
    return order - 5 if fits(type, wanted) or overlaps(type, wanted) else order + 300


def _type_text(type: Type | None) -> str:
    return describe(type) if type is not None and type.known else ""


def _verbs(snapshot: Snapshot) -> Iterator[Offer]:
    for symbol in snapshot.symbols:
        if symbol.kind in ("action", "rule"):
            line = " ".join(symbol.whole.text.split()).partition(" [")[0]
            yield Offer(symbol.name, symbol.kind, line, order=100)
    yield Offer("effect of", "word", order=200)


def _types(snapshot: Snapshot, model: Model | None, order: int) -> Iterator[Offer]:
    for symbol in snapshot.symbols:
        if symbol.kind in ("type", "table"):
            yield Offer(symbol.name, symbol.kind, order=order)
    yield from (Offer(name, "type", order=order + 10) for name in _TYPE_NAMES)


def _word_before(source: Source, offset: int) -> str:
    """Return the word or phrase of the language directly before a place."""
    before = " ".join(line_before(source, offset).split())
    if before.endswith("instead of"):
        return "instead of"
    return before.rpartition(" ")[2]


# ---- what is wanted ---------------------------------------------------------------------------------


def _expected_type(snapshot: Snapshot, path: Path, source: Source, begun: Span) -> Type | None:
    """Return the type expected of a name at a place, or None if it is unclear."""
    before = source.text[: begun.start].rstrip()
    for word in ("is not", "is", "<=", ">=", "<", ">", "to"):
        if before.endswith(word) and not before[: -len(word)][-1:].isalnum():
            left = before[: -len(word)].rstrip()
            if word == "to" and not line_before(source, len(left)).lstrip().startswith("set "):
                return None
            return type_ending(snapshot, path, source, len(left))
    return _expected_param_type(snapshot, source, begun) or _expected_column_type(
        snapshot, path, source, begun
    )


def _expected_param_type(snapshot: Snapshot, source: Source, begun: Span) -> Type | None:
    """Inside the brackets of a call, return the type of the parameter at the place; otherwise return None."""
    opened, place = _bracket_around(line_before(source, begun.start))
    call = _CALLED.search(opened)
    if call is None:
        return None
    for d in snapshot.loaded.declarations:
        if isinstance(d, declared.Rule) and d.name == call[1] and place < len(d.params):
            param = d.params[place]
            known = snapshot.facts.types.get(param.name_span)
            if known is None and param.type is not None and snapshot.model is not None:
                known = snapshot.model.type_of(param.type)
            return known
    return None


def _bracket_around(before: str) -> tuple[str, int]:
    """Return the text before the last open bracket of a line, and the number of commas after this bracket."""
    depth = commas = 0
    for at in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[at], 0)
        if depth < 0:
            return before[:at], commas
        commas += before[at] == "," and depth == 0
    return "", 0


def _expected_column_type(
    snapshot: Snapshot, path: Path, source: Source, begun: Span
) -> Type | None:
    around, line = declaration_around(snapshot, path, begun.start), line_before(source, begun.start)
    if not isinstance(around, declared.Record) or snapshot.model is None:
        return None
    if not line.lstrip().startswith("row "):
        return None
    place = line.count(",") - 1
    if not 0 <= place < len(around.columns):
        return None
    return snapshot.model.type_of(around.columns[place].type)


def type_ending(snapshot: Snapshot, path: Path, source: Source, offset: int) -> Type | None:
    """Return the type of the expression that ends at a place: the inferred type, or the type of the name
    there.
    """
    ends = [
        (known.start, type)
        for known, type in snapshot.facts.types.items()
        if known.source is source and known.end == offset and type.known
    ]
    if ends:
        return max(ends, key=lambda one: one[0])[1]
    name = name_start_at(source, offset)
    text, model = name.text, snapshot.model
    if not text or model is None:
        return None
    if source.text[: name.start].rstrip().endswith("."):
        subject = type_ending(snapshot, path, source, len(source.text[: name.start].rstrip()) - 1)
        return _type_of_part(model, subject, text)
    if text == "me" or text in people(snapshot, path, name.start):
        return PLAYER
    for found, span in locals_before(snapshot, path, name.start):
        if found == text:
            return snapshot.facts.types.get(span) or _type_from(snapshot, source, span)
    if text in model.row_names:
        return model.row_names[text][0][0]
    for symbol in snapshot.symbols:
        if symbol.name == text and not symbol.of:
            return snapshot.facts.types.get(symbol.span) or _used_type(snapshot, symbol.span)
    return None


def _type_from(snapshot: Snapshot, source: Source, span: Span) -> Type | None:
    """Return the type of a new local name, from the type written after the name."""
    written = re.match(
        r"(?::|[ ]+in)[ ]*([A-Z][A-Za-z0-9_]*)", source.text[span.end : span.end + 60]
    )
    model = snapshot.model
    return model.type_named(written[1]) if written is not None and model is not None else None


def _used_type(snapshot: Snapshot, declared_at: Span) -> Type | None:
    """Return the type that was inferred where the name is used."""
    for span in snapshot.facts.references(declared_at):
        type = type_named(snapshot, span)
        if type is not None and type.known:
            return type
    return None


def _type_of_part(model: Model, subject: Type | None, name: str) -> Type | None:
    if subject is None:
        return None
    for kind in (model.thing(each) for each in subject.names):
        if kind is not None and name in kind.columns:
            return kind.columns[name].type
    return None


# ---- parts ------------------------------------------------------------------------------------------


def _parts(snapshot: Snapshot, source: Source, begun: Span) -> Iterator[Offer]:
    """Yield the completions after a dot."""
    model = snapshot.model
    path = snapshot.places.get(source.name)
    dot = source.text.rindex(".", 0, begun.start)
    subject = type_ending(snapshot, path, source, dot) if path is not None else None
    word = _DOTTED.search(source.text[: begun.start])
    if subject is None and word is not None and word[1][:1].isupper():
        table = model.tables.get(word[1]) if model is not None else None
        if table is not None:
            yield from (
                Offer(name, "column", describe(c.type)) for name, c in table.columns.items()
            )
            return
        yield from (Offer(name, "function") for name in reference.of_types())
    if subject is None:
        for symbol in snapshot.symbols:
            if symbol.of and symbol.kind in ("column", "state", "zone"):
                yield Offer(symbol.name, symbol.kind, f"of {symbol.of}", order=200)
        return
    yield from _declared_parts(snapshot, model, subject)
    for name in reference.attributes_of(subject.word):
        yield Offer(name, "function", order=300)


def _declared_parts(snapshot: Snapshot, model: Model | None, subject: Type) -> Iterator[Offer]:
    names = set(subject.names)
    if model is not None:
        for name in subject.names:
            kind = model.thing(name)
            for column in kind.columns.values() if kind is not None else ():
                yield Offer(column.name, "column", describe(column.type), order=100)
    for symbol in snapshot.symbols:
        is_stored = symbol.kind in ("state", "zone") and (
            symbol.of in names or (isinstance(subject, types.Player) and symbol.of == "player")
        )
        if is_stored or (symbol.kind == "column" and symbol.of in names):
            type = snapshot.facts.types.get(symbol.span)
            yield Offer(symbol.name, symbol.kind, _type_text(type) or f"of {symbol.of}", order=100)
    for d in snapshot.loaded.declarations:
        if isinstance(d, declared.Value) and _is_of(d, subject, model):
            yield Offer(d.name, "value", " ".join(d.span.text.split())[:80], order=150)


def _is_of(d: declared.Value, subject: Type, model: Model | None) -> bool:
    """Return whether a value belongs to things of this type."""
    param = d.subject or (d.params[0] if len(d.params) == 1 else None)
    if param is None or param.type is None or model is None or not d.subject:
        return False
    return fits(subject.surely(), model.type_of(param.type))
