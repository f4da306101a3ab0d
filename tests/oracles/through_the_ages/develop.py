"""Leaders, technologies and governments from the hand (chapters 14, 16, 17)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.cards import Card
from tests.oracles.through_the_ages.civil import can_spend, spend, take_back
from tests.oracles.through_the_ages.leaving import leader_goes
from tests.oracles.through_the_ages.ratings import buildings, pacts_of, settle_totals
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import change_blue, gain

# ---- Leaders (chapter 14) ------------------------------------------------------------------------------


def lead(g: Table, p: Player, name: str) -> Flow[None]:
    """Play a leader (TA-122), perhaps in the place of another (TA-126)."""
    yield from spend(g, p, 1)
    old = p.leader
    stays = old == "homer" and (yield from _homer_stays(g, p))
    p.civil_hand.remove(name)
    if old is None:
        p.leader = name
        settle_totals(g, p)
        return
    if stays:
        p.leader = None
    else:
        leader_goes(g, p)
    p.leader = name
    p.replaced_leader = True
    settle_totals(g, p)  # only the difference counts (TA-205)
    if not stays:
        take_back(p)


def _homer_stays(g: Table, p: Player) -> Flow[bool]:
    """Homer may go under a completed wonder instead of a civil action taken back (TA-421)."""
    places: list[Option] = [("under", name) for name in p.wonders]
    if not places:
        return False
    ways: list[Option] = [("put_homer_under_a_wonder",), ("take_a_civil_action_back",)]
    answer = yield from ask(p, "what becomes of Homer", ways)
    if answer != ("put_homer_under_a_wonder",):
        return False
    answer = yield from ask(p, "under which wonder Homer goes", places)
    p.homer_under = str(answer[1])
    return True


# ---- What technologies cost -------------------------------------------------------------------------------


def science_cost(g: Table, p: Player, card: Card, printed: int) -> int:
    """The science cost with its modifiers."""
    cost = printed
    if card.type == "theater" and p.leader == "j_s_bach":
        cost -= 2  # TA-439
    if p.leader == "william_shakespeare":  # TA-445
        pair = {"theater": "library", "library": "theater"}
        if card.type in pair and buildings(g, p, pair[card.type]):
            cost -= 1
    if partner(g, p) is not None:
        cost -= 2  # TA-582
    return cost


def partner(g: Table, p: Player) -> Player | None:
    """The player who pays a part by Scientific Cooperation (TA-582)."""
    for pact in pacts_of(g, p, "scientific_cooperation"):
        return g.players[pact.other(p.seat)]
    return None


def can_pay_science(g: Table, p: Player, card: Card, printed: int, less: int = 0) -> bool:
    """Whether a technology can be paid (TA-142)."""
    other = partner(g, p)
    if other is not None and other.science < 1:
        return False
    own = p.science + (p.temp_science if card.is_unit else 0)
    return own >= science_cost(g, p, card, printed) - less


def _pay_science(g: Table, p: Player, card: Card, printed: int, less: int) -> None:
    cost = max(0, science_cost(g, p, card, printed) - less)
    other = partner(g, p)
    if other is not None:
        other.science -= 1
    if card.is_unit:  # Churchill's science (TA-453)
        spent = min(cost, p.temp_science)
        p.temp_science -= spent
        cost -= spent
    p.science -= cost


# ---- Developing (chapter 16) ---------------------------------------------------------------------------------


def developable(g: Table, p: Player, less: int = 0) -> Iterator[Card]:
    """Technologies that can be developed, governments by peaceful change."""
    for name in p.civil_hand:
        card = g.card(name)
        if card.is_technology and can_pay_science(g, p, card, _printed_cost(card), less):
            yield card


def _printed_cost(card: Card) -> int:
    return card["science_cost_peaceful" if card.kind == "government" else "science_cost"]


def develop(g: Table, p: Player, card: Card, less: int = 0) -> Flow[None]:
    """Pay the science and put the card into play (TA-141, TA-156)."""
    _pay_science(g, p, card, _printed_cost(card), less)
    p.civil_hand.remove(card.id)
    if card.kind == "government":
        _change_government(g, p, card)
        settle_totals(g, p)  # more actions are available this turn (TA-157, TA-158)
    elif card.kind == "special":
        yield from add_special(g, p, card)
    else:
        p.workers[card.id] = 0  # TA-143, TA-144
    yield from _give_leader_bonuses(g, p)


def add_special(g: Table, p: Player, card: Card) -> Flow[None]:
    """Of two of a type the higher one stays (TA-146, TA-147); the difference counts (TA-205)."""
    p.specials.append(card.id)
    same = [g.card(name) for name in p.specials if g.card(name).type == card.type]
    blue = card["blue_tokens"]
    if len(same) == 2:
        lower = min(same, key=lambda one: one.level)
        p.specials.remove(lower.id)
        g.out[lower.id] += 1
        blue -= lower["blue_tokens"]
    settle_totals(g, p)
    yield from change_blue(g, p, blue)


def _change_government(g: Table, p: Player, card: Card) -> None:
    """The old government is out of play (TA-164)."""
    if not g.card(p.government)["initial"]:
        g.out[p.government] += 1
    p.government = card.id


def _give_leader_bonuses(g: Table, p: Player) -> Flow[None]:
    """The bonuses of leaders for a developed technology."""
    match p.leader:
        case "leonardo_da_vinci":
            yield from gain(g, p, "resources", 1)  # TA-432
        case "isaac_newton":
            take_back(p)  # TA-437, TA-438
        case "albert_einstein":
            p.culture += 3  # TA-446
        case _:
            pass


# ---- Revolutions (chapter 17) -----------------------------------------------------------------------------------


def by_force(p: Player) -> bool:
    """Whether a revolution is paid with military actions (TA-441)."""
    return p.leader == "maximilien_robespierre"


def revolutions(g: Table, p: Player, less: int = 0) -> Iterator[Card]:
    """Governments for which a revolution can be declared (TA-159, TA-161, TA-441)."""
    ready = p.ma == p.ma_total if by_force(p) else p.ca == p.ca_total
    for name in p.civil_hand if ready else ():
        card = g.card(name)
        if card.kind == "government" and can_pay_science(
            g, p, card, card["science_cost_revolution"], less
        ):
            yield card


def revolt(g: Table, p: Player, card: Card, less: int = 0) -> Flow[None]:
    """Spend all actions of a colour, those gained by it too (TA-160, TA-163, TA-442)."""
    _pay_science(g, p, card, card["science_cost_revolution"], less)
    p.civil_hand.remove(card.id)
    military = by_force(p)
    if military:
        p.ma = 0
        p.culture += 3
    else:
        p.ca = 0
    _change_government(g, p, card)
    settle_totals(g, p)
    if military:
        p.ma = 0
    else:
        p.ca = 0
    yield from _give_leader_bonuses(g, p)


# ---- Offers of the Action Phase -----------------------------------------------------------------------------------


def offer(g: Table, p: Player) -> Iterator[Option]:
    """Leaders, technologies and governments of the hand."""
    if can_spend(g, p, 1):
        yield from (("lead", name) for name in p.civil_hand if g.card(name).kind == "leader")
        yield from (("develop", card.id) for card in developable(g, p))
    yield from (("revolt", card.id) for card in revolutions(g, p))


def perform(g: Table, p: Player, option: Option) -> Flow[None]:
    """One of the actions offered here."""
    match option:
        case ("lead", str(name)):
            yield from lead(g, p, name)
        case ("develop", str(name)):
            yield from spend(g, p, 1)
            yield from develop(g, p, g.card(name))
        case ("revolt", str(name)):
            yield from revolt(g, p, g.card(name))
        case _:
            raise AssertionError(option)
