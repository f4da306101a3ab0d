"""Answers `look`: shows the thing with a name, such as a card with its place, a zone, or a panel.

The answers do not show a place that the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulewright.dsl.diagnostics.suggest import listed_or, near_names
from rulewright.dsl.ir import PieceKind, Program, SpaceKind, ValueKind
from rulewright.interpreter.matches.game import Game
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.questions.drawing import (
    boards_of,
    is_silent,
    lines_of_boards,
    short_title,
    things_of,
)
from rulewright.interpreter.questions.rulebook import clauses_of
from rulewright.interpreter.text.names import NOTHING, Value, Words
from rulewright.interpreter.text.typed import plain
from rulewright.interpreter.views.board import describe
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.marked import wrap
from rulewright.interpreter.views.scene_faces import readable_name
from rulewright.interpreter.views.view import View

_YES = "yes"
_FEW = 6  # If there are more columns, those without information are left out.
_MOST = 12  # The maximum number of things described for a part of their names.
_SYMBOL = 2  # The maximum number of letters of a symbol.


@attrs.frozen
class Card:
    """A row of a kind of things: its name, its numbers, the words on it, and other texts about it."""

    type_name: str
    name: str
    text: str
    facts: tuple[tuple[str, str], ...]
    words: str
    clauses: tuple[str, ...]
    copies: int
    about: tuple[tuple[str, str], ...] = ()

    def lines(self, game: Game, across: int) -> Iterator[str]:
        """Yield everything that is printed on the card."""
        copies = f", {self.copies} copies" if self.copies > 1 else ""
        yield f"{self.text} ({self.type_name}{copies})"
        words = [self.words] if self.words else []
        words = words or [f"{text} [{clause}]" for clause, text in clauses_of(game, self.clauses)]
        for text in words:
            yield from wrap(text, across)
        said = {*plain(" ".join([self.text, *words])).split()}
        facts = [
            fact
            for name, text in self.facts
            if (fact := _fact(name, text, is_short=len(self.facts) > _FEW))
            and not said.issuperset(plain(fact).split())
        ]
        if facts:
            yield from wrap(", ".join(facts), across)
        for type_name, rows in self.about:
            yield from wrap(f"{type_name}: {rows}", across)


def _fact(name: str, text: str, *, is_short: bool) -> str:
    """Return the text of a column for a row: only the name if the value is `yes`, and "" if the row has no value."""
    if text == _YES:
        return name
    if text in ("no", NOTHING, "") or (is_short and text == "0"):
        return ""
    return f"{name} {text}".strip()


def lines(match: Match, word: str, viewer: int, across: int) -> list[str]:
    """Describe everything that a viewer may know about a thing, found by its name or by a unique part of its name."""
    state = match.state
    typed = plain(word)
    seat = _seat(state, typed, viewer)
    if seat is not None:
        return things_of(state, viewer, seat, across)
    if typed in ("symbols", "signs"):
        return symbols(state.compiled) or ["there are no symbols here"]
    view = state.view(viewer)
    found = _panel(state, viewer, typed, across, whole=True)
    cards = [card for card in cards_of(state.compiled) if typed in _names_of(card)]
    places = describe(view, lambda names: typed in map(plain, names), across)
    part: list[str] = []
    if not (cards or places or found):
        part = _panel(state, viewer, typed, across, whole=False)
        cards = [
            card
            for card in cards_of(state.compiled)
            if any(f" {typed}" in f" {name}" for name in _names_of(card))
        ]
        places = describe(
            view, lambda names: any(f" {typed}" in f" {plain(name)}" for name in names), across
        )
    if len(cards) > _MOST:
        several = [card.text for card in cards]
        return wrap(f"several things have this name: {', '.join(several)}", across)
    printed = [line for card in cards for line in card.lines(match.game, across)]
    printed += _on_boards(state, viewer, cards, across)
    printed += _where(view, cards, across)
    printed += [
        line for line in places if line not in printed and not (printed and is_silent(line))
    ]
    if printed and found:
        return [*printed, "", *found]
    return (
        printed
        or found
        or part
        or _symbol(state.compiled, word.strip())
        or _cell_of_grid(state.compiled, typed)
        or _nothing(state, word, viewer)
    )


def _cell_of_grid(compiled: CompiledGame, typed: str) -> list[str]:
    """Return the name of a cell of a grid, even if nothing in the cell has a name."""
    for kind in compiled.program.spaces:
        for at, name in enumerate(kind.rows if kind.places else ()):
            text = compiled.words.thing("space", kind.first + at) or readable_name(name)
            if typed in (plain(name), plain(text)):
                return [f"{text} ({_spaced_name(kind.name)})"]
    return []


def names(state: State, viewer: int) -> list[str]:
    """Return the names of things that `look` can show."""
    view = state.view(viewer)
    return list(
        dict.fromkeys(
            (
                *state.players,
                *(card.text for card in cards_of(state.compiled)),
                *(zone.place.title for zone in view.zones),
                *(tokens.place.title for tokens in view.tokens),
                *(value.place.title for value in view.values),
            )
        )
    )


def cards_of(compiled: CompiledGame) -> Iterator[Card]:
    """Yield the rows of all kinds of pieces, spaces and values, without duplicates."""
    program = compiled.program
    kinds: list[PieceKind | SpaceKind | ValueKind] = [
        *program.pieces,
        *program.spaces,
        *program.kinds,
    ]
    for kind in kinds:
        if isinstance(kind, SpaceKind) and kind.places and not kind.columns:
            continue
        met: dict[str, int] = {}
        for name in kind.rows:
            met[name] = met.get(name, 0) + 1
        for at, name in enumerate(kind.rows):
            copies = met.pop(name, 0)
            if copies:
                yield _card(compiled, kind, at, copies)


def symbols(compiled: CompiledGame) -> list[str]:
    """Explain the symbols on boards."""
    return [
        ", ".join(f"{sign} {readable_name(name)}" for sign, name in found)
        for _, found in _symbols(compiled)
        if found
    ]


def _card(
    compiled: CompiledGame, kind: PieceKind | SpaceKind | ValueKind, at: int, copies: int
) -> Card:
    words, program, tables = compiled.words, compiled.program, compiled.program.tables

    def cell(domain: int, table: int) -> str:
        value: Value = tables[table][at]  # type: ignore[assignment]  # the tables of columns contain values
        if _is_flag(program.domains[domain].name) and isinstance(value, int):
            return _YES if value else "no"
        return words.text(domain, value)

    text = words.thing("piece", kind.first + at) if isinstance(kind, PieceKind) else ""
    if not isinstance(kind, PieceKind):
        text = _text(words, kind, at)
    facts = tuple(
        (readable_name(name), cell(domain, table))
        for name, domain, table in kind.columns
        if not name.startswith("copies")
        and not (
            program.domains[domain].name == "action"
            and cell(domain, table) == readable_name(kind.rows[at])
        )
    )
    beside = tuple(
        (words.text(domain, value), said)
        for _, domain, table in kind.columns
        if isinstance(value := tables[table][at], int)
        and (said := _printed_text(program, domain, value))
    )
    return Card(
        _spaced_name(kind.name),
        kind.rows[at],
        text or readable_name(kind.rows[at]),
        facts,
        kind.words[at] if kind.words else "",
        kind.clauses[at] if kind.clauses else (),
        copies if isinstance(kind, PieceKind) else 1,
        beside if isinstance(kind, PieceKind) else (*beside, *_about(compiled, kind, at)),
    )


def _printed_text(program: Program, domain: int, value: int) -> str:
    """Return the text that is printed on the thing that a column value refers to."""
    at = value - program.domains[domain].offset
    for kind in program.kinds:
        if kind.words and program.domains[domain].name == f"kind {kind.name}":
            return kind.words[at] if 0 <= at < len(kind.words) else ""
    return ""


def _about(
    compiled: CompiledGame, kind: SpaceKind | ValueKind, at: int
) -> Iterator[tuple[str, str]]:
    """Yield the rows of other kinds that refer to a row in a column, such as the actions of a nation."""
    program, words = compiled.program, compiled.words
    of, number = f"kind {kind.name}", at
    if isinstance(kind, SpaceKind):
        of, number = "space", kind.first + at
    others: tuple[SpaceKind | ValueKind, ...] = (*program.kinds, *program.spaces)
    for other in others:
        printed = [
            text
            for place, (_, domain, table) in enumerate(other.columns)
            if program.domains[domain].name == of
            for row, value in enumerate(program.tables[table])
            if value == number and (text := _row_beside(words, program, other, row, place))
        ]
        if 0 < len(printed) <= _MOST:
            joined = "; ".join(printed).replace(".; ", ". ")
            yield _spaced_name(other.name), joined


def _row_beside(
    words: Words, program: Program, kind: SpaceKind | ValueKind, at: int, place: int
) -> str:
    """Describe a row for readers who know one of its columns: its text, or else its name and the other columns."""
    facts = []
    for column, (name, domain, table) in enumerate(kind.columns):
        value: Value = program.tables[table][at]  # type: ignore[assignment]  # as in `_card`
        if column == place:
            continue
        is_flag = _is_flag(program.domains[domain].name)
        text = (_YES if value else "no") if is_flag else words.text(domain, value)
        if text == _spaced_name(kind.name):
            continue
        # The label of one of two similar ends, such as `city_a`, is not needed.
        label = "" if readable_name(name).endswith((" a", " b")) else readable_name(name)
        facts.append((label, text, is_flag))
    if kind.words and kind.words[at]:
        flags = [name for name, text, is_flag in facts if is_flag and text == _YES]
        return f"{kind.words[at]} ({', '.join(flags)})" if flags else kind.words[at]
    beside = ", ".join(
        said for name, text, _ in facts if (said := _fact(name, text, is_short=True))
    )
    text = _text(words, kind, at)
    if not text and not _is_called_by_cells(words, program, kind, at):
        text = readable_name(kind.rows[at])
    if not text:
        return beside
    return f"{text} ({beside})" if beside else text


def _text(words: Words, kind: SpaceKind | ValueKind, at: int) -> str:
    """Return the name of a row as it is shown to people, or "" if the row has none."""
    text = kind.texts[at] if isinstance(kind, ValueKind) else words.thing("space", kind.first + at)
    if text is None or readable_name(text) == readable_name(kind.rows[at]):
        return ""
    return text


def _is_called_by_cells(
    words: Words, program: Program, kind: SpaceKind | ValueKind, at: int
) -> bool:
    """Return whether the name of a row consists of its values, apart from punctuation."""
    cells: list[str] = []
    for _, domain, table in kind.columns:
        value: Value = program.tables[table][at]  # type: ignore[assignment]  # as in `_card`
        name = words.name(domain, value) if isinstance(value, int) else ""
        cells += plain(f"{words.text(domain, value)} {name}").split()
    known = {*cells, *readable_name(" ".join(cells)).split()}
    return all(
        word in known or len(word) <= _SYMBOL
        for word in plain(readable_name(kind.rows[at])).split()
    )


def _is_flag(domain: str) -> bool:
    return domain in ("flag", "Flag")


def _names_of(card: Card) -> tuple[str, str]:
    return plain(card.name), plain(card.text)


def _spaced_name(name: str) -> str:
    """Convert a name such as `MarketPlace` to words in lower case."""
    return "".join(f" {sign.lower()}" if sign.isupper() else sign for sign in name).strip()


def _seat(state: State, typed: str, viewer: int) -> int | None:
    if typed in ("me", "you") and viewer >= 0:
        return viewer
    players = [plain(name) for name in state.players]
    return players.index(typed) if typed in players else None


def _panel(state: State, viewer: int, typed: str, across: int, *, whole: bool) -> list[str]:
    """Return the board that has the typed words as its name or in its title."""
    for title, text in boards_of(state, viewer, across):
        known = plain(title)
        is_meant = (
            typed in (known, plain(short_title(title))) if whole else f" {typed}" in f" {known}"
        )
        if typed and is_meant:
            return text
    return []


def _on_boards(state: State, viewer: int, cards: Sequence[Card], across: int) -> Iterator[str]:
    """Yield the lines of boards that begin with the name of a thing. Such a line gives the current
    value of the thing in the words of the game."""
    if len(cards) != 1:
        return
    wanted = f"{plain(cards[0].text)} "
    for text in lines_of_boards(state, viewer):
        if f"{plain(text)} ".startswith(wanted):
            yield from wrap(text, across)


def _where(view: View, cards: Iterable[Card], across: int) -> list[str]:
    """Return the places of the given things, as far as the places are known."""
    wanted = {card.name for card in cards}
    printed = []
    for zone in view.zones:
        names = {piece.name for piece in zone.pieces} & wanted
        if names:
            of = f"{zone.place.of_text}: " if zone.place.of else ""
            printed.append(f"{of}{zone.place.title}")
    return wrap(f"lies in: {', '.join(dict.fromkeys(printed))}", across) if printed else []


def _symbols(compiled: CompiledGame) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for domain in compiled.program.domains:
        if domain.name.startswith("kind ") and domain.texts:
            yield (
                domain.name,
                [
                    (text, name)
                    for name, text in zip(domain.names, domain.texts, strict=True)
                    if text.casefold() != name.casefold() and len(text) <= _SYMBOL
                ],
            )


def _symbol(compiled: CompiledGame, typed: str) -> list[str]:
    return [
        f"{sign} is {readable_name(name)} ({_spaced_name(kind.removeprefix('kind '))})"
        for kind, found in _symbols(compiled)
        for sign, name in found
        if sign == typed
    ]


def _nothing(state: State, word: str, viewer: int) -> list[str]:
    near = near_names(plain(word), [plain(name) for name in names(state, viewer)])
    hint = f"; did you mean {listed_or(near)}?" if near else ""
    return [f"nothing is called `{word}`{hint}"]
