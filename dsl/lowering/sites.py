"""Decisions: what is offered, what is refused and why, and what follows from the answer.

An option is offered when the conditions that can be looked at beforehand hold (they are gathered
from the steps that follow,
see `gather`); where that does not settle whether the action can be completed, the site is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

from attrs import define, evolve

from rulewright.dsl import ir, plurals, syntax
from rulewright.dsl.diagnostics import Label
from rulewright.dsl.lowering import (
    alike,
    assuming,
    calls,
    expressions,
    flow,
    messages,
    queries,
    statements,
)
from rulewright.dsl.lowering.analysis import call_name
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
    Variable,
    binary,
    both,
    clause_ids,
    new_env,
    path_of,
)
from rulewright.dsl.lowering.gather import gather
from rulewright.dsl.lowering.writer import Context, Writer
from rulewright.dsl.source import Span
from rulewright.dsl.tables import as_name
from rulewright.dsl.typesystem import PLAYER, UNKNOWN, Type, describe, overlaps, whole

CAP = 4096  # options of one decision
EXPRESSIONS = get_args(syntax.Expression)


Refuse = Callable[[int, tuple[Expr, ...]], Stmts]
Settle = Callable[[Refuse], Stmts]
Innermost = Callable[[Env, list[tuple[Type, Expr]], Settle], Stmts]


@define
class ArmPlan:
    """One way of choosing, before it has numbers.

    `offer` writes, in the enumerator, loops over the arguments; in the innermost it calls back
    with the environment, the
    locals of the arguments and the statements that refuse or settle. `then` writes what follows,
    given the arguments' locals.
    """

    name: str
    offer: Callable[[Env, Innermost], Stmts]
    types: Callable[[], list[Type]]
    then: Callable[[list[Variable]], None]
    nodes: list[object]
    span: Span
    text: syntax.Text | None = None
    tags: syntax.Tags = ()
    complete: bool = True
    estimate: int = 1
    words: tuple[int, int] | None = None
    say: Callable[[Env], tuple[int, tuple[Expr, ...]] | None] | None = None
    sure: bool = False  # it can always be chosen
    looped: bool = (
        False  # its options are offered from inside a loop, whose next turn a refusal may go to
    )


# ---- choose x in S --------------------------------------------------------------------------------------


def choose(w: Writer, ctx: Context, s: syntax.Choose, rest: Sequence[syntax.Statement]) -> None:
    """`choose card in me.hand where C`"""
    env = ctx.env
    if s.quantity is not None:
        _choose_several(w, ctx, s, rest)
        return
    typed = expressions.expression(env, s.source)
    of = _member_type(env, typed, s.source)
    if not of.known or not _storable(w, of, s.source):
        env.declare(s.name, UNKNOWN, s.name_span)
        return
    result = env.procedure.slot()
    plan = _member_plan(w, ctx, s, of, rest)
    plan.sure = _is_another(w, s) and plan.complete
    plans = [plan]
    if s.or_none:
        plans.append(_word_plan("none", s.span, lambda variables: None))
    box: dict[str, Variable] = {}

    def take(variables: list[Variable]) -> None:
        box["v"] = variables[0]

    plan.then = take
    if s.or_none:
        final = env.procedure.slot()

        def none(variables: list[Variable]) -> None:
            w.emit(ir.SetLocal(final, NONE))

        def some(variables: list[Variable]) -> None:
            w.emit(ir.SetLocal(final, variables[0].read()))

        plan.then, plans[1].then = some, none
        site(w, ctx, plans, s.span, s.name, s.prompt, tail=ctx.tail, result=result, changes=False)
        env.declare(s.name, of.maybe(), s.name_span, slot=final)
    else:
        site(w, ctx, plans, s.span, s.name, s.prompt, tail=ctx.tail, result=result, changes=False)
        variable = box.get("v")
        env.declare(s.name, of, s.name_span, slot=variable.slot if variable is not None else None)
    if s.where is not None and not s.or_none:
        assuming.assume(env, s.where, truth=True)


def _is_another(w: Writer, s: syntax.Choose) -> bool:
    """Whether one of the other players is chosen, and there always is one."""
    match s.source, s.where:
        case (
            syntax.Word(name="players"),
            syntax.Binary(
                operator="is not", left=syntax.Word() as one, right=syntax.Word() as other
            ),
        ):
            names = {one.name, other.name}
            return names == {s.name, "me"} and len(w.c.world.seats) > 1 and not w.c.eliminates
        case _:
            return False


def _member_type(env: Env, typed: Typed, e: syntax.Expression) -> Type:
    if not typed.type.known:
        return UNKNOWN
    if typed.type.tag in ("zone", "list"):
        of = typed.type.of or UNKNOWN
        return of.surely() if of.tag != "nothing" else UNKNOWN
    if typed.type.tag == "tokens":
        env.c.problems.error(
            "wrong-type",
            "tokens are alike: there is nothing to choose",
            e.span,
            help="choose a number, or a place",
        )
        return UNKNOWN
    if typed.type.is_thing or typed.type.tag == "int":
        return typed.type.surely()
    if typed.type.tag == "empty":
        env.c.problems.error("empty-choice", "there is nothing to choose from", e.span)
        return UNKNOWN
    env.c.problems.error(
        "wrong-type",
        f"a choice is made from several things, this is {describe(typed.type)}",
        e.span,
    )
    return UNKNOWN


def _storable(w: Writer, of: Type, e: syntax.Expression) -> bool:
    if of.tag == "list":
        w.c.problems.error("not-storable", "a list cannot be chosen from a list of lists", e.span)
        return False
    return True


def _member_plan(
    w: Writer,
    ctx: Context,
    s: syntax.Choose,
    of: Type,
    rest: Sequence[syntax.Statement],
    extra: Callable[[Env, Expr], Expr] | None = None,
) -> ArmPlan:
    binder = syntax.Binder(s.source.span, s.name, s.name_span, None, s.source)
    plan = ArmPlan(
        "",
        lambda env, k: [],
        lambda: [of],
        lambda v: None,
        [s.source, s.where, *_needed(rest)],
        s.span,
    )
    plan.estimate = _estimate(ctx.env, s.source)
    plan.looped = True
    has_alike = alike.has_alike(w, of)
    narrowed: list[Type] = []

    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        seen = env.procedure.slot() if has_alike else -1
        fitting = env.procedure.slot() if extra is not None else -1

        def collect(inner: Env) -> Stmts:
            found = ir.Append(fitting, inner.scope[s.name].read())
            if s.where is None:
                return [found]
            return [ir.If(expressions.condition(inner, s.where), (found,))]

        def each(inner: Env) -> Stmts:
            variable = inner.scope[s.name]
            test: Expr = ONE
            inside = inner.child()
            if s.where is not None:
                test = expressions.condition(inner, s.where)
                assuming.assume(inside, s.where, truth=True)
            if extra is not None:
                test = both(test, extra(inner, ir.Local(fitting)))
            narrowed.append(inside.facts.get(s.name, variable.type))

            def settle(refuse: Callable[[int, tuple[Expr, ...]], Stmts]) -> Stmts:
                found = gather(w, inside.child(), rest, refuse, ctx)
                plan.complete = plan.complete and found.complete
                return found.statements

            body: Stmts = k(inside, [(of, variable.read())], settle)
            if has_alike:
                piece = variable.read()
                key = alike.same(env, w, piece, s.source)
                body = alike.if_new(w, of, seen, piece, body, key)
            return body if test == ONE else [ir.If(test, tuple(body))]

        loops = queries.iterate(env, binder, each)
        if extra is not None:
            gathered = queries.iterate(env, binder, collect)
            loops = [ir.SetLocal(fitting, ir.MakeList(())), *gathered, *loops]
        if has_alike:
            return [ir.SetLocal(seen, ir.MakeList(())), *loops]
        return loops

    plan.offer = offer
    return plan


def _needed(rest: Sequence[syntax.Statement]) -> list[object]:
    return list(rest)


def _estimate(env: Env, e: syntax.Expression) -> int:
    typed = expressions.expression(env, e)
    if typed.type.tag == "list":
        return max(1, typed.type.length)
    if typed.type.of is not None:
        return max(1, env.c.world.size_of(typed.type.of))
    return 1


def _word_plan(
    name: str, span: Span, then: Callable[[list[Variable]], None], test: Expr | None = None
) -> ArmPlan:
    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        return k(env, [], lambda refuse: [])

    return ArmPlan(name, offer, list, then, [], span)


# ---- the site itself -------------------------------------------------------------------------------------


def site(
    w: Writer,
    ctx: Context,
    plans: Sequence[ArmPlan],
    span: Span,
    word: str,
    prompt: syntax.Text | None,
    *,
    tail: bool,
    result: int | None = None,
    player: Expr | None = None,
    changes: bool = True,
) -> None:
    """Open a decision and go on with what was chosen.

    Writes the enumerator, the choice, and for each arm the decoding of its arguments and what follows.
    """
    env, c = ctx.env, w.c
    if "me" not in env.scope:
        c.problems.error(
            "unknown-name",
            "nobody is acting here, so nobody can choose",
            span,
            help="put it under `each player` or `as player`",
        )
        return
    extra = hooks_anytime(w, ctx, span)
    every = [*plans, *extra]
    inner, arguments, enumerator = c.closure(
        env, [n for plan in every for n in plan.nodes] + [prompt], f"options in line {span.line}"
    )
    if "me" not in inner.scope:
        inner.scope["me"] = Variable(
            "me", PLAYER, inner.procedure.slot(), inner.procedure, None, used=True
        )
        arguments.append(env.scope["me"].read())
    parameters = inner.procedure.locals
    result = env.procedure.slot() if result is None else result
    base = 0
    arms: list[ir.Arm] = []
    body: Stmts = []
    total = 0
    decodings: list[tuple[ArmPlan, int, list[tuple[int, int]]]] = []
    for plan in every:
        types = plan.types()
        digits: list[tuple[int, int, int]] = []
        layout: list[tuple[int, int]] = []
        for type in types:
            ids = list(c.world.ids_of(type)) if type.tag not in ("int", "flag") else []
            low = type.low if type.tag in ("int", "flag") else min(ids, default=0)
            size = (type.high if type.tag in ("int", "flag") else max(ids, default=0)) - low + 1
            digits.append((c.domain(type), low, size))
            layout.append((low, size))
        combinations = 1
        for _, size in layout:
            combinations *= size
        if combinations > 2**30 - base:
            c.problems.error(
                "too-many-options",
                "this choice has too many combinations",
                span,
                help="choose one thing after the other",
            )
            return
        total += plan.estimate
        arm_base = base
        settled = _settler(arm_base, layout, looped=plan.looped)
        body.extend(plan.offer(inner.child(), settled))
        words, message = _arm_words(w, ctx, plan, inner, arguments, layout, types)
        arms.append(ir.Arm(arm_base, plan.name, tuple(digits), message, words, plan.span))
        decodings.append((plan, arm_base, layout))
        base += combinations
    _names_differ(c, every)
    if total > CAP:
        c.problems.error(
            "too-many-options",
            f"this choice may have up to {total:,} options (at most {CAP:,})",
            span,
            help="choose one thing after the other",
        )
    c.put_plain(enumerator, inner.procedure, parameters, body, span)
    search = any(not plan.complete for plan in every) or tail
    site_number = len(w.rules.sites)
    prompt_message, prompt_arguments = _prompt(w, ctx, prompt, word)
    empty = c.message(
        (f"there is nothing to choose: {word}" if word else "there is nothing to choose",),
        span,
        ctx.tags,
    )
    w.rules.sites.append(
        ir.Site(
            w.number,
            result,
            tuple(arguments),
            enumerator,
            tuple(arms),
            search,
            prompt_message,
            prompt_arguments,
            empty,
            word,
            span,
            ctx.together,
        )
    )
    _may_be_empty(w, ctx, plans, span)
    decode = w.rules.block()
    start: int | None = None
    if extra:
        start = w.rules.block()
        w.end(ir.Goto(start), start)
    w.end(ir.Choose(site_number, player or env.scope["me"].read(), result, decode), decode)
    after = w.rules.block()
    for n, (plan, arm_base, layout) in enumerate(decodings):
        here = w.current
        del here
        if n < len(decodings) - 1:
            mine, other = w.rules.block(), w.rules.block()
            w.end(
                ir.Branch(
                    binary("<", ir.Local(result), ir.Const(decodings[n + 1][1])), mine, other
                ),
                mine,
            )
        else:
            other = -1
        variables: list[Variable] = []
        rest_of: Expr = binary("-", ir.Local(result), ir.Const(arm_base))
        strides: list[int] = []
        stride = 1
        for _, size in reversed(layout):
            strides.insert(0, stride)
            stride *= size
        for k, ((low, size), type) in enumerate(zip(layout, plan.types(), strict=True)):
            digit = rest_of if strides[k] == 1 else binary("//", rest_of, ir.Const(strides[k]))
            if k > 0:
                digit = binary("%", digit, ir.Const(size))
            slot = env.procedure.slot()
            w.emit(ir.SetLocal(slot, binary("+", ir.Const(low), digit)))
            variables.append(
                Variable(f"choice {k}", type, slot, env.procedure, plan.span, used=True)
            )
        w.emit(c.mark("option", plan.name or word, plan.tags, plan.span))
        plan.then(variables)
        if changes:
            # so that equal positions are equal whatever was chosen before
            w.emit(ir.SetLocal(result, ZERO), *(ir.SetLocal(v.slot, ZERO) for v in variables))
        if plan in extra and start is not None:
            w.end(ir.Goto(start), other if other >= 0 else w.rules.block())
        else:
            w.end(ir.Goto(after), other if other >= 0 else after)
    if w.current != after:
        w.end(ir.Goto(after), after)
    if changes or extra:
        env.forget(None)


def _settler(arm_base: int, layout: Sequence[tuple[int, int]], *, looped: bool) -> Innermost:
    """What stands innermost in the loops of an arm: work out the option, refuse it or offer it."""

    def settled(
        at: Env,
        values: list[tuple[Type, Expr]],
        settle: Settle,
    ) -> Stmts:
        option: Expr = ZERO
        for (_, code), (low, size) in zip(values, layout, strict=True):
            option = binary(
                "+", binary("*", option, ir.Const(size)), binary("-", code, ir.Const(low))
            )
        option = binary("+", ir.Const(arm_base), option)

        def refuse(why: int, args: tuple[Expr, ...]) -> Stmts:
            return [ir.Refuse(option, why, args), ir.Continue()]

        checks = settle(refuse)
        if not checks:
            return [ir.Offer(option)]
        if looped:
            return [*checks, ir.Offer(option)]
        turn = at.procedure.slot()
        return [ir.ForRange(turn, ZERO, ZERO, (*checks, ir.Offer(option)))]

    return settled


def hooks_anytime(w: Writer, ctx: Context, span: Span) -> list[ArmPlan]:
    """Standing permissions that may be open at this decision."""
    plans: list[ArmPlan] = []
    key = w.body.key if w.body is not None else ""
    for anytime, power in w.a.anytimes:
        if key not in w.rules.c.during.get(anytime.during, set()):
            continue
        plans.append(calls.anytime_plan(w, ctx, anytime, power))
    return plans


def _names_differ(c: Compiler, plans: Sequence[ArmPlan]) -> None:
    """Options are known by their names, so each needs one of its own."""
    seen: list[tuple[ArmPlan, list[Type]]] = []
    for plan in plans:
        types = plan.types()
        for other, others in seen:
            if (
                plan.name == other.name
                and len(types) == len(others)
                and all(map(overlaps, types, others))
            ):
                c.problems.error(
                    "duplicate-name",
                    f"two options of this choice can have the name `{plan.name}`",
                    plan.span,
                    labels=(Label(other.span, "the other one"),),
                    help='write `option "other words"` and the steps below it',
                )
                break
        seen.append((plan, types))


def _may_be_empty(w: Writer, ctx: Context, plans: Sequence[ArmPlan], span: Span) -> None:
    """Outside any action a choice must always have an option."""
    if ctx.guarded or not ctx.outside or ctx.surely is not None:
        return
    if any(plan.name in ("none", "done") for plan in plans):
        return
    if any(
        plan.complete and not plan.types() and plan.estimate == 1 and not plan.nodes
        for plan in plans
    ):
        return
    if any(plan.sure or _always(ctx, plan) for plan in plans):
        return
    w.c.problems.error(
        "empty-choice",
        "this choice may have no option, and it is not said what happens then",
        span,
        help="write `or none`, test it first with `if ... is not empty`, put it under `if "
        "possible`, or write `surely` before it",
    )


def _always(ctx: Context, plan: ArmPlan) -> bool:
    """Whether an arm surely offers something."""
    if not plan.complete or not plan.nodes:
        return False
    source, where = plan.nodes[0], plan.nodes[1] if len(plan.nodes) > 1 else None
    if where is not None or not isinstance(source, EXPRESSIONS):
        return False
    if isinstance(source, syntax.ListOf):
        return True
    if isinstance(source, (syntax.TypeWord,)):
        return True
    if isinstance(source, syntax.Word) and source.name == "players":
        return True
    if isinstance(source, syntax.Binary) and source.operator == "..":
        low, high = (
            expressions.number(ctx.env, source.left),
            expressions.number(ctx.env, source.right),
        )
        return low.type.high <= high.type.low
    if not isinstance(source, (syntax.Word, syntax.Dot, syntax.Call)):
        return False
    known = ctx.env.facts.get(f"{path_of(source)}.size")
    return known is not None and known.low >= 1


def _prompt(
    w: Writer, ctx: Context, prompt: syntax.Text | None, word: str
) -> tuple[int, tuple[Expr, ...]]:
    if prompt is not None:
        return messages.text_message(ctx.env, prompt, ctx.tags)
    shown = "" if word in w.c.world.rules else word.replace("_", " ")
    return w.c.message((f"choose {shown}" if shown else "what do you do?",), None, ctx.tags), ()


def _arm_words(
    w: Writer,
    ctx: Context,
    plan: ArmPlan,
    inner: Env,
    arguments: Sequence[Expr],
    layout: Sequence[tuple[int, int]],
    types: Sequence[Type],
) -> tuple[int | None, int | None]:
    """The procedure of the words of an option: (site arguments..., arguments...) to the list of
    the message's arguments."""
    if plan.say is None:
        return None, None
    c = w.c
    procedure = Procedure("words", suspending=False)
    env = new_env(c, procedure)
    env.facts = dict(inner.facts)
    names = [
        name for name, variable in inner.scope.items() if variable.procedure is inner.procedure
    ]
    by_slot = sorted(
        (inner.scope[name].slot, name) for name in names if inner.scope[name].slot < len(arguments)
    )
    for _, name in by_slot:
        env.scope[name] = Variable(
            name,
            inner.scope[name].type,
            procedure.slot(),
            procedure,
            inner.scope[name].span,
            used=True,
        )
    while procedure.locals < len(arguments):
        procedure.slot()
    for n, type in enumerate(types):
        env.scope[f"choice {n}"] = Variable(
            f"choice {n}", type, procedure.slot(), procedure, plan.span, used=True
        )
    parameters = procedure.locals
    said = plan.say(env)
    if said is None:
        return None, None
    message, codes = said
    prelude = c.said_prelude
    c.said_prelude = []
    index = c.reserve_plain()
    c.put_plain(index, procedure, parameters, [*prelude, ir.Return(ir.MakeList(codes))], plan.span)
    return index, message


