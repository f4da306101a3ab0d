"""What happens by itself: triggers on conditions, numbers, moves and actions; and what wraps a
rule when it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.dsl import ir
from rulewright.dsl.lowering.steps import moves
from rulewright.dsl.lowering.steps.parameters import frame_arguments, param_type
from rulewright.dsl.lowering.values import (
    expressions,
    places,
    powers,
    queries,
    rows,
)
from rulewright.dsl.lowering.workshop import recursion
from rulewright.dsl.lowering.workshop.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    either,
    load,
)
from rulewright.dsl.lowering.workshop.core import (
    Compiler,
    Env,
    Procedure,
    Rules,
    Typed,
    Variable,
    Watched,
    new_env,
)
from rulewright.dsl.lowering.workshop.layout import Family
from rulewright.dsl.lowering.workshop.writer import Context, Writer, start_writer
from rulewright.dsl.problems.suggest import did_you_mean
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.world.typesystem import PLAYER, UNKNOWN, Type, list_of, whole

# ---- calling rules with what hangs on them --------------------------------------------------------------


def entry(rules: Rules, key: str) -> tuple[bool, int]:
    """The procedure to call for a body: its wrapper, where something hangs on it."""
    if key in rules.wrappers:
        return True, rules.wrappers[key]
    return rules.numbers[key]


def needs_wrapper(rules: Rules, key: str) -> bool:
    """Whether something hangs on a rule: hooks, or permissions that are open while it runs."""
    name = key.split(" ", 1)[1]
    return key.startswith("rule ") and (
        bool(rules.a.hooks.get(name)) or any(a.is_open_in(name) for a, _ in rules.a.anytimes)
    )


def running_cells(rules: Rules, name: str) -> int:
    """Where it is counted how often a rule is running, for each player."""
    if name not in rules.running:
        rules.running[name] = rules.c.layout.take(len(rules.c.world.seats))
    return rules.running[name]


def write_wrapper(rules: Rules, key: str) -> None:
    """The procedure that runs a rule with its hooks: instead of, before, after."""
    c = rules.c
    name = key.split(" ", 1)[1]
    rule = c.world.rules[name]
    number = rules.wrappers[key]
    w = start_writer(rules, f"{name} and what hangs on it", True, rules.a.bodies[key], number)
    env = new_env(c, w.procedure)
    env.scope["me"] = Variable("me", PLAYER, w.procedure.slot(), w.procedure, None, used=True)
    for n, param in enumerate(rule.params):
        env.declare(param.name, param_type(w, rule, n), None).used = True
    parameters = w.procedure.locals
    body = rules.a.bodies[key]
    ctx = Context(env, tail=body.tail, guarded=body.in_guard, together=body.together)
    arguments = [variable.read() for variable in env.scope.values()]
    cells: int | None = None
    if any(a.is_open_in(name) for a, _ in rules.a.anytimes):
        cells = running_cells(rules, name)
        at = binary("+", ir.Const(cells), ir.Local(0))
        w.emit(ir.Store(at, binary("+", ONE, ir.Load(at))))
    hooks = list(enumerate(rules.a.hooks.get(name, [])))
    done = w.rules.block()
    for n, (hook, power) in hooks:
        if hook.when == "instead of":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=done)
    for n, (hook, power) in hooks:
        if hook.when == "before":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=None)
    suspending, raw = rules.numbers[key]
    if suspending:
        w.call(raw, [arguments[0], *frame_arguments(w, key, arguments[1:])])
    else:
        w.emit(ir.CallPlain(raw, tuple(arguments)))
    for n, (hook, power) in hooks:
        if hook.when == "after":
            _run_hook(w, ctx, name, n, hook, power, rule, leave=None)
    w.end(ir.Goto(done), done)
    if cells is not None:
        at = binary("+", ir.Const(cells), ir.Local(0))
        w.emit(ir.Store(at, ir.Binary("-", ir.Load(at), ONE)))
    w.finish(parameters, rule.name_span)


def hook_names(c: Compiler, hook: declared.OnAction, power: declared.Power | None) -> list[str]:
    """The names a hook's body is given: those of its pattern, its actor, its power's owner and card."""
    names = [p.name for p in hook.pattern.params]
    if hook.pattern.actor is not None and hook.pattern.actor.name not in names:
        names.append(hook.pattern.actor.name)
    if power is not None:
        probe = new_env(c, Procedure("", suspending=False))
        owner = powers.owner_name(probe, power)
        if owner is not None and owner not in names:
            names.append(owner)
        if power.type is not None:
            names.append(power.name)
    return names


def _run_hook(
    w: Writer,
    ctx: Context,
    name: str,
    n: int,
    hook: declared.OnAction,
    power: declared.Power | None,
    rule: declared.Rule,
    *,
    leave: int | None,
) -> None:
    """Run a hook for each card that carries it, where its pattern fits."""
    c, env = w.c, ctx.env
    if len(hook.pattern.params) > len(rule.params):
        c.problems.error(
            "wrong-arguments",
            f"`{name}` has {len(rule.params)} parameters, the pattern names {len(hook.pattern.params)}",
            hook.pattern.span,
        )
        return
    names = hook_names(c, hook, power)
    matcher = c.reserve_plain()
    procedure = Procedure(f"when {hook.when} {name}", suspending=False)
    inner = new_env(c, procedure)
    inner.scope["me"] = Variable("me", PLAYER, procedure.slot(), procedure, None, used=True)
    for param in rule.params:
        variable = env.scope[param.name]
        inner.scope[param.name] = Variable(
            param.name, variable.type, procedure.slot(), procedure, None, used=True
        )
    count = procedure.locals
    out = procedure.slot()
    pairs: list[tuple[Expr, Type, syntax.Expression]] = []
    bound = new_env(c, procedure)
    bound.scope["me"] = inner.scope["me"]
    for written, param in zip(hook.pattern.params, rule.params, strict=False):
        pairs.append((inner.scope[param.name].read(), inner.scope[param.name].type, written))
    if hook.pattern.actor is not None:
        pairs.append((inner.scope["me"].read(), PLAYER, hook.pattern.actor))

    def found(at: Env) -> Stmts:
        items = tuple(at.scope[x].read() if x in at.scope else NONE for x in names)
        return [ir.Append(out, item) for item in items] or [ir.Append(out, ONE)]

    if power is not None:
        body = powers.bind_power(c, bound, power, pairs, hook.where, found)
    else:
        for code, type, pattern in pairs:
            if isinstance(pattern, syntax.Word):
                assert isinstance(code, ir.Local)
                bound.scope[pattern.name] = Variable(
                    pattern.name, type, code.slot, procedure, pattern.span, used=True
                )
        test = expressions.condition(bound, hook.where) if hook.where is not None else ONE
        body = found(bound)
        body = body if test == ONE else [ir.If(test, tuple(body))]
    c.put_plain(
        matcher,
        procedure,
        count,
        [ir.SetLocal(out, ir.MakeList(())), *body, ir.Return(ir.Local(out))],
    )
    width = max(1, len(names))
    copies = 1
    if power is not None and power.type is not None:
        copies = max(1, c.world.size_of(c.world.type_named(power.type.name) or UNKNOWN))
    elif power is not None:
        card = rows.row_named(env, power.name, Type("piece"))
        copies = len(card.ids or (0,)) if card is not None else 1
    capacity = width * max(1, copies)
    slot, index = w.procedure.slot(capacity + 1), w.procedure.slot()
    given = tuple(v.read() for v in env.scope.values())
    w.emit(ir.SetLocalList(slot, capacity, ir.CallValue(matcher, given)), ir.SetLocal(index, ZERO))
    test_block, go, after = (w.rules.block() for _ in range(3))
    w.end(ir.Goto(test_block), test_block)
    w.end(ir.Branch(binary("<", ir.Local(index), ir.Length(ir.LocalList(slot))), go, after), go)
    items = [
        ir.At(ir.LocalList(slot), binary("+", ir.Local(index), ir.Const(k)))
        for k in range(len(names))
    ]
    suspending, number = w.rules.numbers[f"hook {name} {n}"]
    arguments: tuple[Expr, ...] = (ir.Local(0), *items)
    if suspending:
        w.call(number, arguments)
    else:
        w.emit(ir.CallPlain(number, arguments))
    if leave is not None:
        w.end(ir.Goto(leave), after)
        return
    w.emit(ir.SetLocal(index, binary("+", ir.Const(width), ir.Local(index))))
    w.end(ir.Goto(test_block), after)


def hook_types(
    rules: Rules, hook: declared.OnAction, power: declared.Power | None, w: Writer
) -> list[tuple[str, Type]]:
    """The names of a hook's body with their types."""
    c = rules.c
    rule = c.world.rules.get(hook.pattern.name)
    types: dict[str, Type] = {}
    if rule is not None:
        for n, written in enumerate(hook.pattern.params):
            if n < len(rule.params):
                types[written.name] = param_type(w, rule, n)
    if hook.pattern.actor is not None:
        types[hook.pattern.actor.name] = PLAYER
    out: list[tuple[str, Type]] = []
    for name in hook_names(c, hook, power):
        type = types.get(name)
        if type is None and power is not None and power.type is not None and name == power.name:
            type = c.world.type_named(power.type.name)
        out.append((name, type or PLAYER))
    return out


