"""Goes through the steps of rules with their labels, and finds where a secret is shown to players who may not know it.

Choices, conditions and loops around a step pass on their labels, and so do arguments of rules. Conditions may look at a
secret that one of their branches reveals: a player who shows a card means to do so.
See `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, assert_never

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.checks.secrecy.changing import Changing
from rulewright.dsl.checks.secrecy.exactly import Exactly
from rulewright.dsl.checks.secrecy.labels import (
    ANYBODY,
    CHANGED,
    EVERYBODY,
    PUBLIC,
    ROLLED,
    Acting,
    Asked,
    Atom,
    Depends,
    Label,
    Named,
    Names,
    Way,
    both,
    called,
    called_at,
    common,
    deciding,
    depends,
    join,
    unbound,
    under,
    without,
)
from rulewright.dsl.checks.secrecy.opening import Opening, by_all, unlaid
from rulewright.dsl.checks.secrecy.possible import Possible
from rulewright.dsl.checks.secrecy.reading import Reader, hidden, shows
from rulewright.dsl.checks.secrecy.revealed import Before, Earlier, Opened
from rulewright.dsl.checks.secrecy.scopes import (
    begun,
    bind,
    chosen,
    conditions,
    each_in,
    params_of,
    result_of,
)
from rulewright.dsl.checks.secrecy.shapes import (
    asked_for,
    asked_in,
    is_asked_for,
    is_call_of,
    name_of,
    names_made,
    shape,
)
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.effects import effect, is_decision
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every

What = Literal[
    "log",
    "words",
    "options",
    "condition",
    "reason",
    "possible",
    "board",
    "asked",
    "done",
    "line",
    "needed",
    "value",
    "amount",
    "place",
    "which",
    "order",
    "ended",
]
"""The means that show a secret.

