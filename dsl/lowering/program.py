"""A whole program: every rule compiled, score and winners, words for people, and the size of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, cast

from rulewright.dsl import declared, ir, syntax
from rulewright.dsl.lowering import (
    assuming,
    attributes,
    calls,
    expressions,
    hooks,
    messages,
    queries,
    statements,
    values,
)
from rulewright.dsl.lowering.analysis import Body, analyse, blocks_of, call_name, every
from rulewright.dsl.lowering.core import (
    NONE,
    ONE,
    ZERO,
    Compiler,
    Expr,
    Procedure,
    Stmts,
    Variable,
    binary,
    choice,
    clause_ids,
    free_words,
    load,
    new_env,
    walk,
)
from rulewright.dsl.lowering.layout import column_starts, lay_out
from rulewright.dsl.lowering.printed import printed_value
from rulewright.dsl.lowering.writer import Context, Rules, Writer, start_writer
from rulewright.dsl.suggest import did_you_mean
from rulewright.dsl.tables import as_name
from rulewright.dsl.typesystem import PLAYER, UNKNOWN, Type, describe, whole
from rulewright.dsl.world import World

DEPTH = 4  # how often rules that call each other may nest, where the game does not say


def compile_world(
    world: World,
    scenes: Sequence[syntax.Block] = (),
    write_scenes: Callable[[Rules], None] | None = None,
) -> tuple[ir.Program, Compiler]:
    """The program of a world; problems are reported on the way and make it unfit to run.

    `scenes` are steps from outside the rules; `write_scenes` adds procedures of them when all else is written.
    """
    a = analyse(world)
    statements_of = [s for body in a.bodies.values() for s in every(body.statements)]
    statements_of.extend(s for block in scenes for s in every(block))
    layout = lay_out(
        world,
        uses_known=any(isinstance(s, syntax.Show) for s in statements_of),
        uses_shuffle=any(isinstance(s, syntax.Shuffle) for s in statements_of),
    )
    column_starts(layout)
    c = Compiler(world, layout, world.problems)
    c.eliminates = any(isinstance(s, syntax.Eliminate) for s in statements_of)
    c.stored = {*world.states, *world.zones}
    rules = Rules(c, a)
    c.rules = rules
    c.looked_at = a.looked_at
    rules.blocks.append(ir.Block(-1, (), ir.Finish()))  # HALT
    rules.awake = layout.take(1)
    for power in world.powers:
        for line in power.lines:
            if isinstance(line, declared.Modify):
                c.modifiers.setdefault(call_name(line.value), []).append(
                    values.Modifier(power, line)
                )
    for s in statements_of:
        if isinstance(s, syntax.Do):
            for change in s.changes:
                c.overrides.setdefault(call_name(change.value), layout.take(5))
    _during(c, rules)
    _number_bodies(rules)
    _limits(rules)
    _check_hooks(rules)
    main = _main(rules)
    for body in a.bodies.values():
        if not body.key.startswith(("setup", "play")):
            _write_body(rules, body)
    for key in rules.wrappers:
        hooks.write_wrapper(rules, key)
    for value in [*world.values.values(), *(v for vs in world.subject_values.values() for v in vs)]:
        values.named_info(c, value)
    _check_modifiers(c)
    score = _score(c)
    winners = _winners(c)
    invariants = _invariants(c)
    invariants = _checked(c, invariants)
    boards = _boards(rules)
    if write_scenes is not None:
        c.final_winners = winners
        write_scenes(rules)
    program = _assemble(rules, main, score, winners, invariants, boards)
    return program, c


def _during(c: Compiler, rules: Rules) -> None:
    """For rules in which standing permissions are open: the bodies that may run inside them."""
    for anytime, _ in rules.a.anytimes:
        if anytime.during not in c.world.rules:
            c.problems.error(
                "unknown-action",
                f"there is no rule `{anytime.during}`",
                anytime.during_span,
                help=did_you_mean(anytime.during, list(c.world.rules)),
            )
            continue
        if anytime.action not in c.world.rules:
            c.problems.error(
                "unknown-action",
                f"there is no action `{anytime.action}`",
                anytime.action_span,
                help=did_you_mean(anytime.action, c.world.action_names),
            )
            continue
        reached = {f"rule {anytime.during}"}
        todo = list(reached)
        while todo:
            for key in rules.a.bodies[todo.pop()].calls:
                if key not in reached and key in rules.a.bodies:
                    reached.add(key)
                    todo.append(key)
        c.during[anytime.during] = c.during.get(anytime.during, set()) | reached


def _number_bodies(rules: Rules) -> None:
    for body in rules.a.bodies.values():
        if body.key.startswith(("setup", "play")):
            continue
        number = rules.reserve() if body.suspends else rules.c.reserve_plain()
        rules.numbers[body.key] = (body.suspends, number)
        if hooks.needs_wrapper(rules, body.key):
            rules.wrappers[body.key] = rules.reserve()


def _limits(rules: Rules) -> None:
    probe = Writer(rules, Procedure("", suspending=False), None, -1)
    for body in rules.a.bodies.values():
        for s in every(body.statements):
            if isinstance(s, syntax.Limit):
                statements.limit_cells(probe, s)
                rules.c.limit_words.setdefault(s.per, []).append(rules.limits[id(s)])


def _check_hooks(rules: Rules) -> None:
    for name, found in rules.a.hooks.items():
        if name not in rules.c.world.rules:
            for hook, _ in found:
                rules.c.problems.error(
                    "unknown-action",
                    f"there is no rule or action `{name}`",
                    hook.pattern.name_span,
                    help=did_you_mean(name, list(rules.c.world.rules)),
                )


def _check_modifiers(c: Compiler) -> None:
    for name, modifiers in c.modifiers.items():
        found = [*c.world.subject_values.get(name, [])]
        if name in c.world.values:
            found.append(c.world.values[name])
        for modifier in modifiers:
            if not found:
                c.problems.error(
                    "unknown-name",
                    f"there is no value `{name}`",
                    modifier.line.value.span,
                    help=did_you_mean(name, [*c.world.values, *c.world.subject_values]),
                )
            elif not any(v.open for v in found):
                c.problems.error(
                    "not-open-value",
                    f"`{name}` is not open to changes",
                    modifier.line.value.span,
                    help=f"declare it `open value {name} ...`",
                )


# ---- bodies -----------------------------------------------------------------------------------------------


def _write_body(rules: Rules, body: Body) -> None:
    c = rules.c
    suspending, number = rules.numbers[body.key]
    name = body.key.split(" ", 1)[1]
    w = start_writer(rules, name, suspending, body, number)
    env = new_env(c, w.procedure)
    env.scope["me"] = Variable("me", PLAYER, w.procedure.slot(), w.procedure, None, used=True)
    guarded_away: list[syntax.Expression] = []
    node = body.node
    word = "rule"
    above: syntax.Tags = ()
    carrier: Variable | None = None  # the card whose text this is, where it is one text for several
    tags: syntax.Tags = getattr(node, "tags", ())
    span = getattr(node, "span")  # noqa: B009 - every node has one
    match node:
        case declared.Rule():
            word = node.what
            for n, param in enumerate(node.params):
                env.declare(param.name, _declared(w, node, n), param.name_span)
                if param.source is not None:
                    _check_source(w, node, n)
                if param.where is not None:
                    guarded_away.append(param.where)
        case declared.Effect():
            word = "effect"
            if node.type is not None:
                type = c.world.type_named(node.type.name)
                if type is None:
                    c.problems.error(
                        "unknown-type",
                        f"there is no type `{node.type.name}`",
                        node.type.span,
                        help=did_you_mean(node.type.name, c.world.type_names()),
                    )
                variable = env.declare(node.name, type or UNKNOWN, node.name_span)
                carrier = variable if type is not None else None
            elif not c.world.row_names.get(node.name) and not c.world.has_lost_rows:
                c.problems.error(
                    "unknown-name",
                    f"there is nothing called `{node.name}` that could have an effect",
                    node.name_span,
                    help=did_you_mean(node.name, [n for n in c.world.row_names if len(n) > 1]),
                )
            for param in node.params:
                env.declare(
                    param.name,
                    c.world.type_of(param.type) if param.type is not None else UNKNOWN,
                    param.name_span,
                )
        case declared.OnAction():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            hook, power = rules.a.hooks[node.pattern.name][n]
            above = power.tags if power is not None else ()
            for local, type in hooks.hook_types(rules, hook, power, w):
                variable = env.declare(local, type, None)
                variable.used = True
                if power is not None and power.type is not None and local == power.name:
                    carrier = variable
            if node.where is not None:
                guarded_away.append(node.where)
        case declared.Whenever():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            for local, type in hooks.trigger_names(rules, n):
                env.declare(local, type, None).used = True
            if node.change is None:
                guarded_away.append(node.condition)
        case declared.OnMove():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            for local, type in hooks.mover_names(rules, n):
                env.declare(local, type, None).used = True
            if node.where is not None:
                guarded_away.append(node.where)
        case _:
            pass
    if body.key.startswith("rule ") and name not in c.world.rules:
        return
    parameters = w.procedure.locals
    for asked in guarded_away:
        assuming.assume(env, asked, truth=True)
    called = name if word in ("rule", "action") else statements.head_of(span, tags, body.statements)
    called = called.removeprefix("effect ")
    if carrier is None:
        w.emit(c.mark(word, called, tags, span, above))
    else:
        row = carrier.type, ir.Local(carrier.slot)
        w.emit(c.row_mark(word, called, tags, span, row, above))
    for cells in c.limit_words.get(name, ()):
        if isinstance(node, declared.Rule):
            for seat in range(len(c.world.seats)):
                w.emit(ir.Store(ir.Const(cells + seat), ZERO))
    in_setup_only = body.in_setup and not body.outside
    outside = body.outside and not in_setup_only
    if isinstance(node, (declared.Whenever, declared.OnMove)):
        outside = body.outside
    ctx = Context(
        env,
        tail=body.tail,
        guarded=body.in_guard,
        outside=outside,
        together=body.together,
        tags=clause_ids(tags),
    )
    statements.block(w, ctx, body.statements)
    w.finish(parameters, span)


def _declared(w: Writer, rule: declared.Rule, n: int) -> Type:
    return calls.param_type(w, rule, n)


def _check_source(w: Writer, rule: declared.Rule, n: int) -> None:
    """Report what is wrong with the source of an offered parameter, once."""
    param = rule.params[n]
    probe = new_env(w.c, Procedure("", suspending=False))
    probe.scope["me"] = Variable("me", PLAYER, 0, probe.procedure, None, used=True)
    for k in range(n):
        probe.scope[rule.params[k].name] = Variable(
            rule.params[k].name, calls.param_type(w, rule, k), 0, probe.procedure, None, used=True
        )
    if param.source is not None:
        typed = expressions.expression(probe, param.source)
        if typed.type.known:
            expressions.as_list(probe, typed, param.source)
        inner = probe.child()
        inner.declare(param.name, calls.param_type(w, rule, n), None)
        if param.where is not None:
            expressions.condition(inner, param.where)


def _main(rules: Rules) -> int:
    """Setup, then play, then the end."""
    c, a = rules.c, rules.a
    number = rules.reserve()
    w = start_writer(rules, "game", True, None, number)
    env = new_env(c, w.procedure)
    for what in ("setup", "play"):
        for body in a.bodies.values():
            if body.key.startswith(what):
                node = body.node
                assert isinstance(node, declared.Section)
                w.body = body
                w.emit(c.mark(what, what, node.tags, node.span))
                ctx = Context(env.child(), outside=what == "play", tags=clause_ids(node.tags))
                statements.block(w, ctx, body.statements)
        if what == "setup":
            hooks.wake(w)
    after = w.rules.block()
    w.end(ir.EndGame(), after)
    w.finish(0)
    return number


# ---- the end ------------------------------------------------------------------------------------------------


def _score(c: Compiler) -> list[ir.ScoreItem]:
    items: list[ir.ScoreItem] = []
    for score in c.world.scores:
        for item in score.items:
            if not c.world.is_on(item.only_if):
                continue
            procedure = Procedure(item.text, suspending=False)
            env = new_env(c, procedure)
            env.declare(score.name, PLAYER, score.name_span).used = True
            index = c.score_item(as_name(item.text))
            if index is None or c.plain[index] is not None:  # two items of one name
                index = c.reserve_plain()
            points = expressions.number(env, item.value)
            c.put_plain(index, procedure, 1, [ir.Return(points.code)], item.span)
            items.append(ir.ScoreItem(item.text, index, clause_ids(item.tags)))
            c.mark("score", item.text, item.tags, item.span, score.tags)
    total: Expr = ZERO
    for found in items:
        total = binary("+", total, ir.CallValue(found.procedure, (ir.Local(0),)))
    procedure = Procedure("total", suspending=False)
    procedure.slot()
    c.put_plain(c.total, procedure, 1, [ir.Return(total)])
    return items


def _winners(c: Compiler) -> int | None:
    """The players who win: those named by `win`, else by the winner line."""
    index = c.reserve_plain()
    procedure = Procedure("winners", suspending=False)
    env = new_env(c, procedure)
    out, p = procedure.slot(), procedure.slot()
    seats = len(c.world.seats)
    named = ir.ForRange(
        p,
        ZERO,
        ir.Const(seats - 1),
        (ir.If(load(c.layout.won, ir.Local(p)), (ir.Append(out, ir.Local(p)),)),),
    )
    body: Stmts = [ir.SetLocal(out, ir.MakeList(())), named]
    some = ir.If(binary(">", ir.Length(ir.Local(out)), ZERO), (ir.Return(ir.Local(out)),))
    body.append(some)
    for winner in c.world.winners:
        c.mark("winner", "winner", winner.tags, winner.span)
        inner = env.child()
        variable = inner.declare(winner.name, PLAYER, winner.name_span)
        variable.used = True
        best = [procedure.slot() for _ in winner.keys]
        now = [procedure.slot() for _ in winner.keys]
        loop: Stmts = []
        better: Expr = ZERO
        equal: Expr = ONE
        for slot, key in zip(now, winner.keys, strict=True):
            typed = expressions.expression(inner, key.value)
            if typed.type.tag == "tokens":
                typed = attributes.token_count(inner, typed, key.value)
            if typed.type.known and typed.type.tag not in ("int", "flag"):
                c.problems.error(
                    "wrong-type",
                    f"the winner is found by numbers, this is {describe(typed.type)}",
                    key.value.span,
                )
            loop.append(
                ir.SetLocal(
                    slot, choice(typed.code, ONE, ZERO) if typed.type.tag == "flag" else typed.code
                )
            )
        for slot, kept, key in reversed(list(zip(now, best, winner.keys, strict=True))):
            word: ir.BinaryWord = "<" if key.lowest else ">"
            ahead = ir.Binary(word, ir.Local(slot), ir.Local(kept))
            same = ir.Binary("==", ir.Local(slot), ir.Local(kept))
            better = ahead if better == ZERO else ir.Or(ahead, ir.And(same, better))
            equal = same if equal == ONE else ir.And(same, equal)
        keep = tuple(
            ir.SetLocal(kept, ir.Local(slot)) for slot, kept in zip(now, best, strict=True)
        )
        first = binary("==", ir.Length(ir.Local(out)), ZERO)
        loop.append(
            ir.If(
                ir.Or(first, better),
                (ir.SetLocal(out, ir.MakeList(())), ir.Append(out, variable.read()), *keep),
                (ir.If(equal, (ir.Append(out, variable.read()),)),),
            )
        )
        alive = load(c.layout.in_play, variable.read())
        body.extend(ir.SetLocal(slot, ZERO) for slot in best)
        body.append(
            ir.ForRange(variable.slot, ZERO, ir.Const(seats - 1), (ir.If(alive, tuple(loop)),))
        )
        if not winner.shared:
            body.append(
                ir.If(binary(">", ir.Length(ir.Local(out)), ONE), (ir.Return(ir.Const(())),))
            )
        break
    body.append(ir.Return(ir.Local(out)))
    c.put_plain(index, procedure, 0, body)
    return index


def _invariants(c: Compiler) -> list[tuple[str, int]]:
    out: list[tuple[str, int]] = []
    for invariant in c.world.invariants:
        procedure = Procedure(invariant.text, suspending=False)
        env = new_env(c, procedure)
        index = c.reserve_plain()
        code = expressions.condition(env, invariant.value)
        c.put_plain(index, procedure, 0, [ir.Return(choice(code, ONE, ZERO))], invariant.span)
        out.append((invariant.text, index))
    return out


def _checked(c: Compiler, invariants: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those that play may break; the others speak only of what is printed, and are held to it."""
    left: list[tuple[str, int]] = []
    for node, (text, index) in zip(c.world.invariants, invariants, strict=True):
        holds = printed_value(c, index)
        if holds is None:
            left.append((text, index))
        if holds != 0:
            continue
        notes = []
        if isinstance(node.value, syntax.Binary):
            for side in (node.value.left, node.value.right):
                found = _printed_value(c, side)
                if found is not None and not isinstance(side, syntax.Number):
                    notes.append(f"`{side.span.text}` is {found}")
        c.problems.error(
            "invariant-broken",
            f"the invariant `{text}` does not hold",
            node.span,
            notes=tuple(notes),
            help="mend the table, or the invariant",
        )
    return left


