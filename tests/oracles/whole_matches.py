"""Whole matches of library games in plain Python, written from their rulebooks.

A model knows the open cards and gets each choice. It returns the next player, the options, and the consequences.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

Card = tuple[str, int]
Place = tuple[int, int]


@attrs.define
class Spades:
    """A match of spades to 200 points, without passing. Partners are seats of the same parity."""

    points: list[int] = attrs.field(factory=lambda: [0, 0])
    bags: list[int] = attrs.field(factory=lambda: [0, 0])
    hands: list[set[Card]] = attrs.field(factory=list)
    bids: dict[int, int] = attrs.field(factory=dict)
    tricks: list[int] = attrs.field(factory=list)
    table: list[tuple[int, Card]] = attrs.field(factory=list)
    is_broken: bool = False
    next: int = 0

    def deal(self, dealer: int, hands: Iterable[set[Card]]) -> None:
        self.hands = [*hands]
        self.bids, self.tricks, self.table = {}, [0] * 4, []
        self.is_broken, self.next = False, (dealer + 1) % 4

    def bid(self, tricks: int) -> None:
        self.bids[self.next] = tricks
        self.next = (self.next + 1) % 4

    @property
    def playable(self) -> set[Card]:
        hand = self.hands[self.next]
        if self.table:
            led = self.table[0][1][0]
            return {card for card in hand if card[0] == led} or hand
        if self.is_broken:
            return hand
        return {card for card in hand if card[0] != "spades"} or hand

    def play(self, card: Card) -> None:
        self.hands[self.next].remove(card)
        self.table.append((self.next, card))
        self.is_broken |= card[0] == "spades"
        self.next = (self.next + 1) % 4
        if len(self.table) == 4:
            for suit in ("spades", self.table[0][1][0]):
                of_suit = [(card[1], seat) for seat, card in self.table if card[0] == suit]
                if of_suit:
                    self.next = max(of_suit)[1]
                    break
            self.tricks[self.next] += 1
            self.table = []
            if not any(self.hands):
                self._count()

    def _count(self) -> None:
        for side in (0, 1):
            partners = (side, side + 2)
            bid = sum(self.bids[seat] for seat in partners)
            more = sum(self.tricks[seat] for seat in partners) - bid
            for seat in partners:
                if self.bids[seat] == 0:
                    self.points[side] += -100 if self.tricks[seat] else 100
            if more < 0:
                self.points[side] -= 10 * bid
                continue
            self.points[side] += 10 * bid + more
            self.bags[side] += more
            while self.bags[side] >= 10:
                self.bags[side] -= 10
                self.points[side] -= 100

    @property
    def is_over(self) -> bool:
        return max(self.points) >= 200 or min(self.points) <= -200

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(4) if self.points[seat % 2] == max(self.points))


WAYS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""North, east, south and west; each is to the right of the one before."""


@attrs.define
class Beetles:
    """A match of Beetle Race: places as columns and rows from 1, and ways as numbers of `WAYS`."""

    puddles: set[Place]
    starter: int
    places: list[Place]
    facing: list[int] = attrs.field(init=False)
    wet: set[int] = attrs.field(factory=set)
    rounds: int = 0
    winners: tuple[int, ...] = ()

    def __attrs_post_init__(self) -> None:
        self.facing = [1] * len(self.places)

    def run_round(self, programmes: Sequence[Sequence[str]]) -> None:
        """Carry out three orders of each player."""
        seats = len(self.places)
        self.rounds += 1
        self.wet = set()
        for step in range(3):
            for turn in range(seats):
                seat = (self.starter + turn) % seats
                if seat not in self.wet:
                    self._carry_out(seat, programmes[seat][step])
            self.winners = tuple(seat for seat in range(seats) if self.places[seat][0] == 10)
            if self.winners:
                return
        self.starter = (self.starter + 1) % seats
        if self.rounds == 30:
            farthest = max(column for column, _ in self.places)
            self.winners = tuple(s for s in range(seats) if self.places[s][0] == farthest)

    def _carry_out(self, seat: int, order: str) -> None:
        turns = {"turn_right": 1, "turn_round": 2, "turn_left": 3}
        if order in turns:
            self.facing[seat] = (self.facing[seat] + turns[order]) % 4
        elif order == "sidle":
            self._go(seat, (self.facing[seat] + 3) % 4)
        else:
            self._go(seat, self.facing[seat])
            if order == "run" and seat not in self.wet:
                self._go(seat, self.facing[seat])

    def _go(self, seat: int, way: int) -> None:
        """A push passes from beetle to beetle, until one has room or is at a wall."""
        pushed = [seat]
        while True:
            column, row = (a + b for a, b in zip(self.places[pushed[-1]], WAYS[way], strict=True))
            if not (1 <= column <= 10 and 1 <= row <= 6):
                return
            in_front = [other for other, at in enumerate(self.places) if at == (column, row)]
            if not in_front:
                break
            pushed += in_front
        for other in pushed:
            (a, b), (c, d) = self.places[other], WAYS[way]
            self.places[other] = (a + c, b + d)
            if self.places[other] in self.puddles:
                self.wet.add(other)
