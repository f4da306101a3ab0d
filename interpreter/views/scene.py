"""Represents a position, as one viewer sees it, as a tree of nodes that can be drawn.

`scene(state, viewer)` makes a `Scene` from a view. The nodes are areas, boards, cells, piles,
cards, counters and options. They contain only information from the view, and no sizes, colours or
positions on a screen. Each node has its names from the rules, and the options of the open decision
that refer to it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal, Protocol, TypeAlias, TypeVar

import attrs

from rulewright.dsl.ir import SITE, BoardView, Shown, SpaceKind
from rulewright.interpreter.text.names import digits
from rulewright.interpreter.views.compiled_game import CompiledGame
from rulewright.interpreter.views.kept import Kept, kept_of
from rulewright.interpreter.views.log_lines import NOBODY, LogEntry
from rulewright.interpreter.views.scene_faces import Edge, Face, Faces, faces_of, readable_name
from rulewright.interpreter.views.view import (
    ALL_SEEING,
    SeenTokens,
    SeenValue,
    SeenZone,
    View,
)

_COLOUR_WORDS = ("color", "colour")
_T = TypeVar("_T", SeenZone, SeenTokens, SeenValue)


class Situation(Protocol):
    """A position, and its question."""

    cells: array[int]
    over: bool

    @property
    def terms(self) -> object: ...
    @property
    def compiled(self) -> CompiledGame: ...
    @property
    def player(self) -> int: ...
    @property
    def at_chance(self) -> bool: ...
    @property
    def option_ids(self) -> list[int]: ...
    @property
    def log(self) -> tuple[LogEntry, ...]: ...


Touched: TypeAlias = "tuple[Literal['space', 'piece', 'player', 'column', 'row'], int]"
"""A thing that an option names: a space, piece or seat with its number, or a column or row of a grid."""


@attrs.frozen
class Option:
    """An option of the open decision: its number from 0, its name, its text, and the things that it names, in order.

    `is_aside` is true if the option is always available and is not an answer to the question.
    """

    number: int
    name: str
    text: str
    touches: tuple[Touched, ...] = ()
    is_aside: bool = False


@attrs.frozen
class Decision:
    """A question, and the player who decides. Only this player and viewers who see everything get the options."""

    player: int
    prompt: str
    options: tuple[Option, ...] = ()


@attrs.frozen
class Counter:
    """A stored value: its name in the rules, its title, and the value as names and as text.

    `names` contains one name, or several for a list. If the viewer may not know the value, `names`
    is None and `text` is `hidden`. `seats` contains the players that the value names. `space` is
    the kind of the spaces that the value names. It is empty if the value names no space, and None
    if values of this type cannot name spaces.
    """

    name: str
    title: str
    index: tuple[str, ...]
    names: tuple[str, ...] | None
    text: str
    is_list: bool = False
    seats: tuple[int, ...] = ()
    is_changed: bool = False
    space: str | None = None

    @property
    def value(self) -> str:
        """Return the name of the value. The names of a list are separated by spaces."""
        return " ".join(self.names or ())

    @property
    def is_silent(self) -> bool:
        """Return whether the text is only `no`, `none`, `empty` or `hidden`."""
        return self.text in ("no", "none", "empty", "hidden")


@attrs.frozen
class Tokens:
    """The tokens in a place, as pairs of the owner's seat (-1 for nobody) and a number.

    `counts` is None if the numbers are hidden.
    """

    name: str
    title: str
    index: tuple[str, ...]
    token: str
    counts: tuple[tuple[int, int], ...] | None
    is_changed: bool = False

    @property
    def total(self) -> int:
        """Return the number of tokens that the viewer knows about."""
        return sum(count for _, count in self.counts or ())


@attrs.frozen
class Things:
    """Everything that one owner has: zones, tokens and stored values."""

    zones: tuple[Zone, ...] = ()
    tokens: tuple[Tokens, ...] = ()
    counters: tuple[Counter, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether the owner has nothing at all."""
        return not (self.zones or self.tokens or self.counters)

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns something in the zones."""
        return any(zone.is_touched for zone in self.zones)


NOTHING_THERE = Things()


@attrs.frozen
class Piece:
    """A piece, card or tile. If the piece is hidden, `face` is None. `seen` contains the public
    columns of a hidden piece.

    `slot` counts from 1 in a row. `owner` is the seat of the owner, or -1. `on` contains the things
    on the piece.
    """

    id: int
    face: Face | None
    slot: int = 0
    owner: int = -1
    seen: tuple[tuple[str, str], ...] = ()
    on: Things = NOTHING_THERE
    options: tuple[int, ...] = ()
    is_changed: bool = False

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns the piece or something on it."""
        return bool(self.options or (self.on.zones and self.on.is_touched))