In order: words for all, words of an option, the list of options, whether one can be taken, why not, possibility,
a board. Next is whether something is asked, done, logged or needed at all. Then come a new value, a moved number,
whose place changes, which pieces move, and their order. Last is whether the game ends."""


@frozen
class Disclosed:
    """A secret that is shown, with the means and the reader (`EVERYBODY`, or the name of a player)."""

    atom: Atom
    what: What
    span: Span
    to: str
    step: Span | None = None
    """The step or option that shows it."""


GIVEN: Final = "given to"
"""The first words of a part of a way: the value is an argument there."""
ROLL_KEPT: Final = "the roll is kept here"
"""The words of a part of a way: a hidden place keeps a roll there."""


@frozen
class _At:
    """A place of the walk: local names, the label of reaching it, the asked player, and earlier steps."""

    names: Names
    control: Label = ()
    asker: bool = True
    """Whether the option belongs to `me`."""
    before: Before | None = None
    offered: tuple[str, ...] = ()
    """The parameters of this body that the player chooses with it."""


@define
class Steps:
    """Goes through all bodies of a program."""

    compiled: Compiled
    reader: Reader
    tell: Callable[[Disclosed], None]
    _met: dict[Way, bool] = field(factory=dict)
    """The ways in which bodies are called, and whether their results depend on earlier reveals."""
    _after: dict[Way, list[Opened]] = field(factory=dict)
    """For ways that depend on earlier reveals, the secrets that were revealed before each walk through the body."""
    _going: set[Way] = field(factory=set)
    _inside: list[list[bool]] = field(factory=list)
    """Whether the results of each open call depend on earlier reveals."""
    _visited: set[str] = field(factory=set)
    _stops: list[Label] = field(factory=list)
    _offered: set[int] = field(factory=set)
    _possible: Possible = field(init=False)
    _opening: Opening = field(init=False)
    _exactly: Exactly = field(init=False)
    _changing: Changing = field(init=False)
    _earlier: Earlier = field(init=False)
    _zones: set[str] = field(init=False)
    """The names of hidden zones."""
    _disclosing: Span | None = None
    """The present step or option."""
    _by_rule: bool = False
    """Whether the walk is in setup before any shuffle, draw or choice, so that all places follow from the rules."""
    _together: bool = False
    """Whether the players choose at the same time, so that the others do not read the words of options."""
    _seen_rolls: list[tuple[str, Label, Span, _At]] = field(factory=list)
    """The rolls into local names, with the label of what decides whether and how they are made.

    All see them, but for those whose result a hidden place keeps."""
    _ends: list[tuple[Label, Span, _At]] = field(factory=list)
    """The places where the game may have ended, with the label of that; the next public event shows it to everybody."""

    def __attrs_post_init__(self) -> None:
        analysis = self.compiled.analysis
        self._changing = Changing(self.reader, analysis, self.compiled.memo)
        self._opening = Opening(self.reader, analysis, self._changing)
        self._earlier = Earlier(self.reader, self._opening, self._changing)
        self._exactly = Exactly(self.reader, self._opening)
        self._possible = Possible(self.reader, self.compiled.analysis, self._exactly)
        self.reader.possible = self._possible.asked
        parts = (*self.reader.table.values(), *self.reader.dotted.values())
        self._zones = {part.name for part in parts if isinstance(part, declared.Zone)}
        bodies = self.compiled.analysis.bodies.values()
        steps = (s for body in bodies for s in body.steps)
        self.reader.eliminates = any(isinstance(s, syntax.Eliminate) for s in steps)

    def go(self) -> None:
        """Go through all reached bodies, from the beginning of the game."""
        safe = self.compiled.safe
        for way, after in safe.items():
            if isinstance(way, Way):
                self._met[way] = bool(after)
                self._after[way] = [*after]  # type: ignore[misc]  # stored in this form below
        self._opening.known.update(
            {
                asked: laid  # type: ignore[misc]  # stored in this form below
                for asked, laid in safe.items()
                if isinstance(asked, Asked)
            }
        )
        kept: dict[str, Label] | None = None
        while kept != self.reader.kept:
            kept = dict(self.reader.kept)
            if kept:
                self._met.clear()
                self._after.clear()
            self.reader.begin()
            self._seen_rolls.clear()
            self._go()
        self._by_rule = False
        for name, label, span, at in self._seen_rolls:
            if name not in self.reader.kept:
                self._known(label, at, "done", span, EVERYBODY)
        if kept:
            return  # the results depend on more than the ways to call bodies
        for way, hangs in self._met.items():
            if not (hangs or way.is_hook or way.by_rule):
                safe[way] = ()
        for asked, laid in self._opening.known.items():
            safe[asked] = laid

    def _go(self) -> None:
        # Parts that are equal in another configuration show nothing new; callers of changed parts are not equal.
        bodies, is_new = self.compiled.analysis.bodies, self.compiled.is_reporting
        touching = self.reader.touching.bodies
        for body in bodies.values():
            if body.reached:
                find = asked_for if is_asked_for(body) else asked_in
                self._offered |= self.compiled.memo.of(find, body.node)
        for start in ("setup", "play"):
            self._by_rule = start == "setup"
            for key, body in bodies.items():
                if body.reached and key.startswith(start) and is_new(key):
                    self._block(body.statements, _At(Names()))
        self._triggers()
        for n, (anytime, _) in enumerate(self.compiled.analysis.anytimes):
            if not is_new(f"anytime {n}"):
                continue
            at = _At(self._me())
            self._disclosing = anytime.span
            self._private(anytime.where, at, "condition")
        for key, body in bodies.items():
            is_left = key in touching and is_new(key) and body.reached and key not in self._visited
            if is_left and key.startswith(("rule", "effect")):
                self._body(key, (), _At(self._me()))

    def _me(self) -> Names:
        return Names({"me": Depends(player="me")})

    def _triggers(self) -> None:
        """Go through the bodies that watch numbers and places."""
        a = self.compiled.analysis
        for n, (watcher, power, _) in enumerate(a.watchers):
            if not self.compiled.is_reporting(f"trigger {n}"):
                continue
            names = self._me()
            control = [self._power(power, names)]
            if watcher.binder is not None:
                names, source = each_in(watcher.binder, names, self.reader)
                control.append(source.extent)
            # The contents before are compared: no later look at the place tells them.
            compared = self.reader.label(watcher.condition, names)
            compared = tuple(evolve(atom, past=True) for atom in compared)
            if watcher.change is not None:
                names.own[watcher.change.name] = depends(compared)
            self._begin(f"trigger {n}", names, join((*control, compared)))
        for n, (trigger, power) in enumerate(a.move_triggers):
            if not self.compiled.is_reporting(f"mover {n}"):
                continue
            names = self._me()
            held = self.reader.reads(trigger.place, names)
            names.own[trigger.name.name] = evolve(held, extent=())
            control = [
                self._power(power, names),
                held.extent,
                self.reader.label(trigger.where, names),
            ]
            self._begin(f"mover {n}", names, join(control))

    def _power(self, power: declared.Power | None, names: Names) -> Label:
        """The label of whether a power is present."""
        if power is None:
            return ()
        place = self.reader.reads(power.place, names)
        if power.type is not None:
            names.own[power.name] = evolve(place, extent=())
        return join((place.all, self.reader.label(power.where, names)))

    def _begin(self, key: str, names: Names, control: Label) -> None:
        body = self.compiled.analysis.bodies[key]
        self._visited.add(key)
        control = self._meant(control, [[body.statements]], names)
        self._block(body.statements, _At(names, control))

    # ---- bodies --------------------------------------------------------------------------------------

    def _body(self, key: str, given: Sequence[tuple[Depends, Span | None]], at: _At) -> None:
        """Go through a called rule or effect, once for each way to call it."""
        body = self.compiled.analysis.bodies.get(key)
        if body is None:
            return
        params = params_of(body)
        gone = self._made(body.statements) | {called(param) for param in params}
        before = Before(at.before, at.names, gone=gone)
        at = evolve(at, control=unbound(at.control, gone), before=before)
        parts = [without(part, gone) for part, _ in given]
        names, left = begun(body, parts, at.names.get("me"), at.names.changed())
        inner = evolve(at, names=names, offered=tuple(param.name for param in left))
        for param in params:
            names.own.setdefault(param.name, evolve(PUBLIC, player=called(param)))
        for param, span in zip(params, [span for _, span in given if span], strict=False):
            part = names.own[param.name].passed(span, f"{GIVEN} `{param.name}`")
            alias = "" if part.player == ANYBODY else part.player
            kept = self._kept(param.name, part, body.statements, names)
            names.own[param.name] = evolve(kept, player=alias or called(param))
        self._visited.add(key)
        way = Way(
            key, tuple(names.own.items()), at.control, at.asker, self._by_rule, self._together
        )
        if self._is_known(way, at):
            if self._ends and self.reader.touching.is_body_seen(key):
                self._is_seen()
            return
        self._inside.append([False])
        for param in left:
            self._offer(param, body, inner)
        if isinstance(body.node, declared.Rule):
            self._words(body.node.named, inner, inner.offered)
        self._block(body.statements, inner)
        self._is_done(way, at, hangs=self._inside.pop()[0])

    def _is_known(self, way: Way, at: _At) -> bool:
        """Whether an earlier walk through the body, with no more revealed before, holds here. Else begins one."""
        hangs = self._met.get(way)
        if hangs:
            self._hangs()
            opened = self._earlier.opened(at.before)
            if way in self._going or any(one <= opened for one in self._after[way]):
                return True
        elif hangs is not None:
            return True
        self._met[way] = True  # for recursive calls
        self._going.add(way)
        return False

    def _is_done(self, way: Way, at: _At, *, hangs: bool) -> None:
        self._met[way] = hangs
        self._going.discard(way)
        if hangs:
            self._after.setdefault(way, []).append(self._earlier.opened(at.before))

    def _made(self, statements: syntax.Block) -> frozenset[str]:
        """The names of players that are made in some steps."""
        return self.compiled.memo.of(names_made, statements)

    def _hangs(self) -> None:
        """Note that the results of all open calls depend on earlier reveals."""
        for one in self._inside:
            one[0] = True

    def _offer(self, param: declared.Param, body: Body, at: _At) -> None:
        """Go through the choice of a parameter by the player."""
        source = self._private(param.source, at, "options")
        at.names.own[param.name] = chosen(source, called(param))
        self._private((param.where, *conditions(param)), at, "condition")
        self._private(param.reason, at, "reason")
        at.names.own[param.name] = self._kept(
            param.name, chosen(source, called(param)), body.statements, at.names
        )

    def _kept(self, name: str, part: Depends, rest: syntax.Block, names: Names) -> Depends:
        """The labels of a value in a name; if later steps reveal the piece by its name, its readers may know it."""
        if part.is_placed and not self._changing.gains(rest).isdisjoint(self._zones):
            part = evolve(part, is_placed=False)
        if not part.pieces or not part.content or not part.lies:
            return part
        first = part.lies[0]
        marker = Atom(f"@{name}", "", frozenset(), first.secret, first.place, first.at)
        inner = names.inner()
        inner.own[name] = Depends((marker,), (), pieces=True)
        to = self._opening.laid_of(marker, part.lies, rest, inner)
        if EVERYBODY in to:
            # The piece is seen; the other secrets that selected it are not.
            left = tuple(atom for atom in part.extent if atom not in part.lies)
            return evolve(part, content=part.selected_by, extent=left, shown=part.content)
        if not to:
            return part
        lies = {atom: evolve(atom, knowers=atom.knowers | to) for atom in part.lies}
        content = tuple(lies.get(atom, atom) for atom in part.content)
        return evolve(part, content=content, lies=tuple(lies.values()))

    # ---- steps ---------------------------------------------------------------------------------------

    def _block(self, statements: syntax.Block, at: _At) -> None:
        names = at.names.inner()
        at = evolve(at, names=names)
        for n, s in enumerate(statements):
            self._step(s, statements[n + 1 :], at)
            at = self._beyond(s, at, Before(at.before, names, s))

    def _beyond(self, s: syntax.Statement, at: _At, before: Before) -> _At:
        """The place after a step. Labels from places that the step changes unseen count as past there."""
        control = at.control
        if (control or at.names.is_labelled) and not self._by_rule:
            lost = self._changing.of(s).losses
            control = self._past(control, lost, at)
            if lost:
                at.names.change(lambda label: self._past(label, lost, at))
        return _At(at.names, control, at.asker, before, at.offered)

    def _past(self, label: Label, lost: frozenset[str], at: _At) -> Label:
        """A label that was read before these places change: later reads disclose no more of it."""
        if not any(atom.name in lost and not atom.past for atom in label):
            return label
        opened = self._earlier.opened(at.before)
        found: list[Atom] = []
        for atom in label:
            if atom.name not in lost or atom.past:
                found.append(atom)
                continue
            left = unlaid(atom, opened)
            if left is not atom:
                self._hangs()
            if left is not None:
                found.append(evolve(left, past=True))
        return tuple(found)

    def _step(self, s: syntax.Statement, rest: syntax.Block, at: _At) -> None:
        if not (at.control or self._by_rule or self._ends) and self.reader.passes(s, at.names):
            return
        around, self._disclosing = self._disclosing, s.span
        self._take(s, rest, at)
        self._disclosing = around

    def _take(self, s: syntax.Statement, rest: syntax.Block, at: _At) -> None:
        if self._by_rule and self._is_later(s):
            self._by_rule = False
        read = self.reader
        names = at.names
        match s:
            case syntax.Surely(step=step):
                self._step(step, rest, at)
            case syntax.Let(name=name, name_span=span, value=value):
                part = read.kept_in_mind(read.reads(value, names))
                player = read.alias(value, names) or called(s)
                part = evolve(part.passed(span, f"put into `{name}`"), player=player)
                names.own[name] = self._kept(name, part, rest, names)
            case syntax.LetDo(call=call):
                self._step(call, (), at)
                bind(s, names, read)
            case syntax.Give():
                self._give(s, at)
            case syntax.SetTo(place=place, value=value):
                self._change(place, (value,), s.span, at)
            case syntax.Amount(place=place, amount=amount):
                if s.verb == "pay" and id(s) in self._offered:
                    self._private(place, at, "possible")
                self._change(place, (amount,), s.span, at)
            case syntax.Shuffle(place=place):
                self._order(place, (), s.span, at)
                self._by_rule = False
            case syntax.Sort(binder=binder, keys=keys):
                inner = names.inner()
                inner.own[binder.name] = evolve(read.reads(binder.source, names), extent=())
                values = read.label(tuple(key.value for key in keys), inner)
                self._order(binder.source, values, s.span, at)
            case syntax.Reverse(place=place):
                self._order(place, (), s.span, at)
            case syntax.Roll(place=place, source=source, count=count):
                self._by_rule = False
                part = read.reads(source, names)
                if isinstance(place, syntax.Word) and place.name not in self.reader.model.states:
                    rolled = self._rolled(place)
                    seen = join((at.control, part.extent, read.label(count, names)))
                    self._seen_rolls.append((rolled[0].name, seen, s.span, at))
                    if seen:
                        self._hangs()
                    drawn = depends(join((part.all, read.label(count, names), rolled)))
                    drawn = evolve(part, extent=()) if part.pieces else drawn
                    drawn = evolve(drawn, player=called_at(place.name, place.span))
                    names.own[place.name] = self._kept(place.name, drawn, rest, names)
                else:
                    self._change(place, (source, count), s.span, at)
            case syntax.Move():
                self._move(s, at)
            case syntax.Choose():
                self._choose(s, rest, at)
            case syntax.ChooseOf():
                self._asked(s.span, at)
                self._private(s.prompt, at, "words")
                self._private(s.quantity.amount if s.quantity is not None else None, at, "options")
                for arm in s.arms:
                    if isinstance(arm, syntax.Do):
                        self._step(arm, (), at)
                    else:
                        self._arm(arm, at)
                    self._can_be_done(arm, at)
            case syntax.May(text=text, body=body):
                self._asked(s.span, at)
                self._words(text, at)
                self._block(body, evolve(at, asker=True))
                if text is not None:
                    arm = syntax.OptionArm(s.span, (), text, None, None, body)
                    self._can_be_done(arm, at)
                else:
                    for step in body:
                        if isinstance(step, syntax.Do):
                            self._can_be_done(step, at)
            case syntax.Needs(condition=condition, reason=reason):
                if id(s) in self._offered and at.asker:
                    self._private(condition, at, "condition")
                    self._known(at.control, at, "needed", s.span, "me")
                self._private(reason, at, "reason")
            case syntax.Say(text=text):
                self._words(text, at, at.offered)
            case syntax.Log(text=text, to=to):
                audience = EVERYBODY if to is None else read.audience(to, names)
                for atom in read.label(text, names):
                    self._disclose(atom, "log", atom.at.span, audience, at)
                self._tells(read.label(to, names), "place", EVERYBODY, at)
                self._known(at.control, at, "line", s.span, audience)
                self._is_seen()
            case syntax.Show(what=what, to=to):
                audience, shown = read.audience(to, names), read.reads(what, names)
                number = tuple(atom for atom in shown.extent if atom not in shown.lies)
                selected = join((shown.selected_by, number)) if shown.pieces else ()
                self._tells(selected, "which", audience, at)
                self._tells(read.label(to, names), "place", EVERYBODY, at)
                self._known(at.control, at, "done", s.span, audience)
            case syntax.Phase(text=text, body=body):
                self._known(at.control, at, "line", s.span, EVERYBODY)
                for atom in read.label(text, names):
                    self._disclose(atom, "log", atom.at.span, EVERYBODY, at)
                self._block(body, at)
            case syntax.Eliminate(player=player):
                self._tells(read.label(player, names), "place", EVERYBODY, at)
                self._known(at.control, at, "done", s.span, EVERYBODY)
                self._is_seen()
            case syntax.Win(player=player):
                self._keep("winners", join((read.label(player, names), at.control)))
            case syntax.Do():
                self._do(s, at)
            case syntax.If(cases=cases):
                blocks, labels = blocks_of(s), list[Label]()
                for n, (condition, body) in enumerate(cases):
                    ways = [body], blocks[n + 1 :]
                    label = self._condition(condition, ways, names)
                    labels.append(self._meant(read.stays(label), ways, names))
                self._branches(join(labels), blocks, at)
            case syntax.IfPossible(body=body):
                blocks = blocks_of(s)
                asked = read.stays(self._possible.block(body, names))
                self._branches(self._meant(asked, [[each] for each in blocks], names), blocks, at)
            case syntax.Keep(name=name):
                position = read.model.positions[name]
                if not read.label(position.parts, Names()):
                    self._known(at.control, at, "done", s.span, EVERYBODY)
            case syntax.Repeat(value=value, body=body):
                self._loop(body, lambda: read.label(value, names), at)
            case syntax.ForEach():
                self._for_each(s, at)
            case syntax.EachPlayer(start=start, where=where, body=body):
                acting = Acting("")
                inner = names.inner(acting)
                control = join((read.label(start, names), read.label(where, inner)))
                around, self._together = self._together, self._together or s.together
                self._as(body, acting, inner, control, at)
                self._together = around
            case syntax.AsPlayer(player=player, body=body):
                acting = Acting(read.player(player, names))
                inner = names.inner(acting)
                self._as(body, acting, inner, acting.enter(read.label(player, names)), at)
            case syntax.Simple(word=word):
                if word != "end game":
                    self._stops.append(at.control)
                elif at.control and all(s.span != span for _, span, _ in self._ends):
                    self._ends.append((at.control, s.span, at))
            case syntax.AtOnce(body=body):
                self._block(body, at)
            case syntax.Limit(count=count):
                if id(s) in self._offered and at.asker:
                    self._private(count, at, "condition")
            case syntax.Broken():
                pass
            case _:
                assert_never(s)

    def _condition(
        self,
        e: syntax.Expression,
        ways: tuple[Sequence[syntax.Block], Sequence[syntax.Block]],
        names: Names,
    ) -> Label:
        """The label of a condition that may lead to two ways."""
        body = ways[0][0]
        match e:
            case syntax.Possible(action=action) if body and is_call_of(body[0], action):
                return self._possible.block(body[:1], names)
            case _:
                return deciding(self._exactly.asked(e, ways, names), e)

    def _is_later(self, s: syntax.Statement) -> bool:
        """Whether a turn of a loop may shuffle, draw or ask a player before the next turn."""
        if not isinstance(s, syntax.Repeat | syntax.ForEach | syntax.EachPlayer):
            return False
        return any(
            effect(each).draws
            or is_decision(each)
            or (isinstance(each, syntax.Do) and self.compiled.analysis.suspends((each,)))
            for each in every(s.body)
        )

    def _as(
        self, body: syntax.Block, acting: Acting, inner: Names, control: Label, at: _At
    ) -> None:
        """Go through a block in which another player acts."""
        control = self._meant(control, [[body]], inner)
        around = join((acting.enter(at.control), control))
        before = Before(at.before, at.names, acting=acting)
        inside = evolve(at, names=inner, control=around, asker=False, before=before)
        if acting.player:
            stops, self._stops = self._stops, []
            self._block(body, inside)
            self._stops = [*stops, *map(acting.leave, self._stops)]
        else:
            self._loop(body, lambda: (), inside)

    def _loop(
        self, body: syntax.Block, control: Callable[[], Label], at: _At, player: str = ""
    ) -> None:
        """Go through a block that may run again: its new values and its ends count from its beginning."""
        stops, self._stops = self._stops, []
        gone = self._made(body) | {player}
        again = Before(at.before, at.names, again=body, gone=gone)
        at = evolve(at, control=unbound(at.control, gone), before=again)
        while True:
            before = self._known_of(at.names)
            around = self._meant(join((control(), *self._stops)), [[body]], at.names)
            around = unbound(self.reader.stays(around), gone)
            around_it = at.names.around if player else at.names
            if around_it is not None:
                around_it.forget(gone)
            self._block(body, evolve(at, control=join((at.control, around))))
            if before == self._known_of(at.names):
                break
        self._stops = stops

    def _known_of(self, names: Names) -> object:
        """The labels of local names, and the other facts at the start of a further turn of a loop."""
        stops = frozenset(join(self._stops))
        found: list[object] = [frozenset(self.reader.kept.items()), len(self._ends), stops]
        at: Names | None = names
        while at is not None:
            found += [(name, frozenset(part.all), part.player) for name, part in at.own.items()]
            at = at.around
        return tuple(found)

    def _for_each(self, s: syntax.ForEach, at: _At) -> None:
        names, source = each_in(s.binder, at.names, self.reader)
        each = names.own[s.binder.name]
        stretch = self.reader.label((s.binder.start, *conditions(s.binder)), names)
        each = names.own[s.binder.name] = self._kept(s.binder.name, each, s.body, names)
        asked = join((stretch, deciding(self.reader.label(s.where, names), s.where)))
        number = source.extent
        if each.shown:  # all see each of them, and so how many they are
            number = tuple(atom for atom in number if atom not in source.lies)
        if s.any_order:
            self._asked(s.span, at)
            self._private(s.binder.source, at, "options")
        control = join((number, asked))
        self._loop(s.body, lambda: control, evolve(at, names=names), called(s.binder))

    def _branches(self, asked: Label, blocks: Sequence[syntax.Block], at: _At) -> None:
        """Go through blocks; a condition with the label `asked` decides which one is taken."""
        if not asked:
            for block in blocks:
                self._block(block, at)
            return
        alike = common([[shape(s) for s in block] for block in blocks])
        inside = evolve(at, control=join((at.control, asked)))
        for block in blocks:
            names, left = at.names.inner(), list(alike)
            always, here = evolve(at, names=names), evolve(inside, names=names)
            for n, s in enumerate(block):
                is_alike = bool(left) and left[0] == shape(s)
                if is_alike:
                    del left[0]
                    if isinstance(s, syntax.Choose | syntax.Surely):
                        self._known(asked, at, "options", s.span, "me")
                self._step(s, block[n + 1 :], always if is_alike else here)
                before = Before(here.before, names, s)
                always, here = (self._beyond(s, each, before) for each in (always, here))
                name = name_of(s)
                if name and not is_alike:
                    names.own[name] = under(names.own.get(name, PUBLIC), asked)

    # ---- choices -------------------------------------------------------------------------------------

    def _choose(self, s: syntax.Choose, rest: syntax.Block, at: _At) -> None:
        self._asked(s.span, at)
        self._private(s.source, at, "options")
        names, source = each_in(s, at.names, self.reader)
        inner = evolve(at, names=names)
        self._private((s.where, *conditions(s)), inner, "condition")
        self._private(s.quantity.amount if s.quantity is not None else None, at, "options")
        self._private(s.prompt, at, "words")
        self._words(s.say, inner, names.own)
        self._words(s.named, inner, names.own)
        self._private(s.reason, inner, "reason")
        at.names.own[s.name] = self._kept(s.name, chosen(source, called(s)), rest, at.names)

    def _arm(self, arm: syntax.OptionArm, at: _At) -> None:
        self._disclosing = arm.span
        names, source = at.names.inner(), PUBLIC
        if arm.binder is not None:
            self._private(arm.binder.source, at, "options")
            self._private(arm.binder.start, at, "options")
            names, source = each_in(arm.binder, at.names, self.reader)
        inner = evolve(at, names=names)
        if arm.binder is not None:
            self._private(conditions(arm.binder), inner, "condition")
        self._private(arm.where, inner, "condition")
        self._words(arm.text, inner, names.own)
        self._words(arm.named, inner, names.own)
        if arm.binder is not None:
            name = arm.binder.name
            part = chosen(source, called(arm.binder))
            names.own[name] = self._kept(name, part, arm.body, names)
        self._block(arm.body, evolve(inner, asker=True))

    def _words(
        self, text: syntax.Text | syntax.Named | None, at: _At, chosen: Iterable[str] = ()
    ) -> None:
        """Show the words and the name of an option to the chooser, and to everybody if it is taken.

        The others do not see an option that chooses or names a piece that is hidden from them. If they know this piece
        in the end, they know all about it, but they see what else is said.
        """
        parts = text.arguments if isinstance(text, syntax.Named) else text.parts if text else ()
        names = at.names.inner()
        for name in (*chosen, *(part.name for part in parts if isinstance(part, syntax.Word))):
            found = at.names.get(name)
            if found is not None and found.pieces:
                names.own[name] = Depends(pieces=True, player=found.player)
        is_read = self.reader.model.config.players > 1 and not self._together
        for part in parts:
            self._private(part, at, "words")
            read = self.reader.reads(part, names) if is_read else PUBLIC
            for atom in read.selected_by if read.pieces else read.all:
                self._disclose(atom, "words", atom.at.span, EVERYBODY, at)

    def _asked(self, span: Span, at: _At) -> None:
        """Show everybody which player decides."""
        self._by_rule = False
        self._known(at.control, at, "asked", span, EVERYBODY)
        self._is_seen()

    def _can_be_done(self, arm: syntax.OptionArm | syntax.Do, at: _At) -> None:
        """Show to the player that an option is offered, which depends on whether its steps can be completed."""
        for atom in self._possible.option(arm, at.names):
            self._disclose(atom, "possible", atom.at.span, "me", at)

    # ---- changes -------------------------------------------------------------------------------------

    def _change(
        self,
        place: syntax.Expression,
        values: Sequence[syntax.Expression | None],
        span: Span,
        at: _At,
    ) -> None:
        """Change a stored value or a local name."""
        names, read = at.names, self.reader
        value = join(deciding(read.label(each, names), each) for each in values)
        if isinstance(place, syntax.Word) and names.get(place.name) is not None:
            more = join((value, at.control))
            passed = Depends(more, more).passed(place.span, f"put into `{place.name}`")
            names.add(place.name, passed)
            return
        address = self._address(place, names)
        audiences = [*self._sees(place, names)]
        holder = read.reads(place.subject, names) if isinstance(place, syntax.Dot) else PUBLIC
        if holder.lies and isinstance(place, syntax.Dot):
            # Players who do not see a piece do not see its states; they see both at the same time.
            self._keep(place.name, join((address, value, at.control)))
            audiences = [one for atom in holder.lies for one in atom.knowers]
        self._hide((*address, *value, *at.control), place, names)
        self._happens(address, value, "value", span, audiences, at)

    def _rolled(self, name: syntax.Word) -> Label:
        """The label of a roll into a local name, with the hidden places that keep its result."""
        rolled = f"{ROLLED}{name.span.source.name}:{name.span.start}"
        kept = tuple(evolve(atom, place=name, at=name) for atom in self.reader.kept.get(rolled, ()))
        secret = next(iter((*self.reader.table.values(), *self.reader.dotted.values())))
        return Atom(rolled, "me", frozenset(), secret, name, name), *kept

    def _hide(self, label: Label, place: syntax.Expression, names: Names) -> None:
        """Note that a roll is no longer public if a hidden place depends on it."""
        secret = self.reader.secret(place, names)
        if secret is None:
            return
        for rolled in label:
            if rolled.is_roll and not rolled.meant:
                there = self.reader.label(place, names)
                kept = tuple(one.passed(place.span, ROLL_KEPT) for one in there)
                kept = (
                    kept if rolled.whose == "me" else unbound(kept, (atom.whose for atom in kept))
                )
                known = self.reader.kept.get(rolled.name, ())
                self.reader.kept[rolled.name] = join((known, kept))

    def _happens(
        self,
        address: Label,
        value: Label,
        what: What,
        span: Span,
        audiences: Iterable[str],
        at: _At,
    ) -> None:
        """Show a change to its readers: the owner of the place, the new contents, and that it happens."""
        for audience in dict.fromkeys(audiences):
            self._tells(address, "place", audience, at)
            self._tells(value, what, audience, at)
            self._known(at.control, at, "done", span, audience)
            if audience == EVERYBODY:
                self._is_seen()

    def _order(self, place: syntax.Expression, keys: Label, span: Span, at: _At) -> None:
        """Show everybody that the order of a zone changes; only players who see its contents learn the new order."""
        address = self._address(place, at.names)
        seers = [*self._sees(place, at.names, counts=False)]
        self._happens(address, keys, "order", span, seers, at)
        self._happens(address, (), "order", span, [EVERYBODY], at)

    def _address(self, place: syntax.Expression, names: Names) -> Label:
        """The label of an address, which selects one of the places of a name."""
        read = self.reader
        match place:
            case syntax.Call(arguments=arguments):
                return read.label(arguments, names)
            case syntax.Dot(name="slot", subject=subject, arguments=arguments):
                return join((self._address(subject, names), read.label(arguments, names)))
            case syntax.Dot(subject=subject, arguments=arguments):
                return join((read.label(subject, names), read.label(arguments, names)))
            case _:
                return ()

    def _keep(self, name: str, label: Label) -> None:
        """Note that the contents under a name depend on more secrets; later readers do not know the owners of these."""
        kept = self.reader.kept.get(name, ())
        more = tuple(
            evolve(atom, whose=ANYBODY if atom.whose else "", knowers=frozenset())
            for atom in label
            if not atom.is_public
        )
        if not {*more} <= {*kept}:
            self.reader.kept[name] = join((kept, more))

    def _give(self, s: syntax.Give, at: _At) -> None:
        """Note what the result of a rule depends on. The caller knows the same player as `me`, and no other name."""
        node = self.compiled.analysis.stands_in(s)
        rule = node.pattern if isinstance(node, declared.OnAction) else node
        if not isinstance(rule, declared.Rule | declared.Pattern):
            return
        name = result_of(rule.name)
        given = join((self.reader.label(s.value, at.names), at.control))
        is_me = not at.names.is_acting
        own = tuple(
            atom for atom in given if is_me and atom.whose == "me" and atom.knowers <= {"me"}
        )
        self._keep(name, tuple(atom for atom in given if atom not in own))
        kept = self.reader.kept.get(name, ())
        if not {*own} <= {*kept}:
            self.reader.kept[name] = join((kept, own))

    def _sees(
        self, place: syntax.Expression, names: Names, *, counts: bool = True
    ) -> Iterator[str]:
        """The players who see a stored value change, or the number of pieces there."""
        part = self.reader.stored(place)
        if part is None or not hidden(part):
            yield EVERYBODY
            return
        assert part.seen is not None
        if counts and isinstance(part, declared.Zone) and shows(part, "size"):
            yield EVERYBODY
        elif part.seen.by in ("owner", "others") and isinstance(place, Named):
            whose = self.reader.whose(place, names)
            yield whose if part.seen.by == "owner" else f"!{whose}"

    def _move(self, s: syntax.Move, at: _At) -> None:
        names, read = at.names, self.reader
        moved = read.reads(s.amount, names)
        into = [*self._sees(s.target, names)]
        opened = {*self._sees(s.target, names, counts=False)}
        out: list[str] = []
        source: Label = ()
        if s.source is not None:
            out = [*self._sees(s.source, names)]
            source = self._address(s.source, names)
            amount = moved.all
            if s.how != "exactly":
                # Readers of pieces are meant to count them; tokens tell nothing but their number.
                taken = read.reads(s.source, names)
                counted = {*into} - opened if taken.pieces else into
                for audience in into:
                    self._tells(taken.extent if audience in counted else (), "amount", audience, at)
        else:
            held = [atom for atom in moved.lies if not atom.meant]
            if not held or any(shows(atom.secret, "size") for atom in held):
                out.append(EVERYBODY)
            seers = opened | {knower for atom in moved.lies for knower in atom.knowers}
            for audience in sorted(seers if moved.lies else {*seers, EVERYBODY}):
                self._tells(moved.selected_by, "which", audience, at)
            amount = tuple(atom for atom in moved.extent if not opened or atom not in moved.lies)
        if EVERYBODY not in (*into, *out):
            self._hide((*amount, *at.control), s.target, names)
        self._happens(self._address(s.target, names), amount, "amount", s.span, into, at)
        self._happens(source, amount, "amount", s.span, out, at)

    # ---- calls ---------------------------------------------------------------------------------------

    def _do(self, s: syntax.Do, at: _At) -> None:
        analysis = self.compiled.analysis
        given, control = self.reader.given(s, at.names)
        control = self._meant(control, [[(s,)]], at.names)
        at = evolve(at, control=join((at.control, control)), names=self._with(s, at.names))
        self._private(s.prompt, at, "words")
        if analysis.open_parameters(s):
            self._asked(s.span, at)
        if analysis.is_action(s):
            at = evolve(at, asker=True)
        passes = not (at.control or self._by_rule or self._ends)
        for key in analysis.callees(s):
            if passes and self.reader.passes_call(key, given, at.names):
                continue
            self._body(key, given, at)
            name = key.removeprefix("rule ")
            for n, (hook, power) in enumerate(analysis.hooks.get(name, ())):
                self._hook(f"hook {name} {n}", hook, power, given, at)

    def _with(self, s: syntax.Do, names: Names) -> Names:
        """The names for a call: values that are changed for it have the label of the change."""
        inner = names.inner()
        for each in s.changes:
            name = f"{CHANGED}{call_name(each.value)}"
            amounts = self.reader.label(tuple(one.amount for one in each.changes), names)
            changed = Depends(amounts, amounts).passed(each.value.span, "changed for this call")
            inner.own[name] = both((inner.get(name) or PUBLIC, changed))
        return inner

    def _hook(
        self,
        key: str,
        hook: declared.OnAction,
        power: declared.Power | None,
        given: Sequence[tuple[Depends, Span | None]],
        at: _At,
    ) -> None:
        """Go through the steps before, after or instead of a rule that is called."""
        body = self.compiled.analysis.bodies[key]
        names = Names({"me": at.names.get("me") or Depends(player="me"), **at.names.changed()})
        for param, (part, _) in zip(hook.pattern.params, given, strict=False):
            names.own[param.name] = part
        if hook.pattern.actor is not None:
            names.own[hook.pattern.actor.name] = Depends(player="me")
        control = join((self._power(power, names), self.reader.label(hook.where, names)))
        control = join((at.control, self._meant(control, [[body.statements]], names)))
        way = Way(key, tuple(names.own.items()), control, together=self._together, is_hook=True)
        if not self._is_known(way, at):
            self._visited.add(key)
            self._block(body.statements, evolve(at, names=names, control=control))
            self._is_done(way, at, hangs=True)  # to be safe

    def _meant(self, asked: Label, ways: Sequence[Sequence[syntax.Block]], names: Names) -> Label:
        """The label of a condition; secrets that a way reveals count as shown on purpose.

        A way is all the blocks that may be taken next; it reveals what each of them reveals."""
        if not asked:
            return asked
        laid = [
            each
            for way in ways
            for each in by_all([tuple(self._opening.laid(block, names)) for block in way])
        ]
        return tuple(unlaid(atom, laid) or evolve(atom, meant=True) for atom in asked)

    # ---- showing -------------------------------------------------------------------------------------

    def _private(self, e: object, at: _At, what: What) -> Depends:
        """Show an expression to the player who chooses, and give its labels."""
        read = self.reader.reads(e, at.names)
        for atom in read.all:
            self._disclose(atom, what, atom.at.span, "me", at)
        return read

    def _tells(self, label: Label, what: What, to: str, at: _At) -> None:
        """Show a label to somebody; does nothing in setup while all places follow from the rules."""
        for atom in label if not self._by_rule else ():
            self._disclose(atom, what, atom.at.span, to, at)

    def _is_seen(self) -> None:
        """Note a public event, which shows everybody that the game has not ended before."""
        for label, span, at in self._ends:
            self._known(label, at, "ended", span, EVERYBODY)
        self._ends.clear()

    def _known(self, label: Label, at: _At, what: What, span: Span, to: str) -> None:
        """Show somebody whether an event happens, which has this label."""
        for atom in label if not (self._by_rule and what == "done") else ():
            self._disclose(atom, what, span, to, at)

    def _disclose(self, atom: Atom, what: What, span: Span, to: str, at: _At) -> None:
        if to in atom.knowers or atom.is_public:
            return
        left = unlaid(atom, self._earlier.opened(at.before))
        if left is None or to in left.knowers:
            self._hangs()
            if not atom.meant:
                return  # a secret shown on purpose shows first that nothing was revealed before
        self.tell(Disclosed(atom, what, span, to, self._disclosing))
