"""Ratings, action totals and hand limits: sums over cards and workers (TA-190 to TA-198)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.armies import tactical_strength
from tests.oracles.through_the_ages.cards import UNITS, Card, looked_up
from tests.oracles.through_the_ages.state import Pact, Player, Table


def once_cards(g: Table, p: Player) -> Iterator[Card]:
    """The cards whose symbols count exactly once, pacts and colonies apart (TA-191)."""
    yield g.card(p.government)
    yield from (g.card(name) for name in p.specials)
    yield from (g.card(name) for name in p.all_wonders_face_up)
    if p.leader is not None:
        yield g.card(p.leader)


def with_workers(g: Table, p: Player) -> Iterator[tuple[Card, int]]:
    """The technologies with workers, and their numbers (TA-103)."""
    return ((g.card(name), number) for name, number in p.workers.items() if number)


def buildings(g: Table, p: Player, *types: str) -> int:
    """The number of buildings or units of these types."""
    return sum(number for card, number in with_workers(g, p) if card.type in types)


def units(g: Table, p: Player) -> dict[str, int]:
    """The military units by technology."""
    return {card.id: number for card, number in with_workers(g, p) if card.is_unit}


def has_wonder(p: Player, name: str) -> bool:
    """Whether a wonder is completed and not face down."""
    return name in p.all_wonders_face_up


def best(g: Table, p: Player, *types: str) -> Card | None:
    """The highest card of these types with a worker (TA-454)."""
    found = [card for card, _ in with_workers(g, p) if card.type in types]
    return max(found, key=lambda card: card.level, default=None)


def pacts_of(g: Table, p: Player, name: str) -> Iterator[Pact]:
    """The pacts of a name that a player is party to."""
    return (pact for pact in g.pacts if pact.card == name and pact.binds(p.seat))


def _plain(g: Table, p: Player, symbol: str) -> int:
    """The symbols of cards and workers."""
    of_workers = sum(card[symbol] * number for card, number in with_workers(g, p))
    return of_workers + sum(card[symbol] for card in once_cards(g, p))


# ---- Happiness --------------------------------------------------------------------------------------


def faces_of(g: Table, p: Player, card: Card) -> int:
    """The faces of one worker on a card, or of a card, St. Peter's included (TA-461, TA-462)."""
    faces = card["happy"] + card["permanent_happy"]
    if card.id == p.homer_under:
        faces += 1  # TA-421
    if faces > 0 and has_wonder(p, "st_peters_basilica") and card.id != "st_peters_basilica":
        faces += 1
    return faces


def happiness(g: Table, p: Player) -> int:
    """The happiness rating, 0 to 8 (TA-192, TA-193)."""
    faces = sum(faces_of(g, p, card) * number for card, number in with_workers(g, p))
    faces += sum(faces_of(g, p, card) for card in once_cards(g, p))
    faces += sum(faces_of(g, p, g.card(name)) for name in p.colonies)
    return min(8, max(0, faces))


def discontent(g: Table, p: Player) -> int:
    """Discontent workers (TA-276)."""
    return max(0, looked_up(g.tables.faces_required, p.yellow_bank) - happiness(g, p))


# ---- Science and culture -----------------------------------------------------------------------------


def lab_bonus(g: Table, p: Player) -> int:
    """The best lab or library of Leonardo, Newton and Einstein (TA-431, TA-437, TA-446, TA-455)."""
    if p.leader not in ("leonardo_da_vinci", "isaac_newton", "albert_einstein"):
        return 0
    card = best(g, p, "lab", "library")
    return card.level if card else 0


def science(g: Table, p: Player) -> int:
    """The science rating."""
    found = _plain(g, p, "science") + lab_bonus(g, p)
    if p.leader == "sid_meier":
        found -= buildings(g, p, "lab")  # TA-452
    return max(0, found)


