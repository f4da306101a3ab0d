"""Find which secrets a step shows to each player through words, options, events, or changes of places.

The module also stores the secrets on which the contents of places depend. `steps` visits the steps
and computes the label of reaching each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final, Literal

from attrs import define, field

from rulewright.dsl.checks.secrecy.labels import (
    ANYBODY,
    EVERYBODY,
    PUBLIC,
    ROLLED,
    Atom,
    Label,
    Labels,
    Names,
    computed_from,
    is_unknown,
    join,
    mark_deciding,
    player_name_at,
    unbind,
)
from rulewright.dsl.checks.secrecy.opening import still_secret
from rulewright.dsl.checks.secrecy.reading import Reader
from rulewright.dsl.checks.secrecy.revealed import Before, Earlier
from rulewright.dsl.checks.secrecy.scopes import conditions, with_element
from rulewright.dsl.checks.secrecy.sight import Sight
from rulewright.dsl.checks.secrecy.stored import shows
from rulewright.dsl.checks.secrecy.ways import Ways
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.tree import declared, syntax

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
    "reader",
    "leaver",
    "which",
    "order",
    "ended",
]
"""The means by which a secret is shown.

The first in order are words for all players, words of an option, and the list of options. Then come
whether an option can be taken, the reason why it cannot be taken, possibility, and a board. The
next is whether something is asked, done, logged or needed at all. After this come a new value, a
moved number, the owner of a changed place, the reader of a message, a player who leaves, which
pieces move, and their order. The last is whether the game ends.
"""


@frozen
class Disclosed:
    """A shown secret, the means by which it is shown, and its reader (`EVERYBODY` or the name of a player)."""

    atom: Atom
    what: What
    span: Span
    to: str
    step: Span | None = None
    """The step or option that shows the secret."""


GIVEN: Final = "given to"
"""The start of the text for a step on the path of a secret that is passed as an argument."""
ROLL_KEPT: Final = "the roll is kept here"
"""The text for a step on the path of a secret where a hidden place stores a roll."""


@frozen
class At:
    """A point of the walk: the local names, the label of reaching the point, the player who
    decides, and the earlier steps.
    """

    names: Names
    control: Label = ()
    asker: bool = True
    """Whether the option belongs to `me`."""
    before: Before | None = None
    others: tuple[tuple[str, str], ...] = ()
    """Pairs of a player's name and a set of readers `!p` that certainly includes this player."""
    offered: tuple[str, ...] = ()
    """The parameters of this body that the player chooses with the action."""


