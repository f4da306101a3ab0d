"""Lowers branches and loops, including loops in which players act.

A branch or loop without decisions becomes structured code; any other becomes blocks.
"""

from __future__ import annotations

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.advice import line_of, write
from rulewright.dsl.lowering.emit import recursion
from rulewright.dsl.lowering.emit.code import (
    NONE,
    ONE,
    ZERO,
    Expr,
    Stmts,
    binary,
    both,
    load,
    negation,
)
from rulewright.dsl.lowering.emit.core import Env, Typed
from rulewright.dsl.lowering.emit.recursion import writes
from rulewright.dsl.lowering.emit.routines import routine
from rulewright.dsl.lowering.emit.together import begin_together
from rulewright.dsl.lowering.emit.writer import Context, Loop, Writer, increment
from rulewright.dsl.lowering.steps import changing, noting_turns
from rulewright.dsl.lowering.values import (
    assuming,
    expressions,
    iterating,
    places,
    queries,
)
from rulewright.dsl.model import types
from rulewright.dsl.model.types import (
    FLAG,
    MOST,
    PLAYER,
    UNKNOWN,
    Type,
    is_wide,
    item_of,
    length_of,
    range_of,
)
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, every

MANY = 1000  # the maximum number of iterations of nested loops that need not be counted
FEW = 50  # the same limit for loops that call rules, because the rules may contain further loops


@writes(syntax.If)
def if_else(w: Writer, ctx: Context, s: syntax.If) -> None:
    """Lower `if C`, `else if D`, `else`, each with a block."""
    suspends = w.procedure.suspending and (
        w.a.step_suspends(s) or (_leaves_loop(s) and bool(w.loops) and w.loops[-1] is not None)
    )
    env = ctx.env.child()
    conditions: list[tuple[Typed, Env]] = []
    for case, _ in s.cases:
        asked = expressions.condition(env, case)
        inside = env.child()
        inside.learn(asked.so)
        conditions.append((asked, inside))
        env.learn(asked.otherwise)
    otherwise_env = env

    def write_else() -> None:
        if s.otherwise:
            w.emit(_branch_mark(w, s, len(s.cases)))
        recursion.block(w, ctx.with_env(otherwise_env), s.otherwise)

    if not suspends:

        def chain(n: int) -> tuple[ir.Stmt, ...]:
            if n == len(s.cases):
                return w.capture(write_else)
            asked, inside = conditions[n]

            def write(body: syntax.Block, number: int) -> None:
                w.emit(_branch_mark(w, s, number))
                recursion.block(w, ctx.with_env(inside), body)

            then = w.capture(lambda: write(s.cases[n][1], n))
            rest = chain(n + 1)
            return (ir.If(asked.code, then, rest),)

        w.emit(*chain(0))
    else:
        after = w.rules.block()
        for n, ((asked, inside), (_, body)) in enumerate(zip(conditions, s.cases, strict=True)):
            with w.case(asked.code, after):
                w.emit(_branch_mark(w, s, n))
                recursion.block(w, ctx.with_env(inside), body)
        write_else()
        w.end(ir.Goto(after), after)
    _after_branches(w, ctx, s, conditions)


def _branch_mark(w: Writer, s: syntax.If, number: int) -> ir.Mark:
    """Return the coverage mark of case `number` of an `if`. The number after the last case stands for `else`.

    Only the mark of the first case cites the clauses.
    """
    if number < len(s.cases):
        asked = s.cases[number][0].span
        name = f"{'else ' if number else ''}if {_one_line(asked.text)}"
        return w.c.mark("branch", name, () if number else s.tags, asked)
    asked = s.cases[-1][0].span
    return w.c.mark("branch", f"else of if {_one_line(asked.text)}", (), s.otherwise[0].span)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _after_branches(
    w: Writer, ctx: Context, s: syntax.If, conditions: list[tuple[Typed, Env]]
) -> None:
    """Record the facts that hold after an `if`.

    If the only branch of the `if` leaves the block, the condition is false in later steps.
    """
    ctx.env.forget(changed_names(w, s))
    first, *others = (block for _, block in s.cases)
    if not others and not s.otherwise and first and isinstance(first[-1], syntax.Simple):
        ctx.env.learn(conditions[0][0].otherwise)


