"""Compiles a whole program: every rule, the main procedure, and the checks of triggers and modifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from attrs import evolve

from rulewright.dsl import ir
from rulewright.dsl.diagnostics.diagnostics import Fix, Label
from rulewright.dsl.diagnostics.suggest import did_you_mean
from rulewright.dsl.lowering.analysis.analysing import analyse
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.lowering.decisions import calls, naming
from rulewright.dsl.lowering.emit import core, recursion
from rulewright.dsl.lowering.emit.code import ZERO
from rulewright.dsl.lowering.emit.core import (
    Compiler,
    Facts,
    Procedure,
    Rules,
    ValueInfo,
    Variable,
    new_env,
)
from rulewright.dsl.lowering.emit.layout import lay_out, set_column_starts
from rulewright.dsl.lowering.emit.paths import clause_ids
from rulewright.dsl.lowering.emit.tabulate import use_tables
from rulewright.dsl.lowering.emit.writer import Context, Writer, start_writer
from rulewright.dsl.lowering.steps import (
    call_triggers,
    condition_triggers,
    giving,
    limits,
    move_triggers,
    parameters,
)
from rulewright.dsl.lowering.values import expressions, positions, values
from rulewright.dsl.lowering.whole import (
    assembling,
    board,
    constructs,  # noqa: F401  # each construct registers how it is lowered
    endings,
)
from rulewright.dsl.lowering.whole.bounds import read_limit
from rulewright.dsl.lowering.whole.folding import Settled, fold
from rulewright.dsl.model.model import Model
from rulewright.dsl.model.types import PLAYER, UNKNOWN, Type
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, every, name_span

Wanted: TypeAlias = Callable[[str], bool]
"""Returns whether the part of the rules with the given name must be lowered."""
Infos: TypeAlias = tuple[ValueInfo, ...]


def prepare(
    model: Model,
    settled: Settled | None = None,
    written: Written | None = None,
    before: Analysis | None = None,
    wrong: Analysis | None = None,
) -> Analysis:
    """In the rules of a model, substitute the values that options determine. Return the analysis that lowering needs.

    `before` is the variant's last analysis without errors, and `wrong` is its last analysis with errors.
    """
    written = written or Written()
    known = fold(model, settled or Settled(), written)
    return analyse(model, known, written, before, wrong)


def compile_model(
    model: Model,
    scenes: Sequence[syntax.Block] = (),
    write_scenes: Callable[[Rules], None] | None = None,
    a: Analysis | None = None,
    *,
    notes_turns: bool = False,
) -> tuple[ir.Program, Compiler]:
    """Return the program of a model. If problems were reported, the program cannot be run.

    `scenes` are steps from outside the rules; `write_scenes` adds their procedures after everything
    else. `a` is the analysis of the rules, if they have been prepared. If `notes_turns` is true,
    scenarios may say whose turn it is.
    """
    rules = _begin(model, prepare(model) if a is None else a, scenes)
    rules.turns = [] if notes_turns else None
    c = rules.c
    main = _write_main(rules, _wants_all)
    _write_parts(rules, _wants_all)
    with c.part("score"):
        score = endings.score_of(rules)
    with c.part("winner"):
        winners, keys = endings.winners_of(c)
    invariants = endings.invariants_of(c, [*enumerate(model.invariants)])
    with c.part("boards"):
        boards = board.boards_of(rules)
    if write_scenes is not None:
        c.final_winners = winners
        write_scenes(rules)
    program = assembling.assemble(rules, main, score, (winners, keys), invariants, boards)
    return program, c


def lower_all(model: Model, a: Analysis) -> Compiler:
    """Lower a whole model only to report its errors, without building a program."""
    return lower_some(model, a, _wants_all, {})


def lower_some(
    model: Model,
    a: Analysis,
    wanted: Wanted,
    known: Mapping[str, Infos],
    is_enough: Callable[[Mapping[str, Infos]], object] | None = None,
) -> Compiler:
    """Lower the wanted parts of a model only to report their errors, without building a program.

    Parts have the names that `sharing.Common` uses. `known` contains the `ValueInfo` of all other
    values. If `is_enough` accepts the `ValueInfo` of the lowered values, nothing else is lowered.
    """
    rules = _begin(model, a, (), is_run=False)
    _take_over(rules.c, wanted, known)
    if is_enough is not None:
        _write_values(rules.c, wanted)
        if is_enough(infos_of(rules.c)):
            return rules.c
    _write_main(rules, wanted)
    _write_parts(rules, wanted)
    c = rules.c
    some = [(n, each) for n, each in enumerate(model.invariants) if wanted(f"invariant {n}")]
    if wanted("score") or some:
        with c.part("score"):
            endings.score_of(rules)
    if wanted("winner"):
        with c.part("winner"):
            endings.winners_of(c)
    endings.invariants_of(c, some)
    if wanted("boards"):
        with c.part("boards"):
            board.boards_of(rules)
    return c


def infos_of(c: Compiler) -> dict[str, Infos]:
    """Return the `ValueInfo` of each lowered value, keyed by part."""
    found: dict[str, Infos] = {}
    for key, value in _named_values(c.model):
        info = c.values.get(id(value))
        if info is not None:
            found[key] = (*found.get(key, ()), info)
    return found


def _take_over(c: Compiler, wanted: Wanted, known: Mapping[str, Infos]) -> None:
    """Reuse the `ValueInfo` of values that need not be lowered."""
    at: dict[str, int] = {}
    for key, value in _named_values(c.model):
        number = at[key] = at.get(key, -1) + 1
        if not wanted(key) and number < len(known.get(key, ())):
            info = known[key][number]
            c.values[id(value)] = evolve(info, declaration=value, procedure=c.reserve_plain())


def _named_values(model: Model) -> list[tuple[str, declared.Value]]:
    """Return all named values except positions, each together with the name of its part."""
    of_nothing = [
        (f"value {name}", v) for name, v in model.values.items() if name not in model.positions
    ]
    return of_nothing + [
        (f"values {name}", v) for name, values in model.subject_values.items() for v in values
    ]


def _wants_all(_: str) -> bool:
    return True


def _begin(
    model: Model, a: Analysis, scenes: Sequence[syntax.Block], *, is_run: bool = True
) -> Rules:
    """Reserve numbers and cells for everything that will be written."""
    in_scenes = [s for block in scenes for s in every(block)]

    def has(kind: type) -> bool:
        return a.has(kind) or any(isinstance(s, kind) for s in in_scenes)

    layout = lay_out(model, uses_shuffle=has(syntax.Shuffle))
    set_column_starts(layout)
    c = Compiler(model, layout, model.problems, use_tables, is_run)
    c.eliminates = has(syntax.Eliminate)
    c.stored = {*model.states, *model.zones}
    rules = Rules(c, a, read_limit(model, "depth"), read_limit(model, "lookahead"))
    c.rules = rules
    c.names_read = a.attribute_reads
    rules.blocks.append(ir.Block(-1, (), ir.Finish()))  # HALT
    rules.awake = layout.take(1)
    for power in model.powers:
        for line in power.lines:
            if isinstance(line, declared.Modify):
                c.modifiers.setdefault(call_name(line.value), []).append(core.Modifier(power, line))
    calls = [do for body in a.bodies.values() for do in body.of(syntax.Do)]
    calls += [s for s in in_scenes if isinstance(s, syntax.Do)]
    for do in calls:
        for change in do.changes:
            c.overrides.setdefault(call_name(change.value), layout.take(5))
    _find_permitted_bodies(c, rules)
    _number_bodies(rules)
    _reserve_limits(rules)
    _check_hooks(rules)
    return rules


def _write_parts(rules: Rules, wanted: Wanted) -> None:
    """Lower the wanted bodies, values and positions."""
    c = rules.c
    for body in rules.a.bodies.values():
        if not body.key.startswith(("setup", "play")) and wanted(body.key):
            with c.part(body.key):
                _write_body(rules, body)
    for key in rules.wrappers:
        if wanted(key):
            with c.part(key):
                call_triggers.write_wrapper(rules, key)
    _write_values(c, wanted)
    for position in c.model.positions:
        if wanted(f"value {position}"):
            with c.part(f"value {position}"):
                positions.memory(c, position)
    _check_modifiers(c)


def _write_values(c: Compiler, wanted: Wanted) -> None:
    for key, value in _named_values(c.model):
        if wanted(key):
            values.value_info(c, value)


def _find_permitted_bodies(c: Compiler, rules: Rules) -> None:
    """For each rule with standing permissions, record the bodies that may run while the rule is running."""
    for anytime, _ in rules.a.anytimes:
        if anytime.action not in c.model.rules:
            c.problems.error(
                "unknown-action",
                f"there is no action `{anytime.action}`",
                anytime.action_span,
                help=did_you_mean(anytime.action, c.model.action_names),
            )
            continue
        c.model.refers_to_rule(anytime.action_span, anytime.action)
        given = [p for p in c.model.rules[anytime.action].params if p.source is None]
        if given:
            param = given[0]
            c.problems.error(
                "wrong-arguments",
                f"`{param.name}` of `{anytime.action}` must be given, but `anytime` gives nothing",
                anytime.action_span,
                labels=(Label(param.span, "declared here"),),
                help=f"let the player choose it: `{anytime.action}({param.name} in PLACE)`",
            )
        for rule in anytime.during:
            if rule.name not in c.model.rules:
                c.problems.error(
                    "unknown-action",
                    f"there is no rule `{rule.name}`",
                    rule.span,
                    help=did_you_mean(rule.name, list(c.model.rules)),
                )
                continue
            c.model.refers_to_rule(rule.span, rule.name)
            reached = {f"rule {rule.name}"}
            todo = list(reached)
            while todo:
                for key in rules.a.bodies[todo.pop()].calls:
                    if key not in reached and key in rules.a.bodies:
                        reached.add(key)
                        todo.append(key)
            c.during[rule.name] = c.during.get(rule.name, set()) | reached


def _number_bodies(rules: Rules) -> None:
    for body in rules.a.bodies.values():
        if body.key.startswith(("setup", "play")):
            continue
        number = rules.reserve() if body.suspends else rules.c.reserve_plain()
        rules.numbers[body.key] = (body.suspends, number)
        if call_triggers.needs_wrapper(rules, body.key):
            rules.wrappers[body.key] = rules.reserve()


def _reserve_limits(rules: Rules) -> None:
    probe = Writer(rules, Procedure("", suspending=False), None, -1)
    for body in rules.a.bodies.values():
        for limit in body.of(syntax.Limit):
            limits.limit_cells(probe, limit)
            rules.c.limit_words.setdefault(limit.per, []).append(rules.limits[id(limit)])


def _check_hooks(rules: Rules) -> None:
    for name, found in rules.a.hooks.items():
        for hook, _ in found:
            rules.c.model.refers_to_rule(hook.pattern.name_span, name)
        if name not in rules.c.model.rules:
            for hook, _ in found:
                rules.c.problems.error(
                    "unknown-action",
                    f"there is no rule or action `{name}`",
                    hook.pattern.name_span,
                    help=did_you_mean(name, list(rules.c.model.rules))
                    or f"write `rule {name}` or `action {name}` at the left margin, and its steps below",
                )


def _check_modifiers(c: Compiler) -> None:
    for name, modifiers in c.modifiers.items():
        found = [*c.model.subject_values.get(name, [])]
        if name in c.model.values:
            found.append(c.model.values[name])
        for modifier in modifiers:
            if found:
                c.model.facts.refers(
                    name_span(modifier.line.value), "value", name, found[0].name_span
                )
            if not found:
                c.problems.error(
                    "unknown-name",
                    f"there is no value `{name}`",
                    modifier.line.value.span,
                    help=did_you_mean(name, [*c.model.values, *c.model.subject_values]),
                )
            elif not any(v.open for v in found):
                c.problems.error(
                    "not-open-value",
                    f"`{name}` is not open to changes",
                    modifier.line.value.span,
                    help=f"declare it `open value {name} ...`",
                    fix=Fix(found[0].span.before, "open "),
                )


def _write_body(rules: Rules, body: Body) -> None:
    c = rules.c
    suspending, number = rules.numbers[body.key]
    name = body.key.split(" ", 1)[1]
    w = start_writer(rules, name, suspending, body, number)
    env = new_env(c, w.procedure)
    env.bind("me", PLAYER)
    guarded_away: list[syntax.Expression] = []
    node = body.node
    word = "rule"
    above: syntax.Tags = ()
    carrier: Variable | None = None  # the current card, because several cards share this text
    tags: syntax.Tags = getattr(node, "tags", ())
    span = getattr(node, "span")  # noqa: B009 - every node has one
    match node:
        case declared.Rule():
            word = node.what
            for n, param in enumerate(node.params):
                of = parameters.param_type(w, node, n)
                env.declare(param.name, of, param.name_span, is_parameter=True)
                parameters.written_type(w, param)
                env.learn(_check_source(w, node, n))
            naming.check_name(env, node)
        case declared.Effect():
            word = "effect"
            if node.type is not None:
                type = c.type_of(node.type)
                variable = env.declare(node.name, type or UNKNOWN, node.name_span)
                carrier = variable if type is not None else None
            elif not c.model.row_names.get(node.name) and not c.model.has_lost_rows:
                c.problems.error(
                    "unknown-name",
                    f"there is nothing called `{node.name}` that could have an effect",
                    node.name_span,
                    help=did_you_mean(node.name, [n for n in c.model.row_names if len(n) > 1]),
                )
            for param in node.params:
                env.declare(
                    param.name,
                    parameters.written_type(w, param),
                    param.name_span,
                    is_parameter=True,
                )
        case declared.OnAction():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            hook, power = rules.a.hooks[node.pattern.name][n]
            above = power.tags if power is not None else ()
            for local, type in call_triggers.hook_types(rules, hook, power, w):
                variable = env.declare(local, type, None, is_parameter=True)
                if power is not None and power.type is not None and local == power.name:
                    carrier = variable
            if node.where is not None:
                guarded_away.append(node.where)
        case declared.Whenever():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            for local, type in condition_triggers.trigger_names(rules, n):
                env.declare(local, type, None, is_parameter=True)
            if node.change is None:
                guarded_away.append(node.condition)
        case declared.OnMove():
            word = "trigger"
            n = int(body.key.rsplit(" ", 1)[1])
            moved = move_triggers.trigger_names(rules, n)
            for local, type in moved:
                env.declare(local, type, None, is_parameter=True)
            move_triggers.write_where(rules, n, moved)
            if node.where is not None:
                guarded_away.append(node.where)
        case declared.Section():
            pass
    if body.key.startswith("rule ") and name not in c.model.rules:
        return
    number_of = w.procedure.locals
    for asked in guarded_away:
        env.learn(expressions.condition(env, asked).so)
    called = name if word in ("rule", "action") else recursion.head_of(span, tags, body.statements)
    called = called.removeprefix("effect ")
    if carrier is None:
        w.emit(c.mark(word, called, tags, span, above))
    else:
        row = carrier.type, ir.Local(carrier.slot)
        ids = _whose_effect(w, node, carrier.type) if isinstance(node, declared.Effect) else None
        w.emit(c.row_mark(word, called, tags, span, row, above, ids))
    for cells in c.limit_words.get(name, ()):
        if isinstance(node, declared.Rule):
            for seat in range(len(c.model.seats)):
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
    recursion.block(w, ctx, body.statements)
    giving.check_ends(w)
    w.finish(number_of, span)


def _whose_effect(w: Writer, effect: declared.Effect, type: Type) -> list[int]:
    """Return the rows that have this effect, excluding rows with an effect of their own."""
    effects = w.c.model.effects
    return [i for ids, n in calls.effect_groups(w, type) if effects[n] is effect for i in ids]


def _check_source(w: Writer, rule: declared.Rule, n: int) -> Facts:
    """Report errors in the source and the condition of a parameter that a player chooses.

    Return the facts that follow from the condition.
    """
    param = rule.params[n]
    probe = new_env(w.c, Procedure("", suspending=False))
    probe.bind("me", PLAYER, 0)
    for k in range(n):
        probe.bind(rule.params[k].name, parameters.param_type(w, rule, k), 0)
    typed = parameters.param_source(w, rule, n)
    if param.source is not None and typed is not None:
        if typed.type.known:
            expressions.as_list(probe, typed, param.source)
        inner = probe.child()
        inner.declare(param.name, parameters.param_type(w, rule, n), None)
        if param.stretch is not None:
            expressions.condition(inner, param.stretch.condition)
        if param.where is not None:
            return expressions.condition(inner, param.where).so
    return {}


def _write_main(rules: Rules, wanted: Wanted) -> int:
    """Emit the main procedure. It runs setup and play, and then ends the game."""
    c, a = rules.c, rules.a
    number = rules.reserve()
    w = start_writer(rules, "game", True, None, number)
    env = new_env(c, w.procedure)
    for what in ("setup", "play"):
        for body in a.bodies.values():
            if body.key.startswith(what) and wanted(body.key):
                node = body.node
                assert isinstance(node, declared.Section)
                w.body = body
                w.emit(c.mark(what, what, node.tags, node.span))
                ctx = Context(env.child(), outside=what == "play", tags=clause_ids(node.tags))
                with c.part(body.key):
                    recursion.block(w, ctx, body.statements)
        if what == "setup":
            condition_triggers.begin_watching(w)
    w.end(ir.EndGame(), None)
    w.finish(0)
    return number
