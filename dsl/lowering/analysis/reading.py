"""Finds the names that an expression reads, directly or through named values and powers.

The module is independent of types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import define, field

from rulewright.dsl.lowering.analysis.bodies import MOVES, PLACE_WORDS, PLACED, ZONE_WORDS, Body
from rulewright.dsl.lowering.analysis.changing import Changing
from rulewright.dsl.lowering.analysis.effects import SEAT_WORDS
from rulewright.dsl.lowering.analysis.kind_names import SCORE_WORDS
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import call_name, walk

SCORE = "@score"
POSSIBLE = "@possible "


@define
class Reading(Changing):
    """The part of the analysis that finds the names of stored things that expressions read."""

    _reads: dict[str, set[str]] = field(factory=dict)
    looks_into_steps: bool = False
    """Whether any result so far depends on the names that steps of actions read."""
    _read_cache: dict[int, tuple[object, set[str]]] = field(factory=dict)
    _column_names: frozenset[str] | None = None
    _distinguished: dict[str, bool] = field(factory=dict)
    _bound: dict[str, dict[str, list[object]]] = field(factory=dict)
    """Maps each body to the expressions to which its local names are set."""

    def reads(self, *nodes: object, body: object = None) -> set[str]:
        """Return the names of stored things that expressions read, directly or through named values and powers.

        If the `body` that contains the expressions is given, a column is not mistaken for a stored
        thing with the same name.
        """
        found: set[str] = set()
        for node in nodes:
            for part in self.written.reading_parts(node):
                match part:
                    case syntax.Word() | syntax.Call():
                        found |= self._name_reads(part.name)
                    case syntax.Dot():
                        if not self._is_printed(part, body):
                            found |= self.attribute_reads(part.name)
                    case syntax.TypeWord() | syntax.Lookup():
                        if self._is_growing(part.name):
                            found.add(MOVES)
                    case syntax.Possible():
                        found |= self.action_reads(call_name(part.action))
                    case syntax.Binary(operator="in" | "not in", right=right):
                        if not self._is_by_name(right):
                            found |= {MOVES, PLACED}
                    case _:
                        pass
        return found

    def cached_reads(self, *nodes: object) -> set[str]:
        """Return the result of `reads` from a cache, for callers that often pass the same nodes.
        All bodies must be known.
        """
        found: set[str] = set()
        for node in nodes:
            if isinstance(node, (tuple, list)):
                found |= self.cached_reads(*node)
                continue
            known = self._read_cache.get(id(node))
            if known is None:
                known = self._read_cache[id(node)] = node, self.reads(node)
            found |= known[1]
        return found

    def _is_printed(self, e: syntax.Dot, body: object) -> bool:
        """Return whether the name after a dot is a column of its subject. The value in a column never changes."""
        model = self.model
        if body is None or e.arguments is not None or e.name not in self._all_columns():
            return False
        kind_names = self._finder().of(e.subject, body)
        if not kind_names or e.name in model.subject_values or e.name in self.modifier_parts:
            return False
        kinds = [
            model.kinds.get(kind_name) or model.pieces.get(kind_name) or model.spaces.get(kind_name)
            for kind_name in kind_names
        ]
        return all(
            kind is not None
            and e.name in kind.columns
            and all(state.name != e.name for state in kind.states)
            and all(zone.name != e.name for zone in kind.zones)
            for kind in kinds
        )

    def _all_columns(self) -> frozenset[str]:
        """Return the names of all columns of things."""
        if self._column_names is None:
            model = self.model
            kinds = (*model.kinds.values(), *model.pieces.values(), *model.spaces.values())
            self._column_names = frozenset(name for kind in kinds for name in kind.columns)
        return self._column_names

    def _is_by_name(self, place: syntax.Expression) -> bool:
        """Return whether a place is written as a list or as the name of a zone or value. Its
        contents then depend only on names that `reads` already includes.
        """
        match place:
            case syntax.TypeWord() | syntax.ListOf():
                return True
            case syntax.Word() | syntax.Call():
                return place.name in self.zone_names or place.name in self.model.values
            case syntax.Dot():
                return place.name in self.zone_names or place.name in self.model.subject_values
            case syntax.WrittenValue() | syntax.Operation():
                return False

    def place_reads(self, place: syntax.Expression) -> set[str]:
        """Return the names that a place reads. The name after the last dot means a place rather than a value."""
        match place:
            case syntax.Dot(subject=subject, name=name):
                return {name} | self.reads(subject, place.arguments)
            case _:
                return self.reads(place)

    def attribute_reads(self, name: str) -> set[str]:
        """Return the names of stored things that an attribute with this name reads."""
        if name in PLACE_WORDS:
            placed = set() if name in ZONE_WORDS else {PLACED}
            return self._name_reads(name) | {MOVES} | placed
        if name in SEAT_WORDS:
            return self._name_reads(name) | {"players"}
        if name in SCORE_WORDS:
            return self._name_reads(name) | self._score_reads()
        return self._name_reads(name)

    def _name_reads(self, name: str) -> set[str]:
        if name in self._reads:
            return self._reads[name]
        result = {name}
        self._reads[name] = result
        values = list(self.model.subject_values.get(name, []))
        if name in self.model.values:
            values.append(self.model.values[name])
        for value in values:
            result |= self.reads(value.value, value.bounds, value.reason, body=value)
        for power, part in self.modifier_parts.get(name, []):
            result |= self.reads(part, body=power)
        return result

    def _score_reads(self) -> set[str]:
        """Return the names that the score reads."""
        if SCORE not in self._reads:
            self._reads[SCORE] = set()
            lines = [line.value for score in self.model.scores for line in score.items]
            self._reads[SCORE] = self.reads(*lines)
        return self._reads[SCORE]

    def action_reads(self, name: str) -> set[str]:
        """Return the names that may determine whether an action is possible: all names that its
        steps or its callees read or set.
        """
        self.looks_into_steps = True
        key = f"{POSSIBLE}{name}"
        if key not in self._reads:
            self._reads[key] = {MOVES, PLACED}
            rule = self.model.rules.get(name)
            if rule is not None:
                self._reads[key] |= self.reads(rule.params, *self.blocks_run(rule.body))
        return self._reads[key]

    def _is_growing(self, name: str) -> bool:
        """Return whether a source consists of the cells of a growing grid. Such cells appear and
        vanish together with the things on them.
        """
        kind = self.model.spaces.get(name)
        return kind is not None and kind.shape == "growing"

    def distinguishes_by(self, name: str) -> bool:
        """Return whether an attribute with this name is read by rules that may run after a choice
        and so may distinguish things by it.
        """
        if name not in self._distinguished:
            read = map(self.written.attributes, self._readers_after_choices())
            self._distinguished[name] = any(name in attributes for attributes in read)
        return self._distinguished[name]

    def _readers_after_choices(self) -> Iterator[object]:
        """Yield the bodies and values that rules may use after a choice, and all powers, permissions and scores."""
        model = self.model
        left: list[object] = [*model.powers, *model.anytimes, *model.scores, *model.winners]
        left += (body.node for body in self._after_choices())
        named: set[str] = set()
        values = model.values.keys() | model.subject_values.keys()
        while left:
            node = left.pop()
            yield node
            words = self.written.words(node) - named
            named |= words
            for word in words & values:
                left += model.subject_values.get(word, ())
                if word in model.values:
                    left.append(model.values[word])

    def _after_choices(self) -> Iterator[Body]:
        """Yield the bodies that run in `play` and, if `setup` has decisions outside triggers, the bodies
        that run in `setup`.
        """
        waiting = ("trigger", "mover", "hook")
        setup = [key for key in self.bodies if key.startswith("setup")]
        play = [key for key in self.bodies if key.startswith(("play", *waiting))]
        play += (f"rule {anytime.action}" for anytime, _ in self.anytimes)
        if any(
            body.of(kind)
            for body in self._run_from(setup, but=waiting)
            for kind in (syntax.Choose, syntax.ChooseOf, syntax.May)
        ):
            play += setup
        yield from self._run_from(play)

    def _run_from(self, keys: Iterable[str], but: tuple[str, ...] = ()) -> Iterator[Body]:
        """Yield the given bodies and all their direct and indirect callees, except bodies whose keys start with the
        text `but`.
        """
        left, met = [*keys], set[str]()
        while left:
            key = left.pop()
            if key not in met and key in self.bodies and not key.startswith(but):
                met.add(key)
                yield self.bodies[key]
                left += self.bodies[key].calls

    def sources_of(self, body: Body, name: str) -> Sequence[object]:
        """Return all expressions that a body may assign to a local name."""
        if body.key not in self._bound:
            self._bound[body.key] = _assigned_values(body.node)
        return self._bound[body.key].get(name, ())


def _assigned_values(node: object) -> dict[str, list[object]]:
    """For each local name, return the expressions, as written, that a body assigns to it."""
    found: dict[str, list[object]] = {}
    for part in walk(node):
        match part:
            case syntax.Let():
                found.setdefault(part.name, []).append(part.value)
            case syntax.LetDo():
                found.setdefault(part.name, []).append(part.call)
            case syntax.SetTo(place=syntax.Word(name=name)):
                found.setdefault(name, []).append(part.value)
            case syntax.Amount(place=syntax.Word(name=name)):
                found.setdefault(name, []).append(part.amount)
            case syntax.Binder() | syntax.Choose():
                found.setdefault(part.name, []).append(part.source)
            case _:
                pass
    return found
