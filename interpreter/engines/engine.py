"""Defines the protocol of engines, and the handling of frames that all engines share.

A state is a single `array('i')` with a layout given by the program; `cells[:]` copies it. Engines
do not depend on names, words or players.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias, runtime_checkable

from attrs import frozen

from rulewright.dsl.ir import (
    BOUND,
    FP,
    FRAME,
    GUARD,
    HALT,
    OVER,
    PLAYER,
    RESUME,
    SITE,
    SP,
    Program,
    Suspending,
)
from rulewright.interpreter.engines.batch import Slots
from rulewright.interpreter.engines.chance import Generator
from rulewright.interpreter.engines.kernels.tree import Done, Tree
from rulewright.interpreter.engines.results import Results
from rulewright.interpreter.text.faults import (
    NO_PROGRESS,
    Impossible,
    InternalError,
    RuleFault,
    Value,
    no_progress,
    too_deep,
)

Cells: TypeAlias = "array[int]"
LogLine: TypeAlias = tuple[int, tuple[Value, ...], int]
"""A message, its arguments, and the player who may read it (-1: all players)."""

STEPS = 100_000
"""The number of blocks and loop iterations without a decision after which a run counts as endless."""

DEPTH = 10_000


@frozen
class Refusal:
    """The reason why an option cannot be chosen: a message and its arguments.

    If the option leads to a choice without options, `site` is that choice. `more` is then the
    number of other things that the choice refuses in the same way.
    """

    message: int
    arguments: tuple[Value, ...]
    site: int = -1
    more: int = 0


TakeOption: TypeAlias = "Callable[[Cells, list[int], int], tuple[Cells, list[int] | None] | None]"
"""The type of the function that `Engine.take_option` returns."""


class Engine(Protocol):
    """Runs a program on states. Only `run`, `answer`, `advance` and `at_random` change the given state.

    Any method may raise a `RuleFault`; a state that the method was changing is then invalid.
    """

    @property
    def program(self) -> Program:
        """Return the program that the engine runs."""
        ...

    def start(self) -> Cells:
        """Return the first state: start values are set, and the frame of `main` is pushed. No block has run."""
        ...

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """Run in place to the next decision, chance event or end of the game. If the state has
        already reached one of these, do nothing.

        Returns the options of the decision that the run reaches, if they were listed during the
        run.
        """
        ...

    def answer(self, cells: Cells, choice: int) -> None:
        """Write an option or a result of chance to the cell that the open decision reads.

        The caller must ensure that the option is possible.
        """
        ...

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """Call `answer` and `run`."""
        ...

    @property
    def take_option(self) -> TakeOption:
        """Return a function that makes a step in a copy of the cells, given a member of a list of options.

        The function returns the copy, and the options of the next decision if they were listed
        during the run. It returns None if the option is not in the list, or if the step must be
        made by `advance`.
        """
        ...

    def at_random(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """Continue in place to the end, or for `longest` choices. All players choose at random.

        The number of options of each decision is appended to `counts`.
        """
        ...

    @property
    def notes(self) -> bool:
        """Return whether the engine can record the events of random playouts."""
        ...

    def noted_at_random(
        self, cells: Cells, seed: int, longest: int, names: Sequence[Cells | None]
    ) -> array[int] | None:
        """Return the events of a playout with the given seed. The playout makes the same choices as `at_random`.

        The events are numbers as in `rulewright.interpreter.engines.choice_log`. For each site at
        which options have equal names, `names` contains the index of each option's name. Returns
        None if events cannot be recorded.
        """
        ...

    def results_at_random(
        self, cells: Cells, seeds: Iterable[int], longest: int, jobs: int = 1
    ) -> Iterator[Results]:
        """Yield the results of playouts like `at_random`, one for each seed, in order and in several batches.

        `jobs` is the number of parallel playouts, if the engine supports parallel playouts.
        """
        ...

    def step_all(self, slots: Slots, restart: bool = False) -> None:
        """Make the step in `slots.actions` for each match. If a step is impossible, raise a
        ValueError and make no steps.

        The generator of a match supplies the results of chance. A finished match is replaced by a
        new match. The seed of the new match is the old seed plus the number of matches. With
        `restart`, all matches begin again with their current seeds.
        """
        ...

    def options(self, cells: Cells) -> list[int]:
        """Return those options of the open decision that can be taken, in order. At a chance event,
        return the possible results.

        The list is never empty: if all offered options are impossible, the fault `impossible-step`
        is raised.
        """
        ...

    def has_option(self, cells: Cells, option: int) -> bool:
        """Return whether an option of the open decision can be taken. Marks are not counted."""
        ...

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """Return those options of the open decision that cannot be taken, each with the reason.

        Some options turn out to be impossible only later. Their reason is the failure reached after
        running the most blocks from the option. If there are several such failures, the first one
        is used.
        """
        ...

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Return the arguments of the site of the open decision."""
        ...

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """Return the arguments of the prompt of the open decision."""
        ...

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """Evaluate a plain procedure that has no effects."""
        ...

    def totals(self, cells: Cells) -> list[int]:
        """Return the total points of each seat."""
        ...

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """Evaluate the expression `Possible`."""
        ...

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """Return a copy in which a single procedure is ready to run. `is_finished` returns whether
        the procedure has finished."""
        ...


