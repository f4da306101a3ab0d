"""The Action Phase and the End-of-Turn Phase (chapters 8 and 28)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages import action_cards, civil, develop, military
from tests.oracles.through_the_ages.ages import discard_military, draw_military
from tests.oracles.through_the_ages.cards import looked_up
from tests.oracles.through_the_ages.ratings import (
    best,
    culture,
    discontent,
    has_wonder,
    military_hand_limit,
    pact_production,
    science,
    strength,
    with_workers,
)
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import (
    Goods,
    gain,
    gain_population,
    lose,
    may_exchange,
    pay,
    pay_stored,
    produce,
    stored_goods,
)

END: Option = ("end_the_turn",)

# ---- Action Phase -----------------------------------------------------------------------------------------


def offer_abilities(g: Table, p: Player) -> Iterator[Option]:
    """Abilities that cost no action."""
    if has_wonder(p, "ocean_liner_service") and "settle" not in p.used and p.yellow_bank:
        yield ("settle",)  # TA-467
    if p.leader == "winston_churchill" and "inspire" not in p.used:
        yield ("inspire",)  # TA-453


def offers(g: Table, p: Player) -> Iterator[Option]:
    """All actions of the Action Phase (TA-082); in the first round only taking cards (TA-046)."""
    if g.round == 1:
        yield from civil.offer_takings(g, p)
    else:
        yield from civil.offer(g, p)
        yield from develop.offer(g, p)
        yield from action_cards.offer(g, p)
        yield from military.offer(g, p)
        yield from offer_abilities(g, p)
    yield END  # TA-047


def action_phase(g: Table, p: Player) -> Flow[None]:
    """Actions in any order until the player stops (TA-082)."""
    p.taken.clear()  # cards of an International Agreement may be played (TA-526)
    while True:
        option = yield from ask(p, "what is done", offers(g, p))
        match option[0]:
            case "end_the_turn":
                return
            case "take" | "grow" | "build" | "upgrade" | "destroy" | "build_stages" | "to_theater":
                yield from civil.perform(g, p, option)
            case "lead" | "develop" | "revolt":
                yield from develop.perform(g, p, option)
            case "play_card":
                yield from action_cards.perform(g, p, option)
            case "settle":
                p.used.add("settle")
                gain_population(p, 1)
            case "inspire":
                yield from _inspire(p)
            case _:
                yield from military.perform(g, p, option)


def _inspire(p: Player) -> Flow[None]:
    """Churchill (TA-453)."""
    p.used.add("inspire")
    ways: list[Option] = [("score_culture",), ("support_the_military",)]
    answer = yield from ask(p, "what Churchill brings", ways)
    if answer == ("score_culture",):
        p.culture += 3
    else:
        p.temp_science += 3
        p.temp_resources += 3


# ---- End-of-Turn Phase (TA-280) ------------------------------------------------------------------------------


def end_of_turn(g: Table, p: Player) -> Flow[None]:
    """The steps in order; a resigned player has none."""
    _genghis(g, p)
    while len(p.military_hand) > military_hand_limit(g, p):  # TA-281
        answer = yield from ask(
            p, "which military card is discarded", [("drop", n) for n in p.military_hand]
        )
        discard_military(g, p, str(answer[1]))
    if discontent(g, p) <= p.pool:  # TA-278, TA-285
        yield from production(g, p)
    draw_military(g, p, min(3, p.ma + p.temp_ma))  # TA-298, TA-174
    reset(p)


def _genghis(g: Table, p: Player) -> None:
    """Whether the player is one of the two strongest; the player wins ties (TA-427, TA-428)."""
    if p.leader == "genghis_khan":
        own = strength(g, p)
        stronger = sum(strength(g, q) > own for q in g.left)
        if stronger < (2 if len(g.left) > 2 else 1):
            p.culture += 3


def production(g: Table, p: Player) -> Flow[None]:
    """The Production Phase (TA-286)."""
    p.science += science(g, p)  # TA-287
    p.culture += culture(g, p)
    yield from corruption(g, p)
    yield from produce_food(g, p)
    yield from consumption(g, p)
    yield from produce_resources(g, p)


def corruption(g: Table, p: Player) -> Flow[None]:
    """Resources, then food (TA-288, TA-289)."""
    amount = looked_up(g.tables.corruption, p.blue_bank)
    lost = yield from lose(g, p, "resources", amount)
    yield from lose(g, p, "food", amount - lost)


def produce_food(g: Table, p: Player) -> Flow[None]:
    """A token for each farm, then pacts (TA-291, TA-297)."""
    produce(g, p, [(card, n) for card, n in with_workers(g, p) if card.type == "farm"])
    yield from _pacts_produce(g, p, "food")


def produce_resources(g: Table, p: Player) -> Flow[None]:
    """A token for each mine, the Railroad's, those of Gates, then pacts (TA-296, TA-447, TA-468)."""
    wanted = [(card, n) for card, n in with_workers(g, p) if card.type == "mine"]
    top = best(g, p, "mine")
    if top is not None and has_wonder(p, "transcontinental_railroad"):
        wanted = [(card, n + (card is top)) for card, n in wanted]
    if p.leader == "bill_gates":
        wanted += [(card, n) for card, n in with_workers(g, p) if card.type == "lab" and card.level]
    produce(g, p, wanted)
    yield from _pacts_produce(g, p, "resources")


def _pacts_produce(g: Table, p: Player, kind: Goods) -> Flow[None]:
    number = pact_production(g, p, kind)
    if number > 0:
        yield from gain(g, p, kind, number)
    else:
        yield from lose(g, p, kind, -number)


def consumption(g: Table, p: Player) -> Flow[None]:
    """Food; 4 culture for each missing one (TA-294, TA-295)."""
    amount = looked_up(g.tables.consumption, p.yellow_bank)
    if stored_goods(g, p, "food") >= amount:
        yield from pay(g, p, "food", amount)
        return
    if may_exchange(g, p, "food"):  # TA-578: for any payment
        ways: list[Option] = [("exchange",), ("pay_without",)]
        answer = yield from ask(p, "the Trade Routes Agreement", ways)
        if answer == ("exchange",):
            p.used.add("trade_routes")
            yield from pay_stored(g, p, "resources", 1)
            amount -= 1
    paid = yield from lose(g, p, "food", amount)
    p.culture = max(0, p.culture - 4 * (amount - paid))


def reset(p: Player) -> None:
    """All actions return, and bonuses for one turn end (TA-303, TA-173, TA-174)."""
    p.ca, p.ma = p.ca_total, p.ma_total
    p.temp_ma = p.temp_resources = p.temp_science = 0
    p.taken.clear()
    p.used.clear()
    p.replaced_leader = p.chose_tactic = False
