"""The protocol of engines, and the handling of frames that all engines share.

A state is one `array('i')` laid out by the program; a copy of it is `cells[:]`. Independent of
names, words and players.
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
"""A message, its arguments, and the player who may read it (-1: all)."""

STEPS = 100_000
"""The number of blocks and loop turns without a decision after which a run counts as endless."""

DEPTH = 10_000


@frozen
class Refusal:
    """Why an option cannot be chosen: a message and its arguments.

    If the option leads to a choice without options, `site` is that choice, and `more` is the number of other
    things refused there in the same way.
    """

    message: int
    arguments: tuple[Value, ...]
    site: int = -1
    more: int = 0


Taken: TypeAlias = "Callable[[Cells, list[int], int], tuple[Cells, list[int] | None] | None]"
"""`Engine.taken`."""


class Engine(Protocol):
    """Runs a program on states; only `run`, `answer`, `advance` and `at_random` change the given state.

    Any of them may raise a `PlayFault`; the state that it was changing is then invalid.
    """

    @property
    def program(self) -> Program:
        """The program that runs."""
        ...

    def start(self) -> Cells:
        """The first state: start values set, the frame of `main` pushed; not yet run."""
        ...

    def run(self, cells: Cells, log: list[LogLine] | None = None) -> list[int] | None:
        """Run in place to the next decision, chance or end; does nothing if the state is already at one.

        Returns the options of the decision that it reaches, if they were listed during the run."""
        ...

    def answer(self, cells: Cells, choice: int) -> None:
        """Write an option or a result of chance to the cell that the open decision wants.

        The caller must ensure that the option is possible."""
        ...

    def advance(
        self, cells: Cells, choice: int, log: list[LogLine] | None = None
    ) -> list[int] | None:
        """`answer` and `run`."""
        ...

    @property
    def taken(self) -> Taken:
        """A function that makes a step in a copy of the cells, by a member of a list of options.

        Returns the copy, with the options of the next decision if they were listed during the run. Returns None
        if the option is not a member, or if the step is left to `advance`."""
        ...

    def at_random(
        self,
        cells: Cells,
        chance: Generator,
        bots: Generator,
        longest: int | None = None,
        counts: list[int] | None = None,
    ) -> None:
        """Continue in place to the end, or for `longest` choices; all players choose at random.

        `counts` takes the number of options of each decision."""
        ...

    @property
    def notes(self) -> bool:
        """Whether it can record the events of random playouts."""
        ...

    def noted_at_random(
        self, cells: Cells, seed: int, longest: int, names: Sequence[Cells | None]
    ) -> array[int] | None:
        """The events of the playout of a seed, which plays as `at_random` (see
        `rulewright.interpreter.engines.choice_log`).

        `names` has, for each site with options of equal names, the number of each option's name. None if events cannot
        be recorded."""
        ...

    def ends_at_random(
        self,
        cells: Cells,
        generators: Sequence[tuple[Generator, Generator]],
        longest: int | None = None,
    ) -> list[Cells]:
        """The final states of playouts as `at_random`, each on a copy with its own generators for chance and bots."""
        ...

    def results_at_random(
        self, cells: Cells, seeds: Iterable[int], longest: int, jobs: int = 1
    ) -> Iterator[Results]:
        """The results of playouts as `at_random`, one for each seed, in their order and in several parts.

        `jobs` is the number of parallel playouts, if the engine supports that."""
        ...

    def step_all(self, slots: Slots, restart: bool = False) -> None:
        """Make the step in `slots.actions` for each match; raises a ValueError, without any step, if one is impossible.

        The generator of a match answers chance. A finished match is replaced by a new one, whose seed is
        greater by the number of matches; with `restart` all matches begin again with their present seeds."""
        ...

    def options(self, cells: Cells) -> list[int]:
        """The options of the open decision that can be taken, in order; at a chance its results.

        Never empty: if all options are offered in vain, this is the fault `impossible-step`."""
        ...

    def has_option(self, cells: Cells, option: int) -> bool:
        """Whether an option of the open decision can be taken; does not count marks."""
        ...

    def refusals(self, cells: Cells) -> dict[int, Refusal]:
        """The options of the open decision that cannot be taken, and why.

        For options that turn out to be impossible later: the message of the failure that comes after the most
        blocks since the option was taken (the first of several)."""
        ...

    def site_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """The arguments of the open decision's site."""
        ...

    def prompt_arguments(self, cells: Cells) -> tuple[Value, ...]:
        """The arguments of the open decision's prompt."""
        ...

    def value(self, cells: Cells, plain: int, arguments: Sequence[Value] = ()) -> Value:
        """The value of a plain procedure that has no effects."""
        ...

    def totals(self, cells: Cells) -> list[int]:
        """All points of each seat."""
        ...

    def possible(self, cells: Cells, suspending: int, arguments: Sequence[int], actor: int) -> bool:
        """The value of the expression `Possible`."""
        ...

    def call(self, cells: Cells, suspending: int, arguments: Sequence[int] = ()) -> Cells:
        """A copy in which a single procedure is ready to run; `is_finished` tells when it has returned."""
        ...