def stuck(program: Program, cells: Cells, block: int, step: Callable[[int], int]) -> RuleFault:
    """Return the fault that describes an endless run. The run continues a little further to find the loop.

    `block` is the next block; `step` runs a block and returns the next block. The endless loop is
    in the innermost frame that is never popped. It is the loop around the blocks that run in this
    frame.
    """
    lowest, met = cells[FP], {block}
    try:
        for _ in range(STEPS // 10):
            block = step(block)
            if block <= HALT:
                break
            if cells[FP] < lowest:
                lowest, met = cells[FP], set()
            if cells[FP] == lowest:
                met.add(block)
    except RuleFault as fault:
        if fault.code == NO_PROGRESS:
            return fault
    except Impossible:
        pass
    blocks = [program.blocks[each] for each in met]
    loops = [block.span for block in blocks if block.span is not None]
    rules = [program.suspending[block.procedure].span for block in blocks]
    return no_progress(max(loops, key=lambda span: span.end - span.start) if loops else rules[0])


def only_chance(program: Program, cells: Cells) -> RuleFault:
    """Return the fault that describes a match that reaches only chance events and no decisions. A
    chance event must be open.

    The place of the fault is the innermost running loop, or else the innermost rule.
    """
    blocks = [program.blocks[number] for number in _open_blocks(cells)]
    rules = [program.suspending[block.procedure].span for block in blocks]
    spans = (*(block.span for block in blocks), program.chances[cells[SITE]].span, *rules)
    return no_progress(next(filter(None, spans), None))


def _open_blocks(cells: Cells) -> Iterator[int]:
    """Yield the next block of each frame, beginning with the running frame."""
    block, frame = cells[RESUME], cells[FP]
    while block != HALT:
        yield block
        block, frame = cells[frame], cells[frame + 1]


def is_finished(cells: Cells) -> bool:
    """Return whether a procedure started by `Engine.call` has finished: it has returned or has ended the game."""
    return cells[RESUME] == HALT and cells[FP] == 0


def returns(cells: Cells) -> tuple[int, ...]:
    """Return, for each frame on the stack, the block to which its procedure returns. The innermost
    frame comes first."""
    found = []
    frame = cells[FP]
    while cells[frame] != HALT:
        found.append(cells[frame])
        frame = cells[frame + 1]
    return tuple(found)


def is_open(cells: Cells) -> bool:
    """Return whether a decision or chance event is open."""
    return cells[SITE] >= 0


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Raise Python's recursion limit within the `with` block, because programs may be deeply nested."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


# ---- frames --------------------------------------------------------------------------------------


def first_state(program: Program) -> Cells:
    """Return the state before any block has run."""
    cells = array("i", bytes(4 * program.size))
    if cells.itemsize != 4:
        raise InternalError("states need integers of 32 bits")
    cells[SITE] = cells[PLAYER] = -1
    cells[SP] = program.stack
    for address, value in program.start:
        cells[address] = value
    enter(program, cells, program.main, ())
    return cells


def start_procedure(
    program: Program, cells: Cells, procedure: int, arguments: Sequence[int]
) -> Cells:
    """Return a copy in which a procedure (not `main`) is ready to run alone. The procedure returns to HALT."""
    if procedure == program.main:
        raise InternalError("main does not run alone")
    copy = cells[:]
    copy[SITE] = copy[PLAYER] = -1
    copy[BOUND] = copy[GUARD] = copy[OVER] = copy[FP] = 0
    enter(program, copy, procedure, arguments)
    return copy


def enter(program: Program, cells: Cells, procedure: int, arguments: Sequence[int]) -> None:
    """Push a frame that returns to HALT, and make its procedure the next to run."""
    push(program, cells, program.suspending[procedure], HALT, arguments)
    cells[RESUME] = program.suspending[procedure].entry


def push(
    program: Program, cells: Cells, procedure: Suspending, back: int, arguments: Sequence[int]
) -> None:
    """Push a frame."""
    frame = cells[SP]
    end = frame + FRAME + procedure.locals
    if end > program.size:
        raise too_deep(procedure.span)
    if len(arguments) != procedure.parameters:
        raise InternalError(f"{procedure.name} takes {procedure.parameters} arguments")
    cells[frame] = back
    cells[frame + 1] = cells[FP]
    for slot, value in enumerate(arguments):
        cells[frame + FRAME + slot] = value
    cells[FP] = frame
    cells[SP] = end


def pop(cells: Cells, procedure: Suspending) -> int:
    """Clear and pop the frame of a procedure. Return the block at which the caller continues."""
    frame = cells[FP]
    end = frame + FRAME + procedure.locals
    if end != cells[SP]:
        raise InternalError(f"the frame of {procedure.name} is not the last one")
    back, cells[FP] = cells[frame], cells[frame + 1]
    cells[frame:end] = array("i", bytes(4 * (end - frame)))
    cells[SP] = frame
    return back


def answer_slot(program: Program, cells: Cells) -> int:
    """Return the address to which the answer to the open decision or chance event is written."""
    site = cells[SITE]
    if site < 0:
        raise InternalError("nothing is open that could be answered")
    slot = program.chances[site].slot if cells[BOUND] else program.sites[site].slot
    return cells[FP] + FRAME + slot


class Sights(Protocol):
    """Computes observations and encodings of consecutive states. Each state is observed by one player."""

    def observe(self, cells: Cells, players: Cells, room: memoryview) -> list[int]:
        """Write observations to the bytes of `room`. Return the indices of those states for which
        an engine must still add the question."""
        ...

    def encode(self, cells: Cells, players: Cells, room: memoryview, in_bytes: bool) -> list[int]:
        """Write encodings to `room`. Return the indices of the states that were left out."""
        ...

    def encode_seen(self, seen: Cells, players: Cells, room: memoryview, in_bytes: bool) -> None:
        """Write the same encodings as `encode`, given observations."""
        ...

    def run(self, task: str, given: Mapping[str, Any], count: int) -> int:
        """Run a kernel on the tree, passing it the given fields."""
        ...


@runtime_checkable
class NativeTrials(Protocol):
    """An engine that can run the trials of a search in native code."""

    @property
    def searches(self) -> bool:
        """Return whether the engine can run trials for its program in native code."""
        ...

    def get_ready(self) -> None:
        """Prepare for the first trial."""
        ...

    def trials(self, t: Tree, most: int, task: str = "trials") -> Done:
        """Run up to `most` trials from the sample, or perform another task of the search."""
        ...

    def observing(self, t: Tree) -> Sights:
        """Return native code that computes observations with the tables of a tree."""
        ...
