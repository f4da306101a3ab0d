"""Decisions of players as values, and the actions that are also possible at each of them.

Rules are generators that yield decisions and receive the chosen option.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

import attrs

from tests.oracles.colonial.position import Position
from tests.oracles.colonial.tables import GOAL

Option: TypeAlias = "tuple[str | int, ...]"
Options: TypeAlias = Callable[[], list[Option]]
Dice: TypeAlias = Callable[[int], int]
"""Returns the number of successes of a roll of this many dice (CO-011)."""

T = TypeVar("T")

YES: Option = ("yes",)
NO: Option = ("no",)
NONE: Option = ("none",)
DONE: Option = ("done",)


@attrs.frozen
class Decision:
    """The player who is asked, and all possible answers."""

    player: int
    options: tuple[Option, ...]


Flow: TypeAlias = Generator[Decision, Option, T]


def seat_name(player: int) -> str:
    """A player as an argument of an option."""
    return f"player_{player + 1}"


def seat_of(name: str | int) -> int:
    """The player of such an argument."""
    return int(str(name).removeprefix("player_")) - 1


@attrs.define
class Table:
    """The position, the dice, and the owner of the card that is being resolved."""

    position: Position
    dice: Dice
    resolving: int | None = None

    def roll(self, number: int) -> int:
        """The successes; nothing is rolled with no dice."""
        return self.dice(number) if number else 0

    def ask(self, player: int, options: Options) -> Flow[Option]:
        """An answer; before it, treasures may be given and loans repaid (CO-123, CO-159)."""
        while True:
            taken = yield Decision(player, (*options(), *self._permissions(player, options)))
            if taken[0] == "give":
                self.give(player, seat_of(taken[1]), 1)
            elif taken[0] == "repay":
                self._repay(player, int(taken[1]), 1)
            elif taken[0] == "repay_wholly":
                self._repay(player, int(taken[1]), self._loan(player, int(taken[1])))
            elif taken[0] == "repay_all":
                self._repay_all(player)
            else:
                return taken

    def give(self, giver: int, receiver: int, number: int) -> None:
        """CO-124."""
        self.position.seats[giver].treasury -= number
        self.position.seats[receiver].treasury += number

    def _permissions(self, player: int, options: Options) -> list[Option]:
        seat = self.position.seats[player]
        found: list[Option] = []
        if self._can_pay(player, 1, 0, options):
            found += [("give", seat_name(p)) for p in self.position.players if p != player]
        if self.resolving != player:  # CO-160
            return found
        for k, loan in enumerate(seat.loans, 1):
            if self._can_pay(player, 1, 1, options):
                found.append(("repay", k))
            if loan >= 2 and self._can_pay(player, loan, loan, options):
                found.append(("repay_wholly", k))
        if seat.prestige >= GOAL and len(seat.loans) > 1 and sum(seat.loans) <= seat.treasury:
            found.append(("repay_all",))
        return found

    def _can_pay(self, player: int, paid: int, repaid: int, options: Options) -> bool:
        """Whether the decision has an answer afterwards; a player who wins by repaying needs none (CO-087, CO-159)."""
        seat = self.position.seats[player]
        if seat.treasury < paid:
            return False
        seat.treasury -= paid
        owes_nothing = repaid > 0 and repaid == sum(seat.loans)
        answers = (owes_nothing and seat.prestige >= GOAL) or bool(options())
        seat.treasury += paid
        return answers

    def _repay_all(self, player: int) -> None:
        """CO-087, CO-159: several loans at once."""
        seat = self.position.seats[player]
        seat.treasury -= sum(seat.loans)
        seat.loans.clear()
        self.position.check_victory()

    def _loan(self, player: int, place: int) -> int:
        return self.position.seats[player].loans[place - 1]

    def _repay(self, player: int, place: int, number: int) -> None:
        """CO-159, CO-161."""
        seat = self.position.seats[player]
        seat.treasury -= number
        seat.loans[place - 1] -= number
        if not seat.loans[place - 1]:
            del seat.loans[place - 1]
        self.position.check_victory()


def numbers(low: int, high: int) -> list[Option]:
    """The numbers of a range as answers."""
    return [(n,) for n in range(low, high + 1)]
