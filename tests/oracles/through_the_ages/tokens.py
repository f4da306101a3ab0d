"""Yellow and blue tokens: population, food and resources (chapters 9, 19 and 22)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

import attrs

from tests.oracles.through_the_ages.cards import Card
from tests.oracles.through_the_ages.ratings import pacts_of
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask

Goods = Literal["food", "resources"]
OTHER: dict[Goods, Goods] = {"food": "resources", "resources": "food"}


def worth(card: Card, kind: Goods) -> int:
    """The worth of a blue token on a card (TA-177, TA-178, TA-448)."""
    if kind == "food":
        return card["food_per_token"]
    return card.level if card.type == "lab" else card["resources_per_token"]


def purse(g: Table, p: Player, kind: Goods, *, labs: bool = True) -> list[Card]:
    """The cards whose tokens count as food, or as resources, the highest worth first."""
    cards = [card for card in (g.card(name) for name in p.workers) if worth(card, kind)]
    cards = [card for card in cards if labs or card.type != "lab"]
    return sorted(cards, key=lambda card: (-worth(card, kind), card.type == "lab"))


def holding(g: Table, p: Player, kind: Goods) -> list[Card]:
    """The cards with tokens that can be paid, lowest worth first."""
    cards = [card for card in purse(g, p, kind) if p.tokens[card.id]]
    return sorted(cards, key=lambda card: (worth(card, kind), card.type == "lab"))


def stored_goods(g: Table, p: Player, kind: Goods) -> int:
    """All food or resources of a player."""
    return sum(worth(g.card(name), kind) * number for name, number in p.tokens.items())


# ---- Paying (TA-180 to TA-183) -----------------------------------------------------------------------


@attrs.frozen
class Payment:
    """The tokens given from each card, and the change put on each card."""

    given: tuple[int, ...]
    change: tuple[int, ...]


def _changes(amount: int, places: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """The numbers of tokens that make an amount, on places with a worth and a capacity."""
    if not places:
        if amount == 0:
            yield ()
        return
    (value, room), *rest = places
    for number in range(min(room, amount // value) + 1):
        for others in _changes(amount - number * value, rest):
            yield (number, *others)


def payments(g: Table, p: Player, kind: Goods, amount: int) -> list[Payment]:
    """All ways to pay exactly; if there are none, those with the least excess (TA-182)."""
    for total in range(amount, stored_goods(g, p, kind) + 1):
        ways = list(_exact(g, p, kind, total))
        if ways:
            return ways
    raise ValueError(f"{amount} {kind} cannot be paid")


def _exact(g: Table, p: Player, kind: Goods, amount: int) -> Iterator[Payment]:
    """The ways to pay exactly this amount, without unnecessary tokens (TA-180, TA-181)."""
    cards = holding(g, p, kind)
    changing = purse(g, p, kind, labs=False)
    for given in product(*(range(p.tokens[card.id] + 1) for card in cards)):
        values = [worth(card, kind) for card, n in zip(cards, given, strict=True) if n]
        total = sum(worth(card, kind) * n for card, n in zip(cards, given, strict=True))
        if total < amount or not values or total - amount >= max(values):
            continue
        # Change is put only on cards of lower worth than a token given (TA-181).
        gave = {card.id for card, n in zip(cards, given, strict=True) if n}
        bank = p.blue_bank + sum(given)
        places = [
            (worth(card, kind), 0 if card.id in gave or worth(card, kind) >= max(values) else bank)
            for card in changing
        ]
        for change in _changes(total - amount, places):
            if sum(change) <= bank:
                yield Payment(given, change)


def pay_stored(g: Table, p: Player, kind: Goods, amount: int) -> Flow[None]:
    """Pay from the cards; the payer chooses among the ways (TA-183)."""
    if amount <= 0:
        return
    cards = holding(g, p, kind)
    changing = purse(g, p, kind, labs=False)
    ways = payments(g, p, kind, amount)
    given = yield from _move(p, ("give", -1), cards, [way.given for way in ways])
    changes = [way.change for way in ways if way.given == given]
    yield from _move(p, ("put", 1), changing, changes)


def _move(
    p: Player, word: tuple[str, int], cards: list[Card], ways: list[tuple[int, ...]]
) -> Flow[tuple[int, ...]]:
    """Move tokens between bank and cards, card by card, in one of these ways."""
    chosen: tuple[int, ...] = ()
    verb, sign = word
    for place, card in enumerate(cards):
        numbers = sorted({way[place] for way in ways})
        answer = yield from ask(p, f"{verb} tokens: {card.name}", [(verb, n) for n in numbers])
        number = int(answer[1])
        p.tokens[card.id] += sign * number
        p.blue_bank -= sign * number
        chosen = (*chosen, number)
        ways = [way for way in ways if way[: place + 1] == chosen]
    return chosen


def may_exchange(g: Table, p: Player, kind: Goods) -> bool:
    """Whether the Trade Routes Agreement helps to pay: once in each own turn (TA-578)."""
    if p is not g.me or "trade_routes" in p.used:
        return False
    sides = {pact.a if kind == "resources" else pact.b for pact in pacts_of(g, p, TRADE_ROUTES)}
    return p.seat in sides and stored_goods(g, p, OTHER[kind]) >= 1


TRADE_ROUTES = "trade_routes_agreement"


def can_pay(g: Table, p: Player, kind: Goods, amount: int) -> bool:
    """Whether this amount can be paid."""
    return amount <= 0 or stored_goods(g, p, kind) + may_exchange(g, p, kind) >= amount


def rest_after(g: Table, p: Player, kind: Goods, amount: int) -> int:
    """The maximum that is left after a payment of this amount; below 0 if it cannot be paid."""
    found = stored_goods(g, p, kind)
    if amount <= 0 or found < amount:
        return found - max(0, amount)
    way = payments(g, p, kind, amount)[0]
    given = sum(
        worth(card, kind) * n for card, n in zip(holding(g, p, kind), way.given, strict=True)
    )
    changing = purse(g, p, kind, labs=False)
    change = sum(worth(card, kind) * n for card, n in zip(changing, way.change, strict=True))
    return found - given + change


def can_pay_both(g: Table, p: Player, food: int, resources: int) -> bool:
    """Whether food and then resources can be paid, one exchange in both at most."""
    after = rest_after(g, p, "food", food)
    if after >= 0 and rest_after(g, p, "resources", resources) >= 0:
        return True
    if may_exchange(g, p, "resources") and after >= 1:
        return resources > 0 and rest_after(g, p, "resources", resources - 1) >= 0
    if may_exchange(g, p, "food") and food > 0 and rest_after(g, p, "food", food - 1) >= 0:
        return resources <= 0 or rest_after(g, p, "resources", 1) >= resources
    return False


def pay(g: Table, p: Player, kind: Goods, amount: int, keeping: int = 0) -> Flow[None]:
    """Pay a cost, if this much of the other kind must still be paid afterwards."""
    if amount <= 0:
        return
    if may_exchange(g, p, kind):
        ways: list[Option] = []
        if stored_goods(g, p, OTHER[kind]) - 1 >= keeping:
            ways.append(("exchange",))
        if stored_goods(g, p, kind) >= amount:
            ways.append(("pay_without",))
        answer = yield from ask(p, "the Trade Routes Agreement", ways)
        if answer == ("exchange",):
            p.used.add("trade_routes")
            yield from pay_stored(g, p, OTHER[kind], 1)
            amount -= 1
    yield from pay_stored(g, p, kind, amount)


def lose(g: Table, p: Player, kind: Goods, amount: int) -> Flow[int]:
    """Lose this much, or as much as there is; returns the lost amount (TA-231)."""
    lost = min(amount, stored_goods(g, p, kind))
    yield from pay_stored(g, p, kind, lost)
    return lost


# ---- Gaining (TA-184 to TA-186) ------------------------------------------------------------------------


def gain(g: Table, p: Player, kind: Goods, amount: int) -> Flow[None]:
    """Move tokens from the bank to cards, of exactly this worth, or of the largest possible worth below it."""
    cards = purse(g, p, kind, labs=False)
    places = [(worth(card, kind), p.blue_bank) for card in cards]
    ways: list[tuple[int, ...]] = []
    for target in range(amount, -1, -1):
        ways = [way for way in _changes(target, places) if sum(way) <= p.blue_bank]
        if ways:
            break
    yield from _move(p, ("put", 1), cards, ways)


def produce(g: Table, p: Player, wanted: list[tuple[Card, int]]) -> None:
    """Tokens for workers; the highest cards first if the bank has too few (TA-293)."""
    for card, number in sorted(wanted, key=lambda pair: (-pair[0].level, pair[0].type == "lab")):
        moved = min(number, p.blue_bank)
        p.tokens[card.id] += moved
        p.blue_bank -= moved


# ---- Blue tokens to the box and as covers ----------------------------------------------------------------


def take_from_cards(g: Table, p: Player, cards: list[Card]) -> Flow[bool]:
    """A token from one of these cards into the bank, of the owner's choice."""
    holding = [("from", card.id) for card in cards if p.tokens[card.id]]
    if not holding:
        return False
    answer = yield from ask(p, "where a blue token is taken from", holding)
    p.tokens[str(answer[1])] -= 1
    p.blue_bank += 1
    return True