# ---- conditions that are watched --------------------------------------------------------------------------


def after_names(w: Writer, ctx: Context, names: Iterable[str]) -> None:
    """After something with these names has changed: look at the conditions that watch it."""
    for n in w.a.triggers_after(set(names)):
        suspending, number = checker(w.rules, n)
        me = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
        if suspending:
            go, following = w.rules.block(), w.rules.block()
            w.end(ir.Branch(ir.CallValue(_turned(w.rules, n), ()), go, following), go)
            w.call(number, (me,))
            w.end(ir.Goto(following), following)
        else:
            w.emit(ir.CallPlain(number, (me,)))


def checker(rules: Rules, n: int) -> tuple[bool, int]:
    """The procedure that looks at a watched condition and runs its body on a change."""
    suspending = rules.a.bodies[f"trigger {n}"].suspends
    if n not in rules.checked:
        rules.checked[n] = rules.reserve() if suspending else rules.c.reserve_plain()
        _write_checker(rules, n, suspending)
    return suspending, rules.checked[n]


def watched(rules: Rules, n: int) -> Watched:
    """The instances of a watched condition and their shadow cells."""
    c = rules.c
    known = c.watched.get(n)
    if known is not None:
        return known
    trigger, power, _ = rules.a.watchers[n]
    procedure = Procedure("instances", suspending=False)
    env = new_env(c, procedure)
    instances = c.reserve_plain()
    type: Type = whole(0, 0)
    if power is not None:
        if trigger.binder is not None:
            c.problems.error(
                "wrong-type",
                "a `whenever` of a power has no `for`",
                trigger.binder.span,
                help="write it outside the power",
            )
        type = PLAYER
        c.put_plain(
            instances, procedure, 0, [ir.Return(ir.Const(tuple(range(len(c.world.seats)))))]
        )
    elif trigger.binder is not None:
        listed = queries.query(
            env,
            syntax.Query(trigger.binder.span, "list", (trigger.binder,), None, (), False, None),
            None,
        )
        type = listed.type.of or UNKNOWN
        c.put_plain(
            instances, procedure, 0, [ir.Return(listed.code if listed.type.known else ir.Const(()))]
        )
    else:
        c.put_plain(instances, procedure, 0, [ir.Return(ir.Const((0,)))])
    ids = list(c.world.ids_of(type)) or [0]
    low, high = min(ids), max(ids)
    if high - low > 20_000:
        c.problems.error("too-many-options", "this watches too many things at once", trigger.span)
        high = low
    holds = c.reserve_plain()
    test = Procedure("holds", suspending=False)
    env2 = new_env(c, test)
    slot = test.slot()
    body: Stmts
    if power is not None:
        owner = powers.owner_name(env2, power)
        pairs: list[tuple[Expr, Type, syntax.Expression]] = []
        if owner is not None:
            pairs.append((ir.Local(slot), PLAYER, syntax.Word(power.name_span, owner)))

        def met(at: Env) -> Stmts:
            return [ir.Return(_watched_value(c, at, trigger))]

        body = [*powers.bind_power(c, env2, power, pairs, None, met), ir.Return(ZERO)]
    else:
        if trigger.binder is not None:
            env2.declare(trigger.binder.name, type, trigger.binder.name_span, slot=slot).used = True
        body = [ir.Return(_watched_value(c, env2, trigger))]
    c.put_plain(holds, test, 1, body, trigger.span)
    cells = high - low + 1
    first = c.layout.take(cells)
    found = Watched(instances, holds, type, low, cells, first)
    c.watched[n] = found
    return found


