"""Find the secrets that steps, including their calls, always reveal by showing or moving pieces.

Steps in an option or under a condition may be skipped, so they do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from attrs import define, field

from rulewright.dsl.checks.secrecy.changing import Changing
from rulewright.dsl.checks.secrecy.labels import (
    ANYBODY,
    EACH_OF,
    EVERYBODY,
    Acting,
    Atom,
    CallKey,
    Label,
    Labels,
    Named,
    Names,
    Placed,
    each_of,
    player_name,
)
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.scopes import bind, call_names, choice_labels, with_element
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, every

ALL_PLAYERS: Final = f"{EACH_OF}players"


@frozen
class Reveal:
    """A reveal: `to` sees everything in a zone or state, or sees the piece of a followed name."""

    name: str
    whose: str
    to: str
    places: frozenset[str] = frozenset()
    """The places whose contents reveal a followed piece, unless the piece has left these places."""

    def covers(self, other: Reveal) -> bool:
        """Return whether this reveal includes another reveal."""
        is_same = self.name == other.name and self.whose in (other.whose, ALL_PLAYERS)
        return is_same and self.to in (other.to, EVERYBODY) and self.places <= other.places

    def is_of(self, atom: Atom) -> bool:
        """Return whether this reveal includes the secret of an atom."""
        is_whose = self.whose == ALL_PLAYERS or self.whose == atom.whose != ANYBODY
        return self.name == atom.name and is_whose and not atom.past


@define
class Opening:
    """Searches steps for the secrets that they reveal."""

    reader: Reader
    analysis: Analysis
    changing: Changing
    _inside: list[str] = field(factory=list)
    known: dict[CallKey, tuple[Reveal, ...]] = field(factory=dict)
    """Maps each call to the secrets that it reveals, whoever the caller is."""
    _by_calls: dict[CallKey, tuple[Reveal, ...]] = field(factory=dict)
    """The same for calls that reach a body that is still being searched."""
    _followed: tuple[Atom, Label] | None = None
    """The marker of a followed name, paired with the label of the place from which the name's piece comes."""
    cuts: int = 0
    """How often the search has reached a body that is still being searched, or has used a result
    that depends on this.
    """

    def after_reveals(self, name: str, part: Labels, rest: syntax.Block, names: Names) -> Labels:
        """Return the labels of a named value. Players to whom later steps reveal the piece may know its place."""
        part = self.reader.lasting_labels(part)
        part = self.after_moves(part, rest)
        if not part.pieces or not part.content or not part.lies:
            return part
        first = part.lies[0]
        marker = Atom(f"@{name}", "", frozenset(), first.secret, first.place, first.at)
        inner = names.inner()
        inner.own[name] = Labels((marker,), (), pieces=True)
        to = self.readers_of(marker, part.lies, rest, inner)
        if EVERYBODY in to:
            # Everybody sees the piece, but not the other secrets that determined the selection.
            left = tuple(atom for atom in part.extent if atom not in part.lies)
            return evolve(part, content=part.selected_by, extent=left, shown=part.content)
        if not to:
            return part
        lies = {atom: evolve(atom, knowers=atom.knowers | to) for atom in part.lies}
        content = tuple(lies.get(atom, atom) for atom in part.content)
        return evolve(part, content=content, lies=tuple(lies.values()))

    def after_moves(self, part: Labels, rest: syntax.Block) -> Labels:
        """Return the labels of a named value. Its place does not stay known if later steps move pieces unseen."""
        if part.placed and not self.changing.gains(rest).isdisjoint(self.reader.zones):
            return evolve(part, placed=Placed.UNSEEN)
        return part

    def readers_of(
        self, marker: Atom, content: Label, statements: syntax.Block, names: Names
    ) -> set[str]:
        """Return the players to whom steps reveal a named piece, either by its name or together
        with the whole place from which it comes.
        """
        with self._following(marker, content):
            return {
                reveal.to
                for reveal in self.reveals(statements, names)
                if reveal.name == marker.name
            }

    def import_results(self, safe: Mapping[object, object]) -> None:
        """Import the reveals that another configuration has exported for calls."""
        self.known.update(
            {key: reveals for key, reveals in safe.items() if isinstance(key, CallKey)}  # type: ignore[misc]  # as `export_results` stores them
        )

    def export_results(self, safe: dict[object, object]) -> None:
        """Export the reveals of calls, for other variants."""
        for key, reveals in self.known.items():
            safe[key] = reveals

    @contextmanager
    def _following(self, marker: Atom, content: Label) -> Iterator[None]:
        around, self._followed = self._followed, (marker, content)
        yield
        self._followed = around

    def mark_revealed(
        self, asked: Label, ways: Sequence[Sequence[syntax.Block]], names: Names
    ) -> Label:
        """Return the label of a condition. Secrets revealed by the condition's blocks count as shown on purpose.

        Each of `ways` contains all blocks that may run after one result of the condition. Each of
        `ways` reveals only the secrets that all of its blocks reveal.
        """
        if not asked:
            return asked
        revealed = [
            each
            for way in ways
            for each in common([tuple(self.reveals(block, names)) for block in way])
        ]
        return tuple(still_secret(atom, revealed) or evolve(atom, openly=True) for atom in asked)

    def reveals(self, statements: syntax.Block, names: Names) -> Iterator[Reveal]:
        """Yield the secrets that these steps, including their calls, always reveal."""
        names = names.inner()
        for n, s in enumerate(statements):
            if not self.reader.is_clear(s, names):
                yield from self._lasting_reveals(self._step_reveals(s, names), statements[:n])
            if _may_leave(s):
                return
            for name in self.changing.memo.of(_names_set, s):
                if names.get(name) is not None:
                    names.own[name] = Labels(player=ANYBODY)

    def _lasting_reveals(self, found: Iterable[Reveal], before: syntax.Block) -> Iterator[Reveal]:
        """Keep only the reveals of places from which the earlier steps `before` take nothing unseen."""
        for reveal in found:
            if self.changing.losses(before).isdisjoint((reveal.name, *reveal.places)):
                yield reveal

    def _step_reveals(self, s: syntax.Statement, names: Names) -> Iterator[Reveal]:
        read = self.reader
        match s:
            case syntax.Surely(step=step):
                yield from self._step_reveals(step, names)
            case syntax.Let() | syntax.Choose() | syntax.Roll():
                bind(s, names, read)
            case syntax.LetDo():
                yield from self._call_reveals(s.call, names)
                bind(s, names, read)
            case syntax.Move() if read.lowest_value(s.amount) < 1:
                return
            case syntax.Move(source=source, target=target, amount=amount):
                moved = amount if s.how != "all" else amount or source
                yield from self._target_reveals(moved, target, names)
            case syntax.Show(what=what, to=to):
                audience = read.audience(to, names)
                if isinstance(to, Named) or audience != EVERYBODY:
                    yield from self._place_reveals(what, audience, names)
            case syntax.SetTo(place=place, value=value):
                yield from self._target_reveals(value, place, names)
            case syntax.Do():
                yield from self._call_reveals(s, names)
            case syntax.EachPlayer(body=body):
                yield from self._each_player_reveals(s, names)
            case syntax.AsPlayer(player=player, body=body):
                yield from self._acting_reveals(body, Acting(read.player_of(player, names)), names)
            case syntax.ForEach(binder=binder, body=body):
                inner, each = with_element(binder, names, read)
                if s.where is not None:
                    each = inner.own[binder.name] = choice_labels(each, player_name(binder))
                yield from self._loop_reveals(s, each, inner)
                for reveal in self._lasting_reveals(
                    self.reveals(body, inner), body
                ):  # an earlier iteration may have run
                    if reveal.whose == player_name(binder):
                        yield evolve(
                            reveal, whose=ANYBODY if s.where is not None else each_of(binder)
                        )
                    elif self._is_whole(s, names) and any(map(reveal.is_of, each.content)):
                        yield reveal
            case syntax.Repeat(how=how, value=value, body=body):
                if how == "forever" or (how == "times" and read.lowest_value(value) > 0):
                    yield from self.reveals(body, names)
            case syntax.ChooseOf(arms=arms):
                found = [self._arm_reveals(arm, names) for arm in arms]
                if s.all_of:
                    yield from (reveal for each in found for reveal in each)
                elif read.is_some(s.quantity):
                    yield from common(found)
            case syntax.May():
                return
            case syntax.If():
                yield from common(self._case_reveals(s, names))
            case syntax.IfPossible():
                yield from common([tuple(self.reveals(block, names)) for block in blocks_of(s)])
            case syntax.AtOnce() | syntax.Phase():
                yield from self.reveals(s.body, names)
            case _:  # all others: they reveal no whole place and no piece
                return

    def _loop_reveals(self, s: syntax.ForEach, each: Labels, names: Names) -> Iterator[Reveal]:
        """Yield the places that a loop reveals because it reveals each piece in them."""
        name = s.binder.name
        if not each.lies or not self._is_whole(s, names):
            return
        marker = evolve(each.lies[0], name=f"@{name}", whose="", knowers=frozenset())
        inner = names.inner()
        inner.own[name] = Labels((marker,), (), pieces=True)
        for to in self.readers_of(marker, each.lies, s.body, inner):
            yield from (Reveal(atom.name, atom.whose, to) for atom in each.lies)

    def _is_whole(self, s: syntax.ForEach, names: Names) -> bool:
        """Return whether a loop visits all pieces of a hidden place. The body of such a loop runs
        for every piece that is there.
        """
        is_all = s.where is None and s.binder.stretch is None
        return is_all and self.reader.hidden_place(s.binder.source, names) is not None

    def _arm_reveals(self, arm: syntax.OptionArm | syntax.Do, names: Names) -> Sequence[Reveal]:
        if isinstance(arm, syntax.Do):
            return tuple(self._step_reveals(arm, names))
        inner = names.inner()
        if arm.binder is not None:
            offered = self.reader.labels(arm.binder.source, names)
            inner.own[arm.binder.name] = choice_labels(offered, player_name(arm.binder))
        return tuple(self.reveals(arm.body, inner))

    def _case_reveals(self, s: syntax.If, names: Names) -> Iterator[Sequence[Reveal]]:
        """Yield the secrets that each block reveals. If, in a block, a followed name refers to no
        piece, its secret counts as revealed there.
        """
        missing: list[Reveal] = []
        for condition, body in s.cases:
            yield [
                *self.reveals(body, names),
                *missing,
                *self._absent_pieces(condition, "is", names),
            ]
            missing += self._absent_pieces(condition, "is not", names)
        yield [*self.reveals(s.otherwise, names), *missing]

    def _absent_pieces(
        self, condition: syntax.Expression, sign: str, names: Names
    ) -> Iterator[Reveal]:
        match condition:
            case syntax.Binary(
                operator=operator,
                left=syntax.Word() as word,
                right=syntax.Fixed(word="nothing" | "empty"),
            ) if operator == sign:
                for atom in self.reader.label(word, names):
                    if atom.is_marker:
                        yield Reveal(atom.name, atom.whose, EVERYBODY)
            case _:
                return

    def _place_reveals(
        self, e: syntax.Expression | None, to: str, names: Names
    ) -> Iterator[Reveal]:
        """Yield the secrets of an expression that are revealed to `to`: a whole place, or a followed piece."""
        is_whole = self.reader.hidden_place(e, names) is not None
        found = self.reader.labels(e, names)
        atoms = [atom for atom in (*found.all, *found.shown) if is_whole or atom.is_marker]
        yield from (Reveal(atom.name, atom.whose, to) for atom in atoms)
        if self._followed is None or not is_whole:
            return
        # the followed piece is revealed with everything in its place
        marker, content = self._followed
        all_there = [Reveal(atom.name, atom.whose, to) for atom in found.all]
        if content and all(any(one.is_of(atom) for one in all_there) for atom in content):
            places = frozenset(atom.name for atom in content)
            yield Reveal(marker.name, marker.whose, to, places)

    def _target_reveals(
        self, e: syntax.Expression | None, place: syntax.Expression, names: Names
    ) -> Iterator[Reveal]:
        """Yield the secrets that are revealed to the players who see `place` when `e` is put there."""
        if self.reader.place_of(place) is not None:
            for audience in self.reader.observers(place, names, counts=False):
                yield from self._place_reveals(e, audience, names)

    def _call_reveals(self, s: syntax.Do, names: Names) -> Iterator[Reveal]:
        analysis = self.analysis
        given, _ = self.reader.arguments(s, names)
        ways: list[Sequence[Reveal]] = []
        for key in analysis.callees(s):
            body = analysis.bodies.get(key)
            if body is None:
                continue
            if self.reader.is_clear_call(key, given, names):
                return
            if key in self._inside:
                self.cuts += 1
                continue
            inner, left = call_names(body, [part for part, _ in given], names.get("me"), {})
            for param in left:
                offered = self.reader.labels(param.source, inner)
                inner.own[param.name] = choice_labels(offered, player_name(param))
            asked = CallKey(key, tuple(inner.own.items()), self._followed)
            found = self.known.get(asked)
            if found is None:
                found = self._by_calls.get(asked)
                self.cuts += found is not None
            ways.append(self._body_reveals(asked, body, inner) if found is None else found)
        if ways:
            yield from common(ways)

    def _body_reveals(self, asked: CallKey, body: Body, names: Names) -> Sequence[Reveal]:
        """Return the secrets that a call of a body reveals."""
        cuts = self.cuts
        self._inside.append(asked.key)
        found = tuple(dict.fromkeys(self.reveals(body.statements, names)))
        self._inside.pop()
        kept = self.known if self.cuts == cuts else self._by_calls
        kept[asked] = found
        return found

    def _each_player_reveals(self, s: syntax.EachPlayer, names: Names) -> Iterator[Reveal]:
        """Yield the secrets that are revealed whichever player acts. Yield nothing if it is unknown
        which players act.
        """
        if s.where is not None or self.reader.eliminates:
            return
        acting = Acting("")
        for reveal in self._lasting_reveals(self._inner_reveals(s.body, acting, names), s.body):
            if reveal.whose == "me":
                yield evolve(reveal, whose=ALL_PLAYERS, to=acting.outside(reveal.to))
            else:
                yield evolve(
                    reveal, whose=acting.outside(reveal.whose), to=acting.outside(reveal.to)
                )

    def _inner_reveals(self, body: syntax.Block, acting: Acting, names: Names) -> Sequence[Reveal]:
        """Return the secrets that a block reveals if another player acts in it. In the result,
        players are named as in this block.
        """
        inner = names.inner(acting)
        if self._followed is None:
            return [*self.reveals(body, inner)]
        marker, content = self._followed
        with self._following(marker, acting.enter(content)):
            return [*self.reveals(body, inner)]

    def _acting_reveals(self, body: syntax.Block, acting: Acting, names: Names) -> Iterator[Reveal]:
        for reveal in self._inner_reveals(body, acting, names):
            to = reveal.to if reveal.to == EVERYBODY else acting.outside(reveal.to)
            yield evolve(reveal, whose=acting.outside(reveal.whose), to=to)


