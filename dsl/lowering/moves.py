"""Moving pieces and tokens: the helper procedures that relink zones, and the `move`, `shuffle`, `sort` statements."""

from __future__ import annotations

from attrs import frozen

from rulewright.dsl import ir, syntax
from rulewright.dsl.lowering import attributes, expressions, queries
from rulewright.dsl.lowering.core import (
    NONE,
    ONE,
    ZERO,
    Compiler,
    Env,
    Expr,
    Procedure,
    Stmts,
    Typed,
    binary,
    both,
    cell,
    either,
    load,
    negated,
    path_of,
    weight,
)
from rulewright.dsl.lowering.layout import Family, Growing
from rulewright.dsl.lowering.writer import Context, Writer
from rulewright.dsl.typesystem import Type, describe, whole

# ---- helpers in the program -------------------------------------------------------------------------


def set_cell(base: int, index: Expr, value: Expr) -> ir.Stmt:
    """`base[index] = value`"""
    return ir.Store(cell(base, index), value)


def _unlink(c: Compiler) -> int:
    """Take a piece out of where it lies."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, n, b = (p.slot() for _ in range(4))
        X, Z, N, B = (ir.Local(s) for s in (x, z, n, b))
        stmts: Stmts = [
            ir.SetLocal(z, load(lay.zone_of, X)),
            ir.If(binary("<", Z, ZERO), (ir.Return(),)),
            set_cell(lay.zone_of, X, NONE),
            set_cell(lay.count, Z, ir.Binary("-", load(lay.count, Z), ONE)),
        ]
        linked: Stmts = [
            ir.SetLocal(n, load(lay.next, X)),
            ir.SetLocal(b, load(lay.previous, X)),
            ir.If(binary(">=", B, ZERO), (set_cell(lay.next, B, N),), (set_cell(lay.head, Z, N),)),
            ir.If(
                binary(">=", N, ZERO), (set_cell(lay.previous, N, B),), (set_cell(lay.tail, Z, B),)
            ),
            set_cell(lay.next, X, NONE),
            set_cell(lay.previous, X, NONE),
        ]
        if lay.slot_of >= 0:
            s = p.slot()
            S = ir.Local(s)
            freed = (
                ir.Store(binary("+", attributes.row_cells(c, Z), binary("-", S, ONE)), NONE),
                set_cell(lay.slot_of, X, ZERO),
            )
            stmts += [ir.SetLocal(s, load(lay.slot_of, X)), ir.If(S, freed, tuple(linked))]
        else:
            stmts += linked
        for growing in lay.growing.values():
            stmts += _release_zone(c, growing, Z)
        return 1, stmts

    return c.helper("unlink", write)


def _release_zone(c: Compiler, growing: Growing, zone: Expr) -> Stmts:
    stmts: Stmts = []
    for family in c.layout.families:
        if family.what == "zone" and family.owner.name == growing.kind.name:
            count = family.per_owner * family.owner.places
            inside = both(
                binary("<=", ir.Const(family.base), zone),
                binary("<", zone, ir.Const(family.base + count)),
            )
            at: Expr = binary("-", zone, ir.Const(family.base))
            if family.per_owner > 1:
                at = binary("//", at, ir.Const(family.per_owner))
            stmts.append(
                ir.If(inside, (ir.CallPlain(release(c, growing), (load(growing.cell_of, at),)),))
            )
    return stmts


def ensure(c: Compiler, growing: Growing) -> int:
    """Give a cell of a growing grid a slot, if it has none."""
    kind = growing.kind
    fault = c.fault(
        "grid-full",
        f"more cells of `{kind.name}` are in use than the game has pieces for",
        kind.span,
    )

    def write(p: Procedure) -> tuple[int, Stmts]:
        at, slot, n, other = (p.slot() for _ in range(4))
        A, S, N, Q = (ir.Local(s) for s in (at, slot, n, other))
        offset = binary("-", A, ir.Const(kind.first))
        return 1, [
            ir.If(binary(">", load(growing.map, offset), ZERO), (ir.Return(),)),
            ir.SetLocal(slot, ONE),
            ir.While(
                ir.And(
                    binary("<", S, ir.Const(growing.slots)),
                    binary(">=", load(growing.cell_of, S), ZERO),
                ),
                (ir.SetLocal(slot, binary("+", ONE, S)),),
            ),
            ir.If(binary(">=", S, ir.Const(growing.slots)), (ir.Fault(fault),)),
            set_cell(growing.cell_of, S, A),
            set_cell(growing.map, offset, S),
            ir.SetLocal(n, load(growing.used)),
            ir.Store(ir.Const(growing.used), binary("+", ONE, N)),
            ir.While(
                binary(">", N, ZERO),
                (
                    ir.SetLocal(other, load(growing.order, binary("-", N, ONE))),
                    ir.If(binary("<", Q, A), (ir.Break(),)),
                    set_cell(growing.order, N, Q),
                    ir.SetLocal(n, binary("-", N, ONE)),
                ),
            ),
            set_cell(growing.order, N, A),
        ]

    return c.helper(f"ensure {kind.name}", write)


def release(c: Compiler, growing: Growing) -> int:
    """Give the slot of a cell back when nothing is there any more."""
    kind = growing.kind
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        at, slot, n, i = (p.slot() for _ in range(4))
        A, S, N = ir.Local(at), ir.Local(slot), ir.Local(n)
        offset = binary("-", A, ir.Const(kind.first))
        tests: Expr = ZERO
        for family in lay.families:
            if family.owner.name != kind.name:
                continue
            first = binary("+", ir.Const(family.base), binary("*", S, ir.Const(family.per_owner)))
            for k in range(family.per_owner):
                index = binary("+", ir.Const(k), first)
                if family.what == "zone":
                    tests = either(tests, load(lay.count, index))
                else:
                    tests = either(tests, binary("!=", ir.Load(index), ir.Const(family.start)))
        return 1, [
            ir.If(binary("<", A, ZERO), (ir.Return(),)),
            ir.SetLocal(slot, load(growing.map, offset)),
            ir.If(either(binary("==", S, ZERO), tests), (ir.Return(),)),
            set_cell(growing.map, offset, ZERO),
            set_cell(growing.cell_of, S, NONE),
            ir.SetLocal(n, binary("-", load(growing.used), ONE)),
            ir.Store(ir.Const(growing.used), N),
            ir.SetLocal(i, ZERO),
            ir.While(
                binary("!=", load(growing.order, ir.Local(i)), A),
                (ir.SetLocal(i, binary("+", ONE, ir.Local(i))),),
            ),
            ir.While(
                binary("<", ir.Local(i), N),
                (
                    set_cell(
                        growing.order,
                        ir.Local(i),
                        load(growing.order, binary("+", ONE, ir.Local(i))),
                    ),
                    ir.SetLocal(i, binary("+", ONE, ir.Local(i))),
                ),
            ),
            set_cell(growing.order, N, NONE),
        ]

    return c.helper(f"release {kind.name}", write)


def _arrive(c: Compiler, piece: Expr, zone: Expr) -> Stmts:
    """A piece leaves where it lies and counts in a zone; its neighbors there are the caller's affair."""
    lay = c.layout
    stmts: Stmts = []
    if lay.known >= 0:
        stmts.append(ir.CallPlain(_remember(c), (piece, zone)))
    return [
        *stmts,
        ir.If(binary(">=", load(lay.zone_of, piece), ZERO), (ir.CallPlain(_unlink(c), (piece,)),)),
        set_cell(lay.zone_of, piece, zone),
        set_cell(lay.count, zone, binary("+", ONE, load(lay.count, zone))),
    ]


