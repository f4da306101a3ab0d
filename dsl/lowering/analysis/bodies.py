"""Collects the bodies of rules together with hooks, triggers and permissions. Each body runs as one procedure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from rulewright.dsl.immutable import frozen
from rulewright.dsl.lowering.analysis.kind_names import KindFinder
from rulewright.dsl.lowering.analysis.written import Written
from rulewright.dsl.model.model import Model
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import every

MOVES = "@moves"
PLACED = "@placed"
"""The name that stands for the place of a piece in the set of names that an expression reads."""
ZONE_WORDS = frozenset({"top", "bottom"})
"""The attributes that return a piece if their subject is a zone."""
PLACE_WORDS = frozenset({"place", "holder", "carrier", "position", "slot", "top", "bottom"})
S = TypeVar("S")


WithSteps: TypeAlias = (
    declared.Rule
    | declared.Effect
    | declared.Section
    | declared.OnAction
    | declared.OnMove
    | declared.Whenever
)
"""A declaration with steps."""


@frozen
class Steps:
    """The statements of a body, including statements in blocks: first all in order, then grouped by class."""

    every: tuple[syntax.Statement, ...]
    by_class: Mapping[type, Sequence[Any]]


def steps_of(node: WithSteps) -> Steps:
    """Return the statements of a declaration."""
    found = tuple(every(node.body))
    by_class: dict[type, list[syntax.Statement]] = {}
    for s in found:
        by_class.setdefault(s.__class__, []).append(s)
    return Steps(found, by_class)


@define
class Body:
    """A part of the rules that runs as one procedure: a rule, an action, an effect, a trigger, setup or play."""

    key: str
    node: WithSteps
    _steps: Steps
    suspends: bool = False
    fails: bool = False
    horizon: bool = False  # whether its steps depend on chance or on a decision of another player
    calls: set[str] = field(factory=set)
    tail: bool = False
    in_guard: bool = False
    outside: bool = False
    in_setup: bool = False
    reached: bool = False
    together: bool = False  # whether steps inside `together` run it, directly or indirectly

    @property
    def statements(self) -> syntax.Block:
        """Return the top-level statements of the body. All other statements are in the blocks of
        top-level statements.
        """
        return self.node.body

    @property
    def steps(self) -> tuple[syntax.Statement, ...]:
        """Return all statements, including statements in blocks."""
        return self._steps.every

    def of(self, kind: type[S]) -> Sequence[S]:
        """Return all statements of a class, including statements in blocks."""
        return self._steps.by_class.get(kind, ())


@define
class Bodies:
    """All bodies of a game, with their hooks, triggers and permissions."""

    model: Model
    written: Written = field(factory=Written)
    bodies: dict[str, Body] = field(factory=dict)
    hooks: dict[str, list[tuple[declared.OnAction, declared.Power | None]]] = field(factory=dict)
    watchers: list[tuple[declared.Whenever, declared.Power | None, set[str]]] = field(factory=list)
    move_triggers: list[tuple[declared.OnMove, declared.Power | None]] = field(factory=list)
    anytimes: list[tuple[declared.Anytime, declared.Power | None]] = field(factory=list)
    modifier_parts: dict[str, list[tuple[declared.Power, object]]] = field(factory=dict)
    """Maps the name of each value to the nodes of its modifiers. Each node is paired with the power
    that contains it.
    """
    _kind_finder: KindFinder | None = None
    _zone_names: frozenset[str] | None = None

    def add(self, key: str, node: WithSteps) -> None:
        """Add the body of a declaration."""
        self.bodies[key] = Body(key, node, self.written.of(steps_of, node))

    def all_written(self) -> Iterator[object]:
        """Yield all declarations whose nodes are analysed."""
        model = self.model
        yield from (body.node for body in self.bodies.values())
        yield from self.all_values()
        for nodes in (
            model.powers,
            model.anytimes,
            model.scores,
            model.winners,
            model.invariants,
            model.boards,
        ):
            yield from nodes

    def all_values(self) -> Iterator[declared.Value]:
        """Yield all named values."""
        yield from self.model.values.values()
        for values in self.model.subject_values.values():
            yield from values

    def has(self, kind: type) -> bool:
        """Return whether any body contains a statement of this class."""
        return any(body.of(kind) for body in self.bodies.values())

    @property
    def zone_names(self) -> frozenset[str]:
        """Return the names of all zones."""
        if self._zone_names is None:
            self._zone_names = frozenset(zone.name for zone in self._zones())
        return self._zone_names

    def _zones(self) -> Iterator[declared.Zone]:
        model = self.model
        yield from model.zones.values()
        yield from model.player_zones.values()
        for kind in (*model.pieces.values(), *model.spaces.values()):
            yield from kind.zones

    def _finder(self) -> KindFinder:
        if self._kind_finder is None:
            self._kind_finder = KindFinder(self.model, self.written)
        return self._kind_finder
