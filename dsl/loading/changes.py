"""Compare two versions of a game by declarations, rows, cells and clauses instead of lines.

Layout and comments make no difference, and neither does the file that contains a declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Literal, TypeAlias

from attrs import field, frozen

from rulewright.dsl.diagnostics.diagnostics import Problems
from rulewright.dsl.diagnostics.source import Source, Span
from rulewright.dsl.loading.loading import Loaded
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.model.tables import read_table
from rulewright.dsl.text.lexer import BLOCKS, Word, lex, types_and_texts
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import walk

MOST_LINES = 12
"""The maximum number of lines of a declaration that are shown."""
SHORT = 36
"""The maximum number of characters of a line that is shown together with another line."""

How: TypeAlias = Literal["added", "gone", "changed"]
Words: TypeAlias = tuple[tuple[str, str], ...]


@frozen
class Cell:
    """A changed cell of a table, given by its row and column."""

    row: str
    column: str
    old: str
    new: str


@frozen
class Change:
    """A changed declaration: its type (`action`, `zone`, `piece`), its name, and how it has changed.

    `details` are the changes in its head (ranges, options, columns) or its changed lines. `clauses` are the
    clauses that the old or the new version cites.
    """

    what: str
    name: str
    how: How
    details: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    clauses: tuple[str, ...] = ()
    place: Span | None = None


@frozen
class _Thing:
    """A declaration together with all its lines."""

    what: str
    name: str
    node: declared.Declaration
    words: Words
    """The words of the declaration, without its rows and clauses."""
    clauses: tuple[str, ...]
    rows: Mapping[str, Mapping[str, str]] = field(factory=dict)
    whole: Span | None = None
    """The place of the whole declaration, if its lines are shown."""


def changes(old: Loaded, new: Loaded) -> tuple[Change, ...]:
    """Return the changes from the old version to the new version, in the order of the new rules.

    Removed declarations come last.
    """
    before, after = _things(old), _things(new)
    found: list[Change] = []
    for key, thing in after.items():
        was = before.get(key)
        if was is None:
            place = thing.node.span
            found.append(
                Change(thing.what, thing.name, "added", clauses=thing.clauses, place=place)
            )
        elif (change := _find_change(was, thing)) is not None:
            found.append(change)
    for key, was in before.items():
        if key not in after:
            found.append(
                Change(was.what, was.name, "gone", clauses=was.clauses, place=was.node.span)
            )
    return (*found, *_rulebook(old, new))


def _rulebook(old: Loaded, new: Loaded) -> Iterator[Change]:
    """Yield the clauses whose words have changed."""
    before = {clause.id: clause for clause in old.clauses() or ()}
    after = {clause.id: clause for clause in new.clauses() or ()}
    for id, clause in after.items():
        if id not in before:
            yield Change("clause", id, "added", (clause.text,), clauses=(id,), place=clause.span)
        elif before[id].text != clause.text:
            details = (f"{before[id].text} -> {clause.text}",)
            yield Change("clause", id, "changed", details, clauses=(id,), place=clause.span)
    for id, clause in before.items():
        if id not in after:
            yield Change("clause", id, "gone", (clause.text,), clauses=(id,), place=clause.span)


# ---- declarations -----------------------------------------------------------------------------------


def _things(game: Loaded) -> dict[tuple[str, str], _Thing]:
    found: dict[tuple[str, str], _Thing] = {}
    by_file: dict[Source, list[declared.Declaration]] = {}
    for d in game.declarations:
        by_file.setdefault(d.span.source, []).append(d)
    for source, listed in by_file.items():
        for one, following in pairwise((*listed, None)):
            assert one is not None
            end = following.span.start if following is not None else len(source.text)
            for thing in _things_of(game, one, Span(source, one.span.start, end)):
                key = thing.what, thing.name
                number = 2
                while key in found:  # triggers, notes and sections have no names
                    key = thing.what, f"{thing.name} ({number})"
                    number += 1
                found[key] = thing
    return found


def _things_of(game: Loaded, d: declared.Declaration, whole: Span) -> Iterator[_Thing]:
    # all others: each is a single thing
    what, name = _type_and_name(d)
    tags = (tag for node in walk(d) for tag in getattr(node, "tags", ()))
    clauses = tuple(dict.fromkeys(clause_ids(tuple(tags))))
    if isinstance(d, declared.PlayerDeclaration):
        for each in _stored_things(d):
            what = "state" if isinstance(each, declared.State) else "zone"
            yield _Thing(
                f"{what} of a player", each.name, d, _words([each.span]), clause_ids(each.tags)
            )
        if d.signs:
            signs = {"players": {"sign": " ".join(map(_signs, d.signs))}}
            yield _Thing("signs", "", d, (), clauses, signs)
        return
    if isinstance(d, declared.Record):
        parts = (
            *d.columns,
            *d.states,
            *d.zones,
            *(part for part in (d.copies, d.joins, d.product) if part),
        )
        head = whole.source.line_end(d.span.line)
        spans = [
            Span(whole.source, whole.start, min(head, whole.end)),
            *(part.span for part in parts),
        ]
        yield _Thing(what, name, d, _words(spans), clauses, _rows(game, d))
        return
    if not isinstance(d, (declared.Include, syntax.Broken)):
        yield _Thing(what, name, d, _words([whole]), clauses, whole=whole)


def _type_and_name(d: declared.Declaration) -> tuple[str, str]:
    """Return the type and name of a declaration; the name of a trigger is its line."""
    match d:
        case declared.Record() | declared.Rule() | declared.Union():
            return d.what, d.name
        case declared.KindList():
            return "kind", d.name
        case declared.Game():
            return "game", d.title
        case declared.OptionDeclaration():
            return "option", d.name
        case declared.Section():
            return "section", d.what
        case declared.Score() | declared.Winner():
            return type(d).__name__.lower(), ""
        case declared.Invariant() | declared.Note():
            return type(d).__name__.lower(), d.text
        case declared.OnAction() | declared.Whenever() | declared.OnMove() | declared.Anytime():
            return "trigger", " ".join(d.span.text.split("[")[0].split())
        case declared.Board():
            named = (d.space.name if d.space is not None else "", _text(d.title).strip('"'))
            return "board", " ".join(filter(None, named))
        case declared.PlayerDeclaration():
            return "player", ""
        case declared.Include():
            return "include", d.path
        case syntax.Broken():
            return "", ""
        case (
            declared.Token()
            | declared.Die()
            | declared.Seat()
            | declared.State()
            | declared.Zone()
            | declared.Value()
            | declared.Position()
            | declared.Side()
            | declared.Power()
            | declared.Effect()
        ):
            return type(d).__name__.lower(), d.name


def _words(spans: Iterable[Span]) -> Words:
    """Return the words of the given parts of a text, without clauses and layout."""
    found: list[tuple[str, str]] = []
    for span in spans:
        words = lex(span.source, Problems(), start=span.start, end=span.end)
        found += [word for word in types_and_texts(words) if word[0] != "TAG"]
    return tuple(found)


def _rows(game: Loaded, d: declared.Record) -> dict[str, dict[str, str]]:
    """Map the name of each row of a kind or table to the row. A row maps the name of each column to the cell."""
    rows: dict[str, dict[str, str]] = {}
    columns = [column.name for column in d.columns]
    for row in d.rows:
        cells = [" ".join(cell.span.text.split()) for cell in row.cells]
        if d.what != "table" and cells:
            _add(rows, cells[0], dict(zip(columns, cells[1:], strict=False)))
        else:
            keys = max(1, len(cells) - len(columns))
            _add(rows, ", ".join(cells[:keys]), dict(zip(columns, cells[keys:], strict=False)))
    source = game.read_table(d.path) if d.path is not None else None
    table = read_table(source, Problems()) if source is not None else None
    if table is not None:
        read = {column.header or column.name for column in d.columns} | {*d.keys}
        for line in table.rows:
            named = dict(zip(table.headers, (cell.text for cell in line), strict=False))
            name = ", ".join(named.get(key, "") for key in d.keys) if d.keys else line[0].text
            _add(rows, name, {column: text for column, text in named.items() if column in read})
    for of in (of for line in d.signs for of in line.rows):
        rows.setdefault(of.name, {})["sign"] = _signs(of)
    return rows


def _signs(of: declared.RowSigns) -> str:
    return " ".join(sign for sign, _ in of.signs)


def _add(rows: dict[str, dict[str, str]], name: str, cells: dict[str, str]) -> None:
    number, key = 1, name
    while key in rows:
        number += 1
        key = f"{name} ({number})"
    rows[key] = cells


# ---- differences ------------------------------------------------------------------------------------


def _find_change(old: _Thing, new: _Thing) -> Change | None:
    added = tuple(name for name in new.rows if name not in old.rows)
    gone = tuple(name for name in old.rows if name not in new.rows)
    cells = tuple(_cells(old.rows, new.rows))
    clauses = old.clauses != new.clauses
    if old.words == new.words and not (added or gone or cells or clauses):
        return None
    cited = tuple(dict.fromkeys((*old.clauses, *new.clauses)))
    details = tuple(_details(old, new))
    return Change(new.what, new.name, "changed", details, added, gone, cells, cited, new.node.span)


def _cells(
    old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]
) -> Iterator[Cell]:
    for name, cells in new.items():
        before = old.get(name)
        for column, text in cells.items() if before is not None else ():
            was = before.get(column, "") if before is not None else ""
            if was != text:
                yield Cell(name, column, was, text)


def _details(old: _Thing, new: _Thing) -> Iterator[str]:
    """Describe the changes in the head of a declaration. Some kinds of changes are left out."""
    match old.node, new.node:
        case declared.OptionDeclaration() as a, declared.OptionDeclaration() as b:
            yield from _name_changes("value", _texts(a.values), _texts(b.values))
        case declared.KindList() as a, declared.KindList() as b:
            yield from _name_changes(
                "value", [v.name for v in a.values], [v.name for v in b.values]
            )
        case declared.Game() as a, declared.Game() as b:
            was = {setting.name: setting.value for setting in a.settings}
            now = {setting.name: setting.value for setting in b.settings}
            for name in dict.fromkeys((*was, *now)):
                yield from _text_change(name, was.get(name), now.get(name))
        case declared.Record() as a, declared.Record() as b:
            before, after = ({c.name: c for c in d.columns} for d in (a, b))
            yield from _name_changes("column", before, after)
            for name, column in after.items():
                if name in before:
                    yield from _type_change(f"column {name}", before[name].type, column.type)
            yield from _storage_details(_stored_things(a), _stored_things(b))
        case declared.PlayerDeclaration() as a, declared.PlayerDeclaration() as b:
            yield from _storage_details(
                [each for each in _stored_things(a) if each.name == old.name],
                [each for each in _stored_things(b) if each.name == new.name],
            )
        case declared.State() as a, declared.State() as b:
            yield from _storage_details((a,), (b,))
        case declared.Zone() as a, declared.Zone() as b:
            yield from _storage_details((a,), (b,))
        case _:
            yield from _changed_lines(old.whole, new.whole)


def _changed_lines(old: Span | None, new: Span | None) -> Iterator[str]:
    """Yield, in order, the lines that differ between two declarations or that only one of the two contains."""
    if old is None or new is None:
        return
    was, now = _lines(old), _lines(new)
    found: list[str] = []
    same = SequenceMatcher(None, [words for words, _ in was], [words for words, _ in now], False)
    for how, a, b, c, d in same.get_opcodes():
        before, after = [text for _, text in was[a:b]], [text for _, text in now[c:d]]
        if how == "equal":
            continue
        if len(before) == len(after) and all(len(one) <= SHORT for one in (*before, *after)):
            found += (f"{one} -> {other}" for one, other in zip(before, after, strict=True))
        else:
            found += (f"- {text}" for text in before)
            found += (f"+ {text}" for text in after)
    yield from found[:MOST_LINES]
    if len(found) > MOST_LINES:
        yield f"and {len(found) - MOST_LINES} more"


def _lines(span: Span) -> list[tuple[Words, str]]:
    """Return the lines of a span, each without its clauses, as a list of words and as text."""
    found: list[tuple[Words, str]] = []
    line: list[Word] = []
    for word in (*lex(span.source, Problems(), start=span.start, end=span.end), None):
        if word is None or word.type in BLOCKS:
            if line:
                found.append((tuple(types_and_texts(line)), _join_words(line)))
            line = []
        elif word.type != "TAG":
            line.append(word)
    return found


def _join_words(line: list[Word]) -> str:
    """Join words into a text, with single spaces."""
    text = line[0].text
    for before, word in pairwise(line):
        text += (" " if before.end < word.start else "") + word.text
    return text


def _stored_things(
    d: declared.PlayerDeclaration | declared.Record,
) -> list[declared.State | declared.Zone]:
    found: list[declared.State | declared.Zone] = [*d.states]
    return [*found, *d.zones]


def _storage_details(
    old: Iterable[declared.State | declared.Zone], new: Iterable[declared.State | declared.Zone]
) -> Iterator[str]:
    was = {each.name: each for each in old}
    for each in new:
        before = was.get(each.name)
        if before is None:
            continue
        if isinstance(before.type, declared.ZoneType) or isinstance(each.type, declared.ZoneType):
            yield from _text_change(each.name, before.type, each.type)
        else:
            yield from _type_change(each.name, before.type, each.type)
        yield from _text_change(f"{each.name} at the start", before.start, each.start)
        yield from _text_change(f"{each.name} seen", before.seen, each.seen)


def _type_change(name: str, old: syntax.Type, new: syntax.Type) -> Iterator[str]:
    match old, new:
        case syntax.RangeType(low=a, high=b), syntax.RangeType(low=c, high=d):
            edges = [e.value if isinstance(e, syntax.Number) else None for e in (a, b, c, d)]
            word = ""
            if None not in edges and _text(old) != _text(new):
                low, high, lowest, highest = (edge or 0 for edge in edges)
                wider, narrower = (
                    lowest <= low and highest >= high,
                    lowest >= low and highest <= high,
                )
                word = ", wider" if wider else ", narrower" if narrower else ""
            if _text(old) != _text(new):
                yield f"{name}: {_text(old)} -> {_text(new)}{word}"
        case _:
            yield from _text_change(name, old, new)


_Spanned: TypeAlias = syntax.Expression | syntax.Type | declared.ZoneType | declared.Seen | None


def _text_change(name: str, old: _Spanned, new: _Spanned) -> Iterator[str]:
    a, b = _text(old), _text(new)
    if a != b:
        yield f"{name}: {a or 'nothing'} -> {b or 'nothing'}"


def _text(node: _Spanned) -> str:
    return " ".join(node.span.text.split()).lstrip(", ") if node is not None else ""


def _texts(nodes: Iterable[syntax.Expression]) -> list[str]:
    return [_text(node) for node in nodes]


def _name_changes(what: str, old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    was, now = dict.fromkeys(old), dict.fromkeys(new)
    yield from (f"{what} {name} added" for name in now if name not in was)
    yield from (f"{what} {name} gone" for name in was if name not in now)
    kept_before, kept = [n for n in was if n in now], [n for n in now if n in was]
    if kept_before != kept:
        yield f"{what}s in another order: {', '.join(kept)}"
