"""Lowers `move`, which takes pieces and tokens from place to place; also makes the messages for impossible moves."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import Help, one_of, write
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.suggest import listed_or
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, binary, load, weight
from rulewright.dsl.lowering.emit.core import Compiler, Env, Typed
from rulewright.dsl.lowering.emit.layout import CellGroup, Growing
from rulewright.dsl.lowering.emit.paths import path_of
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps.messages import Words, fail_if
from rulewright.dsl.lowering.steps.relinking import (
    assign_slot,
    free_slot,
    hand_over,
    learn,
    put,
    put_many,
    release,
)
from rulewright.dsl.lowering.values import expressions, places, unmet
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type, describe, item_of, length_of, range_of, whole
from rulewright.dsl.tree import syntax

# ---- places -----------------------------------------------------------------------------------------


@frozen
class TokenSpot:
    """A place that tokens leave or enter, given by its cell and by the player who owns the tokens."""

    group: CellGroup
    address: Expr
    colour: Expr | None  # the colour, if it is known
    all_colours: bool


@frozen
class LoweredMove:
    """A `move` step together with its lowered amount, source and target."""

    s: syntax.Move
    target: Typed
    source: Typed | None
    amount: Typed | None

    @property
    def is_number(self) -> bool:
        """Return whether the step gives the number of things to move rather than their names."""
        return self.amount is not None and isinstance(
            self.amount.type, (types.Number, types.Tokens)
        )


def lower_move(env: Env, s: syntax.Move) -> LoweredMove:
    """Lower the amount, source and target of a move.

    If the target is a zone and the amount is a name, the name is first looked up among the pieces
    of the zone.
    """
    target = expressions.place(env, s.target)
    source = None if s.source is None else recursion.expression(env, s.source)
    of = (
        target.type.of
        if isinstance(s.amount, syntax.Word) and isinstance(target.type, types.Zone)
        else None
    )
    amount = None if s.amount is None else recursion.expression(env, s.amount, of)
    return LoweredMove(s, target, source, amount)


def _tokens_help(ctx: Context, to: TokenSpot) -> Help:
    """Return help that lists places from which tokens could be moved to a place."""
    tokens = _places_like(ctx, to.group)
    if not tokens:
        return ""
    return "write " + one_of(tokens[:3]) + f", where `{to.group.token}` tokens lie"


def _places_like(ctx: Context, group: CellGroup) -> list[str]:
    """Return the names of other places, owned by players or by the table, that can contain the same things."""
    players = "me." if "me" in ctx.env.scope else "p."
    return [
        f"{players if other.owner.name == 'player' else ''}{other.name}"
        for other in ctx.env.c.layout.groups
        if other is not group
        and other.owner.name in ("", "player")
        and not other.indices
        and (other.what, other.token) == (group.what, group.token)
        and (other.token or item_of(other.type) == item_of(group.type))
    ]


def _places_help(ctx: Context, source: CellGroup, target: CellGroup) -> str:
    """Return help that suggests other targets for the moved tokens, and other sources for tokens
    that the target can contain.
    """
    to, back = (listed_or(_places_like(ctx, group)[:2]) for group in (source, target))
    goes = [f"`{source.token}` goes to {to}"] if to else []
    return ", ".join(goes + ([f"`{target.token}` comes from {back}"] if back else []))


def _source_help(ctx: Context, s: syntax.Move, group: CellGroup) -> Help:
    """Return help for a move that says how many things to move, but not where to take them from."""
    others = _places_like(ctx, group)
    own = group.owner.name == "player"
    source = next((name for name in others if ("." in name) is not own), (others or ["A"])[0])
    amount = s.amount.span.text if s.amount is not None else "1"
    how = f"{s.how} " if s.how == "up to" else ""
    return write(f"move {how}{amount} from {source} to {s.target.span.text}")


def token_spot(env: Env, typed: Typed) -> TokenSpot | None:
    """Return a lowered value as a place for tokens; None if it is anything else."""
    group = typed.group
    if group is None or group.what != "tokens":
        return None
    if isinstance(typed.type, types.Number):
        assert isinstance(typed.code, ir.Load)
        return TokenSpot(group, typed.code.address, typed.owner, False)
    if group.own_colour:
        return TokenSpot(group, typed.code, owner_of_place(group, typed), False)
    return TokenSpot(group, typed.code, None, group.colours > 1)


def owner_of_place(group: CellGroup, typed: Typed) -> Expr:
    """Return code that computes the player who owns a place for tokens."""
    at = binary("-", typed.code, ir.Const(group.base))
    return at if group.per_owner == 1 else binary("//", at, ir.Const(group.per_owner))


def growing_of(c: Compiler, group: CellGroup) -> Growing | None:
    """Return the storage of the growing grid that owns a group; None if the owner is not such a grid."""
    return c.layout.growing.get(group.owner.name)


def owner_expression(e: syntax.Expression) -> syntax.Expression | None:
    """Given the expression for a zone or state, return the expression for its owner; None if it has no owner."""
    if isinstance(e, syntax.Dot):
        return owner_expression(e.subject) if e.name == "slot" else e.subject
    return None


def ensure_place(w: Writer, group: CellGroup, e: syntax.Expression, place: Typed) -> None:
    """Emit steps that assign a slot to a cell of a growing grid before something is put there."""
    growing, owner = growing_of(w.c, group), owner_expression(e)
    subject = place.of(owner) if growing is not None and owner is not None else None
    if growing is not None and subject is not None:
        w.emit(ir.CallPlain(assign_slot(w.c, growing), (subject.code,)))


def release_place(w: Writer, group: CellGroup, e: syntax.Expression, place: Typed) -> None:
    """Emit steps that free the slot of a cell of a growing grid if the cell has become empty."""
    growing, owner = growing_of(w.c, group), owner_expression(e)
    subject = place.of(owner) if growing is not None and owner is not None else None
    if growing is not None and subject is not None:
        w.emit(ir.CallPlain(release(w.c, growing), (subject.code,)))


# ---- move -------------------------------------------------------------------------------------------


def move(w: Writer, ctx: Context, m: LoweredMove) -> None:
    """Lower a `move` whose values have been lowered."""
    env, s, target = ctx.env, m.s, m.target
    if not target.type.known:
        return
    spot = token_spot(env, target)
    if spot is not None:
        _move_tokens(w, ctx, m, spot)
        return
    if not isinstance(target.type, types.Zone) or target.group is None:
        w.c.problems.error(
            "zone-does-not-fit",
            f"things are moved into zones, but this is {describe(target.type)}",
            s.target.span,
            help=places.zones_help(env, target.type, s.target.span.text)
            or _numbers_help(s, target.type)
            or _list_help(target.type, s.target)
            or _end_help(env, s)
            or "a number is changed with `add`, `pay`, `lose` or `set`",
        )
        return
    _move_pieces(w, ctx, m, target.group)


def _end_help(env: Env, s: syntax.Move) -> Help:
    """Return help for a target that is not a place: a piece such as `deck.top` or `deck.bottom`, or `nothing`."""
    if isinstance(s.target, syntax.Fixed) and s.target.word == "nothing":
        return "nothing leaves the game: write `move PIECE to ZONE`, with a zone for pieces out of play"
    if not isinstance(s.target, syntax.Dot) or s.target.name not in (
        "top",
        "last",
        "bottom",
        "first",
    ):
        return ""
    pile = s.target.subject
    if not isinstance(recursion.expression(env, pile).type, types.Zone):
        return ""
    joint = "to" if s.target.name in ("top", "last") else "under"
    moved = s.span.text[: s.target.span.start - s.span.start].rstrip().removesuffix(" to")
    return write(f"{moved} {joint} {pile.span.text}", s.span)


def _list_help(type: Type, target: syntax.Expression) -> str:
    """Return help for a move whose target is a state: states only refer to things and do not contain them."""
    if (
        not isinstance(type, types.List)
        or not isinstance(type.of, types.Piece)
        or not type.of.names
    ):
        return ""
    name = target.name if isinstance(target, (syntax.Word, syntax.Dot)) else "NAME"
    return f"a state only points to things: declare `zone {name}: set of {type.of.names[0]}`"


def _numbers_help(s: syntax.Move, type: Type) -> str:
    """Return help for `move 2 from target.coins to me.coins` if `coins` is a number rather than a place for tokens."""
    if not isinstance(type, types.Number) or s.source is None or s.amount is None:
        return ""
    amount, source = s.amount.span.text, s.source.span.text
    return f"a number is not a zone: write `lose {amount} from {source}` and `add {amount} to {s.target.span.text}`"


def _move_tokens(w: Writer, ctx: Context, m: LoweredMove, target: TokenSpot) -> None:
    env, c, s = ctx.env, w.c, m.s
    if s.source is None or m.source is None:
        c.problems.error(
            "wrong-arguments",
            "a move of tokens needs a source: `move 1 from A to B`",
            s.span,
            help=_source_help(ctx, s, target.group),
        )
        return
    source = token_spot(env, m.source)
    if source is None:
        if m.source.type.known:
            c.problems.error(
                "zone-does-not-fit",
                f"tokens come from a place for tokens, but this is {describe(m.source.type)}",
                s.source.span,
                help=_tokens_help(ctx, target),
            )
        if s.amount is not None and m.amount is not None:  # errors in the amount are also reported
            expressions.as_number(env, m.amount, s.amount)
        return
    ensure_place(w, target.group, s.target, m.target)
    if source.group.token != target.group.token:
        c.problems.error(
            "zone-does-not-fit",
            f"`{source.group.token}` cannot lie in a place for `{target.group.token}`",
            s.target.span,
            help=_places_help(ctx, source.group, target.group),
        )
        return
    if s.how == "all" and source.all_colours and target.all_colours:
        for n in range(source.group.colours):
            one, other = (binary("+", ir.Const(n), spot.address) for spot in (source, target))
            _move_amount(w, ctx, m, one, other, sure=False)
    else:
        cells = token_cells(env, s, source, target)
        if cells is None:
            c.problems.error(
                "wrong-arguments",
                "the owner of these tokens is missing",
                s.span,
                help="name the player: `cell.cubes(me)`",
            )
            return
        _move_amount(w, ctx, m, *cells, sure=has_enough_tokens(env, m, source))
    release_place(w, source.group, s.source, m.source)


def token_cells(
    env: Env, s: syntax.Move, source: TokenSpot, target: TokenSpot
) -> tuple[Expr, Expr] | None:
    """Return the cell that tokens leave and the cell that they enter.

    Both cells belong to the player whom the source or the target names, or else to `me`. Return
    None if there is no such player.
    """
    colour = source.colour if source.colour is not None else target.colour
    if colour is None and "me" in env.scope and s.how != "all":
        colour = env.scope["me"].read()
    if colour is None and (source.all_colours or target.all_colours):
        return None
    one, other = (
        binary("+", spot.address, colour)
        if spot.all_colours and colour is not None
        else spot.address
        for spot in (source, target)
    )
    return one, other


def has_enough_tokens(env: Env, m: LoweredMove, source: TokenSpot) -> bool:
    """Return whether a source certainly contains enough tokens.

    If a place holds tokens of several players, a known total does not show how many belong to one
    player.
    """
    if source.all_colours or m.s.amount is None or m.amount is None or m.s.how != "exactly":
        return False
    return has_enough(env, m.s.source, expressions.as_number(env, m.amount, m.s.amount))


def _move_amount(
    w: Writer, ctx: Context, m: LoweredMove, source: Expr, target: Expr, *, sure: bool
) -> None:
    c, env, p, s = w.c, ctx.env, ctx.env.procedure, m.s
    words: str | Words
    have = ir.Load(source)
    if s.how == "all":
        n = p.slot()
        w.emit(ir.SetLocal(n, have))
        amount: Expr = ir.Local(n)
    else:
        assert s.amount is not None and m.amount is not None
        typed = expressions.as_number(env, m.amount, s.amount)
        if s.how == "up to":
            n = p.slot()
            w.emit(
                ir.SetLocal(
                    n,
                    binary(
                        "min",
                        binary("max", ZERO, typed.code)
                        if range_of(typed.type).low < 0
                        else typed.code,
                        have,
                    ),
                )
            )
            amount = ir.Local(n)
        else:
            amount = typed.code
            if weight(amount) > 3:
                n = p.slot()
                w.emit(ir.SetLocal(n, amount))
                amount = ir.Local(n)
            if not sure:
                words = short_of_tokens(c, m.source)
                fail_if(w, ctx, binary("<", have, amount), s, words, have, amount)
            if range_of(typed.type).low < 0:
                words = "the number of pieces to move cannot be negative"
                fail_if(w, ctx, binary("<", amount, ZERO), s, words)
    w.emit(
        ir.Store(source, ir.Binary("-", have, amount)),
        ir.Store(target, ir.Binary("+", ir.Load(target), amount)),
    )


def short_of_tokens(c: Compiler, source: Typed | None) -> Words:
    """Return the message for too few tokens. It says how many tokens a place contains, and how many are needed."""
    group = source.group if source is not None else None
    token = group.token.replace("_", " ") if group is not None else ""
    place = group.name.replace("_", " ") if group is not None else "place"
    # Not every name has a plural: compare pearl, gold, yellow.
    one, many = (f" {token}", f" {token} tokens") if token else (" token", " tokens")
    return _shortage_words(c, ir.Counted(0, one, many), f" in the {place}")


def short_of_pieces(c: Compiler, source: Typed) -> Words:
    """Return the message for too few pieces. It says how many pieces a place contains, and how many are needed."""
    name = source.group.name.replace("_", " ") if source.group is not None else "the zone"
    return _shortage_words(c, f" in the {name}")


def _shortage_words(c: Compiler, *what: str | ir.Counted) -> Words:
    there, wanted = (ir.Shown(n, c.domain(whole(0, 1))) for n in range(2))
    return ("there ", ir.Counted(0, "is", "are"), " only ", there, *what, ", this takes ", wanted)


def has_enough(env: Env, source: syntax.Expression | None, amount: Typed) -> bool:
    """Return whether a source certainly contains at least the given amount."""
    known = env.facts.get(f"{path_of(source)}.size") or env.facts.get(path_of(source) or "")
    return range_of(amount.type).high <= 0 or (
        known is not None and range_of(known).low >= range_of(amount.type).high
    )


def _move_pieces(w: Writer, ctx: Context, m: LoweredMove, group: CellGroup) -> None:
    env, c, s, what = ctx.env, w.c, m.s, m.amount
    if s.how == "all" or (s.source is not None and m.is_number):
        _move_many(w, ctx, m, group)
        return
    assert s.amount is not None and what is not None
    if not what.type.known:
        return
    if isinstance(what.type, types.Number) and s.source is None:
        c.problems.error(
            "wrong-arguments",
            "the place that they come from is missing: `move 1 from A to B`",
            s.span,
            help=_source_help(ctx, s, group),
        )
        return
    if s.how == "up to" and not isinstance(what.type, types.Number):
        c.wrong_type(
            s.amount.span,
            "`up to` takes a number",
            what.type,
            f"write `move {s.amount.span.text} to ...`, or a number: `move up to 2 from A to B`",
        )
        return
    if what.ids == ():
        expressions.report_no_copies(env, s.amount)
        return
    if what.ids is not None and s.source is not None:
        what = first_named(env, s.amount, what, s.source)
        if not what.type.known:
            return
    if what.ids is not None or isinstance(what.type, types.Several):
        if what.ids is not None:
            c.problems.error(
                "wrong-type",
                f"there are {len(what.ids)} pieces called `{s.amount.span.text}`",
                s.amount.span,
                help="choose one of them, or say where one is taken from: `move NAME from A to B`",
            )
            return
        _move_list(w, ctx, m, group, expressions.as_list(env, what, s.amount))
        return
    if not isinstance(what.type, types.Piece):
        c.wrong_type(
            s.amount.span,
            "only pieces can be moved",
            what.type,
            "write the name of a piece, or how many: `move 2 from A to B`, `move all from A to B`",
        )
        return
    if not _check_fits(ctx, s, what.type, group):
        return
    piece = what.code
    if weight(piece) > 2 or what.type.opt:
        slot = env.procedure.slot()
        w.emit(ir.SetLocal(slot, piece))
        piece = ir.Local(slot)
    if what.type.opt:
        fail_if(w, ctx, binary("<", piece, ZERO), s, unmet.none_left(env, s.amount, s.source))
    if s.source is not None and m.source is not None:
        source = m.source
        if not isinstance(source.type, types.Zone):
            if source.type.known:
                c.wrong_type(
                    s.source.span,
                    "a piece is moved from a zone",
                    source.type,
                    f"write the zone it lies in after `from`, or remove `from`: `move "
                    f"{s.amount.span.text} to {s.target.span.text}`",
                )
            return
        outside = binary("!=", load(c.layout.zone_of, piece), source.code)
        fail_if(w, ctx, outside, s, unmet.not_there(env, s.amount, s.source))
    ensure_place(w, group, s.target, m.target)
    _place_piece(w, ctx, s, group, m.target, piece)


def first_named(env: Env, name: syntax.Expression, what: Typed, source: syntax.Expression) -> Typed:
    """Return the first piece with a given name in a zone, as in `move guard from deck to me.hand`.

    The result has the kind of this piece as its type, not the kinds that the zone may contain.
    """
    kind_name = None if not isinstance(what.type, types.Several) else what.type.of.names[0]
    of = None if kind_name is None else syntax.TypeWord(name.span, kind_name)
    binder = syntax.Binder(name.span, "one of them", name.span, of, source)
    asked = syntax.Binary(name.span, "is", syntax.Word(name.span, "one of them"), name)
    query = syntax.Query(name.span, "first", (binder,), asked, (), False, None)
    return recursion.expression(env, query)


def _check_fits(ctx: Context, s: syntax.Move, type: Type, group: CellGroup) -> bool:
    extra = sorted(set(type.names) - set(group.type.names))
    if extra:
        ctx.env.c.problems.error(
            "zone-does-not-fit",
            f"`{group.name}` holds {describe(group.type)}, but this may be {' or '.join(extra)}",
            s.target.span,
            help="test it first with `in`, or let the zone hold more",
        )
        return False
    return True


def _place_piece(
    w: Writer,
    ctx: Context,
    s: syntax.Move,
    group: CellGroup,
    target: Typed,
    piece: Expr,
    *,
    with_all: bool = False,
    several: bool = False,
) -> None:
    """Emit steps that put a piece into the target of a move.

    If `several` is true, the same move may already have put other pieces there.
    """
    c = w.c
    if group.shape == "row":
        slot = target.owner
        if target.slot is None or slot is None:
            slot_number = ctx.env.procedure.slot()
            w.emit(ir.SetLocal(slot_number, ir.CallValue(free_slot(c), (target.code,))))
            slot = ir.Local(slot_number)
            room = f"there is room for {group.slots} in `{group.name}`"
            words = room if several else f"`{group.name}` is full"
            fail_if_taken(w, ctx, binary("==", slot, ZERO), s, words)
        else:
            fail_if_taken(w, ctx, binary(">=", target.slot, ZERO), s, "the slot is taken")
        w.emit(ir.CallPlain(put(c, "slot", with_all=with_all), (piece, target.code, slot)))
        return
    if group.shape == "spot" and not is_known_empty(ctx.env, s.target):
        is_taken = binary(">", load(c.layout.count, target.code), ZERO)
        fail_if_taken(w, ctx, is_taken, s, f"`{group.name}` is taken")
    placed = put(c, _put_where(group, s.under), with_all=with_all)
    w.emit(ir.CallPlain(placed, (piece, target.code)))


def fail_if_taken(w: Writer, ctx: Context, condition: Expr, s: syntax.Move, words: str) -> None:
    """Emit a test that fails if the target is full.

    Inside an action, the move is then impossible; elsewhere the move causes a fault.
    """
    if ctx.guarded or not ctx.outside:
        fail_if(w, ctx, condition, s, words)
        return
    fault = w.c.fault("place-taken", words.replace("`", ""), s.span)
    w.emit(ir.If(condition, (ir.Fault(fault),)))


def is_known_empty(env: Env, e: syntax.Expression) -> bool:
    known = env.facts.get(f"{path_of(e)}.size")
    return known is not None and range_of(known).high <= 0


def _put_where(group: CellGroup, under: bool) -> str:
    if group.shape in ("set",):
        return "sorted"
    return "under" if under else "top"


def _move_list(
    w: Writer,
    ctx: Context,
    m: LoweredMove,
    group: CellGroup,
    listed: Typed,
    whole: Expr | None = None,
    *,
    all_of: bool = False,
) -> None:
    """Emit steps that move pieces one by one. If `whole` is given, the pieces are all the pieces of
    this ordered zone, and they move together to an empty target.

    If `all_of` is true, the move empties a zone, so players who knew a piece before the move still
    know it.
    """
    s, target = m.s, m.target
    assert isinstance(listed.type, types.Several)
    if not _check_fits(ctx, s, listed.type.of, group):
        return
    ensure_place(w, group, s.target, m.target)
    slot = ctx.env.procedure.slot()
    zone = ctx.env.procedure.slot()
    w.emit(ir.SetLocal(zone, target.code))

    def each() -> None:
        if all_of and w.c.layout.known >= 0:
            w.emit(ir.CallPlain(learn(w.c), (ir.Local(slot),)))
        place = Typed(target.type, ir.Local(zone), group)
        several = length_of(listed.type) > 1
        _place_piece(w, ctx, s, group, place, ir.Local(slot), with_all=all_of, several=several)

    turns = ir.ForEach(slot, listed.code, w.capture(each))
    if whole is None:
        w.emit(turns)
        return
    at_once = ir.CallPlain(hand_over(w.c), (whole, ir.Local(zone)))
    w.emit(ir.If(load(w.c.layout.count, ir.Local(zone)), (turns,), (at_once,)))


def _move_many(w: Writer, ctx: Context, m: LoweredMove, group: CellGroup) -> None:
    """Lower `move 3 from A to B`, `move up to 3 from A to B` or `move all from A to B`."""
    env, c, s, source, target = ctx.env, w.c, m.s, m.source, m.target
    assert s.source is not None and source is not None
    if not source.type.known:
        return
    if s.how == "all" and isinstance(source.type, types.List):
        _move_list(w, ctx, m, group, source)
        return
    if s.how == "all" and isinstance(source.type, types.Piece):
        _move_list(w, ctx, m, group, expressions.as_list(env, source, s.source))
        return
    if not isinstance(source.type, types.Zone):
        c.wrong_type(
            s.source.span,
            "pieces are moved from a zone",
            source.type,
            "after `from`, write the zone of the pieces, or remove `from`: "
            f"`move NAME to {s.target.span.text}`",
        )
        return
    if not _check_fits(ctx, s, source.type.of, group):
        return
    ensure_place(w, group, s.target, m.target)
    row_source = source.group is not None and source.group.shape == "row"
    if s.how == "all" or source.slot is not None:
        listed = expressions.as_list(env, source, s.source)
        if s.how == "exactly" and source.slot is not None:
            fail_if(w, ctx, binary("<", source.slot, ZERO), s, "the slot is empty")
        keeps_order = (group.shape, s.under) == ("pile", False) or (
            source.group is not None and (source.group.shape, group.shape) == ("set", "set")
        )
        whole = None if source.slot is not None or row_source or not keeps_order else source.code
        _move_list(w, ctx, m, group, listed, whole, all_of=source.slot is None)
        return
    assert s.amount is not None and m.amount is not None
    amount = expressions.as_number(env, m.amount, s.amount)
    room = {"row": group.slots, "spot": 1}.get(group.shape, range_of(amount.type).low)
    if s.how == "exactly" and range_of(amount.type).low > room:
        c.problems.error(
            "zone-does-not-fit",
            f"`{group.name}` has room for {room}, but this moves {range_of(amount.type).low}",
            s.amount.span,
            labels=(Label(group.span, "declared here"),),
            help=f"write `move up to {room} from ...`, or give `{group.name}` more room where it is declared",
        )
    n = env.procedure.slot()
    w.emit(
        ir.SetLocal(
            n, binary("max", ZERO, amount.code) if range_of(amount.type).low < 0 else amount.code
        )
    )
    count = places.zone_size(c, source)
    if s.how == "exactly":
        if not has_enough(env, s.source, amount):
            words = short_of_pieces(c, source)
            fail_if(w, ctx, binary("<", count, ir.Local(n)), s, words, count, ir.Local(n))
    else:
        w.emit(ir.SetLocal(n, binary("min", ir.Local(n), count)))
    if group.shape in ("spot", "row") or row_source:
        turn, piece = env.procedure.slot(), env.procedure.slot()

        def each() -> None:
            on_top: Expr = load(c.layout.tail, source.code)
            first = ir.At(places.zone_list(env, source).code, ZERO) if row_source else on_top
            w.emit(ir.SetLocal(piece, first))
            several = range_of(amount.type).high > 1
            _place_piece(w, ctx, s, group, target, ir.Local(piece), several=several)

        w.emit(ir.ForRange(turn, ONE, ir.Local(n), w.capture(each)))
        return
    from_end = "head" if source.group is not None and source.group.shape == "set" else "tail"
    if isinstance(amount.code, ir.Const) and amount.code.value == 1 and s.how == "exactly":
        end = load(c.layout.head if from_end == "head" else c.layout.tail, source.code)
        w.emit(ir.CallPlain(put(c, _put_where(group, s.under)), (end, target.code)))
        return
    w.emit(
        ir.CallPlain(
            put_many(c, from_end, _put_where(group, s.under)),
            (ir.Local(n), source.code, target.code),
        )
    )
