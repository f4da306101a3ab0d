"""Label values with the secrets on which they depend, and store the labels of local names.

Each player is identified by the name that the rules use at the current place (`me`, `rival`,
`me.left`). The player who acts in an inner block is called `me` inside that block, and has another
name outside it. This module is independent of steps and reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from enum import IntEnum
from typing import Final, Protocol

from attrs import define, field

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.tree import declared, syntax

Secret = declared.State | declared.Zone
Named = syntax.Word | syntax.Call | syntax.Dot
ANYBODY: Final = "?"
"""An unknown player."""
CHANGED: Final = "with "
"""The prefix of a name for a value that a call changes. The label of the change is stored under this name."""
ROLLED: Final = "%"
"""The prefix for the name of a roll whose result is followed."""
EACH_OF: Final = "*"
"""The prefix for the name of a list of players. Such a name refers to each player in the list, or
to an unknown player in the list.
"""
EVERYBODY: Final = "*"
"""The name for all players, as readers of public information."""


@frozen(cache_hash=True)
class Atom:
    """A secret that an expression reads: the name of the secret, its owner, and the players who may know the secret."""

    name: str
    whose: str
    knowers: frozenset[str]
    secret: Secret = field(eq=False)
    place: Named = field(eq=False)
    """The expression that reads the secret from its place."""
    at: Named = field(eq=False)
    """The expression that names the secret at its current use: its place, or a local name that stores it."""
    counts: bool = field(default=False, eq=False)
    """Whether the expression reads only the number of pieces, not the pieces themselves."""
    path: tuple[tuple[Span, str], ...] = field(default=(), eq=False)
    decides: syntax.Expression | None = field(default=None, eq=False)
    """The whole value or condition that depends on the secret, at the step that shows it."""
    put: syntax.Let | None = field(default=None, eq=False)
    """The last `let` through which the secret has passed."""
    openly: bool = False
    """Whether the rules show the secret `openly`."""
    past: bool = False
    """Whether the place has lost contents unseen since it was read. If so, the place no longer discloses
    the secret.
    """

    of: str = ""
    """The name of the only piece from which the secret is read, if the secret decides whether steps run for
    this piece.
    """

    @property
    def is_marker(self) -> bool:
        """Whether this atom only marks a followed local name."""
        return self.name.startswith("@")

    @property
    def is_roll(self) -> bool:
        """Whether this atom is a roll. A roll is public unless a hidden place stores its result."""
        return self.name.startswith(ROLLED)

    @property
    def is_public(self) -> bool:
        """Whether this atom is only followed, and is not a secret itself."""
        return self.is_marker or self.is_roll

    @property
    def let(self) -> syntax.Let | None:
        """The `let` that declares the name through which the secret is read, or None if there is none."""
        put = self.put
        is_name = put is not None and isinstance(self.at, syntax.Word) and self.at.name == put.name
        return put if is_name and put and self.path[-1][0] == put.name_span else None

    def with_step(self, span: Span, words: str, put: syntax.Let | None = None) -> Atom:
        """Return this atom with a further step on its path."""
        return evolve(self, path=(*self.path, (span, words)), put=put or self.put)


Label = tuple[Atom, ...]


class Placed(IntEnum):
    """How much is public knowledge about the place of pieces."""

    UNSEEN = 0
    KNOWN = 1
    """Everybody knows the place of the pieces, but the pieces may be hidden."""
    OPEN = 2
    """Everybody sees the pieces in their place."""


class Binding(Protocol):
    """A part of the text that declares a local name."""

    @property
    def name(self) -> str: ...

    @property
    def name_span(self) -> Span:
        """The place where the name is declared."""
        ...


def player_name(made: Binding) -> str:
    """Return a unique name for the player to whom a local name refers."""
    return player_name_at(made.name, made.name_span)


def player_name_at(name: str, span: Span) -> str:
    """Given a local name and the place of its declaration, return the name that `player_name` returns."""
    return f"{name}'{span.source.name.replace('.', '_')}_{span.start}"


def each_of(binder: syntax.Binder) -> str:
    """Return the name that, outside a loop or query, refers to the players of this loop or query."""
    is_all = isinstance(binder.source, syntax.Word) and binder.stretch is None
    return f"{EACH_OF}{binder.source.span.text}" if is_all else ANYBODY


def mark_openly(label: Label) -> Label:
    """Return a label in which each atom is marked as shown `openly`."""
    return tuple(evolve(atom, openly=True) for atom in label)


def mark_deciding(label: Label, e: syntax.Expression | None) -> Label:
    """Return a label in which each atom records that `e` is the whole value or condition that depends on the atom."""
    return tuple(evolve(atom, decides=e) for atom in label)


def join(labels: Iterable[Label]) -> Label:
    """Return all atoms of the given labels without duplicates."""
    parts = [label for label in labels if label]
    if not parts:
        return ()
    if len(parts) == 1 and len(parts[0]) == 1:
        return parts[0]
    return tuple({atom: None for label in parts for atom in label})


@frozen(cache_hash=True)
class Labels:
    """The secrets on which a value depends: `content` for the value itself, `extent` for its number of elements.

    `pieces` is true for pieces themselves, and false for anything computed from pieces. If the
    value is a player, `player` is the name of this player. `placed` says how much is public
    knowledge about the place of the pieces.
    """

    content: Label = ()
    extent: Label = ()
    pieces: bool = False
    player: str = ""
    placed: Placed = Placed.UNSEEN
    shown: Label = ()
    """The label of the value before a step revealed the value by its name."""
    lies: Label = ()
    """The hidden places that contain the pieces. The rest of `content` comes from the selection of the pieces."""

    @property
    def all(self) -> Label:
        """All secrets that the value depends on."""
        return join((self.content, self.extent)) if self.content or self.extent else ()

    @property
    def selected_by(self) -> Label:
        """The secrets that determined which pieces were selected, excluding the places of the pieces."""
        return tuple(atom for atom in self.content if atom not in self.lies)

    def with_step(self, span: Span, words: str, put: syntax.Let | None = None) -> Labels:
        """Return these labels with a further step on the path of each atom."""
        if not self.content and not self.extent:
            return self
        return evolve(
            self,
            content=tuple(atom.with_step(span, words, put) for atom in self.content),
            extent=tuple(atom.with_step(span, words, put) for atom in self.extent),
        )


PUBLIC: Final = Labels()


def computed_from(content: Label) -> Labels:
    """Return the labels of a result computed from values that carry the given label."""
    return Labels(content, content) if content else PUBLIC


def either(parts: Sequence[Labels]) -> Labels:
    """Return the labels of a value that may contain any of these parts."""
    if len(parts) == 1:
        return parts[0]
    return Labels(
        join(part.content for part in parts),
        join(part.extent for part in parts),
        any(part.pieces for part in parts),
        placed=min((part.placed for part in parts if part.pieces), default=Placed.OPEN),
        lies=join(part.lies for part in parts),
    )


def select(part: Labels, asked: Label) -> Labels:
    """Return the labels of a value selected by a condition whose label is `asked`."""
    if not asked:
        return part
    return evolve(part, content=join((part.content, asked)), extent=join((part.extent, asked)))


def longest_common(rows: Sequence[Sequence[object]]) -> Sequence[object]:
    """Return the longest sequence whose elements occur in the same order in every row."""
    found = rows[0]
    for row in rows[1:]:
        best: list[list[list[object]]] = [[[] for _ in range(len(row) + 1)]]
        for one in found:
            above = best[-1]
            line: list[list[object]] = [[]]
            for n, other in enumerate(row):
                both_end = [*above[n], one] if one == other else []
                line.append(max(both_end, above[n + 1], line[n], key=len))
            best.append(line)
        found = best[-1][-1]
    return found


# ---- players -----------------------------------------------------------------------------------------


@frozen
class Acting:
    """A block in which another player acts.

    The player who is called `player` outside the block is `me` inside. If `player` is empty,
    anybody may act.
    """

    player: str

    def inside(self, name: str) -> str:
        """Translate the name of a player outside the block into the name inside it; `!p` means everybody except p."""
        if name.startswith("!"):
            return f"!{self.inside(name[1:])}"
        if name and name == self.player != ANYBODY:
            return "me"
        if name == "me" or name.startswith(("me.", "^")):
            return f"^{name}"
        return name

    def outside(self, name: str) -> str:
        """Translate the name of a player inside the block into the name outside it."""
        if name.startswith("!"):
            return f"!{self.outside(name[1:])}"
        if name == "me":
            return self.player or ANYBODY
        if name.startswith("me."):
            return f"{self.player}.{name[3:]}" if self.player not in ("", ANYBODY) else ANYBODY
        return name.removeprefix("^")

    def enter(self, label: Label) -> Label:
        """Translate all player names in a label from outside the block into the names inside it."""
        return tuple(_rename(atom, self.inside) for atom in label)

    def leave(self, label: Label) -> Label:
        """Translate all player names in a label from inside the block into the names outside it."""
        return tuple(_rename(atom, self.outside) for atom in label)


def _rename(atom: Atom, rename: Callable[[str], str]) -> Atom:
    knowers = frozenset(rename(name) for name in atom.knowers) - {ANYBODY}
    return evolve(atom, whose=rename(atom.whose), knowers=knowers)


def unbind(label: Label, names: Iterable[str]) -> Label:
    """Return the label with these player names replaced by unknown players, for use outside their scope."""
    gone = frozenset(names)
    if not any(_mentions(atom, gone) for atom in label):
        return label
    return join(
        [tuple(_unbind_atom(atom, gone) if _mentions(atom, gone) else atom for atom in label)]
    )


def _mentions(atom: Atom, gone: frozenset[str]) -> bool:
    return begins_with(atom.whose, gone) or any(begins_with(name, gone) for name in atom.knowers)


def _unbind_atom(atom: Atom, gone: frozenset[str]) -> Atom:
    whose = ANYBODY if begins_with(atom.whose, gone) else atom.whose
    return evolve(
        atom, whose=whose, knowers=frozenset(k for k in atom.knowers if not begins_with(k, gone))
    )


def begins_with(player: str, names: Set[str]) -> bool:
    """Return whether a player's name, or a prefix of it that ends before a dot, is among these names."""
    way = player.lstrip("!^")
    return way in names or any(way[:n] in names for n, sign in enumerate(way) if sign == ".")