def _printed_value(c: Compiler, e: syntax.Expression) -> int | None:
    """A number that is known beforehand."""
    procedure = Procedure("printed", suspending=False)
    index = c.reserve_plain()
    typed = expressions.expression(new_env(c, procedure), e)
    code = typed.code if typed.type.tag == "int" else ZERO
    c.put_plain(index, procedure, 0, [ir.Return(code)], e.span)
    if typed.type.tag != "int":
        return None
    found = printed_value(c, index)
    return found if isinstance(found, int) else None


def _boards(rules: Rules) -> list[ir.BoardView]:
    c = rules.c
    out: list[ir.BoardView] = []
    for board in c.world.boards:
        spoken = frozenset(rules.a.reads(board.title, *board.shows))
        of_player = "me" in free_words((board.title, *board.shows))
        title = _board_text(c, board.title, None, None) if board.title is not None else None
        if board.space is None:
            lines = tuple(_board_line(c, line) for line in board.shows)
            out.append(ir.BoardView("", (), board.notes, lines, title, spoken, of_player))
            continue
        type = c.world.type_named(board.space.name)
        if type is None or type.tag != "space":
            c.problems.error(
                "unknown-type",
                f"there is no space `{board.space.name}`",
                board.space.span,
                help=did_you_mean(board.space.name, list(c.world.spaces)),
            )
            continue
        for line in board.shows:
            if line.binder is not None:
                c.problems.error(
                    "wrong-type",
                    "a grid is drawn cell by cell, so `for` has no place here",
                    line.binder.span,
                    help='draw lines of words under `board "TITLE"`',
                )
        shows = tuple(_board_text(c, line.text, ("cell", type), line.where) for line in board.shows)
        out.append(ir.BoardView(board.space.name, shows, board.notes, (), title, spoken, of_player))
    return out


