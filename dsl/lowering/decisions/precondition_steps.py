"""Lowers those conditions of single steps which are tested before an option is offered.

A condition is tested in advance only if no earlier step changes a name that the condition reads.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from attrs import define, evolve, field, frozen

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import ZERO, Expr, Stmts, binary, both, load, negation
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.layout import CellGroup
from rulewright.dsl.lowering.emit.writer import Writer
from rulewright.dsl.lowering.steps import changing, limits, messages, moves, relinking
from rulewright.dsl.lowering.steps.messages import Words
from rulewright.dsl.lowering.values import expressions, places, unmet
from rulewright.dsl.lowering.values.arithmetic import arithmetic
from rulewright.dsl.model import types
from rulewright.dsl.model.types import UNKNOWN, range_of
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import every, walk

Refuse = Callable[[int, tuple[Expr, ...]], Stmts]


@frozen
class Paid:
    """Bounds of the amount already paid from a group of stores. Nothing except payments has changed these stores."""

    least: Expr
    most: Expr
    zone: str


@define
class State:
    """The state of a walk through steps: the current rule, and the changes that the steps have made so far.

    `key` is the body that contains the steps. If `guarded` is false, every choice in the steps must
    be possible, so choices are not searched. If `certain` is true, a choice that may be impossible
    is reported. If `complete` is true, nothing can fail except the conditions tested so far. In
    positions where later steps cannot be predicted, `accept` is run instead of further tests.
    """

    w: Writer
    refuse: Refuse
    key: str
    guarded: bool = True
    certain: bool = False
    written: set[str] = field(factory=set)
    unknown: set[str] = field(factory=set)
    complete: bool = True
    stopped: bool = False
    accept: Stmts | None = None
    doubtful: bool = False
    """Whether the walk accepts some positions before its end."""
    all_accepted: bool = False
    """Whether every position that reaches the current step has been accepted."""
    depth: int = 0
    choices: int = 0
    """The number of choices in which the current step is nested."""
    tags: tuple[str, ...] = ()
    known_zones: dict[str, syntax.Expression] = field(factory=dict)
    """Maps each local name of a piece to the zone that contained the piece when the walk began."""
    paid: dict[object, Paid] = field(factory=dict)
    """Maps each group of stores to the amount paid so far (see `paying`)."""
    asked: list[object] = field(factory=list)
    """The expressions that conditions read. A walk shares this list with all walks that branch off from it."""
    follows: Env | None = None
    """The names in scope if the walk follows changes of locals; None otherwise.

    A walk follows these changes only if it includes all later steps.
    """
    changed: set[str] = field(factory=set)
    """Locals whose changes this walk followed. In other walks these locals still have their old values."""

    def branch(self, refuse: Refuse | None = None) -> State:
        """Return a copy of the state for a separate walk that begins at the current step."""
        return evolve(
            self,
            refuse=self.refuse if refuse is None else refuse,
            accept=self.accept if refuse is None else None,
            all_accepted=False,
            written=set(self.written),
            unknown=set(self.unknown),
            follows=None,
            changed=set(),
            known_zones=dict(self.known_zones),
            paid=dict(self.paid),
            complete=True,
            stopped=False,
        )

    def refuse_if(self, test: Expr, words: str | Words, span: Span, *arguments: Expr) -> Stmts:
        """Return the step that refuses the option if a test holds. The reason is given by `words` and `arguments`."""
        parts = (words,) if isinstance(words, str) else words
        message = self.w.c.message(parts, span, self.tags)
        return [ir.If(test, tuple(self.refuse(message, arguments)))]

    def take_over(self, other: State) -> None:
        """Record the changes that the separate walk `other` has found, because they may have happened."""
        self.written |= other.written
        self.paid = {one: paid for one, paid in self.paid.items() if other.paid.get(one) == paid}
        self.unknown |= other.unknown | other.changed
        self.doubtful |= other.doubtful

    def note_changes(self, names: Set[str]) -> None:
        """Record that these names have changed. Conditions that read them can no longer be tested."""
        self.written |= names
        self.paid = {one: paid for one, paid in self.paid.items() if paid.zone not in names}


def stop(state: State, *, complete: bool) -> None:
    """Stop testing conditions, either because everything is known (`complete`) or because later
    steps cannot be predicted.
    """
    state.stopped = True
    state.complete = state.complete and complete


def doubt(state: State) -> Stmts:
    """Return the steps to run where later steps cannot be predicted. In such positions the option must be searched.

    If `accept` is None, return no steps and end the walk: the option is then searched in all
    positions.
    """
    if state.accept is None:
        stop(state, complete=False)
        return []
    state.stopped = state.doubtful = state.all_accepted = True
    return list(state.accept)


def is_clear(state: State, *nodes: object) -> bool:
    """Return whether everything that these nodes read is unchanged. Also add the nodes to `state.asked`."""
    state.asked += nodes
    if state.w.a.reads(*nodes) & state.written:
        return False
    return not any(
        isinstance(part, syntax.Word) and part.name in state.unknown
        for node in nodes
        for part in walk(node)
    )


def _is_clear_place(state: State, place: syntax.Expression) -> bool:
    """Return whether the contents of a place are still unchanged."""
    subject = place.subject if isinstance(place, syntax.Dot) else place
    return is_clear(state, subject) and not state.w.a.place_reads(place) & state.written


def note_step(state: State, s: syntax.Statement) -> None:
    """Record the names that are changed by a step or by the triggers that the step starts."""
    state.note_changes(state.w.a.changes_of(s))
    for inner in every((s,)):
        if isinstance(inner, (syntax.SetTo, syntax.Amount, syntax.Roll)) and isinstance(
            inner.place, syntax.Word
        ):
            state.unknown.add(inner.place.name)
            state.known_zones.pop(inner.place.name, None)
        if isinstance(inner, (syntax.Let, syntax.LetDo, syntax.Choose)):
            state.unknown.add(inner.name)


def zone_of(state: State, source: syntax.Expression | None) -> syntax.Expression | None:
    """Return the zone that a source names, directly or inside `list(...)`; None if it names no zone."""
    match source:
        case syntax.Query(word="list", body=None, binders=(binder,)):
            return zone_of(state, binder.source)
        case syntax.Word(name=name) | syntax.Call(name=name) | syntax.Dot(name=name):
            return source if name in state.w.a.zone_names else None
        case syntax.WrittenValue() | syntax.Operation() | None:
            return None


def _with_source(state: State, s: syntax.Move) -> syntax.Move:
    """If the zone that contains the piece is known, return a move whose source is this zone.

    Otherwise return the move unchanged.
    """
    if s.source is not None or not isinstance(s.amount, syntax.Word):
        return s
    zone = state.known_zones.pop(s.amount.name, None)
    if zone is None or state.w.a.place_reads(zone) & state.written:
        return s
    return evolve(s, source=zone)


def needs(state: State, env: Env, s: syntax.Needs) -> Stmts:
    """Return steps that test `needs C else "..."`."""
    if not is_clear(state, s.condition):
        return doubt(state)
    found: Stmts = []
    for asked in messages.needed_conditions(env, s):
        test = negation(asked.code)
        message, arguments = messages.needs_message(state.w.c, env, s, asked, state.tags)
        env.learn(asked.so)
        if test != ZERO:
            found.append(ir.If(test, tuple(state.refuse(message, arguments))))
    return found


def limit(state: State, env: Env, s: syntax.Limit) -> Stmts:
    """Return steps that test `limit 1 per turn`."""
    counted = f"limit {s.span.start}"
    if counted in state.written:
        return doubt(state)
    state.written.add(counted)
    cells = limits.limit_cells(state.w, s)
    count = expressions.number(env, s.count)
    me = env.scope["me"].read() if "me" in env.scope else ZERO
    message = messages.limit_message(state.w.c, s, state.tags)
    used = load(cells, me)
    return [ir.If(binary(">=", used, count.code), tuple(state.refuse(message, (count.code,))))]


def let(state: State, env: Env, s: syntax.Let) -> Stmts:
    """Return steps that perform `let n = E`. If the value cannot be predicted, declare a local with
    an unknown value instead.
    """
    state.known_zones.pop(s.name, None)
    if not is_clear(state, s.value):
        state.unknown.add(s.name)
        env.declare(s.name, UNKNOWN, None)
        return []
    wanted = state.w.c.model.type_of(s.type) if s.type is not None else None
    found = recursion.expression(env, s.value, wanted)
    typed = expressions.as_stored(env, found, s.value, wanted)
    type = wanted if wanted is not None and wanted.known else typed.type
    variable = env.declare(s.name, type, None)
    return variable.set_to(typed.code)


def note_unknown(state: State, env: Env, s: syntax.LetDo) -> None:
    """Record that the result of a step such as `let agreed = do ask(p)` cannot be predicted."""
    state.known_zones.pop(s.name, None)
    state.unknown.add(s.name)
    env.declare(s.name, UNKNOWN, None)


def change(state: State, env: Env, s: syntax.SetTo | syntax.Amount) -> Stmts:
    """Return steps that perform `set x to E`, `add E to xs` or `lose E from xs` on a local.

    If the place is not a local or its new value cannot be predicted, only record the change.
    """
    if state.w.a.can_fail((s,)):
        return doubt(state)
    given = s.amount if isinstance(s, syntax.Amount) else s.value
    place = s.place
    if (
        not isinstance(place, syntax.Word)
        or place.name not in env.scope
        or not is_clear(state, place, given)
    ):
        note_step(state, s)
        return []
    before = env.scope[place.name]
    code = changing.value_after(env, s, before) if before.type.known else ZERO
    if not before.type.known or _may_fault(env, code):
        note_step(state, s)
        return []
    variable = env.declare(place.name, before.type, None)
    env.forget([place.name])
    state.changed.add(place.name)
    state.known_zones.pop(place.name, None)
    return variable.set_to(code)


def _may_fault(env: Env, code: Expr) -> bool:
    """Return whether evaluating `code` may cause a fault."""
    called = [part.procedure for part in walk(code) if isinstance(part, ir.CallValue)]
    bodies = [env.c.plain[number] for number in called]
    return any(
        body is None or any(isinstance(part, ir.Fault) for part in walk(body.body))
        for body in bodies
    )


def pay(state: State, env: Env, s: syntax.Amount) -> Stmts:
    """Return steps that test `pay n from me.coins`."""
    w = state.w
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        return doubt(state)
    if not is_clear(state, s.place, s.amount):
        return doubt(state)
    place = recursion.expression(env, s.place)
    amount = expressions.number(env, s.amount)
    if (
        place.group is None
        or place.group.what != "state"
        or not isinstance(place.group.type, types.Number)
    ):
        return doubt(state)
    note_step(state, s)
    low = place.group.type.low
    if range_of(place.type).low - range_of(amount.type).high >= low:
        return []
    words = messages.too_little(w.c, place.group.name)
    less = arithmetic(w.c, "-", place, amount, s.span).code
    short = ir.Binary("<", less, ir.Const(low))
    return state.refuse_if(short, words, s.span, amount.code, place.code)


def move(state: State, env: Env, s: syntax.Move) -> Stmts:
    """Return steps that test `move n from A to B` or `move x to B`."""
    w = state.w
    known = _with_source(state, s)
    if not w.a.can_fail((s,)):
        note_step(state, known)
        return []
    if any(w.a.can_fail(w.a.move_triggers[n][0].body) for n in w.a.move_triggers_of(s)) or any(
        w.a.can_fail(w.a.watchers[n][0].body) for n in w.a.watchers_of(s)
    ):
        return doubt(state)
    ends = [place for place in (s.source, s.target) if place is not None]
    if not is_clear(state, s.amount) or not all(_is_clear_place(state, end) for end in ends):
        return doubt(state)
    m = moves.lower_move(env, s)
    if not m.target.type.known or m.target.group is None:
        return doubt(state)
    is_token = m.target.group.what == "tokens"
    out = _token_test(state, env, m) if is_token else _piece_test(state, env, m, m.target.group)
    note_step(state, known)
    return out


def _token_test(state: State, env: Env, m: moves.LoweredMove) -> Stmts:
    s = m.s
    if m.source is None or s.amount is None or m.amount is None:
        return doubt(state)
    source = moves.token_spot(env, m.source)
    target = moves.token_spot(env, m.target)
    if source is None or target is None:
        return doubt(state)
    cells = moves.token_cells(env, s, source, target)
    if cells is None:
        return doubt(state)
    amount = expressions.as_number(env, m.amount, s.amount)
    if moves.has_enough_tokens(env, m, source):
        return []
    have, words = ir.Load(cells[0]), moves.short_of_tokens(state.w.c, m.source)
    return state.refuse_if(binary("<", have, amount.code), words, s.span, have, amount.code)


def _piece_test(state: State, env: Env, m: moves.LoweredMove, group: CellGroup) -> Stmts:
    c, s, target, source, what = state.w.c, m.s, m.target, m.source, m.amount
    out: Stmts = []
    if source is not None and m.is_number:
        if (
            not isinstance(source.type, types.Zone)
            or s.amount is None
            or what is None
            or source.slot is not None
        ):
            return doubt(state)
        amount = expressions.as_number(env, what, s.amount)
        if s.how == "exactly" and not moves.has_enough(env, s.source, amount):
            count, words = places.zone_size(c, source), moves.short_of_pieces(c, source)
            is_short = binary("<", count, amount.code)
            out += state.refuse_if(is_short, words, s.span, count, amount.code)
        if group.shape == "spot" and range_of(amount.type).high <= 1:
            out += _room_test(state, env, m, group, source, amount)
        elif group.shape in ("spot", "row"):
            out += doubt(state)
        return out
    if s.how == "all" or s.amount is None or what is None:
        return [*out, *doubt(state)] if group.shape in ("spot", "row") else out
    called = what.ids if s.source is not None else None
    if called and s.source is not None:
        what = moves.first_named(env, s.amount, what, s.source)
    if not isinstance(what.type, types.Piece):
        if (
            s.source is not None
            or group.shape in ("spot", "row")
            or not isinstance(what.type, types.Several)
        ):
            return [*out, *doubt(state)]
        return out
    if what.type.opt:
        none_left = unmet.none_left(env, s.amount, s.source)
        out += state.refuse_if(binary("<", what.code, ZERO), none_left, s.span)
    if source is not None and not called:
        outside = binary("!=", load(c.layout.zone_of, what.code), source.code)
        out += state.refuse_if(outside, unmet.not_there(env, s.amount, s.source), s.span)
    if group.shape == "spot" and not moves.is_known_empty(env, s.target):
        is_taken = binary(">", load(c.layout.count, target.code), ZERO)
        out += state.refuse_if(is_taken, f"`{group.name}` is taken", s.span)
    if group.shape == "row":
        if target.slot is None:
            is_full = binary("==", ir.CallValue(relinking.free_slot(c), (target.code,)), ZERO)
            out += state.refuse_if(is_full, f"`{group.name}` is full", s.span)
        else:
            is_taken = binary(">=", target.slot, ZERO)
            out += state.refuse_if(is_taken, "the slot is taken", s.span)
    return out


def _room_test(
    state: State,
    env: Env,
    m: moves.LoweredMove,
    group: CellGroup,
    source: Typed,
    amount: Typed,
) -> Stmts:
    """Return steps that test `move up to 1 from deck to spot`: the spot must be empty if a piece is moved."""
    c, s = state.w.c, m.s
    if moves.is_known_empty(env, s.target):
        return []
    taken = binary(">", load(c.layout.count, m.target.code), ZERO)
    taken = taken if range_of(amount.type).low > 0 else both(taken, binary(">", amount.code, ZERO))
    if s.how == "up to":
        taken = both(taken, binary(">", places.zone_size(c, source), ZERO))
    return state.refuse_if(taken, f"`{group.name}` is taken", s.span)


def chance(state: State, env: Env, s: syntax.Roll | syntax.Shuffle) -> Stmts:
    """Return steps that test a `roll` or `shuffle`. A roll from a list fails if the list is empty.

    The walk ends here, because later steps depend on chance.
    """
    if not isinstance(s, syntax.Roll) or not state.w.a.can_fail((s,)) or s.source is None:
        stop(state, complete=True)
        return []
    if not is_clear(state, s.source):
        return doubt(state)
    source = recursion.expression(env, s.source)
    listed = expressions.as_list(env, source, s.source)
    stop(state, complete=True)
    if isinstance(listed.code, ir.Const):
        return []
    empty = binary("==", ir.Length(listed.code), ZERO)
    return state.refuse_if(empty, "there is nothing to roll for", s.span)