@attrs.frozen
class Zone:
    """A place for pieces.

    `count` is None if the number of pieces is hidden. `pieces` contains the pieces about which the
    viewer knows something. Piles are listed from bottom to top, and rows in the order of their
    slots. `kinds` are the kinds of pieces that may be in the zone.
    """

    name: str
    title: str
    index: tuple[str, ...]
    shape: Literal["pile", "set", "row", "spot"]
    slots: int
    count: int | None
    pieces: tuple[Piece, ...]
    kinds: tuple[str, ...] = ()
    is_changed: bool = False

    @property
    def hidden(self) -> int:
        """Return the number of completely unknown pieces in the zone."""
        return max(0, (self.count or 0) - len(self.pieces))

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns a piece in the zone."""
        return any(piece.is_touched for piece in self.pieces)


@attrs.frozen
class Part:
    """A part of the text that the rules show on a cell.

    The part is either words, or a value with its kind and its name in the rules.
    """

    text: str
    kind: str = ""
    value: str = ""
    seat: int = -1


@attrs.frozen
class Space:
    """A space and the things on it. `at` is the column and row of a cell in a grid, and None for other spaces.

    `parts` are the texts that the rules show on the space. `inside` is the number of the space that
    contains this space, or -1. `is_marked` is true if the rules highlight the space. `points`
    contains the position of a corner, or the two ends of an edge. Their unit is half a cell to the
    right, and a sixth of a row in the direction of the rows.
    """

    id: int
    face: Face
    at: tuple[int, int] | None = None
    parts: tuple[Part, ...] = ()
    on: Things = NOTHING_THERE
    inside: int = -1
    options: tuple[int, ...] = ()
    is_marked: bool = False
    is_changed: bool = False
    points: tuple[tuple[int, int], ...] = ()

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns the space or something on it."""
        return bool(self.options) or self.on.is_touched


@attrs.frozen
class Board:
    """The spaces of one kind: a grid with a `shape` (square, hex, rhombus, hexagon, growing), or a graph or list.

    A board of corners or edges has the shape `corners` or `edges`; `of` is the kind of the cells to
    which they belong. `links` contains the spaces that link other spaces. `columns` and `rows` map
    the numbers of columns and rows to the options that name them. `me` is the seat for which the
    board is drawn, or -1 if all players see the same board.
    """

    kind: str
    title: str
    shape: str
    is_down: bool
    spaces: tuple[Space, ...]
    edges: tuple[Edge, ...] = ()
    links: tuple[Space, ...] = ()
    notes: tuple[str, ...] = ()
    columns: tuple[tuple[int, tuple[int, ...]], ...] = ()
    rows: tuple[tuple[int, tuple[int, ...]], ...] = ()
    me: int = -1
    of: str = ""

    @property
    def is_grid(self) -> bool:
        """Return whether the spaces have columns and rows."""
        return bool(self.shape)

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns a part of the board."""
        return bool(self.columns or self.rows) or any(
            space.is_touched for space in (*self.spaces, *self.links)
        )


@attrs.frozen
class Sheet:
    """A board of words: lines with a title and notes. `changed` contains the new lines."""

    title: str
    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()
    me: int = -1


@attrs.frozen
class Player:
    """A seat: its name, side and colour (a word of the game, or ""), and everything that the player has."""

    seat: int
    name: str
    side: str
    colour: str
    has: Things
    is_acting: bool
    is_in_play: bool
    is_viewer: bool
    options: tuple[int, ...] = ()

    @property
    def is_touched(self) -> bool:
        """Return whether an option concerns the player or the player's things."""
        return bool(self.options) or self.has.is_touched