# ---- several ----------------------------------------------------------------------------------------------


def _choose_several(
    w: Writer, ctx: Context, s: syntax.Choose, rest: Sequence[syntax.Statement]
) -> None:
    """`choose cells in S, exactly 3`: one after the other in the order of the source, then done."""
    env = ctx.env
    assert s.quantity is not None
    typed = expressions.expression(env, s.source)
    of = _member_type(env, typed, s.source)
    if not of.known or not _storable(w, of, s.source):
        env.declare(s.name, UNKNOWN, s.name_span)
        return
    most = min(_estimate(env, s.source), 600)
    amount: Expr = ZERO
    if s.quantity.amount is not None:
        number = expressions.number(env, s.quantity.amount)
        limit = env.procedure.slot()
        w.emit(ir.SetLocal(limit, number.code))
        amount = ir.Local(limit)
        if s.quantity.word != "at least":
            most = max(0, min(most, number.type.high))
    picked = env.procedure.slot(most + 1)
    w.emit(ir.SetLocalList(picked, most, ir.Const(())))
    listed_type = Type("list", of=of, length=most)
    hidden = Variable(
        s.name, listed_type, picked, env.procedure, s.name_span, capacity=most + 1, used=True
    )
    size = ir.Length(ir.LocalList(picked))
    test, ask, after = (w.rules.block() for _ in range(3))
    w.end(ir.Goto(test), test)
    word = s.quantity.word
    if word in ("exactly", "up to"):
        w.end(ir.Branch(binary("<", size, amount), ask, after), ask)
    else:
        w.end(ir.Goto(ask), ask)
    here = ctx.with_env(env.child())
    already = f"{s.name} so far"
    here.env.scope[already] = evolve_variable(hidden, already)
    needed = f"{s.name} needed"
    one = syntax.Choose(
        s.span, s.tags, s.name, s.name_span, False, s.source, s.where, None, s.prompt
    )
    state = {"last": False}
    site_env = here.env

    def extra(inner: Env, fitting: Expr) -> Expr:
        """Only what comes after the last one picked, in the order of numbers, so that each set
        is reached in one way; and only what leaves enough to come."""
        chosen = inner.scope[already].read()
        candidate = inner.scope[s.name].read()
        state["last"] = True
        last = ir.At(chosen, binary("-", ir.Length(chosen), ONE))
        later = ir.Or(binary("==", ir.Length(chosen), ZERO), binary("<", last, candidate))
        if word not in ("exactly", "at least"):
            return later
        after = ir.CallValue(_count_after(w), (fitting, candidate))
        reached = binary("+", binary("+", ir.Length(chosen), ONE), after)
        return both(later, binary(">=", reached, inner.scope[needed].read()))

    plan = _member_plan(w, evolve(here, tags=ctx.tags), one, of, (), extra)
    plan.nodes.append(syntax.Word(s.span, already))
    if word in ("exactly", "at least"):
        assert isinstance(amount, ir.Local)
        site_env.scope[needed] = Variable(
            needed, whole(0, 600), amount.slot, env.procedure, None, used=True
        )
        plan.nodes.append(syntax.Word(s.span, needed))
    if word == "exactly":
        plan.complete = False
    final_rest = rest

    def take(variables: list[Variable]) -> None:
        appended = ir.CallValue(_appender(w), (ir.LocalList(picked), variables[0].read()))
        w.emit(ir.SetLocalList(picked, most, appended))

    plan.then = take
    plans = [plan]
    done = w.rules.block()
    if word != "exactly":

        def finish(variables: list[Variable]) -> None:
            w.end(ir.Goto(done), w.rules.block())

        finishing = _word_plan("done", s.span, finish)
        if word == "at least":

            def offer(env2: Env, k: Callable[..., Stmts]) -> Stmts:
                chosen = env2.scope[already].read()
                enough = binary(">=", ir.Length(chosen), env2.scope[needed].read())
                return [ir.If(enough, tuple(k(env2, [], lambda refuse: [])))]

            finishing.offer = offer
            finishing.nodes = [syntax.Word(s.span, already), syntax.Word(s.span, needed)]
        plans.append(finishing)
    tail = ctx.tail or w.a.fallible(final_rest) or word in ("exactly", "at least")
    site(w, here, plans, s.span, s.name, s.prompt, tail=tail)
    w.end(ir.Goto(test), done)
    w.end(ir.Goto(after), after)
    variable = env.declare(s.name, listed_type, s.name_span, slot=picked)
    variable.capacity = most + 1


