"""The position on the table, and the questions to players; independent of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from typing import Literal, TypeAlias, TypeVar

import attrs

from tests.oracles.through_the_ages.cards import Card, Tables

T = TypeVar("T")
Mode = Literal["first_game", "full", "shorter", "peaceful"]
Option: TypeAlias = tuple[str | int, ...]
"""An option, in words of the game: the action and its arguments."""
Shuffle: TypeAlias = Callable[[str, list[str]], list[str]]
"""Chance: returns an order of the cards of a pile with that name, the top card first."""


@attrs.frozen
class Decision:
    """A decision: the player and the options."""

    player: int
    about: str
    options: tuple[Option, ...]


Flow: TypeAlias = Generator[Decision, Option, T]
"""A rule that asks."""


@attrs.define(eq=False)
class Player:
    """A civilization, and what its player holds."""

    seat: int
    tokens: Counter[str] = attrs.field(factory=Counter)  # blue tokens on technologies
    workers: dict[str, int] = attrs.field(factory=dict)  # on each technology with workers in play
    pool: int = 1  # TA-020
    yellow_bank: int = 18
    blue_bank: int = 16  # TA-019
    science: int = 0  # TA-024
    culture: int = 0
    government: str = "despotism"
    specials: list[str] = attrs.field(factory=list)
    leader: str | None = None
    leaders_taken: set[int] = attrs.field(factory=set)  # their ages (TA-071)
    wonders: list[str] = attrs.field(factory=list)  # completed ones
    face_down: set[str] = attrs.field(factory=set)
    homer_under: str | None = None
    unfinished: str | None = None
    stages: int = 0  # covered ones
    colonies: list[str] = attrs.field(factory=list)
    tactic: str | None = None
    exclusive: bool = False  # the tactics card lies in the play area
    civil_hand: list[str] = attrs.field(factory=list)
    military_hand: list[str] = attrs.field(factory=list)
    ca: int = 4
    ma: int = 2
    ca_total: int = 4  # TA-022
    ma_total: int = 2
    resigned: bool = False
    caesar_used: bool = False
    skips_politics: bool = False  # TA-525
    end_events: list[str] = attrs.field(factory=list)  # of the shorter game (TA-588)
    # For the turn only:
    taken: Counter[str] = attrs.field(factory=Counter)  # action cards (TA-166)
    used: set[str] = attrs.field(factory=set)  # abilities that work once in a turn
    temp_resources: int = 0
    temp_science: int = 0
    temp_ma: int = 0
    replaced_leader: bool = False
    chose_tactic: bool = False

    @property
    def all_wonders_face_up(self) -> list[str]:
        """Completed wonders whose effects are active (TA-532)."""
        return [name for name in self.wonders if name not in self.face_down]


@attrs.define(eq=False)
class War:
    """A declared war (TA-367); as another one in the shorter game (TA-592)."""

    attacker: int
    defender: int
    card: str
    fought_as: str


@attrs.define(eq=False)
class Pact:
    """A pact in the play area of its owner; `a` and `b` are the sides."""

    owner: int
    card: str
    a: int
    b: int

    def binds(self, seat: int) -> bool:
        """Whether a player is a party."""
        return seat in (self.a, self.b)

    def other(self, seat: int) -> int:
        """The other party."""
        return self.b if seat == self.a else self.a


@attrs.define(eq=False)
class Table:
    """The whole position."""

    tables: Tables
    mode: Mode
    global_conflict: bool
    quiet_pacts: bool  # the peaceful game with the pacts of TA-602
    shuffle: Shuffle
    players: list[Player]
    starter: int = 0
    current: int = 0
    round: int = 1
    age: int = 0
    last_round: int | None = None
    winners: list[int] = attrs.field(factory=list)
    row: list[str | None] = attrs.field(factory=list)
    civil_deck: list[str] = attrs.field(factory=list)
    military_deck: list[str] = attrs.field(factory=list)
    next_civil: dict[int, list[str]] = attrs.field(factory=dict)  # decks of ages to come
    next_military: dict[int, list[str]] = attrs.field(factory=dict)
    discards: dict[int, list[str]] = attrs.field(factory=lambda: {0: [], 1: [], 2: [], 3: []})
    current_events: list[str] = attrs.field(factory=list)
    future_events: list[str] = attrs.field(factory=list)
    past_events: list[str] = attrs.field(factory=list)
    common_events: list[str] = attrs.field(factory=list)  # of the shorter game (TA-590)
    common_tactics: list[str] = attrs.field(factory=list)
    wars: list[War] = attrs.field(factory=list)
    pacts: list[Pact] = attrs.field(factory=list)
    out: Counter[str] = attrs.field(factory=Counter)  # cards that left the game

    def card(self, name: str) -> Card:
        """A card by name."""
        return self.tables[name]

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.current]

    @property
    def left(self) -> list[Player]:
        """The remaining players, in seat order."""
        return [player for player in self.players if not player.resigned]

    def clockwise(self, seat: int) -> list[Player]:
        """The remaining players, starting with a seat."""
        seats = self.players[seat:] + self.players[:seat]
        return [player for player in seats if not player.resigned]

    @property
    def in_order(self) -> list[Player]:
        """Everybody from the current player on (TA-225)."""
        return self.clockwise(self.current)

    def rivals(self, player: Player) -> list[Player]:
        """The others, in seat order."""
        return [other for other in self.left if other is not player]

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return bool(self.winners)

    @property
    def is_last_age(self) -> bool:
        """Age III of the short modes, Age IV of the others: no decks (TA-063, TA-302, TA-530)."""
        return self.age == last_age(self.mode)

    @property
    def is_last_round(self) -> bool:
        """Whether this is the last round (TA-327, TA-341)."""
        return self.last_round == self.round


def last_age(mode: Mode) -> int:
    """The age without decks (TA-326, TA-340, TA-597)."""
    return 3 if mode in ("first_game", "shorter") else 4


def ask(player: Player, about: str, options: Iterable[Option]) -> Flow[Option]:
    """Ask a player; a single option is taken without a question."""
    found = tuple(dict.fromkeys(options))
    if len(found) == 1:
        return found[0]
    answer = yield Decision(player.seat, about, found)
    if answer not in found:
        raise ValueError(f"{answer} is not offered: {found}")
    return answer
