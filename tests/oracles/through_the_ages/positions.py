"""The differences between the position of the shipped game and that of the model."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.interpreter.matches.state import State
from tests.oracles.through_the_ages.glass import Glass
from tests.oracles.through_the_ages.state import Player, Table

AGES = ("a", "i", "ii", "iii", "iv")


def differences(glass: Glass, state: State, g: Table) -> Iterator[str]:
    """All differences, one line each."""
    for what, mine, theirs in (*_table(glass, state, g), *_players(glass, state, g)):
        if mine != theirs:
            yield f"{what}: game {theirs}, model {mine}"


Same = Iterator[tuple[str, object, object]]


def bare(name: str) -> str:
    """A name of a piece without the number of the copy."""
    return name.partition("#")[0]


def _table(glass: Glass, state: State, g: Table) -> Same:
    age = AGES[g.age]
    yield "age", age, glass.value(state, "age")
    if state.over:
        return
    yield "round", str(g.round), glass.value(state, "round")
    yield "current player", f"seat_{g.current + 1}", glass.value(state, "current")
    yield "starting player", f"seat_{g.starter + 1}", glass.value(state, "starter")
    row: list[str | None] = [None] * 13
    links = state.compiled.program.links
    for piece in glass.pieces(state, "card_row"):
        (row[state.cells[links.slot_of + piece] - 1],) = glass.piece_names([piece])
    yield "card row", g.row, row
    civil = glass.cards(state, "civil_deck", "", age)[::-1]
    military = glass.cards(state, "military_deck", "", age)[::-1]
    yield "civil deck", g.civil_deck, civil
    yield "military deck", g.military_deck, military
    # Cards of older ages are never read again.
    discards = glass.cards(state, "discards", "", age)
    for player in state.players:
        sent = glass.cards(state, "sent_cards", player)
        discards += [name for name in sent if g.card(name).level == g.age]
    if g.age < 4:
        yield "discards", sorted(g.discards[g.age]), sorted(discards)
    for level in range(g.age + 1, 4):
        found = glass.cards(state, "civil_deck", "", AGES[level])
        yield f"civil deck {AGES[level]}", sorted(g.next_civil.get(level, [])), sorted(found)
        found = glass.cards(state, "military_deck", "", AGES[level])
        yield f"military deck {AGES[level]}", sorted(g.next_military.get(level, [])), sorted(found)
    yield "current events", g.current_events, glass.cards(state, "current_events")[::-1]
    for what, pile in (
        ("future_events", g.future_events),
        ("past_events", g.past_events),
        ("common_tactics", g.common_tactics),
        ("common_events", g.common_events),
    ):
        yield what, sorted(pile), sorted(glass.cards(state, what))


def _players(glass: Glass, state: State, g: Table) -> Same:
    for p, name in zip(g.players, state.players, strict=True):
        in_play = bool(state.cells[state.compiled.program.in_play + p.seat])
        yield f"{name} is in the game", not p.resigned, in_play
        if not p.resigned:
            for what, mine, theirs in _player(glass, state, g, p, name):
                yield f"{name}, {what}", mine, theirs


def _player(glass: Glass, state: State, g: Table, p: Player, name: str) -> Same:
    if state.over:
        yield "score", p.culture, state.scores.totals[p.seat]
        return
    yield "culture", str(p.culture), glass.value(state, "culture", name)
    for what, number in (
        ("science", p.science),
        ("civil_actions", p.ca),
        ("military_actions", p.ma),
        ("temp_actions", p.temp_ma),
        ("temp_science", p.temp_science),
    ):
        yield what, str(number), glass.value(state, what, name)
    for what, number in (
        ("yellow_bank", p.yellow_bank),
        ("blue_bank", p.blue_bank),
        ("worker_pool", p.pool),
    ):
        yield what, number, glass.count(state, what, name)
    for what, hand in (
        ("civil_hand", p.civil_hand),
        ("military_hand", p.military_hand),
        ("colonies", p.colonies),
        ("leader", [p.leader] if p.leader else []),
        ("unfinished", [p.unfinished] if p.unfinished else []),
        ("wonders", p.wonders),
        ("exclusive", [p.tactic or ""] if p.exclusive else []),
        ("pact", [pact.card for pact in g.pacts if pact.owner == p.seat]),
        ("technologies", [*p.workers, *p.specials, p.government]),
        ("wars", [war.card for war in g.wars if war.attacker == p.seat]),
    ):
        yield what, sorted(hand), sorted(glass.cards(state, what, name))
    tactic = bare(glass.value(state, "tactic", name))
    yield "tactic", p.tactic or "none", tactic
    yield from _works(glass, state, p, name)
    yield from _wonders(glass, state, p, name)
    yield from _flags(glass, state, p, name)
    yield from _bonds(glass, state, g, p, name)


def _works(glass: Glass, state: State, p: Player, name: str) -> Same:
    workers, tokens = {}, {}
    for piece in glass.pieces(state, "technologies", name):
        kind, (card,) = glass.kind(piece), glass.piece_names([piece])
        if kind in ("FarmMine", "Urban", "Unit"):
            workers[card] = glass.on(state, piece, "workers", kind)
        if kind in ("FarmMine", "Urban"):
            tokens[card] = glass.on(state, piece, "stored", kind)
    yield "workers", p.workers, workers
    yield "blue tokens", {card: p.tokens[card] for card in tokens}, tokens


def _wonders(glass: Glass, state: State, p: Player, name: str) -> Same:
    for piece in glass.pieces(state, "unfinished", name):
        yield "stages", p.stages, glass.on(state, piece, "covering", "Wonder")
    down, homer = set(), None
    for piece in glass.pieces(state, "wonders", name):
        if glass.on(state, piece, "face_down", "Wonder"):
            down.update(glass.piece_names([piece]))
        if glass.zone_on(state, piece, "beneath", "Wonder"):
            (homer,) = glass.piece_names([piece])
    yield "wonders face down", p.face_down, down
    yield "Homer", p.homer_under, homer


def _flags(glass: Glass, state: State, p: Player, name: str) -> Same:
    for what, flag in (
        ("skips_politics", p.skips_politics),
        ("has_acted_twice", p.caesar_used),
        ("has_changed_tactic", p.chose_tactic),
        ("has_replaced_leader", p.replaced_leader),
        ("has_converted", "hammurabi" in p.used),
        ("has_exchanged", "trade_routes" in p.used),
    ):
        yield what, "yes" if flag else "no", glass.value(state, what, name)
    for level in range(4):
        taken = glass.value(state, "taken_leader", name, AGES[level])
        yield f"leader of age {AGES[level]}", "yes" if level in p.leaders_taken else "no", taken


def _bonds(glass: Glass, state: State, g: Table, p: Player, name: str) -> Same:
    for piece in glass.pieces(state, "pact", name):
        sides = [glass.on(state, piece, side, "Pact") for side in ("side_a", "side_b")]
        mine = [[pact.a, pact.b] for pact in g.pacts if pact.owner == p.seat]
        yield "sides of the pact", mine, [sides]
    targets = [
        glass.on(state, piece, "target", "War") for piece in glass.pieces(state, "wars", name)
    ]
    yield "rivals in war", [war.defender for war in g.wars if war.attacker == p.seat], targets
    if g.mode == "shorter":
        found = glass.cards(state, "kept", name) or [
            card for zone in ("dealt", "looked_at") for card in glass.cards(state, zone, name)
        ]
        yield "end-of-game events", sorted(p.end_events), sorted(found)
