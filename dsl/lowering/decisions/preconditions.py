"""Collects the conditions of the steps that follow an option. They are tested before the option is offered.

The walk follows the steps in order; it enters the rules that they call and continues past the choices. A choice
needs one possible branch, or one member with which the rest can be completed. The walk ends at the
first step whose outcome cannot be predicted. In this case `complete` is False, and the option must
be searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulewright.dsl import ir
from rulewright.dsl.lowering.decisions import paying, precondition_steps, targets
from rulewright.dsl.lowering.decisions.plans import Preconditions
from rulewright.dsl.lowering.decisions.precondition_steps import (
    Refuse,
    State,
    doubt,
    is_clear,
    note_step,
    stop,
    zone_of,
)
from rulewright.dsl.lowering.decisions.targets import is_left_out
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import NONE, ONE, ZERO, Expr, Stmts, binary, negation
from rulewright.dsl.lowering.emit.core import Env, new_env
from rulewright.dsl.lowering.emit.paths import clause_ids, path_of
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import call_triggers
from rulewright.dsl.lowering.values import expressions, iterating
from rulewright.dsl.model import types
from rulewright.dsl.model.types import MOST, range_of, whole
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, every, walk

DEEPEST = 8
"""The maximum depth of calls that the walk follows."""
MOST_CHOICES = 6
"""The maximum depth of choices that the walk follows. Each choice is walked twice: to find a possible
member, and to find the reasons.
"""


def collect_preconditions(
    w: Writer,
    env: Env,
    steps: Sequence[syntax.Statement],
    refuse: Refuse,
    ctx: Context,
    rule: str | None = None,
    accept: Stmts | None = None,
) -> Preconditions:
    """Return the conditions of these steps, as far as they can be tested in advance.

    If `rule` is given, the steps are the steps of this rule, and its hooks are included. `accept`
    contains the steps for positions in which later steps cannot be predicted. The steps of `accept`
    are left out where they would run last in any case.
    """
    if not w.c.is_run or not (
        w.a.can_fail(steps) or (rule is not None and w.a.rule_can_fail(rule))
    ):
        return Preconditions([], True)  # errors are reported when the steps themselves are lowered
    key = w.body.key if w.body is not None else ""
    body = key if rule is None else f"rule {rule}"
    certain = ctx.outside and not (ctx.guarded or ctx.beyond) and ctx.surely is None
    state = State(w, refuse, body, ctx.guarded, certain, tags=ctx.tags, accept=accept)
    if rule is not None:
        _note_places(state, w.c.model.rules[rule].params)
    out = [] if rule is None else _hook_conditions(state, env, w.c.model.rules[rule])
    if not state.stopped:
        state.follows = env
        out += _walk(state, env, steps, False)
    if accept and out[-len(accept) :] == accept:
        del out[-len(accept) :]  # these steps come last in any case
    is_known = state.complete and not state.doubtful
    settles = state.complete and state.doubtful and not state.all_accepted
    return Preconditions(_without_unread(out), is_known, tuple(state.asked), settles)


def _note_places(state: State, params: Sequence[declared.Param]) -> None:
    """Record the zones that contain the pieces chosen for the parameters."""
    for param in params:
        zone = zone_of(state, param.source)
        if zone is not None:
            state.known_zones[param.name] = zone


def _without_unread(stmts: Stmts) -> Stmts:
    """Return all statements except those that only set a local that no condition reads."""
    while True:
        read: set[int] = set()
        for part in walk(stmts):
            if isinstance(part, ir.Local):
                read.add(part.slot)
        kept = [s for s in stmts if not isinstance(s, ir.SetLocal) or s.slot in read]
        if len(kept) == len(stmts):
            return kept
        stmts = kept


# ---- steps ---------------------------------------------------------------------------------------


def _walk(state: State, env: Env, steps: Sequence[syntax.Statement], later: bool) -> Stmts:
    """Return the conditions of steps. If `later` is true, a step after these may still fail."""
    out: Stmts = []
    for n, s in enumerate(steps):
        if state.stopped:
            break
        tags = clause_ids(getattr(s, "tags", ()))
        before = state.tags
        if tags:
            state.tags = tags
        rest = steps[n + 1 :]
        if isinstance(s, syntax.Choose) and s.quantity is None and not s.or_none:
            out.extend(_choose(state, env, s, rest, later))
            state.tags = before
            break
        out.extend(_step(state, env, s, later or state.w.a.can_fail(rest)))
        state.tags = before
    return out


def _step(state: State, env: Env, s: syntax.Statement, later: bool) -> Stmts:
    match s:
        case syntax.Let():
            return precondition_steps.let(state, env, s)
        case syntax.LetDo():
            checks = _do(state, env, s.call, later)
            precondition_steps.note_unknown(state, env, s)
            return checks
        case syntax.Needs():
            found = paying.needs(state, env, s) if state.paid else None
            return precondition_steps.needs(state, env, s) if found is None else found
        case syntax.Limit():
            return precondition_steps.limit(state, env, s)
        case syntax.Amount(verb="pay"):
            return precondition_steps.pay(state, env, s)
        case syntax.Move():
            return precondition_steps.move(state, env, s)
        case syntax.SetTo() | syntax.Amount() if state.follows is env:
            return precondition_steps.change(state, env, s)
        case syntax.Do():
            return _do(state, env, s, later)
        case syntax.If():
            return _if(state, env, s, later)
        case syntax.AtOnce() | syntax.Phase():
            return _walk(state, env.child(), s.body, later)
        case syntax.Roll() | syntax.Shuffle():
            return precondition_steps.chance(state, env, s)
        case syntax.Simple(word="end game"):
            stop(state, complete=True)
            return []
        case syntax.Repeat() if _can_look_past(state, s):
            return paying.loop(state, env, s) if state.w.a.can_fail((s,)) else _note_only(state, s)
        case syntax.IfPossible() if _can_look_past(state, s):
            return (
                _if_possible(state, env, s, later)
                if state.w.a.can_fail((s,))
                else _note_only(state, s)
            )
        case syntax.Choose() | syntax.ChooseOf() | syntax.May() | syntax.IfPossible():
            if later and not _can_look_past(state, s):
                return doubt(state)
            if isinstance(s, syntax.ChooseOf) and state.w.a.can_fail((s,)):
                return _choose_of(state, env, s, s.arms)
            return doubt(state) if state.w.a.can_fail((s,)) else _note_only(state, s)
        case _:  # all others: the result depends on their effects and blocks
            return doubt(state) if state.w.a.can_fail((s,)) else _note_only(state, s)


def _note_only(state: State, s: syntax.Statement) -> Stmts:
    note_step(state, s)
    return []


def _if_possible(state: State, env: Env, s: syntax.IfPossible, later: bool) -> Stmts:
    """Return the conditions of an `if possible` step. If its `otherwise` block can be completed, so can the step."""
    if state.accept is None:
        return doubt(state)
    accept = tuple(state.accept)
    way = state.branch(lambda *_: list(accept))
    checks = _walk(way, env.child(), s.otherwise, later)
    if way.stopped:
        return doubt(state)
    note_step(state, s)
    state.doubtful |= bool(checks)
    return checks


def _if(state: State, env: Env, s: syntax.If, later: bool) -> Stmts:
    if not state.w.a.can_fail((s,)):
        note_step(state, s)
        return []
    if not all(is_clear(state, asked) for asked, _ in s.cases):
        return doubt(state)
    ways: list[State] = []
    env = env.child()

    def branch(inner: Env, block: syntax.Block) -> tuple[ir.Stmt, ...]:
        ways.append(state.branch())
        return tuple(_walk(ways[-1], inner, block, later))

    def chain(n: int) -> tuple[ir.Stmt, ...]:
        if n == len(s.cases):
            return branch(env, s.otherwise)
        asked, block = s.cases[n]
        test = expressions.condition(env, asked)
        code = test.code
        inner = env.child()
        inner.learn(test.so)
        env.learn(test.otherwise)
        if code == ZERO:
            return chain(n + 1)
        then = branch(inner, block)
        if code == ONE:
            return then
        rest = chain(n + 1)
        return (ir.If(code, then, rest),) if then or rest else ()

    out = list(chain(0))
    return [*out, *_merge_branches(state, ways, later)]


def _merge_branches(state: State, ways: Sequence[State], later: bool) -> Stmts:
    """Merge the walks through several branches where the branches meet, and return the steps for this place."""
    state.doubtful |= any(way.doubtful for way in ways)
    left, ways = len(ways), [way for way in ways if not way.all_accepted]
    for way in ways:
        state.take_over(way)
    if left and not ways:
        state.stopped = state.all_accepted = True
        return []
    ended = [way.stopped for way in ways]
    if not any(ended):
        return []
    # Steps after the horizon of one branch cannot be separated from steps that another branch must run.
    if all(way.complete for way in ways) and (all(ended) or not later):
        stop(state, complete=True)
        return []
    return doubt(state)


# ---- calls ---------------------------------------------------------------------------------------


def _do(state: State, env: Env, s: syntax.Do, later: bool) -> Stmts:
    w = state.w
    if not w.a.can_fail((s,)):
        note_step(state, s)
        return []
    if not s.effect and call_name(s.call) not in w.c.model.rules:
        return _named_action(state, env, s, later)
    if w.a.open_parameters(s):
        if later and not _can_look_past(state, s):
            return doubt(state)
        return _choose_of(state, env, s, (s,))
    rule = _callee(state, s)
    given = s.call.arguments if isinstance(s.call, syntax.Call) else ()
    if rule is None or not is_clear(state, *given) or len(given) != len(rule.params):
        return doubt(state)
    inner, out = _enter(state, env, rule, given)
    return [*out, *_called_body(state, inner, rule, later, given)]


def _named_action(state: State, env: Env, s: syntax.Do, later: bool) -> Stmts:
    """Return the conditions of a step such as `do card.use`, where an expression names the action."""
    w = state.w
    given = getattr(s.call, "arguments", None) or ()
    if not is_clear(state, targets.action_expression(s), *given):
        return doubt(state)
    typed = recursion.expression(env, targets.action_expression(s))
    if not isinstance(typed.type, types.Action):
        return doubt(state)
    out: Stmts = []
    if typed.type.opt:
        out += state.refuse_if(binary("<", typed.code, ZERO), "it names no action", s.span)
    ways: list[State] = []
    for key in w.a.callees(s):
        name = key.removeprefix("rule ")
        target = targets.Target(name, w.c.model.rules[name], tuple(given))
        ways.append(state.branch())
        checks = _do(ways[-1], env.child(), targets.target_step(s, target), later)
        test = binary("==", typed.code, ir.Const(targets.action_number(w, target)))
        out += [ir.If(test, tuple(checks))] if checks else []
    return [*out, *_merge_branches(state, ways, later)]


def _callee(state: State, s: syntax.Do) -> declared.Rule | None:
    """Return the rule or action that a step calls, provided that the conditions of this rule or
    action can be tested now; None otherwise.
    """
    if s.effect or s.changes or not isinstance(s.call, (syntax.Word, syntax.Call)):
        return None
    return state.w.c.model.rules.get(call_name(s.call)) if state.depth < DEEPEST else None


def _enter(
    state: State, env: Env, rule: declared.Rule, given: Sequence[syntax.Expression]
) -> tuple[Env, Stmts]:
    """Return two things: an environment that binds `me` and the parameters of a rule, and steps
    that set these locals.
    """
    c = state.w.c
    inner = new_env(c, env.procedure)
    if "me" in env.scope:
        inner.scope["me"] = env.scope["me"]
    out: Stmts = []
    for param, argument in zip(rule.params, given, strict=False):
        found = recursion.expression(env, argument)
        typed = expressions.as_stored(env, found, argument, None)
        type = typed.type
        if param.type is not None:
            declared = c.model.type_of(param.type)
            type = declared if declared.known else type
        variable = inner.declare(param.name, type, None)
        out += variable.set_to(typed.code)
    return inner, out


def _hook_conditions(state: State, env: Env, rule: declared.Rule) -> Stmts:
    """Return the conditions of the hooks that run before or instead of a rule.

    If a hook may fail or replaces the rule, the outcome cannot be predicted in positions where the
    hook applies. In all other positions, the conditions of the rule are tested.
    """
    a = state.w.a
    out: Stmts = []
    for n, (hook, power) in enumerate(a.hooks.get(rule.name, ())):
        if hook.when == "instead of" or a.bodies[f"hook {rule.name} {n}"].fails:
            asked = call_triggers.hook_conditions(hook, power)
            if state.accept is None or "me" not in env.scope or not is_clear(state, *asked):
                return [*out, *doubt(state)]
            depends = env.procedure.slot()
            found: Stmts = [ir.SetLocal(depends, ONE)]
            met = call_triggers.run_if_matching(
                state.w.c, env, rule, hook, power, partial(_same_steps, found)
            )
            out += [ir.SetLocal(depends, ZERO), *met, ir.If(ir.Local(depends), tuple(state.accept))]
            state.doubtful = True
        elif hook.when == "before":
            state.note_changes(a.changes(hook.body))
    return out


def _same_steps(found: Stmts, _: Env) -> Stmts:
    return found


def _called_body(
    state: State,
    inner: Env,
    rule: declared.Rule,
    later: bool,
    given: Sequence[syntax.Expression],
) -> Stmts:
    """Return the conditions of a called rule, including the conditions of its hooks."""
    begun = _hook_conditions(state, inner, rule)
    if state.stopped:
        return begun
    key, state.key = state.key, f"rule {rule.name}"
    unknown, state.unknown = state.unknown, set()
    known_zones, state.known_zones = state.known_zones, {}
    for param, argument in zip(rule.params, given, strict=False):
        if isinstance(argument, syntax.Word) and argument.name in known_zones:
            state.known_zones[param.name] = known_zones[argument.name]
    follows, state.follows = state.follows, inner
    changed, state.changed = state.changed, set()
    state.depth += 1
    out = _walk(state, inner, rule.body, later)
    state.depth -= 1
    state.follows, state.changed = follows, changed
    state.unknown, state.key, state.known_zones = unknown, key, known_zones
    for hook, _ in state.w.a.hooks.get(rule.name, ()):
        if hook.when == "after":
            state.note_changes(state.w.a.changes(hook.body))
    return [*begun, *out]


# ---- choices -------------------------------------------------------------------------------------


def _can_look_past(state: State, s: syntax.Statement) -> bool:
    """Return whether conditions after a choice can be tested before it, assuming that the choice
    itself does not change them.

    They cannot be tested if a permission may be used in between, if the horizon may be reached, or
    if the game may end.
    """
    a = state.w.a
    during = state.w.rules.c.during
    is_permitted = any(
        state.key in during.get(rule.name, ())
        for anytime, _ in a.anytimes
        for rule in anytime.during
    )
    ends = any(isinstance(inner, syntax.Simple) for inner in every((s,))) or any(
        a.ends_game(key)
        for inner in every((s,))
        if isinstance(inner, syntax.Do)
        for key in a.callees(inner)
    )
    return not (is_permitted or ends or a.is_beyond_horizon((s,)))


def _skip_branch(message: int, arguments: tuple[Expr, ...]) -> Stmts:
    """Return the step that skips an impossible branch and continues with the next branch."""
    del message, arguments
    return [ir.Continue()]


def _choose(
    state: State,
    env: Env,
    s: syntax.Choose,
    rest: Sequence[syntax.Statement],
    later: bool,
) -> Stmts:
    """Return steps that test `choose x in S`: there must be a member with which the rest of the
    block can be completed.
    """
    asked = [part for part in (s.source, s.where, s.stretch) if part is not None]
    following = later or state.w.a.can_fail(rest)
    if state.certain:
        return _certain_choose(state, env, s, rest, later)
    if (
        not state.guarded
        or not is_clear(state, *asked)
        or (following and not _can_look_past(state, s))
    ):
        return doubt(state)
    if state.choices == MOST_CHOICES:
        return doubt(state)
    known = env.facts.get(f"{path_of(s.source)}.size")
    is_there = (
        known is not None and range_of(known).low > 0 and not (s.where or s.stretch or s.type)
    )
    ways: list[State] = []
    before = state.branch()
    before.choices += 1
    refuses = False

    def members(refuse: Refuse, done: Stmts) -> Stmts:
        def each(inside: Env) -> Stmts:
            nonlocal refuses
            ways.append(before.branch(refuse))
            ways[-1].unknown.discard(s.name)
            ways[-1].follows = inside
            checks = _walk(ways[-1], inside, rest, later)
            refuses = refuses or bool(checks)
            return [*checks, *done]

        return iterating.members(env.child(), s.binder, s.where, each)

    out = _test_some(
        state, env, s, s.name, lambda refuse, done, _: members(refuse, [*done, ir.Break()])
    )
    after = _merge_branches(state, ways, later)
    return after if is_there and not refuses else [*out, *after]


def _certain_choose(
    state: State,
    env: Env,
    s: syntax.Choose,
    rest: Sequence[syntax.Statement],
    later: bool,
) -> Stmts:
    """Return the conditions of the steps after a choice that is always possible.

    Another check ensures that the choice is possible.
    """
    if not _can_look_past(state, s):
        return doubt(state)
    note_step(state, s)
    inner = env.child()
    source = recursion.expression(env, s.source).type
    held = source.of if isinstance(source, types.Several) else source
    inner.declare(s.name, held, None)
    return _walk(state, inner, rest, later)


Candidates = Callable[[Refuse, Stmts, Expr], Stmts]
"""Returns steps that go through the candidates.