def evolve_variable(variable: Variable, name: str) -> Variable:
    """The same local under another name."""
    return Variable(
        name, variable.type, variable.slot, variable.procedure, None, variable.capacity, True
    )


def _count_after(w: Writer) -> int:
    """How many of a list have a greater number than one."""

    def write(p: Procedure) -> tuple[int, Stmts]:
        items, x, count, y = (p.slot() for _ in range(4))
        return 2, [
            ir.SetLocal(count, ZERO),
            ir.ForEach(
                y,
                ir.Local(items),
                (
                    ir.If(
                        binary("<", ir.Local(x), ir.Local(y)),
                        (ir.SetLocal(count, binary("+", ir.Local(count), ONE)),),
                    ),
                ),
            ),
            ir.Return(ir.Local(count)),
        ]

    return w.c.helper("count after", write)


def _appender(w: Writer) -> int:
    def write(p: Procedure) -> tuple[int, Stmts]:
        items, x, out, y = (p.slot() for _ in range(4))
        return 2, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForEach(y, ir.Local(items), (ir.Append(out, ir.Local(y)),)),
            ir.Append(out, ir.Local(x)),
            ir.Return(ir.Local(out)),
        ]

    return w.c.helper("appended", write)


# ---- choose one of ----------------------------------------------------------------------------------------