def put(c: Compiler, where: str) -> int:
    """Put a piece into a zone: on top, under it, or (sets) where the order of the tables has it."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, n, b = (p.slot() for _ in range(4))
        X, Z, N, B = (ir.Local(s) for s in (x, z, n, b))
        stmts = _arrive(c, X, Z)
        if where == "top":
            stmts += [
                ir.SetLocal(b, load(lay.tail, Z)),
                set_cell(lay.previous, X, B),
                set_cell(lay.tail, Z, X),
                ir.If(
                    binary(">=", B, ZERO), (set_cell(lay.next, B, X),), (set_cell(lay.head, Z, X),)
                ),
            ]
        elif where == "under":
            stmts += [
                ir.SetLocal(n, load(lay.head, Z)),
                set_cell(lay.next, X, N),
                set_cell(lay.head, Z, X),
                ir.If(
                    binary(">=", N, ZERO),
                    (set_cell(lay.previous, N, X),),
                    (set_cell(lay.tail, Z, X),),
                ),
            ]
        else:
            stmts += [
                ir.SetLocal(b, load(lay.tail, Z)),
                ir.SetLocal(n, NONE),
                ir.While(
                    ir.And(binary(">=", B, ZERO), binary(">", B, X)),
                    (ir.SetLocal(n, B), ir.SetLocal(b, load(lay.previous, B))),
                ),
                set_cell(lay.previous, X, B),
                set_cell(lay.next, X, N),
                ir.If(
                    binary(">=", B, ZERO), (set_cell(lay.next, B, X),), (set_cell(lay.head, Z, X),)
                ),
                ir.If(
                    binary(">=", N, ZERO),
                    (set_cell(lay.previous, N, X),),
                    (set_cell(lay.tail, Z, X),),
                ),
            ]
        return 2, stmts

    return c.helper(f"put {where}", write)


def put_slot(c: Compiler) -> int:
    """Put a piece into a slot of a row."""
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, s = (p.slot() for _ in range(3))
        X, Z, S = (ir.Local(n) for n in (x, z, s))
        return 3, [
            *_arrive(c, X, Z),
            set_cell(lay.slot_of, X, S),
            ir.Store(binary("+", attributes.row_cells(c, Z), binary("-", S, ONE)), X),
        ]

    return c.helper("put slot", write)


def free_slot(c: Compiler) -> int:
    """The first empty slot of a row, counted from 1; 0 where it is full."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        z, n = p.slot(), p.slot()
        at = binary("+", attributes.row_cells(c, ir.Local(z)), binary("-", ir.Local(n), ONE))
        return 1, [
            ir.ForRange(
                n,
                ONE,
                attributes.row_length(c, ir.Local(z)),
                (ir.If(binary("<", ir.Load(at), ZERO), (ir.Return(ir.Local(n)),)),),
            ),
            ir.Return(ZERO),
        ]

    return c.helper("free slot", write)