def _board_text(
    c: Compiler,
    text: syntax.Text,
    given: tuple[str, Type] | None,
    where: syntax.Expression | None,
) -> tuple[int, int]:
    """A message, and the procedure of (what is given, me) that returns its arguments."""
    procedure = Procedure("board", suspending=False)
    env = new_env(c, procedure)
    if given is not None:
        env.declare(*given, None).used = True
    env.declare("me", PLAYER, None).used = True
    parameters = procedure.locals
    index = c.reserve_plain()
    stmts: list[ir.Stmt] = []
    if where is not None:
        test = expressions.condition(env, where)
        stmts.append(ir.If(ir.Not(test), (ir.Return(ir.MakeList((NONE,))),)))
        assuming.assume(env, where, truth=True)
    message, codes = messages.text_message(env, text, ())
    c.put_plain(index, procedure, parameters, [*stmts, ir.Return(ir.MakeList(codes))], text.span)
    return message, index


def _board_line(c: Compiler, line: declared.BoardLine) -> tuple[int, int, int]:
    """A message, its arguments, and the members it is shown for."""
    procedure = Procedure("members of a board", suspending=False)
    env = new_env(c, procedure)
    env.declare("me", PLAYER, None).used = True
    index = c.reserve_plain()
    if line.binder is None:
        test = expressions.condition(env, line.where) if line.where is not None else ONE
        members: ir.Expr = choice(test, ir.Const((0,)), ir.Const(()))
        given: tuple[str, Type] = ("nothing special", whole(0, 0))
    else:
        query = syntax.Query(line.span, "list", (line.binder,), line.where, (), False, None)
        listed = queries.query(env, query, None)
        members = listed.code if listed.type.known else ir.Const(())
        given = (line.binder.name, listed.type.of or UNKNOWN)
    c.put_plain(index, procedure, 1, [ir.Return(members)], line.span)
    return (*_board_text(c, line.text, given, None), index)