def choose_of(
    w: Writer, ctx: Context, s: syntax.ChooseOf, rest: Sequence[syntax.Statement]
) -> None:
    """`choose one of` and its relatives: a possibility scope around each arm."""
    once = s.quantity is None and not s.all_of
    s = evolve(s, arms=tuple(arm for arm in s.arms if not _left_out(w, arm)))
    inner = evolve(ctx, guarded=True, outside=False, beyond=False, env=ctx.env.child())
    tail_inside = ctx.tail and _inside(w, ctx)
    if once:
        _scoped(w, ctx, s, inner, tail_inside, [_arm(w, inner, arm, tail_inside) for arm in s.arms])
        return
    env = ctx.env
    used = [env.procedure.slot() for _ in s.arms]
    count = env.procedure.slot()
    w.emit(*(ir.SetLocal(slot, ZERO) for slot in used), ir.SetLocal(count, ZERO))
    limit: Expr = ir.Const(len(s.arms))
    word = "exactly"
    if s.quantity is not None and s.quantity.amount is not None:
        number = expressions.number(env, s.quantity.amount)
        slot = env.procedure.slot()
        w.emit(ir.SetLocal(slot, number.code))
        limit, word = ir.Local(slot), s.quantity.word
        limit_slot = slot
    else:
        limit_slot = env.procedure.slot()
        w.emit(ir.SetLocal(limit_slot, limit))
    test, ask, after, done = (w.rules.block() for _ in range(4))
    w.end(ir.Goto(test), test)
    full = ir.Const(len(s.arms)) if word == "at least" else ir.Local(limit_slot)
    w.end(ir.Branch(binary("<", ir.Local(count), full), ask, after), ask)
    loop_env = inner.env
    names = []
    for n, slot in enumerate(used):
        name = f"used {n}"
        loop_env.scope[name] = Variable(name, whole(0, 1), slot, env.procedure, None, used=True)
        names.append(name)
    loop_env.scope["count so far"] = Variable(
        "count so far", whole(0, 99), count, env.procedure, None, used=True
    )
    loop_env.scope["count wanted"] = Variable(
        "count wanted", whole(0, 99), limit_slot, env.procedure, None, used=True
    )
    plans: list[ArmPlan] = []
    in_any_order = s.all_of and all(w.a.always_there(arm) for arm in s.arms)
    tail = tail_inside or (word in ("exactly", "at least") and not in_any_order)
    for n, arm in enumerate(s.arms):
        plan = _arm(w, inner, arm, tail)
        plan.nodes.append(syntax.Word(s.span, names[n]))
        plan.offer = _only_if(plan.offer, names[n], used_up=True)
        plan.then = _and_count(w, plan.then, used[n], count)
        plans.append(plan)
    if word != "exactly":

        def finish(variables: list[Variable]) -> None:
            outer = w.rules.block()
            w.end(ir.Leave(outer), outer)
            w.end(ir.Goto(done), w.rules.block())

        finishing = _word_plan("done", s.span, finish)
        finishing.nodes = [syntax.Word(s.span, "count so far"), syntax.Word(s.span, "count wanted")]
        if word == "at least":

            def offer(env2: Env, k: Callable[..., Stmts]) -> Stmts:
                enough = binary(
                    ">=", env2.scope["count so far"].read(), env2.scope["count wanted"].read()
                )
                return [ir.If(enough, tuple(k(env2, [], lambda refuse: [])))]

            finishing.offer = offer
        plans.append(finishing)
    _scoped(w, ctx, s, inner, tail, plans)
    w.end(ir.Goto(test), done)
    w.end(ir.Goto(after), after)


