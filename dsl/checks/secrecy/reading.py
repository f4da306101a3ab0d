"""Label expressions with the secrets on which they depend, directly or through local names, named values and powers.

This module is independent of steps and reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.checks.secrecy.labels import (
    ANYBODY,
    CHANGED,
    PUBLIC,
    Atom,
    Label,
    Labels,
    Named,
    Names,
    Placed,
    Secret,
    computed_from,
    each_of,
    either,
    join,
    mark_openly,
    player_name,
    select,
    unbind,
    unbind_value,
)
from rulewright.dsl.checks.secrecy.stored import SIZES, Stored, shows
from rulewright.dsl.checks.secrecy.touching import KNOWN, SCORES, WHERE, Touching
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve
from rulewright.dsl.model import types
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import call_name, parts_of

_FACES: Final = frozenset(("top", "bottom", "first", "last"))
_MEMBERS: Final = _FACES | {"nth", "slot", "first_few", "last_few", "reversed"}
"""Attributes of zones and lists that return one or several of their elements."""
_BY_VALUES: Final = frozenset(("distinct", "without", "without_nth", "with_nth", "between"))
"""Attributes that return elements of a list, and whose number of results depends on the contents of the list."""
_SEATS: Final = frozenset(("left", "right", "owner", "holder"))
_NUMBERS: Final = frozenset(("count", "sum", "any", "all", "largest", "smallest"))
OPENLY: Final = "openly"
"""The function that marks its argument as shown on purpose."""


@define
class Reader(Stored):
    """Computes the labels of expressions."""

    touching: Touching = field(init=False)
    possible: Callable[[syntax.Possible, Names], Label] = lambda asked, names: ()
    """Returns the label of the test whether an action is possible."""
    contents: dict[str, Label] = field(factory=dict)
    """Maps the name of each place to the secrets on which its contents depend, in addition to the place itself."""
    trial: dict[str, Label] = field(factory=dict)
    """Maps the name of each place to the contents that the trial steps of `possible` put there.
    Nobody has seen these contents.
    """
    _modifiers: dict[str, list[tuple[declared.Power, declared.Modify]]] = field(factory=dict)
    _known: dict[object, Labels] = field(factory=dict)
    _open: set[object] = field(factory=set)
    _assumed: dict[object, Labels] = field(factory=dict)
    """The labels of recursive values found so far."""
    _cut: set[object] = field(factory=set)
    """The values that have just been found to be recursive."""
    _gives: dict[int, bool] = field(factory=dict)
    """Maps the `id` of each named value to whether the value returns pieces that may be hidden."""

    @classmethod
    def of(cls, compiled: Compiled) -> Reader:
        """Return a reader for a game; the reader initially has no labels."""
        model, analysis, memo = compiled.model, compiled.analysis, compiled.memo
        facts, is_lowered = model.facts, compiled.differing is None
        reader = cls(model, facts.types.get if is_lowered else facts.lasting_type)
        reader.touching = Touching(
            model, analysis, memo, lambda e: bool(reader.places(e)), analysis.attribute_reads
        )
        for power in model.powers:
            for line in power.lines:
                if isinstance(line, declared.Modify):
                    name = call_name(line.value)
                    reader._modifiers.setdefault(name, []).append((power, line))
        return reader

    def is_clear_call(self, key: str, given: Sequence[tuple[Labels, object]], names: Names) -> bool:
        """Return whether a body that is called with these arguments touches no secret."""
        if (
            self.trial
            or key in self.touching.bodies
            or any(map(_is_labelled, names.changed_values().values()))
        ):
            return False
        return not any(_is_labelled(part) for part, _ in given)

    def lasting_label(self, label: Label) -> Label:
        """Remove from a label all names that may refer to different players at different times."""
        return self.lasting_labels(computed_from(label)).content

    def lasting_labels(self, part: Labels) -> Labels:
        """Remove from the labels of a local name all names that may refer to different players at different times."""
        gone = frozenset(
            name.lstrip("!^")
            for atom in (*part.all, *part.shown)
            for name in (atom.whose, *atom.knowers)
            if name and self.may_change(name)
        )
        return unbind_value(part, gone) if gone else part

    def _atom(self, secret: Secret, e: Named, names: Names, *, counts: bool) -> Label:
        assert secret.seen is not None
        whose = self.owner_of(e, names)
        is_known = secret.seen.by == "owner" and whose and whose != ANYBODY
        knowers = frozenset({whose} if is_known else ())
        is_another = whose in ("me.left", "me.right") and not self.may_change(whose)
        is_another &= len(self.model.seats) > 1
        if secret.seen.by == "others" and is_another:
            knowers = frozenset({"me"})  # `me` is the only player who is certainly not the owner
        if secret.seen.by == "others" and whose != ANYBODY:
            knowers |= {f"!{whose}"}
        return (Atom(secret.name, whose, knowers, secret, e, e, counts),)

    def _of_secret(self, secret: Secret, e: Named, names: Names) -> Labels:
        """Return the labels of a hidden zone or state."""
        content = self._atom(secret, e, names, counts=False)
        extent: Label = ()
        is_zone = isinstance(secret, declared.Zone)
        tokens = isinstance(secret, declared.Zone) and secret.type.shape == "tokens"
        if not shows(secret, "size"):
            extent = self._atom(secret, e, names, counts=True)
        elif isinstance(secret, declared.Zone) and tokens:
            # The number of tokens is not secret, but who owns them is.
            content = content if self.model.tokens[secret.type.of].per_player else ()
            extent = content
        if not is_zone:
            extent = content
        pieces = is_zone and not tokens
        found = Labels(content, extent, pieces, lies=content if pieces else ())
        return self._with_contents(found, e)

    def _of_open(self, part: Secret, e: Named) -> Labels:
        """Return the labels of an open zone or state."""
        is_zone = isinstance(part, declared.Zone) and part.type.shape != "tokens"
        return self._with_contents(
            Labels(pieces=is_zone, placed=Placed.OPEN if is_zone else Placed.UNSEEN), e
        )

    def _with_contents(self, part: Labels, e: Named, seers: frozenset[str] = frozenset()) -> Labels:
        """For each place, add to its labels the secrets of everything that a step puts into it.

        The players in `seers` know these secrets.
        """
        kept = tuple(
            evolve(atom, at=e, knowers=atom.knowers | seers)
            for atom in self.contents.get(e.name, ())
        )
        tried = self.trial.get(e.name)
        part = select(part, kept)
        return evolve(part, content=join((part.content, tried))) if tried else part

    def address(self, place: syntax.Expression, names: Names) -> Label:
        """Return the label of an address. It contains the secrets that select one of several places
        with the same name.
        """
        match place:
            case syntax.Call(arguments=arguments):
                return self.label(arguments, names)
            case syntax.Dot(name=name, subject=subject, arguments=arguments):
                above = self.address if name == "slot" else self.label
                return join((above(subject, names), self.label(arguments, names)))
            case syntax.Word() | syntax.WrittenValue() | syntax.Operation():
                return ()

    # ---- expressions ---------------------------------------------------------------------------------

    def label(self, e: object, names: Names) -> Label:
        """Return the secrets on which an expression depends."""
        if e is None:
            return ()
        if isinstance(e, tuple | list):
            return join([self.label(part, names) for part in e])
        if not self.trial:
            mentioned = self.touching.of_expression(e)
            if mentioned is not None and not names.label_any(mentioned):
                return ()
        return self.labels(e, names).all

    def is_clear(self, s: syntax.Statement, names: Names) -> bool:
        """Return whether a step and all bodies that it calls touch no secret. If so, the step has no labels."""
        if self.trial or isinstance(s, syntax.Let | syntax.LetDo | syntax.Choose | syntax.Surely):
            return False
        mentioned = self.touching.of_step(s)
        return mentioned is not None and not names.label_any(mentioned)

    def labels(self, e: object, names: Names) -> Labels:
        """Return the labels of an expression, or of several expressions."""
        match e:
            case None | str() | syntax.Number() | syntax.Fixed() | Span():
                return PUBLIC
            case syntax.Word():
                return self._word(e, names)
            case syntax.TypeWord(name=name):
                return Labels(pieces=bool(self.kinds_of(name)))
            case syntax.Call():
                return self._call(e, names)
            case syntax.Dot():
                return self._dot(e, names)
            case syntax.Query():
                return self._query(e, names)
            case syntax.Binary(operator="is" | "is not", right=syntax.Fixed(word="empty")):
                return computed_from(self.labels(e.left, names).extent)
            case syntax.Binary(operator="is" | "is not", right=syntax.Fixed(word="nothing")):
                left = self.labels(e.left, names)
                return computed_from(left.extent if left.pieces else left.all)
            case syntax.Binary(operator="in" | "not in", right=syntax.TypeWord()):
                return computed_from(self.labels(e.left, names).content)
            case syntax.IfElse():
                part = either((self.labels(e.then, names), self.labels(e.otherwise, names)))
                asked = self.label(e.condition, names)
                return select(part, asked)
            case syntax.By():
                cases = [self.labels(case.value, names) for case in e.cases]
                cases.append(self.labels(e.otherwise, names))
                asked = self.label((e.subject, *(c.first for c in e.cases)), names)
                return select(either(cases), asked)
            case syntax.ListOf(items=items):
                return either([self.labels(item, names) for item in items])
            case syntax.Text(parts=parts):
                return computed_from(join([self.label(part, names) for part in parts]))
            case syntax.Possible(action=action):
                arguments = action.arguments if isinstance(action, syntax.Call) else ()
                return Labels(join((self.label(arguments, names), self.possible(e, names))))
            case tuple() | list():
                return computed_from(self.label(e, names))
            case _:  # all others: the labels of all their parts
                return computed_from(join([self.label(part, names) for part in parts_of(e)]))

    def _word(self, e: syntax.Word, names: Names) -> Labels:
        found = names.get(e.name)
        if found is not None:
            return _labels_at(found, e) if found.content or found.extent else found
        secret = self.table.get(e.name)
        if secret is not None:
            return self._of_secret(secret, e, names)
        value = self.model.values.get(e.name)
        if value is not None:
            return self._value(e, value, None, (), names)
        position = self.model.positions.get(e.name)
        if position is not None:
            return Labels(self.label(position.parts, names))
        part = self.model.zones.get(e.name) or self.model.states.get(e.name)
        if part is not None:
            return self._of_open(part, e)
        if e.name == "winners":
            return self._with_contents(PUBLIC, e)
        rows = self.model.row_names.get(e.name, ())
        is_piece = any(isinstance(type, types.Piece) for type, _ in rows)
        return Labels(pieces=True) if is_piece else PUBLIC

    def places(self, e: syntax.Dot, knowers: frozenset[str] = frozenset()) -> Label:
        """Return the label of the place of a piece.

        It names every hidden zone that may hold the piece; for `holder`, only those of players.
        """
        zones = [*self.dotted.values()]
        if e.name == "holder":
            zones = [zone for zone in zones if zone.name in self.model.player_zones]
        elif e.name != "place":
            zones += self.table.values()
        kinds = self.pieces_of(e.subject)
        return tuple(
            Atom(zone.name, ANYBODY, knowers, zone, e, e)
            for zone in zones
            if isinstance(zone, declared.Zone)
            and not set(kinds).isdisjoint(self.kinds_of(zone.type.of))
        )

    def _call(self, e: syntax.Call, names: Names) -> Labels:
        if e.name == OPENLY and len(e.arguments) == 1:
            inner = self.labels(e.arguments[0], names)
            return evolve(
                inner,
                content=mark_openly(inner.content),
                extent=mark_openly(inner.extent),
                lies=mark_openly(inner.lies),
            )
        if e.name == "sure" and len(e.arguments) == 1:
            return self.labels(e.arguments[0], names)
        given = [self.labels(argument, names) for argument in e.arguments]
        value = self.model.values.get(e.name)
        if value is not None:
            return self._value(e, value, None, given, names)
        inside = join(part.all for part in given)
        secret = self.table.get(e.name)
        if secret is not None:
            return select(self._of_secret(secret, e, names), inside)
        part = self.model.zones.get(e.name) or self.model.states.get(e.name)
        return computed_from(inside) if part is None else select(self._of_open(part, e), inside)

    def _dot(self, e: syntax.Dot, names: Names) -> Labels:
        given = [self.labels(argument, names) for argument in e.arguments or ()]
        inside = join(part.all for part in given)
        held = self.hidden_place(e.subject, names)
        if held is not None and (e.name in SIZES or e.name == "capacity" or shows(held, e.name)):
            above = e.subject.subject if isinstance(e.subject, syntax.Dot) else None
            around = join((self.label(above, names), inside))
            if e.name == "capacity" or shows(held, e.name):
                return Labels(around)
            assert isinstance(e.subject, Named)
            atom = self._atom(held, e.subject, names, counts=True)
            return Labels(join((tuple(evolve(one, place=e, at=e) for one in atom), around)))
        values = self.model.subject_values.get(e.name)
        subject = self.labels(e.subject, names)
        if values and held is None:
            found = [self._value(e, value, (e.subject, subject), given, names) for value in values]
            return either(found)
        secret = self.hidden_attribute(e)
        if secret is not None and held is None:
            return select(self._of_secret(secret, e, names), join((subject.all, inside)))
        if e.name in SIZES:
            return computed_from(join((subject.extent, inside)))
        if e.name == "joined":
            return either((subject, *given))
        if e.name in WHERE and not e.arguments and subject.placed:
            return Labels(join((subject.selected_by, inside)), player=self.player_of(e, names))
        if e.name in _MEMBERS or e.name in _BY_VALUES:
            some = tuple(atom for atom in subject.content if not atom.is_marker)
            if e.name == "slot":
                taken = (evolve(a, counts=True) for a in some if not shows(a.secret, "slots"))
                extent = join((tuple(taken), inside))
            elif e.name in _BY_VALUES:
                extent = join((subject.all, inside))
            else:
                extent = join((subject.extent, inside))
            member = Labels(join((some, inside)), extent, subject.pieces)
            return evolve(member, placed=subject.placed, lies=subject.lies)
        if e.name == KNOWN and e.arguments:
            knowers = frozenset({self.player_of(e.arguments[0], names)})
            around = () if subject.placed is Placed.OPEN else self.places(e, knowers)
            return Labels(join((around, subject.all, inside)))
        if e.name in SCORES and not self.parts.get(e.name) and not values:
            return select(self._score(e, subject, names), join((subject.all, inside)))
        if subject.pieces and e.name not in WHERE:
            hidden_of = tuple(atom for atom in subject.content if not shows(atom.secret, e.name))
            return self._with_contents(
                computed_from(join((hidden_of, inside))), e, _observers(subject)
            )
        if e.name in WHERE and not subject.lies and self.pieces_of(e.subject):
            return Labels(join((self.places(e), subject.all)), player=self.player_of(e, names))
        if e.name in _SEATS:
            return Labels(join((subject.all, inside)), player=self.player_of(e, names))
        part = self.parts.get(e.name)
        if part is not None and held is None:
            return select(self._of_open(part[0], e), join((subject.all, inside)))
        return computed_from(join((subject.all, inside)))

    def _score(self, e: syntax.Dot, subject: Labels, names: Names) -> Labels:
        """Return the labels of the player's score read by `e`."""
        found: list[Label] = []
        for score in self.model.scores:
            inner = Names({"me": names.get("me") or Labels(player="me")})
            inner.own[score.name] = evolve(subject, player=self.player_of(e.subject, names))
            found += [self.label((item.value, item.only_if), inner) for item in score.items]
        return computed_from(_label_at(join(found), e, {atom: atom.at for atom in subject.all}))

    def _query(self, e: syntax.Query, names: Names) -> Labels:
        inner = names.inner()
        sources: dict[Atom, Named] = {}
        extents: list[Label] = []
        content: list[Label] = []
        lies: Label = ()
        pieces, placed = False, Placed.UNSEEN
        players: dict[str, str] = {}
        for binder in e.binders:
            source = self.labels(binder.source, inner)
            extents += [source.extent, self.label(binder.start, inner)]
            sources.update((atom, atom.at) for atom in source.content)
            inner.own[binder.name] = evolve(source, extent=(), player=player_name(binder))
            if binder.stretch is not None:
                extents.append(self.label(binder.stretch.condition, inner))
            if binder.type is not None:
                extents.append(source.content)
            content.append(source.content)
            pieces, placed, lies = source.pieces, source.placed, source.lies
            players[player_name(binder)] = each_of(binder)
        where, keys = self.label(e.where, inner), self.label([key.value for key in e.keys], inner)
        asked = join((where, keys))
        worked_out = self.labels(e.body, inner)
        if e.word in ("most", "fewest", "groups"):
            asked = where = join(
                (asked, worked_out.all)
            )  # the body determines the number of results
        elif e.body is not None:
            content, pieces = [worked_out.all], worked_out.pieces
            placed, lies = worked_out.placed, worked_out.lies
        elif e.word in ("count", "any"):
            content = []
        found = Labels(
            join((*content, asked)), join((*extents, where)), pieces, placed=placed, lies=lies
        )
        if e.word in _NUMBERS:
            found = Labels(found.all)
        return evolve(
            found,
            content=_outside(found.content, players, sources),
            extent=_outside(found.extent, players, sources),
            lies=_outside(found.lies, players, sources),
        )

    def arguments(
        self, s: syntax.Do, names: Names
    ) -> tuple[list[tuple[Labels, Span | None]], Label]:
        """Return the labels of the arguments of a call, and the label of the expression that selects the rule."""
        control: Label = ()
        given: list[tuple[Labels, Span | None]] = []
        if s.effect:
            card = syntax.Word(s.call.span, call_name(s.call))
            subject = s.call if isinstance(s.call, syntax.Dot) else card
            part = self.labels(subject, names)
            control = part.all
            given.append((part, None))
        elif isinstance(s.call, syntax.Dot):
            control = self.label(s.call.subject, names)
        elif isinstance(s.call, syntax.Word) and s.call.name not in self.model.rules:
            control = self.label(s.call, names)
        arguments = s.call.arguments if isinstance(s.call, syntax.Call | syntax.Dot) else None
        for e in arguments or ():
            part = self.lasting_labels(self.labels(e, names))
            given.append((evolve(part, player=self.lasting_player(e, names)), e.span))
        return given, control

    # ---- named values --------------------------------------------------------------------------------

    def _value(
        self,
        e: Named,
        value: declared.Value,
        subject: tuple[syntax.Expression, Labels] | None,
        given: Sequence[Labels],
        names: Names,
    ) -> Labels:
        """Return the labels of a named value that `e` reads."""
        tainted = any(part.content or part.extent for part in given) or (
            subject is not None and bool(subject[1].content or subject[1].extent)
        )
        changed = names.changed_values()
        if not (tainted or changed or self._of_pieces(value) or self._touches(value.name)):
            return PUBLIC
        inner = Names({"me": names.get("me") or Labels(player="me"), **changed})
        if value.subject is not None and subject is not None:
            player = self.player_of(subject[0], names)
            inner.own[value.subject.name] = evolve(subject[1], player=player)
        arguments = e.arguments if not isinstance(e, syntax.Word) else ()
        for param, part, written in zip(value.params, given, arguments or (), strict=False):
            inner.own[param.name] = evolve(part, player=self.player_of(written, names))
        key = (id(value), tuple(inner.own.items()), tuple(self.trial.items()))
        found = self._known.get(key)
        if found is None:
            found = self._find_value_labels(key, value, inner)
        outside: dict[Atom, Named] = {}
        for name, part in inner.own.items():
            outside |= {atom: e if name in changed else atom.at for atom in part.all}
        return evolve(
            found,
            content=_label_at(found.content, e, outside),
            extent=_label_at(found.extent, e, outside),
        )

    def _find_value_labels(self, key: object, value: declared.Value, inner: Names) -> Labels:
        """Return the labels of a named value.

        The labels of a recursive value are computed repeatedly until they reach a fixed point.
        """
        if key in self._open:
            self._cut.add(key)
            return self._assumed.get(key, PUBLIC)
        self._open.add(key)
        changed = inner.own.get(f"{CHANGED}{value.name}", PUBLIC)
        before = None
        found = self._assumed.get(key, PUBLIC)
        while found != before:
            before = self._assumed[key] = found
            bounds = self.labels(value.bounds, inner)
            found = select(self.labels(value.value, inner), bounds.all)
            # The reason is shown if the value is false.
            found = select(found, self.labels(value.reason, inner).all)
            for power, line in self._modifiers.get(value.name, ()):
                found = select(found, self._modifier_label(power, line, inner, value))
            found = evolve(select(found, changed.all), player="")
            if key not in self._cut:
                break
            found = either((before, found))
        self._open.discard(key)
        self._cut.discard(key)
        if not self._cut:
            self._known[key] = found
        return found

    def forget_values(self) -> None:
        """Forget the labels of values after finding steps that put more secrets into places."""
        self._known.clear()
        self._assumed.clear()
        self.touching.begin((*self.table, *self.dotted, *self.contents))

    def _touches(self, name: str) -> bool:
        """Return whether a named value may read a secret or something changed by trial steps."""
        if name in self.touching.names:
            return True
        reads = self.touching.attribute_reads(name)
        return bool(self.trial) and not self.trial.keys().isdisjoint(reads)

    def _of_pieces(self, value: declared.Value) -> bool:
        """Return whether a named value returns pieces whose places may be secret."""
        found = self._gives.get(id(value))
        if found is None:
            kinds = set(self.pieces_of(value.value))
            zones = (*self.table.values(), *self.dotted.values())
            found = any(
                isinstance(zone, declared.Zone)
                and not kinds.isdisjoint(self.kinds_of(zone.type.of))
                for zone in zones
            )
            self._gives[id(value)] = found
        return found

    def _modifier_label(
        self, power: declared.Power, line: declared.Modify, inner: Names, value: declared.Value
    ) -> Label:
        """Return the secrets that determine whether a power changes a value, and by how much."""
        names = Names(dict(inner.own))
        written = line.value
        subject = written.subject if isinstance(written, syntax.Dot) else None
        if isinstance(subject, syntax.Word) and value.subject is not None:
            names.own[subject.name] = inner.own.get(value.subject.name, PUBLIC)
        arguments = written.arguments if isinstance(written, syntax.Call | syntax.Dot) else ()
        for param, word in zip(value.params, arguments or (), strict=False):
            if isinstance(word, syntax.Word):
                names.own[word.name] = inner.own.get(param.name, PUBLIC)
        asked = [self.label(power.place, names), self.label((power.where, line.where), names)]
        asked += [self.label(change.amount, names) for change in line.changes]
        return join(asked)