# ---- putting it together --------------------------------------------------------------------------------------


def _assemble(
    rules: Rules,
    main: int,
    score: list[ir.ScoreItem],
    winners: int | None,
    invariants: list[tuple[str, int]],
    boards: list[ir.BoardView],
) -> ir.Program:
    c = rules.c
    world, layout = c.world, c.layout
    empty = ir.Plain("nothing", 0, 0, (ir.Return(ZERO),))
    nothing = ir.Block(-1, (), ir.Finish())
    suspending = tuple(
        s if s is not None else ir.Suspending("nothing", 0, 0, ir.HALT, None)
        for s in rules.suspending
    )
    stack = layout.size
    size = stack + _stack_size(rules, main, suspending)
    kept, places, tokens = _words_of_layout(c)
    named: list[ir.NamedValue] = []
    for info in c.values.values():
        if info.type.known:
            types = [type for _, type in info.parameters] + [PLAYER] * info.uses_me
            parameters = tuple(n for n, _ in info.parameters) + (("me",) if info.uses_me else ())
            named.append(
                ir.NamedValue(
                    info.declaration.name,
                    info.procedure,
                    parameters,
                    c.domain(_shown(info.type)),
                    info.base,
                    tuple(info.sources),
                    info.declaration.name_span,
                    tuple(c.domain(_shown(type)) for type in types),
                    tuple(n for n, type in enumerate(types) if not _is_single(type)),
                    info.type.tag == "flag",
                )
            )
    callables = []
    for name, rule in world.rules.items():
        suspends, number = hooks.entry(rules, f"rule {name}")
        if suspends:
            probe = Writer(rules, Procedure("", suspending=False), None, -1)
            params = tuple(
                (p.name, c.domain(_shown(calls.param_type(probe, rule, n))))
                for n, p in enumerate(rule.params)
            )
            callables.append(
                ir.Callable(name, rule.what, number, (("me", c.domain(PLAYER)), *params))
            )
    row_cells = tuple(
        (zone, first, layout.zone_family[zone].slots)
        for zone, first in sorted(layout.row_base.items())
    )
    lookahead = world.settings.get("lookahead")
    player_domain = c.domain(PLAYER)
    pieces = tuple(
        ir.PieceKind(k.name, k.first, k.count, tuple(k.rows), _columns(c, k), k.span)
        for k in world.pieces.values()
    )
    spaces = tuple(
        ir.SpaceKind(
            k.name,
            k.first,
            k.count,
            tuple(k.rows),
            _columns(c, k),
            tuple(k.places),
            k.shape == "growing",
            k.span,
            k.shape,
        )
        for k in world.spaces.values()
    )
    return ir.Program(
        sources=tuple(_sources(world)),
        title=world.title,
        players=world.config.players,
        seats=len(world.seats),
        options=tuple(world.option_chosen.items()),
        size=size,
        stack=stack,
        start=tuple(sorted(layout.start.items())),
        main=main,
        tables=tuple(c.tables),
        plain=tuple(p if p is not None else empty for p in c.plain),
        suspending=suspending,
        blocks=tuple(b if b is not None else nothing for b in rules.blocks),
        sites=tuple(rules.sites),
        chances=tuple(rules.chances),
        messages=tuple(c.messages),
        faults=tuple(c.faults),
        domains=tuple(c.domains),
        kept=kept,
        places=places,
        tokens=tokens,
        links=ir.PieceLinks(
            layout.pieces,
            layout.zones,
            layout.zone_of,
            layout.next,
            layout.previous,
            layout.head,
            layout.tail,
            layout.count,
            layout.slot_of,
            layout.known,
            row_cells,
        ),
        pieces=pieces,
        spaces=spaces,
        score=tuple(score),
        winners=winners,
        in_play=layout.in_play,
        values=tuple(named),
        invariants=tuple(invariants),
        marks=tuple(c.marks),
        callables=tuple(callables),
        boards=tuple(boards),
        player_domain=player_domain,
        lookahead=world.number(lookahead.value, "lookahead", 20000)
        if lookahead is not None
        else 20000,
    )