def _left_out(w: Writer, arm: syntax.OptionArm | syntax.Do) -> bool:
    """Whether an arm does an action that its `only if` leaves out here."""
    if not isinstance(arm, syntax.Do) or arm.effect:
        return False
    name = call_name(arm.call)
    return name in w.c.world.verbs_absent and name not in w.c.world.rules


def _inside(w: Writer, ctx: Context) -> bool:
    """Whether a possibility scope is (or may be) open around this place."""
    return ctx.guarded


def _only_if(offer: Callable[..., Stmts], name: str, *, used_up: bool) -> Callable[..., Stmts]:
    def guarded(env: Env, k: Callable[..., Stmts]) -> Stmts:
        return [ir.If(binary("==", env.scope[name].read(), ZERO), tuple(offer(env, k)))]

    del used_up
    return guarded


def _and_count(
    w: Writer, then: Callable[[list[Variable]], None], used: int, count: int
) -> Callable[[list[Variable]], None]:
    def both_of(variables: list[Variable]) -> None:
        w.emit(ir.SetLocal(used, ONE), ir.SetLocal(count, binary("+", ONE, ir.Local(count))))
        then(variables)

    return both_of


def _scoped(
    w: Writer,
    ctx: Context,
    s: syntax.Statement,
    inner: Context,
    tail: bool,
    plans: Sequence[ArmPlan],
    word: str = "",
) -> None:
    """Open a possibility scope, choose, do what was chosen, close the scope."""
    _scope_may_be_empty(w, ctx, plans, s)
    start, leave, after = (w.rules.block() for _ in range(3))
    w.end(ir.Enter(start), start)
    w.scopes += 1
    prompt = getattr(s, "prompt", None)
    site(w, inner, plans, s.span, word, prompt, tail=tail)
    w.end(ir.Goto(leave), leave)
    w.scopes -= 1
    w.end(ir.Leave(after), after)
    ctx.env.forget(None)