def _watched_value(c: Compiler, env: Env, trigger: declared.Whenever) -> Expr:
    if trigger.change is None:
        code = expressions.condition(env, trigger.condition)
        return ir.Choice(code, ONE, ZERO) if not isinstance(code, ir.Const) else code
    return expressions.number(env, trigger.condition).code


def _turned(rules: Rules, n: int) -> int:
    """The procedure that tells whether a watched condition, or its change, is not as it was.

    Mostly it is, and then the procedure that looks which instance it is need not be called."""
    c, look = rules.c, watched(rules, n)
    if look.turned is None:
        trigger = rules.a.watchers[n][0]
        procedure = Procedure("turned", suspending=False)
        slot = procedure.slot()
        alone = c.plain[look.instances]
        is_one = alone is not None and alone.body == (ir.Return(ir.Const((0,))),)
        x: Expr = ZERO if is_one else ir.Local(slot)
        shadow = load(look.first - look.low, x)
        value = ir.CallValue(look.holds, (x,))
        new: Expr
        if trigger.change is not None:
            new = binary("!=", value, shadow)
        else:
            new = ir.Choice(value, binary("==", shadow, ZERO), binary("==", shadow, ONE))
        awake = load(rules.awake)
        body: Stmts
        if is_one:
            body = [ir.Return(ir.And(awake, new))]
        else:
            turn = (ir.If(new, (ir.Return(ONE),)),)
            turns = ir.ForEach(slot, ir.CallValue(look.instances, ()), turn)
            body = [ir.If(awake, (turns,)), ir.Return(ZERO)]
        look.turned = c.reserve_plain()
        c.put_plain(look.turned, procedure, 0, body, trigger.span)
    return look.turned


