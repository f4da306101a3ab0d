"""Lowers the built-in attributes of pieces and of values of kinds."""

from __future__ import annotations

from typing import Literal

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit.builtins import arguments_of, attribute
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    binary,
    choice,
    either,
    load,
)
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.routines import Cells, Inline, Numbers, routine, steps
from rulewright.dsl.lowering.steps import relinking
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model.dependencies import recording_uses
from rulewright.dsl.model.types import DIRECTION, FLAG, PLAYER, describe, named_type, whole
from rulewright.dsl.tree import syntax


@attribute("piece", "place")
def place(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The space whose zone contains the piece, or nothing if no space does: `marker.place`."""
    return _find_owner(env, subject, e, "space")


@attribute("piece", "holder")
def holder(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The player whose zone contains the piece, or nothing if no player does: `card.holder`."""
    return _find_owner(env, subject, e, "player")


@attribute("piece", "carrier")
def carrier(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The piece whose zone contains this piece, or nothing if no other piece does: `worker.carrier`."""
    return _find_owner(env, subject, e, "piece")


def _find_owner(
    env: Env, subject: Typed, e: syntax.Dot, tag: Literal["space", "piece", "player"]
) -> Typed:
    c = env.c
    model, layout = c.model, c.layout
    kinds = {"space": model.spaces, "piece": model.pieces, "player": {}}[tag]
    names: list[str] = []
    growing: list[tuple[int, int, int, int]] = []
    owners: list[object] = [-1] * max(1, layout.zones)
    for group in layout.groups:
        if group.what != "zone":
            continue
        if set(group.type.names).isdisjoint(subject.type.names):
            continue
        if (group.owner.name == "player") if tag == "player" else (group.owner.name in kinds):
            names.append(group.owner.name)
            count = group.per_owner * group.owner.places
            if group.owner.slots:
                growing.append(
                    (
                        group.base,
                        count,
                        group.per_owner,
                        layout.growing[group.owner.name].cell_of,
                    )
                )
                continue
            for zone in range(group.base, group.base + count):
                owners[zone] = layout.zone_owner[zone]
    if not names:
        return c.bad(
            "wrong-type",
            f"no zone of a {tag} can hold {describe(subject.type)}",
            e.name_span,
            help=f"declare one: `zone NAME: set of {describe(subject.type.surely())}` below `{tag}`",
        )
    table = c.table(owners)

    def of_growing(zone: Expr) -> list[ir.Stmt]:
        return [
            step
            for base, count, per, cell_of in growing
            for step in steps(
                c,
                None,
                "if base <= zone and zone < above: return cell_of[(zone - base) // per]",
                zone=zone,
                base=base,
                above=base + count,
                per=per,
                cell_of=Cells(cell_of),
            )
        ]

    helper = routine(
        c,
        "owner of",
        f"{tag} of {table} {growing}",
        owners=Numbers(table),
        of_growing=Inline(of_growing),
    )
    code = ir.CallValue(helper, (subject.code,))
    if tag == "player":
        return Typed(PLAYER.maybe(), code)
    return Typed(named_type(tag, tuple(sorted(set(names)))).maybe(), code)


@attribute("piece", "slot")
def slot(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The slot of a row in which the piece lies, counted from 1; 0 if the piece is in no slot: `card.slot`."""
    c = env.c
    if c.layout.slot_of < 0:
        if not c.layout.lost:
            c.problems.error(
                "wrong-type",
                "this game has no rows",
                e.name_span,
                help="declare a zone as `row of 5 PIECE`: its pieces lie in slots",
            )
        return BAD
    most = max((f.slots for f in c.layout.groups if f.shape == "row"), default=0)
    return Typed(whole(0, most), load(c.layout.slot_of, subject.code))


@attribute("piece", "position")
def position(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The position of the piece in its pile or set, counted from 1 at the bottom: `marker.position`."""
    layout = env.c.layout
    helper = routine(env.c, "position")
    return Typed(
        whole(1, max(1, layout.pieces)),
        ir.CallValue(helper, (subject.code,)),
    )


@attribute("piece", "owner")
def owner(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The player to whom the piece belongs, for pieces declared `per player`: `marker.owner`."""
    kinds = env.c.model.kinds_of(subject.type)
    if not kinds or not all(k.per_player for k in kinds):
        return env.c.bad(
            "unknown-attribute",
            f"{describe(subject.type)} belongs to no player",
            e.name_span,
            help="declare it `per player`, or use its `.holder`",
        )
    low = min(k.first for k in kinds)
    high = max(k.first + k.count for k in kinds)
    owners: list[object] = [-1] * (high - low)
    for kind in kinds:
        for offset, who in enumerate(kind.owner):
            owners[kind.first + offset - low] = who
    if isinstance(subject.code, ir.Const) and isinstance(subject.code.value, int):
        value = owners[subject.code.value - low]
        assert isinstance(value, int)
        return Typed(PLAYER, ir.Const(value))
    return Typed(PLAYER, ir.Table(env.c.table(owners), binary("-", subject.code, ir.Const(low))))


@attribute("piece", "known_to(p)")
def known_to(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """Whether a player knows which piece it is: `card.known_to(me)`.

    The player knows a piece in a visible place, and a piece that the player has seen and that has
    not been shuffled since.
    """
    layout = env.c.layout
    who = expressions.value_of_type(env, arguments_of(e)[0], PLAYER)
    if layout.known < 0:
        return Typed(FLAG, ONE)  # everybody sees all pieces in zones
    bit = ir.Table(env.c.table([1 << seat for seat in range(len(env.c.model.seats))]), who.code)
    # the last entry is for pieces that are in no zone
    sight = env.c.table([*relinking.zone_sight(env.c), 0])
    zone = load(layout.zone_of, subject.code)
    at = choice(binary("<", zone, ZERO), ir.Const(layout.zones), zone)

    def has(mask: Expr) -> Expr:
        return binary("%", binary("//", mask, bit), ir.Const(2))

    seen = either(has(ir.Table(sight, at)), has(load(layout.known, subject.code)))
    return Typed(FLAG, seen)


@attribute("piece", "copy")
def copy(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The number of the piece among the copies of its row, counted from 1: `card.copy`."""
    kinds = env.c.model.kinds_of(subject.type)
    low = min(k.first for k in kinds)
    high = max(k.first + k.count for k in kinds)
    copies: list[object] = [0] * (high - low)
    for kind in kinds:
        for offset, n in enumerate(kind.copy):
            copies[kind.first + offset - low] = n
    return Typed(
        whole(1, max(max(k.copy, default=1) for k in kinds)),
        ir.Table(env.c.table(copies), binary("-", subject.code, ir.Const(low))),
    )


@attribute("piece", "name")
def name(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The table row that declares the piece, for comparisons: `a.name is b.name`. All copies
    of a row have the same name.
    """
    listed = _row_numbers(env)
    return Typed(whole(0, max(1, len(listed))), ir.Table(env.c.table(listed), subject.code))


@attribute("kind", "number")
def kind_number(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The position of a value among the values of its kind, counted from 1: `color.number`."""
    return Typed(
        whole(1, max(1, env.c.model.size_of(subject.type))), binary("+", ONE, subject.code)
    )


@attribute("kind", "next")
def kind_next(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The next value of the same kind, or nothing for the last value: `level.next`."""
    last = env.c.model.size_of(subject.type) - 1
    code = ir.Choice(
        binary("<", subject.code, ir.Const(last)), binary("+", ONE, subject.code), NONE
    )
    return Typed(evolve(subject.type, opt=True), code)


@attribute("kind", "previous")
def kind_previous(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The previous value of the same kind, or nothing for the first value: `level.previous`."""
    code = ir.Choice(binary(">", subject.code, ZERO), binary("-", subject.code, ONE), NONE)
    return Typed(evolve(subject.type, opt=True), code)


@attribute("direction", "opposite")
def opposite(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The opposite of a direction: `d.opposite`."""
    return Typed(DIRECTION, binary("%", binary("+", ir.Const(4), subject.code), ir.Const(8)))


def _row_numbers(env: Env) -> tuple[object, ...]:
    """Return a table that maps each piece to the index of its row. All copies share this index, whoever owns them."""
    columns = env.c.columns
    if ("row",) not in columns:
        with recording_uses(set()):  # these numbers are used only for look-ups during play
            columns["row",] = tuple(_numbered_rows(env))
    return columns["row",]


def _numbered_rows(env: Env) -> list[object]:
    numbers: dict[tuple[str, str], int] = {}
    out: list[object] = []
    for kind in env.c.model.pieces.values():
        for row in kind.rows:
            out.append(numbers.setdefault((kind.name, row), len(numbers)))
    return out