def zone_sight(c: Compiler) -> list[int]:
    """For each zone the bits of the players who see what lies there."""
    seats = len(c.world.seats)
    everybody = (1 << seats) - 1
    bits: list[int] = []
    for zone, family in enumerate(c.layout.zone_family):
        if family.seen == "all":
            bits.append(everybody)
        elif family.seen == "nobody":
            bits.append(0)
        else:
            owner = c.layout.zone_owner[zone]
            who = _player_of(c, family, owner)
            bits.append(1 << who if who >= 0 else 0)
    return bits


def _player_of(c: Compiler, family: Family, owner: int) -> int:
    if family.owner.name == "player":
        return owner
    kind = c.world.thing(family.owner.name)
    if kind is not None and kind.per_player and not family.owner.slots:
        return kind.owner[owner - kind.first]
    return -1


def _bit(c: Compiler, mask: Expr, seat: int) -> Expr:
    return binary("%", binary("//", mask, ir.Const(1 << seat)), ir.Const(2))


def _remember(c: Compiler) -> int:
    """Who still knows a piece after a move: whoever saw it before; out of a hidden set, nobody who did not see it."""
    lay = c.layout
    sight = zone_sight(c)
    table = c.table(sight)
    seats = len(c.world.seats)
    shapes = c.table([int(f.shape == "pile") for f in lay.zone_family])

    def write(p: Procedure) -> tuple[int, Stmts]:
        x, z, old, seen, kept, y = (p.slot() for _ in range(6))
        X, OLD, SEEN, KEPT = ir.Local(x), ir.Local(old), ir.Local(seen), ir.Local(kept)
        stmts: Stmts = [
            ir.SetLocal(old, load(lay.zone_of, X)),
            ir.If(binary("<", OLD, ZERO), (ir.Return(),)),
            ir.SetLocal(seen, ir.Table(table, OLD)),
        ]
        from_set: Stmts = [ir.SetLocal(kept, ZERO)]
        single = binary("==", load(lay.count, OLD), ONE)
        for seat in range(seats):
            known = _bit(c, load(lay.known, X), seat)
            here = _bit(c, SEEN, seat)
            from_set.append(
                ir.If(
                    either(here, ir.And(known, ir.Or(ir.Table(shapes, OLD), single))),
                    (ir.SetLocal(kept, binary("+", KEPT, ir.Const(1 << seat))),),
                )
            )
        # which piece left a hidden set is not seen: what was known of the others there is no longer certain
        Y = ir.Local(y)
        unsure: Stmts = []
        for seat in range(seats):
            known_y = _bit(c, load(lay.known, Y), seat)
            here = _bit(c, SEEN, seat)
            there = _bit(c, ir.Table(table, ir.Local(z)), seat)
            unsure.append(
                ir.If(
                    ir.And(negated(here), ir.And(negated(there), known_y)),
                    (set_cell(lay.known, Y, binary("-", load(lay.known, Y), ir.Const(1 << seat))),),
                )
            )
        blur: Stmts = [
            ir.SetLocal(y, load(lay.head, OLD)),
            ir.While(binary(">=", Y, ZERO), (*unsure, ir.SetLocal(y, load(lay.next, Y)))),
        ]
        stmts += [
            *from_set,
            ir.If(negated(ir.Table(shapes, OLD)), tuple(blur)),
            set_cell(lay.known, X, KEPT),
        ]
        return 2, stmts

    return c.helper("remember", write)


