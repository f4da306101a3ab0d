"""The card row, the decks and the end of an age (chapters 6 and 30)."""

from __future__ import annotations

from tests.oracles.through_the_ages.leaving import (
    discard,
    remove_leader,
    remove_pact,
    remove_unfinished,
)
from tests.oracles.through_the_ages.ratings import strength
from tests.oracles.through_the_ages.setup import ROW
from tests.oracles.through_the_ages.state import Flow, Player, Table, ask, last_age

NUMERALS = ("A", "I", "II", "III", "IV")


def replenish(g: Table) -> Flow[None]:
    """The first step of a turn (TA-055 to TA-064)."""
    cleared = g.tables.cleared[len(g.left)]  # TA-056, TA-058
    for space in range(cleared):
        name = g.row[space]
        if name is not None:  # TA-057
            g.out[name] += 1  # TA-061
            g.row[space] = None
    yield from slide_and_deal(g)
    if g.age == 0:
        yield from end_age(g)  # TA-064


def slide_and_deal(g: Table) -> Flow[None]:
    """No gaps, then new cards from the left to the right (TA-059, TA-060)."""
    cards: list[str | None] = [name for name in g.row if name is not None]
    g.row = cards + [None] * (ROW - len(cards))
    for space in range(len(cards), ROW):
        if not g.civil_deck:  # TA-063
            return
        g.row[space] = g.civil_deck.pop(0)
        if not g.civil_deck:
            yield from end_age(g)  # TA-062


def end_age(g: Table) -> Flow[None]:
    """All steps, at once and for all players (chapter 30)."""
    if g.age > 0:
        if g.global_conflict:
            _score_conflict(g)
        for player in g.left:
            _antiquate(g, player, g.age - 1)
        for pact in [pact for pact in g.pacts if g.card(pact.card).level == g.age - 1]:
            remove_pact(g, pact, antiquated=True)  # TA-319
        for player in g.left:
            player.yellow_bank -= min(2, player.yellow_bank)  # TA-321
    _next_decks(g)
    if g.mode == "shorter" and g.age == 2:
        yield from _keep_events(g)
    if g.is_last_age:  # TA-327, TA-341
        g.last_round = g.round if g.current == g.starter else g.round + 1


def _score_conflict(g: Table) -> None:
    """Strength above that of the weakest (TA-603, TA-604)."""
    found = {player.seat: strength(g, player) for player in g.left}
    for player in g.left:
        player.culture += found[player.seat] - min(found.values())


def _antiquate(g: Table, p: Player, level: int) -> None:
    """Cards of an age leave hands and play (TA-315 to TA-318)."""
    for hand in (p.civil_hand, p.military_hand):
        old = [name for name in hand if g.card(name).level == level]
        g.out.update(old)
        hand[:] = [name for name in hand if name not in old]
    if p.leader is not None and g.card(p.leader).level == level:
        remove_leader(g, p)
    if p.unfinished is not None and g.card(p.unfinished).level == level:
        remove_unfinished(g, p)


def _keep_events(g: Table) -> Flow[None]:
    """Each keeps one of two events (TA-595, TA-596)."""
    for player in g.clockwise(0):
        answer = yield from ask(
            player, "which event is kept", [("keep", name) for name in player.end_events]
        )
        kept = str(answer[1])
        player.end_events.remove(kept)
        g.out.update(player.end_events)
        player.end_events = [kept]


def _next_decks(g: Table) -> None:
    """The decks of the next age become current (TA-312, TA-322)."""
    g.out.update(g.civil_deck)
    g.out.update(g.military_deck)
    for pile in g.discards.values():
        g.out.update(pile)
        pile.clear()
    g.age += 1
    g.civil_deck, g.military_deck = [], []
    if g.age < last_age(g.mode):
        age = NUMERALS[g.age]
        g.civil_deck = g.shuffle(f"civil {age}", g.next_civil.pop(g.age))
        g.military_deck = g.shuffle(f"military {age}", g.next_military.pop(g.age))


def draw_military(g: Table, p: Player, number: int) -> None:
    """Cards from the current military deck, its discards shuffled when it is empty (TA-301)."""
    if g.is_last_age or g.age == 0:  # TA-302, TA-039
        return
    for _ in range(number):
        if not g.military_deck:
            pile = g.discards[g.age]
            if not pile:
                return
            g.military_deck = g.shuffle(f"military {NUMERALS[g.age]} again", pile)
            g.discards[g.age] = []
        p.military_hand.append(g.military_deck.pop(0))


def discard_military(g: Table, p: Player, name: str) -> None:
    """A card from a hand goes to the discards of its age (TA-310, TA-311)."""
    p.military_hand.remove(name)
    discard(g, name)
