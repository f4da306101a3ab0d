"""Labels values with the secrets that they depend on, and keeps the labels of local names.

Players have the names that the rules give them at the current place (`me`, `rival`, `me.left`). The player who
acts in an inner block is `me` there, and has another name outside. Independent of steps; reports nothing.
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
"""The prefix for the name of a value that is changed for a call; its label is that of the change."""
ROLLED: Final = "%"
"""The prefix for the name of a followed roll."""
EACH_OF: Final = "*"
"""The prefix for the name of a list of players: each player in it, or an unknown one of them."""
EVERYBODY: Final = "*"
"""All players, as readers of public information."""


@frozen(cache_hash=True)
class Atom:
    """A secret that an expression reads: its name, its owner, and the players who may know it."""

    name: str
    whose: str
    knowers: frozenset[str]
    secret: Secret = field(eq=False)
    place: Named = field(eq=False)
    """The place that reads the secret."""
    at: Named = field(eq=False)
    """The expression that names the secret in its present use: the place, or a name that holds it."""
    counts: bool = field(default=False, eq=False)
    """Whether only the number of pieces is read, not the pieces."""
    way: tuple[tuple[Span, str], ...] = field(default=(), eq=False)
    decides: syntax.Expression | None = field(default=None, eq=False)
    """The whole value or condition that depends on it, at the place that shows it."""
    put: syntax.Let | None = field(default=None, eq=False)
    """The last `let` that it has passed through."""
    meant: bool = False
    """Whether the rules show it `openly`."""
    past: bool = False
    """Whether it was read before the place lost something unseen, so that the place no longer discloses it."""

    of: str = ""
    """The name of the only piece of which it is read, if it decides whether steps are done with this piece."""

    @property
    def is_marker(self) -> bool:
        """Whether it only marks a followed local name."""
        return self.name.startswith("@")

    @property
    def is_roll(self) -> bool:
        """Whether it is a roll, which is public unless it is stored in a hidden place."""
        return self.name.startswith(ROLLED)

    @property
    def is_public(self) -> bool:
        """Whether it is only followed, and not a secret itself."""
        return self.is_marker or self.is_roll

    @property
    def let(self) -> syntax.Let | None:
        """The `let` that made the name through which it is read; None if it is read in another way."""
        put = self.put
        is_name = put is not None and isinstance(self.at, syntax.Word) and self.at.name == put.name
        return put if is_name and put and self.way[-1][0] == put.name_span else None

    def passed(self, span: Span, words: str, put: syntax.Let | None = None) -> Atom:
        """The same atom, one step further on its path."""
        return evolve(self, way=(*self.way, (span, words)), put=put or self.put)


Label = tuple[Atom, ...]


class Placed(IntEnum):
    """How much everybody knows of the place of pieces."""

    UNSEEN = 0
    KNOWN = 1
    """The pieces lie in a known place, which may be hidden."""
    OPEN = 2
    """The pieces lie where everybody sees them."""


class Binding(Protocol):
    """A place that makes a local name."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def name_span(self) -> Span:
        """The place that makes it."""
        ...


def called(made: Binding) -> str:
    """A unique name for the player that a local name stands for."""
    return called_at(made.name, made.name_span)


def called_at(name: str, span: Span) -> str:
    """The same name, by the place where the local name is made."""
    return f"{name}'{span.source.name.replace('.', '_')}_{span.start}"


def each_of(binder: syntax.Binder) -> str:
    """The outside name of the players of a loop or query."""
    is_all = isinstance(binder.source, syntax.Word) and binder.stretch is None
    return f"{EACH_OF}{binder.source.span.text}" if is_all else ANYBODY


def meant(label: Label) -> Label:
    """The same label, marked as shown `openly`."""
    return tuple(evolve(atom, meant=True) for atom in label)


def deciding(label: Label, e: syntax.Expression | None) -> Label:
    """The same label, with this as the whole value or condition that depends on it."""
    return tuple(evolve(atom, decides=e) for atom in label)