@attrs.frozen
class Scene:
    """Everything that one viewer sees of a position. Equal views of equal decisions give equal scenes."""

    title: str
    viewer: int
    players: tuple[Player, ...]
    table: Things
    boards: tuple[Board | Sheet, ...]
    decision: Decision | None
    log: tuple[str, ...]
    is_over: bool = False
    winners: tuple[int, ...] = ()
    spoken: frozenset[str] = frozenset()
    """The names of things of the table and of spaces that boards already show."""
    spoken_of_players: frozenset[str] = frozenset()
    kept: Kept = attrs.field(factory=Kept, eq=False, repr=False)
    """A cache of drawn parts that appear in several scenes."""

    def borders(self, board: Board) -> tuple[Board, ...]:
        """Return the boards of the corners and edges that are drawn on a grid."""
        boards = (each for each in self.boards if isinstance(each, Board))
        return tuple(each for each in boards if each.of == board.kind)

    def option(self, number: int) -> Option:
        """Return the option with this number."""
        assert self.decision is not None
        return self.decision.options[number]


def scene(
    state: Situation, viewer: int, before: Situation | None = None, me: int | None = None
) -> Scene:
    """Make the scene of a position for one viewer. Everything that differs from `before` is marked as changed.

    Boards that differ between players are drawn for `me`. By default, this is the viewer, or the
    player who decides if the viewer is not a player.
    """
    compiled, cells = state.compiled, state.cells
    kept = kept_of(state.terms)
    kept.turn_to(state)
    now = _view_of(state, viewer, kept)
    old = _view_of(before, viewer, kept) if before is not None else None
    decision = _decision(state, viewer)
    whose = next((seat for seat in (me, viewer, state.player) if seat is not None and seat >= 0), 0)
    maker = _Maker(compiled, state, now, old, decision, whose, kept)
    old_boards = maker.board_texts(before) if before is not None else None
    program = compiled.program
    return Scene(
        program.title,
        viewer,
        tuple(maker.players(-1 if state.over else state.player)),
        maker.things("", -1),
        tuple(maker.boards(old_boards)),
        decision,
        tuple(line.text for line in state.log if line.is_for(viewer)),
        state.over,
        compiled.winners(cells) if state.over else (),
        maker.faces.spoken,
        maker.faces.spoken_of_players,
        kept,
    )


# ---- the seen things by owner and by place ----


@attrs.frozen(eq=False, slots=False)
class _SeenParts:
    """A view with lookups of its parts by owner and by place.

    A place is created once per program, so its `id` identifies it.
    """

    view: View

    @cached_property
    def zones(self) -> dict[_Key, list[SeenZone]]:
        return _by_owner(self.view.zones)

    @cached_property
    def tokens(self) -> dict[_Key, list[SeenTokens]]:
        return _by_owner(self.view.tokens)

    @cached_property
    def values(self) -> dict[_Key, list[SeenValue]]:
        return _by_owner(self.view.values)

    @cached_property
    def zone_at(self) -> dict[int, SeenZone]:
        return {id(zone.place): zone for zone in self.view.zones}

    @cached_property
    def tokens_at(self) -> dict[int, SeenTokens]:
        return {id(tokens.place): tokens for tokens in self.view.tokens}

    @cached_property
    def value_at(self) -> dict[int, SeenValue]:
        return {id(value.place): value for value in self.view.values}

    @cached_property
    def owner_of(self) -> dict[int, _Key]:
        """Map each piece to the owner of the zone that contains it."""
        return {
            piece.id: (zone.place.owner, zone.place.owner_id)
            for zone in self.view.zones
            for piece in zone.pieces
        }

    @cached_property
    def places(self) -> dict[_Key, set[int]]:
        """Map each owner to the `id`s of the owner's places."""
        found: dict[_Key, set[int]] = {}
        for things in (self.zones, self.tokens, self.values):
            for key, each in things.items():
                found.setdefault(key, set()).update(id(seen.place) for seen in each)
        return found

    @cached_property
    def by_owner(self) -> dict[_Key, tuple[int, ...]]:
        """Map each owner to the `id`s of the owner's things."""
        found: dict[_Key, tuple[int, ...]] = {}
        for things in (self.zones, self.tokens, self.values):
            for key, each in things.items():
                found[key] = (*found.get(key, ()), *map(id, each))
        return found

    @cached_property
    def by_kind(self) -> dict[str, tuple[int, ...]]:
        """Map each kind of owner to the `id`s of all things of these owners."""
        found: dict[str, list[int]] = {}
        for (owner, _), ids in self.by_owner.items():
            found.setdefault(owner, []).extend(ids)
        return {owner: tuple(ids) for owner, ids in found.items()}


