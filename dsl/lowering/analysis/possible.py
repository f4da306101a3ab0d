"""Finds the steps that, directly or through calls, can fail, can wait for a player or chance, or
have an unpredictable outcome.

Every answer is conservative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from attrs import define, field

from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.effects import effect, is_decision
from rulewright.dsl.lowering.analysis.enough import BoundsOf, Limits, Named, least_members
from rulewright.dsl.lowering.analysis.reading import Reading
from rulewright.dsl.lowering.analysis.writing import names_of_place
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every

_Kept: TypeAlias = dict[int, tuple[syntax.Statement, bool]]
"""Maps the `id` of each step to the step and its result."""


@define
class Possible(Reading):
    """The part of the analysis that finds whether steps can fail or suspend, and whether their
    outcome is predictable.
    """

    is_settled: bool = False
    """Whether the analysis of all bodies is complete."""
    _fallible: _Kept = field(factory=dict)
    _beyond: _Kept = field(factory=dict)
    _suspends: _Kept = field(factory=dict)
    _limits: Limits | None = None
    _is_eliminating: bool | None = None
    _chosen: dict[int, object] | None = None
    """Maps the `id` of each choice to the declaration that contains the choice."""
    _used: set[str] = field(factory=set)
    """The bodies that were used since this set was cleared."""

    def _use_body(self, key: str) -> Body:
        """Return a body, and record that it was used."""
        self._used.add(key)
        return self.bodies[key]

    def find_fixed_point(
        self,
        bodies: Iterable[Body],
        is_so: Callable[[Body], bool],
        note: Callable[[Body], None],
    ) -> None:
        """Find all bodies for which a fact holds. `note` records the fact for a body.

        A body is examined again after the fact has been recorded for a body that it depends on.
        Recording the fact for one body must never make the fact false for another body.
        """
        waiting: dict[str, list[Body]] = {}
        todo = [*bodies]
        memo: set[str] = set()
        while todo:
            body = todo.pop()
            if body.key in memo:
                continue
            self._used.clear()
            if is_so(body):
                note(body)
                memo.add(body.key)
                todo.extend(waiting.pop(body.key, ()))
            else:
                for key in self._used:
                    waiting.setdefault(key, []).append(body)

    def _cache_result(
        self, kept: _Kept, s: syntax.Statement, work: Callable[[syntax.Statement], bool]
    ) -> bool:
        """Return whether a fact holds for a step. Results are cached only after all bodies have been analysed."""
        if not self.is_settled:
            return work(s)
        known = kept.get(id(s))
        if known is None:
            known = kept[id(s)] = s, work(s)
        return known[1]

    @property
    def eliminates(self) -> bool:
        """Return whether players may leave the game."""
        if self._is_eliminating is None:
            self._is_eliminating = self.has(syntax.Eliminate)
        return self._is_eliminating

    def can_fail(self, statements: Iterable[syntax.Statement]) -> bool:
        """Return whether any of these steps may be impossible."""
        return any(self._step_fallible(s) for s in statements)

    def _step_fallible(self, s: syntax.Statement) -> bool:
        return self._cache_result(self._fallible, s, self._find_fallible)

    def _find_fallible(self, s: syntax.Statement) -> bool:
        match s:
            case syntax.Amount():
                return s.verb == "pay" or self._triggered_fallible(s)
            case syntax.Move():
                if s.how != "exactly":
                    return (
                        self._shape_of(s.target) in ("spot", "row") and s.how != "all"
                    ) or self._triggered_fallible(s)
                if s.source is not None or not isinstance(s.amount, syntax.Word):
                    return True
                return self._shape_of(s.target) in ("spot", "row") or self._triggered_fallible(s)
            case syntax.Choose():
                if s.quantity is None:
                    return not (s.or_none or self._has_always(s, s.where, self._body_of(s)))
                return not self._has_enough(s, s.quantity)
            case syntax.ChooseOf():
                return not self.has_enough_arms(s)
            case syntax.May():
                return False
            case syntax.IfPossible():
                return self.can_fail(s.otherwise)
            case syntax.Surely():
                return False
            case syntax.Do():
                if self.open_parameters(s):
                    return True
                keys = [*self.callees(s)]
                for name in [k.removeprefix("rule ") for k in keys]:
                    keys.extend(f"hook {name} {n}" for n in range(len(self.hooks.get(name, ()))))
                return any(k in self.bodies and self._use_body(k).fails for k in keys)
            case syntax.Roll():
                return self._may_roll_nothing(s) or self._triggered_fallible(s)
            case _:  # all others: the result depends on their effects and blocks
                return (
                    self.written.of(effect, s).refuses
                    or self._triggered_fallible(s)
                    or any(self.can_fail(block) for block in blocks_of(s))
                )

    def _triggered_fallible(self, s: syntax.Statement) -> bool:
        return any(self._use_body(key).fails for key in self.triggers_of(s))

    def _shape_of(self, place: syntax.Expression) -> str:
        names = names_of_place(place)
        shapes = {zone.type.shape for zone in self._zones() if zone.name in names}
        if isinstance(place, syntax.Dot) and place.name == "slot":
            return "row"
        return "spot" if "spot" in shapes else "row" if "row" in shapes else "pile"

    def rule_can_fail(self, name: str) -> bool:
        """Return whether any step of a rule or action, or of its hooks, may be impossible."""
        hooks = (f"hook {name} {n}" for n in range(len(self.hooks.get(name, ()))))
        return any(self._use_body(key).fails for key in (f"rule {name}", *hooks))

    def has_enough_arms(self, s: syntax.ChooseOf) -> bool:
        """Return whether, in every position, the required number of arms can be chosen in any order."""
        if s.quantity is None:
            return (all if s.all_of else any)(map(self.is_always_there, s.arms))
        if s.quantity.word == "up to" or s.quantity.amount is None:
            return True
        there = sum(map(self.is_always_there, s.arms))
        amount = self._bounds(self._body_of(s))(s.quantity.amount)
        return amount is not None and amount[1] <= there

    def open_arms(self, s: syntax.Statement) -> list[bool]:
        """For each arm of a choice, return whether it can be chosen in every position."""
        return [*map(self.is_always_there, s.arms)] if isinstance(s, syntax.ChooseOf) else []

    def is_always_there(self, arm: syntax.OptionArm | syntax.Do) -> bool:
        """Return whether this arm of a choice can be chosen in every position."""
        if isinstance(arm, syntax.OptionArm):
            if self.can_fail(arm.body):
                return False
            if arm.binder is None:
                return arm.where is None
            return self._has_always(arm.binder, arm.where, self._body_of(arm))
        if arm.effect or arm.changes or not isinstance(arm.call, (syntax.Word, syntax.Call)):
            return False
        rule = self.model.rules.get(call_name(arm.call))
        given = len(arm.call.arguments) if isinstance(arm.call, syntax.Call) else 0
        return (
            rule is not None
            and not self.rule_can_fail(rule.name)
            and all(self._has_always(p, p.where, rule) for p in rule.params[given:])
        )

    def _has_always(
        self, one: Named, where: syntax.Expression | None, body: object, least: int = 1
    ) -> bool:
        """Return whether a choice in a body always has at least `least` members."""
        found = least_members(self.model, one, where, self._bounds(body), self.eliminates)
        return found >= least

    def _bounds(self, body: object) -> BoundsOf:
        """Return a function that maps a numeric expression in a body to its bounds."""
        if self._limits is None:
            self._limits = Limits(self.model, self.written)
        return partial(self._limits.of, body=body)

    def _has_enough(self, s: syntax.Choose, quantity: syntax.Quantity) -> bool:
        """Return whether a choice always has at least as many members as `quantity` requires."""
        body = self._body_of(s)
        if quantity.word in ("up to", "any number") or quantity.amount is None:
            return True
        amount = self._bounds(body)(quantity.amount)
        return amount is not None and self._has_always(s, s.where, body, amount[1])

    def _may_roll_nothing(self, s: syntax.Roll) -> bool:
        """Return whether the source of a roll may be empty."""
        match s.source:
            case None | syntax.TypeWord() | syntax.ListOf():
                return False
            case syntax.WrittenValue() | syntax.Reference() | syntax.Operation():
                one = syntax.Binder(s.span, "", s.span, None, s.source)
                return not self._has_always(one, None, self._body_of(s))

    def _body_of(self, choice: object) -> object:
        """Return the declaration that contains a choice or an arm of a choice; None if no body contains it."""
        if self._chosen is None:
            self._chosen = {}
            for body in self.bodies.values():
                for s in body.steps:
                    ways = (s, *s.arms) if isinstance(s, syntax.ChooseOf) else (s,)
                    self._chosen.update((id(way), body.node) for way in ways)
        return self._chosen.get(id(choice))

    def is_beyond_horizon(self, statements: Iterable[syntax.Statement]) -> bool:
        """Return whether these steps depend on chance or on another player's decision.

        If they do, the outcome of later steps cannot be predicted.
        """
        return any(self._step_beyond(s) for s in statements)

    def _step_beyond(self, s: syntax.Statement) -> bool:
        return self._cache_result(self._beyond, s, self._find_beyond)

    def _find_beyond(self, s: syntax.Statement) -> bool:
        if self.written.of(effect, s).draws:
            return True
        match s:
            case syntax.AsPlayer() | syntax.EachPlayer():
                return self.is_beyond_horizon(s.body) or any(
                    is_decision(inner)
                    or (
                        isinstance(inner, syntax.Do)
                        and (self.open_parameters(inner) or self.is_action(inner))
                    )
                    for inner in every(s.body)
                )
            case syntax.Do():
                return any(k in self.bodies and self._use_body(k).horizon for k in self.callees(s))
            case _:  # all others: the result depends on their effects and blocks
                pass
        # Triggers started by the steps are ignored: most do not run, and the author must allow for them.
        return any(self.is_beyond_horizon(block) for block in blocks_of(s))

    def suspends(self, statements: Iterable[syntax.Statement]) -> bool:
        """Return whether these steps can ask a player, need a result of chance or end the game."""
        return any(self.step_suspends(s) for s in statements)

    def step_suspends(self, s: syntax.Statement) -> bool:
        """Return whether a step can ask a player, need a result of chance or end the game."""
        return self._cache_result(self._suspends, s, self._find_suspends)

    def _find_suspends(self, s: syntax.Statement) -> bool:
        does = self.written.of(effect, s)
        if does.asks or does.draws or does.ends:
            return True
        if isinstance(s, syntax.Do):
            if self.open_parameters(s) or self.is_action(s):
                return True
            for key in self.callees(s):
                if key in self.bodies and self._use_body(key).suspends:
                    return True
                if self.hooks.get(key.removeprefix("rule ")):
                    return True
                if any(a.is_open_in(key.split(" ", 1)[1]) for a, _ in self.anytimes):
                    return True
            return False
        if any(self._use_body(key).suspends for key in self.triggers_of(s)):
            return True
        return any(self.suspends(block) for block in blocks_of(s))