def stuck(program: Program, cells: Cells, block: int, step: Callable[[int], int]) -> RuleFault:
    """The fault of an endless run, found by running a little further to see its loop.

    `block` is the next block; `step` runs a block and gives the one after it. The endless loop is in the deepest
    frame that stays on the stack, in the loop around the blocks that run there."""
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
    """The fault of a match that reaches only chance and no decisions; a chance is open now.

    Its place is the innermost running loop, or else the innermost rule."""
    blocks = [program.blocks[number] for number in _open_blocks(cells)]
    rules = [program.suspending[block.procedure].span for block in blocks]
    spans = (*(block.span for block in blocks), program.chances[cells[SITE]].span, *rules)
    return no_progress(next(filter(None, spans), None))


def _open_blocks(cells: Cells) -> Iterator[int]:
    """The next block of each frame, the running frame first."""
    block, frame = cells[RESUME], cells[FP]
    while block != HALT:
        yield block
        block, frame = cells[frame], cells[frame + 1]


def is_finished(cells: Cells) -> bool:
    """Whether a procedure started by `Engine.call` has returned (it may also end the game)."""
    return cells[RESUME] == HALT and cells[FP] == 0


def returns(cells: Cells) -> tuple[int, ...]:
    """The blocks at which the procedures on the stack return, the innermost first."""
    found = []
    frame = cells[FP]
    while cells[frame] != HALT:
        found.append(cells[frame])
        frame = cells[frame + 1]
    return tuple(found)


def is_open(cells: Cells) -> bool:
    """Whether a decision or chance is open."""
    return cells[SITE] >= 0


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Raise Python's recursion limit, as programs may be deeply nested."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


# ---- frames --------------------------------------------------------------------------------------


def first_state(program: Program) -> Cells:
    """The state before anything has run."""
    cells = array("i", bytes(4 * program.size))
    if cells.itemsize != 4:
        raise InternalError("states need integers of 32 bits")
    cells[SITE] = cells[PLAYER] = -1
    cells[SP] = program.stack
    for address, value in program.start:
        cells[address] = value
    enter(program, cells, program.main, ())
    return cells


def started(program: Program, cells: Cells, procedure: int, arguments: Sequence[int]) -> Cells:
    """A copy in which a procedure (not `main`) is ready to run alone, and returns to HALT."""
    if procedure == program.main:
        raise InternalError("main does not run alone")
    copy = cells[:]
    copy[SITE] = copy[PLAYER] = -1
    copy[BOUND] = copy[GUARD] = copy[OVER] = copy[FP] = 0
    enter(program, copy, procedure, arguments)
    return copy


def enter(program: Program, cells: Cells, procedure: int, arguments: Sequence[int]) -> None:
    """Push a frame that returns to HALT, and make its procedure the one to run."""
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
    """Clear and pop the frame of a procedure; returns the block at which the caller continues."""
    frame = cells[FP]
    end = frame + FRAME + procedure.locals
    if end != cells[SP]:
        raise InternalError(f"the frame of {procedure.name} is not the last one")
    back, cells[FP] = cells[frame], cells[frame + 1]
    cells[frame:end] = array("i", bytes(4 * (end - frame)))
    cells[SP] = frame
    return back


def answer_slot(program: Program, cells: Cells) -> int:
    """The address for the answer to the open decision or chance."""
    site = cells[SITE]
    if site < 0:
        raise InternalError("nothing is open that could be answered")
    slot = program.chances[site].slot if cells[BOUND] else program.sites[site].slot
    return cells[FP] + FRAME + slot


class Sights(Protocol):
    """Fills observations and encodings of consecutive states, each for one player."""

    def observe(self, cells: Cells, players: Cells, room: memoryview) -> list[int]:
        """Fill the bytes of `room`; returns the numbers of the states whose questions an engine must add."""
        ...

    def encode(self, cells: Cells, players: Cells, room: memoryview, in_bytes: bool) -> list[int]:
        """Fill `room` with encodings; returns the numbers of the omitted states."""
        ...

    def encode_seen(self, seen: Cells, players: Cells, room: memoryview, in_bytes: bool) -> None:
        """As `encode`, from observations."""
        ...

    def run(self, task: str, given: Mapping[str, Any], count: int) -> int:
        """Run any of the kernels, with these fields of the tree."""
        ...


@runtime_checkable
class NativeTrials(Protocol):
    """An engine that can run the trials of a search in native code."""

    @property
    def searches(self) -> bool:
        """Whether it can do so for its program."""
        ...

    def get_ready(self) -> None:
        """Prepare for the first trial."""
        ...

    def trials(self, t: Tree, most: int, task: str = "trials") -> Done:
        """Make up to `most` trials from the sample, or do another task of the search."""
        ...

    def observing(self, t: Tree) -> Sights:
        """Native code that fills observations by the tables of a tree."""
        ...
