"""Encodings for learners: all parts, bounds of all numbers, equal results in native code and in Python."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import State, load_game, shipped_games
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.engine import Cells
from rulewright.interpreter.knowledge.encoding import EncodedPart
from rulewright.interpreter.knowledge.observation import Part
from rulewright.interpreter.knowledge.observers import observer_of
from rulewright.interpreter.knowledge.visible_cells import HIDDEN, NONE
from rulewright.interpreter.matches.fastest import fastest
from rulewright.interpreter.text.errors import WrongArgumentError
from rulewright.interpreter.views.compiled_game import CompiledGame
from tests.games.variants import game_named

_LARGE = {"endeavor", "equilibris", "ginkgopolis", "colonial", "through_the_ages"}
_COMPILED = {"connect_four", "love_letter", "night_market"}
"""Games that are compiled to native code in every run."""
_ALL = [
    pytest.param(name, marks=pytest.mark.deep) if name in _LARGE else name
    for name in shipped_games()
]


def _lines(state: State, player: int) -> list[str]:
    """Each part that is not zero, with its labels."""
    observer = observer_of(state.compiled)
    code = observer.encode(state.cells, player)
    return [line for part in observer.encoded_parts for line in _line(part, code)]


def _line(part: EncodedPart, code: array[float]) -> Iterator[str]:
    width = len(part.labels)
    for place in range(0, part.length, width):
        row = code[part.start + place : part.start + place + width]
        said = [
            label if value == 1 else f"{label} {value:.2f}"
            for label, value in zip(part.labels, row, strict=True)
            if value
        ]
        if said:
            yield f"{part.name} {place // width}: {', '.join(said)}"


def test_a_board_in_full() -> None:
    state = load_game("tic_tac_toe").start().choose("mark(b2)").choose("mark(a1)")
    assert _lines(state, 0) == [
        "player 0: 0",
        "decides 0: me",
        "site 0: 0",
        "in play 0: 1 if so",
        "in play 1: 1 if so",
        "sign 0: nought",
        "sign 1: nothing",
        "sign 2: nothing",
        "sign 3: nothing",
        "sign 4: cross",
        "sign 5: nothing",
        "sign 6: nothing",
        "sign 7: nothing",
        "sign 8: nothing",
    ]
    sign = observer_of(state.compiled).encoded_parts[-1]
    assert (sign.name, sign.shape) == ("sign", (3, 3, 3))


def test_own_things_come_first() -> None:
    """If both players have the same rules, the second sees the position as the first would."""
    state = load_game("leduc_poker").start(seed=3)
    mine, theirs = _lines(state, 0), _lines(state, 1)
    assert mine[0] == "player 0: 0" and theirs[0] == "player 0: 1"
    assert "decides 0: me" in mine and "decides 0: next 1" in theirs
    hands = [[line for line in lines if "hand of 0" in line] for lines in (mine, theirs)]
    assert all(len(lines) == 1 for lines in hands) and hands[0] != hands[1]
    assert not any("hand of 1" in line for line in (*mine, *theirs))
    assert sum("hidden" in line for line in mine) == 5


def _decisions(compiled: CompiledGame, matches: int, longest: int) -> Iterator[Cells]:
    for seed in range(matches):
        generator, cells = Generator.seeded(seed), compiled.begin()
        for _ in range(longest):
            yield cells[:]
            if cells[7]:
                break
            offered = compiled.options(cells)
            compiled.advance(cells, offered[generator.below(len(offered))])


def _wrong(part: Part, seen: array[int]) -> Iterator[str]:
    for place in range(part.length):
        number, value = part.numbers[place % len(part.numbers)], seen[part.start + place]
        is_fine = number.low <= value <= number.high
        is_fine |= value == HIDDEN and number.hidden
        is_fine |= value in (NONE, -1) and number.nothing
        if not is_fine:
            yield f"{part.name} {place}: {value} is no {number.text}"


@pytest.mark.parametrize("name", _ALL)
def test_numbers_are_within_their_bounds(name: str) -> None:
    """Encoded numbers are from 0 to 1 as floats; as bytes they are 255 times as large."""
    game = game_named(name)
    compiled = game.compiled(game.variant(None, game.for_random_play()))
    observer, different = observer_of(compiled), dict[bytes, bytes]()
    for number, cells in enumerate(_decisions(compiled, 2, 30)):
        player = number % compiled.program.seats
        seen = observer.observe(cells, player)
        assert [line for part in observer.parts for line in _wrong(part, seen)] == []
        code = observer.encode(cells, player)
        assert min(code) >= 0 and max(code) <= 1
        assert [int(255 * one + 0.5) for one in code] == [*observer.encode(cells, player, "uint8")]
        if name not in _LARGE:  # these have things that are not distinguished
            assert different.setdefault(code.tobytes(), seen.tobytes()) == seen.tobytes()
    last = observer.encoded_parts[-1]
    assert observer.encoded_size == last.start + last.length


@pytest.mark.parametrize(
    "name",
    [
        name if name in _COMPILED else pytest.param(name, marks=pytest.mark.deep)
        for name in shipped_games()
    ],
)
def test_native_code_encodes_the_same(name: str) -> None:
    game = game_named(name)
    variant = game.variant(None, game.for_random_play())
    plain, fast = game.compiled(variant), fastest(game.compiled(variant))
    observer, expected = observer_of(fast), observer_of(plain)
    states, players, floats, small = array("i"), list[int](), array("f"), array("B")
    for number, cells in enumerate(_decisions(fast, 2, 12)):
        player = number % fast.program.seats
        states, players = states + cells, [*players, player]
        floats += expected.encode(cells, player)
        small += expected.encode(cells, player, "uint8")
    assert observer.encode_many(states, players) == floats
    assert observer.encode_many(states, players, "uint8") == small
    room = array("f", bytes(4 * len(floats)))
    assert observer.encode_many(states, players, into=room) is room
    assert room == floats


WORLD = """
game "Small"
    players 2

