"""Events: preparing, revealing, and the effects of those of Ages A, I and II (chapters 24, 38.7 to 38.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.oracles.through_the_ages import civil, develop, impacts, phases
from tests.oracles.through_the_ages.ages import (
    discard_military,
    draw_military,
    slide_and_deal,
)
from tests.oracles.through_the_ages.colonies import auction
from tests.oracles.through_the_ages.leaving import lose_colony, remove_leader, turn_down
from tests.oracles.through_the_ages.ratings import (
    culture,
    discontent,
    happiness,
    rank_players,
    science,
    strongest,
    weakest,
    with_workers,
)
from tests.oracles.through_the_ages.state import Flow, Option, Player, Table, ask
from tests.oracles.through_the_ages.tokens import (
    Goods,
    gain,
    gain_population,
    lose,
    lose_blue,
    lose_population,
    stored_goods,
)

# ---- Preparing and revealing -------------------------------------------------------------------------------


def prepare(g: Table, p: Player, name: str) -> Flow[None]:
    """A card for later, and the top event now (TA-212 to TA-221)."""
    p.military_hand.remove(name)
    g.future_events.append(name)
    p.culture += g.card(name).level
    yield from reveal(g)
    if not g.current_events:  # TA-217, TA-218
        shuffled = g.shuffle("future events", g.future_events)
        g.current_events = sorted(shuffled, key=lambda one: g.card(one).level)
        g.future_events = []


def reveal(g: Table) -> Flow[None]:
    """The top current event is resolved completely (TA-215, TA-221)."""
    name = g.current_events.pop(0)
    if g.card(name).kind == "territory":
        yield from auction(g, name)
        return
    if g.card(name).level == 3:
        impacts.score_impact(g, name)
    else:
        yield from EVENTS[name](g)
    g.past_events.append(name)


# ---- For everybody ---------------------------------------------------------------------------------------------


def lose_culture(p: Player, number: int) -> None:
    """No more than there is (TA-196)."""
    p.culture = max(0, p.culture - number)


def _agriculture(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from gain(g, p, "food", 2)


def _crafts(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from gain(g, p, "resources", 2)


def _markets(g: Table) -> Flow[None]:
    for p in g.in_order:
        answer = yield from ask(p, "food or resources", [("food",), ("resources",)])
        kind: Goods = "food" if answer == ("food",) else "resources"
        yield from gain(g, p, kind, 2)


def _politics(g: Table) -> Flow[None]:
    for p in g.in_order:
        draw_military(g, p, 3)
    yield from ()


def _religion(g: Table) -> Flow[None]:
    yield from _free_building(g, "religion")


def _warfare(g: Table) -> Flow[None]:
    yield from _free_building(g, "warriors")


def _free_building(g: Table, name: str) -> Flow[None]:
    """With an unused worker and, for a temple, room (TA-223, TA-493, TA-497)."""
    for p in g.in_order:
        if not p.pool or not civil.has_room(g, p, g.card(name)):
            continue
        answer = yield from ask(p, f"build {name} for free", [("yes",), ("no",)])
        if answer == ("yes",):
            p.pool -= 1
            p.workers[name] += 1


def _science(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.science += 2
    yield from ()


def _settlement(g: Table) -> Flow[None]:
    for p in g.in_order:
        gain_population(p, 1)
    yield from ()


def _trade_routes(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.science += 1
        yield from gain(g, p, "food", 1)
        yield from gain(g, p, "resources", 1)


def _civilization(g: Table) -> Flow[None]:
    """One action for less, and no civil action (TA-498, TA-499)."""
    for p in g.in_order:
        ways: list[Option] = [("pass",)]
        if civil.can_grow(g, p, 1):
            ways.append(("grow",))
        ways += [("build", card.id) for card in civil.buildable(g, p, 1)]
        ways += [("develop", card.id) for card in develop.developable(g, p, 1)]
        ways += [("revolt", card.id) for card in develop.revolutions(g, p, 1)]
        match (yield from ask(p, "which development", ways)):
            case ("grow",):
                yield from civil.grow(g, p, 1)
            case ("build", str(name)):
                yield from civil.build(g, p, g.card(name), 1)
            case ("develop", str(name)):
                yield from develop.develop(g, p, g.card(name), 1)
            case ("revolt", str(name)):
                yield from develop.revolt(g, p, g.card(name), 1)
            case _:
                pass


def _cultural_influence(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.culture += culture(g, p)
    yield from ()


def _good_harvest(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from phases.produce_food(g, p)


def _new_deposits(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from phases.produce_resources(g, p)


def _immigration(g: Table) -> Flow[None]:
    faces = {p.seat: happiness(g, p) for p in g.left}
    for p in g.in_order:
        if faces[p.seat] == max(faces.values()):  # TA-230
            gain_population(p, 1)
    yield from ()


def _pestilence(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from lose_population(g, p)


def _rats(g: Table) -> Flow[None]:
    for p in g.in_order:
        for name in p.workers:
            if g.card(name).type == "farm":
                p.blue_bank += p.tokens.pop(name, 0)
    yield from ()


def _rebellion(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.ca -= min(p.ca, 2 * discontent(g, p))  # TA-511
    yield from ()


def _scientific_breakthrough(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.science += science(g, p)
    yield from ()


# ---- For some -----------------------------------------------------------------------------------------------------


def most_culture(g: Table) -> Player:
    """With most culture points (TA-228)."""
    return rank_players(g, "culture points")[0]


def _barbarians(g: Table) -> Flow[None]:
    p = most_culture(g)
    if p in weakest(g, 2):
        yield from lose_population(g, p)


def _border_conflict(g: Table) -> Flow[None]:
    (strong,), (weak,) = strongest(g), weakest(g)
    ways = [("ruin", card.id) for card, _ in with_workers(g, weak) if not card.is_unit]
    if ways:
        answer = yield from ask(weak, "what is destroyed", ways)
        civil.bring_down(weak, g.card(str(answer[1])))
    yield from gain(g, strong, "resources", 3)


def _crusades(g: Table) -> Flow[None]:
    (strong,), (weak,) = strongest(g), weakest(g)
    strong.culture += 4
    lose_culture(weak, 4)
    yield from ()


def _foray(g: Table) -> Flow[None]:
    chosen = strongest(g, 2)
    for p in g.in_order:
        if p in chosen:
            ways: list[Option] = [("food", n) for n in range(4)]
            answer = yield from ask(p, "how much food of 3", ways)
            yield from gain(g, p, "food", int(answer[1]))
            yield from gain(g, p, "resources", 3 - int(answer[1]))


def _raiders(g: Table) -> Flow[None]:
    chosen = weakest(g, 2)
    for p in g.in_order:
        if p not in chosen:
            continue
        food, resources = stored_goods(g, p, "food"), stored_goods(g, p, "resources")
        whole = min(2, food + resources)
        ways: list[Option] = [
            ("food", n) for n in range(max(0, whole - resources), min(whole, food) + 1)
        ]
        answer = yield from ask(p, f"how much food of {whole}", ways)
        yield from lose(g, p, "food", int(answer[1]))
        yield from lose(g, p, "resources", whole - int(answer[1]))


def _reign_of_terror(g: Table) -> Flow[None]:
    (weak,) = weakest(g)
    yield from lose_population(g, weak)


def _uncertain_borders(g: Table) -> Flow[None]:
    (strong,), (weak,) = strongest(g), weakest(g)
    if weak.yellow_bank:
        weak.yellow_bank -= 1
        strong.yellow_bank += 1
    yield from ()


# ---- Age II ----------------------------------------------------------------------------------------------------------


def _civil_unrest(g: Table) -> Flow[None]:
    found = {p.seat: discontent(g, p) for p in g.left}
    for p in g.in_order:
        lose_culture(p, 4 * found[p.seat])
        if found[p.seat] and found[p.seat] == max(found.values()):
            yield from lose_blue(g, p, 1)


def _cold_war(g: Table) -> Flow[None]:
    for p in strongest(g, 2):
        p.science += 6
    yield from ()


def _crime_wave(g: Table) -> Flow[None]:
    chosen = weakest(g, 2)
    for p in g.in_order:
        if p in chosen:
            lose_culture(p, 3)
            yield from lose_blue(g, p, 1)


def _economic_progress(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from phases.corruption(g, p)
        yield from phases.produce_food(g, p)
        yield from phases.consumption(g, p)
        yield from phases.produce_resources(g, p)


def _emigration(g: Table) -> Flow[None]:
    for p in g.in_order:
        for _ in range((discontent(g, p) + 1) // 2):
            yield from lose_population(g, p)


def _iconoclasm(g: Table) -> Flow[None]:
    for p in g.in_order:
        if p.leader is not None and g.card(p.leader).level != g.age:
            remove_leader(g, p)
    yield from ()


def _independence(g: Table) -> Flow[None]:
    (weak,) = weakest(g)
    if weak.colonies:
        answer = yield from ask(
            weak, "which colony is lost", [("lose", name) for name in weak.colonies]
        )
        g.past_events.append(str(answer[1]))
        yield from lose_colony(g, weak, str(answer[1]))


def _international_agreement(g: Table) -> Flow[None]:
    """Cards worth 5 actions for the next political action (TA-523 to TA-526)."""
    (p,) = strongest(g)
    left = 5

    def offers() -> Iterator[Option]:
        return (
            ("take", g.row[space] or "", space + 1)
            for space, cost in civil.takings(g, p)
            if cost <= left
        )

    answer = yield from ask(p, "give up a political action for cards", [("yes",), ("no",)])
    if answer == ("no",):
        return
    p.skips_politics = True
    while True:
        answer = yield from ask(p, "which card is taken", [*offers(), ("done",)])
        if answer == ("done",):
            break
        space = int(answer[2]) - 1
        left -= civil.taking_cost(g, p, space)
        civil.receive(g, p, space)
    yield from slide_and_deal(g)


def _prosperity(g: Table) -> Flow[None]:
    for p in g.in_order:
        yield from gain(g, p, "food", happiness(g, p))


def _national_pride(g: Table) -> Flow[None]:
    most_culture(g).culture += 5
    yield from ()


def _popularization(g: Table) -> Flow[None]:
    for p in g.in_order:
        p.culture += science(g, p)
    yield from ()


def _ravages(g: Table) -> Flow[None]:
    for p in g.in_order:
        ways: list[Option] = [
            ("turn_down", name) for name in p.all_wonders_face_up if g.card(name).level <= 1
        ]
        if ways:
            answer = yield from ask(p, "which wonder decays", ways)
            yield from turn_down(g, p, str(answer[1]))


def _refugees(g: Table) -> Flow[None]:
    (strong,), (weak,) = strongest(g), weakest(g)
    lose_culture(weak, 3)
    yield from lose_population(g, weak)
    strong.culture += 3
    gain_population(strong, 1)


def _politics_of_strength(g: Table) -> Flow[None]:
    (strong,), (weak,) = strongest(g), weakest(g)
    if g.is_last_age:
        strong.culture += 5
        lose_culture(weak, 3)
        return
    draw_military(g, strong, 5)
    for _ in range(min(3, len(weak.military_hand))):
        answer = yield from ask(
            weak, "which card is discarded", [("drop", name) for name in weak.military_hand]
        )
        discard_military(g, weak, str(answer[1]))


def _terrorism(g: Table) -> Flow[None]:
    least = rank_players(g, "culture points")[-1]
    for p in g.clockwise(least.seat)[1:]:
        ways: list[Option] = [("ruin", card.id) for card, _ in with_workers(g, p) if card.is_urban]
        if ways:
            answer = yield from ask(least, "which building is destroyed", ways)
            civil.bring_down(p, g.card(str(answer[1])))


EVENTS: dict[str, Callable[[Table], Flow[None]]] = {
    "development_of_agriculture": _agriculture,
    "development_of_crafts": _crafts,
    "development_of_markets": _markets,
    "development_of_politics": _politics,
    "development_of_religion": _religion,
    "development_of_science": _science,
    "development_of_settlement": _settlement,
    "development_of_trade_routes": _trade_routes,
    "development_of_warfare": _warfare,
    "development_of_civilization": _civilization,
    "barbarians": _barbarians,
    "border_conflict": _border_conflict,
    "crusades": _crusades,
    "cultural_influence": _cultural_influence,
    "foray": _foray,
    "good_harvest": _good_harvest,
    "immigration": _immigration,
    "new_deposits": _new_deposits,
    "pestilence": _pestilence,
    "raiders": _raiders,
    "rats": _rats,
    "rebellion": _rebellion,
    "reign_of_terror": _reign_of_terror,
    "scientific_breakthrough": _scientific_breakthrough,
    "uncertain_borders": _uncertain_borders,
    "civil_unrest": _civil_unrest,
    "cold_war": _cold_war,
    "crime_wave": _crime_wave,
    "economic_progress": _economic_progress,
    "emigration": _emigration,
    "iconoclasm": _iconoclasm,
    "independence_declaration": _independence,
    "international_agreement": _international_agreement,
    "national_pride": _national_pride,
    "politics_of_strength": _politics_of_strength,
    "popularization_of_science": _popularization,
    "prosperity": _prosperity,
    "ravages_of_time": _ravages,
    "refugees": _refugees,
    "terrorism": _terrorism,
}
