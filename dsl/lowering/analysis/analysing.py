"""Analyses a model.

The module collects the bodies of rules, and finds the facts that follow from the calls between these bodies. The
module is independent of types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from attrs import define, field

from rulewright.dsl.lowering.analysis.analysis import Analysis, Call, Surroundings
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.model.model import Model, Trigger
from rulewright.dsl.model.rule_context import context_of_rules
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every


def analyse(
    model: Model,
    known: Mapping[tuple[str, str], object],
    written: Written,
    before: Analysis | None = None,
    wrong: Analysis | None = None,
) -> Analysis:
    """Return the analysis of all bodies of a game. `written` may already have cached the names in some declarations.

    `known` contains the values known before the game starts. `before` is the latest earlier
    analysis that had no errors. If nothing in `before` can be reused, facts are taken from `wrong`,
    the latest earlier analysis that had errors.
    """
    a = Analysis(model, written)
    for name, rule in model.rules.items():
        a.add(f"rule {name}", rule)
    for n, effect in enumerate(model.effects):
        a.add(f"effect {n}", effect)
    for n, section in enumerate(model.setups):
        a.add(f"setup {n}", section)
    for n, section in enumerate(model.plays):
        a.add(f"play {n}", section)
    for anytime in model.anytimes:
        a.anytimes.append((anytime, None))
    for power in model.powers:
        for line in power.lines:
            match line:
                case declared.Modify():
                    name = call_name(line.value)
                    a.modifier_parts.setdefault(name, []).extend(
                        (power, part)
                        for part in (
                            power.place,
                            power.where,
                            line.where,
                            *(change.amount for change in line.changes),
                        )
                    )
                case declared.Anytime():
                    a.anytimes.append((line, power))
                case declared.Trigger() | declared.Rule():
                    pass
    for trigger, holder in sorted(model.triggers, key=_watches_condition):
        match trigger:
            case declared.OnAction():
                hooks = a.hooks.setdefault(trigger.pattern.name, [])
                key = f"hook {trigger.pattern.name} {len(hooks)}"
                hooks.append((trigger, holder))
                a.add(key, trigger)
            case declared.OnMove():
                key = f"mover {len(a.move_triggers)}"
                a.move_triggers.append((trigger, holder))
                a.add(key, trigger)
            case declared.Whenever():
                key = f"trigger {len(a.watchers)}"
                a.watchers.append((trigger, holder, set()))
                a.add(key, trigger)
    local = {("local", name): True for name in a.local_names()}
    a.rule_context = context_of_rules(model, a.written, {**known, **local}, a.eliminates)
    changed = a.reuse_facts(before) if before is not None else None
    is_wrong = changed is None and wrong is not None and not wrong.shares_with(before)
    if is_wrong and wrong is not None:
        before, changed = wrong, a.reuse_facts(wrong)
    if changed is None:
        _find_watcher_reads(a)
        before, changed = None, a.bodies.keys()
    elif changed and before is not None:
        _find_call_facts(a, a.affected_bodies(before, changed))
        if a.has_same_facts(before, changed) and _has_same_calls(a, before, changed):
            a.reuse_call_facts(before, changed)
            changed = frozenset()
        else:
            changed = a.forget_callers(before, changed)
    if changed:
        _find_call_facts(a, changed)
        if before is not None:
            a.reuse_calls(before, changed)
        _mark_surroundings(a)
        _mark_together(a)
    a.words |= model.constant_values(model.used_words)
    a.is_like_before &= not is_wrong
    return a


def _find_call_facts(a: Analysis, keys: Set[str]) -> None:
    """Find which of the given bodies suspend, which can fail, and which have a horizon."""
    bodies = [body for key, body in a.bodies.items() if key in keys]
    _mark_suspending(a, bodies)
    _mark_failing(a, bodies)


def _has_same_calls(a: Analysis, before: Analysis, changed: Set[str]) -> bool:
    """Return whether the changed bodies make the same calls in the same surroundings before and after the edit."""
    return all(
        {*_calls_from(a, key, how)} == {*calls}
        for (key, how), calls in before.visits.items()
        if key in changed
    )


def _calls_from(a: Analysis, key: str, how: Surroundings) -> tuple[Call, ...]:
    """Return the calls that a body makes if it is itself called in the surroundings `how`."""
    visit = _CallVisitor(a)
    visit.block(a.bodies[key].statements, *how)
    return tuple(visit.calls)


def _find_watcher_reads(a: Analysis) -> None:
    for n, (watcher, holder, _) in enumerate(a.watchers):
        reads = a.reads(watcher.condition, body=holder or watcher)
        if watcher.binder is not None:
            reads |= a.reads(watcher.binder.source)
        if holder is not None:
            reads |= a.reads(holder.place, holder.where, body=holder)
        a.watchers[n] = (watcher, holder, reads)


def _watches_condition(trigger: tuple[Trigger, declared.Power | None]) -> bool:
    """Return whether a trigger watches a condition. In the order of triggers, those that watch
    conditions follow those that watch changes of numbers.
    """
    return isinstance(trigger[0], declared.Whenever) and trigger[0].change is None


def _mark_failing(a: Analysis, bodies: Sequence[Body]) -> None:
    """Mark the bodies that can fail and the bodies that have a horizon, either themselves or through their calls."""

    def fails(body: Body) -> None:
        body.fails = True

    def is_horizon(body: Body) -> None:
        body.horizon = True

    a.find_fixed_point(bodies, lambda body: a.can_fail(body.statements), fails)
    a.find_fixed_point(bodies, lambda body: a.is_beyond_horizon(body.statements), is_horizon)
    a.is_settled = True


def _mark_suspending(a: Analysis, bodies: Sequence[Body]) -> None:
    def suspends(body: Body) -> None:
        body.suspends = True

    for key in a.endless_calls():
        suspends(
            a.bodies[key]
        )  # suspending, so that each call has a frame and the depth of calls is counted
    a.find_fixed_point(
        bodies,
        lambda body: (
            body.suspends or body.key.startswith(("setup", "play")) or a.suspends(body.statements)
        ),
        suspends,
    )


def _mark_surroundings(a: Analysis) -> None:
    """Mark the surroundings in which each body runs: inside a possibility scope, outside any scope,
    in setup, or before a step that may fail.
    """
    for body in a.bodies.values():
        if body.key.startswith("play"):
            body.outside = body.reached = True
        elif body.key.startswith("setup"):
            body.in_setup = body.reached = True
        elif body.key.startswith(("trigger", "mover", "hook")):
            body.reached = True
    for anytime, _ in a.anytimes:
        allowed = a.bodies.get(f"rule {anytime.action}")
        if allowed is not None:
            # Afterwards the question of the open decision is asked again, and must have an option.
            allowed.reached = allowed.in_guard = allowed.tail = True
    todo = {body.key: body for body in a.bodies.values() if body.reached}
    while todo:
        _, body = todo.popitem()
        how = body.tail, body.in_guard, body.outside, body.in_setup
        calls = a.visits.get((body.key, how))
        if calls is None:
            calls = a.visits[body.key, how] = _calls_from(a, body.key, how)
        for call in calls:
            _record_call(a, body, *call, todo)


def _mark_together(a: Analysis) -> None:
    """Mark the bodies that run inside `together each player`. There, only the chooser knows a choice."""
    left = [
        key
        for body in a.bodies.values()
        for s in body.of(syntax.EachPlayer)
        if s.together
        for inner in every(s.body)
        for key in a.run_by(inner)
    ]
    while left:
        body = a.bodies.get(left.pop())
        if body is not None and not body.together:
            body.together = True
            left.extend(body.calls)


def _record_call(
    a: Analysis,
    body: Body,
    key: str,
    tail: bool,
    guarded: bool,
    outside: bool,
    setup: bool,
    todo: dict[str, Body],
) -> None:
    """Record a call of a body. If the body was never called in these surroundings, add it to `todo`."""
    callee = a.bodies[key]
    before = callee.tail, callee.in_guard, callee.outside, callee.in_setup, callee.reached
    callee.tail |= tail and guarded
    callee.in_guard |= guarded
    callee.outside |= outside
    callee.in_setup |= setup
    callee.reached = True
    body.calls.add(key)
    after = callee.tail, callee.in_guard, callee.outside, callee.in_setup, callee.reached
    if before != after:
        todo[key] = callee


@define
class _CallVisitor:
    """Walks through a body, and records each call with its surroundings."""

    a: Analysis
    calls: dict[Call, None] = field(factory=dict)

    def block(
        self,
        statements: Sequence[syntax.Statement],
        tail: bool,
        guarded: bool,
        outside: bool,
        setup: bool,
    ) -> None:
        """Visit statements; `tail` says whether a step after them may still fail."""
        for s in reversed(statements):
            self.statement(s, tail, guarded, outside, setup)
            tail = tail or self.a.can_fail((s,))

    def call(self, key: str, tail: bool, guarded: bool, outside: bool, setup: bool) -> None:
        """Record a call of a body."""
        if key in self.a.bodies:
            self.calls[key, tail, guarded, outside, setup] = None

    def statement(
        self, s: syntax.Statement, rest: bool, guarded: bool, outside: bool, setup: bool
    ) -> None:
        """Visit a statement; `rest` says whether a step after it may still fail."""
        for key in self.a.triggers_of(s):
            self.call(key, rest, guarded, outside, setup)
        match s:
            case syntax.Do():
                scope = self.a.is_action(s) and not guarded
                for key in self.a.callees(s):
                    self.call(
                        key,
                        rest and guarded,
                        guarded or scope,
                        outside and not scope,
                        setup and not scope,
                    )
                    for n, _ in enumerate(self.a.hooks.get(key.removeprefix("rule "), [])):
                        self.call(
                            f"hook {key.removeprefix('rule ')} {n}",
                            rest and guarded,
                            guarded or scope,
                            outside and not scope,
                            setup,
                        )
            case syntax.ChooseOf():
                for block in blocks_of(s):
                    self.block(block, rest and guarded, True, False, False)
            case syntax.May():
                self.block(s.body, rest and guarded, True, False, False)
            case syntax.IfPossible():
                self.block(s.body, rest and guarded, True, False, False)
                self.block(s.otherwise, rest, guarded, outside, setup)
            case syntax.Repeat() | syntax.ForEach() | syntax.EachPlayer():
                again = rest or (guarded and self.a.can_fail(s.body))
                self.block(s.body, again, guarded, outside, setup)
            case _:  # all others: their blocks run once, in order
                for block in blocks_of(s):
                    self.block(block, rest, guarded, outside, setup)