def is_unknown(player: str) -> bool:
    """Return whether a reader is an unknown player, or everybody except an unknown player."""
    return player.lstrip("!^") == ANYBODY


def unbind_value(part: Labels, players: frozenset[str]) -> Labels:
    """Return the labels with these player names replaced by unknown players, for use outside their scope."""
    if not part.all and not part.shown and part.player not in players:
        return part
    return evolve(
        part,
        content=unbind(part.content, players),
        extent=unbind(part.extent, players),
        shown=unbind(part.shown, players),
        lies=unbind(part.lies, players),
        player=ANYBODY if begins_with(part.player, players) else part.player,
    )


# ---- names -------------------------------------------------------------------------------------------


@define
class Names:
    """The labels of the local names at a place. A block adds its own names to the names of the block around it."""

    own: dict[str, Labels] = field(factory=dict)
    around: Names | None = None
    acting: Acting | None = None

    def inner(self, acting: Acting | None = None) -> Names:
        """Return the local names for an inner block in which another player may act."""
        return Names({"me": Labels(player="me")} if acting else {}, self, acting)

    def get(self, name: str) -> Labels | None:
        """Return the labels of a local name, or None if the name is not local."""
        at = self
        others: list[Acting] = []
        while (found := at.own.get(name)) is None:
            if at.acting is not None:
                others.append(at.acting)
            if at.around is None:
                return None
            at = at.around
        for acting in reversed(others):
            if found.player or found.content or found.extent or found.shown:
                found = evolve(
                    found,
                    content=acting.enter(found.content),
                    extent=acting.enter(found.extent),
                    shown=acting.enter(found.shown),
                    lies=acting.enter(found.lies),
                    player=acting.inside(found.player),
                )
        return found

    @property
    def is_acting(self) -> bool:
        """Whether a player other than the caller of the rule may act here."""
        return self.acting is not None or (self.around is not None and self.around.is_acting)

    def label_any(self, names: Set[str]) -> bool:
        """Return whether at least one of these names has a label, or whether a call changes a value `with` a secret."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                if (part.content or part.extent or part.shown) and (
                    name in names or name.startswith(CHANGED)
                ):
                    return True
            at = at.around
        return False

    def changed_values(self) -> dict[str, Labels]:
        """Return the labels of the values that are changed `with` other values by calls around this place.

        The key is `CHANGED` followed by the name of the value.
        """
        found: dict[str, Labels] = {}
        at: Names | None = self
        while at is not None:
            found |= {name: PUBLIC for name in at.own if name.startswith(CHANGED)}
            at = at.around
        return {name: self.get(name) or PUBLIC for name in found}

    def forget(self, players: frozenset[str]) -> None:
        """Record that these names may refer to other players in later steps."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                at.own[name] = unbind_value(part, players)
            at = at.around

    @property
    def is_labelled(self) -> bool:
        """Whether any local name here has a label."""
        at: Names | None = self
        while at is not None:
            for part in at.own.values():
                if part.content or part.extent:
                    return True
            at = at.around
        return False

    def map_labels(self, change: Callable[[Label], Label]) -> None:
        """Apply `change` to the labels of all local names, here and in the blocks around this block."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                if part.content or part.extent:
                    content, extent = change(part.content), change(part.extent)
                    if content is not part.content or extent is not part.extent:
                        lies = change(part.lies)
                        at.own[name] = evolve(part, content=content, extent=extent, lies=lies)
            at = at.around

    def add(self, name: str, more: Labels) -> None:
        """Record that a local name may receive a further value, even if an outer block declares the name."""
        if name in self.own or self.around is None:
            self.own[name] = evolve(either((self.own.get(name, PUBLIC), more)), player=ANYBODY)
            return
        if self.acting is not None:
            more = evolve(
                more,
                content=self.acting.leave(more.content),
                extent=self.acting.leave(more.extent),
                player="",
            )
        self.around.add(name, more)


@frozen(cache_hash=True)
class CallKey:
    """The key for the secrets that a call reveals: the called body, the arguments, and the followed name."""

    key: str
    given: object
    followed: object
