"""Aggressions and wars (chapters 33, 34, 38.12 and 38.13)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.ages import discard_military
from tests.oracles.through_the_ages.cards import Card
from tests.oracles.through_the_ages.civil import bring_down, has_technology
from tests.oracles.through_the_ages.develop import add_special
from tests.oracles.through_the_ages.leaving import (
    discard,
    pass_colony,
    remove_leader,
    remove_pact,
    remove_unfinished,
)
from tests.oracles.through_the_ages.ratings import (
    pact_strength,
    settle_totals,
    strength,
    with_workers,
)
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, War, ask
from tests.oracles.through_the_ages.tokens import (
    change_blue,
    change_yellow,
    gain,
    lose,
    lose_population,
    stored_goods,
)

# ---- Who may attack whom -------------------------------------------------------------------------------


def is_forbidden(g: Table, p: Player, rival: Player) -> bool:
    """Whether a pact between them forbids attacks (TA-354, TA-369)."""
    return any(
        g.card(pact.card)["forbids_attacks"] and pact.binds(p.seat) and pact.binds(rival.seat)
        for pact in g.pacts
    )


def military_cost(card: Card, rival: Player) -> int:
    """The cost, doubled against Gandhi (TA-451)."""
    return card["military_action_cost"] * (2 if rival.leader == "mahatma_gandhi" else 1)


def attack_bonus(g: Table, p: Player, rival: Player) -> int:
    """Open Borders between attacker and rival (TA-353, TA-372, TA-577)."""
    return 2 * sum(
        pact.card == "open_borders_agreement" and pact.binds(p.seat) and pact.binds(rival.seat)
        for pact in g.pacts
    )


def strength_against(g: Table, p: Player, rival: Player) -> int:
    """Strength without pacts that an attack would end (TA-353)."""
    ending = (
        pact_strength(p, pact)
        for pact in g.pacts
        if g.card(pact.card)["ends_on_attack"] and pact.binds(p.seat) and pact.binds(rival.seat)
    )
    return strength(g, p) - sum(ending)


def end_pacts(g: Table, p: Player, rival: Player) -> None:
    """Pacts that end when one party attacks the other (TA-355, TA-370)."""
    for pact in list(g.pacts):
        if g.card(pact.card)["ends_on_attack"] and pact.binds(p.seat) and pact.binds(rival.seat):
            remove_pact(g, pact)


def has_target(g: Table, card: Card, rival: Player) -> bool:
    """Annex and Infiltrate need something to take (TA-356)."""
    match card.id:
        case "annex_ii":
            return bool(rival.colonies)
        case "infiltrate_ii":
            return rival.leader is not None or rival.unfinished is not None
        case _:
            return True


def targets(g: Table, p: Player, card: Card) -> Iterator[Player]:
    """The rivals that an aggression may name (TA-351 to TA-356)."""
    if p.leader == "mahatma_gandhi":  # TA-451
        return
    for rival in g.rivals(p):
        if p.ma < military_cost(card, rival) or is_forbidden(g, p, rival):
            continue
        own = strength_against(g, p, rival) + attack_bonus(g, p, rival)
        if strength_against(g, rival, p) < own and has_target(g, card, rival):
            yield rival


# ---- Aggressions (chapter 33) -----------------------------------------------------------------------------


def attack(g: Table, p: Player, card: Card, rival: Player) -> Flow[None]:
    """Play an aggression (TA-350)."""
    p.ma -= military_cost(card, rival)
    p.military_hand.remove(card.id)
    end_pacts(g, p, rival)
    needed = strength(g, p) + attack_bonus(g, p, rival) - strength(g, rival)
    defence = yield from _defend(g, rival)
    if defence < needed:  # TA-361
        yield from _succeed(g, p, card, rival)
    discard(g, card.id)  # TA-362


def _defend(g: Table, rival: Player) -> Flow[int]:
    """Bonus cards for their value, any cards for 1 each (TA-357 to TA-359)."""
    found = 0
    for _ in range(rival.ma_total):
        ways: list[Option] = [("done",)]
        for name in rival.military_hand:
            if g.card(name).kind == "bonus":
                ways.append(("play", name))
            ways.append(("discard", name))
        answer = yield from ask(rival, "how the attack is met", ways)
        if answer == ("done",):
            break
        name = str(answer[1])
        found += g.card(name)["defence"] if answer[0] == "play" else 1
        discard_military(g, rival, name)
    return found


def _succeed(g: Table, p: Player, card: Card, rival: Player) -> Flow[None]:
    match card.id:
        case "enslave_i":  # TA-561
            yield from lose_population(g, rival)
            yield from gain(g, p, "resources", 2)
            yield from gain(g, p, "food", 2)
        case "plunder_i" | "plunder_ii" | "plunder_iii":
            yield from plunder(g, p, rival, 2 * card.level + 1)
        case "raid_i" | "raid_ii" | "raid_iii":
            yield from _raid(g, p, rival, card.level)
        case "annex_ii":  # TA-567
            answer = yield from ask(
                p, "which colony is taken", [("annex", name) for name in rival.colonies]
            )
            yield from pass_colony(g, rival, p, str(answer[1]))
        case "infiltrate_ii":
            yield from _infiltrate(g, p, rival)
        case "spy_ii":  # TA-570
            taken = min(5, rival.science)
            rival.science -= taken
            p.science += taken
        case "armed_intervention_iii":  # TA-571
            taken = min(7, rival.culture)
            rival.culture -= taken
            p.culture += taken
        case _:
            raise AssertionError(card.id)


def plunder(g: Table, p: Player, rival: Player, most: int) -> Flow[None]:
    """A mixture of the attacker's choice, or less (TA-562, TA-364, TA-365, TA-572)."""
    food: list[Option] = [("food", n) for n in range(min(most, stored_goods(g, rival, "food")) + 1)]
    answer = yield from ask(p, "how much food is taken", food)
    eaten = int(answer[1])
    left = min(most - eaten, stored_goods(g, rival, "resources"))
    resources: list[Option] = [("resources", n) for n in range(left + 1)]
    answer = yield from ask(p, "how many resources are taken", resources)
    carried = int(answer[1])
    yield from lose(g, rival, "food", eaten)
    yield from lose(g, rival, "resources", carried)
    yield from gain(g, p, "food", eaten)
    yield from gain(g, p, "resources", carried)