# ---- places -----------------------------------------------------------------------------------------


@frozen
class TokenSpot:
    """Where tokens are taken from or put: the cell, and whose they are."""

    family: Family
    address: Expr
    colour: Expr | None  # known colour
    all_colours: bool


def token_spot(env: Env, e: syntax.Expression) -> TokenSpot | None:
    """A place for tokens, or None where it is none."""
    typed = expressions.expression(env, e)
    family = typed.family
    if family is None or family.what != "tokens":
        return None
    if typed.type.tag == "int":
        assert isinstance(typed.code, ir.Load)
        return TokenSpot(family, typed.code.address, typed.owner, False)
    if family.own_colour:
        return TokenSpot(family, typed.code, owner_of_place(env, family, typed), False)
    return TokenSpot(family, typed.code, None, family.colours > 1)


def owner_of_place(env: Env, family: Family, typed: Typed) -> Expr:
    """The player who owns a place for tokens."""
    at = binary("-", typed.code, ir.Const(family.base))
    return at if family.per_owner == 1 else binary("//", at, ir.Const(family.per_owner))


def growing_of(c: Compiler, family: Family) -> Growing | None:
    """How the owner's grid grows, if it does."""
    return c.layout.growing.get(family.owner.name)


def owner_expression(e: syntax.Expression) -> syntax.Expression | None:
    """The thing whose zone or state a written place is."""
    if isinstance(e, syntax.Dot):
        return owner_expression(e.subject) if e.name == "slot" else e.subject
    return None


def ensure_place(w: Writer, ctx: Context, family: Family, e: syntax.Expression) -> None:
    """Before something is put on a cell of a growing grid: give the cell its slot."""
    growing = growing_of(w.c, family)
    owner = owner_expression(e)
    if growing is not None and owner is not None:
        subject = expressions.expression(ctx.env, owner)
        w.emit(ir.CallPlain(ensure(w.c, growing), (subject.code,)))


def release_place(w: Writer, ctx: Context, family: Family, e: syntax.Expression) -> None:
    """After something on a cell of a growing grid has changed: give the slot back if nothing is left."""
    growing = growing_of(w.c, family)
    owner = owner_expression(e)
    if growing is not None and owner is not None:
        subject = expressions.expression(ctx.env, owner)
        w.emit(ir.CallPlain(release(w.c, growing), (subject.code,)))


# ---- move -------------------------------------------------------------------------------------------


def move(w: Writer, ctx: Context, s: syntax.Move) -> None:
    """`move ...`"""
    env, c = ctx.env, w.c
    probe = expressions.place(env, s.target)
    if not probe.type.known:
        if s.amount is not None:
            expressions.expression(env, s.amount)
        if s.source is not None:
            expressions.expression(env, s.source)
        return
    if probe.family is not None and probe.family.what == "tokens":
        _move_tokens(w, ctx, s)
        return
    if probe.type.tag != "zone" or probe.family is None:
        c.problems.error(
            "zone-does-not-fit",
            f"things are moved into zones, this is {describe(probe.type)}",
            s.target.span,
            help="a number is changed with `add`, `pay`, `lose` or `set`",
        )
        return
    _move_pieces(w, ctx, s, probe.family)


def _move_tokens(w: Writer, ctx: Context, s: syntax.Move) -> None:
    env, c = ctx.env, w.c
    if s.source is None:
        c.problems.error(
            "wrong-arguments", "tokens are moved from somewhere: `move 1 from A to B`", s.span
        )
        return
    source_typed = expressions.expression(env, s.source)
    source = token_spot(env, s.source)
    if source is None:
        if source_typed.type.known:
            c.problems.error(
                "zone-does-not-fit",
                f"tokens come from a place for tokens, this is {describe(source_typed.type)}",
                s.source.span,
            )
        return
    family = token_spot(env, s.target)
    assert family is not None
    ensure_place(w, ctx, family.family, s.target)
    target = token_spot(env, s.target)
    assert target is not None
    if source.family.token != target.family.token:
        c.problems.error(
            "zone-does-not-fit",
            f"`{source.family.token}` cannot lie in a place for `{target.family.token}`",
            s.target.span,
        )
        return
    colour = source.colour if source.colour is not None else target.colour
    if (source.all_colours or target.all_colours) and colour is None:
        if s.how == "all" and source.all_colours and target.all_colours:
            for n in range(source.family.colours):
                _move_amount(
                    w,
                    ctx,
                    s,
                    binary("+", ir.Const(n), source.address),
                    binary("+", ir.Const(n), target.address),
                )
            release_place(w, ctx, source.family, s.source)
            return
        c.problems.error(
            "wrong-arguments",
            "it is not said whose tokens these are",
            s.span,
            help="name the player: `cell.cubes(me)`",
        )
        return
    a = (
        binary("+", source.address, colour)
        if source.all_colours and colour is not None
        else source.address
    )
    b = (
        binary("+", target.address, colour)
        if target.all_colours and colour is not None
        else target.address
    )
    _move_amount(w, ctx, s, a, b)
    release_place(w, ctx, source.family, s.source)


