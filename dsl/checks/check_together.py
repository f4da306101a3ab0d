"""Find simultaneous steps that use other players' things, so that the result depends on the order of seats.

In `together each player`, a player may change only things of `me` that the other players do not
see. If the block changes a state or zone, a player may read only the instance of it that belongs to `me`. In
such a block nothing is logged, nobody else acts, and the game does not end. The check works by
names: `me.hand` belongs to `me`, and so does a card chosen from it. `me.left.hand` does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.diagnostics.diagnostics import Label
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.effects import Effect, effect
from rulewright.dsl.lowering.analysis.kind_names import SCORE_WORDS
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, fields_of

Named = syntax.Word | syntax.Call | syntax.Dot

_NO_EXPRESSIONS: Final = frozenset(
    ("span", "tags", "body", "otherwise", "step", "type", "name", "name_span")
)

_OTHERS: Final = frozenset(("left", "right", "owner", "holder"))
"""Attributes that return a player, given a player or a thing of a player. This player may be another one."""


def check_together(compiled: Compiled) -> None:
    """Inside `together each player`, report an error for each use of a thing that does not belong
    to the acting player.
    """
    for body in compiled.analysis.bodies.values():
        if not body.reached:
            continue
        for s in body.of(syntax.EachPlayer):
            if s.together:
                me = _OwnNames(frozenset({"me"}))
                first = _Together(compiled, s)
                first.visit_block(s.body, me)
                _Together(compiled, s, first.changed, reported=first.reported).visit_block(
                    s.body, me
                )


@frozen
class _OwnNames:
    """The local names for the acting player, for this player's things, and for values declared in the block."""

    players: frozenset[str]
    things: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    """The names of things that the other players see."""

    def with_name(self, name: str, *, own: bool, seen: bool = False) -> _OwnNames:
        """Return these names together with a name declared in the block.

        `own` says whether the named thing belongs to the acting player, and `seen` says whether the
        other players see it.
        """
        things = self.things | {name} if own else self.things - {name}
        all_seen = self.seen | {name} if seen else self.seen - {name}
        return evolve(self, things=things, made=self.made | {name}, seen=all_seen)