def building_culture(g: Table, p: Player, *types: str) -> int:
    """The output of buildings of these types, including the effects of leaders on them (TA-471, TA-472)."""
    found = sum(
        card["culture"] * number for card, number in with_workers(g, p) if card.type in types
    )
    if "theater" in types:
        theaters = buildings(g, p, "theater")
        if p.leader == "j_s_bach":
            found += theaters  # TA-439
        if p.leader == "charlie_chaplin":
            card = best(g, p, "theater")
            found += card["culture"] if card else 0  # TA-450
        if p.leader == "william_shakespeare" and "library" in types:
            found += 2 * min(theaters, buildings(g, p, "library"))  # TA-444
    if "lab" in types and p.leader == "sid_meier":
        labs = ((card, number) for card, number in with_workers(g, p) if card.type == "lab")
        found += sum(card.level * number for card, number in labs)  # TA-452
    return found


def _pact_culture(g: Table, p: Player) -> int:
    found = 0
    for pact in g.pacts:
        if not pact.binds(p.seat):
            continue
        side = 1 if pact.a == p.seat else -1
        match pact.card:
            case "promise_of_military_protection":
                found += side  # TA-581
            case "loss_of_sovereignty":
                found += 2 * side  # TA-584
            case "peace_treaty":
                found += 1  # TA-586
            case "international_tourism":
                found += len(g.players[pact.other(p.seat)].wonders)  # TA-583, TA-533
            case _:
                pass
    return found


def culture(g: Table, p: Player) -> int:
    """The culture rating."""
    urban = building_culture(g, p, "lab", "temple", "library", "theater", "arena")
    found = urban + sum(card["culture"] for card in once_cards(g, p))
    found += 2 * len(p.face_down)  # TA-532
    if p.leader == "michelangelo":  # TA-433
        found += sum(
            faces_of(g, p, card) * number
            for card, number in with_workers(g, p)
            if card.type in ("temple", "theater")
        )
        found += sum(max(0, faces_of(g, p, g.card(name))) for name in p.all_wonders_face_up)
    if p.leader == "james_cook" and p.colonies:
        found += 1 + len(p.colonies)  # TA-436
    return max(0, found + _pact_culture(g, p))


# ---- Strength -----------------------------------------------------------------------------------------


def _leader_strength(g: Table, p: Player) -> int:
    number = buildings(g, p, *UNITS)
    match p.leader:
        case "alexander_the_great":
            return number  # TA-412
        case "joan_of_arc":  # TA-429
            temples = (
                faces_of(g, p, card) * count
                for card, count in with_workers(g, p)
                if card.type == "temple"
            )
            return sum(temples) + max(0, faces_of(g, p, g.card(p.government)))
        case "napoleon_bonaparte":
            return 2 * len({card.type for card, _ in with_workers(g, p) if card.is_unit})  # TA-443
        case _:
            return 0


def pact_strength(p: Player, pact: Pact) -> int:
    """The effects of a pact for a party."""
    if pact.card == "military_pact" and pact.binds(p.seat):
        return 3  # TA-585
    if pact.card == "promise_of_military_protection" and pact.b == p.seat:
        return 4  # TA-581
    return 0


def army_strength(g: Table, p: Player, sent: dict[str, int] | None = None) -> int:
    """The tactical strength of all units, or of those sent (TA-254)."""
    tactic = g.card(p.tactic) if p.tactic else None
    rides = p.leader == "genghis_khan"
    return tactical_strength(g.tables, tactic, units(g, p) if sent is None else sent, rides)


def strength(g: Table, p: Player) -> int:
    """The strength rating."""
    found = _plain(g, p, "strength") + army_strength(g, p) + _leader_strength(g, p)
    found += sum(g.card(name)["permanent_strength"] for name in p.colonies)
    if has_wonder(p, "great_wall"):
        found += buildings(g, p, "infantry", "artillery")  # TA-460
    found += sum(pact_strength(p, pact) for pact in g.pacts)
    return max(0, found)