def _may_leave(s: syntax.Statement) -> bool:
    """Return whether a step may cause later steps to be skipped."""
    match s:
        case syntax.Simple(word=word):
            return word != "end game"
        case syntax.Repeat() | syntax.ForEach() | syntax.EachPlayer():
            return False
        case _:  # all others: the steps in their blocks decide
            return any(_may_leave(each) for block in blocks_of(s) for each in block)


def _names_set(s: syntax.Statement) -> frozenset[str]:
    """Return the local names whose value a step may have changed."""
    places = (each.place for each in every((s,)) if isinstance(each, syntax.SetTo))
    return frozenset(place.name for place in places if isinstance(place, syntax.Word))


def common(ways: Iterable[Sequence[Reveal]]) -> Iterator[Reveal]:
    """Yield each secret that every branch reveals, with the players to whom every branch reveals it."""
    found = list(ways)
    for reveal in dict.fromkeys(each for way in found for each in way):
        if all(any(each.covers(reveal) for each in way) for way in found):
            yield reveal


def enter_reveal(reveal: Reveal, acting: Acting) -> Reveal:
    """Return an earlier reveal, with its players named as in a block where another player acts."""
    to = reveal.to if reveal.to == EVERYBODY else acting.inside(reveal.to)
    return evolve(reveal, whose=acting.inside(reveal.whose), to=to)


def still_secret(atom: Atom, reveals: Iterable[Reveal]) -> Atom | None:
    """Return an atom whose knowers include the players to whom it is revealed, or None if everybody may
    know the secret.
    """
    to = {each.to for each in reveals if each.is_of(atom)}
    if EVERYBODY in to:
        return None
    return evolve(atom, knowers=atom.knowers | to) if to else atom