def _leaves_loop(s: syntax.Statement) -> bool:
    """Return whether a statement contains a `stop` or `skip` that leaves the loop around the statement."""
    if isinstance(s, syntax.Simple):
        return s.word != "end game"
    if isinstance(s, (syntax.Repeat, syntax.ForEach, syntax.EachPlayer)):
        return False
    # all others: the result depends on their blocks
    return any(_leaves_loop(inner) for part in blocks_of(s) for inner in part)


def changed_names(w: Writer, s: syntax.Statement) -> set[str] | None:
    """Return the names that a statement, or any statement in its blocks, may change. Return
    None if it contains a call, because a call may change anything.
    """
    names: set[str] = set()
    for inner in every((s,)):
        if isinstance(inner, syntax.Do):
            return None
        if isinstance(inner, (syntax.SetTo, syntax.Amount, syntax.Roll)) and isinstance(
            inner.place, syntax.Word
        ):
            names.add(inner.place.name)
    return names | w.a.changes_of(s)


@writes(syntax.IfPossible)
def if_possible(w: Writer, ctx: Context, s: syntax.IfPossible) -> None:
    """Lower `if possible` with its block, and its `otherwise` block."""
    actor = ctx.env.scope["me"].read() if "me" in ctx.env.scope else NONE
    body, otherwise, start, after, leave = (w.rules.block() for _ in range(5))
    w.end(ir.Try(body, otherwise, actor), body)
    w.end(ir.Enter(start), start)
    w.scopes += 1
    _mark_openly(w, s, is_possible=True)
    w.emit(w.c.mark("branch", "if possible", s.tags, s.span))
    recursion.block(
        w, evolve(ctx, env=ctx.env.child(), guarded=True, outside=False, beyond=False), s.body
    )
    w.scopes -= 1
    w.end(ir.Goto(leave), leave)
    w.end(ir.Leave(after), otherwise)
    _mark_openly(w, s, is_possible=False)
    if s.otherwise:
        w.emit(w.c.mark("branch", "otherwise of if possible", (), s.otherwise[0].span))
    recursion.block(w, ctx, s.otherwise)
    w.end(ir.Goto(after), after)
    ctx.env.forget(None)


def _mark_openly(w: Writer, s: syntax.IfPossible, *, is_possible: bool) -> None:
    """If the steps of `if possible` take an amount, mark it as public whether they are possible, as
    `openly` does for a value.

    Players are allowed to know whether the amount is there.
    """
    if not w.c.model.config.marks_openly:
        return
    takes = any(
        (isinstance(step, syntax.Amount) and step.verb == "pay")
        or (isinstance(step, syntax.Move) and step.how == "exactly" and step.source is not None)
        for step in every(s.body)
    )
    if takes:
        name = f"openly {s.span.source.name}:{s.span.start}"
        helper = routine(w.c, "same", name)
        w.emit(ir.CallPlain(helper, (ir.Const(int(is_possible)),)))


@writes(syntax.Repeat)
def repeat(w: Writer, ctx: Context, s: syntax.Repeat) -> None:
    """Lower `repeat N times`, `repeat while C`, `repeat until C` or `repeat`."""
    env = ctx.env
    env.forget(changed_names(w, s))
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    again = ctx.tail or w.a.can_fail(s.body)
    inner = evolve(ctx, env=env.child(), tail=again)
    if s.how == "times":
        assert s.value is not None
        count = expressions.number(env, s.value)
        turn = env.procedure.slot()
        inner.turns = ctx.turns * max(1, range_of(count.type).high)
        if not suspends:

            def body() -> None:
                _loop_body(w, inner, s.body, None)

            if inner.turns <= MANY:
                w.emit(ir.ForRange(turn, ONE, count.code, w.capture(body)))
                return
            less = ir.SetLocal(turn, binary("-", ir.Local(turn), ONE))
            more = binary(">", ir.Local(turn), ZERO)
            w.emit(ir.SetLocal(turn, count.code))
            w.emit(ir.While(more, (less, *w.capture(body)), counted=True, span=s.span))
            return
        left = env.procedure.slot()
        # no loop has more iterations than fit into a cell: long before that, a run without a
        # decision is a fault
        most = ir.Const(MOST)
        w.emit(
            ir.SetLocal(
                left, binary("min", count.code, most) if is_wide(count.type) else count.code
            )
        )
        with w.loop(binary(">", ir.Local(left), ZERO), increment(left, -1)) as loop:
            _loop_body(w, inner, s.body, loop)
        return
    going = Typed(FLAG, ONE)
    if s.how in ("while", "until"):
        assert s.value is not None
        going = expressions.condition(env, s.value)
        if s.how == "until":
            going = assuming.opposite(going, negation(going.code))
        inner.env.learn(going.so)
    if not suspends:
        w.emit(
            ir.While(
                going.code,
                w.capture(lambda: _loop_body(w, inner, s.body, None)),
                counted=True,
                span=s.span,
            )
        )
    else:
        with w.loop(going.code) as loop:
            _loop_body(w, inner, s.body, loop)
    ctx.env.learn(going.otherwise)


