"""Whole games of Colonial: setup, turns and ends (CO-027 to CO-054, CO-230 to CO-232, CO-251, CO-258 to CO-260)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from tests.oracles.colonial.characters import (
    ambassador,
    can_send_viceroy,
    financier,
    governor,
    governor_options,
    missionary,
    missionary_options,
    rebel,
    rebel_options,
    scientist,
    scientist_options,
    viceroy,
)
from tests.oracles.colonial.conqueror import conqueror, conqueror_options
from tests.oracles.colonial.decisions import (
    DONE,
    Decision,
    Dice,
    Flow,
    Option,
    Table,
    numbers,
)
from tests.oracles.colonial.explorer import explorer, explorer_options
from tests.oracles.colonial.position import Position, Seat, Won
from tests.oracles.colonial.tables import TRACKS, Tables
from tests.oracles.colonial.trade import can_ship, merchant, trader
from tests.oracles.colonial.war import sovereign, sovereign_options

ROUNDS = 5  # CO-001
PASS: Option = ("pass",)

Usable = Callable[[Position, int], object]
"""Whether a character can do something."""
Use = Callable[[Table, int], Flow[None]]

CHARACTERS: dict[str, tuple[Usable, Use]] = {
    "ambassador": (lambda _position, _player: True, ambassador),
    "conqueror": (conqueror_options, conqueror),
    "explorer": (explorer_options, explorer),
    "financier": (lambda _position, _player: True, financier),
    "governor": (governor_options, governor),
    "merchant": (can_ship, merchant),
    "missionary": (missionary_options, missionary),
    "rebel": (rebel_options, rebel),
    "scientist": (scientist_options, scientist),
    "sovereign": (sovereign_options, sovereign),
    "trader": (lambda position, _player: any(seat.goods for seat in position.seats), trader),
    "viceroy": (can_send_viceroy, viceroy),
}


# ---- Setup -----------------------------------------------------------------------------------------


def new_position(tables: Tables, players: int, first: int) -> Position:
    """The position before nations are chosen (CO-027 to CO-034)."""
    setup = tables.setup[players]
    seats = [
        Seat(
            treasury=setup["treasury"],
            fleets=setup["merchant_fleets"],
            squadrons=setup["squadrons"],
            diplomacy=setup["diplomacy_position"],
            steps={track: setup[f"{track}_step"] - 1 for track in TRACKS},
        )
        for _ in range(players)
    ]
    seats[first].treasury -= setup["first_player_discards"]  # CO-033
    return Position(
        tables,
        seats,
        stacks={space: [] for space in tables.spaces},
        prestige={t: printed.prestige for t, printed in tables.territories.items()},
        unrest=dict.fromkeys(tables.territories, 0),
        missions=dict.fromkeys(tables.territories, 0),
        america=tables.america_prestige,
        first=first,
        acting=first,
    )


def plays_nations(players: int, chosen: bool) -> bool:
    """CO-017, CO-258."""
    return players < 4 or (chosen and players < 6)


def leave_out(position: Position) -> None:
    """The map of two and three players (CO-259, CO-260)."""
    tables = position.tables
    nations = [tables.nations[seat.nation] for seat in position.seats]
    kept = set().union(*(nation.objectives for nation in nations))
    for territory in tables.territories.keys() - kept:
        del position.prestige[territory], position.unrest[territory], position.missions[territory]
        for space in tables.territories[territory].spaces:
            del position.stacks[space]
    if not {"spain", "portugal"} & {nation.name for nation in nations}:
        position.america = 0
        position.america_discovered = True


# ---- The course of a game --------------------------------------------------------------------------


def choose_nations(table: Table) -> Flow[None]:
    """CO-231."""
    position = table.position
    left = list(position.tables.nations)
    for player in reversed(position.in_turn):
        (name,) = yield Decision(player, tuple((nation,) for nation in left))
        position.seats[player].nation = str(name)
        left.remove(str(name))


def hand(position: Position, player: int) -> list[str]:
    """The cards of a player at the start of a turn (CO-029, CO-235, CO-241)."""
    cards = list(position.tables.cards)
    nation = position.nation(player)
    lapsed = position.seats[player].lapsed and nation and "extra_explorer" in nation.lapsing
    return [*cards, nation.extra_card] if nation and not lapsed else cards


def lay_cards(table: Table) -> Flow[None]:
    """CO-039 to CO-041."""
    position = table.position
    for player in position.players:
        seat = position.seats[player]
        seat.laid, seat.used = [], []
        cards = hand(position, player)
        for _ in range(ROUNDS):
            offered = tuple(("lay", card) for card in dict.fromkeys(cards))
            _, card = yield Decision(player, offered)
            seat.laid.append(str(card))
            cards.remove(str(card))


def uses(position: Position, player: int, card: str) -> list[Option]:
    """The characters of a card that a player may use and pass (CO-044, CO-045, CO-236)."""
    nation, used = position.nation(player), position.seats[player].used
    found: list[Option] = []
    for character in position.tables.cards[card]:
        allowed = 2 if nation and character in nation.twice else 1
        if used.count(character) < allowed and CHARACTERS[character][0](position, player):
            found.append(("use", character))
    return [*found, PASS]


def play_card(table: Table, player: int) -> Flow[None]:
    """CO-042 to CO-046."""
    position = table.position
    seat = position.seats[player]
    card = seat.laid[position.round - 1]
    position.acting = table.resolving = player
    taken = yield from table.ask(player, lambda: uses(position, player, card))
    if taken != PASS:
        character = str(taken[1])
        seat.used.append(character)
        yield from CHARACTERS[character][1](table, player)
        if seat.owes and seat.treasury:  # CO-160
            yield from table.ask(player, lambda: [DONE])
    table.resolving = None


def endeavor(table: Table) -> Flow[None]:
    """CO-039 to CO-046."""
    position = table.position
    position.round = 0
    yield from lay_cards(table)
    for position.round in range(1, ROUNDS + 1):
        for player in position.in_turn:
            yield from play_card(table, player)


def merchant_fleets(table: Table) -> Flow[None]:
    """CO-048."""
    position = table.position
    for player in position.in_turn:
        moved = yield from _buy(table, player, position.monopolies(player))
        position.seats[player].fleets += moved


def first_player(position: Position) -> None:
    """CO-049 to CO-051."""
    counts = [position.monopolies(player) for player in position.players]
    most = max(counts)
    if counts.count(most) == 1:
        position.first = counts.index(most)
    else:
        position.first = (position.first + 1) % len(counts)


def naval_forces(table: Table) -> Flow[None]:
    """CO-052."""
    position = table.position
    for player in position.in_turn:
        moved = yield from _buy(table, player, position.value(player, "navy"))
        position.seats[player].squadrons += moved


def _buy(table: Table, player: int, limit: int) -> Flow[int]:
    """How many treasures are moved out of a treasury."""
    position = table.position
    seat = position.seats[player]
    position.acting = player
    if not min(limit, seat.treasury):
        return 0
    (number,) = yield from table.ask(player, lambda: numbers(0, min(limit, seat.treasury)))
    seat.treasury -= int(number)
    return int(number)


def loan_interest(position: Position) -> None:
    """CO-053."""
    for seat in position.seats:
        seat.loans = [loan + 1 for loan in seat.loans]


def overstretch(table: Table) -> Flow[None]:
    """CO-251."""
    position = table.position
    for player in position.in_turn:
        seat = position.seats[player]
        if not position.can(player, "overstretch") or not seat.prestige:
            continue
        position.acting = player

        def ways(seat: Seat = seat) -> list[Option]:
            return [("pay",), ("lose",)] if seat.treasury >= seat.prestige else [("lose",)]

        if seat.treasury >= seat.prestige and (yield from table.ask(player, ways)) == ("pay",):
            seat.treasury -= seat.prestige
        else:
            position.lose_prestige(player, 1)


def whole_game(table: Table, nations: bool, turn_limit: int) -> Flow[None]:
    """CO-036, CO-038; with a limit the game ends after this many turns."""
    position = table.position
    if nations:
        yield from choose_nations(table)
        if len(position.seats) < 4:
            leave_out(position)
    while True:
        yield from endeavor(table)
        yield from merchant_fleets(table)
        first_player(position)
        yield from naval_forces(table)
        loan_interest(position)
        yield from overstretch(table)
        if position.turn == turn_limit:
            return
        position.turn += 1


@attrs.define
class Match:
    """A flow in play: its open decision, or the end."""

    table: Table
    flow: Flow[None]
    open: Decision | None = None
    winners: tuple[int, ...] = ()

    def __attrs_post_init__(self) -> None:
        self._go(None)

    @property
    def position(self) -> Position:
        return self.table.position

    @property
    def over(self) -> bool:
        return self.open is None

    def decision(self) -> Decision:
        """The player who decides, and the options."""
        assert self.open is not None
        return self.open

    def apply(self, option: Option) -> None:
        """Continue to the next decision or to the end."""
        if option not in self.decision().options:
            raise ValueError(f"{option} is not offered: {self.decision().options}")
        self._go(option)

    def _go(self, option: Option | None) -> None:
        try:
            self.open = next(self.flow) if option is None else self.flow.send(option)
        except Won as end:
            self.open, self.winners = None, (end.winner,)
        except StopIteration:
            self.open, self.winners = None, tuple(_ahead(self.position))


def _ahead(position: Position) -> Iterator[int]:
    """First players without debts, then most prestige, then least debt (CO-162, CO-263)."""
    ranks = [(bool(seat.loans), -seat.prestige, sum(seat.loans)) for seat in position.seats]
    return (player for player, rank in enumerate(ranks) if rank == min(ranks))


def start(
    tables: Tables, players: int, first: int, dice: Dice, nations: bool, turn_limit: int = 0
) -> Match:
    """A new match; the caller gives the first player and the dice."""
    nations = plays_nations(players, nations)
    table = Table(new_position(tables, players, first), dice)
    return Match(table, whole_game(table, nations, turn_limit))
