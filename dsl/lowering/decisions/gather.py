"""What can be looked at before an option is taken: the conditions of the steps that would follow it.

Walks the steps in their order. A condition is asked beforehand only where no earlier step
changes what it looks at; the walk
ends at the first thing that cannot be foreseen so, and then the option must be searched (`complete` is False).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field, frozen

from rulewright.dsl import ir
from rulewright.dsl.lowering.steps import limits, messages, moves, relinking
from rulewright.dsl.lowering.values import assuming, expressions, places
from rulewright.dsl.lowering.workshop import recursion
from rulewright.dsl.lowering.workshop.code import ONE, ZERO, Expr, Stmts, binary, load, negated
from rulewright.dsl.lowering.workshop.core import Env, new_env
from rulewright.dsl.lowering.workshop.paths import clause_ids
from rulewright.dsl.lowering.workshop.writer import Context, Writer
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every, walk
from rulewright.dsl.world.typesystem import UNKNOWN, whole

Refuse = Callable[[int, tuple[Expr, ...]], Stmts]


@frozen
class Gathered:
    """The conditions as statements of the enumerator, and whether they settle everything."""

    statements: Stmts
    complete: bool


@define
class _State:
    w: Writer
    refuse: Refuse
    written: set[str] = field(factory=set)
    unknown: set[str] = field(factory=set)
    complete: bool = True
    stopped: bool = False
    depth: int = 0
    tags: tuple[str, ...] = ()


def gather(
    w: Writer, env: Env, steps: Sequence[syntax.Statement], refuse: Refuse, ctx: Context
) -> Gathered:
    """The conditions of these steps, as far as they can be asked beforehand."""
    if not w.a.fallible(steps):
        return Gathered([], True)
    state = _State(w, refuse, tags=ctx.tags)
    problems = w.c.quietly()
    out = _walk(state, env, steps)
    w.c.loudly(problems)
    return Gathered(_needed(out), state.complete)


def _needed(stmts: Stmts) -> Stmts:
    """Without the locals that no condition looks at."""
    while True:
        read: set[int] = set()
        for part in walk(stmts):
            if isinstance(part, ir.Local):
                read.add(part.slot)
        kept = [s for s in stmts if not isinstance(s, ir.SetLocal) or s.slot in read]
        if len(kept) == len(stmts):
            return kept
        stmts = kept


def _stop(state: _State, *, complete: bool) -> None:
    state.stopped = True
    state.complete = state.complete and complete


def _clear(state: _State, *nodes: object) -> bool:
    """Whether an expression looks at nothing that has changed by then."""
    if state.w.a.reads(*nodes) & state.written:
        return False
    return not any(
        isinstance(part, syntax.Word) and part.name in state.unknown
        for node in nodes
        for part in walk(node)
    )


def _walk(state: _State, env: Env, steps: Sequence[syntax.Statement]) -> Stmts:
    out: Stmts = []
    for n, s in enumerate(steps):
        if state.stopped:
            break
        tags = clause_ids(getattr(s, "tags", ()))
        before = state.tags
        if tags:
            state.tags = tags
        out.extend(_step(state, env, s, steps[n + 1 :]))
        state.tags = before
    return out


def _step(state: _State, env: Env, s: syntax.Statement, rest: Sequence[syntax.Statement]) -> Stmts:
    w, a = state.w, state.w.a
    match s:
        case syntax.Let():
            return _let(state, env, s)
        case syntax.Needs():
            if not _clear(state, s.condition):
                _stop(state, complete=False)
                return []
            found: Stmts = []
            for part in messages.needed(s):
                test = negated(expressions.condition(env, part.condition))
                message, arguments = messages.needs_message(w.c, env, part, state.tags)
                assuming.assume(env, part.condition, truth=True)
                if test != ZERO:
                    found.append(ir.If(test, tuple(state.refuse(message, arguments))))
            return found
        case syntax.Limit():
            cells = limits.limit_cells(w, s)
            count = expressions.number(env, s.count)
            me = env.scope["me"].read() if "me" in env.scope else ZERO
            message = messages.limit_message(w.c, s, state.tags)
            used = load(cells, me)
            return [
                ir.If(binary(">=", used, count.code), tuple(state.refuse(message, (count.code,))))
            ]
        case syntax.Amount(verb="pay"):
            return _pay(state, env, s)
        case syntax.Move():
            return _move(state, env, s)
        case syntax.Do():
            return _do(state, env, s)
        case syntax.If():
            return _if(state, env, s)
        case syntax.AtOnce() | syntax.Phase():
            return _walk(state, env.child(), s.body)
        case syntax.Roll() | syntax.Shuffle():
            # chance is the horizon: what follows cannot be promised
            return _chance(state, env, s)
        case syntax.Simple(word="end game"):
            _stop(state, complete=True)
            return []
        case syntax.Choose() | syntax.ChooseOf() | syntax.May() | syntax.IfPossible():
            _decision(state, env, s, rest)
            return []
        case _:
            if a.fallible((s,)):
                _stop(state, complete=False)
                return []
            _note(state, s)
            return []


def _decision(
    state: _State, env: Env, s: syntax.Statement, rest: Sequence[syntax.Statement]
) -> None:
    """A further choice: fine when it never fails and nothing after it does."""
    if state.w.a.fallible((s,)) or state.w.a.fallible(rest):
        _stop(state, complete=False)
    else:
        _stop(state, complete=True)


def _note(state: _State, s: syntax.Statement) -> None:
    """Remember what a step that cannot fail changes, with all that it sets off."""
    state.written |= state.w.a.changes((s,))
    for inner in every((s,)):
        if isinstance(inner, (syntax.SetTo, syntax.Amount, syntax.Roll)) and isinstance(
            inner.place, syntax.Word
        ):
            state.unknown.add(inner.place.name)
        if isinstance(inner, (syntax.Let, syntax.Choose)):
            state.unknown.add(inner.name)


def _let(state: _State, env: Env, s: syntax.Let) -> Stmts:
    if not _clear(state, s.value):
        state.unknown.add(s.name)
        env.declare(s.name, UNKNOWN, None)
        return []
    wanted = state.w.c.world.type_of(s.type) if s.type is not None else None
    typed = recursion.expression(env, s.value, wanted)
    if typed.type.tag == "tokens":
        typed = places.token_count(env, typed, s.value)
    if typed.type.tag == "zone" or (wanted is not None and wanted.tag == "list"):
        typed = expressions.as_list(env, typed, s.value)
    type = wanted if wanted is not None and wanted.known else typed.type
    variable = env.declare(s.name, type, None)
    variable.used = True
    return [ir.SetLocal(variable.slot, typed.code)]


def _pay(state: _State, env: Env, s: syntax.Amount) -> Stmts:
    w = state.w
    if isinstance(s.place, syntax.Word) and s.place.name in env.scope:
        _stop(state, complete=False)
        return []
    if not _clear(state, s.place, s.amount):
        _stop(state, complete=False)
        return []
    place = recursion.expression(env, s.place)
    amount = expressions.number(env, s.amount)
    if place.family is None or place.family.what != "state" or place.family.type.tag != "int":
        _stop(state, complete=False)
        return []
    _note(state, s)
    low = place.family.type.low
    if place.type.low - amount.type.high >= low:
        return []
    name = place.family.name.replace("_", " ")
    number = w.c.domain(whole(0, 1))
    message = w.c.message(
        ("this takes ", ir.Shown(0, number), f" {name}, and there are ", ir.Shown(1, number)),
        s.span,
        state.tags,
    )
    short = ir.Binary("<", binary("-", place.code, amount.code), ir.Const(low))
    return [ir.If(short, tuple(state.refuse(message, (amount.code, place.code))))]


def _move(state: _State, env: Env, s: syntax.Move) -> Stmts:
    w = state.w
    if not w.a.fallible((s,)):
        _note(state, s)
        return []
    if any(w.a.fallible(w.a.movers[n][0].body) for n in w.a.movers_of(s)) or any(
        w.a.fallible(w.a.watchers[n][0].body) for n in w.a.triggers_after(w.a.step_writes(s))
    ):
        _stop(state, complete=False)
        return []
    parts = [p for p in (s.amount, s.source, s.target) if p is not None]
    if not _clear(state, *parts):
        _stop(state, complete=False)
        return []
    target = recursion.expression(env, s.target)
    if not target.type.known or target.family is None:
        _stop(state, complete=False)
        return []
    out = (
        _token_test(state, env, s) if target.family.what == "tokens" else _piece_test(state, env, s)
    )
    _note(state, s)
    return out


def _token_test(state: _State, env: Env, s: syntax.Move) -> Stmts:
    if s.source is None or s.amount is None:
        _stop(state, complete=False)
        return []
    source = moves.token_spot(env, s.source)
    target = moves.token_spot(env, s.target)
    if source is None or target is None:
        _stop(state, complete=False)
        return []
    colour = source.colour if source.colour is not None else target.colour
    if source.all_colours and colour is None:
        _stop(state, complete=False)
        return []
    address = (
        binary("+", source.address, colour)
        if source.all_colours and colour is not None
        else source.address
    )
    amount = expressions.number(env, s.amount)
    if moves.provably(env, s.source, amount):
        return []
    number = state.w.c.domain(whole(0, 1))
    words = [
        w if isinstance(w, str) else ir.Shown(w, number) for w in moves.short_of_tokens(env, s)
    ]
    message = state.w.c.message(words, s.span, state.tags)
    return [
        ir.If(
            binary("<", ir.Load(address), amount.code),
            tuple(state.refuse(message, (ir.Load(address), amount.code))),
        )
    ]


def _piece_test(state: _State, env: Env, s: syntax.Move) -> Stmts:
    c = state.w.c
    target = recursion.expression(env, s.target)
    family = target.family
    assert family is not None
    out: Stmts = []
    number = c.domain(whole(0, 1))
    if s.source is not None and moves.is_number(env, s.amount):
        source = recursion.expression(env, s.source)
        if source.type.tag != "zone" or s.amount is None or source.slot is not None:
            _stop(state, complete=False)
            return []
        if s.how == "exactly":
            amount = expressions.number(env, s.amount)
            if not moves.provably(env, s.source, amount):
                count = places.zone_size(c, source)
                name = (
                    source.family.name.replace("_", " ")
                    if source.family is not None
                    else "the zone"
                )
                message = c.message(
                    (
                        "there are only ",
                        ir.Shown(0, number),
                        f" in the {name}, this takes ",
                        ir.Shown(1, number),
                    ),
                    s.span,
                    state.tags,
                )
                out.append(
                    ir.If(
                        binary("<", count, amount.code),
                        tuple(state.refuse(message, (count, amount.code))),
                    )
                )
        if family.shape in ("spot", "row"):
            _stop(state, complete=False)
        return out
    if s.how == "all" or s.amount is None:
        if family.shape in ("spot", "row"):
            _stop(state, complete=False)
        return out
    what = recursion.expression(env, s.amount)
    if what.type.tag != "piece":
        _stop(
            state,
            complete=family.shape not in ("spot", "row") and what.type.tag in ("list", "zone"),
        )
        return out
    if what.type.opt:
        message = c.message(
            (f"there is no piece to move ({s.amount.span.text})",), s.span, state.tags
        )
        out.append(ir.If(binary("<", what.code, ZERO), tuple(state.refuse(message, ()))))
    if s.source is not None:
        source = recursion.expression(env, s.source)
        message = c.message(("it does not lie there",), s.span, state.tags)
        outside = binary("!=", load(c.layout.zone_of, what.code), source.code)
        out.append(ir.If(outside, tuple(state.refuse(message, ()))))
    if family.shape == "spot" and not moves.known_empty(env, s.target):
        message = c.message((f"`{family.name}` is taken",), s.span, state.tags)
        out.append(
            ir.If(
                binary(">", load(c.layout.count, target.code), ZERO),
                tuple(state.refuse(message, ())),
            )
        )
    if family.shape == "row":
        if target.slot is None:
            message = c.message((f"`{family.name}` is full",), s.span, state.tags)
            test = binary("==", ir.CallValue(relinking.free_slot(c), (target.code,)), ZERO)
        else:
            message = c.message(("the slot is taken",), s.span, state.tags)
            test = binary(">=", target.slot, ZERO)
        out.append(ir.If(test, tuple(state.refuse(message, ()))))
    return out


def _chance(state: _State, env: Env, s: syntax.Roll | syntax.Shuffle) -> Stmts:
    if not isinstance(s, syntax.Roll) or not state.w.a.fallible((s,)) or s.source is None:
        _stop(state, complete=True)
        return []
    if not _clear(state, s.source):
        _stop(state, complete=False)
        return []
    source = recursion.expression(env, s.source)
    listed = expressions.as_list(env, source, s.source)
    _stop(state, complete=True)
    if isinstance(listed.code, ir.Const):
        return []
    message = state.w.c.message(("there is nothing to roll for",), s.span, state.tags)
    empty = binary("==", ir.Length(listed.code), ZERO)
    return [ir.If(empty, tuple(state.refuse(message, ())))]


def _do(state: _State, env: Env, s: syntax.Do) -> Stmts:
    w = state.w
    if not w.a.fallible((s,)):
        _note(state, s)
        return []
    name = call_name(s.call)
    rule = (
        w.c.world.rules.get(name)
        if isinstance(s.call, (syntax.Word, syntax.Call)) and not s.effect
        else None
    )
    if (
        rule is None
        or w.a.open_parameters(s)
        or s.changes
        or state.depth >= 6
        or w.a.hooks.get(name)
        or any(a.is_open_in(name) for a, _ in w.a.anytimes)
    ):
        _stop(state, complete=False)
        return []
    given = s.call.arguments if isinstance(s.call, syntax.Call) else ()
    if not _clear(state, *given) or len(given) != len(rule.params):
        _stop(state, complete=False)
        return []
    inner = new_env(w.c, env.procedure)
    if "me" in env.scope:
        inner.scope["me"] = env.scope["me"]
    out: Stmts = []
    for param, argument in zip(rule.params, given, strict=True):
        typed = recursion.expression(env, argument)
        if typed.type.tag == "tokens":
            typed = places.token_count(env, typed, argument)
        if typed.type.tag == "zone":
            typed = expressions.as_list(env, typed, argument)
        type = typed.type
        if param.type is not None:
            declared = w.c.world.type_of(param.type)
            type = declared if declared.known else type
        variable = inner.declare(param.name, type, None)
        variable.used = True
        out.append(ir.SetLocal(variable.slot, typed.code))
    unknown, state.unknown = state.unknown, set()
    state.depth += 1
    out.extend(_walk(state, inner, rule.body))
    state.depth -= 1
    state.unknown = unknown
    return out


def _if(state: _State, env: Env, s: syntax.If) -> Stmts:
    if not state.w.a.fallible((s,)):
        _note(state, s)
        return []
    if not all(_clear(state, asked) for asked, _ in s.cases) or any(
        isinstance(inner, (syntax.Simple, syntax.Roll, syntax.Shuffle)) or _suspends_choice(inner)
        for block in blocks_of(s)
        for inner in every(block)
    ):
        _stop(state, complete=False)
        return []
    written, unknown = set(state.written), set(state.unknown)
    after_written, after_unknown = set(written), set(unknown)
    env = env.child()

    def branch(inner: Env, block: syntax.Block) -> tuple[ir.Stmt, ...]:
        nonlocal after_written, after_unknown
        state.written, state.unknown = set(written), set(unknown)
        stmts = _walk(state, inner, block)
        after_written |= state.written
        after_unknown |= state.unknown
        return tuple(stmts)

    def chain(n: int) -> tuple[ir.Stmt, ...]:
        if n == len(s.cases):
            return branch(env, s.otherwise)
        asked, block = s.cases[n]
        code = expressions.condition(env, asked)
        inner = env.child()
        assuming.assume(inner, asked, truth=True)
        assuming.assume(env, asked, truth=False)
        then = branch(inner, block)
        if state.stopped:
            return (ir.If(code, then),) if then else ()
        rest = chain(n + 1)
        if code == ONE:
            return then
        if code == ZERO:
            return rest
        return (ir.If(code, then, rest),) if then or rest else ()

    out = list(chain(0))
    state.written, state.unknown = after_written, after_unknown
    return out


def _suspends_choice(s: syntax.Statement) -> bool:
    return isinstance(s, (syntax.Choose, syntax.ChooseOf, syntax.May, syntax.IfPossible))
