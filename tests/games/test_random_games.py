"""What holds in every game: plays end, nothing is lost, nobody is told too much, records replay.

Refuses to know any game: what a game should do is said beside the game.
"""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from rulewright.dsl import ir
from rulewright.interpreter.bots import bot_generator, choose_at_random
from rulewright.interpreter.game import Setting
from rulewright.interpreter.play import Play
from rulewright.interpreter.records import parse_records, record_of, to_text
from rulewright.interpreter.replay import replay
from rulewright.interpreter.simulation import LONGEST, play_on
from rulewright.interpreter.state import State
from rulewright.interpreter.variant import Variant
from tests.games.settings import IN_TURN, game_named, settings, some_settings

FEW = [0, 1]
MANY = [pytest.param(seed, marks=pytest.mark.deep) for seed in range(2, 100)]


def plays(game: str, seed: int) -> Iterator[tuple[Setting, list[State]]]:
    """A whole random play in each setting, or in some of them."""
    rules = game_named(game)
    for setting in (some_settings if seed in FEW else settings)(rules):
        play = Play.begin(rules, setting, seed)
        play_on(play, ["random"] * rules.variant(setting).program.seats)
        yield setting, play.states


# ---- Plays end, and nothing is lost ----------------------------------------------------------------


@pytest.mark.parametrize("seed", [*FEW, *MANY])
@pytest.mark.parametrize("game", IN_TURN)
def test_plays_end_and_states_are_sound(game: str, seed: int) -> None:
    for _, states in plays(game, seed):
        assert states[-1].over
        assert len(states) < LONGEST
        tokens = tokens_of(states[0])
        for state in states:
            check_pieces(state)
            check_values(state)
            assert tokens_of(state) == tokens
            for _, holds in state.variant.program.invariants:
                assert state.variant.number(state.cells, holds)
        assert set(states[-1].winners) <= set(range(len(states[-1].players)))
        assert_never_changed(states)


def assert_never_changed(states: list[State]) -> None:
    """A state is what it was when those after it came from it."""
    for before, after in pairwise(states):
        assert before.take(after.choice) == after


def check_pieces(state: State) -> None:
    """Every piece is in one place, and the lists of places say so from both sides."""
    program, cells, viewer = state.variant.program, state.cells, state.variant.viewer
    links = program.links
    met: Counter[int] = Counter()
    for place in program.places:
        for zone, _ in zones_of(place):
            lying = list(viewer.lying(cells, zone))
            assert len(lying) == cells[links.count + zone]
            assert all(cells[links.zone_of + piece] == zone for piece in lying)
            assert all(kind_of(program, piece) in place.kinds for piece in lying)
            if place.shape == "set":
                assert lying == sorted(lying)
            elif place.shape == "spot":
                assert len(lying) <= 1
            met.update(lying)
    assert met == Counter(range(links.pieces)), "a piece is in no place, or in two"


def check_values(state: State) -> None:
    """Every value is one that there is."""
    for kept, _, cell in values_of(state.variant.program):
        possible = (-1, *possible_values(state.variant.program, kept))
        if kept.list_capacity:
            size = state.cells[cell]
            assert 0 <= size <= kept.list_capacity
            assert set(state.cells[cell + 1 : cell + 1 + size]) <= set(possible)
        else:
            assert state.cells[cell] in possible


def possible_values(program: ir.Program, kept: ir.Kept) -> range:
    """The values of a state, but for nothing."""
    domain = program.domains[kept.domain]
    if domain.names:
        return range(domain.offset, domain.offset + len(domain.names))
    return range(kept.low, kept.high + 1)


def tokens_of(state: State) -> Counter[tuple[str, int]]:
    """How many tokens there are of each sort and color; the same at all times."""
    found: Counter[tuple[str, int]] = Counter()
    for info in state.variant.program.tokens:
        for position, owner in enumerate(info.owners):
            for number in range(len(list(product(*map(range, info.sizes))))):
                first = info.base + position * info.stride + number * info.colours
                for color in range(info.colours):
                    whose = owner if info.own_colour else color if info.colours > 1 else -1
                    assert state.cells[first + color] >= 0
                    found[info.token, whose] += state.cells[first + color]
    return found


def kind_of(program: ir.Program, piece: int) -> str:
    return next(k.name for k in program.pieces if k.first <= piece < k.first + k.count)


def zones_of(place: ir.PlaceInfo) -> Iterator[tuple[int, int]]:
    """Each zone of a family, with its owner."""
    for position, owner in enumerate(place.owners):
        for number in range(len(list(product(*map(range, place.sizes))))):
            yield place.first + position * place.stride + number, owner


def values_of(program: ir.Program) -> Iterator[tuple[ir.Kept, int, int]]:
    """Each value that is kept, its owner, and the (first) cell it is kept in."""
    for kept in program.kept:
        width = kept.list_capacity + 1 if kept.list_capacity else 1
        for position, owner in enumerate(kept.owners):
            for number in range(len(list(product(*map(range, kept.sizes))))):
                yield kept, owner, kept.base + position * kept.stride + number * width


