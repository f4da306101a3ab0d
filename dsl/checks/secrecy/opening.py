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
    Asked,
    Atom,
    Depends,
    Label,
    Named,
    Names,
    Placed,
    called,
    each_of,
)
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.scopes import begun, bind, chosen, each_in
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.lowering.analysis.analysis import Analysis
from rulewright.dsl.lowering.analysis.bodies import Body
from rulewright.dsl.tree import syntax
from rulewright.dsl.tree.nesting import blocks_of, every

ALL_PLAYERS: Final = f"{EACH_OF}players"


@frozen
class Laid:
    """A reveal: `to` sees everything in a zone or state, or sees the piece of a followed name."""

    name: str
    whose: str
    to: str
    places: frozenset[str] = frozenset()
    """The places whose contents reveal a followed piece, unless the piece has left these places."""

    def covers(self, other: Laid) -> bool:
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
    known: dict[Asked, tuple[Laid, ...]] = field(factory=dict)
    """Maps each call to the secrets that it reveals, whoever the caller is."""
    _by_calls: dict[Asked, tuple[Laid, ...]] = field(factory=dict)
    """The same for calls that reach a body that is still being searched."""
    _followed: tuple[Atom, Label] | None = None
    """The marker of a followed name, paired with the label of the place from which the name's piece comes."""
    _cuts: int = 0
    """How often the search has reached a body that is still being searched."""

    def kept(self, name: str, part: Depends, rest: syntax.Block, names: Names) -> Depends:
        """Return the labels of a named value. If later steps reveal a piece to a reader, the reader
        may also know the place of the piece.
        """
        part = self.reader.kept_in_mind(part)
        part = self.placed(part, rest)
        if not part.pieces or not part.content or not part.lies:
            return part
        first = part.lies[0]
        marker = Atom(f"@{name}", "", frozenset(), first.secret, first.place, first.at)
        inner = names.inner()
        inner.own[name] = Depends((marker,), (), pieces=True)
        to = self.laid_of(marker, part.lies, rest, inner)
        if EVERYBODY in to:
            # Everybody sees the piece, but not the other secrets that determined the selection.
            left = tuple(atom for atom in part.extent if atom not in part.lies)
            return evolve(part, content=part.selected_by, extent=left, shown=part.content)
        if not to:
            return part
        lies = {atom: evolve(atom, knowers=atom.knowers | to) for atom in part.lies}
        content = tuple(lies.get(atom, atom) for atom in part.content)
        return evolve(part, content=content, lies=tuple(lies.values()))

    def placed(self, part: Depends, rest: syntax.Block) -> Depends:
        """Return the labels of a named value. If later steps move pieces unseen, its place does not remain known."""
        if part.placed and not self.changing.gains(rest).isdisjoint(self.reader.zones):
            return evolve(part, placed=Placed.UNSEEN)
        return part

    def laid_of(
        self, marker: Atom, content: Label, statements: syntax.Block, names: Names
    ) -> set[str]:
        """Return the players to whom steps reveal a named piece, either by its name or together
        with the whole place from which it comes.
        """
        with self._following(marker, content):
            return {laid.to for laid in self.laid(statements, names) if laid.name == marker.name}

    def recall(self, safe: Mapping[object, object]) -> None:
        """Import the reveals of calls that another configuration has exported."""
        self.known.update(
            {asked: laid for asked, laid in safe.items() if isinstance(asked, Asked)}  # type: ignore[misc]  # as noted below
        )

    def note(self, safe: dict[object, object]) -> None:
        """Export the reveals of calls, for other configurations."""
        for asked, laid in self.known.items():
            safe[asked] = laid

    @contextmanager
    def _following(self, marker: Atom, content: Label) -> Iterator[None]:
        around, self._followed = self._followed, (marker, content)
        yield
        self._followed = around

    def meant(self, asked: Label, ways: Sequence[Sequence[syntax.Block]], names: Names) -> Label:
        """Return the label of a condition. Secrets that the condition's blocks reveal count as shown on purpose.

        Each of `ways` contains all blocks that may run after one result of the condition. It
        reveals the secrets that every one of its blocks reveals.
        """
        if not asked:
            return asked
        laid = [
            each
            for way in ways
            for each in by_all([tuple(self.laid(block, names)) for block in way])
        ]
        return tuple(unlaid(atom, laid) or evolve(atom, meant=True) for atom in asked)

    def laid(self, statements: syntax.Block, names: Names) -> Iterator[Laid]:
        """Yield the secrets that these steps, including their calls, always reveal."""
        names = names.inner()
        for n, s in enumerate(statements):
            if not self.reader.passes(s, names):
                yield from self._kept(self._laid_by(s, names), statements[:n])
            if _may_leave(s):
                return
            for name in self.changing.memo.of(_names_set, s):
                if names.get(name) is not None:
                    names.own[name] = Depends(player=ANYBODY)

    def _kept(self, found: Iterable[Laid], before: syntax.Block) -> Iterator[Laid]:
        """Keep only the reveals whose places lose nothing unseen in the earlier steps `before`."""
        for laid in found:
            if self.changing.losses(before).isdisjoint((laid.name, *laid.places)):
                yield laid

    def _laid_by(self, s: syntax.Statement, names: Names) -> Iterator[Laid]:
        read = self.reader
        match s:
            case syntax.Surely(step=step):
                yield from self._laid_by(step, names)
            case syntax.Let() | syntax.Choose() | syntax.Roll():
                bind(s, names, read)
            case syntax.LetDo():
                yield from self._laid_in_call(s.call, names)
                bind(s, names, read)
            case syntax.Move() if read.least(s.amount) < 1:
                return
            case syntax.Move(source=source, target=target, amount=amount):
                moved = amount if s.how != "all" else amount or source
                yield from self._put(moved, target, names)
            case syntax.Show(what=what, to=to):
                audience = read.audience(to, names)
                if isinstance(to, Named) or audience != EVERYBODY:
                    yield from self._opened(what, audience, names)
            case syntax.SetTo(place=place, value=value):
                yield from self._put(value, place, names)
            case syntax.Do():
                yield from self._laid_in_call(s, names)
            case syntax.EachPlayer(body=body):
                yield from self._laid_by_all(s, names)
            case syntax.AsPlayer(player=player, body=body):
                yield from self._laid_as(body, Acting(read.player(player, names)), names)
            case syntax.ForEach(binder=binder, body=body):
                inner, each = each_in(binder, names, read)
                if s.where is not None:
                    each = inner.own[binder.name] = chosen(each, called(binder))
                yield from self._laid_each(s, each, inner)
                for laid in self._kept(
                    self.laid(body, inner), body
                ):  # an earlier iteration may have run
                    if laid.whose == called(binder):
                        yield evolve(
                            laid, whose=ANYBODY if s.where is not None else each_of(binder)
                        )
                    elif self._is_whole(s, names) and any(map(laid.is_of, each.content)):
                        yield laid
            case syntax.Repeat(how=how, value=value, body=body):
                if how == "forever" or (how == "times" and read.least(value) > 0):
                    yield from self.laid(body, names)
            case syntax.ChooseOf(arms=arms):
                found = [self._laid_by_arm(arm, names) for arm in arms]
                if s.all_of:
                    yield from (laid for each in found for laid in each)
                elif read.is_some(s.quantity):
                    yield from by_all(found)
            case syntax.May():
                return
            case syntax.If():
                yield from by_all(self._laid_by_cases(s, names))
            case syntax.IfPossible():
                yield from by_all([tuple(self.laid(block, names)) for block in blocks_of(s)])
            case syntax.AtOnce() | syntax.Phase():
                yield from self.laid(s.body, names)
            case _:  # all others: they reveal no whole place and no piece
                return

    def _laid_each(self, s: syntax.ForEach, each: Depends, names: Names) -> Iterator[Laid]:
        """Yield the places that a loop reveals because it reveals each piece in them."""
        name = s.binder.name
        if not each.lies or not self._is_whole(s, names):
            return
        marker = evolve(each.lies[0], name=f"@{name}", whose="", knowers=frozenset())
        inner = names.inner()
        inner.own[name] = Depends((marker,), (), pieces=True)
        for to in self.laid_of(marker, each.lies, s.body, inner):
            yield from (Laid(atom.name, atom.whose, to) for atom in each.lies)

    def _is_whole(self, s: syntax.ForEach, names: Names) -> bool:
        """Return whether a loop visits all pieces of a hidden place. The body of such a loop runs
        for every piece that is there.
        """
        is_all = s.where is None and s.binder.stretch is None
        return is_all and self.reader.secret(s.binder.source, names) is not None

    def _laid_by_arm(self, arm: syntax.OptionArm | syntax.Do, names: Names) -> Sequence[Laid]:
        if isinstance(arm, syntax.Do):
            return tuple(self._laid_by(arm, names))
        inner = names.inner()
        if arm.binder is not None:
            offered = self.reader.reads(arm.binder.source, names)
            inner.own[arm.binder.name] = chosen(offered, called(arm.binder))
        return tuple(self.laid(arm.body, inner))

    def _laid_by_cases(self, s: syntax.If, names: Names) -> Iterator[Sequence[Laid]]:
        """Yield the secrets that each block reveals. If a followed name refers to no piece in a
        block, its secret counts as revealed there.
        """
        missing: list[Laid] = []
        for condition, body in s.cases:
            yield [*self.laid(body, names), *missing, *self._missing(condition, "is", names)]
            missing += self._missing(condition, "is not", names)
        yield [*self.laid(s.otherwise, names), *missing]

    def _missing(self, condition: syntax.Expression, sign: str, names: Names) -> Iterator[Laid]:
        match condition:
            case syntax.Binary(
                operator=operator,
                left=syntax.Word() as word,
                right=syntax.Fixed(word="nothing" | "empty"),
            ) if operator == sign:
                for atom in self.reader.label(word, names):
                    if atom.is_marker:
                        yield Laid(atom.name, atom.whose, EVERYBODY)
            case _:
                return

    def _opened(self, e: syntax.Expression | None, to: str, names: Names) -> Iterator[Laid]:
        """Yield the secrets that are revealed by revealing a whole place or the piece of a followed name."""
        is_whole = self.reader.secret(e, names) is not None
        found = self.reader.reads(e, names)
        laid = [atom for atom in (*found.all, *found.shown) if is_whole or atom.is_marker]
        yield from (Laid(atom.name, atom.whose, to) for atom in laid)
        if self._followed is None or not is_whole:
            return
        # the followed piece is revealed with everything in its place
        marker, content = self._followed
        all_there = [Laid(atom.name, atom.whose, to) for atom in found.all]
        if content and all(any(one.is_of(atom) for one in all_there) for atom in content):
            places = frozenset(atom.name for atom in content)
            yield Laid(marker.name, marker.whose, to, places)

    def _put(
        self, e: syntax.Expression | None, place: syntax.Expression, names: Names
    ) -> Iterator[Laid]:
        """Yield the secrets that are revealed to the players who see `place` when `e` is put there."""
        if self.reader.stored(place) is not None:
            for audience in self.reader.seers(place, names, counts=False):
                yield from self._opened(e, audience, names)

    def _laid_in_call(self, s: syntax.Do, names: Names) -> Iterator[Laid]:
        analysis = self.analysis
        given, _ = self.reader.given(s, names)
        ways: list[Sequence[Laid]] = []
        for key in analysis.callees(s):
            body = analysis.bodies.get(key)
            if body is None:
                continue
            if self.reader.passes_call(key, given, names):
                return
            if key in self._inside:
                self._cuts += 1
                continue
            inner, left = begun(body, [part for part, _ in given], names.get("me"), {})
            for param in left:
                offered = self.reader.reads(param.source, inner)
                inner.own[param.name] = chosen(offered, called(param))
            asked = Asked(key, tuple(inner.own.items()), self._followed)
            found = self.known.get(asked)
            if found is None:
                found = self._by_calls.get(asked)
                self._cuts += found is not None
            ways.append(self._laid_in(asked, body, inner) if found is None else found)
        if ways:
            yield from by_all(ways)

    def _laid_in(self, asked: Asked, body: Body, names: Names) -> Sequence[Laid]:
        """Return the secrets that a call of a body reveals."""
        cuts = self._cuts
        self._inside.append(asked.key)
        found = tuple(dict.fromkeys(self.laid(body.statements, names)))
        self._inside.pop()
        kept = self.known if self._cuts == cuts else self._by_calls
        kept[asked] = found
        return found

    def _laid_by_all(self, s: syntax.EachPlayer, names: Names) -> Iterator[Laid]:
        """Yield the secrets that every player who acts reveals. Yield nothing if it is unknown which players act."""
        if s.where is not None or self.reader.eliminates:
            return
        acting = Acting("")
        for laid in self._kept(self._laid_inside(s.body, acting, names), s.body):
            if laid.whose == "me":
                yield evolve(laid, whose=ALL_PLAYERS, to=acting.outside(laid.to))
            else:
                yield evolve(laid, whose=acting.outside(laid.whose), to=acting.outside(laid.to))

    def _laid_inside(self, body: syntax.Block, acting: Acting, names: Names) -> Sequence[Laid]:
        """Return the secrets that a block reveals if another player acts in it. Players have the
        names that this block uses.
        """
        inner = names.inner(acting)
        if self._followed is None:
            return [*self.laid(body, inner)]
        marker, content = self._followed
        with self._following(marker, acting.enter(content)):
            return [*self.laid(body, inner)]

    def _laid_as(self, body: syntax.Block, acting: Acting, names: Names) -> Iterator[Laid]:
        for laid in self._laid_inside(body, acting, names):
            to = laid.to if laid.to == EVERYBODY else acting.outside(laid.to)
            yield evolve(laid, whose=acting.outside(laid.whose), to=to)


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
    """Return the local names whose value may have changed after a step."""
    places = (each.place for each in every((s,)) if isinstance(each, syntax.SetTo))
    return frozenset(place.name for place in places if isinstance(place, syntax.Word))


def by_all(ways: Iterable[Sequence[Laid]]) -> Iterator[Laid]:
    """Yield the secrets that every branch reveals, each to the players to whom every branch reveals it."""
    found = list(ways)
    for laid in dict.fromkeys(each for way in found for each in way):
        if all(any(each.covers(laid) for each in way) for way in found):
            yield laid


def inside(laid: Laid, acting: Acting) -> Laid:
    """Return an earlier reveal, with its players named as in a block where another player acts."""
    to = laid.to if laid.to == EVERYBODY else acting.inside(laid.to)
    return evolve(laid, whose=acting.inside(laid.whose), to=to)


def unlaid(atom: Atom, laid: Iterable[Laid]) -> Atom | None:
    """Return an atom whose knowers include the players to whom it is revealed, or None if everybody may
    know the secret.
    """
    to = {each.to for each in laid if each.is_of(atom)}
    if EVERYBODY in to:
        return None
    return evolve(atom, knowers=atom.knowers | to) if to else atom