The arguments are a function that returns the steps for a refusal, the steps for a success, and code
that tests that no candidate has been found yet.
"""


def _test_some(
    state: State, env: Env, s: syntax.Statement, name: str, candidates: Candidates
) -> Stmts:
    """Return steps that test whether there is something to choose. In messages, `name` is the name of the chosen thing.

    If nothing can be chosen, the reason is the failed condition that comes last in the rules. The
    reason also says how many other members fail this condition.
    """
    found, deepest, others = (env.procedure.slot() for _ in range(3))
    done: Stmts = [ir.SetLocal(found, ONE)]
    none = negation(ir.Local(found))
    word = f"there is nothing to choose: {name}" if name else "there is nothing to choose"
    message = state.w.c.message((word,), s.span, state.tags)
    *refusals, away = state.refuse(message, ())
    if not refusals:
        some = candidates(_skip_branch, done, none)
        return [ir.SetLocal(found, ZERO), *some, ir.If(none, (away,))]
    count = 0

    def note_refusal(message: int, arguments: tuple[Expr, ...]) -> Stmts:
        nonlocal count
        del message, arguments
        count += 1
        here = ir.Const(count)
        is_deeper = binary("<", ir.Local(deepest), here)
        new: Stmts = [ir.SetLocal(deepest, here), ir.SetLocal(others, NONE)]
        is_here = binary("==", ir.Local(deepest), here)
        more = ir.SetLocal(others, binary("+", ir.Local(others), ONE))
        return [ir.If(is_deeper, tuple(new)), ir.If(is_here, (more,)), ir.Continue()]

    def give_reason(message: int, arguments: tuple[Expr, ...]) -> Stmts:
        nonlocal count
        count += 1
        *why, _ = state.refuse(message, arguments)
        if any(part.slot > others for part in walk(arguments) if isinstance(part, ir.Local)):
            several = _message_for_several(
                state, name, not isinstance(s, syntax.Choose), message, len(arguments)
            )
            *all_of_them, _ = state.refuse(several, (*arguments, ir.Local(others)))
            is_one = binary("==", ir.Local(others), ZERO)
            why = [ir.If(is_one, tuple(why), tuple(all_of_them))] if several != message else why
        is_deepest = binary("==", ir.Local(deepest), ir.Const(count))
        return [ir.If(is_deepest, (*why, ir.SetLocal(deepest, NONE))), ir.Continue()]

    some = candidates(note_refusal, done, none)
    count = 0
    reasons = [
        *candidates(give_reason, [], ONE),
        ir.If(binary("==", ir.Local(deepest), ZERO), tuple(refusals)),
        away,
    ]
    return [
        ir.SetLocal(found, ZERO),
        ir.SetLocal(deepest, ZERO),
        ir.SetLocal(others, ZERO),
        *some,
        ir.If(none, tuple(reasons)),
    ]


_TAIL = ", and the same is true of "


def _message_for_several(state: State, name: str, is_done: bool, message: int, number: int) -> int:
    """Return a message that also says for how many other members it is true. The argument with the
    index `number` is their count.

    If the message already says so, return it unchanged.
    """
    c = state.w.c
    said = c.messages[message]
    if _TAIL in said.parts:
        return message
    head = f"{ir.nothing_message(name, is_done=is_done)}: "
    more = ir.Shown(number, c.domain(whole(0, MOST)))
    parts = (head, *said.parts, _TAIL, more, " more")
    return c.message(parts, said.span, said.clauses, derived=said.derived)


def _choose_of(
    state: State,
    env: Env,
    s: syntax.ChooseOf | syntax.Do,
    arms: Sequence[syntax.OptionArm | syntax.Do],
) -> Stmts:
    """Return steps that test `choose one of`: at least one branch must be possible.

    The reason comes from the last branch that is not itself a choice.
    """
    w = state.w
    if (
        not state.guarded
        or (isinstance(s, syntax.ChooseOf) and (s.quantity is not None or s.all_of))
        or state.choices == MOST_CHOICES
    ):
        return doubt(state)
    arms = [arm for arm in arms if not is_left_out(w, arm)]
    single = [arm for arm in arms if _is_single(w, arm)]
    ways: list[State] = []

    def open_ways(refuse: Refuse, done: Stmts, none: Expr) -> Stmts:
        out: Stmts = []
        for arm in arms:
            if single and arm is single[-1]:
                continue
            stmts = _arm_conditions(state, ways, env, arm, refuse, done)
            if _is_single(w, arm):
                stmts = [ir.ForRange(env.procedure.slot(), ZERO, ZERO, tuple(stmts))]
            out += [ir.If(none, tuple(stmts))] if none != ONE else stmts
        return out

    if single:
        found = env.procedure.slot()
        none = negation(ir.Local(found))
        others = open_ways(_skip_branch, [ir.SetLocal(found, ONE)], none)
        last = _arm_conditions(state, ways, env, single[-1], state.refuse, [])
        out = [ir.SetLocal(found, ZERO), *others, ir.If(none, tuple(last))]
    else:
        named = call_name(s.call) if isinstance(s, syntax.Do) else ""
        out = _test_some(state, env, s, named, open_ways)
    if not all(way.complete for way in ways):
        out += doubt(state)
    note_step(state, s)
    return out


def _is_single(w: Writer, arm: syntax.OptionArm | syntax.Do) -> bool:
    """Return whether an arm has exactly one option."""
    if isinstance(arm, syntax.Do):
        return not w.a.open_parameters(arm)
    return arm.binder is None


def _arm_conditions(
    state: State,
    ways: list[State],
    env: Env,
    arm: syntax.OptionArm | syntax.Do,
    refuse: Refuse,
    done: Stmts,
) -> Stmts:
    """Return the conditions of an arm, followed by the steps `done` for positions in which the conditions hold."""
    way = state.branch(refuse)
    way.choices += 1
    ways.append(way)
    if isinstance(arm, syntax.Do):
        return _action_arm(way, env, arm, done)
    asked = [part for part in (arm.binder, arm.where) if part is not None]
    if not is_clear(way, *asked):
        stop(way, complete=False)
        return done

    def each(inside: Env) -> Stmts:
        here = way.branch()
        ways.append(here)
        return [*_walk(here, inside, arm.body, False), *done]

    if arm.binder is not None or arm.where is None:
        return iterating.members(env.child(), arm.binder, arm.where, each)
    tested = expressions.condition(env.child(), arm.where)
    inside = env.child()
    inside.learn(tested.so)
    checks = each(inside)
    if tested.code == ONE:
        return checks
    return [
        *way.refuse_if(negation(tested.code), "there is nothing to choose", arm.text.span),
        *checks,
    ]


def _action_arm(way: State, env: Env, arm: syntax.Do, done: Stmts) -> Stmts:
    """Like `_arm_conditions`, return the conditions of an arm `do action`, but inside loops over
    all combinations of the action's parameters.
    """
    rule = _callee(way, arm)
    given = arm.call.arguments if isinstance(arm.call, syntax.Call) else ()
    sources = [] if rule is None else [part for p in rule.params for part in (p.source, p.where)]
    asked = [part for part in (*given, *sources) if part is not None]
    if rule is None or not is_clear(way, *asked):
        stop(way, complete=False)
        return done
    inner, out = _enter(way, env, rule, given)

    def level(at: Env, n: int) -> Stmts:
        if n == len(rule.params):
            here = way.branch()
            found = _called_body(here, at.child(), rule, False, given)
            way.complete = way.complete and here.complete
            return [*found, *done]
        param = rule.params[n]
        if param.binder is None:
            stop(way, complete=False)
            return done
        return iterating.members(at, param.binder, param.where, lambda inside: level(inside, n + 1))

    return [*out, *level(inner, len(given))]
