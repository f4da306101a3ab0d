"""Action cards (chapter 18 and 38.6)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages import civil, develop
from tests.oracles.through_the_ages.cards import Card
from tests.oracles.through_the_ages.ratings import strength
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import Goods, can_pay, gain

BREAKTHROUGH = "develop_technology"


def builds(g: Table, p: Player, card: Card) -> Iterator[Option]:
    """The possible ordered builds and upgrades (TA-167, TA-475, TA-476, TA-483)."""
    less = card["resource_discount"]
    order = card.words["ordered_action"]
    urban = order != "build_or_upgrade_farm_or_mine"
    fields = order != "build_or_upgrade_urban"
    if order != "upgrade_farm_mine_or_urban":
        for one in civil.buildable(g, p, less):
            if (one.is_urban and urban) or (one.is_field and fields):
                yield ("build", one.id)
    for one in civil.upgradable(g, p, less):
        if (one.is_urban and urban) or (one.is_field and fields):
            yield ("upgrade", one.id)


def developments(g: Table, p: Player) -> Iterator[Option]:
    """The possible uses of Breakthrough, including revolutions if all actions are available (TA-172)."""
    if civil.can_spend(g, p, 1):
        yield from (("develop", c.id) for c in develop.developable(g, p))
    if civil.can_spend(g, p, 1) or not develop.by_force(p):
        yield from (("revolt", c.id) for c in develop.revolutions(g, p))


def can_play(g: Table, p: Player, card: Card) -> bool:
    """Whether the card can be carried out (TA-169)."""
    ordered = card.words["ordered_action"]
    if ordered == BREAKTHROUGH:
        return any(True for _ in developments(g, p))
    if not civil.can_spend(g, p, 1):
        return False
    match ordered:
        case "none":
            return True
        case "increase_population":
            return civil.can_grow(g, p)
        case "build_wonder_stage":
            if p.unfinished is None:
                return False
            cost = civil.stages_cost(g, p, 1) - card["resource_discount"]
            return can_pay(g, p, "resources", cost)
        case _:
            return any(True for _ in builds(g, p, card))


def offer(g: Table, p: Player) -> Iterator[Option]:
    """Action cards that were not taken in this phase (TA-165, TA-166)."""
    for name in dict.fromkeys(p.civil_hand):
        card = g.card(name)
        if (
            card.kind == "action"
            and p.civil_hand.count(name) > p.taken[name]
            and can_play(g, p, card)
        ):
            yield ("play_card", name)


def perform(g: Table, p: Player, option: Option) -> Flow[None]:
    """Spend an action, carry out the text, discard the card (TA-165)."""
    card = g.card(str(option[1]))
    if card.words["ordered_action"] == BREAKTHROUGH:
        yield from _breakthrough(g, p)
    else:
        yield from civil.spend(g, p, 1)
        yield from _do_ordered(g, p, card)
    yield from _gains(g, p, card)
    p.civil_hand.remove(card.id)
    g.out[card.id] += 1


def _breakthrough(g: Table, p: Player) -> Flow[None]:
    answer = yield from ask(p, "what is developed", developments(g, p))
    card = g.card(str(answer[1]))
    if answer[0] == "revolt":
        if develop.by_force(p):  # the card is paid for separately
            yield from civil.spend(g, p, 1)
        yield from develop.revolt(g, p, card)
    else:
        yield from civil.spend(g, p, 1)
        yield from develop.develop(g, p, card)


def _do_ordered(g: Table, p: Player, card: Card) -> Flow[None]:
    """The ordered action, without a further action (TA-167)."""
    less = card["resource_discount"]
    match card.words["ordered_action"]:
        case "none":
            pass
        case "increase_population":
            yield from civil.grow(g, p)  # TA-474
        case "build_wonder_stage":
            yield from civil.build_stages(g, p, 1, less)  # TA-171, TA-473
        case _:
            answer = yield from ask(p, "what is built or upgraded", builds(g, p, card))
            chosen = g.card(str(answer[1]))
            if answer[0] == "build":
                yield from civil.build(g, p, chosen, less)
            else:
                yield from civil.upgrade(g, p, chosen, less)


def _gains(g: Table, p: Player, card: Card) -> Flow[None]:
    """The gain from the card, after its action (TA-170)."""
    number = card["gain_food_or_resources"]
    if number:  # TA-480
        answer = yield from ask(p, "food or resources", [("food",), ("resources",)])
        kind: Goods = "food" if answer == ("food",) else "resources"
        yield from gain(g, p, kind, number)
    yield from gain(g, p, "resources", card["gain_resources"])
    yield from gain(g, p, "food", card["gain_food"])
    p.science += card["score_science"]  # TA-176
    p.culture += card["score_culture"]
    p.temp_resources += card["temp_military_resources"]  # TA-477
    p.temp_ma += card["temp_military_actions"]
    scale = card[f"scaled_{len(g.left)}p"]  # TA-487
    match card.words["scaled_by"].split()[:1]:
        case ["temporary"]:  # TA-484, TA-485
            own = strength(g, p)
            p.temp_resources += scale * sum(strength(g, q) > own for q in g.left)
        case ["culture"]:  # TA-486
            p.culture += scale * sum(q.culture > p.culture for q in g.left)
        case _:
            pass
