"""A position of Colonial, and its automatic changes after a move.

Independent of turns and characters.
"""

from __future__ import annotations

from collections import Counter

import attrs

from tests.oracles.colonial.tables import GOAL, LAPSE, RIGHT_END, TRACKS, Kind, Nation, Tables


class Won(Exception):
    """A player has won; the game is over at once (CO-086)."""

    def __init__(self, winner: int) -> None:
        super().__init__(winner)
        self.winner = winner


@attrs.frozen
class Held:
    """The state of a space and its type."""

    controller: int | None
    monopolist: int | None


@attrs.define
class Seat:
    """The possessions of a player besides the markers on the map. The stock has no limit (CO-005)."""

    nation: str = ""
    treasury: int = 0
    fleets: int = 0
    squadrons: int = 0
    prestige: int = 0
    diplomacy: int = 0
    goods: int = 0
    """His goods on the market (CO-020)."""
    steps: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(TRACKS, 0))
    loans: list[int] = attrs.field(factory=list)
    lapsed: bool = False
    """Whether the rules marked ** have lapsed for him (CO-247)."""
    laid: list[str] = attrs.field(factory=list)
    """His chosen cards of this turn, in order; the first ones, before the current round, have been played."""
    used: list[str] = attrs.field(factory=list)
    """The characters he has used this turn (CO-236)."""

    @property
    def owes(self) -> bool:
        """CO-162."""
        return bool(self.loans)


