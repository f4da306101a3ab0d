"""Uses the names in rules to find facts about the rules, such as which can suspend, which can fail
and what they change.

After an edit, the facts that are still valid are reused. A name means all stored things with that
name, so every answer is conservative. The module is independent of types.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import zip_longest
from typing import TypeAlias

from attrs import define, evolve, field

from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.possible import Possible
from rulewright.dsl.model.rule_context import RuleContext
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import walk

Call: TypeAlias = tuple[str, bool, bool, bool, bool]
"""A called body and the surroundings of the call (see `Body`)."""
Surroundings: TypeAlias = tuple[bool, bool, bool, bool]


@define
class Analysis(Possible):
    """Facts about all bodies of a game."""

    rule_context: RuleContext = field(factory=lambda: RuleContext({}, ()))
    """The parts of the model that the analysis of steps uses."""
    words: dict[str, int | None] = field(factory=dict)
    """For the search for steps that may fail, maps names to their values before the game starts."""
    visits: dict[tuple[str, Surroundings], Sequence[Call]] = field(factory=dict)
    """Maps each body, together with the surroundings in which it is called, to the calls that it makes."""
    is_like_before: bool = False
    """Whether the edit has left all facts about calls unchanged."""
    _gone: list[int] = field(factory=list)
    """The `id`s of nodes from before the edit that no longer exist."""
    _successor: Analysis | None = None
    """The later analysis that has reused this one. If its game had errors, the later analysis may be released."""

    def local_names(self) -> frozenset[str]:
        """Return all local names in all bodies."""
        return frozenset().union(
            *(self.written.locals_set(body.node) for body in self.bodies.values())
        )

    def reuse_facts(self, before: Analysis) -> Set[str] | None:
        """Reuse the facts from before an edit.

        Return the bodies for which the reused facts may be invalid; None if the facts may be
        invalid for all bodies.
        """
        if (
            before.written is not self.written
            or before.looks_into_steps
            or not self._is_unchanged(before)
            or before.bodies.keys() != self.bodies.keys()
            or before.words != self.model.constant_values(before.words)
            or not self.model.has_cells(before.model.used_cells)
        ):
            return None
        self.words = {**before.words}
        self.model.used_cells = {**before.model.used_cells, **self.model.used_cells}
        changed = {
            key for key, body in self.bodies.items() if body.node is not before.bodies[key].node
        }
        self._writes, self._moved, self._called = before._writes, before._moved, before._called
        self._reads, self._read_cache, self._after = (
            before._reads,
            before._read_cache,
            before._after,
        )
        self._forget_gone(before)
        if before._successor is not None:
            self._forget_gone(before._successor)
        before._successor = self
        self._like, self._zone_names = before._like, before._zone_names
        self._column_names = before._column_names
        self._changed = {key: of for key, of in before._changed.items() if key not in changed}
        self._running = {key: of for key, of in before._running.items() if key not in changed}
        self.watchers = [
            (watcher, holder, reads)
            for (watcher, holder, _), (_, _, reads) in zip(
                self.watchers, before.watchers, strict=True
            )
        ]
        if not changed:
            self.reuse_call_facts(before, changed)
        return changed

    def shares_with(self, other: Analysis | None) -> bool:
        """Return whether two analyses share their facts about steps. If so, the same nodes must be
        forgotten in both.
        """
        return other is not None and self._writes is other._writes

    def affected_bodies(self, before: Analysis, changed: Set[str]) -> Set[str]:
        """Return the changed bodies, and each body that both runs a changed body and is run by a changed body.

        Restore the facts from before the edit for all other bodies.
        """
        found = {*changed, *(self.with_callers(changed) & self._all_callees(before, changed))}
        self._restore_facts(before, found)
        return found

    def with_callers(self, keys: Set[str]) -> Set[str]:
        """Return the given bodies, and all bodies that run them, directly or indirectly."""
        found, left = {*keys}, [*keys]
        callers = self._all_callers()
        while left:
            more = callers.get(left.pop(), set()) - found
            found |= more
            left += more
        return found

    def _all_callees(self, before: Analysis, keys: Set[str]) -> Set[str]:
        """Return all bodies that the given bodies run, directly or indirectly, now or before the edit."""
        found, left = set[str](), [*keys]
        while left:
            key = left.pop()
            run = {*self.direct_effects(key)[1], *self.bodies_run(self.bodies[key])}
            if key in keys:
                run |= {*before.direct_effects(key)[1], *before.bodies_run(before.bodies[key])}
            left += run - found
            found |= run
        return found

    def _restore_facts(self, before: Analysis, but: Set[str]) -> None:
        """Restore the facts from before the edit for all bodies except those in `but`.

        Forget the facts about the bodies in `but`.
        """
        for key, body in self.bodies.items():
            was = before.bodies[key]
            body.suspends, body.fails, body.horizon = (
                (False, False, False) if key in but else (was.suspends, was.fails, was.horizon)
            )

    def forget_callers(self, before: Analysis, changed: Set[str]) -> Set[str]:
        """Forget the facts about changed bodies and all their callers. Return the changed bodies and the callers."""
        found = self.with_callers(changed)
        self._restore_facts(before, found)
        self.is_settled = False
        for known in (self._suspends, self._fallible, self._beyond):
            known.clear()
        return found

    def has_same_facts(self, before: Analysis, changed: Set[str]) -> bool:
        """Return whether the sets of bodies that can suspend, can fail or have a horizon are the same after the edit.

        The result is also false if a changed body contains, or contained, a `together each player` step.
        """
        return all(
            _call_facts(body) == _call_facts(before.bodies[key])
            for key, body in self.bodies.items()
        ) and not any(
            s.together
            for one in (self, before)
            for key in changed
            for s in one.bodies[key].of(syntax.EachPlayer)
        )

    def reuse_call_facts(self, before: Analysis, changed: Set[str]) -> None:
        """Reuse all facts about calls that were found before the edit.

        The changed bodies must still have the same calls and facts.
        """
        self.bodies = {
            key: before.bodies[key]
            if key not in changed
            else _with_new_steps(before.bodies[key], body)
            for key, body in self.bodies.items()
        }
        self.visits, self.is_settled, self.is_like_before = before.visits, True, True
        self._set_off, self._triggered = before._set_off, before._triggered
        self._suspends, self._fallible = before._suspends, before._fallible
        self._beyond = before._beyond
        if all(self.direct_effects(key) == before.direct_effects(key) for key in changed):
            self._all_changed, self._changed_in_all = before._all_changed, before._changed_in_all
        # A fact about a step may depend on the rest of its body.
        self._forget({id(s) for key in changed for s in self.bodies[key].steps})
        self._forget({*self._gone, *before._gone})
        if self._has_same_names(before, changed):
            self._distinguished = before._distinguished

    def _has_same_names(self, before: Analysis, changed: Set[str]) -> bool:
        """Return whether each declaration mentions exactly the names that it mentioned before the edit.

        The result is true only if each changed body has also kept its kinds of choices.
        """
        pairs = zip_longest(self.all_written(), before.all_written())
        of = self.written
        return all(
            one is other
            or (of.attributes(one), of.words(one)) == (of.attributes(other), of.words(other))
            for one, other in pairs
        ) and all(
            bool(self.bodies[key].of(kind)) == bool(before.bodies[key].of(kind))
            for key in changed
            for kind in (syntax.Choose, syntax.ChooseOf, syntax.May)
        )

    def _is_unchanged(self, before: Analysis) -> bool:
        """Return whether the edit changed no part of the model that the step analysis uses and that
        some node mentions.
        """
        names = before.rule_context.changed_names(self.rule_context)
        if names is None:
            return False
        if not names:
            return True
        model, said = self.model, self.written.all_names
        stored = (*model.states.values(), *model.player_states.values())
        zones = (*model.zones.values(), *model.player_zones.values())
        # If a name is known before the game starts, only its value matters, not its text.
        known = {
            name
            for (kind_name, name), what in self.rule_context.by_names.items()
            if kind_name == "known" and what is not None
        }
        apart = {id(one) for one in stored if one.name in names}
        apart |= {id(one) for one in self.all_values() if one.name in names | known}
        # Bodies that have changed are analysed again completely.
        apart |= {
            id(body.node)
            for key, body in self.bodies.items()
            if key not in before.bodies or before.bodies[key].node is not body.node
        }
        nodes = (*self.all_written(), *stored, *zones)
        return all(names.isdisjoint(said(node)) for node in nodes if id(node) not in apart)

    def _forget_gone(self, before: Analysis) -> None:
        """Forget facts about nodes that no longer exist."""
        still = {*map(id, self.all_written())}
        for node in before.all_written():
            for part in () if id(node) in still else walk(node):
                self._gone.append(id(part))
        # Comparisons with the previous analysis may have stored facts about nodes that no longer
        # exist.
        self._forget({*self._gone, *before._gone})

    def _forget(self, nodes: Set[int]) -> None:
        """Forget facts about the nodes with these `id`s."""
        for known in (
            self._writes,
            self._moved,
            self._called,
            self._read_cache,
            self._set_off,
            self._triggered,
            self._suspends,
            self._fallible,
            self._beyond,
            self._all_changed,
        ):
            for node in nodes & known.keys():
                del known[node]

    def _all_callers(self) -> dict[str, set[str]]:
        """Map each body to the bodies whose steps may run it. The callers of a hook include the
        rules to which the hook belongs.
        """
        callers: dict[str, set[str]] = {}
        for key, body in self.bodies.items():
            for called in (*self.direct_effects(key)[1], *self.bodies_run(body)):
                callers.setdefault(called, set()).add(key)
        return callers

    def reuse_calls(self, before: Analysis, changed: Set[str]) -> None:
        """Reuse the calls of unchanged bodies if the edit has not changed which bodies can fail."""
        if all(body.fails == before.bodies[key].fails for key, body in self.bodies.items()):
            self.visits = {
                (key, how): calls
                for (key, how), calls in before.visits.items()
                if key not in changed
            }


def _call_facts(body: Body) -> tuple[bool, bool, bool]:
    """Return three facts about a body: whether it can suspend, whether it can fail, and whether it has a horizon."""
    return body.suspends, body.fails, body.horizon


def _with_new_steps(before: Body, body: Body) -> Body:
    """Return a copy of a body's previous version, with the node and steps of the new version."""
    return evolve(before, node=body.node, steps=body._steps)
