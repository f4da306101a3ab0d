"""Finds payments in several steps. A payment is a loop `repeat while left > 0` that chooses a
store, takes a token from this store and subtracts the worth of the token.

Each choice except the last removes the same worth from the stores and from the amount left to pay.
So such a loop can be completed if and only if the stores together hold enough worth. The order of
the choices makes no difference. A later condition on the same stores can use only bounds on the
amount paid, because the last token may be worth more than the amount left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.decisions.precondition_steps import (
    Paid,
    State,
    doubt,
    is_clear,
    note_step,
)
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, Stmts, binary
from rulewright.dsl.lowering.emit.core import Env
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.steps import messages, moves
from rulewright.dsl.lowering.values import expressions, iterating
from rulewright.dsl.lowering.values.unmet import conjuncts
from rulewright.dsl.model import types
from rulewright.dsl.model.types import range_of, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import every, fields_of, walk

_MEMBER = "a store"
"""A placeholder in keys. It replaces the local name of a store, because that name differs from loop to loop."""


@frozen
class _Stores:
    """The stores to pay from: the `zone` of each source member that meets all conditions in `where`."""

    binder: syntax.Binder
    where: tuple[syntax.Expression, ...]
    worth: tuple[syntax.Expression, ...]
    """The factors whose product is the worth of each token in a store."""
    zone: str

    @property
    def store(self) -> syntax.Expression:
        """Return the expression for the place that contains the tokens of a member."""
        span = self.binder.span
        subject = syntax.Word(span, self.binder.name)
        return syntax.Dot(span, subject, self.zone, span, None)

    @property
    def static(self) -> tuple[syntax.Expression, ...]:
        """Return the expressions that the payment must leave unchanged."""
        return (self.binder.source, *self.where, *self.worth)

    def shape(self, names: Mapping[str, str]) -> object:
        """Return a key that is equal for equal stores. In the key, each name in `names` is replaced by its entry."""
        inner = {**names, self.binder.name: _MEMBER}
        where = frozenset(_shape(one, inner) for one in self.where)
        worth = sorted(repr(_shape(one, inner)) for one in self.worth)
        binder = _shape((self.binder.type, self.binder.source), names)
        return binder, where, tuple(worth), self.zone


@frozen
class _Payment:
    """A payment loop, with the stores to pay from and the local that holds the amount left to pay."""

    left: syntax.Word
    stores: _Stores


def loop(state: State, env: Env, s: syntax.Repeat) -> Stmts:
    """If a loop is a payment, return steps that test whether the loop can be completed.

    For any other loop, return the steps of `doubt`, because its outcome cannot be predicted.
    """
    w = state.w
    payment = _payment(w, env, s) if state.guarded else None
    if payment is None or payment.left.name in state.unknown:
        return doubt(state)
    if not is_clear(state, *payment.stores.static):
        return doubt(state)
    stores = payment.stores
    shape = stores.shape({})
    paid = state.paid.get(shape, Paid(ZERO, ZERO, stores.zone))
    if shape not in state.paid and stores.zone in state.written:
        return doubt(state)
    state.asked.append(stores.store)
    counted = _total_worth(env, stores)
    if counted is None:
        return doubt(state)
    out, held, largest = counted
    left = ir.Local(env.procedure.slot())
    out.append(ir.SetLocal(left.slot, recursion.expression(env, payment.left).code))
    out += _test_enough(state, s.span, left, held, paid)
    if state.stopped:
        return out
    note_step(state, s)
    names = {part.name for part in walk(stores.static) if isinstance(part, syntax.Word)}
    names -= {"me", stores.binder.name}
    if names.isdisjoint(env.scope):
        least, most = (ir.Local(env.procedure.slot()) for _ in range(2))
        over = binary("+", binary("+", paid.most, left), binary("-", largest, ONE))
        out += [
            ir.SetLocal(least.slot, binary("+", paid.least, left)),
            ir.SetLocal(most.slot, paid.most),
            ir.If(binary(">", left, ZERO), (ir.SetLocal(most.slot, over),)),
        ]
        state.paid[shape] = Paid(least, most, stores.zone)
    return out


def needs(state: State, env: Env, s: syntax.Needs) -> Stmts | None:
    """Return steps that test `needs me.stock >= n` after a payment from this stock; None for any other condition."""
    match s.condition:
        case syntax.Binary(operator=">=", left=held, right=wanted):
            pass
        case syntax.Binary(operator="<=", left=wanted, right=held):
            pass
        case _:
            return None
    found = _worth_sum(state.w, env, held)
    if found is None or not is_clear(state, wanted):
        return None
    stores, names = found
    paid = state.paid.get(stores.shape(names))
    if paid is None or not is_clear(state, *stores.static):
        return None
    state.asked.append(held)
    need, there = (ir.Local(env.procedure.slot()) for _ in range(2))
    out: Stmts = [
        ir.SetLocal(need.slot, expressions.number(env, wanted).code),
        ir.SetLocal(there.slot, expressions.number(env, held).code),
    ]
    return [*out, *_test_enough(state, s.span, need, there, paid)]


def _test_enough(state: State, span: Span, need: Expr, held: Expr, paid: Paid) -> Stmts:
    """Return steps that test whether the stores hold enough for this payment in addition to the earlier payments."""
    c = state.w.c
    number = c.domain(whole(0, 1))
    if paid.least == ZERO:
        is_short = binary("<", held, need)
        return state.refuse_if(is_short, messages.too_little(c, ""), span, need, held)
    both = (
        *("this takes ", ir.Shown(0, number), " and then ", ir.Shown(1, number)),
        *(", and there ", ir.Counted(2, "is", "are"), " ", ir.Shown(2, number)),
    )
    is_short = binary("<", held, binary("+", paid.least, need))
    out = state.refuse_if(is_short, both, span, paid.least, need, held)
    if state.accept is None:
        return [*out, *doubt(state)]
    state.doubtful = True
    perhaps = binary("<", held, binary("+", paid.most, need))
    return [*out, ir.If(perhaps, tuple(state.accept))]


def _total_worth(env: Env, stores: _Stores) -> tuple[Stmts, Expr, Expr] | None:
    """Return steps that compute two numbers, and an expression for each number. Return None if a
    token may have negative worth or a store has no single count of tokens.

    The first number is the total worth of all stores; the second is the highest worth of a single
    token.
    """
    held, largest = (ir.Local(env.procedure.slot()) for _ in range(2))
    is_fit = True

    def each(inner: Env) -> Stmts:
        nonlocal is_fit
        test: Expr = ONE
        for condition in stores.where:
            test = ir.And(test, expressions.condition(inner, condition).code)
        worth: Expr = ONE
        low = 1
        for factor in stores.worth:
            typed = expressions.number(inner, factor)
            worth, low = binary("*", worth, typed.code), min(low, range_of(typed.type).low)
        spot = moves.token_spot(inner, recursion.expression(inner, stores.store))
        if low < 0 or spot is None or spot.all_colours:
            is_fit = False
            return []
        there = ir.Load(spot.address)
        more = ir.SetLocal(held.slot, binary("+", held, binary("*", worth, there)))
        best = ir.SetLocal(largest.slot, ir.Binary("max", largest, worth))
        return [ir.If(ir.And(test, binary(">", there, ZERO)), (more, best))]

    begun: Stmts = [ir.SetLocal(held.slot, ZERO), ir.SetLocal(largest.slot, ONE)]
    out = [*begun, *iterating.iterate(env.child(), stores.binder, each)]
    return (out, held, largest) if is_fit else None


# ---- patterns of nodes ---------------------------------------------------------------------------


def _payment(w: Writer, env: Env, s: syntax.Repeat) -> _Payment | None:
    """Return the payment that a loop makes; None if the loop is not a payment."""
    match s.how, s.value:
        case "while", syntax.Binary(
            operator=">", left=syntax.Word() as left, right=syntax.Number(value=0)
        ):
            pass
        case _:
            return None
    variable = env.scope.get(left.name)
    is_number = (
        variable is not None and isinstance(variable.type, types.Number) and variable.type.low == 0
    )
    match s.body:
        case (syntax.Choose(quantity=None, or_none=False, stretch=None) as choose, *steps) if (
            is_number
        ):
            pass
        case _:
            return None
    taken = [step for step in steps if _zone_taken_from(step, choose.name) is not None]
    lost = [step for step in steps if _worth_lost(step, left.name) is not None]
    if len(taken) != 1 or len(lost) != 1 or choose.name == left.name:
        return None
    zone, worth = _zone_taken_from(taken[0], choose.name), _worth_lost(lost[0], left.name)
    assert zone is not None and worth is not None
    asked = conjuncts(choose.where) if choose.where is not None else []
    where = tuple(one for one in asked if not _is_filled(one, choose.name, zone))
    binder = syntax.Binder(
        choose.source.span, choose.name, choose.name_span, choose.type, choose.source
    )
    stores = _Stores(binder, where, (worth,), zone)
    if len(where) == len(asked) or not _is_made_of_members(w, choose.source):
        return None
    others = [step for step in steps if step is not taken[0] and step is not lost[0]]
    return _Payment(left, stores) if _is_harmless(w, stores, taken[0], lost[0], others) else None


def _is_made_of_members(w: Writer, source: syntax.Expression) -> bool:
    """Return whether a source never contains a member twice."""
    match source:
        case syntax.Query(word="list", body=None, binders=(binder,)):
            return binder.stretch is None and _is_made_of_members(w, binder.source)
        case syntax.Word(name=name) | syntax.Call(name=name) | syntax.Dot(name=name):
            return name in w.a.zone_names
        case syntax.TypeWord():
            return True
        case syntax.Operation() | syntax.Number() | syntax.Text() | syntax.Fixed():
            return False


def _zone_taken_from(step: syntax.Statement, name: str) -> str | None:
    """Return the zone in a step such as `move 1 from b.stored to bank` (here `stored`); None for any other step."""
    match step:
        case syntax.Move(
            how="exactly",
            amount=syntax.Number(value=1),
            source=syntax.Dot(subject=syntax.Word(name=subject), name=zone, arguments=None),
        ) if subject == name:
            return zone
        case _:
            return None


def _worth_lost(step: syntax.Statement, left: str) -> syntax.Expression | None:
    """Return the worth in a step such as `lose b.worth from left` (here `b.worth`); None for any other step."""
    match step:
        case syntax.Amount(verb="lose", amount=worth, place=syntax.Word(name=name)) if name == left:
            return worth
        case _:
            return None


def _is_filled(e: syntax.Expression, name: str, zone: str) -> bool:
    """Return whether a condition has the form `b.stored is not empty`, given the name `b` and the zone `stored`."""
    match e:
        case (
            syntax.Binary(operator="is not", left=store, right=syntax.Fixed(word="empty"))
            | syntax.Binary(
                operator=">",
                left=syntax.Dot(subject=store, name="size"),
                right=syntax.Number(value=0),
            )
        ):
            return _is_store(store, name, zone)
        case _:
            return False


def _is_store(e: syntax.Expression, name: str, zone: str) -> bool:
    match e:
        case syntax.Dot(subject=syntax.Word(name=subject), name=found, arguments=None):
            return subject == name and found == zone
        case _:
            return False


def _is_harmless(
    w: Writer,
    stores: _Stores,
    taken: syntax.Statement,
    lost: syntax.Statement,
    others: list[syntax.Statement],
) -> bool:
    """Return whether nothing in a loop except the payment itself can change the stores or the amount left to pay."""
    a = w.a
    assert isinstance(taken, syntax.Move) and isinstance(lost, syntax.Amount)
    match taken.target:
        case syntax.Word(name=target) | syntax.Dot(name=target) if target in a.zone_names:
            pass
        case _:
            return False
    assert isinstance(lost.place, syntax.Word)
    set_off = a.watchers_of(taken) or a.watchers_of(lost) or a.move_triggers_of(taken)
    if set_off or target == stores.zone or lost.place.name in a.zone_names:
        return False
    words = {part.name for part in walk(stores.static) if isinstance(part, syntax.Word)}
    kept = a.reads(*stores.static) | words
    if kept & (a.step_writes(taken) | a.step_writes(lost)):
        return False
    for step in every(tuple(others)):
        if isinstance(step, syntax.Simple | syntax.Let):
            return False
        if lost.place.name in a.step_writes(step):
            return False
    return not (
        a.can_fail(others) or a.suspends(others) or a.changes(others) & {*kept, stores.zone}
    )


def _worth_sum(
    w: Writer, env: Env, e: syntax.Expression
) -> tuple[_Stores, Mapping[str, str]] | None:
    """Return two things for a sum such as `sum(b in me.buildings: b.worth * b.stored.size)`.

    These are the stores whose worth is added up, and the names to replace in their key. Return None
    if the expression is not such a sum.
    """
    names: dict[str, str] = {}
    match e:
        case syntax.Dot(subject=syntax.Word(name=subject), name=name, arguments=None):
            named = w.c.model.subject_values.get(name, [])
            if subject != "me" or len(named) != 1 or name in env.scope:
                return None
            value: declared.Value = named[0]
            if value.open or value.bounds or value.params or value.subject is None:
                return None
            names, e = {value.subject.name: "me"}, value.value
        case _:
            pass
    match e:
        case syntax.Query(word="sum", binders=(binder,), body=body, keys=()) if (
            body is not None and binder.start is None and binder.stretch is None
        ):
            pass
        case _:
            return None
    sizes, worth = [], []
    for factor in _factors(body):
        match factor:
            case syntax.Dot(
                subject=syntax.Dot(subject=syntax.Word(name=name), name=zone, arguments=None),
                name="size",
                arguments=None,
            ) if name == binder.name:
                sizes.append(zone)
            case _:
                worth.append(factor)
    if len(sizes) != 1:
        return None
    where = tuple(conjuncts(e.where)) if e.where is not None else ()
    return _Stores(binder, where, tuple(worth), sizes[0]), names


def _factors(e: syntax.Expression) -> Iterator[syntax.Expression]:
    match e:
        case syntax.Binary(operator="*"):
            yield from _factors(e.left)
            yield from _factors(e.right)
        case syntax.Number(value=1):
            pass
        case _:
            yield e


def _shape(node: object, names: Mapping[str, str]) -> object:
    """Return a key in which each name in `names` is replaced by its entry. Nodes with equal text have equal keys."""
    if isinstance(node, syntax.Word):
        return "Word", names.get(node.name, node.name)
    if isinstance(node, tuple):
        return tuple(_shape(one, names) for one in node)
    kind = node.__class__
    parts = (getattr(node, name) for name in fields_of(kind) if name != "tags")
    inside = tuple(_shape(part, names) for part in parts if not isinstance(part, Span))
    return (kind.__name__, *inside) if fields_of(kind) else node