# ---- Production -----------------------------------------------------------------------------------------


def lab_production(g: Table, p: Player) -> int:
    """The production of the labs of Bill Gates (TA-447, TA-449)."""
    if p.leader != "bill_gates":
        return 0
    labs = ((card, number) for card, number in with_workers(g, p) if card.type == "lab")
    return sum(card.level * number for card, number in labs)


def pact_production(g: Table, p: Player, kind: str) -> int:
    """The change of a production of food or resources by pacts (TA-579, TA-580)."""
    found = 0
    for pact in g.pacts:
        if pact.card == "acceptance_of_supremacy" and kind == "resources" and pact.binds(p.seat):
            found += 1 if pact.a == p.seat else -1
        if pact.card == "international_trade_agreement":
            found += p.seat == (pact.a if kind == "resources" else pact.b)
    return found


def food_production(g: Table, p: Player) -> int:
    """The production of the farms (TA-291)."""
    return sum(card["food_per_token"] * number for card, number in with_workers(g, p))


def mine_production(g: Table, p: Player) -> int:
    """The production of the mines, including the Railroad (TA-296, TA-468)."""
    found = sum(card["resources_per_token"] * number for card, number in with_workers(g, p))
    card = best(g, p, "mine")
    if card is not None and has_wonder(p, "transcontinental_railroad"):
        found += card["resources_per_token"]
    return found


# ---- Totals and limits ----------------------------------------------------------------------------------


def civil_total(g: Table, p: Player) -> int:
    """The white tokens (TA-198)."""
    return sum(card["civil_actions"] for card in once_cards(g, p))


def military_total(g: Table, p: Player) -> int:
    """The red tokens (TA-198, TA-577)."""
    open_borders = sum(1 for _ in pacts_of(g, p, "open_borders_agreement"))
    return sum(card["military_actions"] for card in once_cards(g, p)) + open_borders


def settle_totals(g: Table, p: Player) -> None:
    """More tokens are available at once; of fewer, spent ones go first (TA-199, TA-200)."""
    ca, ma = civil_total(g, p), military_total(g, p)
    p.ca = p.ca + ca - p.ca_total if ca > p.ca_total else min(p.ca, ca)
    p.ma = p.ma + ma - p.ma_total if ma > p.ma_total else min(p.ma, ma)
    p.ca_total, p.ma_total = ca, ma


def civil_hand_limit(g: Table, p: Player) -> int:
    """The civil hand limit (TA-069)."""
    return p.ca_total + has_wonder(p, "library_of_alexandria")


def military_hand_limit(g: Table, p: Player) -> int:
    """The military hand limit (TA-282); temporary actions do not count (TA-175)."""
    return p.ma_total + has_wonder(p, "library_of_alexandria")


def colonization(g: Table, p: Player) -> int:
    """The colonization modifiers of cards in play (TA-197)."""
    return sum(card["colonization"] for card in once_cards(g, p))


# ---- Comparing (TA-226 to TA-230) ------------------------------------------------------------------------


def rank_players(g: Table, key: str, first: int | None = None) -> list[Player]:
    """All players, the one with most first; ties in clockwise order (TA-227, TA-228)."""
    start = g.current if first is None else first
    return sorted(g.clockwise(start), key=lambda p: -_rating(g, p, key))


def _rating(g: Table, p: Player, key: str) -> int:
    match key:
        case "strength":
            return strength(g, p)
        case "science":
            return science(g, p)
        case _:
            return p.culture


def strongest(g: Table, number: int = 1) -> list[Player]:
    """The strongest, or the two; with two players one (TA-229)."""
    return rank_players(g, "strength")[: number if len(g.left) > 2 else 1]


def weakest(g: Table, number: int = 1) -> list[Player]:
    """The weakest, or the two; with two players one (TA-229)."""
    return rank_players(g, "strength")[-(number if len(g.left) > 2 else 1) :]