def join(labels: Iterable[Label]) -> Label:
    """All atoms of some labels, each once."""
    parts = [label for label in labels if label]
    if not parts:
        return ()
    if len(parts) == 1 and len(parts[0]) == 1:
        return parts[0]
    return tuple({atom: None for label in parts for atom in label})


@frozen(cache_hash=True)
class Depends:
    """The secrets that a value depends on: `content` for the value itself, `extent` for its number of elements.

    `pieces` is true for pieces themselves, false for anything computed from them. `player` is the name of a
    player. `placed` says how much everybody knows of the place of the pieces.
    """

    content: Label = ()
    extent: Label = ()
    pieces: bool = False
    player: str = ""
    placed: Placed = Placed.UNSEEN
    shown: Label = ()
    """The label before it was revealed under its name."""
    lies: Label = ()
    """The hidden places that contain the pieces; the rest of `content` comes from the selection of the pieces."""

    @property
    def all(self) -> Label:
        """All secrets that it depends on."""
        return join((self.content, self.extent)) if self.content or self.extent else ()

    @property
    def selected_by(self) -> Label:
        """The secrets that selected the pieces, apart from their places."""
        return tuple(atom for atom in self.content if atom not in self.lies)

    def passed(self, span: Span, words: str, put: syntax.Let | None = None) -> Depends:
        """The same labels, one step further on their paths."""
        if not self.content and not self.extent:
            return self
        return evolve(
            self,
            content=tuple(atom.passed(span, words, put) for atom in self.content),
            extent=tuple(atom.passed(span, words, put) for atom in self.extent),
        )


PUBLIC: Final = Depends()


def depends(content: Label) -> Depends:
    """The labels of a result computed from values with this label."""
    return Depends(content, content) if content else PUBLIC


def both(parts: Sequence[Depends]) -> Depends:
    """The labels of a whole that may contain all these parts."""
    if len(parts) == 1:
        return parts[0]
    return Depends(
        join(part.content for part in parts),
        join(part.extent for part in parts),
        any(part.pieces for part in parts),
        placed=min((part.placed for part in parts if part.pieces), default=Placed.OPEN),
        lies=join(part.lies for part in parts),
    )


def under(part: Depends, asked: Label) -> Depends:
    """The labels of a value that is chosen by a condition with the label `asked`."""
    if not asked:
        return part
    return evolve(part, content=join((part.content, asked)), extent=join((part.extent, asked)))


def common(rows: Sequence[Sequence[object]]) -> Sequence[object]:
    """The longest sequence of things that all rows contain in this order."""
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
    """A block in which another player acts: `player` outside is `me` inside; "" if it may be anybody."""

    player: str

    def inside(self, name: str) -> str:
        """The inside name of a player; `!p` means everybody except p."""
        if name.startswith("!"):
            return f"!{self.inside(name[1:])}"
        if name and name == self.player != ANYBODY:
            return "me"
        if name == "me" or name.startswith(("me.", "^")):
            return f"^{name}"
        return name

    def outside(self, name: str) -> str:
        """The outside name of a player with an inside name."""
        if name.startswith("!"):
            return f"!{self.outside(name[1:])}"
        if name == "me":
            return self.player or ANYBODY
        if name.startswith("me."):
            return f"{self.player}.{name[3:]}" if self.player not in ("", ANYBODY) else ANYBODY
        return name.removeprefix("^")

    def enter(self, label: Label) -> Label:
        """A label with inside names."""
        return tuple(_renamed(atom, self.inside) for atom in label)

    def leave(self, label: Label) -> Label:
        """An inside label with outside names."""
        return tuple(_renamed(atom, self.outside) for atom in label)


def _renamed(atom: Atom, rename: Callable[[str], str]) -> Atom:
    knowers = frozenset(rename(name) for name in atom.knowers) - {ANYBODY}
    return evolve(atom, whose=rename(atom.whose), knowers=knowers)


