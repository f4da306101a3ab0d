"""Native functions that Python calls directly give the same results as through ctypes."""

from __future__ import annotations

import ctypes
import sys
from array import array
from threading import Thread

import pytest

from rulewright import State, load_game
from rulewright.interpreter.engines.native import direct as module
from rulewright.interpreter.engines.native.direct import MOST, Listing, Taking, direct
from rulewright.interpreter.engines.native.module import FAILED

_TWO = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_THREE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


def _first_cell(address: int, added: int, _: int) -> int:
    return ctypes.c_int32.from_address(address).value + added


def _add(address: int, choice: int, _: int) -> int:
    cell = ctypes.c_int32.from_address(address)
    cell.value += choice
    return cell.value if cell.value >= 0 else FAILED


_ADDED = _THREE(_add)
_DIFFERENCE, _FIRST_CELL = _TWO(lambda one, other: one - other), _THREE(_first_cell)
_ADDRESS = ctypes.cast(_DIFFERENCE, ctypes.c_void_p).value or 0


@pytest.fixture(params=[True, False], ids=["direct", "ctypes"])
def is_direct(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Once with method definitions, once without them."""
    if not request.param:
        monkeypatch.setattr(module, "_definitions", lambda: None)
    return bool(request.param)


def test_numbers_go_in_and_out(is_direct: bool) -> None:
    function = direct(_ADDRESS, "qq")
    assert type(function).__name__ == (
        "builtin_function_or_method" if is_direct else "CFunctionType"
    )
    assert function(5, 7) == -2
    assert function(2**62, -(2**62) + 1) == 2**63 - 1
    with pytest.raises(TypeError):
        function(5)


def test_references_are_given_back() -> None:
    """After a thousand calls no object has more references than before."""
    function, number = direct(_ADDRESS, "qq"), 2**40 + 1
    before = sys.getrefcount(number)
    for _ in range(1000):
        function(number, number)
    assert sys.getrefcount(number) == before


def test_lists_are_read_from_the_buffer(is_direct: bool) -> None:
    """The function gets the address of the cells and returns how many numbers of the buffer are used."""
    offers = memoryview(array("i", (3, -1, 4)))
    cells = array("i", (2, 0))
    address = ctypes.cast(_FIRST_CELL, ctypes.c_void_p).value or 0
    listing = Listing("pqq", 2)
    listing.link(address, offers)
    assert listing.call(cells, 1, 0) == [3, -1, 4]
    assert listing.call(cells, -1, 0) == [3]
    assert listing.call(cells, -2, 0) == 0
    assert listing.call(cells, -5, 0) == -3
    before = sys.getrefcount(cells)
    for _ in range(100):
        listing.call(cells, 1, 0)
    assert sys.getrefcount(cells) == before
    cells.append(1)  # no buffer is kept open
    with pytest.raises(TypeError):
        listing.call(cells, 1, 0)
    assert is_direct == (listing.call.__class__.__name__ == "builtin_function_or_method")


def test_a_step_is_made_in_a_copy_by_a_member_of_the_options(is_direct: bool) -> None:
    """The function adds the choice to the first cell, which gives the number of options."""
    offers, cells = memoryview(array("i", (3, -1, 4))), array("i", (2, 0))
    taking = Taking("pqp", 2)
    taking.link(ctypes.cast(_ADDED, ctypes.c_void_p).value or 0, offers)
    one, large = 1, 2**40
    assert taking.take(cells, [5, one], one) == (array("i", (3, 0)), [3, -1, 4])
    assert taking.take(cells, [-2], -2) == (array("i", (0, 0)), None)
    assert taking.take(cells, [-5], -5) is None  # as if the code had given up
    assert taking.take(cells, [5, 1], 2) is None  # no member
    assert taking.take(cells, [large], int(str(large))) is None  # another object
    assert taking.take(cells, [1], True) is None
    assert cells == array("i", (2, 0))
    counts = [sys.getrefcount(each) for each in (cells, large, None)]
    for _ in range(100):
        for offered, choice in (([large], large - 1), ([one], one), ([-2], -2), ([-5], -5)):
            taking.take(cells, offered, choice)
    assert abs(sys.getrefcount(None) - counts[2]) < 50
    assert [sys.getrefcount(each) for each in (cells, large)] == counts[:2]
    with pytest.raises(TypeError):
        taking.take(array("i", (2,)), [one], one)
    assert is_direct == (taking.take.__class__.__name__ == "builtin_function_or_method")


def test_code_that_is_linked_later_is_called(is_direct: bool) -> None:
    del is_direct
    listing = Listing("pqq", 2)
    for number in (7, 8):
        listing.link(
            ctypes.cast(_FIRST_CELL, ctypes.c_void_p).value or 0, memoryview(array("i", (number,)))
        )
        assert listing.call(array("i", (1, 0)), 0, 0) == [number]


def test_there_are_functions_of_few_numbers_only() -> None:
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * (MOST + 1))
    made = kind(lambda *numbers: sum(numbers))
    function = direct(ctypes.cast(made, ctypes.c_void_p).value or 0, "q" * (MOST + 1))
    assert function(*range(MOST + 1)) == sum(range(MOST + 1))


def test_threads_take_options_of_one_game_at_the_same_time() -> None:
    start, ends = load_game("connect_four").start(engine="native"), dict[int, State]()

    def play(number: int) -> None:
        state = start
        while not state.over:
            offered = state.option_ids
            state = state.take(offered[(number + len(offered)) % len(offered)])
        ends[number] = state

    threads = [Thread(target=play, args=(number % 3,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    expected = {}
    for number in range(3):
        state = load_game("connect_four").start()
        while not state.over:
            offered = state.option_ids
            state = state.take(offered[(number + len(offered)) % len(offered)])
        expected[number] = state
    assert ends == expected


def test_python_reads_states_after_a_native_step_without_a_hook() -> None:
    """If a class has `__getattr__`, Python reads each attribute of its objects by a slow path."""
    state = load_game("tic_tac_toe").start(engine="native")
    after = state.take(state.option_ids[0])
    assert not hasattr(type(after), "__getattr__") and after.public_view is after.public_view
    after.lighten()
    assert after.option_ids == state.take(state.option_ids[0]).option_ids
