"""Find the states and zones that expressions name, and the readers and owners of these states and zones.

This module is independent of labels and reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from attrs import define, field

from rulewright.dsl.checks.secrecy.labels import ANYBODY, EVERYBODY, Named, Names, Secret
from rulewright.dsl.diagnostics.source import Span
from rulewright.dsl.model import types
from rulewright.dsl.model.model import Model
from rulewright.dsl.model.types import item_of
from rulewright.dsl.tree import declared, syntax

SIZES: Final = frozenset(("size", "is_full", "free"))


def is_hidden(part: Secret) -> bool:
    """Return whether a state or zone is hidden from some players."""
    return part.seen is not None and part.seen.by in ("owner", "others", "nobody")


def shows(secret: Secret, name: str) -> bool:
    """Return whether everybody sees this attribute of a secret, for example because the attribute
    follows from a public size.
    """
    if secret.seen is None:
        return False
    shown = "size" if name in SIZES else name
    # the occupied slots show the number of pieces
    return shown in secret.seen.except_for or (
        shown == "size" and "slots" in secret.seen.except_for
    )


@define
class Stored:
    """The states and zones of a game."""

    model: Model
    type_at: Callable[[Span], types.Type | None]
    """Returns the type of the expression at a place."""
    table: dict[str, Secret] = field(factory=dict)
    """Hidden states and zones of the table, keyed by name."""
    dotted: dict[str, Secret] = field(factory=dict)
    """Hidden states and zones that follow a dot because players or things own them, keyed by name."""
    zones: set[str] = field(factory=set)
    """The names of hidden zones."""
    parts: dict[str, list[Secret]] = field(factory=dict)
    """All states and zones that follow a dot, keyed by name."""
    owners: dict[int, str] = field(factory=dict)
    """Maps the `id` of the declaration of each state or zone to the kind of thing that owns it."""
    eliminates: bool = False
    """Whether players may be eliminated. An elimination changes the neighbours of a seat."""

    def __attrs_post_init__(self) -> None:
        model = self.model
        tables: list[Secret] = [*model.states.values(), *model.zones.values()]
        self.table = {part.name: part for part in tables if is_hidden(part)}
        parts: list[Secret] = [*model.player_states.values(), *model.player_zones.values()]
        self.owners = {id(part): "player" for part in parts}
        for kind in [*model.pieces.values(), *model.spaces.values(), *model.kinds.values()]:
            self.owners |= {id(part): kind.name for part in (*kind.states, *kind.zones)}
            parts += [*kind.states, *kind.zones]
        for part in parts:
            self.parts.setdefault(part.name, []).append(part)
        self.dotted = {part.name: part for part in parts if is_hidden(part)}
        secrets = (*self.table.values(), *self.dotted.values())
        self.zones = {part.name for part in secrets if isinstance(part, declared.Zone)}

    @property
    def has_secrets(self) -> bool:
        """Whether anything is hidden from some players."""
        return bool(self.table or self.dotted)

    def place_of(self, e: object) -> Secret | None:
        """Return the state or zone, hidden or not, that an expression names directly."""
        match e:
            case syntax.Word(name=name) | syntax.Call(name=name):
                return self.model.zones.get(name) or self.model.states.get(name)
            case syntax.Dot(name="slot", subject=subject):
                return self.place_of(subject)
            case syntax.Dot():
                found = self._attribute_places(e)
                return next(filter(is_hidden, found), found[0]) if found else None
            case _:  # all others: they are computed
                return None

    def _attribute_places(self, e: syntax.Dot) -> Sequence[Secret]:
        """Return the states and zones to which an attribute may refer, given the type of its subject."""
        found = self.parts.get(e.name, [])
        if len(found) < 2:
            return found
        type = self._element_type(e.subject)
        owners = {"player"} if isinstance(type, types.Player) else set[str]()
        owners |= set(type.names) if type is not None else set()
        own = [part for part in found if self.owners[id(part)] in owners]
        return own or found

    def hidden_attribute(self, e: syntax.Dot) -> Secret | None:
        """Return the hidden state or zone to which an attribute may refer; None if there is none."""
        return (
            next(filter(is_hidden, self._attribute_places(e)), None)
            if e.name in self.dotted
            else None
        )

    def hidden_place(self, e: object, names: Names) -> Secret | None:
        """Return the hidden state or zone that an expression names directly."""
        match e:
            case syntax.Word(name=name) | syntax.Call(name=name):
                return None if names.get(name) is not None else self.table.get(name)
            case syntax.Dot():
                return self.hidden_attribute(e)
            case _:  # all others: they are computed
                return None

    def hidden_zones_of(self, e: syntax.Expression | None) -> set[str]:
        """Return the names of the hidden zones that may contain the pieces that an expression returns."""
        kinds = set(self.pieces_of(e)) if e is not None else set[str]()
        zones = (*self.table.values(), *self.dotted.values())
        return {
            zone.name
            for zone in zones
            if isinstance(zone, declared.Zone) and not kinds.isdisjoint(self.kinds_of(zone.type.of))
        }

    def lowest_value(self, e: syntax.Expression | None) -> int:
        """Return the lowest possible value of an expression, or 1 for a piece."""
        if isinstance(e, syntax.Number):
            return e.value
        type = self.type_at(e.span) if e is not None else None
        return type.low if isinstance(type, types.Number) else 1

    def is_some(self, quantity: syntax.Quantity | None) -> bool:
        """Return whether a choice of this many things always selects at least one."""
        if quantity is None:
            return True
        return quantity.word in ("exactly", "at least") and self.lowest_value(quantity.amount) > 0

    def owner_of(self, e: Named, names: Names) -> str:
        """Return the name of the player who owns a state or zone, or "" for the table."""
        return self.player_of(e.subject, names) if isinstance(e, syntax.Dot) else ""

    def player_of(self, e: syntax.Expression, names: Names) -> str:
        """Return the name of the player to whom an expression refers."""
        match e:
            case syntax.Word(name=name):
                found = names.get(name)
                if found is not None:
                    return found.player or name
                return name
            case syntax.Dot(subject=subject, name=name, arguments=None):
                around = self.player_of(subject, names)
                is_far = around == ANYBODY or around.count(".") > 1
                return ANYBODY if is_far else f"{around}.{name}"
            case syntax.Call(name="sure" | "openly", arguments=(only,)):
                return self.player_of(only, names)
            case _:  # all others: the player depends on the state
                return ANYBODY

    def lasting_player(self, e: syntax.Expression, names: Names) -> str:
        """Return the name of the player to whom an expression refers, or "" if this is not always the same
        player.
        """
        if not isinstance(e, Named):
            return ""
        player = self.player_of(e, names)
        return "" if player == ANYBODY or self.may_change(player) else player

    def may_change(self, player: str) -> bool:
        """Return whether the name of a player may refer to different players at different times."""
        first, *more = player.lstrip("!^").split(".")
        seats = {"left", "right"} if not self.eliminates else set[str]()
        is_stored = first in self.model.states or first in self.model.values
        return is_stored or any(name not in seats for name in more)

    def kinds_of(self, name: str) -> tuple[str, ...]:
        """Return the kinds of pieces that belong to the named type."""
        if name in self.model.unions:
            return self.model.unions[name].names
        return (name,) if name in self.model.pieces else ()

    def pieces_of(self, e: syntax.Expression | None) -> tuple[str, ...]:
        """Return the possible kinds of the pieces that an expression returns."""
        type = self._element_type(e) if e is not None else None
        return type.names if isinstance(type, types.Piece) else ()

    def _element_type(self, e: syntax.Expression) -> types.Type | None:
        """Return the type of an expression, or the type of its innermost elements."""
        type = self.type_at(e.span)
        while isinstance(type, types.Several):
            type = item_of(type)
        return type

    def observers(
        self, place: syntax.Expression, names: Names, *, counts: bool = True
    ) -> Sequence[str]:
        """Return the players who see changes in the value of a place or in the number of pieces there."""
        part = self.place_of(place)
        if part is None or not is_hidden(part):
            return (EVERYBODY,)
        assert part.seen is not None
        if counts and isinstance(part, declared.Zone) and shows(part, "size"):
            return (EVERYBODY,)
        if part.seen.by == "nobody" or not isinstance(place, Named):
            return ()
        whose = self.owner_of(place, names)
        return (whose if part.seen.by == "owner" else f"!{whose}",)

    def shows_slots(self, place: syntax.Expression) -> bool:
        """Return whether everybody knows into which slot of a place a piece goes.

        If nobody sees the pieces in the place, no player can choose a slot to empty by looking at the piece in it.
        """
        part = self.place_of(place)
        if not isinstance(part, declared.Zone) or part.type.shape != "row" or not is_hidden(part):
            return True
        return shows(part, "slots") or (part.seen is not None and part.seen.by == "nobody")

    def audience(self, to: syntax.Expression, names: Names) -> str:
        """Return the reader of a message, given the expression after `to`."""
        if isinstance(to, syntax.Query) and to.word == "list" and to.body is None:
            return self.all_but(to.binders[0], to.where, names) or EVERYBODY
        if isinstance(to, syntax.Word) and to.name == "players":
            return EVERYBODY
        return self.player_of(to, names) if isinstance(to, Named) else EVERYBODY

    def all_but(self, binder: syntax.Binder, where: syntax.Expression | None, names: Names) -> str:
        """Return the readers `!p` if a name is bound to each player except p, otherwise ""."""
        match where:
            case syntax.Binary(operator="is not", left=syntax.Word(name=name), right=other) if (
                name == binder.name and binder.source.span.text == "players"
            ):
                player = self.lasting_player(other, names)
                return f"!{player}" if player else ""
            case _:  # all others: they may leave out more players
                return ""
