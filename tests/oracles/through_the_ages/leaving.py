"""Cards that leave play, with their tokens and the effects of that."""

from __future__ import annotations

from tests.oracles.through_the_ages.ratings import lab_production, settle_totals
from tests.oracles.through_the_ages.state import Flow, Pact, Player, Table
from tests.oracles.through_the_ages.tokens import change_blue, change_yellow


def discard(g: Table, name: str) -> None:
    """A military card goes to the discards of its age (TA-310)."""
    g.discards[g.card(name).level].append(name)


def leader_goes(g: Table, p: Player) -> None:
    """The leader is out of the game; Bill Gates scores (TA-449, TA-324)."""
    assert p.leader is not None
    p.culture += lab_production(g, p)
    g.out[p.leader] += 1
    p.leader = None


def remove_leader(g: Table, p: Player) -> None:
    """The leader leaves play and is not replaced."""
    leader_goes(g, p)
    settle_totals(g, p)


def remove_unfinished(g: Table, p: Player) -> None:
    """The unfinished wonder goes, its tokens return to the blue bank (TA-318, TA-569)."""
    assert p.unfinished is not None
    g.out[p.unfinished] += 1
    p.blue_bank += p.stages
    p.unfinished, p.stages = None, 0


def remove_pact(g: Table, pact: Pact, *, antiquated: bool = False) -> None:
    """To the discards, or out of the game when antiquated (TA-392)."""
    g.pacts.remove(pact)
    if antiquated:
        g.out[pact.card] += 1
    else:
        discard(g, pact.card)
    for seat in (pact.a, pact.b):
        settle_totals(g, g.players[seat])


def gain_colony(g: Table, p: Player, name: str) -> Flow[None]:
    """The permanent effect of a territory (TA-249)."""
    card = g.card(name)
    p.colonies.append(name)
    yield from change_blue(g, p, card["permanent_blue"])
    change_yellow(p, card["permanent_yellow"])


def lose_colony(g: Table, p: Player, name: str) -> Flow[None]:
    """The permanent effect ends (TA-252)."""
    card = g.card(name)
    p.colonies.remove(name)
    yield from change_blue(g, p, -card["permanent_blue"])
    change_yellow(p, -card["permanent_yellow"])


def pass_colony(g: Table, loser: Player, winner: Player, name: str) -> Flow[None]:
    """The permanent effect moves (TA-567)."""
    card = g.card(name)
    loser.colonies.remove(name)
    winner.colonies.append(name)
    for player in sorted((loser, winner), key=lambda one: one.seat):
        sign = 1 if player is winner else -1
        yield from change_blue(g, player, sign * card["permanent_blue"])
    change_yellow(loser, -card["permanent_yellow"])
    change_yellow(winner, card["permanent_yellow"])


def turn_down(g: Table, p: Player, name: str) -> Flow[None]:
    """Ravages of Time: a wonder loses its symbols and gives 2 culture (TA-532, TA-534)."""
    p.face_down.add(name)
    settle_totals(g, p)
    yield from change_blue(g, p, -g.card(name)["blue_tokens"])