def _shown(type: Type) -> Type:
    while type.tag in ("list", "zone") and type.of is not None:
        type = type.of
    return type if type.known and type.tag not in ("nothing", "empty", "text") else whole(0, 1)


def _columns(c: Compiler, kind: object) -> tuple[tuple[str, int, int], ...]:
    columns = getattr(kind, "columns")  # noqa: B009 - a kind of thing
    return tuple(
        (name, c.domain(_shown(info.type)), c.table(info.values)) for name, info in columns.items()
    )


def _is_single(type: Type) -> bool:
    return type.known and type.tag not in ("list", "zone", "tokens")


def _sources(world: World) -> Iterator[ir.Sources]:
    """Where the rows of all tables are from, as far as one of them says so."""
    for kind in (*world.pieces.values(), *world.spaces.values()):
        if any(kind.provenance):
            rows = dict(zip(kind.rows, kind.provenance, strict=True))
            what: Literal["piece", "space"] = "piece" if kind.tag == "piece" else "space"
            file = kind.row_spans[0].source.name.rpartition("/")[2]
            yield ir.Sources(kind.name, what, tuple(rows.items()), file)
    for table in world.tables.values():
        if any(source for _, source in table.provenance):
            file = table.file.rpartition("/")[2]
            yield ir.Sources(table.name, "table", tuple(table.provenance), file)