def _write_checker(rules: Rules, n: int, suspending: bool) -> None:
    c = rules.c
    trigger, power, _ = rules.a.watchers[n]
    look = watched(rules, n)
    number = rules.checked[n]
    w = start_writer(rules, f"watch line {trigger.span.line}", suspending, None, number)
    env = new_env(c, w.procedure)
    w.procedure.slot()  # me
    awake = load(rules.awake)
    x, now = w.procedure.slot(), w.procedure.slot()
    shadow = binary("+", ir.Const(look.first), binary("-", ir.Local(x), ir.Const(look.low)))
    value = ir.CallValue(look.holds, (ir.Local(x),))
    body_suspends, body = entry(rules, f"trigger {n}")
    extra: tuple[Expr, ...] = ()
    if trigger.binder is not None or (
        power is not None and powers.owner_name(env, power) is not None
    ):
        extra = (ir.Local(x),)
    if not suspending:
        if trigger.change is not None:
            d = w.procedure.slot()
            run: Stmts = [
                ir.SetLocal(now, value),
                ir.SetLocal(d, ir.Binary("-", ir.Local(now), ir.Load(shadow))),
                ir.If(
                    ir.Local(d),
                    (
                        ir.Store(shadow, ir.Local(now)),
                        ir.CallPlain(body, (ir.Local(0), *extra, ir.Local(d))),
                    ),
                ),
            ]
        else:
            fire: Stmts = [
                ir.Store(shadow, ir.Const(2)),
                ir.CallPlain(body, (ir.Local(0), *extra)),
                ir.Store(shadow, value),
            ]
            run = [
                ir.SetLocal(now, value),
                ir.If(
                    ir.Local(now),
                    (ir.If(binary("==", ir.Load(shadow), ZERO), tuple(fire)),),
                    (ir.If(binary("==", ir.Load(shadow), ONE), (ir.Store(shadow, ZERO),)),),
                ),
            ]
        w.emit(ir.If(awake, (ir.ForEach(x, ir.CallValue(look.instances, ()), tuple(run)),)))
        w.finish(1, trigger.span)
        return
    capacity = max(1, look.cells)
    members, index = w.procedure.slot(capacity + 1), w.procedure.slot()
    start, test, go, following, after = (rules.block() for _ in range(5))
    w.end(ir.Branch(awake, start, after), start)
    w.emit(
        ir.SetLocalList(members, capacity, ir.CallValue(look.instances, ())),
        ir.SetLocal(index, ZERO),
    )
    w.end(ir.Goto(test), test)
    w.end(ir.Branch(binary("<", ir.Local(index), ir.Length(ir.LocalList(members))), go, after), go)
    w.emit(ir.SetLocal(x, ir.At(ir.LocalList(members), ir.Local(index))), ir.SetLocal(now, value))
    if trigger.change is not None:
        d = w.procedure.slot()
        fire_block = rules.block()
        w.emit(ir.SetLocal(d, ir.Binary("-", ir.Local(now), ir.Load(shadow))))
        w.end(ir.Branch(ir.Local(d), fire_block, following), fire_block)
        w.emit(ir.Store(shadow, ir.Local(now)))
        w.call(body, (ir.Local(0), *extra, ir.Local(d)))
    else:
        fire_block = rules.block()
        w.emit(
            ir.If(
                ir.And(ir.Not(ir.Local(now)), binary("==", ir.Load(shadow), ONE)),
                (ir.Store(shadow, ZERO),),
            )
        )
        w.end(
            ir.Branch(
                ir.And(ir.Local(now), binary("==", ir.Load(shadow), ZERO)), fire_block, following
            ),
            fire_block,
        )
        w.emit(ir.Store(shadow, ir.Const(2)))
        w.call(body, (ir.Local(0), *extra))
        w.emit(ir.Store(shadow, value))
    w.end(ir.Goto(following), following)
    w.emit(ir.SetLocal(index, binary("+", ONE, ir.Local(index))))
    w.end(ir.Goto(test), after)
    del body_suspends
    w.finish(1, trigger.span)


