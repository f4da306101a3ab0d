"""Laws for every game: matches end, nothing is lost, no secret is shown, records replay.

Independent of single games: the expected results of a game are beside the game.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.bots.simple import choose_at_random
from rulewright.interpreter.engines.playouts import bot_generator
from rulewright.interpreter.knowledge.hidden_pieces import cells_of, exchange_pieces, tied_pieces
from rulewright.interpreter.matches.audit import audit
from rulewright.interpreter.matches.game import Variant
from rulewright.interpreter.matches.match import Match
from rulewright.interpreter.matches.records import parse_records, record_of
from rulewright.interpreter.matches.replay import replay
from rulewright.interpreter.matches.state import State
from rulewright.interpreter.simulation.simulation import LONGEST, play_on
from tests.games.sound import assert_sound
from tests.games.variants import IN_TURN, few_variants, game_named, variants

FEW = range(2)
SEEDS = [
    (FEW[0],),
    pytest.param((FEW[1],), marks=pytest.mark.deep),
    *(
        pytest.param(range(first, first + 14), marks=pytest.mark.deep)
        for first in range(2, 100, 14)
    ),
]
"""Many seeds in blocks: collecting a test costs time even if it does not run."""


def in_words(seeds: Sequence[int]) -> str:
    return str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}-{seeds[-1]}"


def plays(game: str, seeds: Sequence[int]) -> Iterator[tuple[int, Variant, list[State]]]:
    """For each seed, a complete random match in each variant, or in some of them."""
    rules = game_named(game)
    for seed in seeds:
        for variant in (few_variants if seed in FEW else variants)(rules):
            match = Match.begin(rules, variant, seed)
            play_on(match, ["random"] * rules.compiled(variant).program.seats)
            yield seed, variant, match.states


# ---- Plays end, and nothing is lost ----------------------------------------------------------------


@pytest.mark.parametrize("seeds", SEEDS, ids=in_words)
@pytest.mark.parametrize("game", IN_TURN)
def test_plays_end_and_states_are_sound(game: str, seeds: Sequence[int]) -> None:
    for _, _, states in plays(game, seeds):
        assert states[-1].over
        assert len(states) < LONGEST
        for state in states:
            assert_sound(state)
        assert set(states[-1].winners) <= set(range(len(states[-1].players)))
        assert_never_changed(states)


def assert_never_changed(states: list[State]) -> None:
    """A state does not change when later states are made from it."""
    for before, after in pairwise(states):
        assert before.take(after.choice) == after


# ---- Nobody is told too much -----------------------------------------------------------------------


@pytest.mark.parametrize("seeds", SEEDS, ids=in_words)
@pytest.mark.parametrize("game", IN_TURN)
def test_hidden_values_change_nothing_visible(game: str, seeds: Sequence[int]) -> None:
    """Exchange what a player cannot see: the view, the options and the refusals stay the same."""
    generators = {seed: random.Random(seed) for seed in seeds}
    for seed, _, states in plays(game, seeds):
        generator = generators[seed]
        for state in generator.sample(states, min(12, len(states))):
            for viewer in range(len(state.players)):
                other = state.with_cells(with_other_secrets(state, viewer, generator))
                assert other.view(viewer) == state.view(viewer)
                if not state.over and state.player == viewer:
                    assert other.decision.prompt == state.decision.prompt
                    assert other.decision.names == state.decision.names
                    assert [o.text for o in other.decision.options] == [
                        o.text for o in state.decision.options
                    ]
                    assert other.decision.refused == state.decision.refused


@pytest.mark.parametrize(
    ("game", "players"), [("love_letter", 3), ("night_market", 2), ("leduc_poker", 2)]
)
def test_there_are_secrets_to_exchange(game: str, players: int) -> None:
    state = game_named(game).start(players)
    for viewer in range(players):
        others = [with_other_secrets(state, viewer, random.Random(seed)) for seed in range(20)]
        assert any(cells != state.cells for cells in others)
        changed = [state.with_cells(cells) for cells in others]
        assert any(other.view(1 - viewer % 2) != state.view(1 - viewer % 2) for other in changed)


def with_other_secrets(state: State, viewer: int, generator: random.Random) -> array[int]:
    """The state with exchange_pieces pieces that a player cannot see, and with other hidden values.

    The visibility comes from the declarations of zones and values, not from the engine's views, because this test
    is about the views. Pieces change places with pieces of the same kind and with the same back.
    """
    compiled, cells = state.compiled, state.cells
    program = compiled.program
    fixed = frozenset(tied_pieces(compiled, cells))
    groups: dict[tuple[object, ...], list[int]] = {}
    for place in program.places:
        for zone, owner in compiled.viewer.zones_of(place):
            if is_seen(place, owner, viewer):
                continue
            for piece in compiled.viewer.lying(cells, zone):
                if piece not in fixed and not was_shown(program, cells, piece, viewer):
                    groups.setdefault(back_of(program, place, piece), []).append(piece)
    swapped: dict[int, int] = {}
    for pieces in groups.values():
        swapped.update(zip(pieces, generator.sample(pieces, len(pieces)), strict=True))
    other = exchange_pieces(compiled, cells, swapped)
    for kept in program.kept:
        if kept.list_capacity:
            continue
        for owner, cell in cells_of(kept):
            if not is_seen(kept, owner, viewer):
                other[cell] = generator.choice(possible_values(program, kept))
    assert list(audit(compiled, other)) == []
    return other


def possible_values(program: ir.Program, kept: ir.Kept) -> range:
    """The values of a state, without `nothing`."""
    domain = program.domains[kept.domain]
    if domain.names:
        return range(domain.offset, domain.offset + len(domain.names))
    return range(kept.low, kept.high + 1)


def is_seen(what: ir.PlaceInfo | ir.Kept, owner: int, viewer: int) -> bool:
    if what.owner != "player":
        return what.seen == "all"
    return {"all": True, "owner": owner == viewer, "others": owner != viewer}.get(what.seen, False)


def was_shown(program: ir.Program, cells: array[int], piece: int, viewer: int) -> bool:
    known = program.links.known
    return known >= 0 and bool(cells[known + piece] >> viewer & 1)


def back_of(program: ir.Program, place: ir.PlaceInfo, piece: int) -> tuple[object, ...]:
    """The parts of a piece that everybody can see in any place."""
    kind = next(k for k in program.pieces if k.first <= piece < k.first + k.count)
    shown = [
        (name, program.tables[table][piece - kind.first])
        for name, _, table in kind.columns
        if name in place.except_for or name == "owner"
    ]
    return kind.name, *shown


# ---- Records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", SEEDS, ids=in_words)
@pytest.mark.parametrize("game", IN_TURN)
def test_records_replay_to_the_same_states(game: str, seeds: Sequence[int]) -> None:
    rules = game_named(game)
    for seed, variant, states in plays(game, seeds):
        match = Match(rules, variant, seed, states)
        (record,) = parse_records(record_of(match).to_text(), "a test")
        assert record.is_whole
        again = replay(record, rules)
        assert again.states == states
        assert [state.log for state in again.states] == [state.log for state in states]
        assert again.state.scores == states[-1].scores


@pytest.mark.parametrize("seeds", SEEDS, ids=in_words)
@pytest.mark.parametrize("game", IN_TURN)
def test_a_play_saved_in_the_middle_goes_on_as_it_would_have(
    game: str, seeds: Sequence[int]
) -> None:
    rules = game_named(game)
    for seed, variant, states in plays(game, seeds):
        middle = random.Random(seed).randrange(len(states))
        begun = Match(rules, variant, seed, states[: middle + 1])
        (record,) = parse_records(record_of(begun).to_text(), "a test")
        match = replay(record, rules)
        assert match.state == states[middle]
        for number, state in enumerate(states[middle + 1 :], middle):
            assert choose_at_random(match.state, bot_generator(seed, number)) == state.choice
            match.take(state.choice)
        assert match.states == states