def _raid(g: Table, p: Player, rival: Player, level: int) -> Flow[None]:
    """Urban buildings up to an age; from Raid II on two, at most one of that age (TA-563 to 565)."""
    cost, most = 0, level
    for _ in range(1 if level == 1 else 2):
        ways: list[Option] = [
            ("raid", card.id)
            for card, _ in with_workers(g, rival)
            if card.is_urban and card.level <= most
        ]
        if not ways:
            break
        if level > 1:
            ways.append(("none",))  # up to 2
        answer = yield from ask(p, "which building is destroyed", ways)
        if answer == ("none",):
            break
        card = g.card(str(answer[1]))
        bring_down(rival, card)  # TA-566
        cost += card["resource_cost"]  # TA-363
        if card.level == level:  # the other one is older
            most = level - 1
    yield from gain(g, p, "resources", (cost + 1) // 2)


def _infiltrate(g: Table, p: Player, rival: Player) -> Flow[None]:
    """The leader or the unfinished wonder (TA-568, TA-569)."""
    leader, wonder = rival.leader, rival.unfinished
    ways: list[Option] = [("remove_the_leader",)] * (leader is not None)
    ways += [("remove_the_wonder",)] * (wonder is not None)
    answer = yield from ask(p, "what is removed", ways)
    if answer == ("remove_the_leader",):
        remove_leader(g, rival)
    else:
        remove_unfinished(g, rival)
    removed = leader if answer == ("remove_the_leader",) else wonder
    p.culture += 3 * g.card(removed or "").level


# ---- Wars (chapter 34) ----------------------------------------------------------------------------------------


def enemies(g: Table, p: Player, card: Card) -> Iterator[Player]:
    """The rivals on whom a war may be declared (TA-367 to TA-369)."""
    if p.leader == "mahatma_gandhi" or g.is_last_round:
        return
    for rival in g.rivals(p):
        protected = any(
            pact.card == "loss_of_sovereignty" and pact.b == rival.seat for pact in g.pacts
        )
        if p.ma >= military_cost(card, rival) and not is_forbidden(g, p, rival) and not protected:
            yield rival


def declare(g: Table, p: Player, name: str, fought_as: str, rival: Player) -> None:
    """The card lies in the play area until the war is resolved (TA-367, TA-592)."""
    p.ma -= military_cost(g.card(fought_as), rival)
    p.military_hand.remove(name)
    end_pacts(g, p, rival)
    g.wars.append(War(p.seat, rival.seat, name, fought_as))


def resolve_wars(g: Table, p: Player) -> Flow[None]:
    """At the start of the next turn, in the order declared (TA-371, TA-378)."""
    for war in [war for war in g.wars if war.attacker == p.seat]:
        rival = g.players[war.defender]
        own = strength(g, p) + attack_bonus(g, p, rival)  # TA-372
        advantage = own - strength(g, rival)
        if advantage > 0:  # TA-374
            yield from _spoils(g, war.fought_as, p, rival, advantage)
        elif advantage < 0:
            yield from _spoils(g, war.fought_as, rival, p, -advantage)
        g.wars.remove(war)
        discard(g, war.card)  # TA-376


def _spoils(g: Table, name: str, winner: Player, loser: Player, advantage: int) -> Flow[None]:
    match name:
        case "war_over_culture":  # TA-576
            taken = min(loser.culture, 5 + advantage)
            loser.culture -= taken
            winner.culture += taken
        case "war_over_territory":  # TA-573
            taken = min(loser.yellow_bank, 1 + advantage // 5)
            change_yellow(loser, -taken)
            change_yellow(winner, taken)
        case _:
            yield from _technology(g, winner, loser, advantage)


def _technology(g: Table, winner: Player, loser: Player, advantage: int) -> Flow[None]:
    """Special technologies at their science cost, the rest in science points (TA-574, TA-575)."""
    while True:
        ways: list[Option] = [
            ("take", name)
            for name in loser.specials
            if g.card(name)["science_cost"] <= advantage and not has_technology(winner, name)
        ]
        answer = yield from ask(winner, "what is taken", [*ways, ("science",)])
        if answer == ("science",):
            break
        card = g.card(str(answer[1]))
        advantage -= card["science_cost"]
        loser.specials.remove(card.id)
        settle_totals(g, loser)
        yield from change_blue(g, loser, -card["blue_tokens"])
        yield from add_special(g, winner, card)
    taken = min(loser.science, advantage)
    loser.science -= taken
    winner.science += taken