def trigger_names(rules: Rules, n: int) -> list[tuple[str, Type]]:
    """The names the body of a watched condition is given."""
    trigger, power, _ = rules.a.watchers[n]
    look = watched(rules, n)
    names: list[tuple[str, Type]] = []
    if power is not None:
        owner = powers.owner_name(new_env(rules.c, Procedure("", suspending=False)), power)
        if owner is not None:
            names.append((owner, PLAYER))
    elif trigger.binder is not None:
        names.append((trigger.binder.name, look.type))
    if trigger.change is not None:
        names.append((trigger.change.name, whole(-(2**31) + 1, 2**31 - 1)))
    return names


def wake(w: Writer) -> None:
    """After setup: note how every watched condition stands, and begin to watch."""
    rules = w.rules
    for n, (trigger, _, _) in enumerate(rules.a.watchers):
        look = watched(rules, n)
        x = w.procedure.slot()
        shadow = binary("+", ir.Const(look.first), binary("-", ir.Local(x), ir.Const(look.low)))
        w.emit(
            ir.ForEach(
                x,
                ir.CallValue(look.instances, ()),
                (ir.Store(shadow, ir.CallValue(look.holds, (ir.Local(x),))),),
            )
        )
        del trigger
    if rules.a.watchers or rules.a.movers:
        w.emit(ir.Store(ir.Const(rules.awake), ONE))


# ---- pieces that enter and leave ----------------------------------------------------------------------------


def mover_families(c: Compiler, mover: declared.OnMove) -> list[Family]:
    """The zones a trigger on moves watches."""
    name = (
        mover.place.name if isinstance(mover.place, (syntax.Dot, syntax.Word, syntax.Call)) else ""
    )
    return [f for f in c.layout.families if f.what == "zone" and f.name == name]


def mover_names(rules: Rules, n: int) -> list[tuple[str, Type]]:
    """The names the body of a trigger on moves is given: the piece, and whose zone it is."""
    c = rules.c
    mover, power = rules.a.movers[n]
    families = mover_families(c, mover)
    names: list[tuple[str, Type]] = []
    held = sorted({k for f in families for k in f.type.names})
    names.append((mover.name.name, Type("piece", names=tuple(held)) if held else UNKNOWN))
    if isinstance(mover.place, syntax.Dot) and isinstance(mover.place.subject, syntax.Word):
        owner = mover.place.subject.name
        kinds = sorted({f.owner.name for f in families})
        if kinds == ["player"]:
            names.append((owner, PLAYER))
        elif kinds:
            tag = "space" if kinds[0] in c.world.spaces else "piece"
            names.append((owner, Type(tag, names=tuple(kinds))))  # type: ignore[arg-type]  # tags of things
    if not families and mover.place.span.text.split(".")[-1] not in c.layout.lost:
        c.problems.error(
            "unknown-name",
            f"there is no zone `{mover.place.span.text}`",
            mover.place.span,
            help=did_you_mean(
                mover.place.span.text.split(".")[-1],
                [f.name for f in c.layout.families if f.what == "zone"],
            ),
        )
    if power is not None:
        c.problems.error(
            "wrong-type",
            "`enters` and `leaves` stand outside powers",
            mover.span,
            help="ask for the card in a `where`",
        )
    return names