def lose_blue(g: Table, p: Player, number: int) -> Flow[None]:
    """Blue tokens go to the box; if the bank has too few, from technologies; the rest is ignored (TA-204)."""
    for _ in range(number):
        if p.blue_bank == 0:
            every = [g.card(name) for name in p.workers]
            if not (yield from take_from_cards(g, p, every)):
                return
        p.blue_bank -= 1


def change_blue(g: Table, p: Player, number: int) -> Flow[None]:
    """A card with blue symbols comes or goes (TA-201, TA-202)."""
    if number > 0:
        p.blue_bank += number
    else:
        yield from lose_blue(g, p, -number)


def cover_stage(g: Table, p: Player) -> Flow[None]:
    """A token for a stage: from the bank, or from a farm or mine (TA-131, TA-135)."""
    if p.blue_bank == 0:
        fields = [g.card(name) for name in p.workers if g.card(name).is_field]
        yield from take_from_cards(g, p, fields)
    p.blue_bank -= 1


# ---- Yellow tokens ----------------------------------------------------------------------------------------


def change_yellow(p: Player, number: int) -> None:
    """A card with yellow symbols comes or goes; no more than there are (TA-201, TA-203)."""
    p.yellow_bank = max(0, p.yellow_bank + number)


def gain_population(p: Player, number: int) -> None:
    """Without food, as many as are there (TA-093)."""
    moved = min(number, p.yellow_bank)
    p.yellow_bank -= moved
    p.pool += moved


def lose_population(g: Table, p: Player) -> Flow[bool]:
    """An unused worker, or one of the owner's choice (TA-095, TA-096)."""
    if p.pool:
        p.pool -= 1
    else:
        cards = [("from", name) for name, number in p.workers.items() if number]
        if not cards:
            return False
        answer = yield from ask(p, "which worker is lost", cards)
        p.workers[str(answer[1])] -= 1
    p.yellow_bank += 1
    return True
