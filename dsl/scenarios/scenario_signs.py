"""Find the default steps for a sign in a picture if no line of the picture gives the sign's meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model, ThingKind
from rulewright.dsl.model.signs import NAME, name_of, type_named, types_with_signs
from rulewright.dsl.tree import declared, syntax

_CELL, _PIECE, _PLAYER = "cell", "any_piece", "any_player"


def steps_of_sign(
    model: Model, kind: ThingKind, sign: str, span: Span, cells: Sequence[syntax.Expression]
) -> syntax.Block | None:
    """Return the default steps for a cell with a sign, or None if the sign means nothing or could mean two things.

    The steps move a piece with this sign to the cell, or set a state to the value with this sign.
    """
    found = [
        *_of_states(model, kind, sign, span),
        *_of_zones(model, kind, sign, span, cells),
    ]
    return (found[0],) if len(found) == 1 else None


def _of_states(model: Model, kind: ThingKind, sign: str, span: Span) -> Iterator[syntax.Statement]:
    for state in kind.states:
        if state.params:
            continue
        kind_name = type_named(state.type)
        place = _dot(span, _CELL, state.name)
        of = model.kinds.get(kind_name)
        if of is not None and of.texts.count(sign) == 1:
            row = of.rows[of.texts.index(sign)]
            yield syntax.SetTo(span, (), place, syntax.Word(span, row))
        elif kind_name == "Player":
            who = syntax.Binder(span, _PLAYER, span, None, syntax.Word(span, "players"))
            test = _has_sign(span, syntax.Word(span, _PLAYER), sign)
            if sign in model.signs.get("Player", ()):
                yield syntax.SetTo(span, (), place, syntax.Query(span, "the", (who,), test))


def _of_zones(
    model: Model, kind: ThingKind, sign: str, span: Span, cells: Sequence[syntax.Expression]
) -> Iterator[syntax.Statement]:
    """For each of a cell's zones that may contain a piece with the sign, yield a step that moves
    such a piece to the cell.

    The piece must not already be on one of the cells with this sign.
    """
    listed = syntax.ListOf(span, tuple(cells))
    for zone in kind.zones:
        for kind_name in _kind_names(model, zone):
            if zone.params or zone.type.shape == "tokens" or not _may_have(model, kind_name, sign):
                continue
            there = _dot(span, _CELL, zone.name)
            piece = syntax.Word(span, _PIECE)
            of = syntax.Binder(span, _PIECE, span, None, syntax.TypeWord(span, kind_name))
            place = syntax.Dot(span, piece, "place", span, None)
            is_free = syntax.Binary(span, "not in", place, listed)
            test = syntax.Binary(span, "and", _has_sign(span, piece, sign), is_free)
            one = syntax.Query(span, "first", (of,), test)
            top = syntax.Dot(span, there, "first", span, None)
            is_there = _has_sign(span, top, sign)
            lacks = syntax.Unary(span, "not", is_there)
            move = syntax.Move(span, (), "exactly", one, None, there)
            yield syntax.If(span, (), ((lacks, (move,)),), ())


def _kind_names(model: Model, zone: declared.Zone) -> tuple[str, ...]:
    union = model.unions.get(zone.type.of)
    return union.names if isinstance(union, types.Piece) else (zone.type.of,)


def _may_have(model: Model, kind_name: str, sign: str) -> bool:
    """Return whether a piece can have this sign.

    If the kind has `signs` lines, the sign must be in one of them. Otherwise the sign may be the sign of any thing.
    """
    if kind_name not in types_with_signs(model.subject_values.get(NAME, ())):
        return False
    own = model.signs.get(kind_name)
    given = (
        [own]
        if own is not None
        else [signs for name, signs in model.signs.items() if name != "Player"]
    )
    return any(sign in signs for signs in given)


def _has_sign(span: Span, subject: syntax.Expression, sign: str) -> syntax.Expression:
    of = syntax.Dot(span, subject, NAME, span, None)
    return syntax.Binary(span, "is", of, syntax.Word(span, name_of(sign)))


def _dot(span: Span, name: str, attribute: str) -> syntax.Expression:
    return syntax.Dot(span, syntax.Word(span, name), attribute, span, None)
