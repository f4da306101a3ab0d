"""Checks signs (the characters for things on boards), and adds declarations that are equivalent to the signs.

A line of signs becomes a value `sign` of the things in the line. All signs together are the values
of one kind. A grid without a `board` block shows the signs of the things in its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.diagnostics.suggest import listed_and
from rulewright.dsl.immutable import evolve
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax

SIGN: Final = "Sign"
"""The kind whose values are all signs of a game."""
NAME: Final = "sign"
"""The value that returns the sign of a thing."""
_THING, _OWNER, _CELL = "any_thing", "any_owner", "cell"
_EMPTY = "."


def type_named(type: syntax.Type | None) -> str:
    """Return the name of a type, ignoring `or nothing`; "" if the type has no name."""
    of = type.of if isinstance(type, syntax.OptionalType) else type
    return of.name if isinstance(of, syntax.NamedType) else ""


def types_with_signs(listed: Iterable[declared.Declaration]) -> frozenset[str]:
    """Return the names of the types whose signs do not depend on an owner."""
    return frozenset(
        type_named(value.subject.type)
        for value in listed
        if isinstance(value, declared.Value)
        and value.name == NAME
        and not value.params
        and value.subject is not None
    )


def name_of(sign: str) -> str:
    """Return the name of a sign as a value of its kind. Rules cannot write this name."""
    return f'"{sign}"'


def is_sign(name: str) -> bool:
    """Return whether the name of a row is the name of a sign. Players never see such a name."""
    return name.startswith('"')


def with_signs(listed: Sequence[declared.Declaration]) -> list[declared.Declaration]:
    """Add the declarations that are equivalent to the lines of signs."""
    found: list[declared.Value] = []
    signs: dict[str, None] = {}
    place: Span | None = None
    for d in listed:
        rows = _rows(d)
        if not rows:
            continue
        place = place or rows[0].span
        signs.update(dict.fromkeys(sign for row in rows for sign in _signs(d, row)))
        if isinstance(d, declared.Record):
            found.append(_value(d.name, rows, is_owned=d.per_player, has_sides=_has_sides(d)))
        else:
            found.append(_value("Player", rows, is_owned=True, has_sides=True))
    if place is None:
        return [*listed]
    return _with_boards([_kind(place, tuple(signs)), *listed, *found])


@lru_cache(maxsize=64)
def _kind(place: Span, signs: tuple[str, ...]) -> declared.KindList:
    """Return the kind that contains all signs. Variants get the same node, so that they share their
    numbered records.
    """
    values = tuple(declared.KindValue(place, name_of(sign), sign) for sign in signs)
    return declared.KindList(place, (), SIGN, place, values)


def _rows(d: declared.Declaration) -> tuple[declared.RowSigns, ...]:
    match d:
        case declared.Record():
            return tuple(row for line in d.signs for row in line.rows)
        case declared.PlayerDeclaration():
            return d.signs
        case _:  # all others: they have no signs
            return ()


def _has_sides(d: declared.Declaration) -> bool:
    """Return whether the signs of a declaration depend on a player. (The signs of pieces without an owner do not.)"""
    return not isinstance(d, declared.Record) or d.what != "piece" or d.per_player


def _signs(d: declared.Declaration, row: declared.RowSigns) -> list[str]:
    """Return the signs of a row: one sign for each player in turn, or a single sign."""
    return _of_seats(row) if _has_sides(d) else [sign for sign, _ in row.signs]


def _of_seats(row: declared.RowSigns) -> list[str]:
    """Return the signs of a row for one player after another. The last sign is used for all further players.

    A single capital letter is the sign of the first player, and the same letter in lower case is
    the sign of all others.
    """
    signs = [sign for sign, _ in row.signs]
    small = signs[0].lower()
    if row.name and len(signs) == 1 and len(small) == 1 and small != signs[0]:
        signs.append(small)
    return signs


@lru_cache(maxsize=64)
def _value(
    kind_name: str, rows: tuple[declared.RowSigns, ...], *, is_owned: bool, has_sides: bool
) -> declared.Value:
    """Return the declaration `value sign of any_thing: TYPE = ...`.

    If the signs depend on a player but the things have no owners, the player is a parameter.
    """
    span = rows[0].span
    of_player = kind_name == "Player"
    thing = syntax.Word(span, _THING)
    if of_player:
        value = _by_seat(span, thing, [sign for row in rows for sign in _of_seats(row)])
    else:
        owner: syntax.Expression = syntax.Word(span, _OWNER)
        if is_owned:
            owner = syntax.Dot(span, thing, "owner", span, None)

        def of(row: declared.RowSigns) -> syntax.Expression:
            return _by_seat(span, owner, _of_seats(row) if has_sides else [row.signs[0][0]])

        value = of(rows[-1])
        for row in reversed(rows[:-1]):
            test = syntax.Binary(span, "is", thing, syntax.Word(row.name_span, row.name))
            value = syntax.IfElse(span, test, of(row), value)
    subject = declared.Param(span, _THING, span, syntax.NamedType(span, kind_name), None)
    player = declared.Param(span, _OWNER, span, syntax.NamedType(span, "Player"), None)
    params = () if is_owned or not has_sides else (player,)
    return declared.Value(span, (), False, NAME, span, subject, params, (), value)


def _by_seat(span: Span, owner: syntax.Expression, signs: Sequence[str]) -> syntax.Expression:
    value: syntax.Expression = syntax.Word(span, name_of(signs[-1]))
    for seat, sign in reversed([*enumerate(signs[:-1], 1)]):
        number = syntax.Dot(span, owner, "number", span, None)
        test = syntax.Binary(span, "is", number, syntax.Number(span, seat))
        value = syntax.IfElse(span, test, syntax.Word(span, name_of(sign)), value)
    return value


# ---- boards ---------------------------------------------------------------------------------------------


def _with_boards(listed: Sequence[declared.Declaration]) -> list[declared.Declaration]:
    """Add a board for each grid without `show` lines, if the things in its cells have signs."""
    found = [*listed]
    for d in listed:
        if not isinstance(d, declared.Record) or (d.grid is None and d.border is None):
            continue
        shows = tuple(
            declared.BoardLine(d.name_span, syntax.Text(d.name_span, (sign,)), (), None)
            for sign in signs_in(d, listed)
        )
        boards = [
            (at, one)
            for at, one in enumerate(found)
            if isinstance(one, declared.Board)
            and one.space is not None
            and one.space.name == d.name
        ]
        if shows and not boards:
            space = syntax.TypeWord(d.name_span, d.name)
            found.append(declared.Board(d.name_span, (), space, None, shows, ()))
        for at, board in boards:
            if not board.shows:
                found[at] = evolve(board, shows=shows)
    return found


def signs_in(
    d: declared.Record, listed: Sequence[declared.Declaration]
) -> Iterator[syntax.Expression]:
    """Yield the signs, such as `cell.man.first.sign` or `cell.keeper.sign`, of things that may be in a cell."""
    signed = types_with_signs(listed)
    owned = {one.name for one in listed if isinstance(one, declared.Token) and one.per_player}
    span = d.name_span
    cell = syntax.Word(span, _CELL)
    for zone in d.zones:
        if zone.seen is not None or zone.params:
            continue
        there = syntax.Dot(span, cell, zone.name, span, None)
        if zone.type.shape == "spot" and zone.type.of in signed:
            top = syntax.Dot(span, there, "first", span, None)
            yield syntax.Dot(span, top, NAME, span, None)
        elif zone.type.shape == "tokens" and zone.type.of in owned and "Player" in signed:
            owner = syntax.Dot(span, there, "owner", span, None)
            yield syntax.Dot(span, owner, NAME, span, None)
    for state in d.states:
        named = type_named(state.type)
        if state.seen is None and named in signed:
            there = syntax.Dot(span, cell, state.name, span, None)
            yield syntax.Dot(span, there, NAME, span, None)


# ---- checks ---------------------------------------------------------------------------------------------


def check_signs(model: Model, listed: Sequence[declared.Declaration]) -> None:
    """Store all signs in the model. Report rows without signs, and wrong signs."""
    for d in listed:
        rows = _rows(d)
        if not rows:
            continue
        _check_characters(model, d, rows)
        kind_name = d.name if isinstance(d, declared.Record) else "Player"
        model.signs[kind_name] = frozenset(sign for row in rows for sign in _signs(d, row))
        if isinstance(d, declared.Record):
            _check_rows(model, d, rows)
        if not isinstance(d, declared.Record) or d.per_player:
            _check_seats(model, rows)
        elif not _has_sides(d):
            _check_only_signs(model, rows)


def _check_only_signs(model: Model, rows: Sequence[declared.RowSigns]) -> None:
    """Report an error for pieces that belong to no player but have more than one sign."""
    for row in rows:
        for sign, span in row.signs[1:]:
            model.problems.error(
                "wrong-arguments",
                f"`{row.name}` belongs to no player, so it has one sign",
                span,
                help=f'remove `"{sign}"`, or declare the piece `per player`',
            )


def _check_characters(
    model: Model, d: declared.Declaration, rows: Sequence[declared.RowSigns]
) -> None:
    taken: dict[str, Span] = {}
    for row in rows:
        for sign, span in row.signs:
            if len(sign) != 1 or not sign.isprintable() or sign.isspace() or sign == _EMPTY:
                model.problems.error(
                    "wrong-type",
                    f'"{sign}" is not a sign: a sign is one character, and not a space or a dot',
                    span,
                    help=f'write one character, such as `"{sign.strip(" .")[:1].upper() or "X"}"`',
                )
        for sign in dict.fromkeys(_signs(d, row)):
            span = next((at for written, at in row.signs if written == sign), row.signs[0][1])
            if sign in taken:
                model.problems.error(
                    "duplicate-name",
                    f"`{sign}` is the sign of two things",
                    span,
                    labels=(Label(taken[sign], "the other one is here"),),
                    help="choose another character"
                    + "; a capital letter on its own also takes its small letter" * _has_sides(d),
                )
            taken.setdefault(sign, span)


def _check_rows(model: Model, d: declared.Record, rows: Sequence[declared.RowSigns]) -> None:
    if d.what not in ("kind", "piece"):
        model.problems.error(
            "unexpected-word",
            f"a {d.what} has no signs",
            d.signs[0].span,
            help="pieces, kinds and players have signs",
        )
        return
    kind = model.thing(d.name)
    if kind is None or kind.span != d.name_span or model.has_lost_rows:
        return
    names = [*dict.fromkeys([*kind.rows, *kind.absent])]
    seen: set[str] = set()
    for row in rows:
        if row.name not in names:
            model.problems.none_called("row", row.name, row.name_span, names, end=" here")
            continue
        at = kind.row_spans[kind.rows.index(row.name)] if row.name in kind.rows else None
        model.facts.refers(row.name_span, "row", row.name, at)
        if row.name in seen:
            model.problems.error(
                "duplicate-name",
                f"the sign of `{row.name}` appears twice",
                row.name_span,
                help="remove one of the two",
            )
        seen.add(row.name)
    lacking = [name for name in names if name not in seen]
    if lacking:
        model.problems.error(
            "table-missing-cell",
            f"no sign for {listed_and(lacking[:3])} of `{d.name}`",
            d.signs[0].span,
            help=f'add `{lacking[0]} "X"` to this line, with a character of its own',
        )


def _check_seats(model: Model, rows: Sequence[declared.RowSigns]) -> None:
    """Report an error for players' things that do not have a sign for each player."""
    seats = len(model.seats)
    for row in [rows[0]] if not rows[0].name else rows:
        signs = _of_seats(row) if row.name else [sign for one in rows for sign, _ in one.signs]
        if len(signs) < seats and all(len(sign) == 1 for sign in signs):
            whose = f" of `{row.name}`" if row.name else ""
            model.problems.error(
                "wrong-arguments",
                f"{len(signs)} sign{'s'[: len(signs) != 1]}{whose}, but {seats} players",
                row.span,
                help="write a character for each player, one after the other",
            )