kind Color = red, blue, green

state mood: -3..3 = -2
state left: 0..9 or nothing = 4
state last: Color or nothing = blue
state leader: Player
state many: list of Color up to 100
state few: list of Color up to 4

player
    state points: 0..5 = 0
    state secret: 0..1 = 1, seen by owner

play
    repeat 2 times
        each player
            do paint

action paint(c in Color)
    set left to nothing
    set leader to me
    set mood to 2
    add 3 to me.points
    add c to many
    add c to few
    set last to c

score of p
    item "points" = p.points
"""


def test_kinds_of_values(tmp_path: Path) -> None:
    path = tmp_path / "small.game"
    path.write_text(WORLD)
    state = load_game(path).start()
    nothing = ["few 0: nothing", "few 1: nothing", "few 2: nothing", "few 3: nothing"]
    secret = ["secret 0: 1 if 1", "secret 1: hidden"]
    assert _lines(state, 1)[5:] == [
        "mood 0: 1 if more than -3, logarithm 0.36",
        "left 0: 1 if more than 0, logarithm 0.70",
        "last 0: blue",
        "leader 0: next 1",
        *(line.replace("few", "many") for line in nothing),
        *nothing,
        *secret,
    ]
    after = state.choose("paint(red)").choose("paint(green)")
    assert _lines(after, 1)[5:] == [
        "mood 0: 1 if more than -3, logarithm 0.92",
        "left 0: nothing",
        "last 0: green",
        "leader 0: me",
        "many 0: 1 if more than 0, logarithm 0.24",
        "many 0: red 0.01, green 0.01",
        "many 0: red",
        "many 1: green",
        "many 2: nothing",
        "many 3: nothing",
        "few 0: 1 if more than 0, logarithm 0.68",
        "few 0: red",
        "few 1: green",
        *nothing[2:],
        "points 0: 1 if more than 0, logarithm 0.77",
        "points 1: 1 if more than 0, logarithm 0.77",
        *secret,
    ]


@pytest.mark.parametrize(
    "into", [bytes(37 * 4), bytearray(37 * 4), array("i", [0] * 37), array("f", [0.0] * 36), 5]
)
def test_another_array_is_refused(into: object) -> None:
    state = load_game("tic_tac_toe").start()
    observer = observer_of(state.compiled)
    with pytest.raises(WrongArgumentError, match="`into` is an array of 37 numbers of float32"):
        observer.encode_many(state.cells, [0], into=into)
    with pytest.raises(WrongArgumentError, match="a type of numbers is 'float32' or 'uint8'"):
        state.encode(0, "float64")  # type: ignore[arg-type]
