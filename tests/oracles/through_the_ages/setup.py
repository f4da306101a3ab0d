"""Setting the game up (chapters 2 and 3 of the clause list)."""

from __future__ import annotations

from collections import Counter

from tests.oracles.through_the_ages.cards import Tables
from tests.oracles.through_the_ages.state import Mode, Player, Shuffle, Table, last_age

ROW = 13
NO_ATTACKS = frozenset(("aggression", "war", "pact"))


def civil_cards(tables: Tables, level: int, players: int) -> list[str]:
    """The civil deck of an age, trimmed by the number of players (TA-029 to TA-033)."""
    return tables.copies("civil", level, players)


def military_cards(
    tables: Tables, level: int, players: int, mode: Mode, quiet_pacts: bool
) -> list[str]:
    """The military deck of an age (TA-034, TA-036, TA-601, TA-602)."""
    found = tables.copies("military", level, players)
    if mode in ("full", "shorter"):
        return found
    return [
        name
        for name in found
        if tables[name].kind not in NO_ATTACKS
        or (quiet_pacts and tables[name].kind == "pact" and not tables[name]["mentions_attacks"])
    ]


def first_player(tables: Tables, seat: int) -> Player:
    """The area of a player (TA-018 to TA-026)."""
    player = Player(seat)
    initial = [card for card in tables.of("technology") if card["initial"]]
    player.workers = dict.fromkeys((card.id for card in initial), 0)  # TA-006
    player.workers |= {"agriculture": 2, "bronze": 2, "philosophy": 1, "warriors": 1}  # TA-021
    return player


def new_table(
    tables: Tables,
    players: int,
    mode: Mode,
    shuffle: Shuffle,
    *,
    global_conflict: bool = False,
    quiet_pacts: bool = False,
) -> Table:
    """The position before the first turn."""
    g = Table(
        tables=tables,
        mode=mode,
        global_conflict=global_conflict,
        quiet_pacts=quiet_pacts,
        shuffle=shuffle,
        players=[first_player(tables, seat) for seat in range(players)],
    )
    g.starter = int(shuffle("starting player", [str(seat) for seat in range(players)])[0])  # TA-027
    g.current = g.starter
    # A hidden deck is shuffled when it is first used: trimming decks of later ages (TA-399) does
    # not depend on the order.
    deck = shuffle("civil A", civil_cards(tables, 0, players))
    g.row, g.civil_deck = [*deck[:ROW]], deck[ROW:]  # TA-038
    events = shuffle("military A", military_cards(tables, 0, players, mode, quiet_pacts))
    seeded = tables.seeded_events[players]
    g.current_events = events[:seeded]  # TA-040
    g.out.update(events[seeded:])
    for level in range(1, last_age(mode)):  # TA-035
        g.next_civil[level] = civil_cards(tables, level, players)
        g.next_military[level] = military_cards(tables, level, players, mode, quiet_pacts)
    if mode == "shorter":
        _end_of_game_events(g)
    for place, player in enumerate(g.clockwise(g.starter)):
        player.ca, player.ma = place + 1, 0  # TA-043
    return g


def _end_of_game_events(g: Table) -> None:
    """Two events for each player and three common ones (TA-588, TA-590)."""
    events = [card.id for card in g.tables.of("event") if card.level == 3]
    deck = g.shuffle("end-of-game events", events)
    for player in g.clockwise(g.starter):
        player.end_events, deck = deck[:2], deck[2:]
    g.common_events, deck = deck[:3], deck[3:]
    g.out.update(deck)


def all_cards(g: Table) -> Counter[str]:
    """Every card of the game, in its place, for counting."""
    found: Counter[str] = Counter(g.out)
    piles = [
        *g.next_civil.values(),
        *g.next_military.values(),
        *g.discards.values(),
        [name for name in g.row if name],
        g.civil_deck,
        g.military_deck,
        g.current_events,
        g.future_events,
        g.past_events,
        g.common_events,
        g.common_tactics,
        [war.card for war in g.wars],
        [pact.card for pact in g.pacts],
    ]
    for p in g.players:
        single = (p.leader, p.unfinished, p.government, p.tactic if p.exclusive else None)
        piles += [
            [name for name in single if name and not g.card(name)["initial"]],
            [name for name in p.workers if not g.card(name)["initial"]],
            ["homer"] if p.homer_under else [],
            p.specials,
            p.wonders,
            p.colonies,
            p.civil_hand,
            p.military_hand,
            p.end_events,
        ]
    for pile in piles:
        found.update(pile)
    return found
