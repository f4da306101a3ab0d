"""Lowers the built-in attributes of players."""

from __future__ import annotations

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.builtins import arguments_of, attribute
from rulewright.dsl.lowering.emit.code import ONE, Expr, binary, load
from rulewright.dsl.lowering.emit.core import BAD, Env, Typed
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.values import expressions
from rulewright.dsl.model.types import FLAG, PLAYER, length_of, list_of, whole
from rulewright.dsl.text.names import as_name
from rulewright.dsl.tree import syntax


def _neighbour(env: Env, who: Expr, step: int) -> Expr:
    seats = len(env.c.model.seats)
    after = binary("%", binary("+", who, ir.Const(step % seats)), ir.Const(seats))
    if not env.c.eliminates:
        return after
    helper = routine(env.c, "neighbour", f"neighbour {step}", seats=seats, step=step % seats)
    return ir.CallValue(helper, (who,))


@attribute("player", "left")
def left_neighbour(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The next player in turn order (clockwise): `me.left`."""
    return Typed(PLAYER, _neighbour(env, subject.code, 1))


@attribute("player", "right")
def right(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The previous player in turn order: `me.right`."""
    return Typed(PLAYER, _neighbour(env, subject.code, -1))


@attribute("player", "side")
def side(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The side for which a player plays, in games with a line `side of p`: `me.side`."""
    if not _has_sides(env, e):
        return BAD
    model = env.c.model
    return Typed(model.side_type, ir.Table(env.c.table(model.sides), subject.code))


@attribute("player", "partners")
def partners(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The other players on the side of a player, starting at the player's left, in games with a
    line `side of p`: `me.partners`.
    """
    if not _has_sides(env, e):
        return BAD
    sides = env.c.model.sides
    seats = range(len(sides))
    listed = [
        tuple(
            other for step in seats[1:] if sides[other := (seat + step) % len(sides)] == sides[seat]
        )
        for seat in seats
    ]
    most = max(map(len, listed), default=0)
    code = ir.Table(env.c.table(listed), subject.code)
    return Typed(list_of(PLAYER, most, ordered=True), code)


def _has_sides(env: Env, e: syntax.Dot) -> bool:
    if env.c.model.sides:
        return True
    env.c.problems.error(
        "unknown-attribute",
        "the game declares no sides",
        e.name_span,
        help="declare it: `side of p: Pair = if mod(p.number, 2) is 1 then north_south else east_west`",
    )
    return False


@attribute("player", "number")
def number(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The seat of the player, counted from 1: `me.number`."""
    return Typed(whole(1, len(env.c.model.seats)), binary("+", ONE, subject.code))


@attribute("player", "number_from(p)")
def number_from(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The position of a player in turn order, counted from 1 at p: `me.number_from(start_player)`."""
    seats = len(env.c.model.seats)
    first = expressions.value_of_type(env, arguments_of(e)[0], PLAYER)
    steps = binary(
        "%", binary("+", binary("-", subject.code, first.code), ir.Const(seats)), ir.Const(seats)
    )
    return Typed(whole(1, seats), binary("+", ONE, steps))


@attribute("player piece space kind", "place_in(list)")
def place_in(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The position of a thing or player in a list, counted from 1, or 0 if the list does not
    contain it: `p.place_in(ranking(...))`.
    """
    argument = arguments_of(e)[0]
    listed = expressions.as_list(env, recursion.expression(env, argument), argument)
    helper = routine(env.c, "place from 1")
    return Typed(
        whole(0, length_of(listed.type)),
        ir.CallValue(helper, (listed.code, subject.code)),
    )


@attribute("player", "in_play")
def in_play(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """Whether the player has not been eliminated: `p.in_play`."""
    return Typed(FLAG, load(env.c.layout.in_play, subject.code))


@attribute("player", "total")
def total(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """The sum of all items of a player's current score: `winner p by p.total`."""
    return Typed(whole(-99_999, 99_999), ir.CallValue(env.c.total, (subject.code,)))


@attribute("player", "item(name)")
def item(env: Env, subject: Typed, e: syntax.Dot) -> Typed:
    """One item of a player's current score, named by its words: `p.item(most_noodles)` for `item "most noodles"`."""
    argument = arguments_of(e)[0]
    name = as_name(argument.span.text.strip('"'))
    procedure = env.c.score_item(name)
    if procedure is None:
        items = env.c.score_item_names()
        return env.c.bad(
            "unknown-name",
            f"the score has no item `{name}`",
            argument.span,
            help=did_you_mean(name, items) or f"there are {', '.join(f'`{n}`' for n in items)}"
            if items
            else "",
        )
    return Typed(whole(-99_999, 99_999), ir.CallValue(procedure, (subject.code,)))
