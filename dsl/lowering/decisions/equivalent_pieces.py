"""Finds indistinguishable copies of a row, so that only one copy from each group is offered.

The module is independent of decisions. Code that offers pieces calls it for each piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

from rulewright.dsl import ir
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    choice,
    either,
    load,
    negation,
)
from rulewright.dsl.lowering.emit.core import Env, Procedure
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.routines import Numbers, routine
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.steps import relinking
from rulewright.dsl.model import types
from rulewright.dsl.model.types import Type
from rulewright.dsl.tree import syntax

Steps = Sequence[ir.Stmt]


def row_table(w: Writer) -> int:
    """Return a table that maps each piece to the number of its row. Copies with the same owner have the same number."""
    if not w.c.is_run:
        return w.c.table(())
    numbers: dict[tuple[str, str, int], int] = {}
    return w.c.table(
        [
            numbers.setdefault((kind.name, row, owner), len(numbers))
            for kind in w.c.model.pieces.values()
            for row, owner in zip(kind.rows, kind.owner, strict=True)
        ]
    )


def equivalence_key(env: Env, w: Writer, of: Type, piece: Expr, source: syntax.Expression) -> Expr:
    """Return code that computes a key. Indistinguishable copies of a row have equal keys.

    Such copies are in the same place and slot (in a pile, they are adjacent), and no public state
    contains any of them. If the source is a whole kind, the player chooses a row, and the places
    of its copies are ignored. Copies that the chooser does not see are all treated as being in one
    place, because their places are secret.
    """
    row: Expr = ir.Table(row_table(w), piece)
    layout = w.c.layout
    by_itself = binary("+", ir.Const(layout.pieces), piece)
    pointed = _is_pointed_to(w, of, piece)
    distinguished = _are_distinguished(w, of)
    if isinstance(source, syntax.TypeWord):
        return choice(pointed, by_itself, by_itself if distinguished else row)
    typed = recursion.expression(env, source)
    one_place = isinstance(typed.type, types.Zone)
    chooser = None if one_place else env.scope["me"].read()
    zone = load(layout.zone_of, piece)
    slot = load(layout.slot_of, piece) if layout.slot_of >= 0 else ZERO
    # A secret pile also has an order, which must not be revealed.
    is_open = not one_place or (typed.group is not None and typed.group.seen == "all")
    if distinguished:
        row = by_itself
    elif is_open:
        row = choice(_in_pile(w, of, zone), _pile_key(w, piece), row)
    row = choice(pointed, by_itself, row)
    everybody = (1 << len(w.c.model.seats)) - 1
    if chooser is not None and any(bits != everybody for bits in relinking.zone_sight(w.c)):
        sees = _sees_test(w, chooser, zone)
        if layout.known >= 0:
            bit = ir.Table(w.c.table([1 << seat for seat in range(len(w.c.model.seats))]), chooser)
            shown = binary("%", binary("//", load(layout.known, piece), bit), ir.Const(2))
            sees = binary("max", sees, shown)
        zone, slot, row = (
            choice(sees, zone, ir.Const(layout.zones)),
            choice(sees, slot, ZERO) if slot != ZERO else ZERO,
            choice(sees, row, ir.Table(row_table(w), piece)),
        )
    factor = max(1, 2 * layout.pieces)
    found = binary("+", row, binary("*", ir.Const(factor), zone))
    if slot != ZERO:
        factor *= layout.zones + 1
        found = binary("+", found, binary("*", ir.Const(factor), slot))
    return found


def _in_pile(w: Writer, of: Type, zone: Expr) -> Expr:
    """Return code that tests whether a zone is a pile of pieces of these kinds.

    Piles are treated separately, because their order may matter to the rules or to players.
    """
    layout = w.c.layout
    piles = [
        group.shape == "pile" and not set(of.names).isdisjoint(group.type.names)
        for group in layout.zone_group
    ]
    if not any(piles):
        return ZERO
    table = w.c.table([*map(int, piles), 0])
    return ir.Table(table, choice(binary("<", zone, ZERO), ir.Const(len(piles)), zone))


def _pile_key(w: Writer, piece: Expr) -> Expr:
    """Return code that computes the key of a piece in a pile. Adjacent copies of a row share the first copy's key.

    If the rules read positions in piles, each piece has its own key.
    """
    pieces = ir.Const(w.c.layout.pieces)
    if w.a.distinguishes_by("position"):
        return binary("+", pieces, piece)
    helper = routine(w.c, "first of its copies", row=lambda: Numbers(row_table(w)))
    return binary("+", pieces, ir.CallValue(helper, (piece,)))


def _is_pointed_to(w: Writer, of: Type, piece: Expr) -> Expr:
    """Return code that tests whether a public state contains this individual piece."""
    found: Expr = ZERO
    for group, held in _piece_states(w):
        if group.seen != "all" or set(held.names).isdisjoint(of.names):
            continue
        count = group.per_owner * group.owner.places
        first = ir.Const(group.base)
        found = either(found, ir.CallValue(_holds(w, group, count // group.width), (first, piece)))
    return found


def _holds(w: Writer, group: CellGroup, count: int) -> int:
    """Return the number of a procedure that tests whether any of `count` consecutive states contains a piece.

    The arguments of the procedure are the piece and the first cell of these states.
    """
    is_list = isinstance(group.type, types.List)
    return routine(
        w.c,
        "holds",
        f"holds {count} {group.width} {is_list}",
        count=count,
        width=group.width,
        is_list=int(is_list),
    )


def _are_distinguished(w: Writer, of: Type) -> bool:
    """Return whether the rules may distinguish copies that look the same to the chooser.

    The rules can do so if they read the numbers of copies or if a hidden state may contain a copy.
    Nobody may learn which copy a hidden state contains. So each copy is offered separately, even
    if no state contains a copy.
    """
    return w.a.distinguishes_by("copy") or any(
        group.seen != "all" and not set(held.names).isdisjoint(of.names)
        for group, held in _piece_states(w)
    )


def _piece_states(w: Writer) -> Iterator[tuple[CellGroup, Type]]:
    """Yield each group of states that contain pieces, together with the type of these pieces."""
    for group in w.c.layout.groups:
        held = group.type.of if isinstance(group.type, types.List) else group.type
        if group.what == "state" and isinstance(held, types.Piece):
            yield group, held


def has_equivalents(w: Writer, of: Type) -> bool:
    """Return whether pieces of a type may be indistinguishable. If so, only one copy from each group is offered."""
    if not isinstance(of, types.Piece):
        return False
    kinds = [w.c.model.pieces[n] for n in of.names if n in w.c.model.pieces]
    if not any(max(k.copy, default=1) > 1 for k in kinds):
        return False
    if not any(k.states or k.zones for k in kinds):
        return True
    return not _are_distinguished(w, of) and _can_compare(w, {k.name for k in kinds})


def most_different(w: Writer, of: Type) -> int:
    """Return the maximum number of distinguishable members of a type."""
    every = w.c.model.size_of(of)
    if not isinstance(of, types.Piece) or not has_equivalents(w, of) or _are_distinguished(w, of):
        return every
    kinds = [w.c.model.pieces[n] for n in of.names if n in w.c.model.pieces]
    if any(k.states or k.zones for k in kinds):
        return every
    if any(not set(held.names).isdisjoint(of.names) for _, held in _piece_states(w)):
        return every  # something may point to one of the copies
    for group in w.c.layout.groups:
        is_pile = group.what == "zone" and group.shape == "pile"
        if is_pile and not set(group.type.names).isdisjoint(of.names):
            return every  # another piece may be between two copies
    return len({(k.name, row) for k in kinds for row in zip(k.rows, k.owner, strict=True)})


IfNew = Callable[[Expr, Stmts], Stmts]
"""Maps a member and its steps to steps that run only if no equal or indistinguishable member was offered before."""


def offer_once(
    env: Env, w: Writer, of: Type, source: syntax.Expression, loops: Callable[[IfNew], Stmts]
) -> Stmts:
    """Return loops that run over a source and offer only one of several equal or indistinguishable members."""
    if not (w.c.is_run and (has_equivalents(w, of) or _may_repeat(env, source))):
        return loops(lambda _, body: body)
    seen = env.procedure.slot()
    each = loops(lambda piece, body: _if_new(env, w, of, seen, piece, body, source))
    return [ir.SetLocal(seen, ir.MakeList(())), *each]


def _may_repeat(env: Env, e: syntax.Expression) -> bool:
    """Return whether a source may contain a member more than once. Return true if the answer is unknown."""
    match e:
        case syntax.TypeWord() | syntax.Binary():
            return False
        case syntax.Query(
            word="list" | "most" | "fewest" | "ranking", binders=(binder,), body=None
        ):
            return _may_repeat(env, binder.source)
        case syntax.Query(word="most" | "fewest" | "ranking", binders=(binder,)):
            return _may_repeat(env, binder.source)
        case syntax.Dot(name="distinct"):
            return False
        case syntax.Dot(name="reversed" | "first_few" | "last_few" | "without" | "without_nth"):
            return _may_repeat(env, e.subject)
        case syntax.Word(name="players") if e.name not in env.scope:
            return False
        case syntax.WrittenValue() | syntax.Reference() | syntax.Operation():
            pass
    typed = recursion.expression(env, e)
    if not isinstance(typed.type, types.List):
        return False
    match typed.code:
        case ir.Const(value=tuple(members)):
            return len({*members}) < len(members)
        case ir.Table(table=table):
            rows = env.c.tables[table]
            return any(not isinstance(row, tuple) or len({*row}) < len(row) for row in rows)
        case _:
            pass
    stored = typed.group is not None and typed.group.what == "state"
    return not stored or typed.type.ordered


def _can_compare(w: Writer, kinds: Set[str]) -> bool:
    """Return whether a comparison of copies of these kinds reveals no secret.

    It reveals none if all players see all states and zones that these pieces own, and if no stored
    list may contain the pieces.
    """
    for group in w.c.layout.groups:
        if group.seen != "all" and group.owner.name in kinds:
            return False
        listed = (
            group.type.of if group.what == "state" and isinstance(group.type, types.List) else None
        )
        if (
            listed is not None
            and isinstance(listed, types.Piece)
            and not kinds.isdisjoint(listed.names)
        ):
            return False
    return True


def _if_new(
    env: Env,
    w: Writer,
    of: Type,
    seen: int,
    piece: Expr,
    body: Steps,
    source: syntax.Expression,
) -> list[ir.Stmt]:
    """Return steps that run `body` for a piece unless the list `seen` contains an indistinguishable piece."""
    kinds = [w.c.model.pieces[n] for n in of.names if n in w.c.model.pieces]
    if not has_equivalents(w, of):
        return [ir.If(negation(ir.Has(ir.Local(seen), piece)), (ir.Append(seen, piece), *body))]
    if not any(k.states or k.zones for k in kinds):
        key = equivalence_key(env, w, of, piece, source)
        return [ir.If(negation(ir.Has(ir.Local(seen), key)), (ir.Append(seen, key), *body))]
    chooser = env.scope["me"].read()
    finds = _find_equivalent(w, of)
    found = negation(ir.CallValue(finds, (ir.Local(seen), piece, chooser)))
    pointed = _is_pointed_to(w, of, piece)
    if pointed == ZERO:
        return [ir.If(found, (ir.Append(seen, piece), *body))]
    kept = ir.If(negation(pointed), (ir.Append(seen, piece),))
    return [ir.If(either(pointed, found), (kept, *body))]


def _find_equivalent(w: Writer, of: Type) -> int:
    """Return the number of a procedure that tests whether a list contains an equivalent of a piece.

    An equivalent has the same contents and is in the same place. An equivalent counts only if its
    place is not a pile and the chooser sees the pieces there. The chooser is an argument of the
    procedure.
    """

    def write(p: Procedure) -> tuple[int, Steps]:
        listed, one, chooser, other = (p.slot() for _ in range(4))
        a, b = ir.Local(one), ir.Local(other)
        test: Expr = binary("==", ir.Table(row_table(w), a), ir.Table(row_table(w), b))
        for base in (w.c.layout.zone_of, w.c.layout.slot_of):
            if base >= 0:
                test = both(test, binary("==", load(base, a), load(base, b)))
        zone = load(w.c.layout.zone_of, a)
        test = both(test, negation(_in_pile(w, of, zone)))
        if not _all_see(w, of):
            test = both(test, _sees_test(w, ir.Local(chooser), zone))
        for group in w.c.layout.groups:
            if group.owner.name in of.names:
                test = both(test, _are_equal(w, group, of, a, b))
        return 3, [
            ir.ForEach(other, ir.Local(listed), (ir.If(test, (ir.Return(ONE),)),)),
            ir.Return(ZERO),
        ]

    return w.c.helper(f"finds alike {' '.join(sorted(of.names))}", write)


def _all_see(w: Writer, of: Type) -> bool:
    """Return whether everybody sees all zones that may contain pieces of these kinds."""
    return all(
        group.seen == "all"
        for group in w.c.layout.groups
        if group.what == "zone" and not set(of.names).isdisjoint(group.type.names)
    )


def _sees_test(w: Writer, chooser: Expr, zone: Expr) -> Expr:
    """Return code that tests whether a player sees the pieces in a zone. All players see pieces that are in no zone."""
    players = range(len(w.c.model.seats))
    sight = relinking.zone_sight(w.c)
    table = w.c.table([*sight, (1 << len(players)) - 1])
    bit = ir.Table(w.c.table([1 << seat for seat in players]), chooser)
    place = choice(binary("<", zone, ZERO), ir.Const(len(sight)), zone)
    return binary("%", binary("//", ir.Table(table, place), bit), ir.Const(2))


def _are_equal(w: Writer, group: CellGroup, of: Type, a: Expr, b: Expr) -> Expr:
    """Return code that tests whether two copies of a row agree in a group of cells.

    For a group of states, the states of both copies must be equal. In a group of zones, the zones of both copies
    must be empty. The test succeeds if the copies do not own any cells of the group.
    """
    layout, owner = w.c.layout, group.owner
    test: Expr = ONE
    for n in range(group.per_owner):
        first = group.base + n
        at = [
            binary("*", binary("-", x, ir.Const(owner.first)), ir.Const(group.per_owner))
            for x in (a, b)
        ]
        if group.what == "zone":
            for x in at:
                test = both(test, binary("==", load(layout.count + first, x), ZERO))
        else:
            test = both(test, binary("==", load(first, at[0]), load(first, at[1])))
    if len(of.names) == 1:
        return test
    end = ir.Const(owner.first + owner.count)
    is_one = both(binary(">=", a, ir.Const(owner.first)), binary("<", a, end))
    return choice(is_one, test, ONE)