@define
class _Together:
    """Visits a block twice: first to find what it changes, then to find expressions that read the changed things."""

    compiled: Compiled
    together: syntax.EachPlayer
    watched: frozenset[str] | None = None
    """The names that the block changes; None during the first visit."""
    changed: frozenset[str] = frozenset()
    reported: set[Span] = field(factory=set)
    seen: set[tuple[str, _OwnNames]] = field(factory=set)

    # ---- steps --------------------------------------------------------------------------------------

    def visit_block(self, statements: Iterable[syntax.Statement], own: _OwnNames) -> None:
        """Visit steps in order."""
        for s in statements:
            own = self.visit_step(s, own)

    def visit_step(self, s: syntax.Statement, own: _OwnNames) -> _OwnNames:
        """Check a step and its blocks, and return the names that are known after the step."""
        if isinstance(s, syntax.Surely):
            return self.visit_step(s.step, own)
        if isinstance(s, syntax.LetDo):
            self.visit_step(s.call, own)
            return own.with_name(s.name, own=False)
        self.check_reads(s, own)
        match s:
            case syntax.Let(name=name, value=value):
                return self.with_source(name, value, own)
            case syntax.Choose(name=name, source=source):
                return self.with_source(name, source, own)
            case syntax.Roll(place=syntax.Word(name=name)) if (
                name not in self.compiled.model.states
            ):
                return own.with_name(name, own=False)
            case syntax.Move():
                self.check_move(s, own)
            case syntax.Log(to=to) | syntax.Show(to=to):
                if to is None or not self.is_me(to, own):
                    self.report(
                        s.span, "this is shown before all are ready", "write it after the block"
                    )
            case syntax.AsPlayer(player=player):
                if not self.is_me(player, own):
                    self.report(player.span, "all act at the same time here, each as `me`")
            case syntax.EachPlayer():
                self.report(s.span, "all act at the same time here, each as `me`")
                return own
            case syntax.Do():
                self.visit_call(s, own)
            case _:  # all others: their effects and blocks decide
                self.check_effect(effect(s), s.span, own)
        self.visit_triggers(s)
        inside = own  # all others: they give no name to their blocks
        if isinstance(s, syntax.ForEach):
            inside = self.with_source(s.binder.name, s.binder.source, own)
        for block in blocks_of(s):
            self.visit_block(block, inside)
        return own

    def check_effect(self, does: Effect, span: Span, own: _OwnNames) -> None:
        """Check the changes that a step itself makes."""
        for place in (*does.sets, *does.orders):
            self.check_change(place, own)
        if does.for_all:
            self.report(span, "this concerns everybody, and not all are ready")

    def visit_call(self, do: syntax.Do, own: _OwnNames) -> None:
        """Visit the called bodies. An argument that belongs to the acting player still belongs to
        that player inside the body.
        """
        given = do.call.arguments if isinstance(do.call, syntax.Call | syntax.Dot) else ()
        for key in self.compiled.analysis.callees(do):
            body = self.compiled.analysis.bodies[key]
            known = _OwnNames(own.players & {"me"})
            if isinstance(body.node, declared.Rule | declared.Effect):
                known = self.call_names(body.node.params, given or (), own)
            self.visit_body(key, known)
            name = key.removeprefix("rule ")
            for n, (hook, _) in enumerate(self.compiled.analysis.hooks.get(name, ())):
                actor = hook.pattern.actor
                actors = {"me"} if actor is None else {"me", actor.name}
                self.visit_body(f"hook {name} {n}", _OwnNames(frozenset(actors)))

    def visit_triggers(self, s: syntax.Statement) -> None:
        """Visit the triggers that a step may start. In each trigger, the player whose things the
        trigger watches is the acting player.
        """
        a = self.compiled.analysis
        names = a.step_writes(s)
        if isinstance(s, syntax.Move):
            places = (s.target, s.source) if s.source is not None else (s.target,)
            names = {place.name for place in places if isinstance(place, Named)}
        for n in a.triggers_after(names):
            watcher, holder, _ = a.watchers[n]
            binder = watcher.binder if holder is None else None
            players = frozenset({binder.name}) if binder is not None else frozenset[str]()
            self.visit_body(f"trigger {n}", _OwnNames(players))
        if isinstance(s, syntax.Move):
            for n in a.move_triggers_of(s):
                if a.move_triggers[n][0].how == "leaves" and s.source is None:
                    continue
                place = a.move_triggers[n][0].place
                whose = place.subject if isinstance(place, syntax.Dot) else None
                mine = {whose.name} if isinstance(whose, syntax.Word) else set[str]()
                self.visit_body(f"mover {n}", _OwnNames(frozenset(mine)))

    def visit_body(self, key: str, own: _OwnNames) -> None:
        """Visit a rule, an effect or a trigger, once for each set of known names."""
        visit = (key, own)
        if visit not in self.seen:
            self.seen.add(visit)
            self.visit_block(self.compiled.analysis.bodies[key].statements, own)

    # ---- changes ------------------------------------------------------------------------------------

    def check_change(self, place: syntax.Expression, own: _OwnNames) -> None:
        """Check a change of a stored value."""
        if isinstance(place, syntax.Word) and place.name in own.made:
            return
        if not self.is_own_place(place, own):
            shown = place.span.text
            self.report(
                place.span,
                f"everybody may change `{shown}` at the same time",
                "change it after the block, or keep one for each player",
            )
            return
        self.check_own_change(place)

    def check_own_change(self, place: syntax.Expression) -> None:
        """Check a change to a value that belongs to the acting player. The other players must not
        see the new value yet.
        """
        while isinstance(place, syntax.Dot) and place.name == "slot":
            place = place.subject
        if not isinstance(place, syntax.Word | syntax.Call | syntax.Dot):
            return
        name = place.name
        self.changed |= {name}
        seen = self.sight_of(name)
        if seen is None or seen.by not in ("owner", "nobody"):
            self.report(
                place.span,
                f"the others see `{place.span.text}` change before all are ready",
                "write `seen by owner` where it is declared, and show it after the block",
            )

    def check_move(self, s: syntax.Move, own: _OwnNames) -> None:
        """Check a move of pieces or tokens."""
        if s.source is not None:
            self.check_change(s.source, own)
        elif s.amount is not None and not self.is_own(s.amount, own):
            self.report(
                s.amount.span,
                f"others may move `{s.amount.span.text}` at the same time",
                "choose it from the things of `me`, or add `from` where",
            )
        elif s.amount is not None and self.is_seen(s.amount, own):
            self.report(
                s.amount.span,
                f"the others see `{s.amount.span.text}` leave before all are ready",
                "write `seen by owner` where its place is declared, or move it after the block",
            )
        self.check_change(s.target, own)

    def sight_of(self, name: str) -> declared.Seen | None:
        """Return the players who see the state or zone with this name; None if everybody sees it."""
        return next((part.seen for part in self.all_places() if part.name == name), None)

    def is_stored(self, name: str) -> bool:
        """Return whether a zone has this name."""
        return any(
            part.name == name and isinstance(part, declared.Zone) for part in self.all_places()
        )

    def all_places(self) -> Iterator[declared.State | declared.Zone]:
        """Return all states and zones of the game."""
        model = self.compiled.model
        yield from model.player_states.values()
        yield from model.player_zones.values()
        yield from model.states.values()
        yield from model.zones.values()
        for kind in [*model.pieces.values(), *model.spaces.values()]:
            yield from kind.states
            yield from kind.zones

    def with_source(self, name: str, source: syntax.Expression, own: _OwnNames) -> _OwnNames:
        """Return the names, extended by a local name for a thing or for one of several things."""
        mine, seen = self.is_own(source, own), self.is_seen(source, own)
        return own.with_name(name, own=mine, seen=seen)

    def is_seen(self, e: syntax.Expression, own: _OwnNames) -> bool:
        """Return whether the other players see the pieces in an expression."""
        match e:
            case syntax.Word(name=name) if name in own.made:
                return name in own.seen
            case syntax.Query(binders=(binder,), body=None):
                return self.is_seen(binder.source, own)
            case syntax.ListOf(items=items):
                return any(self.is_seen(item, own) for item in items)
            case syntax.IfElse(then=then, otherwise=otherwise):
                return self.is_seen(then, own) or self.is_seen(otherwise, own)
            case syntax.Call(name="sure", arguments=(only,)):
                return self.is_seen(only, own)
            case syntax.Word(name=name) | syntax.Call(name=name) | syntax.Dot(name=name):
                if self.is_stored(name):
                    seen = self.sight_of(name)
                    return seen is None or seen.by not in ("owner", "nobody")
                inside = self.definitions(e, own)
                within = isinstance(e, syntax.Dot) and self.is_seen(e.subject, own)
                return within or any(
                    self.is_seen(value, inner)  # type: ignore[arg-type]  # a value has one expression
                    for value, inner in inside
                    if not isinstance(value, tuple)
                )
            case syntax.WrittenValue() | syntax.Operation():
                return False

    # ---- things of the acting player
    # -----------------------------------------------------------------

    def is_me(self, e: syntax.Expression, own: _OwnNames) -> bool:
        """Return whether an expression refers to the acting player."""
        return isinstance(e, syntax.Word) and e.name in own.players

    def is_own_place(self, e: syntax.Expression, own: _OwnNames) -> bool:
        """Return whether a place belongs to the acting player. A player stored in the place may be
        a different player.
        """
        if isinstance(e, syntax.Dot) and e.name in self.player_attributes() - _OTHERS:
            own_argument = any(self.is_me(a, own) for a in e.arguments or ())
            return own_argument or self.is_own(e.subject, own)
        return self.is_own(e, own)

    def is_own(self, e: syntax.Expression, own: _OwnNames) -> bool:
        """Return whether an expression is a thing of the acting player, or is taken from such a thing."""
        match e:
            case syntax.Word(name=name):
                return name in own.things or name in own.players
            case syntax.Call(arguments=arguments):
                return any(self.is_me(a, own) for a in arguments)
            case syntax.Dot(subject=subject, name=name, arguments=arguments):
                if any(self.is_me(a, own) for a in arguments or ()):
                    return True
                return name not in self.player_attributes() and self.is_own(subject, own)
            case syntax.Query(binders=(binder,), body=None):
                return self.is_own(binder.source, own)
            case syntax.ListOf(items=items):
                return all(self.is_own(item, own) for item in items)
            case (
                syntax.Number()
                | syntax.Text()
                | syntax.Fixed()
                | syntax.TypeWord()
                | syntax.Lookup()
                | syntax.Unary()
                | syntax.Binary()
                | syntax.IfElse()
                | syntax.By()
                | syntax.Possible()
                | syntax.Query()
            ):
                return False
            case _:
                assert_never(e)

    def player_attributes(self) -> frozenset[str]:
        """Return the attributes whose values are players."""
        model = self.compiled.model
        states = [*model.player_states.values()]
        for kind in [*model.pieces.values(), *model.spaces.values()]:
            states += kind.states
        return _OTHERS | {state.name for state in states if _is_player(state.type)}

    # ---- looking ------------------------------------------------------------------------------------

    def check_reads(self, s: syntax.Statement, own: _OwnNames) -> None:
        """Check whether the expressions of a step read things that other players may be changing."""
        if self.watched is None:
            return
        match s:
            case syntax.If(cases=cases):
                self.check_read(tuple(condition for condition, _ in cases), own)
            case syntax.ChooseOf(arms=arms):
                for arm in arms:
                    if isinstance(arm, syntax.OptionArm):
                        self.check_read((arm.binder, arm.where, arm.text), own)
            case syntax.Do(call=syntax.Word()):
                self.check_read(s.changes, own)
            case syntax.Do(call=syntax.Call(arguments=arguments)):
                self.check_read((arguments, s.changes), own)
            case _:  # all others: every expression in them
                for name in fields_of(type(s)):
                    if name not in _NO_EXPRESSIONS:
                        self.check_read(getattr(s, name), own)

    def check_read(self, e: object, own: _OwnNames) -> None:
        """Report an error for an expression that reads a thing that another player may be changing."""
        place = self.foreign_read(e, own, frozenset())
        if place is not None:
            self.report(
                place.span,
                f"`{place.span.text}` reads something that others may change at the same time",
                "read it before or after the block",
            )

    def foreign_read(self, e: object, own: _OwnNames, through: frozenset[str]) -> Named | None:
        """Return the part of an expression that reads a changed thing of another player, or None if there
        is none.
        """
        match e:
            case syntax.Word() | syntax.Call() | syntax.Dot():
                return self.foreign_name_read(e, own, through)
            case syntax.Query(binders=binders):
                for binder in binders:
                    found = self.foreign_read((binder.source, binder.start), own, through)
                    if found is not None:
                        return found
                    own = self.with_source(binder.name, binder.source, own)
                return self.foreign_read((e.where, e.keys, e.body), own, through)
            case tuple():
                parts: Iterable[object] = e
            case str() | Span() | None:
                return None
            case _:  # all others: the reads of their parts
                parts = [getattr(e, name) for name in fields_of(type(e))]
        looks = (self.foreign_read(part, own, through) for part in parts)
        return next((place for place in looks if place is not None), None)

    def foreign_name_read(self, e: Named, own: _OwnNames, through: frozenset[str]) -> Named | None:
        """For the name of a stored thing or value, do the same as `foreign_read`. For a value, take
        everything that it reads into account.
        """
        assert self.watched is not None
        name = e.name
        if isinstance(e, syntax.Word) and name in own.made | own.players:
            return None
        if name in self.watched and not self.is_own_place(e, own):
            return e
        for looked_at, inner in self.definitions(e, own):
            again = f"{name} {sorted(inner.players | inner.things)}"
            if again not in through and self.foreign_read(looked_at, inner, through | {again}):
                return e
        parts = None if isinstance(e, syntax.Word) else e.arguments
        subject = e.subject if isinstance(e, syntax.Dot) else None
        return self.foreign_read((subject, parts), own, through)

    def definitions(self, e: Named, own: _OwnNames) -> Iterator[tuple[object, _OwnNames]]:
        """Yield each expression that a named value reads, together with the local names for the
        acting player in this expression.
        """
        model = self.compiled.model
        if not isinstance(e, syntax.Dot):
            if e.name in model.values:
                value = model.values[e.name]
                given = e.arguments if isinstance(e, syntax.Call) else ()
                yield value.value, self.call_names(value.params, given, own)
            return
        for value in model.subject_values.get(e.name, ()):
            if value.subject is not None:
                params = (value.subject, *value.params)
                yield value.value, self.call_names(params, (e.subject, *(e.arguments or ())), own)
        if e.name in SCORE_WORDS:
            for score in model.scores:
                mine = frozenset({score.name} if self.is_me(e.subject, own) else ())
                yield tuple(item.value for item in score.items), _OwnNames(mine)

    def call_names(
        self, params: Sequence[declared.Param], given: Sequence[syntax.Expression], own: _OwnNames
    ) -> _OwnNames:
        """Return the local names of the acting player in a value or rule that is called with these
        arguments.
        """
        inner = _OwnNames(own.players & {"me"})
        for n, param in enumerate(params):
            if n < len(given):
                mine, is_me = self.is_own(given[n], own), self.is_me(given[n], own)
                seen = self.is_seen(given[n], own)
            else:
                mine = param.source is not None and self.is_own(param.source, inner)
                seen = param.source is not None and self.is_seen(param.source, inner)
                is_me = False
            inner = inner.with_name(param.name, own=mine, seen=seen)
            if is_me:
                inner = evolve(inner, players=inner.players | {param.name})
        return inner

    def report(self, span: Span, message: str, help: str = "do it after the block") -> None:
        """Report an error at a place, at most once for each place."""
        if span not in self.reported:
            self.reported.add(span)
            labels = (Label(self.together.span, "done together"),)
            self.compiled.problems.error("together-shared", message, span, labels=labels, help=help)


def _is_player(type: syntax.Type) -> bool:
    if isinstance(type, syntax.OptionalType | syntax.ListType | syntax.SetType):
        return _is_player(type.of)
    return isinstance(type, syntax.NamedType) and type.name == "Player"