def with_moves(w: Writer, ctx: Context, s: syntax.Move, run: Callable[[], None]) -> None:
    """A move, and what its entering and leaving set off."""
    numbers = w.a.movers_of(s)
    if not numbers or ctx.at_once:
        run()
        after_step(w, ctx, s)
        return
    env, c = ctx.env, w.c
    hold = c.quietly()
    target = recursion.expression(env, s.target)
    source = recursion.expression(env, s.source) if s.source is not None else None
    amount = recursion.expression(env, s.amount) if s.amount is not None else None
    c.loudly(hold)
    if target.type.tag != "zone":
        run()
        after_step(w, ctx, s)
        return
    into = w.procedure.slot()
    w.emit(ir.SetLocal(into, target.code))
    before_in = _keep_list(
        w, places.zone_list(env, Typed(target.type, ir.Local(into), target.family))
    )
    out_zone = w.procedure.slot()
    before_out: Expr = ir.Const(())
    homes: Expr | None = None
    if source is not None and source.type.tag == "zone":
        w.emit(ir.SetLocal(out_zone, source.code))
        before_out = _keep_list(
            w, places.zone_list(env, Typed(source.type, ir.Local(out_zone), source.family))
        )
    elif amount is not None and amount.type.tag == "piece":
        piece = w.procedure.slot()
        w.emit(ir.SetLocal(piece, amount.code))
        w.emit(
            ir.SetLocal(
                out_zone,
                ir.Choice(
                    binary("<", ir.Local(piece), ZERO),
                    NONE,
                    load(c.layout.zone_of, ir.Local(piece)),
                ),
            )
        )
        before_out = _keep_list(w, Typed(list_of(amount.type, 1), ir.MakeList((ir.Local(piece),))))
    elif source is not None and source.type.tag == "list":
        before_out, homes = _keep_homes(w, source)
    elif amount is not None and amount.type.tag == "list":
        before_out, homes = _keep_homes(w, amount)
    else:
        w.emit(ir.SetLocal(out_zone, NONE))
    run()
    names = w.a.step_writes(s)
    env.forget(w.a.changes((s,)))
    for wanted in ("leaves", "enters"):
        for n in numbers:
            mover, _ = w.a.movers[n]
            if mover.how == wanted:
                if wanted == "enters":
                    now = places.zone_list(
                        env, Typed(target.type, ir.Local(into), target.family)
                    ).code
                    run_mover(w, ctx, n, now, before_in, into)
                else:
                    run_mover(w, ctx, n, before_out, None, out_zone, homes)
    after_names(w, ctx, names)


def _keep_list(w: Writer, listed: Typed) -> Expr:
    if w.procedure.suspending:
        capacity = max(1, listed.type.length)
        slot = w.procedure.slot(capacity + 1)
        w.emit(ir.SetLocalList(slot, capacity, listed.code))
        return ir.LocalList(slot)
    slot = w.procedure.slot()
    w.emit(ir.SetLocal(slot, listed.code))
    return ir.Local(slot)


def zones_of(w: Writer, pieces: Expr) -> Expr:
    """The zone of each of some pieces, as they lie now."""

    def write(p: Procedure) -> tuple[int, list[ir.Stmt]]:
        moved, out, piece = p.slot(), p.slot(), p.slot()
        each = ir.Append(out, load(w.c.layout.zone_of, ir.Local(piece)))
        return 1, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForEach(piece, ir.Local(moved), (each,)),
            ir.Return(ir.Local(out)),
        ]

    return ir.CallValue(w.c.helper("homes", write), (pieces,))


def _keep_homes(w: Writer, listed: Typed) -> tuple[Expr, Expr]:
    """Pieces, and the zone of each, as they are before a move."""
    pieces = _keep_list(w, listed)
    return pieces, _keep_list(w, Typed(listed.type, zones_of(w, pieces)))


