"""Military actions: units and tactics (chapters 12, 13 and 26)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.cards import Card
from tests.oracles.through_the_ages.civil import (
    bring_down,
    building_cost,
    food_cost,
    grow,
    in_play,
    upgrade_cost,
)
from tests.oracles.through_the_ages.ratings import with_workers
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import can_pay, can_pay_both, pay

# ---- Military actions and temporary resources ------------------------------------------------------------


def can_spend_military(p: Player, number: int) -> bool:
    """Whether this many military actions can be spent, including the temporary one (TA-174)."""
    return p.ma + p.temp_ma >= number


def spend_military(p: Player, number: int) -> None:
    """The temporary action is spent first (TA-174)."""
    temporary = min(number, p.temp_ma)
    p.temp_ma -= temporary
    p.ma -= number - temporary


def temporary(p: Player) -> int:
    """Temporary resources for units: the pool and Homer's (TA-173, TA-420)."""
    return p.temp_resources + (p.leader == "homer" and "homer" not in p.used)


def pay_military(g: Table, p: Player, cost: int) -> Flow[None]:
    """Temporary resources are used before stored ones (TA-173, TA-488)."""
    if cost > 0 and p.leader == "homer" and "homer" not in p.used:
        p.used.add("homer")
        cost -= 1
    spent = min(max(0, cost), p.temp_resources)
    p.temp_resources -= spent
    yield from pay(g, p, "resources", cost - spent)


# ---- Units (chapters 12, 13) ---------------------------------------------------------------------------------


def trainable(g: Table, p: Player, less: int = 0) -> Iterator[Card]:
    """Units that can be built (TA-108)."""
    for card in in_play(g, p):
        if (
            p.pool
            and card.is_unit
            and can_pay(g, p, "resources", building_cost(g, p, card) - less - temporary(p))
        ):
            yield card


def train(g: Table, p: Player, card: Card, less: int = 0) -> Flow[None]:
    """Pay and move an unused worker."""
    yield from pay_military(g, p, max(0, building_cost(g, p, card) - less))
    p.pool -= 1
    p.workers[card.id] += 1


def better(g: Table, p: Player, low: Card) -> Iterator[Card]:
    """The possible upgrades of a unit (TA-113)."""
    for card in in_play(g, p):
        fits = card.type == low.type and card.level > low.level
        if fits and can_pay(g, p, "resources", upgrade_cost(g, p, low, card) - temporary(p)):
            yield card


def upgrade_unit(g: Table, p: Player, low: Card) -> Flow[None]:
    """Choose the higher card, pay, move the worker."""
    answer = yield from ask(
        p, f"what {low.name} becomes", [("to", card.id) for card in better(g, p, low)]
    )
    high = g.card(str(answer[1]))
    yield from pay_military(g, p, upgrade_cost(g, p, low, high))
    p.workers[low.id] -= 1
    p.workers[high.id] += 1


# ---- Barbarossa (TA-425) -----------------------------------------------------------------------------------------


def recruits(g: Table, p: Player) -> Iterator[Card]:
    """Units that can be built together with an increase of population."""
    if p.leader != "frederick_barbarossa" or p.yellow_bank == 0:
        return
    for card in in_play(g, p):
        if card.is_unit:
            food = food_cost(g, p) - 1
            resources = building_cost(g, p, card) - 1 - temporary(p)
            if can_pay_both(g, p, food, resources):
                yield card


def recruit(g: Table, p: Player) -> Flow[None]:
    """Population for 1 food less, then a unit for 1 resource less."""
    spend_military(p, 1)
    cheapest = min(building_cost(g, p, card) for card in in_play(g, p) if card.is_unit)
    yield from grow(g, p, 1, keeping=cheapest - 1 - temporary(p))
    answer = yield from ask(
        p, "which unit is built", [("train", card.id) for card in trainable(g, p, 1)]
    )
    yield from train(g, p, g.card(str(answer[1])), 1)


# ---- Tactics (chapter 26) -------------------------------------------------------------------------------------------


def play_tactic(p: Player, name: str) -> None:
    """A tactics card of the hand is the current tactic, and exclusive (TA-258, TA-259)."""
    p.military_hand.remove(name)
    p.tactic, p.exclusive, p.chose_tactic = name, True, True


def copy_tactic(p: Player, name: str) -> None:
    """A common one is the current tactic (TA-263)."""
    p.tactic, p.chose_tactic = name, True


def make_common(g: Table, p: Player) -> None:
    """An exclusive tactic becomes common at the start of the turn (TA-260, TA-261)."""
    if not p.exclusive:
        return
    assert p.tactic is not None
    p.exclusive = False
    if p.tactic in g.common_tactics:
        g.out[p.tactic] += 1
    else:
        g.common_tactics.append(p.tactic)


# ---- Offers of the Action Phase -------------------------------------------------------------------------------------


def offer(g: Table, p: Player) -> Iterator[Option]:
    """Military actions (TA-086)."""
    if not can_spend_military(p, 1):
        return
    yield from (("train", card.id) for card in trainable(g, p))
    for card, _ in with_workers(g, p):
        if card.is_unit:
            yield ("disband", card.id)
            if any(True for _ in better(g, p, card)):
                yield ("upgrade_unit", card.id)
    if any(True for _ in recruits(g, p)):
        yield ("recruit",)
    if p.chose_tactic:  # TA-256
        return
    for name in p.military_hand:
        if g.card(name).kind == "tactic":
            yield ("play_tactic", name)
    if can_spend_military(p, 2):
        yield from (("copy_tactic", name) for name in g.common_tactics if name != p.tactic)


def perform(g: Table, p: Player, option: Option) -> Flow[None]:
    """One of the actions offered here."""
    match option:
        case ("recruit",):
            yield from recruit(g, p)
        case ("train", str(name)):
            spend_military(p, 1)
            yield from train(g, p, g.card(name))
        case ("upgrade_unit", str(name)):
            spend_military(p, 1)
            yield from upgrade_unit(g, p, g.card(name))
        case ("disband", str(name)):
            spend_military(p, 1)
            bring_down(p, g.card(name))
        case ("play_tactic", str(name)):
            spend_military(p, 1)
            play_tactic(p, name)
        case ("copy_tactic", str(name)):
            spend_military(p, 2)
            copy_tactic(p, name)
        case _:
            raise AssertionError(option)
