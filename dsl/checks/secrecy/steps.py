"""Visit the steps of rules, compute their labels, and find steps that show a secret to players who must not know it.

A step inherits the labels of the choices, conditions and loops around it, and a body inherits the
labels of its arguments. Conditions may read a secret that one of their branches reveals, because a
player who shows a card does so on purpose. See `reading`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from attrs import define, field

from rulewright.dsl.checks.checked import Compiled
from rulewright.dsl.checks.secrecy.changing import Changed, Changing
from rulewright.dsl.checks.secrecy.exactly import Exactly
from rulewright.dsl.checks.secrecy.labels import (
    ANYBODY,
    CHANGED,
    EVERYBODY,
    PUBLIC,
    Acting,
    Atom,
    CallKey,
    Label,
    Labels,
    Names,
    Placed,
    computed_from,
    either,
    join,
    longest_common,
    mark_deciding,
    player_name,
    select,
    unbind,
    unbind_value,
)
from rulewright.dsl.checks.secrecy.opening import Opening, still_secret
from rulewright.dsl.checks.secrecy.possible import Possible
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.revealed import Before, Earlier
from rulewright.dsl.checks.secrecy.scopes import (
    bind,
    call_names,
    choice_labels,
    conditions,
    params_of,
    result_of,
    with_element,
)
from rulewright.dsl.checks.secrecy.shapes import (
    is_call_of,
    is_offered,
    name_of,
    player_names_in,
    shape,
    steps_if_offered,
    steps_of_offers,
)
from rulewright.dsl.checks.secrecy.showing import GIVEN, At, Disclosed, Showing
from rulewright.dsl.checks.secrecy.sight import Sight
from rulewright.dsl.checks.secrecy.ways import Way, Ways
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.lowering.analysis.effects import effect, is_decision
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of, call_name, every


@frozen
class Elsewhere:
    """Facts about all rules; the results for each body depend on these facts.

    The callers of a body are compared with their calls. But these facts come from bodies that the callers do not call.
    """

    seen: frozenset[str]
    """The hidden zones whose pieces may be known to players who do not see the zone."""
    triggered: tuple[Changed, ...]
    """The changes that each trigger makes after a step that starts the trigger."""


@define
class Steps:
    """Visits all bodies of a program."""

    compiled: Compiled
    reader: Reader
    report: Callable[[Disclosed], None]
    ways: Ways = field(init=False)
    shown: Showing = field(init=False)
    _reporting: frozenset[str] | None = None
    """The parts that may show more than in every similar configuration; None means all parts."""
    _visited: set[str] = field(factory=set)
    _stops: list[tuple[bool, Label]] = field(factory=list)
    """For each step that may end the loop or an iteration, whether it ends the loop, and the label
    of reaching this step.
    """
    _offered: set[int] = field(factory=set)
    _possible: Possible = field(init=False)
    _opening: Opening = field(init=False)
    _exactly: Exactly = field(init=False)
    _changing: Changing = field(init=False)
    _earlier: Earlier = field(init=False)

    def __attrs_post_init__(self) -> None:
        analysis = self.compiled.analysis
        self._changing = Changing(self.reader, analysis, self.compiled.memo)
        self._opening = Opening(self.reader, analysis, self._changing)
        self._earlier = Earlier(self.reader, self._opening, self._changing)
        self._exactly = Exactly(self.reader, self._opening)
        self._possible = Possible(self.reader, self.compiled.analysis, self._exactly)
        self.reader.possible = self._possible.action_label
        self.ways = Ways(self._earlier)
        sight = Sight(self.reader, analysis, self.compiled.memo)
        self.shown = Showing(self.reader, self._earlier, self.ways, sight, self.report)
        self.reader.eliminates = analysis.eliminates

    def visit_all(self) -> None:
        """Visit all reachable bodies, from the beginning of the game."""
        safe, elsewhere = self.compiled.safe, self._elsewhere()
        similar = [each for each in self.compiled.similar if elsewhere in each[0]]
        if similar:
            self._reporting = frozenset.intersection(*(frozenset(parts) for _, parts in similar))
        for ways, unlike in similar:
            for way, found in ways.items():
                if isinstance(way, (Way, CallKey)) and way.key not in unlike:
                    safe[way] = found
        self.ways.import_results(safe)
        self._opening.import_results(safe)
        kept: dict[str, Label] | None = None
        while kept != self.reader.contents:
            kept = dict(self.reader.contents)
            if kept:
                self.ways.forget()
            self.reader.forget_values()
            self.shown.rolls.clear()
            self._visit_once()
        self.shown.by_rule = False
        self.shown.show_rolls()
        if kept:
            return  # the results do not depend only on which bodies are called
        safe[elsewhere] = ()
        self.ways.export_results(safe)
        self._opening.export_results(safe)

    def is_reporting(self, key: str) -> bool:
        """Return whether a part may reveal something that it does not reveal in any similar configuration."""
        return self._reporting is None or key in self._reporting

    def _elsewhere(self) -> Elsewhere:
        a = self.compiled.analysis
        triggers = (key for key in a.bodies if key.startswith(("trigger", "mover")))
        changed = tuple(map(self._changing.of_body, triggers))
        return Elsewhere(self.shown.sight.seen_zones(), changed)

    def _visit_once(self) -> None:
        # A body that is the same in another configuration reveals nothing new. A body that calls a
        # changed body does not count as equal.
        bodies, is_new = self.compiled.analysis.bodies, self.is_reporting
        touching = self.reader.touching.bodies
        for body in bodies.values():
            if body.reached:
                find = steps_if_offered if is_offered(body) else steps_of_offers
                self._offered |= self.compiled.memo.of(find, body.node)
        for start in ("setup", "play"):
            self.shown.by_rule = start == "setup"
            for key, body in bodies.items():
                if body.reached and key.startswith(start) and is_new(key):
                    self._visit_block(body.statements, At(Names()))
        self._visit_triggers()
        for n, (anytime, _) in enumerate(self.compiled.analysis.anytimes):
            if not is_new(f"anytime {n}"):
                continue
            at = At(self._names_of_me())
            self.shown.step = anytime.span
            self.shown.show_chooser(anytime.where, at, "condition")
        for key, body in bodies.items():
            is_left = key in touching and is_new(key) and body.reached and key not in self._visited
            if is_left and key.startswith(("rule", "effect")):
                self._visit_body(key, (), At(self._names_of_me()))

    def _names_of_me(self) -> Names:
        return Names({"me": Labels(player="me")})

    def _visit_triggers(self) -> None:
        """Visit the triggers, which watch numbers, conditions and places."""
        a = self.compiled.analysis
        for n, (watcher, power, _) in enumerate(a.watchers):
            if not self.is_reporting(f"trigger {n}"):
                continue
            names = self._names_of_me()
            control = [self._power_label(power, names)]
            if watcher.binder is not None:
                names, source = with_element(watcher.binder, names, self.reader)
                control.append(source.extent)
            # The trigger compares with the earlier contents, and reading the place later does not
            # disclose these.
            compared = self.reader.label(watcher.condition, names)
            compared = tuple(evolve(atom, past=True) for atom in compared)
            if watcher.change is not None:
                names.own[watcher.change.name] = computed_from(compared)
            self._visit_trigger(f"trigger {n}", names, join((*control, compared)))
        for n, (trigger, power) in enumerate(a.move_triggers):
            if not self.is_reporting(f"mover {n}"):
                continue
            names = self._names_of_me()
            held = self.reader.labels(trigger.place, names)
            steps = a.bodies[f"mover {n}"].statements
            names.own[trigger.name.name] = self._opening.after_moves(evolve(held, extent=()), steps)
            control = [
                self._power_label(power, names),
                held.extent,
                self.reader.label(trigger.where, names),
            ]
            self._visit_trigger(f"mover {n}", names, join(control))

    def _power_label(self, power: declared.Power | None, names: Names) -> Label:
        """Return the label of the test for a power."""
        if power is None:
            return ()
        place = self.reader.labels(power.place, names)
        if power.type is not None:
            names.own[power.name] = evolve(place, extent=())
        return join((place.all, self.reader.label(power.where, names)))

    def _visit_trigger(self, key: str, names: Names, control: Label) -> None:
        body = self.compiled.analysis.bodies[key]
        self._visited.add(key)
        control = self._opening.mark_revealed(control, [[body.statements]], names)
        self._visit_block(body.statements, At(names, control))

    # ---- bodies --------------------------------------------------------------------------------------

    def _visit_body(self, key: str, given: Sequence[tuple[Labels, Span | None]], at: At) -> None:
        """Visit a called rule or effect, once for each way to call it."""
        body = self.compiled.analysis.bodies.get(key)
        if body is None:
            return
        params = params_of(body)
        gone = self._names_made(body.statements) | {player_name(param) for param in params}
        before = Before(at.before, at.names, gone=gone)
        at = evolve(at, control=unbind(at.control, gone), before=before)
        parts = [unbind_value(part, gone) for part, _ in given]
        names, left = call_names(body, parts, at.names.get("me"), at.names.changed_values())
        inner = evolve(at, names=names, offered=tuple(param.name for param in left))
        for param in params:
            names.own.setdefault(param.name, evolve(PUBLIC, player=player_name(param)))
        for param, span in zip(params, [span for _, span in given if span], strict=False):
            part = names.own[param.name].with_step(span, f"{GIVEN} `{param.name}`")
            alias = "" if part.player == ANYBODY else part.player
            kept = self._opening.after_reveals(param.name, part, body.statements, names)
            names.own[param.name] = evolve(kept, player=alias or player_name(param))
        self._visited.add(key)
        way = Way(
            key,
            tuple(names.own.items()),
            at.control,
            at.asker,
            self.shown.by_rule,
            self.shown.together,
        )
        if self.ways.is_known(way, at.before):
            if self.shown.ends and self.reader.touching.is_body_seen(key):
                self.shown.record_public_event()
            return
        self.ways.begin()
        for param in left:
            self._visit_parameter(param, body, inner)
        if isinstance(body.node, declared.Rule):
            self.shown.show_words(body.node.named, inner, inner.offered)
        self._visit_block(body.statements, inner)
        self.ways.end(way, at.before)

    def _names_made(self, statements: syntax.Block) -> frozenset[str]:
        """Return the unique names that these steps declare for players."""
        return self.compiled.memo.of(player_names_in, statements)

    def _visit_parameter(self, param: declared.Param, body: Body, at: At) -> None:
        """Visit a parameter that the player chooses."""
        source = self.shown.show_chooser(param.source, at, "options")
        at.names.own[param.name] = choice_labels(source, player_name(param))
        self.shown.show_chooser((param.where, *conditions(param)), at, "condition")
        self.shown.show_chooser(param.reason, at, "reason")
        at.names.own[param.name] = self._opening.after_reveals(
            param.name, choice_labels(source, player_name(param)), body.statements, at.names
        )

    # ---- steps ---------------------------------------------------------------------------------------

    def _visit_block(self, statements: syntax.Block, at: At) -> None:
        names = at.names.inner()
        at = evolve(at, names=names)
        for n, s in enumerate(statements):
            self._visit_step(s, statements[n + 1 :], at)
            at = self._after_step(s, at, Before(at.before, names, s))

    def _after_step(self, s: syntax.Statement, at: At, before: Before) -> At:
        """Return the point after a step. There, the labels of places are marked as past if nobody
        sees how the step changes them.
        """
        control = at.control
        if (control or at.names.is_labelled) and not self.shown.by_rule:
            lost = self._changing.of(s).losses
            control = self._mark_past(control, lost, at)
            if lost:
                at.names.map_labels(lambda label: self._mark_past(label, lost, at))
        return evolve(at, control=control, before=before)

    def _mark_past(self, label: Label, lost: frozenset[str], at: At) -> Label:
        """Return the label with the atoms read from `lost` places marked as past: the places hide them now."""
        if not any(atom.name in lost and not atom.past for atom in label):
            return label
        opened = self._earlier.reveals_before(at.before)
        found: list[Atom] = []
        for atom in label:
            if atom.name not in lost or atom.past:
                found.append(atom)
                continue
            left = still_secret(atom, opened)
            if left is not atom:
                self.ways.note_earlier()
            if left is not None:
                found.append(evolve(left, past=True))
        return tuple(found)

    def _visit_step(self, s: syntax.Statement, rest: syntax.Block, at: At) -> None:
        if not (at.control or self.shown.by_rule or self.shown.ends) and self.reader.is_clear(
            s, at.names
        ):
            return
        around, self.shown.step = self.shown.step, s.span
        self._visit_kind(s, rest, at)
        self.shown.step = around

    def _visit_kind(self, s: syntax.Statement, rest: syntax.Block, at: At) -> None:
        read, shown, names = self.reader, self.shown, at.names
        if shown.by_rule and self._is_later(s):
            shown.by_rule = False
        match s:
            case syntax.Surely(step=step):
                self._visit_step(step, rest, at)
            case syntax.Let(name=name, name_span=span, value=value):
                part = read.lasting_labels(read.labels(value, names))
                alias = read.lasting_player(value, names) or player_name(s)
                part = evolve(part.with_step(span, f"put into `{name}`", s), player=alias)
                names.own[name] = self._opening.after_reveals(name, part, rest, names)
            case syntax.LetDo(call=call):
                self._visit_step(call, (), at)
                bind(s, names, read)
            case syntax.Give():
                node = self.compiled.analysis.declaration_of(s)
                rule = node.pattern if isinstance(node, declared.OnAction) else node
                if isinstance(rule, declared.Rule | declared.Pattern):
                    shown.record_result(s.value, result_of(rule.name), at)
            case syntax.SetTo(place=place, value=value):
                shown.show_change(place, (value,), s.span, at)
            case syntax.Amount(place=place, amount=amount):
                if s.verb == "pay" and id(s) in self._offered:
                    shown.show_chooser(place, at, "possible")
                shown.show_change(place, (amount,), s.span, at)
            case syntax.Shuffle(place=place):
                shown.show_order(place, (), s.span, at)
                shown.by_rule = False
            case syntax.Sort():
                shown.show_sort(s, at)
            case syntax.Reverse(place=place):
                shown.show_order(place, (), s.span, at)
            case syntax.Roll(place=place):
                if isinstance(place, syntax.Word) and place.name not in read.model.states:
                    part = shown.record_roll(s, place, at)
                    names.own[place.name] = self._opening.after_reveals(
                        place.name, part, rest, names
                    )
                else:
                    shown.by_rule = False
                    shown.show_change(place, (s.source, s.count), s.span, at)
            case syntax.Move():
                shown.show_move(s, at)
                self._record_known_place(s, rest, at)
            case syntax.Choose(name=name):
                part = choice_labels(shown.show_choice(s, at), player_name(s))
                names.own[name] = self._opening.after_reveals(name, part, rest, names)
            case syntax.ChooseOf(arms=arms):
                shown.show_options(s, at)
                for arm in arms:
                    if isinstance(arm, syntax.Do):
                        self._visit_step(arm, (), at)
                    else:
                        self._visit_arm(arm, at)
                    self._disclose_possible(arm, at)
            case syntax.May(text=text, body=body):
                shown.show_decider(s.span, at)
                shown.show_words(text, at)
                self._visit_block(body, evolve(at, asker=True))
                if text is not None:
                    arm = syntax.OptionArm(s.span, (), text, None, None, body)
                    self._disclose_possible(arm, at)
                else:
                    for step in body:
                        if isinstance(step, syntax.Do):
                            self._disclose_possible(step, at)
            case syntax.Needs():
                shown.show_condition(s, at, is_offered=id(s) in self._offered and at.asker)
            case syntax.Say(text=text):
                shown.show_words(text, at, at.offered)
            case syntax.Log():
                shown.show_log(s, at)
            case syntax.Show():
                shown.show_pieces(s, at)
            case syntax.Phase(body=body):
                shown.show_phase(s, at)
                self._visit_block(body, at)
            case syntax.Eliminate():
                shown.show_elimination(s, at)
            case syntax.Win(player=player):
                shown.record_contents("winners", join((read.label(player, names), at.control)))
            case syntax.Do():
                self._visit_do(s, at)
            case syntax.If(cases=cases):
                blocks, labels = blocks_of(s), list[Label]()
                for n, (condition, body) in enumerate(cases):
                    ways = [body], blocks[n + 1 :]
                    label = self._condition_label(condition, ways, names)
                    labels.append(
                        self._opening.mark_revealed(read.lasting_label(label), ways, names)
                    )
                self._visit_branches(join(labels), blocks, at)
            case syntax.IfPossible(body=body):
                blocks = blocks_of(s)
                asked = read.lasting_label(self._possible.block_label(body, names))
                self._visit_branches(
                    self._opening.mark_revealed(asked, [[each] for each in blocks], names),
                    blocks,
                    at,
                )
            case syntax.Keep(name=name):
                position = read.model.positions[name]
                if not read.label(position.parts, Names()):
                    shown.disclose_event(at.control, at, "done", s.span, EVERYBODY)
            case syntax.Repeat(value=value, body=body):
                self._visit_loop(body, lambda: mark_deciding(read.label(value, names), value), at)
            case syntax.ForEach():
                self._visit_for_each(s, at)
            case syntax.EachPlayer(start=start, where=where, body=body):
                acting = Acting("")
                inner = names.inner(acting)
                first = acting.enter(read.label(start, names))
                control = join((first, mark_deciding(read.label(where, inner), where)))
                around, shown.together = shown.together, shown.together or s.together
                self._visit_acting(body, acting, inner, control, at)
                shown.together = around
            case syntax.AsPlayer(player=player, body=body):
                acting = Acting(read.player_of(player, names))
                inner = names.inner(acting)
                self._visit_acting(body, acting, inner, acting.enter(read.label(player, names)), at)
            case syntax.Simple(word=word):
                if word != "end game":
                    ends = tuple(evolve(atom, of="") for atom in at.control)
                    self._stops.append((word == "stop", ends))
                elif at.control and all(s.span != span for _, span, _ in shown.ends):
                    shown.ends.append((at.control, s.span, at))
            case syntax.AtOnce(body=body):
                self._visit_block(body, at)
            case syntax.Limit(count=count):
                if id(s) in self._offered and at.asker:
                    shown.show_chooser(count, at, "condition")
            case syntax.Broken():
                pass
            case _:
                assert_never(s)

    def _record_known_place(self, s: syntax.Move, rest: syntax.Block, at: At) -> None:
        """Unless later steps of the block may move pieces out of sight, record that everybody knows
        the place of a named piece.
        """
        match s.amount:
            case syntax.Word(name=name) if s.source is None and name in at.names.own:
                is_seen = not at.control and not self.reader.address(s.target, at.names)
                is_seen &= self.reader.shows_slots(s.target)
                if is_seen and self._changing.gains(rest).isdisjoint(self.reader.zones):
                    is_open = self.reader.hidden_place(s.target, at.names) is None
                    placed = Placed.OPEN if is_open else Placed.KNOWN
                    at.names.own[name] = evolve(at.names.own[name], placed=placed)
            case _:  # all others: the pieces have no name
                pass

    def _condition_label(
        self,
        e: syntax.Expression,
        ways: tuple[Sequence[syntax.Block], Sequence[syntax.Block]],
        names: Names,
    ) -> Label:
        """Return the label of a condition that selects one of two branches."""
        body = ways[0][0]
        match e:
            case syntax.Possible(action=action) if body and is_call_of(body[0], action):
                return self._possible.block_label(body[:1], names)
            case _:
                return mark_deciding(self._exactly.condition_label(e, ways, names), e)

    def _is_later(self, s: syntax.Statement) -> bool:
        """Return whether an iteration of a loop may shuffle, draw, or ask a player to decide before
        the next one starts.
        """
        if not isinstance(s, syntax.Repeat | syntax.ForEach | syntax.EachPlayer):
            return False
        return any(
            effect(each).draws
            or is_decision(each)
            or (isinstance(each, syntax.Do) and self.compiled.analysis.suspends((each,)))
            for each in every(s.body)
        )

    def _visit_acting(
        self, body: syntax.Block, acting: Acting, inner: Names, control: Label, at: At
    ) -> None:
        """Visit a block in which another player acts."""
        control = self._opening.mark_revealed(control, [[body]], inner)
        around = join((acting.enter(at.control), control))
        before = Before(at.before, at.names, acting=acting)
        inside = evolve(at, names=inner, control=around, asker=False, before=before, others=())
        if acting.player:
            stops, self._stops = self._stops, []
            self._visit_block(body, inside)
            left = [(is_end, acting.leave(label)) for is_end, label in self._stops]
            self._stops = [*stops, *left]
        else:
            self._visit_loop(body, lambda: (), inside, is_turn=True)

    def _visit_loop(
        self,
        body: syntax.Block,
        control: Callable[[], Label],
        at: At,
        player: str = "",
        *,
        is_turn: bool = False,
    ) -> None:
        """Visit a block that may run again. Repeat the visit until the labels at the beginning of
        the block no longer change.

        These labels include those of the values that the block changes and of the steps that end
        it. If `is_turn` is true, `me` is a different player in each iteration.
        """
        stops, self._stops = self._stops, []
        gone = self._names_made(body) | {player}
        again = Before(at.before, at.names, again=body, gone=gone)
        at = evolve(at, control=unbind(at.control, gone), before=again)
        while True:
            before = self._loop_key(at.names)
            ends = (
                unbind(label, ("me",)) if is_end and is_turn else label
                for is_end, label in self._stops
            )
            around = self._opening.mark_revealed(join((control(), *ends)), [[body]], at.names)
            around = unbind(self.reader.lasting_label(around), gone)
            around_it = at.names.around if player else at.names
            if around_it is not None:
                around_it.forget(gone)
            self._visit_block(body, evolve(at, control=join((at.control, around))))
            if before == self._loop_key(at.names):
                break
        self._stops = stops

    def _loop_key(self, names: Names) -> object:
        """Return a key for the facts with which the next iteration of a loop starts, such as the
        labels of local names.
        """
        stops = frozenset(self._stops)
        found: list[object] = [frozenset(self.reader.contents.items()), len(self.shown.ends), stops]
        at: Names | None = names
        while at is not None:
            found += [(name, frozenset(part.all), part.player) for name, part in at.own.items()]
            at = at.around
        return tuple(found)

    def _visit_for_each(self, s: syntax.ForEach, at: At) -> None:
        names, source = with_element(s.binder, at.names, self.reader)
        each = names.own[s.binder.name]
        stretch = self.reader.label((s.binder.start, *conditions(s.binder)), names)
        each = names.own[s.binder.name] = self._opening.after_reveals(
            s.binder.name, each, s.body, names
        )
        where = self._element_label(self.reader.label(s.where, names), s, names)
        asked = join((stretch, mark_deciding(where, s.where)))
        number = source.extent
        if each.shown:  # all players see each piece, and therefore the number of pieces
            number = tuple(atom for atom in number if atom not in source.lies)
        control = join((number, asked))
        if s.any_order:
            self.shown.show_chooser(s.binder.source, at, "options")
            around = self._opening.mark_revealed(control, [[s.body]], names)
            self.shown.show_decider(s.span, evolve(at, control=join((at.control, around))))
        others = self.reader.all_but(s.binder, s.where, names)
        if others:
            at = evolve(at, others=(*at.others, (player_name(s.binder), others)))
        self._visit_loop(s.body, lambda: control, evolve(at, names=names), player_name(s.binder))

    def _element_label(self, where: Label, s: syntax.ForEach, names: Names) -> Label:
        """Return the label of the condition of a loop. Secrets that are read only from the loop's
        element are recorded under the element's name.
        """
        others = self._exactly.of_element(s.binder, (s.where,), names) if where else ()
        name = player_name(s.binder)
        return tuple(atom if atom in others else evolve(atom, of=name) for atom in where)

    def _visit_branches(self, asked: Label, blocks: Sequence[syntax.Block], at: At) -> None:
        """Visit blocks of which exactly one runs. The condition with the label `asked` selects the block."""
        if not asked:
            for block in blocks:
                self._visit_block(block, at)
            return
        alike = longest_common([[shape(s) for s in block] for block in blocks])
        inside = evolve(at, control=join((at.control, asked)))
        for block in blocks:
            names, left = at.names.inner(), list(alike)
            always, here = evolve(at, names=names), evolve(inside, names=names)
            for n, s in enumerate(block):
                is_alike = bool(left) and left[0] == shape(s)
                if is_alike:
                    del left[0]
                    if isinstance(s, syntax.Choose | syntax.Surely):
                        self.shown.disclose_event(asked, at, "options", s.span, "me")
                self._visit_step(s, block[n + 1 :], always if is_alike else here)
                before = Before(here.before, names, s)
                always, here = (self._after_step(s, each, before) for each in (always, here))
                name = name_of(s)
                if name and not is_alike:
                    names.own[name] = select(names.own.get(name, PUBLIC), asked)

    # ---- choices -------------------------------------------------------------------------------------

    def _visit_arm(self, arm: syntax.OptionArm, at: At) -> None:
        inner = self.shown.show_arm(arm, at)
        names = inner.names
        if arm.binder is not None:
            name = arm.binder.name
            part = choice_labels(names.own[name], player_name(arm.binder))
            names.own[name] = self._opening.after_reveals(name, part, arm.body, names)
        self._visit_block(arm.body, evolve(inner, asker=True))

    def _disclose_possible(self, arm: syntax.OptionArm | syntax.Do, at: At) -> None:
        """Record what a player learns from an offered option: whether the steps of the option can be completed."""
        for atom in self._possible.option_label(arm, at.names):
            self.shown.disclose(atom, "possible", atom.at.span, "me", at)

    # ---- calls ---------------------------------------------------------------------------------------

    def _visit_do(self, s: syntax.Do, at: At) -> None:
        analysis = self.compiled.analysis
        given, control = self.reader.arguments(s, at.names)
        control = self._opening.mark_revealed(control, [[(s,)]], at.names)
        at = evolve(at, control=join((at.control, control)), names=self._names_in_call(s, at.names))
        self.shown.show_chooser(s.prompt, at, "words")
        if analysis.open_parameters(s):
            self.shown.show_decider(s.span, at)
        if analysis.is_action(s):
            at = evolve(at, asker=True)
        passes = not (at.control or self.shown.by_rule or self.shown.ends)
        for key in analysis.callees(s):
            if passes and self.reader.is_clear_call(key, given, at.names):
                continue
            self._visit_body(key, given, at)
            name = key.removeprefix("rule ")
            for n, (hook, power) in enumerate(analysis.hooks.get(name, ())):
                self._visit_hook(f"hook {name} {n}", hook, power, given, at)

    def _names_in_call(self, s: syntax.Do, names: Names) -> Names:
        """Return the names for a call. If the call changes a value while it runs, the name of the
        value has the label of the change.
        """
        inner = names.inner()
        for each in s.changes:
            name = f"{CHANGED}{call_name(each.value)}"
            amounts = self.reader.label(tuple(one.amount for one in each.changes), names)
            changed = Labels(amounts, amounts).with_step(each.value.span, "changed for this call")
            inner.own[name] = either((inner.get(name) or PUBLIC, changed))
        return inner

    def _visit_hook(
        self,
        key: str,
        hook: declared.OnAction,
        power: declared.Power | None,
        given: Sequence[tuple[Labels, Span | None]],
        at: At,
    ) -> None:
        """Visit the steps that run before, after or instead of a called rule."""
        body = self.compiled.analysis.bodies[key]
        names = Names(
            {"me": at.names.get("me") or Labels(player="me"), **at.names.changed_values()}
        )
        for param, (part, _) in zip(hook.pattern.params, given, strict=False):
            names.own[param.name] = part
        if hook.pattern.actor is not None:
            names.own[hook.pattern.actor.name] = Labels(player="me")
        control = join((self._power_label(power, names), self.reader.label(hook.where, names)))
        control = join(
            (at.control, self._opening.mark_revealed(control, [[body.statements]], names))
        )
        way = Way(
            key, tuple(names.own.items()), control, together=self.shown.together, is_hook=True
        )
        if not self.ways.is_known(way, at.before):
            self._visited.add(key)
            self.ways.begin()
            self._visit_block(body.statements, evolve(at, names=names, control=control))
            self.ways.end(way, at.before, is_earlier=True)  # a conservative assumption
