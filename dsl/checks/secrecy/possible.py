"""Find the secrets that determine whether steps can be completed.

`if possible` and `possible(...)` disclose these secrets. The search follows calls and skips steps
that cannot fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import define, field

from rulewright.dsl.checks.secrecy.exactly import Exactly
from rulewright.dsl.checks.secrecy.labels import (
    Acting,
    Label,
    Labels,
    Names,
    join,
    player_name,
    unbind,
    unbind_value,
)
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.scopes import (
    bind,
    call_names,
    conditions,
    params_of,
    with_element,
)
from rulewright.dsl.checks.secrecy.stored import is_hidden, shows
from rulewright.dsl.immutable import evolve
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.tree import declared, syntax
from rulewright.dsl.tree.nesting import blocks_of


@define
class Possible:
    """Searches the steps of a block for all secrets that determine whether the block can be completed."""

    reader: Reader
    analysis: Analysis
    exactly: Exactly
    _inside: list[tuple[object, ...]] = field(factory=list)
    """The calls that are being searched."""
    _known: dict[object, tuple[Label, dict[str, Label]]] = field(factory=dict)
    _partly: dict[object, tuple[Label, dict[str, Label]]] = field(factory=dict)
    """The results of calls inside a cycle. They lack the labels that the call still being searched will add."""
    _cuts: int = 0
    """How often the search has reached a call that is still being searched."""
    _is_offered: bool = False
    """Whether the search is for an option. An offered option discloses which amounts can be paid
    and which things can be moved.
    """
    _is_done: bool = False
    """Whether the steps run after the test. If so, they reveal the chosen pieces."""

    def block_label(self, statements: syntax.Block, names: Names) -> Label:
        """Return the label of the test of whether consecutive steps under `if possible` can be completed."""
        return self._try_steps(lambda: self._block(statements, names), is_done=True)

    def option_label(self, arm: syntax.OptionArm | syntax.Do, names: Names) -> Label:
        """Return the label of the test of whether an option or action can be completed, and so is offered."""
        return self._try_steps(lambda: join(self._arm_labels(arm, names)), is_offered=True)

    def action_label(self, e: syntax.Possible, names: Names) -> Label:
        """Return the label of `possible(action)`."""
        call = e.action
        step = syntax.Do(e.span, (), call, effect=False, changes=())
        return self._try_steps(lambda: join(self._call_labels(step, names)))

    def _try_steps(
        self, work: Callable[[], Label], *, is_offered: bool = False, is_done: bool = False
    ) -> Label:
        """Return the label that `work` finds. The steps are only tried, so nobody sees the pieces that they move."""
        around = self.reader.trial, self._is_offered, self._is_done
        self.reader.trial = dict(self.reader.trial)
        self._is_offered, self._is_done = self._is_offered or is_offered, is_done
        found = work()
        self.reader.trial, self._is_offered, self._is_done = around
        return found

    def _block(self, statements: syntax.Block, names: Names) -> Label:
        names = names.inner()
        found: list[Label] = []
        for n, s in enumerate(statements):
            found += self._step(s, names, statements[n + 1 :])
            self._record_contents(s, names)
        return join(found)

    def _record_contents(self, s: syntax.Statement, names: Names) -> None:
        """Record that the contents of a place may include the things that a step puts there."""
        read = self.reader
        match s:
            case syntax.Surely(step=step):
                self._record_contents(step, names)
            case syntax.Move(amount=amount, source=source, target=target):
                moved = read.labels(amount if source is None else source, names).content
                self._add_contents(target, moved)
            case syntax.SetTo(place=place, value=value):
                self._add_contents(place, read.label(value, names))
            case syntax.Amount(place=place, amount=amount):
                self._add_contents(place, read.label(amount, names))
            case _:  # all others: they put nothing anywhere themselves, or need a choice
                pass

    def _add_contents(self, place: syntax.Expression, label: Label) -> None:
        part = self.reader.place_of(place)
        if part is not None and label:
            tried = self.reader.trial
            tried[part.name] = join((tried.get(part.name, ()), label))

    def _step(self, s: syntax.Statement, names: Names, rest: syntax.Block = ()) -> Iterator[Label]:
        read = self.reader
        if read.is_clear(s, names):
            return
        match s:
            case syntax.Surely(step=syntax.Choose() | syntax.Let() | syntax.Roll() as step):
                bind(step, names, read)
            case syntax.Let() | syntax.Roll():
                bind(s, names, read)
            case syntax.LetDo():
                yield from self._step(s.call, names)
                bind(s, names, read)
            case syntax.Choose():
                if self.analysis.can_fail((s,)):
                    label = self.exactly.choice_label(s, rest, names) if self._is_done else None
                    yield self._choice_label(s, names) if label is None else label
                bind(s, names, read)
            case _ if not self.analysis.can_fail((s,)):
                return
            case syntax.Needs(condition=condition):
                yield read.label(condition, names)
            case syntax.Amount(amount=amount, place=place):
                yield read.label(
                    amount, names
                )  # the player learns the amount from whether it can be paid
                if self._is_offered:
                    yield read.label(place, names)
            case syntax.Move(amount=amount, source=source, target=target):
                if self._is_offered or not self._shows_arrivals(target):
                    yield read.labels(source, names).extent
                if source is not None:
                    named = read.labels(amount, names)
                    yield named.all
                    if named.pieces and (self._is_offered or not self._shows_arrivals(target)):
                        yield read.labels(source, names).content
                yield self._room_label(target, names)
            case syntax.If(cases=cases):
                yield join(read.label(condition, names) for condition, _ in cases)
                yield from self._inner_labels(s, names)
            case syntax.Repeat(value=value):
                yield read.label(value, names)
                yield from self._inner_labels(s, names)
            case syntax.ForEach(binder=binder, where=where, body=body):
                inner, each = with_element(binder, names, read)
                yield each.extent
                asked = (read.label((where, *conditions(binder)), inner), self._block(body, inner))
                yield unbind(join(asked), (player_name(binder),))
            case syntax.EachPlayer(where=where, body=body):
                yield self._acting_label(Acting(""), where, body, names)
            case syntax.AsPlayer(player=player, body=body):
                yield self._acting_label(Acting(read.player_of(player, names)), None, body, names)
            case syntax.ChooseOf(arms=arms):
                for arm in arms:
                    yield from self._arm_labels(arm, names)
            case syntax.Do():
                yield from self._call_labels(s, names)
            case _:  # all others: only steps in their blocks can fail
                yield from self._inner_labels(s, names)

    def _inner_labels(self, s: syntax.Statement, names: Names) -> Iterator[Label]:
        for block in blocks_of(s):
            yield self._block(block, names)

    def _choice_label(self, s: syntax.Choose, names: Names) -> Label:
        """Return the label of the test of whether there is something to choose."""
        inner, source = with_element(s, names, self.reader)
        amount = s.quantity.amount if s.quantity is not None else None
        asked = self.reader.label((s.where, *conditions(s)), inner)
        asked = join((asked, self.reader.label(amount, names)))
        return join((source.extent, unbind(asked, (player_name(s),))))

    def _room_label(self, target: syntax.Expression, names: Names) -> Label:
        """Return the label of the test of whether the target has room. For a spot or row, the result
        depends on the pieces in the target.
        """
        part = self.reader.place_of(target)
        if not isinstance(part, declared.Zone) or part.type.shape not in ("spot", "row"):
            return ()
        return tuple(
            atom
            for atom in self.reader.labels(target, names).extent
            if not shows(atom.secret, "size")
        )

    def _shows_arrivals(self, target: syntax.Expression) -> bool:
        """Return whether everybody sees pieces that arrive at a place. If so, the fact that a move
        is possible reveals their number.
        """
        part = self.reader.place_of(target)
        return part is not None and not is_hidden(part)

    def _acting_label(
        self, acting: Acting, where: syntax.Expression | None, body: syntax.Block, names: Names
    ) -> Label:
        inner = names.inner(acting)
        found = join((self.reader.label(where, inner), self._block(body, inner)))
        return acting.leave(found)

    def _arm_labels(self, arm: syntax.OptionArm | syntax.Do, names: Names) -> Iterator[Label]:
        if isinstance(arm, syntax.Do):
            yield from self._step(arm, names)
            return
        inner, bound = names.inner(), tuple[str, ...]()
        if arm.binder is not None:
            inner, source = with_element(arm.binder, names, self.reader)
            yield source.extent
            bound = (player_name(arm.binder),)
        yield unbind(self.reader.label(arm.where, inner), bound)
        yield unbind(self._block(arm.body, inner), bound)

    # ---- calls ---------------------------------------------------------------------------------------

    def _call_labels(self, s: syntax.Do, names: Names) -> Iterator[Label]:
        """Yield the labels of two tests: whether open parameters have values, and whether the
        callees can be completed.
        """
        given, control = self.reader.arguments(s, names)
        yield control
        for key in self.analysis.callees(s):
            body = self.analysis.bodies.get(key)
            if body is None or self.reader.is_clear_call(key, given, names):
                continue
            is_again = any(key == one[0] for one in self._inside)
            parts = [_of_anybody(part) if is_again else part for part, _ in given]
            inner, left = call_names(body, parts, names.get("me"), names.changed_values())
            bound = tuple(player_name(param) for param in params_of(body))
            for param in left:
                source = self.reader.labels(param.source, inner)
                yield source.extent
                inner.own[param.name] = evolve(source, extent=(), player=player_name(param))
                asked = self.reader.label((param.where, *conditions(param)), inner)
                yield unbind(asked, bound)
            tried = self.reader.trial
            met = (
                key,
                tuple(inner.own.items()),
                tuple(tried.items()),
                self._is_offered,
                self._is_done,
            )
            if met in self._inside:
                self._cuts += 1
                continue
            self._cuts += met in self._partly
            known = self._known.get(met) or self._partly.get(met)
            if known is None:
                cuts = self._cuts
                self._inside.append(met)
                found = unbind(self._block(body.statements, inner), bound)
                self._inside.pop()
                known = found, dict(tried)
                is_whole = self._cuts == cuts or not self._inside
                (self._known if is_whole else self._partly)[met] = known
                if not self._inside:
                    self._partly.clear()
            tried.update(known[1])
            yield known[0]


def _of_anybody(part: Labels) -> Labels:
    """Return the labels of an argument of a recursive call. Names of players are removed, so that
    the number of different labels is finite.
    """
    players = (name for atom in (*part.all, *part.shown) for name in (atom.whose, *atom.knowers))
    return unbind_value(part, frozenset(name.lstrip("!^") for name in (part.player, *players)))