@define
class Showing:
    """Records secrets that are shown to players who are not allowed to know them, and secrets that places store."""

    reader: Reader
    earlier: Earlier
    ways: Ways
    sight: Sight
    report: Callable[[Disclosed], None]
    step: Span | None = None
    """The current step or option."""
    by_rule: bool = False
    """Whether the walk is in setup before any shuffle, draw or choice. If so, the rules determine all places."""
    together: bool = False
    """Whether the players choose at the same time. If so, other players do not read the texts of options."""
    ends: list[tuple[Label, Span, At]] = field(factory=list)
    """The places where the game may have ended, each paired with the label of ending there.

    The next public event shows this label to everybody.
    """
    rolls: list[tuple[str, Label, Span, At]] = field(factory=list)
    """The rolls into local names. Each is paired with the label of the conditions that determine
    whether and how the roll is made.
    """

    def show_words(
        self, text: syntax.Text | syntax.Named | None, at: At, chosen: Iterable[str] = ()
    ) -> None:
        """Show the words and the name of an option to the chooser. If the option is taken, everybody sees them.

        Other players do not see an option that chooses or names a piece that is hidden from them.
        Players who later know the piece know all its attributes. But they also see the other words
        of the option.
        """
        parts = text.arguments if isinstance(text, syntax.Named) else text.parts if text else ()
        names = at.names.inner()
        for name in (*chosen, *(part.name for part in parts if isinstance(part, syntax.Word))):
            found = at.names.get(name)
            if found is not None and found.pieces:
                names.own[name] = Labels(pieces=True, player=found.player)
        is_read = self.reader.model.config.players > 1 and not self.together
        for part in parts:
            self.show_chooser(part, at, "words")
            read = self.reader.labels(part, names) if is_read else PUBLIC
            for atom in read.selected_by if read.pieces else read.all:
                self.disclose(atom, "words", atom.at.span, EVERYBODY, at)

    def show_decider(self, span: Span, at: At) -> None:
        """Show everybody which player decides."""
        self.by_rule = False
        self.disclose_event(at.control, at, "asked", span, EVERYBODY)
        self.record_public_event()

    def show_choice(self, s: syntax.Choose, at: At) -> Labels:
        """Show a choice to the player who chooses, and the texts of the choice to their readers.
        Return the labels of the source.
        """
        self.show_decider(s.span, at)
        self.show_chooser(s.source, at, "options")
        names, source = with_element(s, at.names, self.reader)
        inner = evolve(at, names=names)
        self.show_chooser((s.where, *conditions(s)), inner, "condition")
        self.show_chooser(s.quantity.amount if s.quantity is not None else None, at, "options")
        self.show_chooser(s.prompt, at, "words")
        self.show_words(s.say, inner, names.own)
        self.show_words(s.named, inner, names.own)
        self.show_chooser(s.reason, inner, "reason")
        return source

    def show_options(self, s: syntax.ChooseOf, at: At) -> None:
        """Show that options are offered, how many options can be taken, and the words above the options."""
        self.show_decider(s.span, at)
        self.show_chooser(s.prompt, at, "words")
        self.show_chooser(s.quantity.amount if s.quantity is not None else None, at, "options")

    def show_arm(self, arm: syntax.OptionArm, at: At) -> At:
        """Show an option, and return the program point at the start of its steps.

        At this point, the name that the option binds has the labels of the option's source.
        """
        self.step = arm.span
        inner = evolve(at, names=at.names.inner())
        if arm.binder is not None:
            self.show_chooser(arm.binder.source, at, "options")
            self.show_chooser(arm.binder.start, at, "options")
            inner = evolve(at, names=with_element(arm.binder, at.names, self.reader)[0])
            self.show_chooser(conditions(arm.binder), inner, "condition")
        self.show_chooser(arm.where, inner, "condition")
        self.show_chooser(arm.reason, inner, "reason")
        self.show_words(arm.text, inner, inner.names.own)
        self.show_words(arm.named, inner, inner.names.own)
        return inner

    def show_condition(self, s: syntax.Needs, at: At, *, is_offered: bool) -> None:
        """If an option depends on a condition, show the player whether the condition is needed and whether it holds."""
        if is_offered:
            self.show_chooser(s.condition, at, "condition")
            self.disclose_event(at.control, at, "needed", s.span, "me")
        self.show_chooser(s.reason, at, "reason")

    def show_log(self, s: syntax.Log, at: At) -> None:
        """Show a log line to its reader, and reveal the reader's identity to everybody."""
        read, names = self.reader, at.names
        audience = EVERYBODY if s.to is None else read.audience(s.to, names)
        self._show_text(s.text, audience, at)
        self.disclose_label(read.label(s.to, names), "reader", EVERYBODY, at)
        self.disclose_event(at.control, at, "line", s.span, audience)
        self.record_public_event()

    def show_phase(self, s: syntax.Phase, at: At) -> None:
        """Show everybody that a phase begins, and show the words of the phase."""
        self.disclose_event(at.control, at, "line", s.span, EVERYBODY)
        self._show_text(s.text, EVERYBODY, at)

    def _show_text(self, text: syntax.Text, audience: str, at: At) -> None:
        for atom in self.reader.label(text, at.names):
            self.disclose(atom, "log", atom.at.span, audience, at)

    def show_pieces(self, s: syntax.Show, at: At) -> None:
        """Let the player who looks at pieces see how they were selected, and reveal that
        player's identity to everybody.
        """
        read, names = self.reader, at.names
        audience, pieces = read.audience(s.to, names), read.labels(s.what, names)
        number = tuple(atom for atom in pieces.extent if atom not in pieces.lies)
        selected = join((pieces.selected_by, number)) if pieces.pieces else ()
        self.disclose_label(selected, "which", audience, at)
        self.disclose_label(read.label(s.to, names), "reader", EVERYBODY, at)
        self.disclose_event(at.control, at, "done", s.span, audience)

    def show_elimination(self, s: syntax.Eliminate, at: At) -> None:
        """Show everybody which player leaves the game."""
        self.disclose_label(self.reader.label(s.player, at.names), "leaver", EVERYBODY, at)
        self.disclose_event(at.control, at, "done", s.span, EVERYBODY)
        self.record_public_event()

    def show_sort(self, s: syntax.Sort, at: At) -> None:
        """Show everybody who sees the new order of a place the keys that determine it."""
        inner, source = at.names.inner(), s.binder.source
        inner.own[s.binder.name] = evolve(self.reader.labels(source, at.names), extent=())
        keys = self.reader.label(tuple(key.value for key in s.keys), inner)
        self.show_order(source, keys, s.span, at)

    def record_roll(self, s: syntax.Roll, name: syntax.Word, at: At) -> Labels:
        """Record that the result of a roll is assigned to a local name, and return the labels of this
        name.
        """
        self.by_rule = False
        read, names = self.reader, at.names
        part, count = read.labels(s.source, names), read.label(s.count, names)
        rolled = self._roll_label(name)
        seen = join((at.control, part.extent, count))
        self.rolls.append((rolled[0].name, seen, s.span, at))
        if seen:
            self.ways.note_earlier()
        drawn = (
            evolve(part, extent=())
            if part.pieces
            else computed_from(join((part.all, count, rolled)))
        )
        return evolve(drawn, player=player_name_at(name.name, name.span))

    def show_rolls(self) -> None:
        """Show everybody the rolls assigned to local names, except those whose results are stored
        in hidden places.
        """
        for name, label, span, at in self.rolls:
            if name not in self.reader.contents:
                self.disclose_event(label, at, "done", span, EVERYBODY)

    def show_change(
        self,
        place: syntax.Expression,
        values: Sequence[syntax.Expression | None],
        span: Span,
        at: At,
    ) -> None:
        """Record that a stored value or a local name changes, and show the change to the players who see it."""
        names, read = at.names, self.reader
        value = join(mark_deciding(read.label(each, names), each) for each in values)
        if isinstance(place, syntax.Word) and names.get(place.name) is not None:
            more = join((value, at.control))
            passed = Labels(more, more).with_step(place.span, f"put into `{place.name}`")
            names.add(place.name, passed)
            return
        address = self.reader.address(place, names)
        audiences = self.reader.observers(place, names)
        holder = read.labels(place.subject, names) if isinstance(place, syntax.Dot) else PUBLIC
        if holder.lies and isinstance(place, syntax.Dot):
            # Players who do not see a piece do not see its states. The states become visible together with
            # the piece.
            self.record_contents(place.name, join((address, value, at.control)))
            audiences = [one for atom in holder.lies for one in atom.knowers]
            self._reveal_state(place, holder, values, span, at)
        self._record_hidden_roll((*address, *value, *at.control), place, names)
        self.show_event(address, value, "value", span, audiences, at)

    def _reveal_state(
        self,
        place: syntax.Dot,
        pieces: Labels,
        values: Sequence[syntax.Expression | None],
        span: Span,
        at: At,
    ) -> None:
        """If even players who do not see the pieces may know which pieces change, show the change
        of state to everybody.

        The players who see the change know which pieces are affected, so only the other things that determine the
        change can be secret.
        """
        zones = [atom.secret for atom in pieces.lies if isinstance(atom.secret, declared.Zone)]
        if self.reader.hidden_attribute(place) is not None or not any(
            map(self.sight.may_be_seen, zones)
        ):
            return
        names = at.names.inner()
        if isinstance(place.subject, syntax.Word):
            names.own[place.subject.name] = Labels(pieces=True, player=pieces.player)
        value = join(mark_deciding(self.reader.label(each, names), each) for each in values)
        selected = join((pieces.selected_by, self.reader.label(place.arguments, names)))
        control = tuple(atom for atom in at.control if atom.of != pieces.player)
        self.show_event(selected, value, "value", span, [EVERYBODY], evolve(at, control=control))

    def _roll_label(self, name: syntax.Word) -> Label:
        """Return the label of a roll that is assigned to a local name. It includes the hidden
        places that store the result.
        """
        rolled = f"{ROLLED}{name.span.source.name}:{name.span.start}"
        kept = tuple(
            evolve(atom, place=name, at=name) for atom in self.reader.contents.get(rolled, ())
        )
        secret = next(iter((*self.reader.table.values(), *self.reader.dotted.values())))
        return Atom(rolled, "me", frozenset(), secret, name, name), *kept

    def _record_hidden_roll(self, label: Label, place: syntax.Expression, names: Names) -> None:
        """If a hidden place depends on a roll, record that the roll is no longer public."""
        secret = self.reader.hidden_place(place, names)
        if secret is None:
            return
        for rolled in label:
            if rolled.is_roll and not rolled.openly:
                there = self.reader.label(place, names)
                kept = tuple(one.with_step(place.span, ROLL_KEPT) for one in there)
                kept = kept if rolled.whose == "me" else unbind(kept, (atom.whose for atom in kept))
                known = self.reader.contents.get(rolled.name, ())
                self.reader.contents[rolled.name] = join((known, kept))

    def show_event(
        self, address: Label, value: Label, what: What, span: Span, audiences: Iterable[str], at: At
    ) -> None:
        """Show the players who see a change that it happens, whose place changes, and
        the new contents of the place.
        """
        for audience in dict.fromkeys(audiences):
            self.disclose_label(address, "place", audience, at)
            self.disclose_label(value, what, audience, at)
            self.disclose_event(at.control, at, "done", span, audience)
            if audience == EVERYBODY:
                self.record_public_event()

    def show_order(self, place: syntax.Expression, keys: Label, span: Span, at: At) -> None:
        """Show everybody that the order of a zone changes. Only players who see the contents learn the new order."""
        address = self.reader.address(place, at.names)
        seers = self.reader.observers(place, at.names, counts=False)
        self.show_event(address, keys, "order", span, seers, at)
        self.show_event(address, (), "order", span, [EVERYBODY], at)

    def record_contents(self, name: str, label: Label) -> None:
        """Record that the contents of a place depend on further secrets.

        Code that later reads the place does not know the owners of these secrets.
        """
        kept = self.reader.contents.get(name, ())
        more = tuple(
            evolve(atom, whose=ANYBODY if atom.whose else "", knowers=frozenset(), of="")
            for atom in label
            if not atom.is_public
        )
        if not {*more} <= {*kept}:
            self.reader.contents[name] = join((kept, more))

    def record_result(self, value: syntax.Expression, name: str, at: At) -> None:
        """Record the secrets on which the result of a rule depends.

        `me` is the only player name that means the same player in the rule and its caller.
        """
        given = join((self.reader.label(value, at.names), at.control))
        is_me = not at.names.is_acting
        own = tuple(
            atom for atom in given if is_me and atom.whose == "me" and atom.knowers <= {"me"}
        )
        self.record_contents(name, tuple(atom for atom in given if atom not in own))
        kept = self.reader.contents.get(name, ())
        if not {*own} <= {*kept}:
            self.reader.contents[name] = join((kept, own))

    def show_move(self, s: syntax.Move, at: At) -> None:
        names, read = at.names, self.reader
        moved = read.labels(s.amount, names)
        into = self.reader.observers(s.target, names)
        opened = {*self.reader.observers(s.target, names, counts=False)}
        out: Sequence[str] = ()
        source: Label = ()
        if s.source is not None:
            out = self.reader.observers(s.source, names)
            source = self.reader.address(s.source, names)
            amount = moved.all
            if s.how != "exactly":
                # Readers of pieces are allowed to count them. The reader of tokens learns only how
                # many there are.
                taken = read.labels(s.source, names)
                counted = {*into} - opened if taken.pieces else into
                for audience in into:
                    self.disclose_label(
                        taken.extent if audience in counted else (), "amount", audience, at
                    )
        else:
            held = [atom for atom in moved.lies if not atom.openly]
            if not held or any(shows(atom.secret, "size") for atom in held):
                out = (EVERYBODY,)
            seers = opened | {knower for atom in moved.lies for knower in atom.knowers}
            for audience in sorted(seers if moved.lies else {*seers, EVERYBODY}):
                self.disclose_label(moved.selected_by, "which", audience, at)
            amount = tuple(atom for atom in moved.extent if not opened or atom not in moved.lies)
        if EVERYBODY not in (*into, *out):
            self._record_hidden_roll((*amount, *at.control), s.target, names)
        self.show_event(self.reader.address(s.target, names), amount, "amount", s.span, into, at)
        self.show_event(source, amount, "amount", s.span, out, at)

    def show_chooser(self, e: object, at: At, what: What) -> Labels:
        """Show an expression to the player who chooses, and return the labels of the expression."""
        if isinstance(e, tuple):
            for part in e:
                self.show_chooser(part, at, what)
            return PUBLIC
        read = self.reader.labels(e, at.names)
        if what == "condition" and isinstance(e, syntax.Expression):
            read = evolve(read, content=mark_deciding(read.all, e))
        for atom in read.all:
            self.disclose(atom, what, atom.at.span, "me", at)
        return read

    def disclose_label(self, label: Label, what: What, to: str, at: At) -> None:
        """Show a label to a reader, except in setup while the rules determine all places."""
        for atom in label if not self.by_rule else ():
            self.disclose(atom, what, atom.at.span, to, at)

    def record_public_event(self) -> None:
        """Record a public event. The event shows everybody that the game had not ended before."""
        for label, span, at in self.ends:
            self.disclose_event(label, at, "ended", span, EVERYBODY)
        self.ends.clear()

    def disclose_event(self, label: Label, at: At, what: What, span: Span, to: str) -> None:
        """Show a reader that an event with this label happens."""
        for atom in label if not (self.by_rule and what == "done") else ():
            self.disclose(atom, what, span, to, at)

    def disclose(self, atom: Atom, what: What, span: Span, to: str, at: At) -> None:
        readers = {to, *(them for one, them in at.others if one == to)}
        if atom.is_public or self._is_known(atom, readers):
            return
        left = still_secret(atom, self.earlier.reveals_before(at.before))
        if left is None or self._is_known(left, readers):
            self.ways.note_earlier()
            if not atom.openly:
                return  # a secret shown on purpose also shows that it was not revealed before
        self.report(Disclosed(atom, what, span, to, self.step))

    def _is_known(self, atom: Atom, readers: Set[str]) -> bool:
        return any(reader in atom.knowers and not is_unknown(reader) for reader in readers)