def _words_of_layout(
    c: Compiler,
) -> tuple[tuple[ir.Kept, ...], tuple[ir.PlaceInfo, ...], tuple[ir.TokenPlace, ...]]:
    kept: list[ir.Kept] = []
    places: list[ir.PlaceInfo] = []
    tokens: list[ir.TokenPlace] = []
    for f in c.layout.families:
        sizes = tuple(t.high - t.low + 1 for t in f.indices)
        domains = tuple(c.domain(t) for t in f.indices)
        lows = tuple(t.low for t in f.indices)
        owner, owners, cell_of = f.owner.name, f.owner.ids, -1
        if f.owner.slots:
            owners, cell_of = tuple(range(f.owner.slots)), c.layout.growing[owner].cell_of
        match f.what:
            case "state":
                item = f.type.of if f.type.of is not None else f.type
                kept.append(
                    ir.Kept(
                        f.name,
                        owner,
                        owners,
                        f.base,
                        f.per_owner,
                        sizes,
                        domains,
                        lows,
                        c.domain(_shown(f.type)),
                        item.low,
                        item.high,
                        f.start,
                        f.seen,
                        f.type.length if f.type.tag == "list" else 0,
                        f.span,
                        cell_of,
                    )
                )
            case "zone":
                shape = cast('Literal["pile", "set", "row", "spot"]', f.shape)
                places.append(
                    ir.PlaceInfo(
                        f.name,
                        owner,
                        owners,
                        f.base,
                        f.per_owner,
                        sizes,
                        domains,
                        lows,
                        shape,
                        f.slots,
                        f.type.names,
                        f.seen,
                        f.except_for,
                        f.span,
                        cell_of,
                    )
                )
            case "tokens":
                tokens.append(
                    ir.TokenPlace(
                        f.name,
                        f.token,
                        owner,
                        owners,
                        f.base,
                        f.per_owner,
                        sizes,
                        domains,
                        lows,
                        f.colours,
                        f.own_colour,
                        f.seen,
                        f.except_for,
                        f.span,
                        cell_of,
                    )
                )
    return tuple(kept), tuple(places), tuple(tokens)


