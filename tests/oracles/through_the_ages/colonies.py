"""Territories: the auction, the force, the colony (chapter 25)."""

from __future__ import annotations

from collections import Counter

from tests.oracles.through_the_ages.ages import discard_military, draw_military
from tests.oracles.through_the_ages.leaving import gain_colony
from tests.oracles.through_the_ages.ratings import army_strength, colonization, settle_totals, units
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import gain, gain_population


def force(g: Table, p: Player, sent: dict[str, int]) -> int:
    """The force of units, including their armies and the modifiers (TA-242, TA-245)."""
    own = sum(g.card(name)["strength"] * number for name, number in sent.items())
    return own + army_strength(g, p, sent) + colonization(g, p)


def from_cards(g: Table, p: Player) -> int:
    """The maximum force from bonus cards and James Cook's discards (TA-236, TA-243, TA-435)."""
    bonus = [name for name in p.military_hand if g.card(name).kind == "bonus"]
    others = len(p.military_hand) - len(bonus) if p.leader == "james_cook" else 0
    return sum(g.card(name)["colonization"] for name in bonus) + min(2, others)


def largest_force(g: Table, p: Player) -> int:
    """The limit of bids; nothing without a unit (TA-236, TA-237)."""
    sent = units(g, p)
    return force(g, p, sent) + from_cards(g, p) if sent else 0


def auction(g: Table, name: str) -> Flow[None]:
    """Bids rise until all but one have passed (TA-233 to TA-240)."""
    inside = list(g.in_order)
    bid = 0
    while inside and not (bid and len(inside) == 1):
        for player in list(inside):
            if bid and len(inside) == 1:
                break
            ways: list[Option] = [("pass",)]
            ways += [("bid", n) for n in range(bid + 1, largest_force(g, player) + 1)]
            answer = yield from ask(player, "what is bid", ways)
            if answer == ("pass",):
                inside.remove(player)
            else:
                bid = int(answer[1])
    if not inside:
        g.past_events.append(name)  # TA-239
        return
    yield from send(g, inside[0], bid)
    yield from colonize(g, inside[0], name)


def send(g: Table, p: Player, bid: int) -> Flow[None]:
    """Choose units and cards that reach the bid, and lose them (TA-241 to TA-248)."""
    sent: Counter[str] = Counter()
    cards = 0
    discards = 0
    have = units(g, p)

    def reaches_without(name: str) -> bool:
        """Whether the bid is still possible when this card brings 1."""
        rest = [one for one in p.military_hand if g.card(one).kind == "bonus"]
        others = len(p.military_hand) - len(rest)
        if name in rest:
            rest.remove(name)
        else:
            others -= 1
        more = sum(g.card(one)["colonization"] for one in rest) + min(1 - discards, others)
        return force(g, p, have) + cards + 1 + more >= bid

    while True:
        ways: list[Option] = []
        reached = bool(sent) and force(g, p, sent) + cards >= bid
        if reached:
            ways.append(("done",))
        ways += [("send", name) for name, number in have.items() if sent[name] < number]
        for name in p.military_hand:
            if g.card(name).kind == "bonus":
                ways.append(("play", name))
            if p.leader == "james_cook" and discards < 2 and reaches_without(name):
                ways.append(("discard", name))
        answer = yield from ask(p, "what is sent", ways)
        if answer == ("done",):
            break
        name = str(answer[1])
        match answer[0]:
            case "send":
                sent[name] += 1
            case "play":
                cards += g.card(name)["colonization"]
                discard_military(g, p, name)
            case _:
                cards += 1
                discards += 1
                discard_military(g, p, name)
    for name, number in sent.items():
        p.workers[name] -= number
        p.yellow_bank += number


def colonize(g: Table, p: Player, name: str) -> Flow[None]:
    """Permanent effect, then the reward once (TA-249, TA-250)."""
    yield from gain_colony(g, p, name)
    card = g.card(name)
    yield from gain(g, p, "food", card["reward_food"])
    yield from gain(g, p, "resources", card["reward_resources"])
    p.science += card["reward_science"]
    p.culture += card["reward_culture"]
    gain_population(p, card["reward_population"])
    draw_military(g, p, card["reward_military_cards"])  # TA-251
    settle_totals(g, p)