def run_mover(
    w: Writer,
    ctx: Context,
    n: int,
    pieces: Expr,
    before: Expr | None,
    zone: int,
    homes: Expr | None = None,
    others: Expr | None = None,
) -> None:
    """Run a trigger for each piece that has come or gone; `homes` has their zones where these differ.

    `others` has the zone from which each has come, or to which it has gone, where this is known."""
    c = w.c
    mover, _ = w.a.movers[n]
    families = mover_families(c, mover)
    names = mover_names(w.rules, n)
    inside: Expr = ZERO
    owner: Expr = NONE
    for family in families:
        count = family.per_owner * family.owner.places
        here = both(
            binary("<=", ir.Const(family.base), ir.Local(zone)),
            binary("<", ir.Local(zone), ir.Const(family.base + count)),
        )
        at: Expr = binary(
            "//", binary("-", ir.Local(zone), ir.Const(family.base)), ir.Const(family.per_owner)
        )
        whose: Expr = binary("+", ir.Const(family.owner.first), at)
        growing = moves.growing_of(c, family)
        if growing is not None:
            whose = load(growing.cell_of, at)
        inside = either(inside, here)
        owner = ir.Choice(here, whose, owner)
    suspending, number = entry(w.rules, f"mover {n}")
    me = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    piece, whose_slot = w.procedure.slot(), w.procedure.slot()
    awake = load(w.rules.awake)
    moved = (
        ir.And(
            ir.Not(ir.Has(before, ir.Local(piece))),
            binary("==", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone)),
        )
        if before is not None
        else binary("!=", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone))
    )
    extra: tuple[Expr, ...] = (ir.Local(whose_slot),) if len(names) > 1 else ()

    def test_where() -> Expr:
        if mover.where is None:
            return ONE
        env = new_env(c, w.procedure)
        env.scope[names[0][0]] = Variable(
            names[0][0], names[0][1], piece, w.procedure, None, used=True
        )
        if len(names) > 1:
            env.scope[names[1][0]] = Variable(
                names[1][0], names[1][1], whose_slot, w.procedure, None, used=True
            )
        return expressions.condition(env, mover.where)

    index = w.procedure.slot()
    known = ir.And(awake, inside) if homes is None else awake
    if homes is not None:
        if others is not None:
            elsewhere = binary("!=", ir.At(others, ir.Local(index)), ir.Local(zone))
            still = binary("==", load(c.layout.zone_of, ir.Local(piece)), ir.Local(zone))
            moved = both(elsewhere, still) if mover.how == "enters" else elsewhere
        moved = both(inside, moved)

    def following_piece(listed: Expr) -> Stmts:
        found: Stmts = [ir.SetLocal(piece, ir.At(listed, ir.Local(index)))]
        if homes is not None:
            found.append(ir.SetLocal(zone, ir.At(homes, ir.Local(index))))
        return [*found, ir.SetLocal(whose_slot, owner)]

    if not w.procedure.suspending or not suspending:
        call = ir.CallPlain(number, (me, ir.Local(piece), *extra))
        last = binary("-", ir.Length(pieces), ONE)
        body = (*following_piece(pieces), ir.If(both(moved, test_where()), (call,)))
        w.emit(ir.If(known, (ir.ForRange(index, ZERO, last, body),)))
        return
    most = list_of(names[0][1], c.world.size_of(names[0][1]))
    kept = pieces if homes is not None else _keep_list(w, Typed(most, pieces))
    start, test, go, fire, following, after = (w.rules.block() for _ in range(6))
    w.end(ir.Branch(known, start, after), start)
    w.emit(ir.SetLocal(index, ZERO))
    w.end(ir.Goto(test), test)
    w.end(ir.Branch(binary("<", ir.Local(index), ir.Length(kept)), go, after), go)
    w.emit(*following_piece(kept))
    w.end(ir.Branch(both(moved, test_where()), fire, following), fire)
    w.call(number, (me, ir.Local(piece), *extra))
    w.end(ir.Goto(following), following)
    w.emit(ir.SetLocal(index, binary("+", ONE, ir.Local(index))))
    w.end(ir.Goto(test), after)


def after_step(w: Writer, ctx: Context, s: syntax.Statement) -> None:
    """After a step: forget what it may have changed, and look at the triggers that watch it."""
    names = w.a.step_writes(s)
    ctx.env.forget(w.a.changes((s,)))
    if not ctx.at_once:
        after_names(w, ctx, names)
