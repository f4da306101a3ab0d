"""Find the steps and expressions that may read or change a secret, so that the analysis can skip all others.

A name may touch a secret if it refers to a hidden place, or to a value or rule that mentions
another such name. A node has no label if it mentions neither such a name nor a local name with a
label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

from attrs import define, field

from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.effects import effect, is_decision
from rulewright.dsl.lowering.whole.parts import written_of
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.memo import Memo
from rulewright.dsl.tree.nesting import call_name, every, walk

WHERE: Final = frozenset(("place", "holder", "carrier", "position", "slot"))
"""Attributes of a piece that return its place."""
SCORES: Final = frozenset(("total", "item"))
"""Attributes of a player that return the score."""
KNOWN: Final = "known_to"
_NO_NAMES: Final = frozenset({""})
"""Marks a result that has not been computed yet."""


@frozen
class Mentions:
    """The names in a node, and the other facts that determine whether the node may touch a secret."""

    names: frozenset[str]
    places: tuple[syntax.Dot, ...]
    """Attributes that depend on the place of a piece."""
    tried: tuple[str, ...]
    """The actions in each `possible(...)` of the node."""
    calls: tuple[syntax.Do, ...]
    is_plain: bool
    """Whether the names alone determine whether the node may touch a secret."""


def mentions_in(node: object) -> Mentions:
    """Return the names in a node, and the other facts that determine whether the node may touch a secret."""
    names, places, tried, calls = set[str](), list[syntax.Dot](), list[str](), list[syntax.Do]()
    for part in walk(node):
        match part:
            case syntax.Dot(name=name):
                names.add(name)
                if name in WHERE or name == KNOWN:
                    places.append(part)
            case syntax.Word(name=name) | syntax.Call(name=name) | syntax.Keep(name=name):
                names.add(name)
            case syntax.Possible(action=action):
                tried.append(call_name(action))
            case syntax.Do():
                calls.append(part)
            case _:
                pass
    is_plain = not (places or tried)
    return Mentions(frozenset(names), tuple(places), tuple(tried), tuple(calls), is_plain)


@define
class Touching:
    """Finds the names of a program that may touch a secret."""

    model: Model
    analysis: Analysis
    memo: Memo
    is_hidden: Callable[[syntax.Dot], bool]
    """Returns whether the place that an attribute of a piece returns may be hidden."""
    attribute_reads: Callable[[str], Set[str]]
    """Given the name of a named value, returns the names that the value may read."""
    names: set[str] = field(factory=set)
    bodies: set[str] = field(factory=set)
    """The keys of the bodies that may touch a secret directly, through calls or in their hooks."""
    _expressions: dict[int, frozenset[str] | None] = field(factory=dict)
    _steps: dict[int, frozenset[str] | None] = field(factory=dict)
    _disclosing: dict[str, bool] = field(factory=dict)
    """Maps the key of each body to whether other players see its effects."""

    def begin(self, hidden: Iterable[str]) -> None:
        """Find all names that may touch a secret, given the names of the secrets."""
        self._expressions.clear()
        self._steps.clear()
        self.bodies.clear()
        self.names = {*hidden}
        model, a = self.model, self.analysis
        parts: dict[str, Sequence[object]] = {
            key: [one for one in written_of(a, body) if one is not None]
            for key, body in a.bodies.items()
        }
        called = {
            f"value {name}": (value, *self._modifier_parts(name))
            for name, value in model.values.items()
        }
        called |= {
            f"value {name}": (*values, *self._modifier_parts(name))
            for name, values in model.subject_values.items()
        }
        called |= {f"value {name}": (one.parts,) for name, one in model.positions.items()}
        called |= {f"value {name}": tuple(model.scores) for name in SCORES}
        parts |= called
        users: dict[str, list[str]] = {}
        left: list[str] = []
        values = {key.removeprefix("value ") for key in called}
        of, bodies, is_clear = self.memo.of, a.bodies, self._is_clear
        asked = self.names | values
        for key, nodes in parts.items():
            for node in nodes:
                each = of(mentions_in, node)
                if each.is_plain and asked.isdisjoint(each.names):
                    continue
                if not is_clear(each):
                    left.append(key)
                    break
                for name in values & each.names:
                    users.setdefault(f"value {name}", []).append(key)
                for name in each.tried:
                    users.setdefault(f"rule {name}", []).append(key)
            for other in a.direct_effects(key)[1] if key in bodies else ():
                users.setdefault(other, []).append(key)
        for name, hooks in a.hooks.items():
            for n, _ in enumerate(hooks):
                users.setdefault(f"hook {name} {n}", []).append(f"rule {name}")
        met = {*left}
        while left:
            key = left.pop()
            if key in called:
                self.names.add(key.removeprefix("value "))
            else:
                self.bodies.add(key)
            more = [user for user in users.get(key, ()) if user not in met]
            met.update(more)
            left += more

    def parts(self) -> Iterator[str]:
        """Yield the parts of the rules that may touch a secret."""
        yield from self.bodies
        for name in self.names:
            yield from (f"value {name}", f"values {name}")

    def _modifier_parts(self, name: str) -> Iterator[object]:
        """Yield the lines that change a value, and the heads of their powers."""
        for power, line in self.analysis.modifier_parts.get(name, ()):
            yield from (line, power.place)
            if power.where is not None:
                yield power.where

    def _is_clear(self, found: Mentions) -> bool:
        """Return whether a node mentions no name that may touch a secret."""
        if not self.names.isdisjoint(found.names):
            return False
        if found.is_plain:
            return True
        return not any(map(self.is_hidden, found.places)) and all(
            name in self.model.rules for name in found.tried
        )

    def of_expression(self, e: object) -> frozenset[str] | None:
        """Return the names in an expression, or None if the expression may touch a secret."""
        found = self._expressions.get(id(e), _NO_NAMES)
        if found is _NO_NAMES:
            memo = self.memo.of(mentions_in, e)
            is_clear = self._is_clear(memo) and self.bodies.isdisjoint(
                f"rule {name}" for name in memo.tried
            )
            found = self._expressions[id(e)] = memo.names if is_clear else None
        return found

    def of_step(self, s: syntax.Statement) -> frozenset[str] | None:
        """Return the names in a step, or None if it or its calls may touch a secret or change the value of
        a name.
        """
        found = self._steps.get(id(s), _NO_NAMES)
        if found is _NO_NAMES:
            found = self._steps[id(s)] = self._of_step(s)
        return found

    def _of_step(self, s: syntax.Statement) -> frozenset[str] | None:
        memo = self.memo.of(mentions_in, s)
        if not self._is_clear(memo):
            return None
        stored = self.model
        if any(
            name not in stored.states and name not in stored.zones
            for name in self.memo.of(_assigned_names, s)
        ):
            return None
        run = {f"rule {name}" for name in memo.tried}
        for call in memo.calls:
            run.update(self.analysis.run_by(call))
        return memo.names if run.isdisjoint(self.bodies) else None

    def is_seen(self, s: syntax.Statement) -> bool:
        """Return whether everybody sees an effect of a step, or of a body that the step calls."""
        return self.memo.of(_is_seen, s) or any(
            self.analysis.open_parameters(call) or self.is_body_seen(key)
            for call in self.memo.of(mentions_in, s).calls
            for key in self.analysis.run_by(call)
        )

    def is_body_seen(self, key: str) -> bool:
        """Return whether everybody sees an effect of a body, of its hooks, or of a body that it calls."""
        if key not in self._disclosing:
            self._disclosing[key] = False  # ends the search of recursive calls
            bodies, name = self.analysis.bodies, key.removeprefix("rule ")
            hooks = (f"hook {name} {n}" for n, _ in enumerate(self.analysis.hooks.get(name, ())))
            self._disclosing[key] = any(
                self.is_seen(s) for each in (key, *hooks) for s in bodies[each].statements
            )
        return self._disclosing[key]


def _assigned_names(s: object) -> frozenset[str]:
    """Return the words that stand alone as the target of an assignment in a step. They may include local names."""
    places = (place for each in every((s,)) for place in effect(each).sets)  # type: ignore[arg-type]
    return frozenset(place.name for place in places if isinstance(place, syntax.Word))


def _is_seen(s: object) -> bool:
    """Return whether everybody sees an effect of a step itself. The step touches no secret, and its
    calls are ignored.
    """
    return any(
        isinstance(each, syntax.Log | syntax.Move | syntax.Eliminate)
        or is_decision(each)
        or bool(effect(each).sets or effect(each).orders)
        for each in every((s,))  # type: ignore[arg-type]
    )
