"""What a value depends on that not everybody may know, and what is known of the names in a part of the rules.

Players are called by the words that stand for them (`me`, `rival`, `me.left`), from where the rules are just now: who
acts in an inner block is `me` there, and was called otherwise outside. Independent of steps; reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final, Protocol

from attrs import define, field

from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.immutable import evolve, frozen
from rulewright.dsl.tree import declared, syntax

Secret = declared.State | declared.Zone
Named = syntax.Word | syntax.Call | syntax.Dot
ANYBODY: Final = "?"
"""A player of whom no more is known."""
CHANGED: Final = "with "
"""Before the name of a value that is changed for a call: what it depends on by how much."""
ROLLED: Final = "%"
"""Before the name of a roll that is followed."""
EACH_OF: Final = "*"
"""Before the name of a list: each player in it, or one of them of whom no more is known."""
EVERYBODY: Final = "*"
"""All players: who may know what is shown to all."""


@frozen
class Atom:
    """Something hidden that is looked at: what it is, whose it is, and who may know it all the same."""

    name: str
    whose: str
    knowers: frozenset[str]
    secret: Secret = field(eq=False)
    place: Named = field(eq=False)
    """Where it is read."""
    at: Named = field(eq=False)
    """What stands for it where it is used: the place, or a name it was put into."""
    counts: bool = field(default=False, eq=False)
    """Whether only how many there are is looked at."""
    way: tuple[tuple[Span, str], ...] = field(default=(), eq=False)
    meant: bool = False
    """Whether the rules say `openly` that it is told."""

    @property
    def is_marker(self) -> bool:
        """Whether it stands for a local name, to follow where that goes."""
        return self.name.startswith("@")

    @property
    def is_roll(self) -> bool:
        """Whether it stands for a roll, which is seen by all unless it is kept where not all see."""
        return self.name.startswith(ROLLED)

    @property
    def is_public(self) -> bool:
        """Whether it is no secret by itself, and only followed."""
        return self.is_marker or self.is_roll

    def passed(self, span: Span, words: str) -> Atom:
        """The same, one step further on its way."""
        return evolve(self, way=(*self.way, (span, words)))


Label = tuple[Atom, ...]


class Binding(Protocol):
    """A place where a local name is made."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def name_span(self) -> Span:
        """Where it is made."""
        ...


def called(made: Binding) -> str:
    """A name for the player that a local name stands for, which is no other player's elsewhere."""
    return called_at(made.name, made.name_span)


def called_at(name: str, span: Span) -> str:
    """The same, by where the name is made."""
    return f"{name}'{span.source.name.replace('.', '_')}_{span.start}"


def each_of(binder: syntax.Binder) -> str:
    """What each player is called about whom a loop or a query is, from outside."""
    is_all = isinstance(binder.source, syntax.Word) and binder.stretch is None
    return f"{EACH_OF}{binder.source.span.text}" if is_all else ANYBODY


def meant(label: Label) -> Label:
    """The same, told `openly`."""
    return tuple(evolve(atom, meant=True) for atom in label)


def join(labels: Iterable[Label]) -> Label:
    """All atoms of some labels, each once."""
    parts = [label for label in labels if label]
    if not parts:
        return ()
    if len(parts) == 1 and len(parts[0]) == 1:
        return parts[0]
    return tuple({atom: None for label in parts for atom in label})


@frozen
class Depends:
    """What a value depends on: `content` for what it is, `extent` for how much of it there is.

    `pieces` where it is pieces themselves, and not something that was worked out of them; `player` is what a
    player is called; `is_placed` where all see in which place the pieces lie.
    """

    content: Label = ()
    extent: Label = ()
    pieces: bool = False
    player: str = ""
    is_placed: bool = False
    shown: Label = ()
    """What it depended on before it was laid open under its name."""
    lies: Label = ()
    """The hidden places in which the pieces lie; what else `content` has is how they were selected."""

    @property
    def all(self) -> Label:
        """All it depends on."""
        return join((self.content, self.extent)) if self.content or self.extent else ()

    @property
    def selected_by(self) -> Label:
        """What else than the places of the pieces it depends on which pieces these are."""
        return tuple(atom for atom in self.content if atom not in self.lies)

    def passed(self, span: Span, words: str) -> Depends:
        """The same, one step further on its way."""
        if not self.content and not self.extent:
            return self
        return evolve(
            self,
            content=tuple(atom.passed(span, words) for atom in self.content),
            extent=tuple(atom.passed(span, words) for atom in self.extent),
        )


