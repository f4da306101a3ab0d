"""Uses the names in the text to find the bodies that steps call and the triggers that the steps start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from attrs import define, evolve, field

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.kind_names import (
    Holders,
    KindNames,
    OwnerKinds,
    have_common_kind,
)
from rulewright.dsl.lowering.analysis.writing import Writing, names_of_place
from rulewright.dsl.model import types
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, every

Calls = dict[str, dict[str, Span]]
"""Maps each body to the bodies that it may call, with the place of each call."""


@define
class Calling(Writing):
    """The part of the analysis that finds the calls between bodies, and the triggers that steps start."""

    _moved: dict[int, tuple[syntax.Move, Sequence[int]]] = field(factory=dict)
    _called: dict[int, tuple[syntax.Do, Sequence[str]]] = field(factory=dict)
    _after: dict[Set[str], Sequence[int]] = field(factory=dict)
    _set_off: dict[int, tuple[syntax.Statement, Sequence[int]]] = field(factory=dict)
    _triggered: dict[int, tuple[syntax.Statement, Sequence[str]]] = field(factory=dict)
    _name_holders: Holders | None = None
    _declarations: dict[int, object] | None = None
    """Maps the `id` of each step to the declaration that contains the step."""
    _running: dict[str, dict[str, Span]] = field(factory=dict)
    _ending: set[str] | None = None
    _named: set[str] | None = None
    _kind_names: list[KindNames] | None = None
    _holders: dict[int, object] = field(factory=dict)
    _callers: dict[str, list[tuple[Body, syntax.Do]]] | None = None

    def callees(self, do: syntax.Do) -> Sequence[str]:
        """Return the keys of the bodies that a `do` may run."""
        known = self._called.get(id(do))
        if known is None:
            known = self._called[id(do)] = do, self._find_callees(do)
        return known[1]

    def _find_callees(self, do: syntax.Do) -> list[str]:
        name = call_name(do.call)
        if do.effect:
            return self._find_effects(do)
        if isinstance(do.call, (syntax.Word, syntax.Call)) and name in self.model.rules:
            return [f"rule {name}"]
        if isinstance(do.call, syntax.Call) or (
            isinstance(do.call, syntax.Word) and not self._may_be_action(name)
        ):
            return []  # the name is misspelt; the error is reported at the name
        actions: set[int] = set()
        found = False
        for kind in [
            *self.model.kinds.values(),
            *self.model.pieces.values(),
            *self.model.spaces.values(),
        ]:
            column = kind.columns.get(name)
            if column is not None and isinstance(column.type, types.Action):
                found = True
                actions.update(v for v in column.values if isinstance(v, int) and v >= 0)
        names = (
            [self.model.action_names[a] for a in sorted(actions)]
            if found
            else self.model.action_names
        )
        return [f"rule {n}" for n in names]

    def _find_effects(self, do: syntax.Do) -> list[str]:
        """Return the keys of the effects that a `do effect of` may run.

        An effect is left out if no kind can be shared by its subject and the call's subject.
        """
        if self._kind_names is None:
            finder = self._finder()
            self._kind_names = [finder.of_effect(effect) for effect in self.model.effects]
            for body in self.bodies.values():
                for one in body.of(syntax.Do):
                    if one.effect:
                        self._holders[id(one.call)] = body.node
        finder, kind_names = self._finder(), self._kind_names
        holder = self._holders.get(id(do.call))
        subject = do.call
        if isinstance(subject, syntax.Dot) and subject.arguments is not None:
            subject = evolve(subject, arguments=None)
        wanted = None if holder is None else finder.of(subject, holder)
        return [
            f"effect {n}"
            for n, found in enumerate(kind_names)
            if wanted is None or found is None or wanted & found
        ]

    def _may_be_action(self, name: str) -> bool:
        """Return whether a name may refer to an action. This is so for states, values, and local names in bodies."""
        if self._named is None:
            self._named = {*self.model.states, *self.model.values}
            self._named.update(
                *(self.written.locals_set(body.node) for body in self.bodies.values())
            )
        return name in self._named

    def open_parameters(self, do: syntax.Do) -> bool:
        """Return whether a `do` lets the player choose the value of a parameter."""
        name = call_name(do.call)
        rule = self.model.rules.get(name)
        given = len(do.call.arguments) if isinstance(do.call, syntax.Call) else 0
        if do.effect:
            return False
        if rule is None or not isinstance(do.call, (syntax.Word, syntax.Call)):
            return any(
                p.source is not None
                for key in self.callees(do)
                for p in self.model.rules[key.removeprefix("rule ")].params
            )
        return any(p.source is not None for p in rule.params[given:])

    def is_action(self, do: syntax.Do) -> bool:
        """Return whether a `do` runs an action rather than a rule or an effect."""
        if do.effect:
            return False
        name = call_name(do.call)
        rule = (
            self.model.rules.get(name) if isinstance(do.call, (syntax.Word, syntax.Call)) else None
        )
        return rule is None or rule.what == "action"

    def watchers_of(self, s: syntax.Statement) -> Sequence[int]:
        """Return the indices of the `whenever` triggers that watch something that a step itself changes."""
        known = self._set_off.get(id(s))
        if known is None:
            names = self.step_writes(s)
            found = (
                [n for n in self.triggers_after(names) if self._may_concern(n, s)] if names else ()
            )
            known = self._set_off[id(s)] = s, found
        return known[1]

    def _may_concern(self, n: int, s: syntax.Statement) -> bool:
        """Return whether a step may change a thing that the `whenever` with index `n` watches.

        A name may belong to things of several kinds. So the things that the step changes may have a
        watched name without being watched themselves.
        """
        common = self.watchers[n][2] & self.step_writes(s)
        holders, body = self._holders_of_names(), self.declaration_of(s)
        if body is None or not common <= holders.shared.keys():
            return True
        match s:
            case syntax.Move(source=source) if not isinstance(source, syntax.TypeWord | None):
                places = [s.target, source]
            case syntax.SetTo() | syntax.Amount() | syntax.Shuffle():
                places = [s.place]
            case _:  # all others: they may change any watched thing
                return True
        if isinstance(s, syntax.Move | syntax.Shuffle) and not all(map(self._is_named, places)):
            return True
        return have_common_kind(common, self.kinds_read(n), holders.changed_in(places, body))

    def declaration_of(self, s: syntax.Statement) -> object:
        """Return the declaration that contains a step."""
        if self._declarations is None:
            self._declarations = {
                id(step): body.node for body in self.bodies.values() for step in body.steps
            }
        return self._declarations.get(id(s))

    def triggers_of(self, s: syntax.Statement) -> Sequence[str]:
        """Return the keys of the triggers that a step starts itself, rather than through its blocks or calls."""
        known = self._triggered.get(id(s))
        if known is None:
            keys = [f"trigger {n}" for n in self.watchers_of(s)]
            if isinstance(s, syntax.Move):
                keys += [f"mover {n}" for n in self.move_triggers_of(s)]
            known = self._triggered[id(s)] = s, keys
        return known[1]

    def kinds_read(self, n: int) -> OwnerKinds:
        """For each shared name that a `whenever` reads, list the kinds of the things whose values it reads."""
        watcher, holder, _ = self.watchers[n]
        parts: list[object] = [watcher.condition]
        if watcher.binder is not None:
            parts.append(watcher.binder.source)
        if holder is not None:
            parts += (holder.place, holder.where)
        return self._holders_of_names().read_by(watcher, parts, holder or watcher)

    def _holders_of_names(self) -> Holders:
        if self._name_holders is None:
            finder = self._finder()
            self._name_holders = Holders(self.model, self.written, finder, self.modifier_parts)
        return self._name_holders

    def triggers_after(self, names: Set[str]) -> Sequence[int]:
        """Return the indices of the `whenever` triggers that read any of these names."""
        names = frozenset(names)
        known = self._after.get(names)
        if known is None:
            watchers = enumerate(self.watchers)
            found = [n for n, (_, _, reads) in watchers if not reads.isdisjoint(names)]
            known = self._after[names] = found
        return known

    def move_triggers_of(self, s: syntax.Move) -> Sequence[int]:
        """Return the indices of the `enters` and `leaves` triggers that a move may start."""
        known = self._moved.get(id(s))
        if known is None:
            known = self._moved[id(s)] = s, self._find_move_triggers(s)
        return known[1]

    def _find_move_triggers(self, s: syntax.Move) -> list[int]:
        found: list[int] = []
        into = names_of_place(s.target)
        out_of = self.left_by(s)
        for n, (trigger, _) in enumerate(self.move_triggers):
            names = names_of_place(trigger.place)
            if names & (into if trigger.how == "enters" else out_of):
                found.append(n)
        return found

    def blocks_run(self, statements: syntax.Block) -> list[syntax.Block]:
        """Return the given steps, and the steps of all rules, actions, effects and hooks that they
        run, directly or indirectly.
        """
        found = [statements]
        seen: set[str] = set()
        for block in found:
            for s in every(block):
                for key in self._calls(s):
                    if key in self.bodies and key not in seen:
                        seen.add(key)
                        found.append(self.bodies[key].statements)
        return found

    def callers_of(self, key: str) -> Sequence[tuple[Body, syntax.Do]]:
        """Return the steps that may run a body, each together with the body that contains the step."""
        if self._callers is None:
            self._callers = {}
            for body in self.bodies.values():
                for do in body.of(syntax.Do):
                    for callee in self.callees(do):
                        self._callers.setdefault(callee, []).append((body, do))
        return self._callers.get(key, ())

    def bodies_run(self, body: Body) -> dict[str, Span]:
        """Return the keys of the bodies that a body may run, with the place of each call.

        A rule runs its hooks. In a hook `instead of` a rule, the name of that rule means the rule
        without its hooks, so a call of it is left out.
        """
        known = self._running.get(body.key)
        if known is None:
            known = self._running[body.key] = self._find_bodies_run(body)
        return known

    def _find_bodies_run(self, body: Body) -> dict[str, Span]:
        found: dict[str, Span] = {}
        if isinstance(body.node, declared.Rule):
            name = body.node.name
            for n, (hook, _) in enumerate(self.hooks.get(name, ())):
                found[f"hook {name} {n}"] = hook.pattern.span
        itself = None
        if isinstance(body.node, declared.OnAction) and body.node.when == "instead of":
            itself = body.node.pattern.name
        for do in body.of(syntax.Do):
            if itself is not None and not do.effect and call_name(do.call) == itself:
                continue
            for key in self.callees(do):
                if key in self.bodies:
                    found.setdefault(key, do.span)
        return found

    def endless_calls(self) -> Calls:
        """Return the calls that may recurse endlessly.

        Both the caller and the called body are part of a cycle of calls or can reach such a cycle.
        """
        calls: Calls = {key: self.bodies_run(body) for key, body in self.bodies.items()}
        callers: dict[str, list[str]] = {key: [] for key in calls}
        for key, called in calls.items():
            for other in called:
                callers[other].append(key)
        left = {key: len(called) for key, called in calls.items()}
        ends = [key for key, count in left.items() if not count]
        for key in ends:
            for caller in callers[key]:
                left[caller] -= 1
                if not left[caller]:
                    ends.append(caller)
        for key in ends:
            del calls[key]
        for key, called in calls.items():
            calls[key] = {other: span for other, span in called.items() if other in calls}
        return calls

    def ends_game(self, key: str) -> bool:
        """Return whether a body can reach an `end game`, directly or through its calls."""
        if self._ending is None:
            callers: dict[str, list[str]] = {}
            ending: list[str] = []
            for caller, body in self.bodies.items():
                if any(s.word == "end game" for s in body.of(syntax.Simple)):
                    ending.append(caller)
                for called in self.bodies_run(body):
                    callers.setdefault(called, []).append(caller)
            self._ending = set()
            while ending:
                found = ending.pop()
                if found not in self._ending:
                    self._ending.add(found)
                    ending += callers.get(found, ())
        return key in self._ending

    def run_by(self, s: syntax.Statement) -> Iterator[str]:
        """Yield the keys of the bodies that a step runs: rules together with their hooks, and triggers."""
        yield from self.triggers_of(s)
        yield from self._calls(s)

    def _calls(self, s: syntax.Statement) -> Iterator[str]:
        """Yield the keys of the rules that a step calls, and the keys of their hooks."""
        if isinstance(s, syntax.Do):
            for key in self.callees(s):
                yield key
                name = key.removeprefix("rule ")
                yield from (f"hook {name} {n}" for n, _ in enumerate(self.hooks.get(name, [])))
