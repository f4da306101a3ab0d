"""Lowers `choose x in S`. The player chooses one member of a source, or several members one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.decisions import counting, equivalent_pieces, sites
from rulewright.dsl.lowering.decisions.plans import CAP, ArmPlan, Filter, Innermost, Offer, Refuse
from rulewright.dsl.lowering.decisions.preconditions import collect_preconditions
from rulewright.dsl.lowering.decisions.reveals import is_laid_open
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    negation,
)
from rulewright.dsl.lowering.emit.core import Env, Typed, Variable
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.writer import Context, Writer
from rulewright.dsl.lowering.steps import changing, messages
from rulewright.dsl.lowering.values import expressions, iterating, unmet
from rulewright.dsl.lowering.values.texts import MessageText
from rulewright.dsl.model import types
from rulewright.dsl.model.types import UNKNOWN, Type, are_comparable, range_of, whole
from rulewright.dsl.tree import syntax

# ---- choose x in S --------------------------------------------------------------------------------------


def _lower_source(w: Writer, env: Env, s: syntax.Choose) -> tuple[Typed, Type] | None:
    """Lower the source of a choice, and return it with the type of its members.

    If nothing can be chosen, report an error and return None.
    """
    typed = recursion.expression(env, s.source)
    of = narrow_to_kind(env, member_type(env, typed, s.source), s.type)
    if of.known and check_storable(w, of, s.source):
        return typed, of
    env.declare(s.name, UNKNOWN, s.name_span)
    return None


@writes(syntax.Choose)
def choose(w: Writer, ctx: Context, s: syntax.Choose) -> None:
    """Lower a choice such as `choose card in me.hand where C`."""
    env = ctx.env
    if s.quantity is not None:
        _choose_several(w, ctx, s, ctx.rest)
        return
    source = _lower_source(w, env, s)
    if source is None:
        return
    typed, of = source
    result = env.procedure.slot()
    plan = member_plan(w, ctx, s, of, typed, ctx.rest)
    plan.has_some = lambda at: counting.least_of(at, w, s, s.where) > 0
    plan.laid_open = is_laid_open(w.a, ctx.rest, s.name)
    # The conditions of the rest of the block are tested in advance for each member, but not for `none`.
    tail = ctx.tail if s.or_none else ctx.after
    plans = [plan]
    if s.or_none:
        plans.append(word_plan("none", s.span, lambda variables: None))
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
        sites.site(w, ctx, plans, s.span, s.name, s.prompt, tail=tail, result=result, changes=False)
        env.declare(s.name, of.maybe(), s.name_span, slot=final)
    else:
        sites.site(w, ctx, plans, s.span, s.name, s.prompt, tail=tail, result=result, changes=False)
        variable = box.get("v")
        env.declare(s.name, of, s.name_span, slot=variable.slot if variable is not None else None)
    if s.where is not None and not s.or_none:
        env.learn(plan.known)


def member_type(env: Env, typed: Typed, e: syntax.Expression) -> Type:
    """Return the type that the name of the chosen member has in later steps; `UNKNOWN` after an error."""
    if not typed.type.known:
        return UNKNOWN
    if isinstance(typed.type, types.Several):
        of = typed.type.of
        return of.surely() if not isinstance(of, types.Nothing) else UNKNOWN
    if isinstance(typed.type, types.Tokens):
        env.c.problems.error(
            "wrong-type",
            "tokens are alike: there is nothing to choose",
            e.span,
            help="choose a number, or a place",
        )
        return UNKNOWN
    # all others: they are reported unless they are things or numbers
    if typed.type.is_thing or isinstance(typed.type, types.Number):
        return typed.type.surely()
    if isinstance(typed.type, types.Empty):
        env.c.problems.error(
            "empty-choice",
            "there is nothing to choose from",
            e.span,
            help="write a source to choose from: a zone, a range (`1..6`), a kind or a list",
        )
        return UNKNOWN
    env.c.wrong_type(
        e.span,
        "a choice is made from several things",
        typed.type,
        "write `choose NAME in` and after it a zone, a range (`1..6`), a kind, `players` or "
        "`list(x in ... where ...)`",
    )
    return UNKNOWN


def narrow_to_kind(env: Env, of: Type, wanted_type: syntax.TypeWord | None) -> Type:
    """If the author gives a kind after the name, as in `card: Spell`, limit the type `of` to this kind and return it.

    If the kind cannot occur, the loop over the members reports the error.
    """
    if wanted_type is None or not of.known:
        return of
    wanted = env.c.type_of(wanted_type)
    if (
        not isinstance(wanted, types.Named)
        or not isinstance(of, types.Named)
        or not are_comparable(wanted, of)
    ):
        return of
    return evolve(of, names=tuple(n for n in of.names if n in wanted.names) or wanted.names)


def check_storable(w: Writer, of: Type, e: syntax.Expression) -> bool:
    """Return whether a member can be chosen. If the members are lists, report an error and return False."""
    if isinstance(of, types.List):
        w.c.problems.error(
            "not-storable",
            "a list cannot be chosen from a list of lists",
            e.span,
            help="choose its number, `choose n in 1..LISTS.size`, and take `LISTS.nth(n)`",
        )
        return False
    return True


def member_plan(
    w: Writer,
    ctx: Context,
    s: syntax.Choose,
    of: Type,
    source: Typed,
    rest: Sequence[syntax.Statement],
    extra: Callable[[Env, Expr], Expr] | None = None,
) -> ArmPlan:
    """Return the arm for the choice of one member of a source."""
    picks = s.where or s.stretch or s.type
    nodes: list[object] = [s.source, picks, s.where, s.stretch, s.say, *rest]
    plan = ArmPlan("", nodes, s.span, types=[of])
    plan.parts = (counting.choice_part(w, s.name, of, s.source, source),)

    def offer(env: Env, k: Innermost) -> Stmts:
        if extra is None:
            return offer_members(w, ctx, plan, s.binder, s.where, rest)(env, k)
        condition, fitting = extra, env.procedure.slot()

        def under(inside: Env, body: Stmts) -> Stmts:
            return [ir.If(condition(inside, ir.Local(fitting)), tuple(body))]

        found = offer_members(w, ctx, plan, s.binder, s.where, rest, under)(env, k)
        return [*_collect_members(env, s, fitting), *found]

    def say(env: Env) -> tuple[int, tuple[Expr, ...]] | None:
        assert s.say is not None
        env.scope[s.name] = env.scope["choice 0"]
        env.learn(plan.known)
        return messages.text_message(env, s.say, ctx.tags)

    plan.offer = offer
    plan.say = say if s.say is not None else None
    plan.filters = [Filter(s.name, 0, s.source, s.where, s.reason, clause_ids(s.tags) or ctx.tags)]
    plan.nodes.append(s.reason)
    plan.named = s.named
    plan.nodes += s.named.arguments if s.named is not None else ()
    return plan


def offer_members(
    w: Writer,
    ctx: Context,
    plan: ArmPlan,
    binder: syntax.Binder | None,
    where: syntax.Expression | None,
    steps: Sequence[syntax.Statement],
    under: Callable[[Env, Stmts], Stmts] = lambda _, body: body,
) -> Offer:
    """Return the function that offers an arm for each member of a source or, without a binder, once.

    `steps` follow the answer, and `under` adds a test to the steps for each member.
    """

    def offer(env: Env, k: Innermost) -> Stmts:
        def loops(if_new: equivalent_pieces.IfNew) -> Stmts:
            def each(inside: Env) -> Stmts:
                def settle(refuse: Refuse, accept: Stmts) -> Stmts:
                    found = collect_preconditions(
                        w, inside.child(), steps, refuse, ctx, None, accept
                    )
                    return plan.take(found)

                if binder is None:
                    return k(inside, [], settle)
                one = inside.scope[binder.name].read()
                return under(inside, if_new(one, k(inside, [(plan.types[0], one)], settle)))

            return iterating.members(env, binder, where, each, plan.learn)

        if binder is None:
            return loops(lambda _, body: body)
        return equivalent_pieces.offer_once(env, w, plan.types[0], binder.source, loops)

    return offer


def word_plan(name: str, span: Span, then: Callable[[list[Variable]], None]) -> ArmPlan:
    """Return an arm with a single option: a word such as `none` that the player can choose instead of a member."""

    def offer(env: Env, k: Innermost) -> Stmts:
        return k(env, [], lambda *_: [])

    return ArmPlan(name, [], span, offer, then=then, sure=True)


def _collect_members(env: Env, s: syntax.Choose, slot: int) -> Stmts:
    """Return steps that collect, in a local list, the members that meet the condition of a choice."""

    def each(inside: Env) -> Stmts:
        return [ir.Append(slot, inside.scope[s.name].read())]

    loops = iterating.members(env, s.binder, s.where, each)
    return [ir.SetLocal(slot, ir.MakeList(())), *loops]


# ---- several ----------------------------------------------------------------------------------------------


def _choose_several(
    w: Writer, ctx: Context, s: syntax.Choose, rest: Sequence[syntax.Statement]
) -> None:
    """Lower `choose cells in S, exactly 3` as a sequence of choices in the order of the source,
    followed by `done`.
    """
    env = ctx.env
    assert s.quantity is not None
    source = _lower_source(w, env, s)
    if source is None:
        return
    typed, of = source
    most = min(counting.most_members(w, s.source, typed, w.c.model.size_of(of)), CAP)
    amount: Expr = ZERO
    wanted = 0  # stands for `at most`
    if s.quantity.amount is not None:
        number = expressions.number(env, s.quantity.amount)
        wanted = range_of(number.type).high
        limit = env.procedure.slot()
        w.emit(ir.SetLocal(limit, number.code))
        amount = ir.Local(limit)
        if s.quantity.word != "at least":
            most = max(0, min(most, wanted))
    picked = env.procedure.slot(most + 1)
    w.emit(ir.SetLocalList(picked, most, ir.Const(())))
    listed_type = types.List(of=of, length=most)
    size = ir.Length(ir.LocalList(picked))
    word = s.quantity.word
    here = ctx.with_env(env.child())
    already = f"{s.name} so far"
    here.env.bind(already, listed_type, picked, capacity=most + 1)
    needed = f"{s.name} needed"
    one = evolve(s, or_none=False, quantity=None)
    site_env = here.env

    def extra(inner: Env, fitting: Expr) -> Expr:
        """Return code that tests whether a member has a higher number than the last chosen member.
        So each set can be chosen in only one order.

        The test also fails if too few higher members would remain for the other choices.
        """
        chosen = inner.scope[already].read()
        candidate = inner.scope[s.name].read()
        last = ir.At(chosen, binary("-", ir.Length(chosen), ONE))
        later = ir.Or(binary("==", ir.Length(chosen), ZERO), binary("<", last, candidate))
        if word not in ("exactly", "at least"):
            return later
        after = ir.CallValue(routine(w.c, "count after"), (fitting, candidate))
        reached = binary("+", binary("+", ir.Length(chosen), ONE), after)
        return both(later, binary(">=", reached, inner.scope[needed].read()))

    plan = member_plan(w, evolve(here, tags=ctx.tags), one, of, typed, (), extra)
    plan.nodes.append(syntax.Word(s.span, already))

    def turn_tests(at: Env) -> tuple[Stmts, list[tuple[Expr, MessageText]]]:
        chosen, candidate = at.scope[already].read(), at.scope[s.name].read()
        one_of_them, size = Typed(of, candidate), ir.Length(chosen)
        last = ir.At(chosen, binary("-", size, ONE))
        is_earlier = both(binary("<", ZERO, size), binary("<", candidate, last))
        turns: list[tuple[Expr, MessageText]] = [
            (ir.Has(chosen, candidate), unmet.join_words(at, one_of_them, " is chosen already")),
            (
                is_earlier,
                unmet.join_words(
                    at, one_of_them, " comes before ", Typed(of, last), ", which is chosen already"
                ),
            ),
        ]
        if word not in ("exactly", "at least"):
            return [], turns
        fitting = at.procedure.slot()
        others = at.child()
        del others.scope[s.name]
        before = _collect_members(others, s, fitting)
        too_few = unmet.join_words(at, "after ", one_of_them, " there are too few to choose")
        return before, [*turns, (negation(extra(at, ir.Local(fitting))), too_few)]

    plan.turn_tests = turn_tests
    if word in ("exactly", "at least"):
        assert isinstance(amount, ir.Local)
        site_env.bind(needed, whole(0, most), amount.slot)
        plan.nodes.append(syntax.Word(s.span, needed))
    if s.quantity.amount is not None:
        plan.fewer = f"up to {s.quantity.amount.span.text}"
        plan.sure = wanted <= counting.least_of(env, w, one, one.where)
    if word == "exactly":
        plan.complete = False
    final_rest = rest

    def take(variables: list[Variable]) -> None:
        appended = ir.CallValue(
            changing.with_one(w.c, ordered=True), (ir.LocalList(picked), variables[0].read())
        )
        w.emit(ir.SetLocalList(picked, most, appended))

    plan.then = take
    plans = [plan]
    scopes = w.scopes
    if word != "exactly":

        def finish(variables: list[Variable]) -> None:
            w.leave_for(loop.after, scopes)

        finishing = word_plan("done", s.span, finish)
        if word == "at least":

            def offer(env2: Env, k: Innermost) -> Stmts:
                chosen = env2.scope[already].read()
                enough = binary(">=", ir.Length(chosen), env2.scope[needed].read())
                return [ir.If(enough, tuple(k(env2, [], lambda *_: [])))]

            finishing.offer = offer
            finishing.sure = False
            finishing.nodes = [syntax.Word(s.span, already), syntax.Word(s.span, needed)]
        plans.append(finishing)
    tail = ctx.tail or w.a.can_fail(final_rest) or word in ("exactly", "at least")
    with w.loop(binary("<", size, amount) if word in ("exactly", "up to") else ONE) as loop:
        sites.site(w, here, plans, s.span, s.name, s.prompt, tail=tail)
    variable = env.declare(s.name, listed_type, s.name_span, slot=picked)
    variable.capacity = most + 1