PUBLIC: Final = Depends()


def depends(content: Label) -> Depends:
    """Something that was worked out of what is hidden, or of nothing that is."""
    return Depends(content, content) if content else PUBLIC


def both(parts: Sequence[Depends]) -> Depends:
    """Something of which all these may be a part."""
    if len(parts) == 1:
        return parts[0]
    return Depends(
        join(part.content for part in parts),
        join(part.extent for part in parts),
        any(part.pieces for part in parts),
        is_placed=all(part.is_placed for part in parts if part.pieces),
        lies=join(part.lies for part in parts),
    )


def under(part: Depends, asked: Label) -> Depends:
    """One thing or another, as something says."""
    if not asked:
        return part
    return evolve(part, content=join((part.content, asked)), extent=join((part.extent, asked)))


def common(rows: Sequence[Sequence[object]]) -> Sequence[object]:
    """The longest row of things that stand in all rows in this order."""
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


# ---- who is who --------------------------------------------------------------------------------------


@frozen
class Acting:
    """Another player acts in a block: `player` outside is `me` inside; "" where it may be anybody."""

    player: str

    def inside(self, name: str) -> str:
        """What a player is called inside; `!p` are all but p."""
        if name.startswith("!"):
            return f"!{self.inside(name[1:])}"
        if name and name == self.player:
            return "me"
        if name == "me" or name.startswith(("me.", "^")):
            return f"^{name}"
        return name

    def outside(self, name: str) -> str:
        """What a player of the inside is called outside."""
        if name.startswith("!"):
            return f"!{self.outside(name[1:])}"
        if name == "me":
            return self.player or ANYBODY
        if name.startswith("me."):
            return f"{self.player}.{name[3:]}" if self.player else ANYBODY
        return name.removeprefix("^")

    def enter(self, label: Label) -> Label:
        """A label as it is told inside."""
        return tuple(_renamed(atom, self.inside) for atom in label)

    def leave(self, label: Label) -> Label:
        """A label of the inside as it is told outside."""
        return tuple(_renamed(atom, self.outside) for atom in label)


def _renamed(atom: Atom, rename: Callable[[str], str]) -> Atom:
    knowers = frozenset(rename(name) for name in atom.knowers) - {ANYBODY}
    return evolve(atom, whose=rename(atom.whose), knowers=knowers)


def unbound(label: Label, names: Iterable[str]) -> Label:
    """A label outside of where these names of players mean anything."""
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
    """Whether the way to a player begins with one of these names."""
    way = player.lstrip("!^")
    return way in names or any(way[:n] in names for n, sign in enumerate(way) if sign == ".")


def without(part: Depends, players: frozenset[str]) -> Depends:
    """The same outside of where these names of players mean anything."""
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
    """What the local names of a place depend on; blocks have names of their own within those around them."""

    own: dict[str, Depends] = field(factory=dict)
    around: Names | None = None
    acting: Acting | None = None

    def inner(self, acting: Acting | None = None) -> Names:
        """The names of a block inside, in which another player may be acting."""
        return Names({"me": Depends(player="me")} if acting else {}, self, acting)

    def get(self, name: str) -> Depends | None:
        """What a name depends on; None for a name that is not local."""
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

    def of_pieces(self) -> set[Atom]:
        """What the pieces are that local names stand for here."""
        found = {atom for part in self.own.values() if part.pieces for atom in part.content}
        return found if self.around is None or self.acting else found | self.around.of_pieces()

    def changed(self) -> dict[str, Depends]:
        """The named values that are changed `with` a call around this place, by `CHANGED` and their names."""
        found: dict[str, Depends] = {}
        at: Names | None = self
        while at is not None:
            found |= {name: PUBLIC for name in at.own if name.startswith(CHANGED)}
            at = at.around
        return {name: self.get(name) or PUBLIC for name in found}

    def forget(self, players: frozenset[str]) -> None:
        """These names of players stand for other players from here on."""
        at: Names | None = self
        while at is not None:
            for name, part in at.own.items():
                at.own[name] = without(part, players)
            at = at.around

    def add(self, name: str, more: Depends) -> None:
        """A local name may get a new value, wherever around it was made."""
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
class Way:
    """How a body is called: with what, what it depends on whether it is, who asks; the same way, the same is found."""

    key: str
    given: object
    control: Label
    asker: bool = False
    by_rule: bool = False
    is_hook: bool = False


@frozen(cache_hash=True)
class Asked:
    """How a body is called of which it is asked what it lays open, and what is followed then."""

    key: str
    given: object
    followed: object
