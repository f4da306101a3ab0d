"""Lowers decisions: the options that are offered, the reasons why others are refused, and the steps after an answer.

`collect_preconditions` collects conditions from the steps that follow an option; the option is
offered if they hold. If these conditions do not show whether the action can be completed, the site
is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeGuard, get_args

from attrs import define, evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Fix
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.decisions import call_options, counting, forced_choice, naming
from rulewright.dsl.lowering.decisions.plans import ArmPlan, Innermost, Settle
from rulewright.dsl.lowering.decisions.reasons import choice_env, filter_procedure
from rulewright.dsl.lowering.emit.code import ONE, ZERO, Expr, Stmts, binary
from rulewright.dsl.lowering.emit.core import Compiler, Env, Variable
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import messages
from rulewright.dsl.model.dependencies import add_uses, recording_uses
from rulewright.dsl.model.types import PLAYER, Type
from rulewright.dsl.text.names import snake
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk

EXPRESSIONS = get_args(syntax.Expression)
STATEMENTS = get_args(syntax.Statement)
_SYMBOL = 2  # the maximum length of a name that is not a plain word


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
    """Open a decision and continue with the chosen option.

    Emit the enumerator and the choice. For each arm, emit steps that decode the arguments, followed
    by the arm's own steps.
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
    permissions = open_permissions(w, ctx)
    known = dict(env.facts)
    for plan in permissions:
        # Once the permission has been used, the question may be asked again, and earlier tests may
        # no longer hold.
        env.forget(_changed_names(w, plan))
    every = [*plans, *permissions]
    is_answered = not tail and any(plan.sure and not plan.types for plan in plans)
    spoiling = [] if is_answered else [plan for plan in permissions if _may_spoil(w, plan, plans)]
    own_scope = bool(spoiling) and (ctx.outside or not ctx.guarded)
    if own_scope:
        entered = w.rules.block()
        w.end(ir.Enter(entered), entered)
        w.scopes += 1
    nodes = [*(node for plan in every for node in plan.nodes), prompt]
    inner, arguments, enumerator = _enumerator(env, nodes, f"options in line {span.line}")
    parameters = inner.procedure.locals
    result = env.procedure.slot() if result is None else result
    arms: list[_Arm] = []
    offers: list[ir.Arm] = []
    met: dict[str, int] = {}
    looked_at: list[object] = []
    body: Stmts = []
    settled: list[tuple[int, int]] = []
    doubtful: list[_Arm] = []
    base, always = 0, False
    # A permission does not answer the question, so it is offered only alongside an option that does.
    answered = inner.procedure.slot() if permissions else -1
    if permissions:
        body.append(ir.SetLocal(answered, ZERO))
    for plan in every:
        arm = _Arm(plan, base, [*plan.types], naming.argument_ranges(c, plan.types))
        if naming.may_repeat_names(plan, every):
            arm.names_met = met.get(plan.word, -1)
            if arm.names_met < 0:
                arm.names_met = met[plan.word] = inner.procedure.slot()
                body.append(ir.SetLocal(arm.names_met, ir.MakeList(())))
        is_permission = plan in permissions
        memo = (ir.SetLocal(answered, ONE),) if permissions and not is_permission else ()
        at, settle = inner.child(), _settler(c, arm, memo)
        offered = _permission_offer(at, arm, settle) if is_permission else plan.offer(at, settle)
        if arm.combinations > 2**30 - base:
            c.problems.error(
                "too-many-options",
                "this choice has too many combinations",
                span,
                help="choose one thing after the other",
            )
            return
        looked_at.extend(forced_choice.nodes_read(plan.nodes, offered))
        looked_at.extend(forced_choice.action_nodes(w, plan.name))
        if any(isinstance(part, ir.Refuse) for part in walk(tuple(offered))):
            looked_at.extend(plan.asked)
        body.extend([ir.If(ir.Local(answered), tuple(offered))] if is_permission else offered)
        if plan.complete and not tail and all(plan is not other for other in spoiling):
            settled.append((base, base + arm.combinations))
            always |= not is_permission and any(isinstance(step, ir.Offer) for step in offered)
        elif plan.settles and not (plan.complete or tail or is_permission):
            doubtful.append(arm)
        words, message = _arm_words(w, plan, inner, arguments, arm.types)
        reasons = filter_procedure(w, plan, inner, arguments, arm.types)
        has_reason = any(one.reason is not None for one in plan.filters)
        offers.append(
            ir.Arm(
                *(base, plan.name, arm.digits, message, words, plan.span, reasons, has_reason),
                *(plan.laid_open, plan.aside, _naming(w, plan, inner, arguments)),
            )
        )
        arms.append(arm)
        base += arm.combinations
    naming.check_names_differ(c, every, [arm.types for arm in arms])
    counting.check_number(w, every, span)
    c.put_plain(enumerator, inner.procedure, parameters, body, span)
    shown = _shown_word(word, plans)
    prompt_message, prompt_arguments = messages.prompt_message(w, ctx, prompt, shown)
    nothing = f"there is nothing to choose: {shown}" if shown else "there is nothing to choose"
    searched = len(settled) < len(every)
    w.rules.sites.append(
        ir.Site(
            w.number,
            result,
            tuple(arguments),
            enumerator,
            tuple(offers),
            searched,
            prompt_message,
            prompt_arguments,
            c.message((nothing,), span, ctx.tags),
            word,
            span,
            ctx.together,
            _merge_ranges(settled) if searched else (),
            searched and always,
            _sure_options(env, nodes, doubtful, span) if doubtful else None,
        )
    )
    site_number = len(w.rules.sites) - 1
    _check_empty(w, evolve(ctx, env=_with_facts(env, known)), plans, span, word)
    decode = w.rules.block()
    again: int | None = None  # the block that opens the decision again after a permission
    if permissions:
        again = w.rules.block()
        w.end(ir.Goto(again), again)
    whom = player or env.scope["me"].read()
    if forced_choice.can_skip(w, looked_at):
        ask = w.rules.block()
        only = forced_choice.only_option(w, inner.procedure, parameters, body, tuple(arguments))
        w.emit(ir.SetLocal(result, only))
        w.end(ir.Branch(binary(">=", ir.Local(result), ZERO), decode, ask), ask)
        w.emit(ir.SetLocal(result, ZERO))
    w.end(ir.Choose(site_number, whom, result, decode), decode)
    _follow(w, env, arms, result, again=again, permissions=permissions, word=word, changes=changes)
    if own_scope:
        left = w.rules.block()
        w.end(ir.Leave(left), left)
        w.scopes -= 1
    if changes or permissions:
        env.forget(None)


