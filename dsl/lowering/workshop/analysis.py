"""What rules can do, read off the text by names: who suspends, who writes what, what can fail,
what is reached from where.

Names stand for all stored things of that name, so every answer is on the safe side. Refuses to know types.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import TypeAlias

from attrs import define, evolve, field

from rulewright.dsl.lowering.workshop.enough import BoundsOf, Limits, Named, least_members
from rulewright.dsl.lowering.workshop.paths import Written
from rulewright.dsl.lowering.workshop.sorts import (
    SCORE_WORDS,
    Finder,
    Holders,
    Sorts,
    Whereabouts,
    may_meet,
)
from rulewright.dsl.problems.source import Span
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every, walk
from rulewright.dsl.world.outlook import Outlook
from rulewright.dsl.world.world import World

MOVES = "@moves"
SCORE = "@score"
POSSIBLE = "@possible "
PLACE_WORDS = frozenset({"place", "holder", "carrier", "position", "slot", "top", "bottom"})
SEAT_WORDS = frozenset({"in_play", "left", "right", "number_from"})

Call: TypeAlias = tuple[str, bool, bool, bool, bool]
"""A body that is called, and how it is come to: see `Body`."""
How: TypeAlias = tuple[bool, bool, bool, bool]
Calls = dict[str, dict[str, Span]]
"""What each body may call, and where it says so."""


@define
class Body:
    """A piece of the rules that runs as one procedure: a rule, an action, an effect, a trigger, setup or play."""

    key: str
    statements: syntax.Block
    node: object
    suspends: bool = False
    fails: bool = False
    horizon: bool = False  # reaches chance or a decision of another player
    calls: set[str] = field(factory=set)
    tail: bool = False
    in_guard: bool = False
    outside: bool = False
    in_setup: bool = False
    reached: bool = False
    together: bool = False  # called, by way of others too, from what is done together
    steps: tuple[syntax.Statement, ...] = field(init=False, repr=False)
    """All statements, blocks included."""

    def __attrs_post_init__(self) -> None:
        self.steps = tuple(every(self.statements))


_Kept: TypeAlias = dict[int, tuple[syntax.Statement, bool]]
"""By the `id` of each step, which is kept beside it."""


@define
class Analysis:
    """Facts about all bodies of a game."""

    world: World
    written: Written = field(factory=Written)
    bodies: dict[str, Body] = field(factory=dict)
    hooks: dict[str, list[tuple[declared.OnAction, declared.Power | None]]] = field(factory=dict)
    watchers: list[tuple[declared.Whenever, declared.Power | None, set[str]]] = field(factory=list)
    movers: list[tuple[declared.OnMove, declared.Power | None]] = field(factory=list)
    anytimes: list[tuple[declared.Anytime, declared.Power | None]] = field(factory=list)
    modifier_parts: dict[str, list[tuple[declared.Power, object]]] = field(factory=dict)
    """By the name of a value what its modifiers are made of, with the power they stand in."""
    is_settled: bool = False
    """Whether it is known of all bodies what they can do."""
    outlook: Outlook = field(factory=lambda: Outlook({}, ()))
    """What steps are looked at by."""
    words: dict[str, int | None] = field(factory=dict)
    """The names that were asked for before the game starts, to find out what can fail, with what they are."""
    visits: dict[tuple[str, How], Sequence[Call]] = field(factory=dict)
    """Whom a body calls, by how it is come to itself."""
    _fallible: _Kept = field(factory=dict)
    _beyond: _Kept = field(factory=dict)
    _suspends: _Kept = field(factory=dict)
    _writes: dict[int, tuple[syntax.Statement, Set[str]]] = field(factory=dict)
    _moved: dict[int, tuple[syntax.Move, Sequence[int]]] = field(factory=dict)
    _called: dict[int, tuple[syntax.Do, Sequence[str]]] = field(factory=dict)
    _after: dict[Set[str], Sequence[int]] = field(factory=dict)
    _set_off: dict[int, tuple[syntax.Statement, Sequence[int]]] = field(factory=dict)
    _name_holders: Holders | None = None
    _standing: dict[int, object] | None = None
    """In which declaration each step stands, by its `id`."""
    _all_changed: dict[int, tuple[syntax.Statement, Set[str]]] = field(factory=dict)
    _changed: dict[str, tuple[set[str], set[str]]] = field(factory=dict)
    _changed_in_all: dict[str, Set[str]] = field(factory=dict)
    _running: dict[str, dict[str, Span]] = field(factory=dict)
    _reads: dict[str, set[str]] = field(factory=dict)
    looks_into_steps: bool = False
    """Whether something was read that hangs on what the steps of actions look at."""
    _kept_reads: dict[int, tuple[object, set[str]]] = field(factory=dict)
    _alike: dict[frozenset[str], frozenset[str]] = field(factory=dict)
    _ending: set[str] | None = None
    _named: set[str] | None = None
    _zone_names: frozenset[str] | None = None
    _column_names: frozenset[str] | None = None
    _sort_finder: Finder | None = None
    _told_by: frozenset[str] | None = None
    _sorts: list[Sorts] | None = None
    _holders: dict[int, object] = field(factory=dict)
    _callers: dict[str, list[tuple[Body, syntax.Do]]] | None = None
    _bound: dict[str, dict[str, list[object]]] = field(factory=dict)
    """In what a call of an effect stands."""
    _limits: Limits | None = None
    _is_eliminating: bool | None = None
    _heir: Analysis | None = None
    """Who took over from this; it may have been let go of, for something was wrong with what it was of."""
    _chosen: dict[int, object] | None = None
    """Where each choice stands, by its `id`."""
    _asked: set[str] = field(factory=set)
    """Bodies that have been asked about since it was cleared."""

    # ---- what is known from before an edit ------------------------------------------------------------

    def given(self) -> frozenset[str]:
        """All local names."""
        return frozenset().union(*(self.written.given(body.node) for body in self.bodies.values()))

    def go_on(self, before: Analysis) -> Set[str] | None:
        """Take over what was found out before an edit; tells the bodies of which it may not hold.

        None where it may hold of none."""
        if (
            before.written is not self.written
            or before.looks_into_steps
            or not self._is_all_alike(before)
            or before.bodies.keys() != self.bodies.keys()
            or before.words != self.world.known_before(before.words)
            or not self.world.has_cells(before.world.cells_asked)
        ):
            return None
        self.words = {**before.words}
        self.world.cells_asked = {**before.world.cells_asked, **self.world.cells_asked}
        changed = {
            key for key, body in self.bodies.items() if body.node is not before.bodies[key].node
        }
        self._writes, self._moved, self._called = before._writes, before._moved, before._called
        self._reads, self._kept_reads, self._after = (
            before._reads,
            before._kept_reads,
            before._after,
        )
        if self._let_go(before):
            self._told_by = before._told_by
        if before._heir is not None:
            self._let_go(before._heir)
        before._heir = self
        self._alike, self._zone_names = before._alike, before._zone_names
        self._column_names = before._column_names
        self._changed = {key: of for key, of in before._changed.items() if key not in changed}
        self._running = {key: of for key, of in before._running.items() if key not in changed}
        self.watchers = [
            (watcher, holder, reads)
            for (watcher, holder, _), (_, _, reads) in zip(
                self.watchers, before.watchers, strict=True
            )
        ]
        left, callers = [*changed], self._all_callers()
        while left:
            more = callers.get(left.pop(), set()) - changed
            changed |= more
            left += more
        for key, body in self.bodies.items():
            if key not in changed:
                was = before.bodies[key]
                body.suspends, body.fails, body.horizon = was.suspends, was.fails, was.horizon
        return changed

    def _is_all_alike(self, before: Analysis) -> bool:
        """Whether all that steps are looked at by is as it was, as far as anything speaks of it."""
        names = before.outlook.otherwise(self.outlook)
        if names is None:
            return False
        if not names:
            return True
        world, said = self.world, self.written.said
        stored = (*world.states.values(), *world.player_states.values())
        zones = (*world.zones.values(), *world.player_zones.values())
        # What is known before the game starts is nobody's affair but by what it is.
        known = {
            name
            for (sort, name), what in self.outlook.by_names.items()
            if sort == "known" and what is not None
        }
        apart = {id(one) for one in stored if one.name in names}
        apart |= {id(one) for one in self._values() if one.name in names | known}
        # Of bodies that are otherwise all is found out anew.
        apart |= {
            id(body.node)
            for key, body in self.bodies.items()
            if key not in before.bodies or before.bodies[key].node is not body.node
        }
        nodes = (*self._whole(), *stored, *zones)
        return all(names.isdisjoint(said(node)) for node in nodes if id(node) not in apart)

    def _let_go(self, before: Analysis) -> bool:
        """Forget what was found out about nodes that are not there any more; tells whether all are, and no others."""
        still, were = {*map(id, self._whole())}, [*before._whole()]
        for node in were:
            for part in () if id(node) in still else walk(node):
                for known in (self._writes, self._moved, self._called, self._kept_reads):
                    known.pop(id(part), None)
        return still == {*map(id, were)}

    def _whole(self) -> Iterator[object]:
        """All that holds nodes of which something is found out."""
        world = self.world
        yield from (body.node for body in self.bodies.values())
        yield from self._values()
        for nodes in (world.powers, world.scores, world.winners, world.invariants, world.boards):
            yield from nodes

    def _values(self) -> Iterator[declared.Value]:
        yield from self.world.values.values()
        for values in self.world.subject_values.values():
            yield from values

    def _all_callers(self) -> dict[str, set[str]]:
        """Of each body those whose steps may run it, and the rules on which it hangs."""
        callers: dict[str, set[str]] = {}
        for key, body in self.bodies.items():
            for called in (*self.direct(key)[1], *self.runs(body)):
                callers.setdefault(called, set()).add(key)
        return callers

    def go_on_settled(self, before: Analysis, changed: Set[str]) -> None:
        """Take over how bodies that are as they were call others, where the same can fail as before."""
        if all(body.fails == before.bodies[key].fails for key, body in self.bodies.items()):
            self.visits = {
                (key, how): calls
                for (key, how), calls in before.visits.items()
                if key not in changed
            }

    # ---- reading ------------------------------------------------------------------------------------

    def reads(self, *nodes: object, body: object = None) -> set[str]:
        """Names of stored things an expression looks at, through named values and powers.

        Where the body it stands in is told, a column is not taken for a stored thing of its name."""
        found: set[str] = set()
        for node in nodes:
            for part in self.written.looking(node):
                match part:
                    case syntax.Word() | syntax.Call():
                        found |= self._name_reads(part.name)
                    case syntax.Dot():
                        if not self._is_printed(part, body):
                            found |= self.looked_at(part.name)
                    case syntax.TypeWord() | syntax.Lookup():
                        if self._grows(part.name):
                            found.add(MOVES)
                    case syntax.Possible():
                        found |= self.action_reads(call_name(part.action))
                    case syntax.Binary(operator="in" | "not in", right=right):
                        if not self._is_by_name(right):
                            found.add(MOVES)
                    case _:
                        pass
        return found

    def reads_kept(self, *nodes: object) -> set[str]:
        """The same, for who asks about the same nodes again and again, when all bodies are known."""
        found: set[str] = set()
        for node in nodes:
            if isinstance(node, (tuple, list)):
                found |= self.reads_kept(*node)
                continue
            known = self._kept_reads.get(id(node))
            if known is None:
                known = self._kept_reads[id(node)] = node, self.reads(node)
            found |= known[1]
        return found

    def _is_printed(self, e: syntax.Dot, body: object) -> bool:
        """Whether what is behind a dot is a column of its subject, and never changes."""
        world = self.world
        if body is None or e.arguments is not None or e.name not in self._columns():
            return False
        sorts = self._finder().of(e.subject, body)
        if not sorts or e.name in world.subject_values or e.name in self.modifier_parts:
            return False
        kinds = [
            world.kinds.get(sort) or world.pieces.get(sort) or world.spaces.get(sort)
            for sort in sorts
        ]
        return all(
            kind is not None
            and e.name in kind.columns
            and all(state.name != e.name for state in kind.states)
            and all(zone.name != e.name for zone in kind.zones)
            for kind in kinds
        )

    def _columns(self) -> frozenset[str]:
        """The names of all columns of things."""
        if self._column_names is None:
            world = self.world
            kinds = (*world.kinds.values(), *world.pieces.values(), *world.spaces.values())
            self._column_names = frozenset(name for kind in kinds for name in kind.columns)
        return self._column_names

    def _finder(self) -> Finder:
        if self._sort_finder is None:
            self._sort_finder = Finder(self.world, self.written)
        return self._sort_finder

    def _is_by_name(self, place: syntax.Expression) -> bool:
        """Whether what may lie here is told by the names that are read anyway."""
        match place:
            case syntax.TypeWord() | syntax.ListOf():
                return True
            case syntax.Word() | syntax.Call():
                return place.name in self.zone_names or place.name in self.world.values
            case syntax.Dot():
                return place.name in self.zone_names or place.name in self.world.subject_values
            case _:
                return False

    @property
    def zone_names(self) -> frozenset[str]:
        """The names of all zones."""
        if self._zone_names is None:
            self._zone_names = frozenset(zone.name for zone in self._zones())
        return self._zone_names

    def _zones(self) -> Iterator[declared.Zone]:
        world = self.world
        yield from world.zones.values()
        yield from world.player_zones.values()
        for kind in (*world.pieces.values(), *world.spaces.values()):
            yield from kind.zones

    def place_reads(self, place: syntax.Expression) -> set[str]:
        """As `reads`, of where something lies or is put: what is behind the last dot is a place, and no value."""
        match place:
            case syntax.Dot(subject=subject, name=name):
                return {name} | self.reads(subject, place.arguments)
            case _:
                return self.reads(place)

    def looked_at(self, name: str) -> set[str]:
        """Names of stored things that something of this name behind a dot looks at."""
        if name in PLACE_WORDS:
            return self._name_reads(name) | {MOVES}
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
        values = list(self.world.subject_values.get(name, []))
        if name in self.world.values:
            values.append(self.world.values[name])
        for value in values:
            result |= self.reads(value.value, value.bounds, body=value)
        for power, part in self.modifier_parts.get(name, []):
            result |= self.reads(part, body=power)
        return result

    def _score_reads(self) -> set[str]:
        """What the score looks at."""
        if SCORE not in self._reads:
            self._reads[SCORE] = set()
            lines = [line.value for score in self.world.scores for line in score.items]
            self._reads[SCORE] = self.reads(*lines)
        return self._reads[SCORE]

    def action_reads(self, name: str) -> set[str]:
        """What may decide whether an action can be done: all that its steps, and those they call, look at or change."""
        self.looks_into_steps = True
        key = f"{POSSIBLE}{name}"
        if key not in self._reads:
            self._reads[key] = {MOVES}
            rule = self.world.rules.get(name)
            if rule is not None:
                self._reads[key] |= self.reads(rule.params, *self.called(rule.body))
        return self._reads[key]

    def _grows(self, name: str) -> bool:
        """Whether these are the cells of a growing grid, which come and go with what lies on them."""
        kind = self.world.spaces.get(name)
        return kind is not None and kind.shape == "growing"

    def tells_by(self, name: str) -> bool:
        """Whether rules that may run after a choice read an attribute of this name: it may tell things apart."""
        if self._told_by is None:
            world = self.world
            left: list[object] = [body.node for body in self._after_choices()]
            left += (*world.powers, *world.anytimes, *world.scores, *world.winners)
            found: set[str] = set()
            named: set[str] = set()
            while left:
                node = left.pop()
                found |= self.written.attributes(node)
                words = self.written.words(node) - named
                named |= words
                for word in words & (world.values.keys() | world.subject_values.keys()):
                    left += world.subject_values.get(word, ())
                    if word in world.values:
                        left.append(world.values[word])
            self._told_by = frozenset(found)
        return name in self._told_by

    def _after_choices(self) -> Iterator[Body]:
        """What runs in the play, and the set-up as well if it lets somebody choose (not only in a trigger)."""
        waiting = ("trigger", "mover", "hook")
        setup = [key for key in self.bodies if key.startswith("setup")]
        play = [key for key in self.bodies if key.startswith(("play", *waiting))]
        play += (f"rule {anytime.action}" for anytime, _ in self.anytimes)
        if any(
            isinstance(s, (syntax.Choose, syntax.ChooseOf, syntax.May))
            for body in self._run_from(setup, but=waiting)
            for s in body.steps
        ):
            play += setup
        yield from self._run_from(play)

    def _run_from(self, keys: Iterable[str], but: tuple[str, ...] = ()) -> Iterator[Body]:
        """Some bodies and all that they call, but for those whose keys begin so."""
        left, met = [*keys], set[str]()
        while left:
            key = left.pop()
            if key not in met and key in self.bodies and not key.startswith(but):
                met.add(key)
                yield self.bodies[key]
                left += self.bodies[key].calls

    # ---- writing ------------------------------------------------------------------------------------

    def step_writes(self, step: syntax.Statement) -> Set[str]:
        """Names a single step changes (not what its blocks or calls do)."""
        known = self._writes.get(id(step))
        if known is None:
            known = self._writes[id(step)] = step, frozenset(self._find_writes(step))
        return known[1]

    def _find_writes(self, step: syntax.Statement) -> Set[str]:
        match step:
            case syntax.SetTo(place=place) | syntax.Amount(place=place):
                return _names_of_place(place)
            case syntax.Roll(place=place):
                return _names_of_place(place)
            case syntax.Move():
                return self.entered_by(step) | self.left_by(step)
            case syntax.Shuffle(place=place):
                return self._changed_places(place) | {MOVES}
            case syntax.Sort():
                return self._changed_places(step.binder.source) | {MOVES}
            case syntax.Win():
                return {"winners"}
            case syntax.Eliminate():
                return {"players", *SEAT_WORDS}
            case syntax.Simple(word="end game"):
                return {"game_over"}
            case syntax.Keep():
                return {step.name}
            case _:
                return set()

    def entered_by(self, step: syntax.Move) -> set[str]:
        """What a move changes whatever the pieces leave: the zone they are put into, and where they lie."""
        return self._changed_places(step.target) | {MOVES}

    def left_by(self, step: syntax.Move) -> Set[str]:
        """Names of the zones that pieces may leave in a move; where their place is not told, all that may hold them."""
        if step.source is None or isinstance(step.source, syntax.TypeWord):
            return self._zones_like(step.target)
        return self._changed_places(step.source)

    def _changed_places(self, place: syntax.Expression) -> set[str]:
        """Names of the zones a place may be: all of them where it is not called by the name of one."""
        names = _names_of_place(place)
        return names if self._is_named(place) else names | self.zone_names

    def _zones_like(self, target: syntax.Expression) -> frozenset[str]:
        """Names of zones that may hold what this zone holds."""
        names = frozenset(_names_of_place(target))
        if names not in self._alike:
            self._alike[names] = self._find_zones_like(names)
        return self._alike[names]

    def _find_zones_like(self, names: frozenset[str]) -> frozenset[str]:
        zones = [*self._zones()]
        held: set[str] = set()
        for zone in zones:
            if zone.name in names:
                held |= self._members(zone.type.of)
        return frozenset(
            zone.name
            for zone in zones
            if zone.type.shape != "tokens" and self._members(zone.type.of) & held
        )

    def _members(self, type_name: str) -> set[str]:
        if type_name in self.world.unions:
            return set(self.world.unions[type_name][1])
        return {type_name}

    def changes_of(self, s: syntax.Statement) -> Set[str]:
        """Names that running this may change, with all that it calls and sets off."""
        known = self._all_changed.get(id(s))
        if known is None:
            known = self._all_changed[id(s)] = s, frozenset(self.changes((s,)))
        return known[1]

    def changes(self, statements: Iterable[syntax.Statement]) -> set[str]:
        """Names that running these may change, with all that they call and set off."""
        names: set[str] = set()
        found: set[str] = set()
        for s in every(statements):
            names |= self.step_writes(s)
            found.update(key for key in run_by(self, s) if key in self.bodies)
        for key in found:
            names |= self.changed_by(key)
        return names | {"size"} if MOVES in names else names

    def changed_by(self, key: str) -> Set[str]:
        """Names that the steps of a body change, and of all bodies that come to be run by them.

        Bodies that run each other change the same."""
        if key not in self._changed_in_all:
            for together in _run_together(
                key, lambda one: self.direct(one)[1], self._changed_in_all
            ):
                names = set[str]()
                for one in together:
                    written, run = self.direct(one)
                    names |= written
                    for other in run:
                        names |= self._changed_in_all.get(other, frozenset())
                found = frozenset(names)
                self._changed_in_all.update((one, found) for one in together)
        return self._changed_in_all[key]

    def direct(self, key: str) -> tuple[set[str], set[str]]:
        """Names that the steps of a body change, and the keys of what they run."""
        if key not in self._changed:
            names: set[str] = set()
            run: set[str] = set()
            for s in self.bodies[key].steps:
                names |= self.step_writes(s)
                run.update(other for other in run_by(self, s) if other in self.bodies)
            self._changed[key] = names, run
        return self._changed[key]

    # ---- calls --------------------------------------------------------------------------------------

    def callees(self, do: syntax.Do) -> Sequence[str]:
        """Keys of the bodies a `do` may run."""
        known = self._called.get(id(do))
        if known is None:
            known = self._called[id(do)] = do, self._find_callees(do)
        return known[1]

    def _find_callees(self, do: syntax.Do) -> list[str]:
        name = call_name(do.call)
        if do.effect:
            return self._effects(do)
        if isinstance(do.call, (syntax.Word, syntax.Call)) and name in self.world.rules:
            return [f"rule {name}"]
        if isinstance(do.call, syntax.Call) or (
            isinstance(do.call, syntax.Word) and not self._may_be_action(name)
        ):
            return []  # misspelt, which is said where it is written
        actions: set[int] = set()
        found = False
        for kind in [
            *self.world.kinds.values(),
            *self.world.pieces.values(),
            *self.world.spaces.values(),
        ]:
            column = kind.columns.get(name)
            if column is not None and column.type.tag == "action":
                found = True
                actions.update(v for v in column.values if isinstance(v, int) and v >= 0)
        names = (
            [self.world.action_names[a] for a in sorted(actions)]
            if found
            else self.world.action_names
        )
        return [f"rule {n}" for n in names]

    def callers_of(self, key: str) -> Sequence[tuple[Body, syntax.Do]]:
        """The steps that may run a body, each with the body it stands in."""
        if self._callers is None:
            self._callers = {}
            for body in self.bodies.values():
                for s in body.steps:
                    if isinstance(s, syntax.Do):
                        for callee in self.callees(s):
                            self._callers.setdefault(callee, []).append((body, s))
        return self._callers.get(key, ())

    def sources_of(self, body: Body, name: str) -> Sequence[object]:
        """What a local name of a body is worked out from, wherever it is given a value."""
        if body.key not in self._bound:
            self._bound[body.key] = _sources(body.node)
        return self._bound[body.key].get(name, ())

    def _effects(self, do: syntax.Do) -> list[str]:
        """Keys of the effects that a `do effect of` may run: those of the sorts of things it speaks of."""
        if self._sorts is None:
            finder = self._finder()
            self._sorts = [finder.of_effect(effect) for effect in self.world.effects]
            for body in self.bodies.values():
                for s in body.steps:
                    if isinstance(s, syntax.Do) and s.effect:
                        self._holders[id(s.call)] = body.node
        finder, sorts = self._finder(), self._sorts
        holder = self._holders.get(id(do.call))
        subject = do.call
        if isinstance(subject, syntax.Dot) and subject.arguments is not None:
            subject = evolve(subject, arguments=None)
        wanted = None if holder is None else finder.of(subject, holder)
        return [
            f"effect {n}"
            for n, found in enumerate(sorts)
            if wanted is None or found is None or wanted & found
        ]

    def _may_be_action(self, name: str) -> bool:
        """Whether a name may stand for an action: that of a state or value, or of something inside a body."""
        if self._named is None:
            self._named = {*self.world.states, *self.world.values}
            self._named.update(*(self.written.given(body.node) for body in self.bodies.values()))
        return name in self._named

    def endless_calls(self) -> Calls:
        """The calls that can go on for ever: of bodies that call themselves, and those that lead to such bodies."""
        calls: Calls = {key: self.runs(body) for key, body in self.bodies.items()}
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

    def runs(self, body: Body) -> dict[str, Span]:
        """What a body may call, and where it says so. A rule runs what stands before, after or instead of it;
        there, in place of a rule, the rule's name means the rule itself."""
        known = self._running.get(body.key)
        if known is None:
            known = self._running[body.key] = self._find_run(body)
        return known

    def _find_run(self, body: Body) -> dict[str, Span]:
        found: dict[str, Span] = {}
        if isinstance(body.node, declared.Rule):
            name = body.node.name
            for n, (hook, _) in enumerate(self.hooks.get(name, ())):
                found[f"hook {name} {n}"] = hook.pattern.span
        itself = None
        if isinstance(body.node, declared.OnAction) and body.node.when == "instead of":
            itself = body.node.pattern.name
        for s in body.steps:
            if isinstance(s, syntax.Do):
                if itself is not None and not s.effect and call_name(s.call) == itself:
                    continue
                for key in self.callees(s):
                    if key in self.bodies:
                        found.setdefault(key, s.span)
        return found

    def ends_game(self, key: str) -> bool:
        """Whether a body can come to an `end game`, itself or through what it calls."""
        if self._ending is None:
            callers: dict[str, list[str]] = {}
            ending: list[str] = []
            for caller, body in self.bodies.items():
                for s in body.steps:
                    if isinstance(s, syntax.Simple) and s.word == "end game":
                        ending.append(caller)
                for called in self.runs(body):
                    callers.setdefault(called, []).append(caller)
            self._ending = set()
            while ending:
                found = ending.pop()
                if found not in self._ending:
                    self._ending.add(found)
                    ending += callers.get(found, ())
        return key in self._ending

    def open_parameters(self, do: syntax.Do) -> bool:
        """Whether a `do` lets the player choose a parameter."""
        name = call_name(do.call)
        rule = self.world.rules.get(name)
        given = len(do.call.arguments) if isinstance(do.call, syntax.Call) else 0
        if do.effect:
            return False
        if rule is None or not isinstance(do.call, (syntax.Word, syntax.Call)):
            return any(
                p.source is not None
                for key in self.callees(do)
                for p in self.world.rules[key.removeprefix("rule ")].params
            )
        return any(p.source is not None for p in rule.params[given:])

    def is_action(self, do: syntax.Do) -> bool:
        """Whether a `do` starts an action (and not a rule or an effect)."""
        if do.effect:
            return False
        name = call_name(do.call)
        rule = (
            self.world.rules.get(name) if isinstance(do.call, (syntax.Word, syntax.Call)) else None
        )
        return rule is None or rule.what == "action"

    def set_off_by(self, s: syntax.Statement) -> Sequence[int]:
        """Numbers of the `whenever`s that look at what a step changes (not what its blocks or calls do)."""
        known = self._set_off.get(id(s))
        if known is None:
            names = self.step_writes(s)
            found = (
                [n for n in self.triggers_after(names) if self._may_concern(n, s)] if names else ()
            )
            known = self._set_off[id(s)] = s, found
        return known[1]

    def _may_concern(self, n: int, s: syntax.Statement) -> bool:
        """Whether what a step changes may be what a `whenever` looks at, and not only be called so."""
        common = self.watchers[n][2] & self.step_writes(s)
        holders, body = self._holders_of_names(), self._stands_in(s)
        if body is None or not common <= holders.shared.keys():
            return True
        match s:
            case syntax.Move(source=source) if not isinstance(source, syntax.TypeWord | None):
                places = [s.target, source]
            case syntax.SetTo() | syntax.Amount() | syntax.Shuffle():
                places = [s.place]
            case _:
                return True
        if isinstance(s, syntax.Move | syntax.Shuffle) and not all(map(self._is_named, places)):
            return True
        return may_meet(common, self.read_at(n), holders.changed_in(places, body))

    def _is_named(self, place: syntax.Expression) -> bool:
        """Whether a place is called by the name of a zone."""
        names = _names_of_place(place)
        return bool(names) and names <= self.zone_names

    def _stands_in(self, s: syntax.Statement) -> object:
        """The declaration in which a step stands."""
        if self._standing is None:
            self._standing = {
                id(step): body.node for body in self.bodies.values() for step in body.steps
            }
        return self._standing.get(id(s))

    def read_at(self, n: int) -> Whereabouts:
        """Of what things a `whenever` looks at names that things of several sorts have."""
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
            self._name_holders = Holders(self.world, self.written, finder, self.modifier_parts)
        return self._name_holders

    def triggers_after(self, names: Set[str]) -> Sequence[int]:
        """Numbers of the `whenever`s that look at any of these names."""
        names = frozenset(names)
        known = self._after.get(names)
        if known is None:
            watchers = enumerate(self.watchers)
            found = [n for n, (_, _, reads) in watchers if not reads.isdisjoint(names)]
            known = self._after[names] = found
        return known

    def _ask(self, key: str) -> Body:
        """A body that something is wanted to be known of."""
        self._asked.add(key)
        return self.bodies[key]

    def settle(
        self,
        bodies: Iterable[Body],
        is_so: Callable[[Body], bool],
        note: Callable[[Body], None],
    ) -> None:
        """Note of which of some bodies something is so, if it becomes so the more the more is noted.

        A body is looked at again when it has been noted of another that it asked about."""
        waiting: dict[str, list[Body]] = {}
        todo = [*bodies]
        noted: set[str] = set()
        while todo:
            body = todo.pop()
            if body.key in noted:
                continue
            self._asked.clear()
            if is_so(body):
                note(body)
                noted.add(body.key)
                todo.extend(waiting.pop(body.key, ()))
            else:
                for key in self._asked:
                    waiting.setdefault(key, []).append(body)

    def called(self, statements: syntax.Block) -> list[syntax.Block]:
        """Steps, and those of all rules, actions and effects that they call, with what hangs on these."""
        found = [statements]
        seen: set[str] = set()
        for block in found:
            for s in every(block):
                for key in _calls(self, s):
                    if key in self.bodies and key not in seen:
                        seen.add(key)
                        found.append(self.bodies[key].statements)
        return found

    def _once(
        self, kept: _Kept, s: syntax.Statement, work: Callable[[syntax.Statement], bool]
    ) -> bool:
        """What holds of a step, worked out once as soon as all bodies are settled."""
        if not self.is_settled:
            return work(s)
        known = kept.get(id(s))
        if known is None:
            known = kept[id(s)] = s, work(s)
        return known[1]

    # ---- what can fail --------------------------------------------------------------------------------

    def fallible(self, statements: Iterable[syntax.Statement]) -> bool:
        """Whether some step may turn out impossible."""
        return any(self._step_fallible(s) for s in statements)

    def _always_some(
        self, one: Named, where: syntax.Expression | None, body: object, least: int = 1
    ) -> bool:
        """Whether a choice in a body is among so many that are always there."""
        found = least_members(self.world, one, where, self._bounds(body), self.eliminates)
        return found >= least

    def _bounds(self, body: object) -> BoundsOf:
        """What bounds of numbers are known in a body."""
        if self._limits is None:
            self._limits = Limits(self.world, self.written)
        return partial(self._limits.of, body=body)

    def _has_enough(self, s: syntax.Choose, quantity: syntax.Quantity) -> bool:
        """Whether as many as must be chosen are always there."""
        body = self._body_of(s)
        if quantity.word in ("up to", "any number") or quantity.amount is None:
            return True
        amount = self._bounds(body)(quantity.amount)
        return amount is not None and self._always_some(s, s.where, body, amount[1])

    @property
    def eliminates(self) -> bool:
        """Whether players may leave the game."""
        if self._is_eliminating is None:
            self._is_eliminating = any(
                isinstance(s, syntax.Eliminate) for body in self.bodies.values() for s in body.steps
            )
        return self._is_eliminating

    def _may_roll_nothing(self, s: syntax.Roll) -> bool:
        """Whether chance may have nothing to take from."""
        match s.source:
            case None | syntax.TypeWord() | syntax.ListOf():
                return False
            case _:
                one = syntax.Binder(s.span, "", s.span, None, s.source)
                return not self._always_some(one, None, self._body_of(s))

    def _body_of(self, choice: object) -> object:
        """The declaration in which a choice, or one way of it, stands; None where it belongs to no body."""
        if self._chosen is None:
            self._chosen = {}
            for body in self.bodies.values():
                for s in body.steps:
                    ways = (s, *s.arms) if isinstance(s, syntax.ChooseOf) else (s,)
                    self._chosen.update((id(way), body.node) for way in ways)
        return self._chosen.get(id(choice))

    def _step_fallible(self, s: syntax.Statement) -> bool:
        return self._once(self._fallible, s, self._work_fallible)

    def _work_fallible(self, s: syntax.Statement) -> bool:
        match s:
            case syntax.Needs() | syntax.Limit():
                return True
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
                    return not (s.or_none or self._always_some(s, s.where, self._body_of(s)))
                return not self._has_enough(s, s.quantity)
            case syntax.ChooseOf():
                return not self.always_enough(s)
            case syntax.May():
                return False
            case syntax.IfPossible():
                return self.fallible(s.otherwise)
            case syntax.Surely():
                return False
            case syntax.Do():
                if self.open_parameters(s):
                    return True
                keys = [*self.callees(s)]
                for name in [k.removeprefix("rule ") for k in keys]:
                    keys.extend(f"hook {name} {n}" for n in range(len(self.hooks.get(name, ()))))
                return any(k in self.bodies and self._ask(k).fails for k in keys)
            case (
                syntax.SetTo()
                | syntax.Shuffle()
                | syntax.Sort()
                | syntax.Win()
                | syntax.Eliminate()
                | syntax.Keep()
            ):
                return self._triggered_fallible(s)
            case syntax.Roll():
                return self._may_roll_nothing(s) or self._triggered_fallible(s)
            case _:
                return any(self.fallible(block) for block in blocks_of(s))

    def rule_fails(self, name: str) -> bool:
        """Whether some step of a rule or action, or of what hangs on it, may turn out impossible."""
        hooks = (f"hook {name} {n}" for n in range(len(self.hooks.get(name, ()))))
        return any(self._ask(key).fails for key in (f"rule {name}", *hooks))

    def always_enough(self, s: syntax.ChooseOf) -> bool:
        """Whether as many arms as are wanted can be taken, whatever the position and in whatever order."""
        if s.quantity is None:
            return (all if s.all_of else any)(map(self.always_there, s.arms))
        if s.quantity.word == "up to" or s.quantity.amount is None:
            return True
        there = sum(map(self.always_there, s.arms))
        amount = self._bounds(self._body_of(s))(s.quantity.amount)
        return amount is not None and amount[1] <= there

    def always_there(self, arm: syntax.OptionArm | syntax.Do) -> bool:
        """Whether an arm of a choice can be taken whatever the position."""
        if isinstance(arm, syntax.OptionArm):
            if self.fallible(arm.body):
                return False
            if arm.binder is None:
                return arm.where is None
            return self._always_some(arm.binder, arm.where, self._body_of(arm))
        if arm.effect or arm.changes or not isinstance(arm.call, (syntax.Word, syntax.Call)):
            return False
        rule = self.world.rules.get(call_name(arm.call))
        given = len(arm.call.arguments) if isinstance(arm.call, syntax.Call) else 0
        return (
            rule is not None
            and not self.rule_fails(rule.name)
            and all(self._always_some(p, p.where, rule) for p in rule.params[given:])
        )

    # ---- what cannot be foreseen ------------------------------------------------------------------------

    def beyond(self, statements: Iterable[syntax.Statement]) -> bool:
        """Whether running these reaches chance or somebody else's decision: what follows cannot be promised."""
        return any(self._step_beyond(s) for s in statements)

    def _step_beyond(self, s: syntax.Statement) -> bool:
        return self._once(self._beyond, s, self._work_beyond)

    def _work_beyond(self, s: syntax.Statement) -> bool:
        match s:
            case syntax.Roll() | syntax.Shuffle():
                return True
            case syntax.AsPlayer() | syntax.EachPlayer():
                return self.beyond(s.body) or any(
                    isinstance(inner, (syntax.Choose, syntax.ChooseOf, syntax.May))
                    or (
                        isinstance(inner, syntax.Do)
                        and (self.open_parameters(inner) or self.is_action(inner))
                    )
                    for inner in every(s.body)
                )
            case syntax.Do():
                return any(k in self.bodies and self._ask(k).horizon for k in self.callees(s))
            case _:
                pass
        # what a trigger might do in between is left to the author: mostly it does not fire here
        return any(self.beyond(block) for block in blocks_of(s))

    def _triggered_fallible(self, s: syntax.Statement) -> bool:
        keys = [f"trigger {n}" for n in self.set_off_by(s)]
        if isinstance(s, syntax.Move):
            keys.extend(f"mover {n}" for n in self.movers_of(s))
        return any(self._ask(k).fails for k in keys)

    def _shape_of(self, place: syntax.Expression) -> str:
        names = _names_of_place(place)
        shapes = {zone.type.shape for zone in self._zones() if zone.name in names}
        if isinstance(place, syntax.Dot) and place.name == "slot":
            return "row"
        return "spot" if "spot" in shapes else "row" if "row" in shapes else "pile"

    # ---- what suspends ----------------------------------------------------------------------------------

    def suspends(self, statements: Iterable[syntax.Statement]) -> bool:
        """Whether running these can reach a decision, chance or the end of the game."""
        return any(self.step_suspends(s) for s in statements)

    def step_suspends(self, s: syntax.Statement) -> bool:
        """As `suspends`, for one statement."""
        return self._once(self._suspends, s, self._work_suspends)

    def _work_suspends(self, s: syntax.Statement) -> bool:
        match s:
            case (
                syntax.Choose()
                | syntax.ChooseOf()
                | syntax.May()
                | syntax.Roll()
                | syntax.Shuffle()
                | syntax.IfPossible()
            ):
                return True
            case syntax.Simple():
                return s.word == "end game"
            case syntax.ForEach():
                if s.any_order:
                    return True
            case syntax.Do():
                if self.open_parameters(s) or self.is_action(s):
                    return True
                for key in self.callees(s):
                    if key in self.bodies and self._ask(key).suspends:
                        return True
                    if self.hooks.get(key.removeprefix("rule ")):
                        return True
                    if any(a.is_open_in(key.split(" ", 1)[1]) for a, _ in self.anytimes):
                        return True
                return False
            case _:
                pass
        if any(self._ask(f"trigger {n}").suspends for n in self.set_off_by(s)):
            return True
        if isinstance(s, syntax.Move) and any(
            self._ask(f"mover {n}").suspends for n in self.movers_of(s)
        ):
            return True
        return any(self.suspends(block) for block in blocks_of(s))

    def movers_of(self, s: syntax.Move) -> Sequence[int]:
        """Numbers of the `enters` and `leaves` triggers that a move may set off."""
        known = self._moved.get(id(s))
        if known is None:
            known = self._moved[id(s)] = s, self._find_movers(s)
        return known[1]

    def _find_movers(self, s: syntax.Move) -> list[int]:
        found: list[int] = []
        into = _names_of_place(s.target)
        out_of = self.left_by(s)
        for n, (mover, _) in enumerate(self.movers):
            names = _names_of_place(mover.place)
            if names & (into if mover.how == "enters" else out_of):
                found.append(n)
        return found