def _scope_may_be_empty(
    w: Writer, ctx: Context, plans: Sequence[ArmPlan], s: syntax.Statement
) -> None:
    if ctx.guarded or not ctx.outside or ctx.surely is not None:
        return
    if any(plan.name and not plan.types() and plan.complete and not plan.nodes for plan in plans):
        return
    if any(plan.name == "done" for plan in plans):
        return
    if any(plan.sure for plan in plans):
        return
    w.c.problems.error(
        "empty-choice",
        "it may be that none of this can be done, and it is not said what happens then",
        s.span,
        help='add an option that is always possible (`option "pass"`), put it under `if possible`, '
        "or write `surely` before it",
    )


def _arm(w: Writer, ctx: Context, arm: syntax.OptionArm | syntax.Do, tail: bool) -> ArmPlan:
    if isinstance(arm, syntax.Do):
        return calls.do_plan(w, ctx, arm, tail)
    return _option_plan(w, ctx, arm, tail)


def option_name(text: syntax.Text) -> str:
    """The name of an option from its words: what stands in braces is its argument."""
    words = "".join(p for p in text.parts if isinstance(p, str))
    return as_name(plurals.for_many(words)) or "option"


def _option_plan(w: Writer, ctx: Context, arm: syntax.OptionArm, tail: bool) -> ArmPlan:
    name = option_name(arm.text)
    nodes: list[object] = [arm.where, arm.text, *arm.body]
    plan = ArmPlan(
        name, lambda env, k: [], list, lambda v: None, nodes, arm.text.span, tags=arm.tags
    )
    plan.sure = arm.binder is None and arm.where is None and not w.a.fallible(arm.body) and not tail
    of: list[Type] = []
    if arm.binder is not None:
        nodes.insert(0, arm.binder.source)
        typed = expressions.expression(ctx.env, arm.binder.source)
        type = _member_type(ctx.env, typed, arm.binder.source)
        if arm.binder.type is not None and type.known:
            wanted = w.c.world.type_named(arm.binder.type.name)
            if wanted is not None and wanted.tag == type.tag:
                type = evolve(
                    type, names=tuple(n for n in type.names if n in wanted.names) or wanted.names
                )
        if not type.known:
            type = whole(0, 0)
        of.append(type)
        plan.looped = True
        plan.estimate = _estimate(ctx.env, arm.binder.source)
    plan.types = lambda: of

    def offer(env: Env, k: Callable[..., Stmts]) -> Stmts:
        def each(inner: Env) -> Stmts:
            test: Expr = ONE
            inside = inner.child()
            if arm.where is not None:
                test = expressions.condition(inner, arm.where)
                assuming.assume(inside, arm.where, truth=True)
            values = (
                [(of[0], inner.scope[arm.binder.name].read())] if arm.binder is not None else []
            )

            def settle(refuse: Callable[[int, tuple[Expr, ...]], Stmts]) -> Stmts:
                found = gather(w, inside.child(), arm.body, refuse, ctx)
                plan.complete = plan.complete and found.complete
                return found.statements

            body = k(inside, values, settle)
            return body if test == ONE else [ir.If(test, tuple(body))]

        if arm.binder is None:
            return each(env)
        return queries.iterate(env, arm.binder, each)

    def then(variables: list[Variable]) -> None:
        inner = ctx.env.child()
        if arm.binder is not None:
            inner.declare(arm.binder.name, of[0], arm.binder.name_span, slot=variables[0].slot)
        if arm.where is not None:
            assuming.assume(inner, arm.where, truth=True)
        statements.block(
            w, evolve(ctx, env=inner, tail=tail, tags=clause_ids(arm.tags) or ctx.tags), arm.body
        )

    def say(env: Env) -> tuple[int, tuple[Expr, ...]] | None:
        if arm.binder is not None:
            env.scope[arm.binder.name] = env.scope["choice 0"]
        return messages.text_message(env, arm.text, clause_ids(arm.tags))

    plan.offer, plan.then, plan.say = offer, then, say
    return plan