@attrs.define
class Position:
    """The map, the market and the players, who sit clockwise by their numbers."""

    tables: Tables
    seats: list[Seat]
    stacks: dict[str, list[int]]
    """The markers of each resource space from bottom to top (CO-055). Spaces out of the game are left out."""
    prestige: dict[str, int]
    unrest: dict[str, int]
    missions: dict[str, int]
    colonies: dict[str, int] = attrs.field(factory=dict)
    independent: set[str] = attrs.field(factory=set)
    city: str = ""
    """Where the booming city is; nowhere at first (CO-034)."""
    city_value: int = 0
    america: int = 0
    """Prestige on the space of the Discovery of America."""
    circumnavigation: int = 0
    america_discovered: bool = False
    america_since: tuple[int, int] = (0, 0)
    """The turn and the round of that discovery (CO-114)."""
    first: int = 0
    turn: int = 1
    round: int = 0
    acting: int = 0
    """The player whose turn it is (CO-088)."""
    waiting: set[str] = attrs.field(factory=set)
    """Tea and opium of the acting player, who has just come to Economy 6 (CO-077)."""

    # ---- Players ---------------------------------------------------------------------------------

    @property
    def players(self) -> range:
        return range(len(self.seats))

    @property
    def in_turn(self) -> list[int]:
        """The first player and the others clockwise (CO-037)."""
        return self.clockwise(self.first)

    def clockwise(self, start: int) -> list[int]:
        return [(start + n) % len(self.seats) for n in self.players]

    def value(self, player: int, track: str) -> int:
        """CO-079."""
        return self.tables.tracks[track][self.seats[player].steps[track]]

    def nation(self, player: int) -> Nation | None:
        return self.tables.nations.get(self.seats[player].nation)

    def can(self, player: int, ability: str) -> bool:
        """Whether a modification of his nation card counts now (CO-232, CO-247)."""
        nation = self.nation(player)
        if nation is None or ability not in nation.abilities:
            return False
        return not (ability in nation.lapsing and self.seats[player].lapsed)

    def is_objective(self, player: int, territory: str) -> bool:
        nation = self.nation(player)
        return nation is not None and territory in nation.objectives

    def move_left(self, player: int, spaces: int = 1) -> None:
        """CO-108, CO-140: the marker stops at the left end."""
        seat = self.seats[player]
        seat.diplomacy = max(1, seat.diplomacy - spaces)

    def right(self, player: int) -> None:
        """CO-108."""
        seat = self.seats[player]
        seat.diplomacy = min(RIGHT_END, seat.diplomacy + 1)

    def gain_prestige(self, player: int, number: int) -> None:
        self._change_prestige(player, number)
        self.check_victory()

    def lose_prestige(self, player: int, number: int) -> None:
        """CO-092."""
        self._change_prestige(player, -number)
        self.check_victory()

    def give_prestige(self, loser: int, winner: int) -> None:
        """One from the loser's track, if he has any (CO-091, CO-210)."""
        if self.seats[loser].prestige:
            self._change_prestige(loser, -1)
            self._change_prestige(winner, 1)
            self.check_victory()

    def _change_prestige(self, player: int, number: int) -> None:
        seat = self.seats[player]
        seat.prestige = max(0, seat.prestige + number)
        if seat.prestige >= LAPSE:
            seat.lapsed = True

    def check_victory(self) -> None:
        """CO-086 to CO-088."""
        for player in self.clockwise(self.acting):
            seat = self.seats[player]
            if seat.prestige >= GOAL and not seat.owes:
                raise Won(player)

    # ---- Territories -----------------------------------------------------------------------------

    @property
    def territories(self) -> list[str]:
        """Those in the game (CO-259)."""
        return list(self.prestige)

    def is_discovered(self, territory: str) -> bool:
        """CO-007."""
        return self.prestige[territory] == 0

    def spaces(self, territory: str) -> tuple[str, ...]:
        return self.tables.territories[territory].spaces

    def markers(self, player: int, territory: str) -> int:
        return sum(self.stacks[space].count(player) for space in self.spaces(territory))

    def markers_of_all(self, territory: str) -> Counter[int]:
        found: Counter[int] = Counter()
        for space in self.spaces(territory):
            found.update(self.stacks[space])
        return found

    def strength(self, territory: str) -> int:
        """Native strength, doubled while independent (CO-099)."""
        return self.tables.territories[territory].strength * (1 + (territory in self.independent))

    def territory_of(self, space: str) -> str:
        return self.tables.spaces[space].territory

    def kind_of(self, space: str) -> Kind:
        return self.tables.kinds[self.tables.spaces[space].kind]

    def may_place(self, player: int, territory: str) -> bool:
        """Whether the player may place markers there at all (CO-094, CO-246)."""
        if self.colonies.get(territory, player) != player:
            return False
        return not self.can(player, "tordesillas") or self.is_objective(player, territory)

    # ---- Control ---------------------------------------------------------------------------------

    def may_control(self, player: int, space: str) -> bool:
        """CO-074; spaces that wait to be checked again do not count yet (CO-077)."""
        if space in self.waiting and player == self.acting:
            return False
        return self.value(player, "economy") >= self.kind_of(space).economy_needed

    def controller(self, space: str) -> int | None:
        """The owner of the lowest marker; if that player may not control the space, no other player in it may
        (CO-056, CO-076)."""
        stack = self.stacks[space]
        return stack[0] if stack and self.may_control(stack[0], space) else None

    def controlled_spaces(self, player: int) -> list[str]:
        return [space for space in self.stacks if self.controller(space) == player]

    def controls_all(self, player: int, territory: str) -> bool:
        return all(self.controller(space) == player for space in self.spaces(territory))

    def monopolist(self, kind: str) -> int | None:
        """The only player who controls spaces of a type (CO-069); used for types with shared monopolies."""
        holders = {
            holder
            for space in self.stacks
            if self.tables.spaces[space].kind == kind
            and (holder := self.controller(space)) is not None
        }
        return holders.pop() if len(holders) == 1 else None

    def monopolies(self, player: int) -> int:
        """CO-070, CO-253."""
        number = 2 if self.can(player, "bonus_monopolies") else 0
        for kind in self.tables.kinds.values():
            if kind.each_space_is_monopoly:
                number += sum(
                    self.kind_of(space) is kind for space in self.controlled_spaces(player)
                )
            else:
                number += self.monopolist(kind.name) == player
        return number

    def place(self, player: int, space: str, number: int = 1) -> None:
        """New markers are placed on top, then the space is resolved (CO-057, CO-229)."""
        before = self.holders(space)
        self.stacks[space] += [player] * number
        self._resolve(player, space, before)

    def check_again(self, player: int, space: str) -> None:
        """As if his markers had just been placed (CO-077)."""
        before = self.holders(space)
        self.waiting.remove(space)
        self._resolve(player, space, before)

    def holders(self, space: str) -> Held:
        """The controller of a space, and the owner of a monopoly that can be broken there (CO-071, CO-073)."""
        kind = self.kind_of(space)
        alone = None if kind.each_space_is_monopoly else self.monopolist(kind.name)
        return Held(self.controller(space), alone)

    def _resolve(self, player: int, space: str, before: Held) -> None:
        """The controller of a space after a player has placed a marker, and the cost for that player (CO-058 to
        CO-063)."""
        if not self.may_control(player, space):
            return
        if before.controller is None:
            self._take_control(player, space)
            if before.monopolist not in (None, player):  # CO-071
                self.move_left(player)
        elif before.controller != player and self._has_most(player, space):
            self._take_control(player, space)
            self.move_left(player)  # CO-060, CO-073

    def _counts(self, space: str) -> dict[int, int]:
        """The number of markers of each player who may control it, in the order of their lowest markers (CO-064)."""
        found = Counter(p for p in self.stacks[space] if self.may_control(p, space))
        return dict(found)

    def _has_most(self, player: int, space: str) -> bool:
        counts = self._counts(space)
        return all(counts[player] > n for p, n in counts.items() if p != player)

    def _take_control(self, player: int, space: str) -> None:
        """CO-059: the other markers keep their order."""
        stack = self.stacks[space]
        self.stacks[space] = [p for p in stack if p == player] + [p for p in stack if p != player]

    def lose_control(self, space: str, lowest_was_removed: bool) -> None:
        """The controller of a space after removals; nobody pays for it (CO-064 to CO-066)."""
        counts = self._counts(space)
        if not counts:
            return
        if lowest_was_removed:
            most = max(counts.values())
            self._take_control(next(p for p in counts if counts[p] == most), space)
            return
        for player in counts:
            if player != self.controller(space) and self._has_most(player, space):
                self._take_control(player, space)

    def lose_colony(self, territory: str) -> None:
        """A colony whose owner has no marker left there (CO-096, CO-101)."""
        owner = self.colonies.get(territory)
        if owner is None or self.markers(owner, territory):
            return
        del self.colonies[territory]
        self.unrest[territory] = 0
        self.independent.add(territory)
        self.lose_prestige(owner, 2 if territory == self.city else 1)


@attrs.define
class Removal:
    """One event that takes markers from a territory; control is checked at its end (CO-066)."""

    position: Position
    territory: str
    touched: dict[str, bool] = attrs.field(factory=dict)
    """The spaces; for each, whether its lowest marker was removed."""

    def take(self, space: str, height: int) -> None:
        """Remove the marker at a height of the current stack (CO-067)."""
        self.touched[space] = self.touched.get(space, False) or height == 0
        del self.position.stacks[space][height]

    def end(self) -> None:
        for space, lowest in self.touched.items():
            self.position.lose_control(space, lowest)
        self.position.lose_colony(self.territory)