def _loop_body(w: Writer, ctx: Context, body: syntax.Block, loop: Loop | None) -> None:
    """Emit the body of a loop. `loop` contains the blocks of the loop; it is None for a structured loop."""
    w.loops.append(None if loop is None else (loop, w.scopes))
    recursion.block(w, ctx, body)
    w.loops.pop()


def for_each(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    """Lower `for each x in S where C` with its block."""
    env = ctx.env
    env.forget(changed_names(w, s))
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    again = ctx.tail or w.a.can_fail(s.body)
    source = iterating.source_of(env, s.binder)
    if (
        w.procedure.suspending
        and isinstance(source.type, types.Several)
        and isinstance(item_of(source.type), types.List)
    ):
        _for_each_list(w, evolve(ctx, tail=again), s)
        return
    zone = source if isinstance(source.type, types.Zone) and source.slot is None else None
    if not suspends:
        listed = places.zone_list(env, source) if zone is not None else source
        often = ctx.turns * max(1, length_of(listed.type))
        calls = any(isinstance(step, syntax.Do) for step in every(s.body))
        counted = often > (FEW if calls else MANY)

        def each(inner: Env) -> Stmts:
            here = evolve(ctx, env=inner, tail=again, turns=often)
            stmts = w.capture(lambda: _for_body(w, here, s, zone, None))
            turn = ir.While(ONE, (ir.Break(),), counted=True, span=s.span)
            return [turn, *stmts] if counted else [*stmts]

        w.loops.append(None)
        known = source if s.binder.stretch is None else None
        w.emit(*iterating.iterate(env, _listed_first(s.binder), each, stable=True, source=known))
        w.loops.pop()
        return
    members, of, _ = members_of(w, ctx, s.binder, source)
    index = env.procedure.slot()
    w.emit(ir.SetLocal(index, ZERO))
    with w.loop(binary("<", ir.Local(index), ir.Length(members)), increment(index)) as loop:
        inner = env.child()
        variable = inner.declare(s.binder.name, of, s.binder.name_span)
        changing.assign_local(w, variable, ir.At(members, ir.Local(index)))
        w.loops.append((loop, w.scopes))
        here = evolve(ctx, env=inner, tail=again)
        body = _for_body(w, here, s, zone, loop.following, is_turn=of == PLAYER)
        w.loops.pop()
        noting_turns.note_turn(w, s.span, body, loop, variable.slot, index)


MOST_KEPT = 20_000
"""The maximum number of cells that a list of lists may occupy in a frame."""


def _for_each_list(w: Writer, ctx: Context, s: syntax.ForEach) -> None:
    """Lower `for each group in groups(...)`.

    A frame stores the lists one after another, each preceded by its length.
    """
    env = ctx.env
    listing = syntax.Query(s.binder.span, "list", (s.binder,), s.where, (), False, None)
    typed, facts = queries.query_and_facts(env, listing)
    of = item_of(typed.type) or UNKNOWN
    if not isinstance(of, types.List) or isinstance(of.of, types.List):
        if of.known:
            w.c.problems.error(
                "not-storable",
                "a loop cannot go through a list of lists of lists here",
                s.binder.source.span,
                help="go through one list in a query: `sum(x in LIST: ...)`",
            )
        return
    capacity = length_of(typed.type) * (of.length + 1)
    if _are_disjoint(env, s.binder.source):
        capacity = min(capacity, 2 * of.length)
    if capacity > MOST_KEPT:
        w.c.problems.error(
            "not-storable",
            f"these lists may hold {capacity:,} things, which is too many for a loop here (at most {MOST_KEPT:,})",
            s.binder.source.span,
            help="say `up to N` where the lists come from, or go through them in a query",
        )
        return
    capacity = max(1, capacity)
    flat, at = env.procedure.slot(capacity + 1), env.procedure.slot()
    w.emit(
        ir.SetLocalList(
            flat, capacity, ir.CallValue(routine(w.c, "lists in one list"), (typed.code,))
        )
    )
    w.emit(ir.SetLocal(at, ZERO))
    size = ir.At(ir.LocalList(flat), ir.Local(at))
    more = binary("<", ir.Local(at), ir.Length(ir.LocalList(flat)))
    advance = ir.SetLocal(at, binary("+", binary("+", ir.Local(at), size), ONE))
    inner = env.child()
    variable = inner.declare(s.binder.name, of, s.binder.name_span)
    part = routine(w.c, "list out of one list")
    one = ir.CallValue(part, (ir.LocalList(flat), ir.Local(at)))
    begun = ir.SetLocalList(variable.slot, of.length, one)
    inner.learn(facts)
    if len(w.buffers) > 1:  # inside a loop without decisions, so this loop has no decision either
        # the next list is found first, because `skip` skips the rest of the body
        body = w.capture(lambda: _loop_body(w, ctx.with_env(inner), s.body, None))
        w.emit(ir.While(more, (begun, advance, *body)))
        return
    with w.loop(more, advance) as loop:
        w.emit(begun)
        _loop_body(w, ctx.with_env(inner), s.body, loop)


def _are_disjoint(env: Env, e: syntax.Expression) -> bool:
    """Return whether the lists in a source come from `groups`, so that they certainly have no common member."""
    match e:
        case syntax.Query(word="groups"):
            return True
        case syntax.Query(
            word="most" | "fewest" | "ranking" | "list", binders=(binder,), body=None
        ):
            return _are_disjoint(env, binder.source)
        case syntax.Query(word="most" | "fewest", binders=(binder,)):
            return _are_disjoint(env, binder.source)
        case syntax.Dot(name="reversed" | "first_few" | "last_few"):
            return _are_disjoint(env, e.subject)
        case syntax.Word() if e.name in env.c.model.values and e.name not in env.scope:
            return _are_disjoint(env, env.c.model.values[e.name].value)
        case _:
            return False


def _listed_first(binder: syntax.Binder) -> syntax.Binder:
    """If the given binder has a `stretch`, return a binder that lists the members before the loop.

    The loop may change where the stretch ends. Return any other binder unchanged.
    """
    if binder.stretch is None:
        return binder
    listing = syntax.Query(binder.span, "list", (binder,))
    return evolve(binder, type=None, source=listing, start=None, stretch=None)


def is_everybody(env: Env, source: syntax.Expression) -> bool:
    """Return whether a source means all players in the game. Any other list may contain players who have left."""
    match source:
        case syntax.Word(name="players"):
            return "players" not in env.scope
        case syntax.TypeWord(name=name):
            return env.c.model.type_named(name) == PLAYER
        case _:
            return False


def members_of(
    w: Writer, ctx: Context, binder: syntax.Binder, source: Typed
) -> tuple[Expr, Type, int]:
    """Return code for the members of a source (as a list that the frame stores), their type, and
    their maximum number.
    """
    env = ctx.env
    if binder.type or binder.start or binder.stretch or isinstance(source.type, types.Tokens):
        typed = queries.query(env, syntax.Query(binder.span, "list", (binder,)), None)
    else:
        typed = expressions.members(env, source, binder.source)
    of = item_of(typed.type) or UNKNOWN
    of = UNKNOWN if isinstance(of, types.Nothing) else of.surely()
    if isinstance(of, types.List):
        w.c.problems.error(
            "not-storable",
            "a loop with choices cannot go through a list of lists",
            binder.source.span,
            help=f"go through their numbers: `for each n in 1..{binder.source.span.text}.size`, and "
            f"take `{binder.source.span.text}.nth(n)`",
        )
        return ir.Const(()), UNKNOWN, 0
    if isinstance(typed.code, ir.Const):
        return typed.code, of, length_of(typed.type)
    capacity = max(1, length_of(typed.type))
    if isinstance(binder.source, syntax.Word) and binder.source.name == "players":
        capacity = len(w.c.model.seats)
    slot = env.procedure.slot(capacity + 1)
    kept = expressions.as_frame_list(env, typed, binder.source, "the list of this loop")
    w.emit(ir.SetLocalList(slot, capacity, kept))
    return ir.LocalList(slot), of, capacity


def _for_body(
    w: Writer,
    ctx: Context,
    s: syntax.ForEach,
    zone: Typed | None,
    following: int | None,
    is_turn: bool = False,
) -> int:
    """Emit the steps for each member.

    Return the block in which the turn of a player begins; -1 if the steps are not a turn.
    """
    env = ctx.env
    test: Expr = ONE
    if zone is not None:
        variable = env.scope[s.binder.name]
        test = binary("==", load(w.c.layout.zone_of, variable.read()), zone.code)
    elif w.c.eliminates and is_everybody(env, s.binder.source):
        test = load(w.c.layout.in_play, env.scope[s.binder.name].read())
    inside = env.child()
    if s.where is not None:
        asked = expressions.condition(env, s.where)
        test = both(test, asked.code)
        inside.learn(asked.so)
    if following is None:
        with w.when(test, cut=False):
            recursion.block(w, ctx.with_env(inside), s.body)
        return -1
    w.continue_if(test, following)
    body = noting_turns.begin_body(w, ctx) if is_turn else -1
    recursion.block(w, ctx.with_env(inside), s.body)
    return body


@writes(syntax.EachPlayer)
def each_player(w: Writer, ctx: Context, s: syntax.EachPlayer) -> None:
    """Lower `each player from P where C` with its block."""
    env, c = ctx.env, w.c
    env.forget(changed_names(w, s))
    seats = len(c.model.seats)
    again = ctx.tail or w.a.can_fail(s.body)
    start: Expr = ZERO
    if s.start is not None:
        start = expressions.value_of_type(env, s.start, PLAYER).code
    most = seats * 2 if s.direction == "there and back" else seats
    turn, first = env.procedure.slot(), env.procedure.slot()
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    w.emit(ir.SetLocal(first, start))
    step: Expr = ir.Local(turn)
    if s.direction == "backwards":
        step = binary("-", ir.Const(seats), ir.Local(turn))
    elif s.direction == "there and back":
        back = binary("-", ir.Const(2 * seats - 1), ir.Local(turn))
        step = ir.Choice(binary("<", ir.Local(turn), ir.Const(seats)), ir.Local(turn), back)
    who = binary("%", binary("+", ir.Local(first), step), ir.Const(seats))
    inner = env.child()
    me = inner.bind("me", PLAYER)

    def begin() -> Expr:
        inner.forget(("me",))
        w.emit(ir.SetLocal(me.slot, who))
        test: Expr = load(c.layout.in_play, ir.Local(me.slot)) if c.eliminates else ONE
        if s.where is not None:
            asked = expressions.condition(inner, s.where)
            test = both(test, asked.code)
            inner.learn(asked.so)
        return test

    here = evolve(ctx, env=inner, tail=again, together=ctx.together or s.together)
    end_together = begin_together(w, s) if s.together and suspends else ()
    with w.turns(turn, ir.Const(most), cut=suspends) as loop:
        test = begin()
        if loop is None:
            with w.when(test, cut=False):
                _loop_body(w, here, s.body, None)
        else:
            w.continue_if(test, loop.following)
            body = noting_turns.begin_body(w, ctx)
            _loop_body(w, here, s.body, loop)
            noting_turns.note_turn(w, s.span, body, loop, me.slot, turn, together=s.together)
    w.emit(*end_together)


@writes(syntax.AsPlayer)
def as_player(w: Writer, ctx: Context, s: syntax.AsPlayer) -> None:
    """Lower `as player P` with its block."""
    found = recursion.expression(ctx.env, s.player, PLAYER)
    many = found.type
    if isinstance(many, types.List) and isinstance(many.of, types.Player):
        text = s.player.span.text
        w.c.problems.error(
            "wrong-type",
            "`as` takes one player, but this is several players",
            s.player.span,
            help=write("each player", line_of(s.player.span)) + ", and the steps below it"
            if text == "players"
            else write(f"each player in {text}", line_of(s.player.span))
            + ", and the steps below it",
        )
    who = expressions.as_type(ctx.env, found, s.player, PLAYER)
    suspends = w.procedure.suspending and w.a.step_suspends(s)
    begin = noting_turns.begin_body(w, ctx) if suspends else -1
    inner = ctx.env.child()
    me = inner.bind("me", PLAYER)
    w.emit(ir.SetLocal(me.slot, who.code))
    inner.forget(("me",))
    body = noting_turns.begin_body(w, ctx) if suspends else -1
    recursion.block(w, ctx.with_env(inner), s.body)
    noting_turns.note_turn(w, s.span, body, Loop(begin, -1, -1), me.slot)
    ctx.env.forget(changed_names(w, s))