# ---- Nobody is told too much -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*FEW, *MANY])
@pytest.mark.parametrize("game", IN_TURN)
def test_what_is_hidden_changes_nothing(game: str, seed: int) -> None:
    """Exchange what a player cannot see: the view, the options and the refusals stay the same."""
    generator = random.Random(seed)
    for _, states in plays(game, seed):
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
    """The state with pieces exchanged that a player cannot see, and with other hidden values.

    Pieces change places with pieces of the same kind that look the same from behind.
    """
    variant, cells = state.variant, state.cells[:]
    program = variant.program
    meant = frozenset(pieces_meant(variant, cells))
    groups: dict[tuple[object, ...], list[int]] = {}
    for place in program.places:
        for zone, owner in zones_of(place):
            if is_seen(place, owner, viewer):
                continue
            for piece in variant.viewer.lying(cells, zone):
                if piece not in meant and not was_shown(program, cells, piece, viewer):
                    groups.setdefault(back_of(program, place, piece), []).append(piece)
    contents = {
        zone: list(variant.viewer.lying(cells, zone))
        for place in program.places
        for zone, _ in zones_of(place)
    }
    exchanged: dict[int, int] = {}
    for pieces in groups.values():
        exchanged.update(zip(pieces, generator.sample(pieces, len(pieces)), strict=True))
    for place in program.places:
        for zone, _ in zones_of(place):
            lying = [exchanged.get(piece, piece) for piece in contents[zone]]
            slots = slots_of(program, state.cells, contents[zone])
            put(program, cells, place, zone, lying, slots)
    carry_knowledge(program, state.cells, cells, exchanged)
    for kept, owner, cell in values_of(program):
        if not (is_seen(kept, owner, viewer) or kept.list_capacity):
            cells[cell] = generator.choice(possible_values(program, kept))
    return cells


def slots_of(program: ir.Program, cells: array[int], lying: list[int]) -> list[int]:
    slot_of = program.links.slot_of
    return [cells[slot_of + piece] if slot_of >= 0 else 0 for piece in lying]


def put(
    program: ir.Program,
    cells: array[int],
    place: ir.PlaceInfo,
    zone: int,
    lying: list[int],
    slots: list[int],
) -> None:
    """Lay pieces into a zone, whatever lay there."""
    links = program.links
    if place.shape == "set":
        lying = sorted(lying)
    for piece, below, above, slot in zip(
        lying, [-1, *lying], [*lying[1:], -1], slots, strict=False
    ):
        cells[links.zone_of + piece] = zone
        if links.slot_of >= 0:
            cells[links.slot_of + piece] = slot
        if place.shape != "row":
            cells[links.previous + piece] = below
            cells[links.next + piece] = above
    for row, first, size in links.row_cells:
        if row == zone:
            cells[first : first + size] = array("i", [-1] * size)
            for piece, slot in zip(lying, slots, strict=True):
                cells[first + slot - 1] = piece
            return
    cells[links.head + zone] = lying[0] if lying else -1
    cells[links.tail + zone] = lying[-1] if lying else -1


def carry_knowledge(
    program: ir.Program, before: array[int], cells: array[int], exchanged: dict[int, int]
) -> None:
    """What others have been shown stays with the place."""
    known = program.links.known
    if known >= 0:
        for piece, other in exchanged.items():
            cells[known + other] = before[known + piece]


def is_seen(what: ir.PlaceInfo | ir.Kept, owner: int, viewer: int) -> bool:
    return what.seen == "all" or (what.seen == "owner" and owner == viewer)


def was_shown(program: ir.Program, cells: array[int], piece: int, viewer: int) -> bool:
    known = program.links.known
    return known >= 0 and bool(cells[known + piece] >> viewer & 1)


def back_of(program: ir.Program, place: ir.PlaceInfo, piece: int) -> tuple[object, ...]:
    """What everybody can see of a piece, wherever it lies."""
    kind = next(k for k in program.pieces if k.first <= piece < k.first + k.count)
    shown = [
        (name, program.tables[table][piece - kind.first])
        for name, _, table in kind.columns
        if name in place.except_for or name == "owner"
    ]
    return kind.name, *shown


def pieces_meant(variant: Variant, cells: array[int]) -> Iterator[int]:
    """Pieces that a value speaks of or that have something on them; to exchange them tells."""
    program = variant.program
    kinds = {kind.name for kind in program.pieces}
    for kept, owner, cell in values_of(program):
        if variant.words.is_of_pieces(kept.domain):
            yield from cells[cell : cell + kept.list_capacity + 1]
        if kept.owner in kinds and cells[cell] != kept.start:
            yield owner
    for place in program.places:
        if place.owner in kinds:
            yield from (o for z, o in zones_of(place) if cells[program.links.count + z])
    for info in program.tokens:
        if info.owner in kinds:
            for position, owner in enumerate(info.owners):
                first = info.base + position * info.stride
                if any(cells[first : first + info.stride]):
                    yield owner


# ---- Records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [*FEW, *MANY])
@pytest.mark.parametrize("game", IN_TURN)
def test_records_replay_to_the_same_states(game: str, seed: int) -> None:
    rules = game_named(game)
    for setting, states in plays(game, seed):
        play = Play(rules, setting, seed, states)
        (record,) = parse_records(to_text(record_of(play)), "a test")
        assert record.is_whole
        again = replay(record, rules)
        assert again.states == states
        assert [state.log for state in again.states] == [state.log for state in states]
        assert again.state.scores == states[-1].scores


@pytest.mark.parametrize("seed", [*FEW, *MANY])
@pytest.mark.parametrize("game", IN_TURN)
def test_a_play_saved_in_the_middle_goes_on_as_it_would_have(game: str, seed: int) -> None:
    rules = game_named(game)
    for setting, states in plays(game, seed):
        middle = random.Random(seed).randrange(len(states))
        begun = Play(rules, setting, seed, states[: middle + 1])
        (record,) = parse_records(to_text(record_of(begun)), "a test")
        play = replay(record, rules)
        assert play.state == states[middle]
        for number, state in enumerate(states[middle + 1 :], middle):
            assert choose_at_random(play.state, bot_generator(seed, number)) == state.choice
            play.take(state.choice)
        assert play.states == states
