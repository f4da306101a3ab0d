"""Every number is in -2^63..2^63-1 on every engine; a larger one is the fault `out-of-range` at the expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.dsl.loading.loading import load
from rulewright.interpreter.engines.engines import EngineName, engine_names
from rulewright.interpreter.matches.game import Game, load_game
from rulewright.interpreter.matches.library import shipped_games
from rulewright.interpreter.text.errors import BrokenGameError
from rulewright.interpreter.text.faults import RuleFault

LEAST, MOST = -(2**63), 2**63 - 1
GAME = """game "Numbers"
    players 1
player
    state large: 0..999999999 = 999999999
    state at: -999999999..999999999
play
    each player
        let y = {expression}
        choose n in 1..2
        set me.at to 1
        if y is {expression}
            set me.at to 2
score of p
    item "points" = p.at
winner p by p.total then shared
"""

ENGINES = engine_names()


def _game(tmp_path: Path, expression: str) -> Game:
    file = tmp_path / "numbers.game"
    file.write_text(GAME.format(expression=expression))
    return load_game(file)


def _number_text(number: int) -> str:
    """An expression for any number, made of numbers that a text may contain and whose types are not exact."""
    if abs(number) < 10**8:
        return f"(me.large * {number} / 999999999)"
    left, rest = divmod(abs(number), 10**8)
    sign = 1 if number > 0 else -1
    return f"({_number_text(sign * left)} * 100000000 {'+' if sign > 0 else '-'} {rest})"


EDGES = [LEAST, -(2**31) - 1, -1, 2**31, 2**32, MOST]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", EDGES)
def test_large_numbers_are_kept_over_a_decision(
    tmp_path: Path, number: int, engine: EngineName
) -> None:
    state = _game(tmp_path, _number_text(number)).start(engine=engine).choose("1")
    assert state.scores[0].total == 2


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(EDGES) | st.integers(LEAST, MOST) | st.integers(-100, 100),
    st.sampled_from(EDGES) | st.integers(LEAST, MOST) | st.integers(-100, 100),
    st.sampled_from("+-*"),
)
def test_leaving_the_range_is_a_fault(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int, word: str
) -> None:
    exact = {"+": one + other, "-": one - other, "*": one * other}[word]
    game = _game(tmp_path_factory.mktemp("n"), f"{_number_text(one)} {word} {_number_text(other)}")
    try:
        game.start()
    except BrokenGameError:  # the ranges show that the fault must occur
        assert not LEAST <= exact <= MOST
        return
    except RuleFault:
        pass
    for engine in ENGINES:
        if LEAST <= exact <= MOST:
            assert game.start(engine=engine).choose("1").scores[0].total == 2
            continue
        with pytest.raises(RuleFault) as fault:
            game.start(engine=engine)
        assert fault.value.code == "out-of-range"


@pytest.mark.parametrize("engine", ENGINES)
def test_points_that_add_up_to_too_much(tmp_path: Path, engine: EngineName) -> None:
    file = tmp_path / "points.game"
    file.write_text(
        """game "Points"
    players 1
player
    state at: 0..999999999 = 999999999
value much of p: Player = p.at * p.at * 9
play
    each player
        choose n in 1..2
        set me.at to me.at
score of p
    item "one" = p.much
    item "two" = p.much
winner p by p.at then shared
"""
    )
    with pytest.raises(RuleFault) as fault:
        load_game(file).results([0], engine=engine)
    assert fault.value.code == "out-of-range"


def test_a_range_that_is_always_left_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "much.game"
    file.write_text(
        """game "Much"
    players 1
play
    each player
        choose n in 1..2
        if 999999999 * 999999999 * 999999999 > n
            win me
"""
    )
    (problem,) = (p for p in load(file).check() if p.code == "out-of-range")
    assert problem.message.startswith("this is always outside the range of numbers")


@pytest.mark.parametrize(
    "name", ["connect_four", "kalah", "love_letter", "ginkgopolis", "endeavor"]
)
def test_no_check_is_left_where_ranges_tell(name: str) -> None:
    assert name in shipped_games()
    program = load_game(name).program(load_game(name).variant())
    assert [p.name for p in program.plain if p.name.startswith("checked ")] == []


BORDERS = (LEAST, LEAST + 1, -(2**31), -1, 0, 1, 3, 2**32, MOST - 1, MOST)
OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "{a} + {b}": lambda a, b: a + b,
    "{a} - {b}": lambda a, b: a - b,
    "{a} * {b}": lambda a, b: a * b,
    "{a} / {b}": lambda a, b: a // b,
    "div_up({a}, {b})": lambda a, b: -(-a // b),
    "mod({a}, max(1, {b}))": lambda a, b: a % max(1, b),
    "abs({a})": lambda a, _: abs(a),
    "-{a}": lambda a, _: -a,
    "min({a}, {b})": min,
    "max({a}, {b})": max,
    "sum(n in 1..2: if n is 1 then {a} else {b})": lambda a, b: a + b,
    "by(1: 1 then {a}, else 0) - {b}": lambda a, b: a - b,
    "(if {a} < {b} then 1 else if {a} <= {b} then 2 else 3)": lambda a, b: (
        1 if a < b else 2 if a == b else 3
    ),
    "(if {a} is {b} then 1 else if {a} > {b} then 2 else 3)": lambda a, b: (
        1 if a == b else 2 if a > b else 3
    ),
}


def _of_borders() -> str:
    """A game whose points are the result of a chosen operation on two chosen numbers."""
    numbers = [_number_text(number).replace("me.", "p.") for number in BORDERS]
    works = [work.format(a="p.number(a)", b="p.number(b)") for work in OPERATORS]
    numbered = [
        ", ".join(f"{n} then {one}" for n, one in enumerate(all)) for all in (numbers, works)
    ]
    return f"""game "Borders"
    players 1
player
    state large: 0..999999999 = 999999999
    state work: 0..{len(works) - 1}
    state left: 0..{len(numbers) - 1}
    state right: 0..{len(numbers) - 1}
value number of p: Player (which: 0..{len(numbers) - 1}) = by(which: {numbered[0]})
value result of p: Player (work: 0..{len(works) - 1}, a: 0..{len(numbers) - 1}, b: 0..{len(numbers) - 1}) =
    by(work: {numbered[1]})
play
    each player
        choose w in 0..{len(works) - 1}
        set me.work to w
        choose a in 0..{len(numbers) - 1}
        set me.left to a
        choose b in 0..{len(numbers) - 1}
        set me.right to b
score of p
    item "points" = p.result(p.work, p.left, p.right)
winner p by p.total then shared
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_every_operator_at_the_borders(tmp_path: Path, engine: EngineName) -> None:
    file = tmp_path / "borders.game"
    file.write_text(_of_borders())
    start = load_game(file).start(engine=engine)
    for number, operator in enumerate(OPERATORS.values()):
        chosen = start.choose(str(number))
        for (i, a), (j, b) in product(enumerate(BORDERS), repeat=2):
            found: int | str
            try:
                found = chosen.choose(str(i)).choose(str(j)).scores[0].total
            except RuleFault as fault:
                found = fault.code
            assert found == _exact(operator, a, b), (number, a, b)


def _exact(operator: Callable[[int, int], int], a: int, b: int) -> int | str:
    """The result, or the expected fault."""
    try:
        exact = operator(a, b)
    except ZeroDivisionError:
        return "division-by-zero"
    return exact if LEAST <= exact <= MOST else "out-of-range"