def _permission_offer(at: Env, arm: _Arm, settle: Innermost) -> Stmts:
    """Return the statements that offer a standing permission.

    During a check, they are lowered once for each set of facts rather than at every decision.
    """
    c, key = at.c, (arm.plan.span, frozenset(at.facts.items()))
    if key in c.permitted:
        asked, arm.types = c.permitted[key]
        arm.digits = naming.argument_ranges(c, arm.types)
        add_uses(asked)
        return []
    asked = set[str]()
    with recording_uses(asked):
        offered = arm.plan.offer(at, settle)
    add_uses(asked)
    if not c.is_run:
        c.permitted[key] = asked, arm.types
    return offered


def _enumerator(env: Env, nodes: Sequence[object], name: str) -> tuple[Env, list[Expr], int]:
    """Begin a procedure that offers options. Return its environment, its arguments and its number."""
    inner, arguments, number = env.c.closure(env, nodes, name)
    if "me" not in inner.scope:
        inner.bind("me", PLAYER)
        arguments.append(env.scope["me"].read())
    return inner, arguments, number


def _sure_options(env: Env, nodes: Sequence[object], arms: Sequence[_Arm], span: Span) -> int:
    """Return the number of the procedure that offers only those options that need no search in the current position."""
    c = env.c
    inner, _, number = _enumerator(env, nodes, f"sure options in line {span.line}")
    parameters = inner.procedure.locals
    body: Stmts = []
    for arm in arms:
        body += arm.plan.offer(inner.child(), _settler(c, arm, (), is_sure=True))
    c.put_plain(number, inner.procedure, parameters, body, span)
    return number