def _move_amount(w: Writer, ctx: Context, s: syntax.Move, source: Expr, target: Expr) -> None:
    env, p = ctx.env, ctx.env.procedure
    have = ir.Load(source)
    if s.how == "all":
        n = p.slot()
        w.emit(ir.SetLocal(n, have))
        amount: Expr = ir.Local(n)
    else:
        assert s.amount is not None
        typed = expressions.number(env, s.amount)
        if s.how == "up to":
            n = p.slot()
            w.emit(
                ir.SetLocal(
                    n,
                    binary(
                        "min",
                        binary("max", ZERO, typed.code) if typed.type.low < 0 else typed.code,
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
            if not _provably(env, s.source, typed):
                fail_if(
                    w,
                    ctx,
                    binary("<", have, amount),
                    s,
                    short_of_tokens(env, s),
                    (have, amount),
                )
            if typed.type.low < 0:
                fail_if(w, ctx, binary("<", amount, ZERO), s, ("fewer than 0 cannot be moved",), ())
    w.emit(
        ir.Store(source, ir.Binary("-", have, amount)),
        ir.Store(target, ir.Binary("+", ir.Load(target), amount)),
    )


def short_of_tokens(env: Env, s: syntax.Move) -> tuple[str | int, str | int, str | int, str | int]:
    """The words for too few tokens: how many are where, how many are wanted."""
    assert s.source is not None
    spot = token_spot(env, s.source)
    family = spot.family if spot is not None else None
    token = family.token.replace("_", " ") if family is not None else "token"
    place = family.name.replace("_", " ") if family is not None else "place"
    return ("there are only ", 0, f" {token} in the {place}, this takes ", 1)


def _provably(env: Env, source: syntax.Expression | None, amount: Typed) -> bool:
    """Whether at least so many are there for certain."""
    known = env.facts.get(f"{path_of(source)}.size") or env.facts.get(path_of(source) or "")
    return amount.type.high <= 0 or (known is not None and known.low >= amount.type.high)


def fail_if(
    w: Writer,
    ctx: Context,
    condition: Expr,
    s: syntax.Statement,
    words: tuple[str | int, ...],
    arguments: tuple[Expr, ...],
    domain: Type | None = None,
) -> None:
    """Make the action impossible under a condition; outside any action that must be excluded."""
    from rulewright.dsl.lowering import statements

    if condition == ZERO:
        return
    parts: list[str | ir.Shown | ir.Counted] = []
    for word in words:
        parts.append(
            word if isinstance(word, str) else ir.Shown(word, w.c.domain(domain or whole(0, 1)))
        )
    message = w.c.message(parts, s.span, ctx.tags)
    statements.failing(w, ctx, condition, message, arguments, s)


def _move_pieces(w: Writer, ctx: Context, s: syntax.Move, family: Family) -> None:
    env, c = ctx.env, w.c
    if s.how == "all" or (s.source is not None and _is_number(env, s.amount)):
        _move_many(w, ctx, s, family)
        return
    assert s.amount is not None
    what = expressions.expression(env, s.amount)
    if not what.type.known:
        return
    if what.type.tag == "int" and s.source is None:
        c.problems.error(
            "wrong-arguments", "it is not said where they come from: `move 1 from A to B`", s.span
        )
        return
    if s.how == "up to" and what.type.tag != "int":
        c.problems.error(
            "wrong-type", f"`up to` wants a number, this is {describe(what.type)}", s.amount.span
        )
        return
    if what.ids is not None and s.source is not None:
        what = _one_of_them(env, s.amount, s.source)
        if not what.type.known:
            return
    if what.ids is not None or what.type.tag in ("list", "zone"):
        if what.ids is not None:
            c.problems.error(
                "wrong-type",
                f"there are {len(what.ids)} pieces called `{s.amount.span.text}`",
                s.amount.span,
                help="choose one of them, or say where one is taken from: `move NAME from A to B`",
            )
            return
        _move_list(w, ctx, s, family, expressions.as_list(env, what, s.amount))
        return
    if what.type.tag != "piece":
        c.problems.error(
            "wrong-type", f"pieces are moved, this is {describe(what.type)}", s.amount.span
        )
        return
    if not _fits(ctx, s, what.type, family):
        return
    piece = what.code
    if weight(piece) > 2 or what.type.opt:
        slot = env.procedure.slot()
        w.emit(ir.SetLocal(slot, piece))
        piece = ir.Local(slot)
    if what.type.opt:
        fail_if(
            w,
            ctx,
            binary("<", piece, ZERO),
            s,
            (f"there is no piece to move ({s.amount.span.text})",),
            (),
        )
    if s.source is not None:
        source = expressions.expression(env, s.source)
        if source.type.tag != "zone":
            if source.type.known:
                c.problems.error(
                    "wrong-type",
                    f"a piece is moved from a zone, this is {describe(source.type)}",
                    s.source.span,
                )
            return
        outside = binary("!=", load(c.layout.zone_of, piece), source.code)
        fail_if(w, ctx, outside, s, ("it does not lie there",), ())
    ensure_place(w, ctx, family, s.target)
    target = expressions.expression(env, s.target)
    _place(w, ctx, s, family, target, piece)


def _one_of_them(env: Env, name: syntax.Expression, source: syntax.Expression) -> Typed:
    """The first piece of a name in a zone: `move guard from deck to me.hand`."""
    binder = syntax.Binder(name.span, "one of them", name.span, None, source)
    asked = syntax.Binary(name.span, "is", syntax.Word(name.span, "one of them"), name)
    query = syntax.Query(name.span, "first", (binder,), asked, (), False, None)
    return expressions.expression(env, query)


def _is_number(env: Env, e: syntax.Expression | None) -> bool:
    if e is None:
        return False
    if isinstance(e, syntax.Number):
        return True
    return expressions.expression(env, e).type.tag in ("int", "tokens")


def _fits(ctx: Context, s: syntax.Move, type: Type, family: Family) -> bool:
    extra = sorted(set(type.names) - set(family.type.names))
    if extra:
        ctx.env.c.problems.error(
            "zone-does-not-fit",
            f"`{family.name}` holds {describe(family.type)}, and this may be {' or '.join(extra)}",
            s.target.span,
            help="test it first with `in`, or let the zone hold more",
        )
        return False
    return True


def _place(
    w: Writer, ctx: Context, s: syntax.Move, family: Family, target: Typed, piece: Expr
) -> None:
    """Put one piece where it goes."""
    c = w.c
    if family.shape == "row":
        slot = target.owner
        if target.slot is None or slot is None:
            slot_number = ctx.env.procedure.slot()
            w.emit(ir.SetLocal(slot_number, ir.CallValue(free_slot(c), (target.code,))))
            slot = ir.Local(slot_number)
            taken_if(w, ctx, binary("==", slot, ZERO), s, f"`{family.name}` is full")
        else:
            taken_if(w, ctx, binary(">=", target.slot, ZERO), s, "the slot is taken")
        w.emit(ir.CallPlain(put_slot(c), (piece, target.code, slot)))
        return
    if family.shape == "spot" and not _known_empty(ctx.env, s.target):
        taken_if(
            w,
            ctx,
            binary(">", load(c.layout.count, target.code), ZERO),
            s,
            f"`{family.name}` is taken",
        )
    w.emit(ir.CallPlain(put(c, _how(family, s.under)), (piece, target.code)))


def taken_if(w: Writer, ctx: Context, condition: Expr, s: syntax.Move, words: str) -> None:
    """A place that holds no more: impossible inside an action, elsewhere a fault in play."""
    if ctx.guarded or not ctx.outside:
        fail_if(w, ctx, condition, s, (words,), ())
        return
    fault = w.c.fault("place-taken", words.replace("`", ""), s.span)
    w.emit(ir.If(condition, (ir.Fault(fault),)))


def _known_empty(env: Env, e: syntax.Expression) -> bool:
    known = env.facts.get(f"{path_of(e)}.size")
    return known is not None and known.high <= 0


def _how(family: Family, under: bool) -> str:
    if family.shape in ("set",):
        return "sorted"
    return "under" if under else "top"


def _move_list(w: Writer, ctx: Context, s: syntax.Move, family: Family, listed: Typed) -> None:
    assert listed.type.of is not None
    if not _fits(ctx, s, listed.type.of, family):
        return
    ensure_place(w, ctx, family, s.target)
    target = expressions.expression(ctx.env, s.target)
    slot = ctx.env.procedure.slot()
    zone = ctx.env.procedure.slot()
    w.emit(ir.SetLocal(zone, target.code))

    def each() -> None:
        _place(w, ctx, s, family, Typed(target.type, ir.Local(zone), family), ir.Local(slot))

    w.emit(ir.ForEach(slot, listed.code, w.captured(each)))


def _move_many(w: Writer, ctx: Context, s: syntax.Move, family: Family) -> None:
    """`move 3 from A to B`, `move up to 3 from A to B`, `move all from A to B`."""
    env, c = ctx.env, w.c
    assert s.source is not None
    source = expressions.expression(env, s.source)
    if not source.type.known:
        if s.amount is not None:
            expressions.number(env, s.amount)
        return
    if s.how == "all" and source.type.tag == "list":
        _move_list(w, ctx, s, family, source)
        return
    if s.how == "all" and source.type.tag == "piece":
        _move_list(w, ctx, s, family, expressions.as_list(env, source, s.source))
        return
    if source.type.tag != "zone" or source.type.of is None:
        c.problems.error(
            "wrong-type",
            f"pieces are moved from a zone, this is {describe(source.type)}",
            s.source.span,
        )
        return
    if not _fits(ctx, s, source.type.of, family):
        return
    ensure_place(w, ctx, family, s.target)
    target = expressions.expression(env, s.target)
    source = expressions.expression(env, s.source)
    row_source = source.family is not None and source.family.shape == "row"
    if s.how == "all" or source.slot is not None:
        listed = expressions.as_list(env, source, s.source)
        if s.how == "exactly" and source.slot is not None:
            fail_if(w, ctx, binary("<", source.slot, ZERO), s, ("the slot is empty",), ())
        _move_list(w, ctx, s, family, listed)
        return
    assert s.amount is not None
    amount = expressions.number(env, s.amount)
    n = env.procedure.slot()
    w.emit(ir.SetLocal(n, binary("max", ZERO, amount.code) if amount.type.low < 0 else amount.code))
    count = attributes.zone_size(c, source)
    if s.how == "exactly":
        if not _provably(env, s.source, amount):
            name = source.family.name.replace("_", " ") if source.family is not None else "the zone"
            fail_if(
                w,
                ctx,
                binary("<", count, ir.Local(n)),
                s,
                ("there are only ", 0, f" in the {name}, this takes ", 1),
                (count, ir.Local(n)),
            )
    else:
        w.emit(ir.SetLocal(n, binary("min", ir.Local(n), count)))
    if family.shape in ("spot", "row") or row_source:
        turn, piece = env.procedure.slot(), env.procedure.slot()

        def each() -> None:
            first: Expr
            if row_source:
                first = ir.At(attributes.zone_list(env, source).code, ZERO)
            else:
                first = load(c.layout.tail, source.code)
            w.emit(ir.SetLocal(piece, first))
            _place(w, ctx, s, family, target, ir.Local(piece))

        w.emit(ir.ForRange(turn, ONE, ir.Local(n), w.captured(each)))
        return
    from_end = "head" if source.family is not None and source.family.shape == "set" else "tail"
    if isinstance(amount.code, ir.Const) and amount.code.value == 1 and s.how == "exactly":
        end = load(c.layout.head if from_end == "head" else c.layout.tail, source.code)
        w.emit(ir.CallPlain(put(c, _how(family, s.under)), (end, target.code)))
        return
    w.emit(
        ir.CallPlain(
            _many(c, from_end, _how(family, s.under)), (ir.Local(n), source.code, target.code)
        )
    )


def _many(c: Compiler, end: str, how: str) -> int:
    """Move so many pieces from the end of one zone to another, one after the other."""
    place = put(c, how)

    def write(p: Procedure) -> tuple[int, Stmts]:
        n, a, b, turn = (p.slot() for _ in range(4))
        piece = load(c.layout.head if end == "head" else c.layout.tail, ir.Local(a))
        return 3, [
            ir.ForRange(turn, ONE, ir.Local(n), (ir.CallPlain(place, (piece, ir.Local(b))),)),
        ]

    return c.helper(f"many {end} {how}", write)


# ---- shuffle and sort -----------------------------------------------------------------------------------


def shuffle(w: Writer, ctx: Context, s: syntax.Shuffle) -> None:
    """`shuffle deck`"""
    place = expressions.expression(ctx.env, s.place)
    if place.type.tag != "zone" or place.family is None or place.family.shape != "pile":
        if place.type.known:
            w.c.problems.error(
                "wrong-type",
                f"only piles are shuffled, this is {describe(place.type)}",
                s.place.span,
                help="a set has no order; declare the zone as a `pile`",
            )
        return
    w.call(_shuffler(w), (place.code,))


def _shuffler(w: Writer) -> int:
    """The procedure that shuffles a pile: one step of chance for each piece but the first."""
    rules, lay = w.rules, w.c.layout
    if "shuffle" in rules.helpers:
        return rules.helpers["shuffle"]
    number = rules.reserve()
    rules.helpers["shuffle"] = number
    site = len(rules.chances)
    i, j, x, y = range(1, 5)
    rules.chances.append(ir.ChanceSite(number, j, "shuffle", None, 0, "shuffle", None))
    entry, test, draw, swap, done = (rules.block() for _ in range(5))
    Z, K, J, X, Y = (ir.Local(n) for n in range(5))
    rules.blocks[entry] = ir.Block(
        number,
        (
            ir.SetLocal(x, load(lay.head, Z)),
            ir.SetLocal(i, ZERO),
            ir.While(
                binary(">=", X, ZERO),
                (
                    set_cell(lay.scratch, K, X),
                    ir.SetLocal(i, binary("+", ONE, K)),
                    ir.SetLocal(x, load(lay.next, X)),
                ),
            ),
            ir.SetLocal(i, binary("-", K, ONE)),
            ir.SetLocal(x, ZERO),
        ),
        ir.Goto(test),
    )
    rules.blocks[test] = ir.Block(number, (), ir.Branch(binary(">=", K, ONE), draw, done))
    rules.blocks[draw] = ir.Block(number, (), ir.Chance(site, binary("+", ONE, K), j, swap))
    rules.blocks[swap] = ir.Block(
        number,
        (
            ir.SetLocal(x, load(lay.scratch, K)),
            set_cell(lay.scratch, K, load(lay.scratch, J)),
            set_cell(lay.scratch, J, X),
            ir.SetLocal(i, binary("-", K, ONE)),
            ir.SetLocal(j, ZERO),
            ir.SetLocal(x, ZERO),
        ),
        ir.Goto(test),
    )
    forget: tuple[ir.Stmt, ...] = ()
    if lay.known >= 0:
        forget = (set_cell(lay.known, X, ZERO),)
    rules.blocks[done] = ir.Block(
        number,
        (
            ir.SetLocal(y, NONE),
            ir.SetLocal(j, load(lay.count, Z)),
            ir.ForRange(
                i,
                ZERO,
                binary("-", J, ONE),
                (
                    ir.SetLocal(x, load(lay.scratch, K)),
                    set_cell(lay.scratch, K, ZERO),
                    set_cell(lay.previous, X, Y),
                    set_cell(lay.next, X, NONE),
                    ir.If(
                        binary(">=", Y, ZERO),
                        (set_cell(lay.next, Y, X),),
                        (set_cell(lay.head, Z, X),),
                    ),
                    *forget,
                    ir.SetLocal(y, X),
                ),
            ),
            ir.If(binary(">", J, ZERO), (set_cell(lay.tail, Z, Y),)),
        ),
        ir.Finish(),
    )
    rules.suspending[number] = ir.Suspending("shuffle", 1, 5, entry, None)
    return number


def sort(w: Writer, ctx: Context, s: syntax.Sort) -> None:
    """`sort c in deck by c.rank lowest`: the first of the order comes to lie on top."""
    env, c = ctx.env, w.c
    place = expressions.expression(env, s.binder.source)
    if place.type.tag != "zone" or place.family is None or place.family.shape != "pile":
        if place.type.known:
            c.problems.error(
                "wrong-type",
                f"only piles are sorted, this is {describe(place.type)}",
                s.binder.source.span,
            )
        return
    order = queries.query(
        env, syntax.Query(s.span, "ranking", (s.binder,), None, s.keys, True, None), None
    )
    if not order.type.known:
        return
    lay = c.layout

    def write(p: Procedure) -> tuple[int, Stmts]:
        z, items, n, x = (p.slot() for _ in range(4))
        last = binary("-", ir.Length(ir.Local(items)), ONE)
        forget: Stmts = [set_cell(lay.known, ir.Local(x), ZERO)] if lay.known >= 0 else []
        return 2, [
            ir.ForRange(
                n,
                ZERO,
                last,
                (
                    ir.SetLocal(x, ir.At(ir.Local(items), ir.Local(n))),
                    ir.CallPlain(put(c, "under"), (ir.Local(x), ir.Local(z))),
                    *forget,
                ),
            )
        ]

    w.emit(ir.CallPlain(c.helper("sort pile", write), (place.code, order.code)))
