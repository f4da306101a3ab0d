"""The Politics Phase, pacts and resigning (chapters 23, 35 and 36)."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.through_the_ages.attacks import attack, declare, enemies, targets
from tests.oracles.through_the_ages.colonies import colonize
from tests.oracles.through_the_ages.events import prepare
from tests.oracles.through_the_ages.leaving import discard, remove_leader, remove_pact
from tests.oracles.through_the_ages.ratings import settle_totals
from tests.oracles.through_the_ages.setup import civil_cards, military_cards
from tests.oracles.through_the_ages.state import Flow, Option, Pact, Player, Table, ask

PASS: Option = ("pass",)
WAR_OVER_CULTURE = "war_over_culture"

# ---- The phase -------------------------------------------------------------------------------------------


def politics_phase(g: Table, p: Player) -> Flow[None]:
    """At most one political action (TA-208), with Julius Caesar once two (TA-416)."""
    if p.skips_politics:  # TA-525
        p.skips_politics = False
        return
    acted = yield from _one_action(g, p)
    if acted and p.leader == "julius_caesar" and not p.caesar_used:
        p.caesar_used = yield from _one_action(g, p)


def _one_action(g: Table, p: Player) -> Flow[bool]:
    option = yield from ask(p, "what is done in politics", offers(g, p))
    if option == PASS:
        return False
    yield from _perform(g, p, option)
    return True


def offers(g: Table, p: Player) -> Iterator[Option]:
    """All political actions that can be done (TA-209)."""
    for name in dict.fromkeys(p.military_hand):
        card = g.card(name)
        match card.kind:
            case "event" | "territory":
                yield ("prepare", name)
            case "aggression":
                yield from (("attack", name, rival.seat) for rival in targets(g, p, card))
            case "war":
                yield from (("declare", name, rival.seat) for rival in enemies(g, p, card))
                if g.mode == "shorter" and name != WAR_OVER_CULTURE:  # TA-592
                    other = g.card(WAR_OVER_CULTURE)
                    for rival in enemies(g, p, other):
                        yield ("declare_over_culture", name, rival.seat)
            case "pact":
                yield from _pact_offers(g, p, name)
            case _:
                pass
        if card.kind == "territory" and p.leader == "christopher_columbus":
            yield ("discover", name)  # TA-424
    if p.leader == "alexander_the_great":
        yield ("alexander",)  # TA-413
    yield from (("cancel", pact.card) for pact in g.pacts if pact.binds(p.seat))
    if g.mode != "first_game" and not g.is_last_age:  # TA-211, TA-342, TA-394, TA-598
        yield ("resign",)
    yield PASS


def _perform(g: Table, p: Player, option: Option) -> Flow[None]:
    match option:
        case ("prepare", str(name)):
            yield from prepare(g, p, name)
        case ("attack", str(name), int(seat)):
            yield from attack(g, p, g.card(name), g.players[seat])
        case ("declare", str(name), int(seat)):
            declare(g, p, name, name, g.players[seat])
        case ("declare_over_culture", str(name), int(seat)):
            declare(g, p, name, WAR_OVER_CULTURE, g.players[seat])
        case ("offer", str(name), int(seat)):
            yield from _offer(g, p, name, g.players[seat])
        case ("cancel", str(name)):
            remove_pact(g, next(pact for pact in g.pacts if pact.card == name))
        case ("discover", str(name)):
            p.military_hand.remove(name)
            remove_leader(g, p)
            yield from colonize(g, p, name)
        case ("alexander",):
            remove_leader(g, p)
            p.yellow_bank += 1
        case ("resign",):
            resign(g, p)
        case _:
            raise AssertionError(option)


# ---- Pacts (chapter 35) ---------------------------------------------------------------------------------------


def _pact_offers(g: Table, p: Player, name: str) -> Iterator[Option]:
    """To whom (TA-382); to nobody where two are left (TA-399)."""
    rivals = g.rivals(p) if len(g.left) > 2 else []
    return (("offer", name, rival.seat) for rival in rivals)


def _offer(g: Table, p: Player, name: str, rival: Player) -> Flow[None]:
    """Choose the sides; the other player accepts or refuses at once (TA-382 to TA-386)."""
    sides: list[Option] = [("you_are", "a"), ("you_are", "b")]
    side = yield from ask(p, "which side", sides[: 1 + g.card(name)["has_sides"]])
    answer = yield from ask(rival, f"a pact, {name}", [("accept",), ("refuse",)])
    if answer == ("refuse",):
        return
    p.military_hand.remove(name)
    for pact in [pact for pact in g.pacts if pact.owner == p.seat]:
        remove_pact(g, pact)
    a, b = (p.seat, rival.seat) if side == ("you_are", "a") else (rival.seat, p.seat)
    g.pacts.append(Pact(p.seat, name, a, b))
    for player in (p, rival):
        settle_totals(g, player)


# ---- Resigning (chapter 36) --------------------------------------------------------------------------------------


def resign(g: Table, p: Player) -> None:
    """Leave the game (TA-394 to TA-402)."""
    for seat in {war.attacker for war in g.wars if war.defender == p.seat}:
        g.players[seat].culture += 7  # TA-396
    for war in list(g.wars):
        if war.defender == p.seat:
            g.wars.remove(war)
            discard(g, war.card)
        elif war.attacker == p.seat:  # TA-397
            g.wars.remove(war)
            g.out[war.card] += 1
    for pact in [pact for pact in g.pacts if pact.binds(p.seat)]:
        remove_pact(g, pact)
    for name in p.military_hand:
        discard(g, name)
    p.military_hand.clear()
    _clear(g, p)
    p.resigned = True
    left = len(g.left)
    if left == 1:  # TA-400
        g.winners = [g.left[0].seat]
        return
    if g.starter == p.seat:
        g.starter = g.clockwise(p.seat)[0].seat  # TA-401
    for level in g.next_civil:  # TA-399
        g.out.update(_removed_cards(g.next_civil[level], civil_cards(g.tables, level, left)))
        g.next_civil[level] = civil_cards(g.tables, level, left)
        military = military_cards(g.tables, level, left, g.mode, g.quiet_pacts)
        g.out.update(_removed_cards(g.next_military[level], military))
        g.next_military[level] = military


def _removed_cards(before: list[str], after: list[str]) -> list[str]:
    found = list(before)
    for name in after:
        found.remove(name)
    return found


def _clear(g: Table, p: Player) -> None:
    """Cards and tokens leave the game (TA-398)."""
    single = (p.leader, p.unfinished, p.government, p.tactic if p.exclusive else None)
    cards = [name for name in single if name]
    cards += [*p.workers, *p.specials, *p.wonders, *p.colonies, *p.civil_hand, *p.end_events]
    cards += ["homer"] if p.homer_under else []
    g.out.update(name for name in cards if not g.card(name)["initial"])
    p.leader = p.unfinished = p.tactic = p.homer_under = None
    p.exclusive = False
    p.workers, p.government = {}, "despotism"
    p.tokens.clear()
    p.pool = p.yellow_bank = p.blue_bank = p.stages = 0
    for pile in (p.specials, p.wonders, p.colonies, p.civil_hand, p.end_events):
        pile.clear()
    p.face_down.clear()