def _view_of(state: Situation, viewer: int, kept: Kept) -> _SeenParts:
    """Return the view of a viewer. Its public part is computed once for all viewers."""
    viewers = state.compiled.viewer

    def look() -> _SeenParts:
        public = kept.of(("public", id(state)), lambda: viewers.public(state.cells), state)
        return _SeenParts(viewers.view(state.cells, viewer, public))

    return kept.of(("view", id(state), viewer), look, state)


# ---- the open decision ----


def _decision(state: Situation, viewer: int) -> Decision | None:
    if state.over:
        return None
    compiled, cells = state.compiled, state.cells
    if viewer not in (state.player, ALL_SEEING):
        asked = "" if state.at_chance else compiled.asked_of_others(cells)
        return Decision(state.player, asked)
    if state.at_chance:
        return Decision(NOBODY, compiled.prompt(cells))
    ids = state.option_ids
    names = compiled.option_names(cells, ids)
    options = tuple(
        Option(
            number,
            name,
            compiled.option_text(cells, id),
            tuple(_option_things(compiled, cells, id)),
            compiled.is_aside(cells, id),
        )
        for number, (name, id) in enumerate(zip(names, ids, strict=True))
    )
    return Decision(state.player, compiled.prompt(cells), options)


def _option_things(compiled: CompiledGame, cells: array[int], option: int) -> Iterator[Touched]:
    """Yield the things that an option names.

    A number names a column or a row if the text of the option says so.
    """
    program, words = compiled.program, compiled.words
    arm = words.arm(cells[SITE], option)
    called = _called_lines(compiled, arm.message)
    for at, ((domain, _, _), value) in enumerate(
        zip(arm.arguments, digits(arm, option), strict=True)
    ):
        if value < 0:
            continue
        if domain == program.player_domain:
            yield "player", value
        elif program.domains[domain].name == "space":
            yield "space", value
        elif program.domains[domain].name == "piece":
            yield "piece", value
        elif (line := called.get(at if len(arm.chosen) > 1 else 0)) is not None:
            yield line, value


def _called_lines(
    compiled: CompiledGame, message: int | None
) -> dict[int, Literal["column", "row"]]:
    """Map the arguments of a message that follow the word `column` or `row` to this word."""
    found: dict[int, Literal["column", "row"]] = {}
    parts = compiled.program.messages[message].parts if message is not None else ()
    for before, part in pairwise(parts):
        if isinstance(before, str) and isinstance(part, Shown):
            word = before.split()[-1] if before.split() else ""
            if word == "column":
                found[part.argument] = "column"
            elif word == "row":
                found[part.argument] = "row"
    return found


# ---- the content of places ----


_Key: TypeAlias = "tuple[str, int]"


@attrs.frozen
class _BoardTexts:
    """The texts around a board, and the spaces that the rules highlight."""

    title: str = ""
    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    marked: frozenset[int] = frozenset()