def _names_of_place(e: syntax.Expression) -> set[str]:
    match e:
        case syntax.Word() | syntax.Call():
            return {e.name}
        case syntax.Dot(name="slot", subject=subject):
            return _names_of_place(subject)
        case syntax.Dot():
            return {e.name}
        case _:
            return set()


def run_by(a: Analysis, s: syntax.Statement) -> Iterator[str]:
    """The keys of what a step runs: rules with what hangs on them, and triggers."""
    yield from (f"trigger {n}" for n in a.set_off_by(s))
    if isinstance(s, syntax.Move):
        yield from (f"mover {n}" for n in a.movers_of(s))
    yield from _calls(a, s)


def _calls(a: Analysis, s: syntax.Statement) -> Iterator[str]:
    """The keys of the rules that a step calls, with what hangs on them."""
    if isinstance(s, syntax.Do):
        for key in a.callees(s):
            yield key
            name = key.removeprefix("rule ")
            yield from (f"hook {name} {n}" for n, _ in enumerate(a.hooks.get(name, [])))


def _run_together(
    key: str, run: Callable[[str], Set[str]], known: Container[str]
) -> Iterator[list[str]]:
    """What a body comes to run, those that run each other together, and before all that run them.

    What is `known` is not gone into."""
    number: dict[str, int] = {key: 0}
    low = {key: 0}
    open_ones = [key]
    path = [(key, iter(run(key)))]
    while path:
        at, left = path[-1]
        one = next(left, None)
        if one is None:
            path.pop()
            if path:
                above = path[-1][0]
                low[above] = min(low[above], low[at])
            if low[at] == number[at]:
                first = open_ones.index(at)
                together = open_ones[first:]
                del open_ones[first:]
                yield together
        elif one in known:
            continue
        elif one not in number:
            number[one] = low[one] = len(number)
            open_ones.append(one)
            path.append((one, iter(run(one))))
        else:
            low[at] = min(low[at], low[one])


def _sources(node: object) -> dict[str, list[object]]:
    """For each local name in a body what it is given, as it is written."""
    found: dict[str, list[object]] = {}
    for part in walk(node):
        match part:
            case syntax.Let():
                found.setdefault(part.name, []).append(part.value)
            case syntax.SetTo(place=syntax.Word(name=name)):
                found.setdefault(name, []).append(part.value)
            case syntax.Amount(place=syntax.Word(name=name)):
                found.setdefault(name, []).append(part.amount)
            case syntax.Binder() | syntax.Choose():
                found.setdefault(part.name, []).append(part.source)
            case _:
                pass
    return found
