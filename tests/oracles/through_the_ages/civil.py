"""Civil actions with cards of the row, population, buildings and wonders (chapters 7 to 11, 13, 15)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.cards import Card, looked_up
from tests.oracles.through_the_ages.ratings import (
    buildings,
    civil_hand_limit,
    with_workers,
)
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import can_pay, cover_stage, pay
from tests.oracles.through_the_ages.wonders import complete

# ---- Civil actions ------------------------------------------------------------------------------------


def may_convert(g: Table, p: Player) -> bool:
    """Hammurabi: once in each own turn a military action for a civil one (TA-417)."""
    ready = p.leader == "hammurabi" and "hammurabi" not in p.used
    return ready and p is g.me and p.ma >= 1


def can_spend(g: Table, p: Player, number: int) -> bool:
    """Whether this many civil actions can be spent."""
    return number == 0 or p.ca + may_convert(g, p) >= number


def spend(g: Table, p: Player, number: int) -> Flow[None]:
    """Spend civil actions (TA-083); a converted one is a spent red token (TA-419)."""
    if number == 0:
        return
    if may_convert(g, p):
        ways: list[Option] = [("civil_actions_only",)] * (p.ca >= number)
        ways += [("a_military_action_for_one_of_them",)]
        answer = yield from ask(p, "Hammurabi", ways)
        if answer == ("a_military_action_for_one_of_them",):
            p.used.add("hammurabi")
            p.ma -= 1
            number -= 1
    p.ca -= number


def take_back(p: Player) -> None:
    """A spent civil action is available again (TA-126, TA-437)."""
    p.ca = min(p.ca_total, p.ca + 1)


# ---- Taking cards (chapter 7) ---------------------------------------------------------------------------


def taking_cost(g: Table, p: Player, space: int) -> int:
    """The cost of a card of the row in civil actions."""
    card = g.card(g.row[space] or "")
    cost = g.tables.row_cost[space]
    if card.kind == "wonder" and p.leader != "michelangelo":  # TA-434
        cost += len(p.wonders)  # TA-077, TA-078
    if card.id == "taj_mahal" and p.replaced_leader:
        cost -= 2  # TA-463
    if card.kind == "leader" and p.leader == "hammurabi":
        cost -= 1  # TA-418
    return max(0, cost)  # TA-079


def has_technology(p: Player, name: str) -> bool:
    """Whether a technology is in hand or in play."""
    return name in p.civil_hand or name in p.workers or name in p.specials or name == p.government


def may_take(g: Table, p: Player, card: Card) -> bool:
    """Whether a card may be taken, apart from its cost."""
    if card.kind == "wonder":
        return p.unfinished is None  # TA-075, TA-076
    if len(p.civil_hand) >= civil_hand_limit(g, p):  # TA-068
        return False
    if card.kind == "leader":
        return card.level not in p.leaders_taken  # TA-071
    return not (card.is_technology and has_technology(p, card.id))  # TA-072


def takings(g: Table, p: Player) -> Iterator[tuple[int, int]]:
    """The spaces whose cards may be taken, and their costs."""
    for space, name in enumerate(g.row):
        if name is not None and may_take(g, p, g.card(name)):
            yield space, taking_cost(g, p, space)


def offer_takings(g: Table, p: Player) -> Iterator[Option]:
    """Cards that can be paid."""
    for space, cost in takings(g, p):
        if can_spend(g, p, cost):
            yield ("take", g.row[space] or "", space + 1)


def receive(g: Table, p: Player, space: int) -> None:
    """A card of the row comes to a player."""
    name = g.row[space]
    assert name is not None
    g.row[space] = None
    card = g.card(name)
    if card.kind == "wonder":
        p.unfinished, p.stages = name, 0  # TA-074
        return
    p.civil_hand.append(name)  # TA-067
    if card.kind == "leader":
        p.leaders_taken.add(card.level)
    if card.kind == "action":
        p.taken[name] += 1  # TA-166
    if card.is_technology and p.leader == "aristotle":
        p.science += 1  # TA-414


def take(g: Table, p: Player, space: int) -> Flow[None]:
    """Take a card from the row (TA-065)."""
    yield from spend(g, p, taking_cost(g, p, space))
    receive(g, p, space)


# ---- Population (chapter 9) ------------------------------------------------------------------------------


def food_cost(g: Table, p: Player) -> int:
    """The cost of the next worker (TA-089, TA-090, TA-423)."""
    return looked_up(g.tables.food_cost, p.yellow_bank) - (p.leader == "moses")


def can_grow(g: Table, p: Player, less: int = 0) -> bool:
    """Whether population can be increased at its cost (TA-091, TA-092)."""
    return p.yellow_bank > 0 and can_pay(g, p, "food", food_cost(g, p) - less)


def grow(g: Table, p: Player, less: int = 0, keeping: int = 0) -> Flow[None]:
    """Pay the food and move a token (TA-088, TA-094)."""
    yield from pay(g, p, "food", food_cost(g, p) - less, keeping)
    p.yellow_bank -= 1
    p.pool += 1


# ---- Farms, mines and urban buildings (chapters 10, 11, 13) ---------------------------------------------


def building_cost(g: Table, p: Player, card: Card) -> int:
    """The resource cost with its modifiers (TA-117, TA-149, TA-445)."""
    cost = card["resource_cost"]
    if not card.is_urban:
        return cost
    age = ("a", "i", "ii", "iii")[card.level]
    cost -= sum(g.card(name)[f"urban_discount_{age}"] for name in p.specials)
    if p.leader == "william_shakespeare":
        pair = {"theater": "library", "library": "theater"}
        if card.type in pair and buildings(g, p, pair[card.type]):
            cost -= 1
    return max(0, cost)


def has_room(g: Table, p: Player, card: Card) -> bool:
    """The urban building limit (TA-104, TA-105)."""
    limit = g.card(p.government)["urban_limit"]
    return not card.is_urban or buildings(g, p, card.type) < limit


def in_play(g: Table, p: Player) -> list[Card]:
    """The technologies that workers can stand on."""
    return [g.card(name) for name in p.workers]


def buildable(g: Table, p: Player, less: int = 0) -> Iterator[Card]:
    """Farms, mines and urban buildings that can be built (TA-097 to TA-105)."""
    for card in in_play(g, p):
        fits = p.pool and not card.is_unit and has_room(g, p, card)
        if fits and can_pay(g, p, "resources", building_cost(g, p, card) - less):
            yield card


def build(g: Table, p: Player, card: Card, less: int = 0) -> Flow[None]:
    """Pay and move an unused worker (TA-097, TA-102)."""
    yield from pay(g, p, "resources", building_cost(g, p, card) - less)
    p.pool -= 1
    p.workers[card.id] += 1


def upgrade_cost(g: Table, p: Player, low: Card, high: Card) -> int:
    """The difference, both costs modified first (TA-117, TA-118)."""
    return max(0, building_cost(g, p, high) - building_cost(g, p, low))


def higher(g: Table, p: Player, low: Card, less: int = 0) -> Iterator[Card]:
    """The possible upgrades of a worker (TA-111, TA-112, TA-114, TA-115)."""
    for card in in_play(g, p):
        fits = card.type == low.type and card.level > low.level
        if fits and can_pay(g, p, "resources", upgrade_cost(g, p, low, card) - less):
            yield card


def upgradable(g: Table, p: Player, less: int = 0) -> Iterator[Card]:
    """Farms, mines and urban buildings that can be upgraded."""
    for card, _ in with_workers(g, p):
        if not card.is_unit and any(True for _ in higher(g, p, card, less)):
            yield card


def upgrade(g: Table, p: Player, low: Card, less: int = 0) -> Flow[None]:
    """Choose the higher card, pay, move the worker."""
    answer = yield from ask(
        p, f"what {low.name} becomes", [("to", card.id) for card in higher(g, p, low, less)]
    )
    high = g.card(str(answer[1]))
    yield from pay(g, p, "resources", upgrade_cost(g, p, low, high) - less)
    p.workers[low.id] -= 1
    p.workers[high.id] += 1


def bring_down(p: Player, card: Card) -> None:
    """Destroy or disband: the worker is unused again (TA-119, TA-120)."""
    p.workers[card.id] -= 1
    p.pool += 1


# ---- Bach (TA-440) -----------------------------------------------------------------------------------------


def stages_to_theater(g: Table, p: Player, low: Card) -> Iterator[Card]:
    """Theaters that a building can become; of a theater it is an ordinary upgrade (TA-112)."""
    for card in in_play(g, p):
        fits = card.type == "theater" != low.type and card.level >= low.level
        if (
            fits
            and has_room(g, p, card)
            and can_pay(g, p, "resources", upgrade_cost(g, p, low, card))
        ):
            yield card


def offer_bach(g: Table, p: Player) -> Iterator[Option]:
    """Urban buildings that can become theaters, once in a turn."""
    if p.leader != "j_s_bach" or "bach" in p.used or not can_spend(g, p, 1):
        return
    for card, _ in with_workers(g, p):
        if card.is_urban and any(True for _ in stages_to_theater(g, p, card)):
            yield ("to_theater", card.id)


def to_theater(g: Table, p: Player, low: Card) -> Flow[None]:
    """Spend 1 CA, choose the theater, pay, move the worker."""
    p.used.add("bach")
    yield from spend(g, p, 1)
    answer = yield from ask(
        p, f"what {low.name} becomes", [("to", c.id) for c in stages_to_theater(g, p, low)]
    )
    high = g.card(str(answer[1]))
    yield from pay(g, p, "resources", upgrade_cost(g, p, low, high))
    p.workers[low.id] -= 1
    p.workers[high.id] += 1


# ---- Wonders (chapter 15) -----------------------------------------------------------------------------------


def stages_cost(g: Table, p: Player, number: int) -> int:
    """The costs of the next stages (TA-132, TA-151)."""
    assert p.unfinished is not None
    return sum(g.card(p.unfinished).stages[p.stages : p.stages + number])


def buildable_stages(g: Table, p: Player) -> Iterator[int]:
    """How many stages can be built with one action (TA-150, TA-152)."""
    if p.unfinished is None:
        return
    at_once = max((g.card(name)["wonder_stages_per_action"] for name in p.specials), default=1)
    left = len(g.card(p.unfinished).stages) - p.stages
    for number in range(1, min(at_once, left) + 1):
        if can_pay(g, p, "resources", stages_cost(g, p, number)):
            yield number


def build_stages(g: Table, p: Player, number: int, less: int = 0) -> Flow[None]:
    """Pay for all, then cover them (TA-131, TA-136, TA-151)."""
    assert p.unfinished is not None
    yield from pay(g, p, "resources", stages_cost(g, p, number) - less)
    for _ in range(number):
        yield from cover_stage(g, p)
        p.stages += 1
    if p.stages == len(g.card(p.unfinished).stages):
        complete(g, p)


# ---- Offers of the Action Phase ---------------------------------------------------------------------------------


def offer(g: Table, p: Player) -> Iterator[Option]:
    """Civil actions except developing and playing cards (TA-085)."""
    yield from offer_takings(g, p)
    if not can_spend(g, p, 1):
        return
    if can_grow(g, p):
        yield ("grow",)
    yield from (("build", card.id) for card in buildable(g, p))
    yield from (("upgrade", card.id) for card in upgradable(g, p))
    yield from (("destroy", card.id) for card, _ in with_workers(g, p) if not card.is_unit)
    yield from (("build_stages", number) for number in buildable_stages(g, p))
    yield from offer_bach(g, p)


def perform(g: Table, p: Player, option: Option) -> Flow[None]:
    """One of the actions offered here."""
    match option:
        case ("take", _, int(space)):
            yield from take(g, p, space - 1)
        case ("to_theater", str(name)):
            yield from to_theater(g, p, g.card(name))
        case _:
            yield from spend(g, p, 1)
            match option:
                case ("grow",):
                    yield from grow(g, p)
                case ("build", str(name)):
                    yield from build(g, p, g.card(name))
                case ("upgrade", str(name)):
                    yield from upgrade(g, p, g.card(name))
                case ("destroy", str(name)):
                    bring_down(p, g.card(name))
                case ("build_stages", int(number)):
                    yield from build_stages(g, p, number)
                case _:
                    raise AssertionError(option)