class _Maker:
    """Makes the nodes of one scene."""

    def __init__(
        self,
        compiled: CompiledGame,
        state: Situation,
        now: _SeenParts,
        old: _SeenParts | None,
        decision: Decision | None,
        me: int,
        kept: Kept,
    ) -> None:
        self.compiled, self.state, self.now, self.me = compiled, state, now, me
        self.old, self.kept = old, kept
        self.program = compiled.program
        self.faces: Faces = faces_of(compiled)
        self.seats = {name: seat for seat, name in enumerate(compiled.words.players)}
        players = self.program.domains[self.program.player_domain]
        self.seats_by_value = {name: seat for seat, name in enumerate(players.names)}
        self.touching: dict[Touched, tuple[int, ...]] = {}
        for option in decision.options if decision else ():
            for touched in dict.fromkeys(option.touches):
                self.touching[touched] = (*self.touching.get(touched, ()), option.number)
        self.kinds, self.domains = self.faces.kinds_in, self.faces.domains_of
        self.zones, self.tokens, self.values = now.zones, now.tokens, now.values
        self.is_compared = old is not None
        self.has_on_pieces = not self.faces.piece_kinds.isdisjoint(now.by_kind)
        self.touched = {sort for sort, _ in self.touching}
        chosen = {id for sort, id in self.touching if sort == "piece"}
        kinds = self.faces.piece_kinds if self.has_on_pieces else ()
        carrying = {id for kind, id in now.by_owner if kind in kinds}
        self.special = chosen | carrying
        self.with_chosen = self._owners_of(chosen)
        self.with_special = self.with_chosen | self._owners_of(carrying)

    def _owners_of(self, pieces: set[int]) -> set[_Key]:
        """Return the owners of the zones that contain the given pieces.

        If an owner is itself a piece, the owners of the zone of that piece are added too.
        """
        found: set[_Key] = set()
        while pieces:
            owners = {self.now.owner_of[piece] for piece in pieces if piece in self.now.owner_of}
            pieces = {number for kind, number in owners - found if kind in self.faces.piece_kinds}
            found |= owners
        return found

    def things(self, owner: str, number: int) -> Things:
        """Return all things of an owner."""
        key = owner, number
        ids = self.now.by_owner.get(key)
        if ids is None:
            return NOTHING_THERE
        if key in self.with_special:
            return self._things(key)
        old = self.old.by_owner.get(key) if self.old else None
        return self.kept.of(
            ("things of", ids, old, self.is_compared),
            lambda: self._things(key),
            self.now,
            self.old,
        )

    def _things(self, key: _Key) -> Things:
        zones, tokens, values = self.zones.get(key), self.tokens.get(key), self.values.get(key)
        found = (
            tuple(map(self._zone, zones or ())),
            tuple(map(self._tokens, tokens or ())),
            tuple(map(self._counter, values or ())),
        )
        ids = tuple(tuple(map(id, each)) for each in found)
        return self.kept.of(("things", ids), lambda: Things(*found))

    def _zone(self, zone: SeenZone) -> Zone:
        old = self.old.zone_at.get(id(zone.place)) if self.old else None
        marked: list[tuple[int, tuple[int, ...], int]] = []
        if (zone.place.owner, zone.place.owner_id) in self.with_special:
            for piece in zone.pieces:
                if piece.id in self.special:
                    options, on = self.touching.get(("piece", piece.id), ()), self._on(piece.id)
                    marked.append((piece.id, options, id(on)))
        key = "zone", id(zone), id(old), self.is_compared, tuple(marked)
        return self.kept.of(key, lambda: self._make_zone(zone, old), zone, old)

    def _make_zone(self, zone: SeenZone, old: SeenZone | None) -> Zone:
        known = {(piece.id, piece.slot) for piece in old.pieces} if old else set()
        pieces = tuple(
            self._piece(
                piece.id,
                piece.slot,
                piece.columns,
                self.is_compared and piece.id >= 0 and (piece.id, piece.slot) not in known,
            )
            for piece in zone.pieces
        )
        return Zone(
            zone.place.name,
            zone.place.title,
            zone.place.index,
            zone.shape,
            zone.slots,
            zone.count,
            pieces,
            self.kinds.get((zone.place.owner, zone.place.name), ()),
            self.is_compared and (old is None or old != zone),
        )

    def _on(self, piece: int) -> Things:
        """Return all things on a piece."""
        if not self.has_on_pieces or piece < 0:
            return NOTHING_THERE
        return self.things(self.faces.of_piece(piece).kind, piece)

    def _piece(
        self, id: int, slot: int, seen: tuple[tuple[str, str], ...], is_changed: bool
    ) -> Piece:
        if id < 0:
            return Piece(-1, None, slot, seen=seen)
        face = self.faces.of_piece(id)
        options, on = self.touching.get(("piece", id), ()), self._on(id)
        return self.kept.of(
            ("piece", id, slot, _number(on), options, is_changed),
            lambda: Piece(id, face, slot, face.owner, (), on, options, is_changed),
        )

    def _tokens(self, tokens: SeenTokens) -> Tokens:
        old = self.old.tokens_at.get(id(tokens.place)) if self.old else None
        is_changed = self.is_compared and (old is None or old.counts != tokens.counts)
        return self.kept.of(
            ("tokens", id(tokens), is_changed),
            lambda: self._make_tokens(tokens, is_changed=is_changed),
            tokens,
        )

    def _make_tokens(self, tokens: SeenTokens, *, is_changed: bool) -> Tokens:
        counts = None
        if tokens.counts is not None:
            counts = tuple((self.seats.get(whose, -1), count) for whose, count in tokens.counts)
        place = tokens.place
        return Tokens(place.name, place.title, place.index, tokens.token, counts, is_changed)

    def _counter(self, value: SeenValue) -> Counter:
        old = self.old.value_at.get(id(value.place)) if self.old else None
        is_changed = self.is_compared and (old is None or old.value != value.value)
        return self.kept.of(
            ("value", id(value), is_changed),
            lambda: self._make_counter(value, is_changed=is_changed),
            value,
        )

    def _make_counter(self, value: SeenValue, *, is_changed: bool) -> Counter:
        names = (value.value,) if isinstance(value.value, str) else value.value
        domain = self.domains.get((value.place.owner, value.place.name), -1)
        seats: tuple[int, ...] = ()
        if domain == self.program.player_domain and names:
            known = self.seats_by_value
            seats = tuple(known[name] for name in names if name in known)
        return Counter(
            value.place.name,
            value.place.title,
            value.place.index,
            names,
            readable_name(value.text),
            not isinstance(value.value, str) and value.value is not None,
            seats,
            is_changed,
            self.faces.kind_of_row(names, domain),
        )

    # ---- players ----

    def players(self, acting: int) -> Iterator[Player]:
        """Yield the players in the order of their seats."""
        sides = self.program.sides
        for seat, name in enumerate(self.compiled.words.players):
            has = self.things("player", seat)
            side, colour = readable_name(sides[seat]) if sides else "", self._colour(seat)
            acts, plays = seat == acting, self.now.view.in_play[seat]
            views, options = seat == self.now.view.viewer, self.touching.get(("player", seat), ())
            yield self.kept.of(
                ("player", seat, name, side, colour, id(has), acts, plays, views, options),
                partial(Player, seat, name, side, colour, has, acts, plays, views, options),
            )

    def _colour(self, seat: int) -> str:
        """Return a player's stored or computed value `color`, if the viewer sees it."""
        for value in self.values.get(("player", seat), ()):
            if value.place.name in _COLOUR_WORDS:
                return value.value if isinstance(value.value, str) else ""
        for known in self.program.values:
            if known.name in _COLOUR_WORDS and known.domains == (self.program.player_domain,):
                number = self.kept.of(
                    ("colour", id(self.state), seat),
                    partial(self.compiled.number, self.state.cells, known.procedure, (seat,)),
                    self.state,
                )
                return self.compiled.words.name(known.domain, number)
        return ""

    # ---- boards ----

    def board_texts(self, state: Situation) -> list[Mapping[int, tuple[Part, ...]] | _BoardTexts]:
        """Return the content of each board, in a form that can be compared with the content in another state."""
        return [
            self._board_texts(number, board, state)
            if not board.space
            else self._cell_texts(board, state)
            for number, board in enumerate(self.program.boards)
        ]

    def _board_texts(self, number: int, board: BoardView, state: Situation) -> _BoardTexts:
        """Return the texts of a board. If they are the same for all viewers, they are computed once."""
        compiled, me = self.compiled, self.me if board.of_player else -1
        drawn = max(me, 0)

        def say() -> _BoardTexts:
            cells = state.cells
            return _BoardTexts(
                compiled.board_title(cells, board, drawn),
                compiled.board_notes(cells, board, drawn),
                compiled.board_lines(cells, board, drawn) if not board.space else (),
                compiled.board_marks(cells, board, drawn) if board.space else frozenset(),
            )

        return self.kept.of(("said", number, id(state), me), say, state)

    def boards(
        self, old: Sequence[Mapping[int, tuple[Part, ...]] | _BoardTexts] | None
    ) -> Iterator[Board | Sheet]:
        """Yield the boards in the order of the rules, then a board for each kind of space that the
        rules do not mention."""
        kinds = {kind.name: kind for kind in self.program.spaces if not self.faces.is_link(kind)}
        for number, board in enumerate(self.program.boards):
            said = self._board_texts(number, board, self.state)
            me = self.me if board.of_player else -1
            before = old[number] if old is not None else None
            if not board.space:
                changed: frozenset[str] = frozenset()
                if isinstance(before, _BoardTexts):
                    changed = frozenset(said.lines) - frozenset(before.lines)
                parts = said.title, said.lines, said.notes, changed, me
                yield self.kept.of(("sheet", *parts), partial(Sheet, *parts))
            elif board.space in kinds:
                kind = kinds.pop(board.space)
                was = None if before is None or isinstance(before, _BoardTexts) else before
                yield self._board(kind, said, board, was, me)
        for kind in kinds.values():
            yield self._board(kind, _BoardTexts(), None, None, -1)

    def _board(
        self,
        kind: SpaceKind,
        said: _BoardTexts,
        view: BoardView | None,
        old: Mapping[int, tuple[Part, ...]] | None,
        me: int,
    ) -> Board:
        shown = self._cell_texts(view, self.state) if view is not None else _NOTHING_SHOWN

        def make() -> Board:
            return self._make_board(kind, said, shown, old, me)

        network = self.faces.network(kind)
        of = (kind.name, *(name for name in self.faces.link_kinds if network.edges))
        of = (*of, *self.faces.piece_kinds) if self.has_on_pieces else of
        was = self.old.by_kind if self.old else {}
        ids = tuple((self.now.by_kind.get(name), was.get(name)) for name in of)
        marks = said.title, said.notes, said.marked, me
        key = "board", kind.name, ids, id(shown), id(old), marks, self.is_compared
        if self.touching and self._touches(kind, *self.faces.link_kinds):
            return make()
        return self.kept.of(key, make, self.now, self.old, shown, old)

    def _touches(self, kind: SpaceKind, *links: str) -> bool:
        """Return whether an option names a space of a kind, a piece on a space of the kind, a link, or a whole line."""
        if self.touched & {"column", "row"}:
            return True
        if any(owner in (kind.name, *links) for owner, _ in self.with_chosen):
            return True
        return any(
            sort == "space" and (kind.first <= id < kind.first + kind.count or links)
            for sort, id in self.touching
        )

    def _make_board(
        self,
        kind: SpaceKind,
        said: _BoardTexts,
        shown: Mapping[int, tuple[Part, ...]],
        old: Mapping[int, tuple[Part, ...]] | None,
        me: int,
    ) -> Board:
        network = self.faces.network(kind)
        spaces = tuple(
            self._space(
                kind,
                number,
                shown.get(number, ()),
                network.parents[number - kind.first],
                number in said.marked,
                old is not None and old.get(number, ()) != shown.get(number, ()),
            )
            for number in self._spaces_to_draw(kind, shown)
        )
        links = tuple(
            self._space(self.faces.kind_of_space(edge.space), edge.space, (), -1, False, False)
            for edge in network.edges
            if edge.space >= 0
        )
        columns, rows = tuple(self._lines(kind, "column", 0)), tuple(self._lines(kind, "row", 1))
        ids = tuple(map(id, spaces)), tuple(map(id, links))
        parts = said.notes, columns, rows, me, kind.of
        title = said.title or ("" if kind.places else _words(kind.name))
        shape = kind.shape if kind.places else ""
        return self.kept.of(
            ("board of", kind.name, title, ids, parts),
            partial(
                Board, kind.name, title, shape, kind.down, spaces, network.edges, links, *parts
            ),
        )

    def _lines(
        self, kind: SpaceKind, word: Literal["column", "row"], axis: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield those columns or rows of a grid that options name, each with the options that name it."""
        for number in sorted({place[axis] for place in kind.places} if not kind.growing else ()):
            options = self.touching.get((word, number), ())
            if options:
                yield number, options

    def _spaces_to_draw(self, kind: SpaceKind, shown: Mapping[int, object]) -> Iterable[int]:
        """Return the spaces to draw.

        On a growing grid, these are the used spaces, the spaces that options name, and the spaces
        around both.
        """
        every = range(kind.first, kind.first + kind.count)
        if not kind.growing:
            return every
        groups = (*self.zones, *self.tokens, *self.values)
        used = {
            *shown,
            *(id for owner, id in groups if owner == kind.name),
            *(id for sort, id in self.touching if sort == "space" and id in every),
        }
        at = {kind.places[number - kind.first]: number for number in used}
        return sorted(at.values())

    def _space(
        self,
        kind: SpaceKind,
        number: int,
        parts: tuple[Part, ...],
        inside: int,
        is_marked: bool,
        is_other: bool,
    ) -> Space:
        key = kind.name, number
        at = kind.places[number - kind.first] if kind.places else None
        points = kind.points[number - kind.first] if kind.points else ()
        options = self.touching.get(("space", number), ())

        def make() -> Space:
            on = self.things(*key)
            changed = is_other or (
                self.is_compared
                and (
                    any(zone.is_changed for zone in on.zones)
                    or any(tokens.is_changed for tokens in on.tokens)
                    or any(counter.is_changed for counter in on.counters)
                    or self._is_gone(*key)
                )
            )
            face, marks = self.faces.of_space(number), (inside, options, is_marked, changed)
            return self.kept.of(
                ("space of", number, parts, id(on), marks),
                partial(Space, number, face, at, parts, on, *marks, points),
            )

        if key in self.with_special:
            return make()
        ids = self.now.by_owner.get(key), self.old.by_owner.get(key) if self.old else None
        looks = parts, inside, options, is_marked, is_other, self.is_compared
        return self.kept.of(("space", number, ids, looks), make, self.now, self.old)

    def _is_gone(self, owner: str, number: int) -> bool:
        """Return whether something has disappeared from a place.

        Views leave out empty things, so a thing that has disappeared is missing in the new view.
        """
        before = self.old.places.get((owner, number)) if self.old else None
        return before is not None and not before <= self.now.places.get((owner, number), set())

    def _cell_texts(self, board: BoardView, state: Situation) -> Mapping[int, tuple[Part, ...]]:
        """Return the text that the rules show on each cell of a grid, in parts. Boards with equal
        texts share one object."""
        me = self.me if board.of_player else -1

        def look() -> Mapping[int, tuple[Part, ...]]:
            found = self._look(board, state.cells, max(me, 0))
            return self.kept.of(("looks", tuple(found.items())), lambda: found)

        return self.kept.of(("shown", board.space, id(state), me), look, state)

    def _look(self, board: BoardView, cells: array[int], me: int) -> dict[int, tuple[Part, ...]]:
        kind = next(each for each in self.program.spaces if each.name == board.space)
        found = {}
        for number in self.compiled.drawn_spaces(cells, kind):
            for message, procedure in board.shows:
                arguments = self.compiled.list(cells, procedure, (number, me))
                if all(argument not in (-1, ()) for argument in arguments):
                    found[number] = self.kept.of(
                        ("parts", message, arguments),
                        lambda m=message, a=arguments: tuple(self._parts(m, a)),  # type: ignore[misc]  # bound early
                    )
                    break
        return found

    def _parts(self, message: int, arguments: Sequence[object]) -> Iterator[Part]:
        words, program = self.compiled.words, self.program
        for part in program.messages[message].parts:
            if isinstance(part, str):
                yield Part(part)
            elif isinstance(part, Shown) and isinstance(value := arguments[part.argument], int):
                domain = program.domains[part.domain]
                kind = domain.name.removeprefix("kind ")
                is_player = part.domain == program.player_domain
                name = words.name(part.domain, value)
                seat = _seat_of_sign(name, domain.names, program.seats)
                yield Part(
                    words.text(part.domain, value),
                    "Player" if is_player else kind,
                    name,
                    value if is_player else seat,
                )
            else:
                yield Part(words.part(part, arguments))  # type: ignore[arg-type]  # the arguments are values


def _seat_of_sign(sign: str, known: Sequence[str], seats: int) -> int:
    """Return the player for whom a sign stands, or -1 if the sign stands for no player.

    If a sign is a letter that occurs in both cases, capitals stand for the first player. Small
    letters stand for the second of two players.
    """
    other = sign.swapcase()
    if not sign.startswith('"') or other == sign or other not in known:
        return -1
    return 0 if sign.isupper() else 1 if seats == 2 else -1


_number = id
_NOTHING_SHOWN: Mapping[int, tuple[Part, ...]] = {}


def _words(name: str) -> str:
    """Convert a name such as `MarketPlace` to `Market place`."""
    text = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
    return text[:1].upper() + text[1:]


def _by_owner(things: Iterable[_T]) -> dict[_Key, list[_T]]:
    found: dict[_Key, list[_T]] = {}
    for thing in things:
        found.setdefault((thing.place.owner, thing.place.owner_id), []).append(thing)
    return found