# ---- may, and any order -------------------------------------------------------------------------------------


def may(w: Writer, ctx: Context, s: syntax.May, rest: Sequence[syntax.Statement]) -> None:
    """`may "words"` with a block, or `may do action`: done or declined."""
    inner = evolve(ctx, guarded=True, outside=False, beyond=False, env=ctx.env.child())
    tail = ctx.tail and _inside(w, ctx)
    if s.text is None and len(s.body) == 1 and isinstance(s.body[0], syntax.Do):
        step = s.body[0]
        unchanged = evolve(step, changes=())
        decline = _word_plan("no", s.span, lambda variables: None)

        def choose_it() -> None:
            plan = calls.do_plan(w, inner, unchanged, tail)
            _scoped(w, evolve(ctx, outside=False), s, inner, tail, [plan, decline])

        # What is changed for the action is changed while it is offered: reasons and texts tell of it.
        calls._with_changes(w, ctx, step, choose_it)
        return
    text = s.text or syntax.Text(s.span, ("do it",))
    plan = _option_plan(w, inner, syntax.OptionArm(s.span, s.tags, text, None, None, s.body), tail)
    plan.name = "yes"
    decline = _word_plan("no", s.span, lambda variables: None)
    _scoped(w, evolve(ctx, outside=False), s, inner, tail, [plan, decline])