def _merge_ranges(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Merge adjacent ranges. The ranges must be sorted."""
    found: list[tuple[int, int]] = []
    for low, above in ranges:
        touches = bool(found) and found[-1][1] == low
        found.append((found.pop()[0] if touches else low, above))
    return tuple(found)


def _with_facts(env: Env, facts: dict[str, Type]) -> Env:
    """Return a child environment with the facts that hold when the decision is opened for the first time."""
    first = env.child()
    first.facts = facts
    return first


@define
class _Arm:
    """An arm and the option numbers that it uses: one for each combination of arguments, starting at `base`."""

    plan: ArmPlan
    base: int
    types: list[Type]
    """The types of the chosen things, followed by the types of the values computed for a name."""
    digits: tuple[tuple[int, int, int], ...]
    """For each argument, its domain, its lowest value and its number of values."""
    names_met: int = -1
    """The local list of the names offered so far. It is used if two options may have equal names,
    and is -1 otherwise.
    """

    def extra_values(self, c: Compiler, at: Env) -> list[Expr]:
        """Once the chosen things are known, compute the values that occur only in an option's name."""
        found = naming.computed_arguments(at, self.plan)
        if len(self.types) == len(self.plan.types):
            self.types = [*self.types, *(each.type for each in found)]
            self.digits = naming.argument_ranges(c, self.types)
        return [each.code for each in found]

    @property
    def layout(self) -> list[tuple[int, int]]:
        """For each argument, return the lowest value and the number of values."""
        return [(low, size) for _, low, size in self.digits]

    @property
    def combinations(self) -> int:
        """Return how many option numbers the arm uses."""
        return prod(size for _, size in self.layout)


def _follow(
    w: Writer,
    env: Env,
    arms: Sequence[_Arm],
    result: int,
    *,
    again: int | None,
    permissions: Sequence[ArmPlan],
    word: str,
    changes: bool,
) -> None:
    """Emit the steps that follow the answer. For each arm, they decode the arguments and run the arm's own steps."""
    after = w.rules.block()
    for arm, following in zip(arms, [*arms, None][1:], strict=True):
        other = -1
        if following is not None:
            mine, other = w.rules.block(), w.rules.block()
            is_mine = binary("<", ir.Local(result), ir.Const(following.base))
            w.end(ir.Branch(is_mine, mine, other), mine)
        variables = _decode_arguments(w, env, arm, result)
        if not w.is_tried:
            w.emit(
                w.c.mark(
                    "option", arm.plan.name or word, arm.plan.tags, arm.plan.span, arm.plan.above
                )
            )
        arm.plan.then(variables)
        if changes:
            # so that the same position compares equal however it was reached
            w.emit(ir.SetLocal(result, ZERO), *(ir.SetLocal(v.slot, ZERO) for v in variables))
        if arm.plan in permissions and again is not None:
            w.end(ir.Goto(again), other if other >= 0 else w.rules.block())
        else:
            w.end(ir.Goto(after), other if other >= 0 else after)
    if w.current != after:
        w.end(ir.Goto(after), after)


def _decode_arguments(w: Writer, env: Env, arm: _Arm, result: int) -> list[Variable]:
    """Emit steps that decode the arguments of the chosen option from its number.

    Return the locals that hold the arguments.
    """
    variables: list[Variable] = []
    rest: Expr = binary("-", ir.Local(result), ir.Const(arm.base))
    stride = arm.combinations
    for k, ((low, size), type) in enumerate(zip(arm.layout, arm.plan.types, strict=False)):
        stride //= size
        digit = rest if stride == 1 else binary("//", rest, ir.Const(stride))
        if k > 0:
            digit = binary("%", digit, ir.Const(size))
        slot = env.procedure.slot()
        w.emit(ir.SetLocal(slot, binary("+", ir.Const(low), digit)))
        variables.append(Variable(f"choice {k}", type, slot, env.procedure, arm.plan.span))
    return variables


def _settler(
    c: Compiler, arm: _Arm, memo: Sequence[ir.Stmt], *, is_sure: bool = False
) -> Innermost:
    """Return a function that returns the innermost steps in the loops of an arm. These steps
    compute the option, then refuse or offer it.

    If `is_sure` is true, the steps refuse nothing, and offer an option only if it certainly can be
    completed.
    """

    def innermost(at: Env, values: list[tuple[Type, Expr]], settle: Settle) -> Stmts:
        option: Expr = ZERO
        codes = [*(code for _, code in values), *arm.extra_values(c, at)]
        for code, (low, size) in zip(codes, arm.layout, strict=True):
            option = binary(
                "+", binary("*", option, ir.Const(size)), binary("-", code, ir.Const(low))
            )
        option = binary("+", ir.Const(arm.base), option)
        offer: Stmts = [ir.Offer(option), *memo]
        if arm.names_met >= 0 and not is_sure:
            is_named = arm.plan.named is not None
            places = naming.argument_indexes(arm.plan) if is_named else range(len(codes))
            name = [codes[n] for n in places]
            offer = [*naming.note_name(c, arm.plan, arm.names_met, name), *offer]

        def refuse(why: int, args: tuple[Expr, ...]) -> Stmts:
            return [ir.Continue()] if is_sure else [ir.Refuse(option, why, args), ir.Continue()]

        accept: Stmts = [ir.Continue()] if is_sure else [*offer, ir.Continue()]
        checks = settle(refuse, accept)
        if not checks:
            return offer
        if arm.plan.parts:  # a refusal continues the loop that offers the options
            return [*checks, *offer]
        turn = at.procedure.slot()
        return [ir.ForRange(turn, ZERO, ZERO, (*checks, *offer))]

    return innermost


def open_permissions(w: Writer, ctx: Context) -> list[ArmPlan]:
    """Return the standing permissions that may be open at this decision."""
    plans: list[ArmPlan] = []
    key = w.body.key if w.body is not None else ""
    for anytime, power in w.a.anytimes:
        if not any(key in w.rules.c.during.get(rule.name, set()) for rule in anytime.during):
            continue
        plan = call_options.anytime_plan(w, ctx, anytime, power)
        if plan is not None:
            plans.append(plan)
    return plans


def _may_spoil(w: Writer, permission: ArmPlan, plans: Sequence[ArmPlan]) -> bool:
    """Return whether using a permission may change the options of the open decision."""
    changed = _changed_names(w, permission)
    return any(changed & _names_read(w, plan) for plan in plans)


def _changed_names(w: Writer, permission: ArmPlan) -> set[str]:
    """Return the names whose values a permission may change."""
    if permission.name not in w.c.model.rules:
        return set()
    word = syntax.Word(permission.span, permission.name)
    return w.a.changes((syntax.Do(permission.span, (), word, False, ()),))


def _is_statement(node: object) -> TypeGuard[syntax.Statement]:
    return isinstance(node, STATEMENTS)


def _names_read(w: Writer, plan: ArmPlan) -> set[str]:
    """Return all names that may affect which options an arm has."""
    steps: syntax.Block = tuple(filter(_is_statement, plan.nodes))
    found = w.a.reads(*plan.nodes, *w.a.blocks_run(steps))
    return found | w.a.action_reads(plan.name) if plan.name in w.c.model.rules else found


def _naming(w: Writer, plan: ArmPlan, inner: Env, arguments: Sequence[Expr]) -> ir.Naming | None:
    """Return the name that the author gave to the options, with the procedure that computes the name's arguments."""
    c, named = w.c, plan.named
    if named is None:
        return None
    shown, chosen = naming.argument_indexes(plan), len(plan.types)
    if not c.is_run or all(place < chosen for place in shown):
        return ir.Naming(named.name, shown, chosen)
    env, parameters = choice_env(c, inner, arguments, plan, plan.types, "name")
    at, body = plan.filter_env(env) if plan.filter_env is not None else (env, [])
    for n, part in enumerate(plan.parts):
        at.scope[part.name] = env.scope[f"choice {n}"]
    values = ir.MakeList(tuple(each.code for each in naming.computed_arguments(at, plan)))
    index = c.reserve_plain()
    c.put_plain(index, env.procedure, parameters, [*body, ir.Return(values)], named.span)
    return ir.Naming(named.name, shown, chosen, index)


def may_be_empty(ctx: Context, plans: Sequence[ArmPlan]) -> bool:
    """Return whether a choice outside any action could turn out to have no options."""
    if ctx.guarded or not ctx.outside or ctx.surely is not None:
        return False
    return not any(
        plan.sure
        or (plan.complete and not plan.types and not plan.nodes)
        or (plan.has_some is not None and plan.has_some(ctx.env))
        for plan in plans
    )


def _check_empty(w: Writer, ctx: Context, plans: Sequence[ArmPlan], span: Span, word: str) -> None:
    """Report an error for a choice that could turn out to have no options."""
    if not may_be_empty(ctx, plans):
        return
    w.c.problems.error(
        "empty-choice",
        "this choice may have no option, and the rules do not handle that",
        span,
        help=_empty_choice_help(plans[0], word),
        fix=Fix(span.before, "surely "),
    )


def _empty_choice_help(plan: ArmPlan, word: str) -> str:
    """Return help for a choice that could turn out to have no options."""
    ways = ["put it under `if possible`", "or write `surely` before it"]
    for filter in plan.filters[:1]:
        source, tested = filter.source, f"{filter.source.span.text} is not empty"
        if plan.fewer:
            tested = f"{filter.source.span.text}.size >= {plan.fewer[6:]}"
        elif isinstance(source, syntax.Binary):
            tested = f"{source.right.span.text} >= {source.left.span.text}"
        is_of_itself = f"{source.span.text}.size" in plan.fewer  # a test cannot show this
        if filter.where is None and not isinstance(source, syntax.Query) and not is_of_itself:
            ways.insert(0, f"test it first with `if {tested}`")
        ways.insert(0, f"write `{plan.fewer or f'{word} or none in {source.span.text}'}`")
    return ", ".join(ways)


def _shown_word(word: str, plans: Sequence[ArmPlan]) -> str:
    """Return the author's name for the chosen thing. If this name has only one or two letters,
    return the name of the thing's kind.
    """
    if not word or not word.isascii() or len(word) > _SYMBOL:
        return word
    chosen_types = [type for plan in plans for type in plan.types]
    names = chosen_types[0].names if len(chosen_types) == 1 else ()
    return snake(names[0]) if len(names) == 1 else ""


def _arm_words(
    w: Writer, plan: ArmPlan, inner: Env, arguments: Sequence[Expr], types: Sequence[Type]
) -> tuple[int | None, int | None]:
    """Return the procedure that computes the arguments of an option's message, and the message itself.

    The procedure takes the arguments of the site and of the choice. Both results are None if the
    option has no such message.
    """
    if plan.say is None:
        return None, None
    c = w.c
    env, parameters = choice_env(c, inner, arguments, plan, types, "words")
    said = plan.say(env)
    if said is None:
        return None, None
    message, codes = said
    prelude, c.text_prelude = c.text_prelude, []
    body = [*prelude, ir.Return(ir.MakeList(codes))]
    index = c.reserve_plain()
    c.put_plain(index, env.procedure, parameters, body, plan.span)
    return index, message