def unbound(label: Label, names: Iterable[str]) -> Label:
    """A label outside the scope of these names of players."""
    gone = frozenset(names)
    if not any(_mentions(atom, gone) for atom in label):
        return label
    return join([tuple(_without(atom, gone) if _mentions(atom, gone) else atom for atom in label)])


def _mentions(atom: Atom, gone: frozenset[str]) -> bool:
    return begins(atom.whose, gone) or any(begins(name, gone) for name in atom.knowers)


def _without(atom: Atom, gone: frozenset[str]) -> Atom:
    whose = ANYBODY if begins(atom.whose, gone) else atom.whose
    return evolve(
        atom, whose=whose, knowers=frozenset(k for k in atom.knowers if not begins(k, gone))
    )


def begins(player: str, names: Set[str]) -> bool:
    """Whether the name of a player, or what it begins with before a dot, is one of these names."""
    way = player.lstrip("!^")
    return way in names or any(way[:n] in names for n, sign in enumerate(way) if sign == ".")


def is_unknown(player: str) -> bool:
    """Whether a reader is an unknown player, or everybody but such a one."""
    return player.lstrip("!^") == ANYBODY


def without(part: Depends, players: frozenset[str]) -> Depends:
    """The labels of a value outside the scope of these names of players."""
    if not part.all and not part.shown and part.player not in players:
        return part
    return evolve(
        part,
        content=unbound(part.content, players),
        extent=unbound(part.extent, players),
        shown=unbound(part.shown, players),
        lies=unbound(part.lies, players),
        player=ANYBODY if begins(part.player, players) else part.player,
    )


# ---- names -------------------------------------------------------------------------------------------


@define
class Names:
    """The labels of the local names at a place; a block adds its own names to those around it."""

    own: dict[str, Depends] = field(factory=dict)
    around: Names | None = None
    acting: Acting | None = None

    def inner(self, acting: Acting | None = None) -> Names:
        """The names of an inner block, in which another player may act."""
        return Names({"me": Depends(player="me")} if acting else {}, self, acting)

    def get(self, name: str) -> Depends | None:
        """The labels of a name; None if the name is not local."""
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
        """Whether another player than the caller of the rule may act here."""
        return self.acting is not None or (self.around is not None and self.around.is_acting)

    def label_any(self, names: Set[str]) -> bool:
        """Whether one of these names has a label, or a call changes something `with` a secret."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                if (part.content or part.extent or part.shown) and (
                    name in names or name.startswith(CHANGED)
                ):
                    return True
            at = at.around
        return False

    def changed(self) -> dict[str, Depends]:
        """The named values that are changed `with` a call around this place, by `CHANGED` and their names."""
        found: dict[str, Depends] = {}
        at: Names | None = self
        while at is not None:
            found |= {name: PUBLIC for name in at.own if name.startswith(CHANGED)}
            at = at.around
        return {name: self.get(name) or PUBLIC for name in found}

    def forget(self, players: frozenset[str]) -> None:
        """Note that these names refer to other players from here on."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                at.own[name] = without(part, players)
            at = at.around

    @property
    def is_labelled(self) -> bool:
        """Whether a local name here has a label that a place may lose."""
        at: Names | None = self
        while at is not None:
            for part in at.own.values():
                if part.content or part.extent:
                    return True
            at = at.around
        return False

    def change(self, change: Callable[[Label], Label]) -> None:
        """Change the labels of all local names, here and in the blocks around."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                if part.content or part.extent:
                    content, extent = change(part.content), change(part.extent)
                    if content is not part.content or extent is not part.extent:
                        lies = change(part.lies)
                        at.own[name] = evolve(part, content=content, extent=extent, lies=lies)
            at = at.around

    def add(self, name: str, more: Depends) -> None:
        """Note that a local name may get a new value, even if an outer block made it."""
        if name in self.own or self.around is None:
            self.own[name] = evolve(both((self.own.get(name, PUBLIC), more)), player=ANYBODY)
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
class Asked:
    """A question about the secrets that a call reveals: its arguments, and the atoms that are followed."""

    key: str
    given: object
    followed: object