def _observers(pieces: Labels) -> frozenset[str]:
    """Return the players who see where the pieces are, and therefore also see the states of the pieces."""
    lies = pieces.lies
    if not lies or any(atom.past for atom in lies):
        return frozenset()
    return frozenset.intersection(*(atom.knowers for atom in lies))


def _is_labelled(part: Labels) -> bool:
    return bool(part.content or part.extent or part.shown)


def _outside(label: Label, players: Mapping[str, str], sources: Mapping[Atom, Named]) -> Label:
    """Return the label that the result of a query has outside the query."""
    kept = tuple(
        evolve(atom, at=sources.get(atom, atom.at)) for atom in label if not atom.is_marker
    )
    some = tuple(
        evolve(atom, whose=players[atom.whose], knowers=atom.knowers - {atom.whose})
        if atom.whose in players
        else atom
        for atom in kept
    )
    return unbind(some, players)


def _labels_at(found: Labels, e: Named) -> Labels:
    """Return the labels of a local name that `e` reads."""
    return evolve(
        found,
        content=tuple(evolve(atom, at=e) for atom in found.content),
        extent=tuple(evolve(atom, at=e) for atom in found.extent),
    )


def _label_at(label: Label, e: Named, outside: Mapping[Atom, Named]) -> Label:
    """Return the label with the location of each atom set to `e`, the expression that reads the
    value. Atoms that come from arguments get the location of the argument in `outside`.
    """
    words = f"`{e.name}` looks at it here"
    return tuple(
        evolve(atom, at=outside[atom])
        if atom in outside
        else evolve(atom, place=e, at=e, path=(*atom.path, (atom.at.span, words)))
        for atom in label
    )