def _stack_size(rules: Rules, main: int, suspending: tuple[ir.Suspending, ...]) -> int:
    """The most cells the stack can need: the longest way through the calls, circles as often as declared."""
    world = rules.c.world
    setting = world.settings.get("depth")
    depth = world.number(setting.value, "depth", DEPTH) if setting is not None else DEPTH
    calls_of = {n: sorted(rules.calls.get(n, set())) for n in range(len(suspending))}
    for block in rules.blocks:
        if block is not None and isinstance(block.end, ir.CallThen):
            calls_of.setdefault(block.procedure, []).append(block.end.procedure)
    order, component = _components(calls_of)
    weight: dict[int, int] = {}
    for group in order:
        frames = sum(ir.FRAME + suspending[n].locals for n in group)
        inside = set(group)
        circular = len(group) > 1 or any(n in calls_of[n] for n in group)
        if circular:
            frames *= depth
        below = max(
            (weight[component[m]] for n in group for m in calls_of[n] if m not in inside), default=0
        )
        weight[component[group[0]]] = frames + below
    needed = weight.get(component.get(main, 0), 0)
    extra = max(
        (ir.FRAME + s.locals + weight[component[n]] for n, s in enumerate(suspending)), default=0
    )
    return needed + extra + 8


def _components(calls_of: dict[int, list[int]]) -> tuple[list[list[int]], dict[int, int]]:
    """Groups of procedures that call each other, callees first."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on_stack: set[int] = set()
    order: list[list[int]] = []
    component: dict[int, int] = {}
    for root in calls_of:
        if root in index:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            advanced = False
            targets = calls_of.get(node, [])
            for k in range(at, len(targets)):
                target = targets[k]
                if target not in index:
                    work.append((node, k + 1))
                    work.append((target, 0))
                    advanced = True
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            if advanced:
                continue
            if low[node] == index[node]:
                group: list[int] = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    component[member] = len(order)
                    group.append(member)
                    if member == node:
                        break
                order.append(group)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return order, component


def speaks_of_me(rules: Rules, key: str, seen: set[str] | None = None) -> bool:
    """Whether a rule needs somebody to be acting when it is called."""
    seen = seen if seen is not None else set()
    if key in seen or key not in rules.a.bodies:
        return False
    seen.add(key)

    def block(body: tuple[syntax.Statement, ...]) -> bool:
        return any(one(s) for s in body)

    def one(s: syntax.Statement) -> bool:
        match s:
            case syntax.EachPlayer():
                return any(_says_me(rules, e) for e in (s.start,) if e is not None)
            case syntax.AsPlayer():
                return _says_me(rules, s.player)
            case syntax.Do():
                return _says_me(rules, s.call) or any(
                    speaks_of_me(rules, k, seen) for k in rules.a.callees(s)
                )
            case syntax.Choose() | syntax.ChooseOf() | syntax.May():
                return True
            case _:
                pass
        inner = blocks_of(s)
        if inner:
            own = [v for k, v in _own_parts(s)]
            return any(_says_me(rules, v) for v in own) or any(block(b) for b in inner)
        return _says_me(rules, s)

    return block(rules.a.bodies[key].statements)


def _own_parts(s: syntax.Statement) -> list[tuple[str, object]]:
    import attrs

    parts: list[tuple[str, object]] = []
    for a in attrs.fields(type(s)):
        value = getattr(s, a.name)
        if a.name in ("body", "otherwise", "arms", "step"):
            continue
        if a.name == "cases" and isinstance(s, syntax.If):
            parts.extend(("case", asked) for asked, _ in s.cases)
            continue
        parts.append((a.name, value))
    return parts


def _says_me(rules: Rules, node: object) -> bool:
    for part in walk(node):
        if isinstance(part, syntax.Word):
            if part.name == "me":
                return True
            value = rules.c.world.values.get(part.name)
            if value is not None and values.needs_me(rules.c, value):
                return True
    return False