def any_order(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    """`for each x in S where C, any order`: the player says which comes next."""
    env = ctx.env
    members, of = flow._members(w, ctx, s.binder)
    capacity = 1
    if isinstance(members, ir.LocalList):
        slot = members.slot
        listed = queries.query(
            env, syntax.Query(s.span, "list", (s.binder,), None, (), False, None), None
        )
        capacity = max(1, listed.type.length)
        if isinstance(s.binder.source, syntax.Word) and s.binder.source.name == "players":
            capacity = len(w.c.world.seats)
    else:
        value = (
            members.value
            if isinstance(members, ir.Const) and isinstance(members.value, tuple)
            else ()
        )
        capacity = max(1, len(value))
        slot = env.procedure.slot(capacity + 1)
        w.emit(ir.SetLocalList(slot, capacity, members))
    left = f"{s.binder.name} left"
    inner = env.child()
    inner.scope[left] = Variable(
        left, Type("list", of=of, length=capacity), slot, env.procedure, None, capacity + 1, True
    )
    remover = _remover(w)
    test, some, ask, last, after, following = (w.rules.block() for _ in range(6))
    if s.where is not None:
        kept_env, arguments, index = w.c.closure(
            inner, [s.where, syntax.Word(s.span, left)], "those left"
        )
        out, x = kept_env.procedure.slot(), kept_env.procedure.slot()
        parameters = kept_env.procedure.locals - 2
        kept_env.scope[s.binder.name] = Variable(
            s.binder.name, of, x, kept_env.procedure, None, used=True
        )
        condition = expressions.condition(kept_env, s.where)
        w.c.put_plain(
            index,
            kept_env.procedure,
            parameters,
            [
                ir.SetLocal(out, ir.MakeList(())),
                ir.ForEach(
                    x,
                    kept_env.scope[left].read(),
                    (ir.If(condition, (ir.Append(out, ir.Local(x)),)),),
                ),
                ir.Return(ir.Local(out)),
            ],
        )
        w.emit(ir.SetLocalList(slot, capacity, ir.CallValue(index, tuple(arguments))))
    size = ir.Length(ir.LocalList(slot))
    chosen = env.procedure.slot()
    w.end(ir.Goto(test), test)
    w.end(ir.Branch(binary(">", size, ZERO), some, after), some)
    w.end(ir.Branch(binary(">", size, ONE), ask, last), last)
    # The last one left is not asked for.
    w.emit(ir.SetLocal(chosen, ir.At(ir.LocalList(slot), ZERO)))
    w.end(ir.Goto(following), ask)
    here = evolve(ctx, env=inner)
    source = syntax.Word(s.binder.source.span, left)
    pick = syntax.Choose(
        s.span, s.tags, s.binder.name, s.binder.name_span, False, source, None, None
    )
    plan = _member_plan(w, here, pick, of, ())
    again = ctx.tail or w.a.fallible(s.body)
    plan.complete = not w.a.fallible(s.body)
    plan.then = lambda variables: w.emit(ir.SetLocal(chosen, variables[0].read()))
    site(
        w,
        evolve(here, outside=False),
        [plan],
        s.span,
        s.binder.name,
        None,
        tail=again and ctx.guarded,
    )
    w.end(ir.Goto(following), following)
    w.emit(
        ir.SetLocalList(
            slot, capacity, ir.CallValue(remover, (ir.LocalList(slot), ir.Local(chosen)))
        )
    )
    body_env = env.child()
    body_env.declare(s.binder.name, of, s.binder.name_span, slot=chosen)
    if s.where is not None:
        assuming.assume(body_env, s.where, truth=True)
    w.loops.append((after, test, w.scopes))
    statements.block(w, evolve(ctx, env=body_env, tail=again), s.body)
    w.loops.pop()
    w.end(ir.Goto(test), after)


def _remover(w: Writer) -> int:
    def write(p: Procedure) -> tuple[int, Stmts]:
        items, x, out, y = (p.slot() for _ in range(4))
        return 2, [
            ir.SetLocal(out, ir.MakeList(())),
            ir.ForEach(
                y,
                ir.Local(items),
                (ir.If(binary("!=", ir.Local(y), ir.Local(x)), (ir.Append(out, ir.Local(y)),)),),
            ),
            ir.Return(ir.Local(out)),
        ]

    return w.c.helper("removed", write)
